import Foundation
import Receivers
import Store
import TimeAndText

/// The receiver that was chosen for map, tracks and photos alike. There is never a second one.
public enum ChosenReceiver {
  private static func path(in dataDirectory: URL) -> String {
    dataDirectory.appendingPathComponent("receiver").path
  }

  /// Returns the source that was chosen; nil if none was chosen.
  /// - Throws: `ReceiverError.malformedSource` if the file holds something else.
  public static func source(in dataDirectory: URL) throws -> ReceiverSource? {
    guard let text = try? String(contentsOfFile: path(in: dataDirectory), encoding: .utf8) else {
      return nil
    }
    return try ReceiverSource(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// Stores the chosen source.
  public static func choose(_ source: ReceiverSource, in dataDirectory: URL) throws {
    try FileManager.default.createDirectory(
      at: dataDirectory, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try DurableFile.replace(path(in: dataDirectory), with: Array("\(source)\n".utf8))
  }

  /// Removes the choice.
  public static func forget(in dataDirectory: URL) throws {
    try DurableFile.remove(path(in: dataDirectory))
  }
}
