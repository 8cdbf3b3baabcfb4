/// How many bytes travel in one request of an upload. They count as a whole or not at all, so that a cut
/// costs as much of the way as one of them at most: small ones where the network is slow, and large ones
/// where it is quick, because each also costs a question and an answer.
public struct ChunkPace: Hashable, Sendable {
  /// The least and the most that travel at once, bytes: three files that travel beside each other lose
  /// less than 8 MiB by a cut, and photos of the usual size are a chunk.
  public static let range = 65_536...2_621_440
  /// A chunk is to be on its way for about so long.
  private static let seconds = 2.0

  /// So many bytes travel in the next request.
  public private(set) var chunkBytes = 262_144

  /// Nothing was sent yet.
  public init() {}

  /// A chunk has arrived.
  /// - Parameters:
  ///   - bytes: its length; one shorter than asked for, the end of a file, tells a slow network only.
  ///   - seconds: how long it and its answer took.
  public mutating func sent(bytes: Int, seconds: Double) {
    guard bytes > 0, seconds.isFinite, seconds > 0 else { return }
    let fitting = Double(bytes) / seconds * Self.seconds
    if bytes < chunkBytes {
      // Most of a short one's time may be the way alone, but not where it takes longer than a long one's.
      if seconds > Self.seconds { chunkBytes = clamped(min(fitting, Double(chunkBytes))) }
      return
    }
    // Twice as many at most: one quick answer is not a quick network.
    chunkBytes = clamped(min(fitting, Double(chunkBytes) * 2))
  }

  /// A chunk did not arrive, or its answer.
  public mutating func failed() { chunkBytes = clamped(Double(chunkBytes) / 2) }

  private func clamped(_ bytes: Double) -> Int {
    Int(min(max(bytes, Double(Self.range.lowerBound)), Double(Self.range.upperBound)))
  }
}
