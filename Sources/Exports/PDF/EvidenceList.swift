import Evidence

/// The files of a task's evidence with their digests, as `sha256sum` writes them: what its bundle must hold.
///
/// A bundle's own digest would hang on the second in which it was made. This list does not: it is the same for
/// every bundle of the same evidence, and `sha256sum --check` holds an unpacked one to it.
public struct EvidenceList: Hashable, Sendable {
  /// The list's name in a document.
  public static let name = "SHA256SUMS"

  /// A file's name in the bundle, and its digest.
  public struct Entry: Hashable, Sendable {
    /// The name, as the bundle has it.
    public var path: String
    /// SHA-256, lower-case hexadecimal.
    public var digest: String

    /// An entry from its parts.
    public init(path: String, digest: String) {
      self.path = path
      self.digest = digest
    }
  }

  /// The entries in the order of their names.
  public let entries: [Entry]

  /// A list of entries, in whatever order.
  public init(_ entries: [Entry]) {
    self.entries = entries.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// A line for each file, as `sha256sum` writes and reads them.
  public var bytes: [UInt8] {
    entries.flatMap { Array("\($0.digest)  \($0.path)\n".utf8) }
  }

  /// SHA-256 of the list: one number for all of the evidence.
  public var digest: String { Digest.hexadecimal(bytes) }
}
