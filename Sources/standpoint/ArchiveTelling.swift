import Evidence
import Foundation
import Telling

/// The output of the commands that write and read backups, for field unit and office alike.
enum ArchiveTelling {
  /// Shows how far a backup or its restore is, after every 64 files.
  static func progress(files: Int, bytes: Int) {
    if files.isMultiple(of: 64) { Terminal.progress("\(files) files, \(bytes >> 20) MiB") }
  }

  /// Says the result of a backup.
  /// - Throws: `ExitStatus.refused` if files are missing or damaged; the backup is there even then.
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
