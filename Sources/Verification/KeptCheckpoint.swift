import Transparency

/// The hashes of a growing log's trees at the sizes that are asked for.
struct TreeRoots {
  private var edge = TreeEdge()
  private var roots: [Int: TreeHash] = [:]
  private let sizes: Set<Int>

  /// Prepares for the sizes of some checkpoints.
  init(of checkpoints: [KeptCheckpoint]) {
    sizes = Set(checkpoints.map(\.checkpoint.size))
    if sizes.contains(0) { roots[0] = edge.root }
  }

  /// The number of entries.
  private(set) var size = 0

  /// Adds the digest of the next entry.
  mutating func append(_ digest: String) {
    size += 1
    // Without a question no hash is made.
    guard !sizes.isEmpty, let leaf = TreeHash.leaf(ofHexadecimal: digest) else { return }
    edge.append(leaf)
    if sizes.contains(edge.size) { roots[edge.size] = edge.root }
  }

  /// The hash at a size; nil if the log has fewer entries, or if nobody asked for it.
  subscript(_ size: Int) -> TreeHash? { roots[size] }
}

/// A checkpoint of an office's log that somebody has kept.
public struct KeptCheckpoint: Hashable, Sendable {
  /// The name of its file, for messages.
  public let name: String
  /// The checkpoint as it was signed.
  public let note: SignedNote
  /// The number of the log's entries, and their hash.
  public let checkpoint: Checkpoint

  /// Reads a checkpoint. No signature is checked: an exported log does not say whose it would be.
  /// - Throws: `NoteProblem` if the bytes are no checkpoint.
  public init(name: String, bytes: [UInt8]) throws(NoteProblem) {
    self.name = name
    note = try SignedNote(bytes: bytes)
    checkpoint = try Checkpoint(text: note.text)
  }

  /// Returns true if the checkpoint's name says that it is of a log under this authority.
  /// - Parameter fingerprint: SHA-256 of the authority's certificate.
  func isUnder(_ fingerprint: String) -> Bool {
    checkpoint.origin.contains("/\(fingerprint.prefix(32))/")
  }
}
