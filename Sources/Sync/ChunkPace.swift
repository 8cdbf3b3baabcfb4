/// How many bytes travel in one request of an upload. They count as a whole or not at all, so that a cut
/// costs as much of the way as one of them at most: small ones where the network is slow, and large ones
/// where it is quick, because each also costs a question and an answer.
public struct ChunkPace: Hashable, Sendable {
  /// The least and the most that travel at once, bytes.
  public static let range = 65_536...8_388_608
  /// A chunk is to be on its way for about so long.
  private static let seconds = 2.0

  /// So many bytes travel in the next request.
  public private(set) var chunkBytes = 262_144

  /// Nothing was sent yet.
  public init() {}

  /// A chunk has arrived.
  /// - Parameters:
  ///   - bytes: its length; one that was the short end of a file says little, and changes nothing.
  ///   - seconds: how long it and its answer took.
  public mutating func sent(bytes: Int, seconds: Double) {
    guard bytes >= chunkBytes, seconds.isFinite, seconds > 0 else { return }
    let fitting = Double(bytes) / seconds * Self.seconds
    // Twice as many at most: one quick answer is not a quick network.
    chunkBytes = clamped(min(fitting, Double(chunkBytes) * 2))
  }

  /// A chunk did not arrive, or its answer.
  public mutating func failed() { chunkBytes = clamped(Double(chunkBytes) / 2) }

  private func clamped(_ bytes: Double) -> Int {
    Int(min(max(bytes, Double(Self.range.lowerBound)), Double(Self.range.upperBound)))
  }
}
