import Transparency

/// A checkpoint of an office's log that somebody has kept.
public struct KeptCheckpoint: Hashable, Sendable {
  /// The name of its file, for messages.
  public let name: String
  /// The number of the log's entries, and their hash.
  public let checkpoint: Checkpoint

  /// Reads a checkpoint. Whoever kept it vouches for it: no signature is checked here.
  /// - Throws: `NoteProblem` if the bytes are no checkpoint.
  public init(name: String, bytes: [UInt8]) throws(NoteProblem) {
    self.name = name
    checkpoint = try Checkpoint(text: try SignedNote(bytes: bytes).text)
  }

  /// Returns true if the checkpoint's name says that it is of a log under this authority.
  /// - Parameter fingerprint: SHA-256 of the authority's certificate.
  func isUnder(_ fingerprint: String) -> Bool {
    checkpoint.origin.contains("/\(fingerprint.prefix(32))/")
  }
}
