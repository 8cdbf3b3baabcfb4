// The problem: a camera gives thirty frames a second, and a set keeps one for each sector. Which
// one is the best can only be told by numbers that cost nothing: nobody decodes thirty pictures a
// second on a handheld.
//
// The solution: the sensors tell how far a frame is from the ideal one, in four dimensions: held as
// level as the first frame (roll, pitch), held still (acceleration, which blurs), and in the middle
// of its sector. Each distance is measured in a unit at which a frame is hardly of use. The
// weighted distance in four dimensions becomes a quality, and the higher one is better.

/// The quality of a frame of a set, 0…1, as its sensors tell it. Higher is better.
public struct FrameQuality: Hashable, Sendable, Comparable {
  /// The quality below which a frame is discarded.
  public static let least = 0.3
  /// The tilt or the roll, against the first frame, at which a frame is hardly of use, degrees.
  static let tiltUnitDegrees = 10.0
  /// The acceleration at which a frame is hardly of use, metres per second squared.
  static let accelerationUnitMetresPerSecondSquared = 2.0

  /// The weights of the four distances.
  public struct Weights: Hashable, Sendable {
    /// The range of each weight. With all weights at 1, a frame that is one unit off in every
    /// dimension has quality 0.
    public static let range = 0.0...16.0
    /// The weights unless an agency sets others. Decision 37 says how they were chosen.
    public static let usual = Weights(roll: 1, pitch: 1, acceleration: 1, angle: 1)

    /// The weight of the roll.
    public let roll: Double
    /// The weight of the tilt.
    public let pitch: Double
    /// The weight of the acceleration.
    public let acceleration: Double
    /// The weight of the distance from the middle of the sector.
    public let angle: Double

    private init(roll: Double, pitch: Double, acceleration: Double, angle: Double) {
      (self.roll, self.pitch) = (roll, pitch)
      (self.acceleration, self.angle) = (acceleration, angle)
    }

    /// Creates weights.
    /// - Throws: `InspectionError.frameSet` for a weight out of `range`.
    public init(
      checking roll: Double, pitch: Double, acceleration: Double, angle: Double
    ) throws(InspectionError) {
      for weight in [roll, pitch, acceleration, angle] where !Self.range.contains(weight) {
        throw .frameSet(.weight(weight))
      }
      self.init(roll: roll, pitch: pitch, acceleration: acceleration, angle: angle)
    }
  }

  /// The quality, 0…1.
  public let value: Double

  /// Judges a frame.
  /// - Parameters:
  ///   - attitude: the frame's attitude against the first frame.
  ///   - acceleration: the acceleration without gravity, metres per second squared; nil if the
  ///     device has no such sensor, and then it does not count.
  ///   - ring: the sectors of the set.
  ///   - weights: the weights of the four distances.
  public init(
    _ attitude: FrameAttitude, accelerationMetresPerSecondSquared acceleration: Double?,
    in ring: SectorRing, weights: Weights = .usual
  ) {
    let roll = attitude.deviationRollDegrees / Self.tiltUnitDegrees
    let pitch = attitude.deviationPitchDegrees / Self.tiltUnitDegrees
    let shake = (acceleration ?? 0) / Self.accelerationUnitMetresPerSecondSquared
    let off = ring.offMiddleDegrees(attitude.angleDegrees) / (ring.widthDegrees / 2)
    let distance =
      (weights.roll * roll * roll + weights.pitch * pitch * pitch
      + weights.acceleration * shake * shake + weights.angle * off * off).squareRoot() / 2
    // A number that is none makes the worst frame, and not the best.
    value = distance.isFinite ? 1 - min(1, distance) : 0
  }

  /// True if a frame of this quality may be kept.
  public var isEnough: Bool { value >= Self.least }

  /// Compares two qualities.
  public static func < (one: FrameQuality, other: FrameQuality) -> Bool { one.value < other.value }
}
