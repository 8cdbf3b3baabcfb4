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

  private init(_ words: Words) { self.words = words }

  private init(_ digest: SHA256.Digest) {
    words = digest.withUnsafeBytes { $0.loadUnaligned(as: Words.self) }
  }

  /// The hash of a tree without entries.
  public static let ofNothing = TreeHash(SHA256().finalize())

  /// Returns the hash of an entry's bytes.
  public static func leaf(_ bytes: some Sequence<UInt8>) -> TreeHash {
    TreeHash(SHA256.hash(data: [Prefix.leaf] + bytes))
  }

  /// Returns the hash of an entry of 32 bytes that are written as 64 lower-case hexadecimal digits; nil if they are
  /// not.
  public static func leaf(ofHexadecimal text: String) -> TreeHash? {
    var text = text
    return text.withUTF8 { digits in
      guard digits.count == 2 * byteCount else { return nil }
      return withUnsafeTemporaryAllocation(byteCount: 1 + byteCount, alignment: 1) { buffer in
        buffer[0] = Prefix.leaf
        for index in 0..<byteCount {
          guard let high = value(digits[2 * index]), let low = value(digits[2 * index + 1]) else {
            return nil
          }
          buffer[1 + index] = high << 4 | low
        }
        return TreeHash(SHA256.hash(bytes: UnsafeRawBufferPointer(buffer)))
      }
    }
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// Returns the root of the subtree over some hashes, whose number is a power of two.
  public static func root(of hashes: [TreeHash]) -> TreeHash {
    var row = hashes
    while row.count > 1 {
      for index in 0..<row.count / 2 { row[index] = .node(row[2 * index], row[2 * index + 1]) }
      row.removeLast(row.count - row.count / 2)
    }
    return row.first ?? .ofNothing
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

  /// Reads hashes that lie one behind the other; nil if the last one is not whole.
  public static func list(_ bytes: [UInt8]) -> [TreeHash]? {
    guard bytes.count.isMultiple(of: byteCount) else { return nil }
    return bytes.withUnsafeBytes { all in
      stride(from: 0, to: all.count, by: byteCount).map {
        TreeHash(all.loadUnaligned(fromByteOffset: $0, as: Words.self))
      }
    }
  }

  /// Adds the hash to bytes that end with other ones.
  public func append(to bytes: inout [UInt8]) {
    withUnsafeBytes(of: words) { bytes.append(contentsOf: $0) }
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
