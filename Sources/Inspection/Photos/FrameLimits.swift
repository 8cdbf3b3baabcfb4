/// The limits for a frame that a page sends.
public struct FrameLimits: Sendable {
  /// The time that a page has from the shutter until its frame is made, seconds.
  public var patienceSeconds: Double
  /// The time in which at least one further byte of the frame has to come, seconds.
  public var idleSeconds: Double
  /// The largest frame, bytes.
  public var bytesAtMost: Int

  /// Creates limits.
  public init(
    patienceSeconds: Double = 15, idleSeconds: Double = 60, bytesAtMost: Int = 64 << 20
  ) {
    self.idleSeconds = idleSeconds
    self.patienceSeconds = patienceSeconds
    self.bytesAtMost = bytesAtMost
  }
}
