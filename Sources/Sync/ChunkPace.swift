/// The size of the chunks of an upload. A chunk counts as a whole or not at all, so a cut
/// connection loses at most one chunk of the upload. Chunks are small on a slow network, and large
/// on a quick one, because each also costs a request and an answer.
public struct ChunkPace: Hashable, Sendable {
  /// The smallest and the largest chunk, bytes. Three uploads at once then lose less than 8 MiB by
  /// a cut, and a photo of the usual size is one chunk.
  public static let range = 65_536...2_621_440
  /// The time that a chunk should take, seconds.
  private static let seconds = 2.0

  /// The size of the next chunk, bytes.
  public private(set) var chunkBytes = 262_144

  /// Creates a pace before the first chunk.
  public init() {}

  /// Notes that a chunk has arrived.
  /// - Parameters:
  ///   - bytes: The chunk's length. A shorter chunk than asked for, the end of a file, can only
  ///     show that the network is slow.
  ///   - seconds: The time that the chunk and its answer took, seconds.
  public mutating func sent(bytes: Int, seconds: Double) {
    guard bytes > 0, seconds.isFinite, seconds > 0 else { return }
    let fitting = Double(bytes) / seconds * Self.seconds
    if bytes < chunkBytes {
      // Most of a short chunk's time may be the network's delay alone, unless it takes longer than
      // a long one should.
      if seconds > Self.seconds { chunkBytes = clamped(min(fitting, Double(chunkBytes))) }
      return
    }
    // The chunk at most doubles, because one quick answer does not prove a quick network.
    chunkBytes = clamped(min(fitting, Double(chunkBytes) * 2))
  }

  /// Notes that a chunk or its answer did not arrive.
  public mutating func failed() { chunkBytes = clamped(Double(chunkBytes) / 2) }

  private func clamped(_ bytes: Double) -> Int {
    Int(min(max(bytes, Double(Self.range.lowerBound)), Double(Self.range.upperBound)))
  }
}
