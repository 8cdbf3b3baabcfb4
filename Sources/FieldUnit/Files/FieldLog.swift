import Foundation
import Positioning
import Store
import Synchronization

/// What the field unit says of itself, kept in two files of a bounded size: enough to see what
/// happened in the last days, and never the reason why a disk is full.
///
/// It holds neither names, passwords nor positions on purpose; the support bundle takes out what an
/// error's words may have brought along all the same.
public final class FieldLog: Sendable {
  /// Bytes after which a file is put aside; there is one more beside it.
  static let bytesOfFile = 256 << 10
  /// Longer lines are cut.
  private static let longestLine = 2000

  private let folder: String
  private let clock: any Timepiece
  private let lock = Mutex<String?>(nil)

  /// A log in a data directory. Nothing is written before the first line.
  init(dataDirectory: URL, clock: any Timepiece) {
    folder = DataFolder(dataDirectory: dataDirectory).log
    self.clock = clock
  }

  /// The newest file, and the one before it; the older one may not be there.
  package static func paths(in folder: String) -> (new: String, old: String) {
    (folder + "/field.log", folder + "/field.log.1")
  }

  /// Adds a line. What cannot be written is left: the work goes on, whatever is wrong with the disk.
  /// The same words twice in a row are said once.
  public func note(_ text: String) {
    let line = Self.line(text)
    lock.withLock { last in
      guard line != last else { return }
      last = line
      try? append("\(clock.deviceTime.rfc3339) \(line)\n")
    }
  }

  /// One line without what moves a terminal's cursor or begins another line.
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
