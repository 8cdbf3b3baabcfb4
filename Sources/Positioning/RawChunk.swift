/// What one read of a receiver returned, and when.
public struct RawChunk: Hashable, Sendable {
  /// When it arrived.
  public var arrival: ElapsedTime
  /// The bytes, as the source said them.
  public var bytes: [UInt8]

  /// A chunk from its parts.
  public init(arrival: ElapsedTime, bytes: [UInt8]) {
    self.arrival = arrival
    self.bytes = bytes
  }
}
