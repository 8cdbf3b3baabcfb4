import Foundation
import Store
import Synchronization
import TimeAndText

/// The field unit's own log, kept in two files of a bounded size: enough to see what happened in
/// the last days, and too small to fill a disk.
///
/// The program writes no names, passwords or positions into it; the support bundle takes out those
/// that the words of an error may have brought along anyway.
public final class FieldLog: Sendable {
  /// The size in bytes after which a file is put aside; one older file is kept.
  static let bytesOfFile = 256 << 10
  /// The most characters of a line; longer lines are cut.
  private static let longestLine = 2000

  private let folder: String
  private let clock: any Timepiece
  private let lock = Mutex<String?>(nil)

  /// Creates a log in a data directory. The first line creates the file.
  init(dataDirectory: URL, clock: any Timepiece) {
    folder = DataFolder(dataDirectory: dataDirectory).log
    self.clock = clock
  }

  /// Returns the paths of the newest file and of the one before; the older one may not exist.
  package static func paths(in folder: String) -> (new: String, old: String) {
    (folder + "/field.log", folder + "/field.log.1")
  }

  /// Adds a line. A line that cannot be written is dropped, so that a bad disk does not stop the
  /// work. The same words twice in a row are written once.
  public func note(_ text: String) {
    let line = Self.line(text)
    lock.withLock { last in
      guard line != last else { return }
      last = line
      try? append("\(clock.deviceTime.rfc3339) \(line)\n")
    }
  }

  /// Returns a text as one line, without characters that move a terminal's cursor or begin another
  /// line.
  package static func line(_ text: String) -> String {
    let plain = String.UnicodeScalarView(
      text.unicodeScalars.prefix(longestLine).map { scalar in
        scalar.properties.generalCategory == .control || scalar == "\u{2028}"
          || scalar == "\u{2029}"
          ? " " : scalar
      })
    return String(plain)
  }

  private func append(_ line: String) throws {
    try DurableFile.makeFolder(folder)
    let (new, old) = Self.paths(in: folder)
    let bytes = FileStatus(ofPath: new)?.bytes ?? 0
    if bytes + line.utf8.count > Self.bytesOfFile, bytes > 0 {
      try DurableFile.rename(new, to: old)
    }
    if !FileManager.default.fileExists(atPath: new) {
      guard
        FileManager.default.createFile(
          atPath: new, contents: nil, attributes: [.posixPermissions: 0o600])
      else { return }
    }
    guard let handle = FileHandle(forWritingAtPath: new) else { return }
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(line.utf8))
  }
}
