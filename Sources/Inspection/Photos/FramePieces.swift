/// The bytes of a frame as they come from a page, over connections that may break: each begins where it
/// likes, and what is here already counts once.
///
/// The page tells size and digest as soon as it has the frame. From then on the frame cannot be another
/// one, so the inspector may move while the bytes come.
public struct FramePieces: Hashable, Sendable {
  /// The size of the whole frame, bytes.
  public let bytes: Int
  /// The SHA-256 of the whole frame, hexadecimal, as the page told it.
  public let digest: String
  /// The bytes that are here, from the start.
  public private(set) var received: [UInt8] = []

  /// A piece that does not belong to the frame.
  public enum Fault: Error, Hashable, Sendable {
    /// The piece begins behind the bytes that are here.
    case gap
    /// The piece reaches beyond the frame's end.
    case tooLong
    /// The piece differs from the bytes that are here.
    case other
  }

  /// Creates the pieces of a frame of which nothing is here; nil if size or digest are none.
  /// - Parameter limit: the largest frame, bytes.
  public init?(bytes: Int, digest: String, limit: Int) {
    guard bytes > 0, bytes <= limit, digest.utf8.count == 64,
      digest.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    (self.bytes, self.digest) = (bytes, digest)
  }

  /// True if all bytes are here.
  public var areComplete: Bool { received.count == bytes }

  /// Takes a piece that begins at `offset`.
  public mutating func take(_ piece: [UInt8], at offset: Int) throws(Fault) {
    guard offset >= 0, offset <= received.count else { throw .gap }
    guard piece.count <= bytes - offset else { throw .tooLong }
    let known = min(piece.count, received.count - offset)
    guard received[offset..<offset + known].elementsEqual(piece[..<known]) else { throw .other }
    received += piece[known...]
  }
}
