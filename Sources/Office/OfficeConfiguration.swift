import Foundation

/// Where the office keeps its things. The office itself comes with its own issue; what stands here is
/// what the rest already relies on.
public struct OfficeConfiguration: Hashable, Sendable {
  /// The data directory; the office's files are in `office/` below it.
  public var dataDirectory: URL

  /// A configuration with everything else at its default.
  public init(dataDirectory: URL) {
    self.dataDirectory = dataDirectory
  }

  /// The folder of the office's own files.
  public var folder: URL { dataDirectory.appendingPathComponent("office", isDirectory: true) }
}
