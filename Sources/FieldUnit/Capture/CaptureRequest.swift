import Inspection
import Positioning

/// The inspector's request for a photo.
public struct CaptureRequest: Sendable {
  /// The task that the photo is for; nil for a standalone photo.
  public var task: Identifier?
  /// The item of the task's order that the photo is for; nil for none.
  public var item: String?
  /// The source of the frame.
  public var camera: Camera
  /// The way to take samples. The agency's rules take precedence over it.
  public var sampling: Sampling
  /// Seconds from the samples' completion to the shutter; nil for the agency's countdown, or else
  /// the device's own. It is never less than the agency's.
  public var countdownSeconds: Double?
  /// The time to wait for gate and samples, seconds of the receiver's time.
  public var waitSeconds: Double
  /// The direction of the camera.
  public var aim: Aim
  /// True if samples count that were taken before, while the inspector looked through the camera.
  /// They must have been taken by the rules that hold for this photo.
  public var keepsSamples = false
  /// The photo point that the photo is to repeat; nil if it repeats none.
  public var repeats: RepeatAim?

  /// The ways to take samples.
  public enum Sampling: Hashable, Sendable {
    /// By the agency's rules, or by the device's settings.
    case asLaidDown
    /// By the rules that the inspector chose for this photo, and never less than the agency asks
    /// for; nil for the position of a single fix.
    case chosen(SamplerPolicy?)
  }

  /// The direction of the camera, as far as it is known. Nil values are unknown.
  public struct Aim: Hashable, Sendable {
    /// The heading in degrees clockwise from true north; nil if unknown.
    public var headingDegreesTrue: Double?
    /// The heading in degrees clockwise from magnetic north; the declination is added at the place.
    /// Nil if unknown.
    public var headingDegreesMagnetic: Double?
    /// The elevation of the lens above the horizon, degrees; nil if unknown.
    public var pitchDegrees: Double?
    /// The roll about the lens axis, degrees clockwise; nil if unknown.
    public var rollDegrees: Double?
    /// True if the receiver's own heading may count as the camera's when no other heading is known,
    /// because both are one device in the hand.
    public var mayBeReceivers = false

    /// Creates an aim from the known angles.
    public init(
      headingDegreesTrue: Double? = nil, headingDegreesMagnetic: Double? = nil,
      pitchDegrees: Double? = nil, rollDegrees: Double? = nil
    ) {
      self.headingDegreesTrue = headingDegreesTrue
      self.headingDegreesMagnetic = headingDegreesMagnetic
      self.pitchDegrees = pitchDegrees
      self.rollDegrees = rollDegrees
    }
  }

  /// Creates a request.
  public init(
    task: Identifier?, camera: Camera, sampling: Sampling = .asLaidDown,
    countdownSeconds: Double? = nil, waitSeconds: Double, aim: Aim = Aim()
  ) {
    self.task = task
    self.camera = camera
    self.sampling = sampling
    self.countdownSeconds = countdownSeconds
    self.waitSeconds = waitSeconds
    self.aim = aim
  }
}
