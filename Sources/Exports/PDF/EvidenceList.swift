import Evidence

/// The list of all files of a task's evidence with their digests, as `sha256sum` writes them: the
/// files that the task's bundle must hold.
///
/// A bundle's own digest would depend on the second in which the bundle was made. This list is the
/// same for every bundle of the same evidence, and `sha256sum --check` compares an unpacked bundle
/// with it.
public struct EvidenceList: Hashable, Sendable {
  /// The list's file name in a document.
  public static let name = "SHA256SUMS"

  /// A file's name in the bundle, with its digest.
  public struct Entry: Hashable, Sendable {
    /// The file's name in the bundle.
    public var path: String
    /// The file's SHA-256, lower-case hexadecimal.
    public var digest: String

    /// Creates an entry.
    public init(path: String, digest: String) {
      self.path = path
      self.digest = digest
    }
  }

  /// The entries in the order of their names.
  public let entries: [Entry]

  /// Creates a list of entries, which may be in any order.
  public init(_ entries: [Entry]) {
    self.entries = entries.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// The list as `sha256sum` writes and reads it, with one line for each file.
  public var bytes: [UInt8] {
    entries.flatMap { Array("\($0.digest)  \($0.path)\n".utf8) }
  }

  /// The SHA-256 of the list, lower-case hexadecimal: one number for all of the evidence.
  public var digest: String { Digest.hexadecimal(bytes) }
}
