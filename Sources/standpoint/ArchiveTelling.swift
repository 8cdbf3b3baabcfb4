import Evidence
import Foundation

/// What the commands that write and read backups tell, of a field unit and of an office alike.
enum ArchiveTelling {
  /// How far a backup or its restore is, every now and then.
  static func progress(files: Int, bytes: Int) {
    if files.isMultiple(of: 64) { Terminal.progress("\(files) files, \(bytes >> 20) MiB") }
  }

  /// What a backup has become.
  /// - Throws: `ExitStatus.refused` where something is missing or damaged; the backup is there then, too.
  static func finish(
    backup file: String, files: Int, bytes: Int, differences: [String], isJSON: Bool
  ) throws {
    Terminal.endProgress()
    for difference in differences { Terminal.complain(difference) }
    if isJSON {
      Terminal.say(
        .members([
          ("file", .string(file)), ("files", .integer(files)), ("bytes", .integer(bytes)),
          ("differences", .integer(differences.count)),
        ]))
    } else {
      Terminal.say("\(files) files, \(bytes) bytes in \(file)")
    }
    guard differences.isEmpty else { throw ExitStatus.refused }
  }
}
