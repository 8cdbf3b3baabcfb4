import TimeAndText

/// The bytes that one read of a receiver returned, with their time.
public struct RawChunk: Hashable, Sendable {
  /// Time at which the bytes arrived.
  public var arrival: ElapsedTime
  /// The bytes exactly as the source sent them.
  public var bytes: [UInt8]

  /// Creates a chunk.
  public init(arrival: ElapsedTime, bytes: [UInt8]) {
    self.arrival = arrival
    self.bytes = bytes
  }
}
