import Foundation

/// The position and velocity of an object in orbit.
public struct OrbitState: Hashable, Sendable {
  /// The position in the frame of the true equator and the mean equinox of that moment (TEME),
  /// kilometres.
  public let positionKilometres: SIMD3<Double>
  /// The velocity in the same frame, kilometres a second.
  public let velocityKilometresPerSecond: SIMD3<Double>
}

/// The reason why an orbit has no place at a moment.
public enum OrbitFailure: Int, Error, Hashable, Sendable, CustomStringConvertible {
  // The numbers are those of Vallado et al. (2006).
  /// Drag has moved the mean eccentricity out of 0..<1.
  case eccentricity = 1
  /// The mean motion is not above 0.
  case meanMotion = 2
  /// Sun and Moon have moved the eccentricity out of 0…1.
  case perturbedEccentricity = 3
  /// The ellipse has no size left.
  case semiLatusRectum = 4
  /// The satellite would be below the ground.
  case decayed = 6
  /// The moment is more than a century from the epoch.
  case tooFar = 7

  /// The fault in words.
  public var description: String {
    switch self {
    case .eccentricity: "its mean eccentricity is not within 0 and 1 at that time"
    case .meanMotion: "its mean motion is not above 0"
    case .perturbedEccentricity: "its perturbed eccentricity is not within 0 and 1 at that time"
    case .semiLatusRectum: "its ellipse has no size left at that time"
    case .decayed: "it has decayed by that time"
    case .tooFar: "that time is more than a century from the elements' epoch"
    }
  }
}

/// The turning of the Earth.
public enum EarthRotation {
  /// Returns Greenwich mean sidereal time, radians, 0..<2π, for days since 1970-01-01. The days are
  /// of UT1; UTC is used instead, which differs by less than 0.9 s, or 0.004°.
  ///
  /// Source: S. Aoki et al., "The new definition of universal time" (1982).
  public static func greenwichSiderealTime(day: Int, fraction: Double) -> Double {
    let centuries = (Double(day) - 10_957.5 + fraction) / 36_525
    let seconds =
      67_310.548_41 + (876_600 * 3600 + 8_640_184.812_866) * centuries
      + 0.093_104 * centuries * centuries - 6.2e-6 * centuries * centuries * centuries
    let angle = (seconds / 240 * .pi / 180).truncatingRemainder(dividingBy: 2 * .pi)
    return angle < 0 ? angle + 2 * .pi : angle
  }

  /// Returns a place of the frame TEME in the frame that turns with the Earth, in the unit of
  /// `position`; `siderealTime` is in radians. The motion of the pole, some ten metres, is left
  /// out.
  public static func turning(
    _ position: SIMD3<Double>, siderealTime angle: Double
  ) -> SIMD3<Double> {
    SIMD3(
      position.x * cos(angle) + position.y * sin(angle),
      -position.x * sin(angle) + position.y * cos(angle), position.z)
  }
}
