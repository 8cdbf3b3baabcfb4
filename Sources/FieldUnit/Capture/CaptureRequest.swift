import Inspection
import Positioning

/// What an inspector asks for when a photo is to be taken.
public struct CaptureRequest: Sendable {
  /// The task that it is for; nil for a standalone photo.
  public var task: Identifier?
  /// Where the frame comes from.
  public var camera: Camera
  /// How samples are taken; nil for the position of a single fix.
  public var sampler: SamplerPolicy?
  /// Seconds from the samples' completion to the shutter.
  public var countdownSeconds: Double
  /// How long to wait for gate and samples, seconds of the receiver's time.
  public var waitSeconds: Double
  /// Where the camera looks.
  public var aim: Aim

  /// Where the camera looks, as far as somebody has said it.
  public struct Aim: Hashable, Sendable {
    /// Degrees clockwise from true north.
    public var headingDegreesTrue: Double?
    /// Degrees clockwise from magnetic north; the declination is added at the place.
    public var headingDegreesMagnetic: Double?
    /// Elevation of the lens above the horizon, degrees.
    public var pitchDegrees: Double?
    /// Roll about the lens axis, degrees clockwise.
    public var rollDegrees: Double?

    /// An aim from what is known of it.
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

  /// A request from its parts.
  public init(
    task: Identifier?, camera: Camera, sampler: SamplerPolicy?, countdownSeconds: Double,
    waitSeconds: Double, aim: Aim = Aim()
  ) {
    self.task = task
    self.camera = camera
    self.sampler = sampler
    self.countdownSeconds = countdownSeconds
    self.waitSeconds = waitSeconds
    self.aim = aim
  }
}
