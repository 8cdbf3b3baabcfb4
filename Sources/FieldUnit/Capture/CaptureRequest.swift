import Inspection
import Positioning

/// What an inspector asks for when a photo is to be taken.
public struct CaptureRequest: Sendable {
  /// The task that it is for; nil for a standalone photo.
  public var task: Identifier?
  /// Where the frame comes from.
  public var camera: Camera
  /// How samples are taken. What the agency has laid down holds over it.
  public var sampling: Sampling
  /// Seconds from the samples' completion to the shutter; nil for what the agency has laid down, or the
  /// device's own. Never less than the agency's.
  public var countdownSeconds: Double?
  /// How long to wait for gate and samples, seconds of the receiver's time.
  public var waitSeconds: Double
  /// Where the camera looks.
  public var aim: Aim
  /// Whether samples count that were taken before, while somebody looked through the camera. They have to be
  /// of the rules that hold for this photo.
  public var keepsSamples = false

  /// How samples are taken.
  public enum Sampling: Hashable, Sendable {
    /// As the agency has laid it down, or as the device is set.
    case asLaidDown
    /// As whoever captures has chosen, and never less than the agency asks for; nil for the position of
    /// a single fix.
    case chosen(SamplerPolicy?)
  }

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
    /// Whether the receiver's own heading is the camera's where nothing else is known: both are one thing in
    /// the hand.
    public var mayBeReceivers = false

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
