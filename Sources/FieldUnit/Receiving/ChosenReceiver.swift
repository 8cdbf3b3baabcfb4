import Foundation
import Positioning
import Receivers
import Store

/// The receiver that was chosen for everything: map, tracks and photos alike. There is never a second
/// one beside it.
public enum ChosenReceiver {
  private static func path(in dataDirectory: URL) -> String {
    dataDirectory.appendingPathComponent("receiver").path
  }

  /// The source that was chosen; nil where none was.
  /// - Throws: `ReceiverError.malformedSource` where the file holds something else.
  public static func source(in dataDirectory: URL) throws -> ReceiverSource? {
    guard let text = try? String(contentsOfFile: path(in: dataDirectory), encoding: .utf8) else {
      return nil
    }
    return try ReceiverSource(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// Remembers a source.
  public static func choose(_ source: ReceiverSource, in dataDirectory: URL) throws {
    try FileManager.default.createDirectory(
      at: dataDirectory, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try DurableFile.replace(path(in: dataDirectory), with: Array("\(source)\n".utf8))
  }

  /// Forgets it.
  public static func forget(in dataDirectory: URL) throws {
    try DurableFile.remove(path(in: dataDirectory))
  }
}
