/// The limits for a frame that a page sends.
public struct FrameLimits: Sendable {
  /// The time that a page has from the shutter to its frame, seconds.
  public var patienceSeconds: Double
  /// The largest frame, bytes.
  public var bytesAtMost: Int

  /// Creates limits.
  public init(patienceSeconds: Double = 15, bytesAtMost: Int = 64 << 20) {
    self.patienceSeconds = patienceSeconds
    self.bytesAtMost = bytesAtMost
  }
}
