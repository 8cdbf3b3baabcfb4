import TimeAndText

/// A frame that a page has sent, with the things that the page says about it.
public struct HandedFrame: Sendable {
  /// The JPEG, byte by byte as the browser gave it.
  public var bytes: [UInt8]
  /// The way in which the browser made the frame: a still, or a frame of the live picture; nil if
  /// the page did not say.
  public var making: FrameMaking?
  /// The attitude in which the device was held; nil if its sensors say nothing.
  public var attitude: DeviceAttitude?
  /// True if the camera looks towards the person; nil if the browser does not say.
  public var looksTowardsPerson: Bool?
  /// The time of the frame by the page's own clock; nil if the page did not say.
  public var told: ToldFrameTime?
  /// The phone or browser that took it; nil if nothing is known of it.
  public var phone: PhotoPhone?
  /// The distance between the receiver's antenna and the lens.
  public var lens = LensOffset.none
  /// The time between the photo's fix and the frame; nil until the field unit has computed it.
  public var timing: FrameTiming?

  /// Creates a frame.
  public init(
    bytes: [UInt8], making: FrameMaking? = nil, attitude: DeviceAttitude? = nil,
    looksTowardsPerson: Bool? = nil
  ) {
    self.bytes = bytes
    self.making = making
    self.attitude = attitude
    self.looksTowardsPerson = looksTowardsPerson
  }
}

/// The claims about a photo that a page took: when, with which phone, and how far from the antenna.
public struct FrameClaims: Hashable, Sendable {
  /// The time between the fix and the frame.
  public var timing: FrameTiming
  /// The longest time that was allowed, seconds.
  public var limitSeconds: Double
  /// The phone or browser; nil if nothing is known of it.
  public var phone: PhotoPhone?
  /// The distance between the receiver's antenna and the lens.
  public var lens: LensOffset

  /// Creates the claims.
  public init(
    timing: FrameTiming, limitSeconds: Double, phone: PhotoPhone?, lens: LensOffset
  ) {
    (self.timing, self.limitSeconds, self.phone, self.lens) = (timing, limitSeconds, phone, lens)
  }
}
