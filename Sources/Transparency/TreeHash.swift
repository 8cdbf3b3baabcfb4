import Crypto
import Foundation

/// A hash of a Merkle tree (RFC 9162, section 2.1.1): of a leaf, of two subtrees, or of a whole tree. SHA-256.
public struct TreeHash: Hashable, Sendable {
  /// The number of a hash's bytes.
  public static let byteCount = 32

  // Four words, since a tree of ten million entries shall not be ten million arrays. In memory they are the
  // bytes in their order.
  private let words: Words

  private struct Words: Hashable, Sendable {
    var first: UInt64 = 0
    var second: UInt64 = 0
    var third: UInt64 = 0
    var fourth: UInt64 = 0
  }

  private enum Prefix {
    static let leaf: UInt8 = 0
    static let node: UInt8 = 1
  }

  /// Reads a hash; nil if these are not 32 bytes.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    var words = Words()
    withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
    self.words = words
  }

  /// Reads a hash in Base64; nil if the text is not the one encoding of 32 bytes.
  public init?(base64 text: some StringProtocol) {
    guard let data = Data(base64Encoded: String(text)), data.base64EncodedString() == text else {
      return nil
    }
    self.init(data)
  }

  private init(_ digest: SHA256.Digest) {
    words = digest.withUnsafeBytes { $0.loadUnaligned(as: Words.self) }
  }

  /// The hash of a tree without entries.
  public static let ofNothing = TreeHash(SHA256().finalize())

  /// Returns the hash of an entry's bytes.
  public static func leaf(_ bytes: some Sequence<UInt8>) -> TreeHash {
    TreeHash(SHA256.hash(data: [Prefix.leaf] + bytes))
  }

  /// Returns the hash of two subtrees, the left one of which is complete.
  public static func node(_ left: TreeHash, _ right: TreeHash) -> TreeHash {
    withUnsafeTemporaryAllocation(byteCount: 1 + 2 * byteCount, alignment: 1) { buffer in
      buffer[0] = Prefix.node
      buffer.storeBytes(of: left.words, toByteOffset: 1, as: Words.self)
      buffer.storeBytes(of: right.words, toByteOffset: 1 + byteCount, as: Words.self)
      return TreeHash(SHA256.hash(bytes: UnsafeRawBufferPointer(buffer)))
    }
  }

  /// The 32 bytes.
  public var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }

  /// The hash in Base64.
  public var base64: String { Data(bytes).base64EncodedString() }
}

extension SHA256 {
  fileprivate static func hash(bytes: UnsafeRawBufferPointer) -> Digest {
    var hash = SHA256()
    hash.update(bufferPointer: bytes)
    return hash.finalize()
  }
}
