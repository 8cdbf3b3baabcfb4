/// Every threshold of the office's checks. Each stands here once, with its reason.
package enum Limits {
  // MARK: place and aim

  /// Stands for the uncertainty (95 %) of a receiver that does not tell its own, metres.
  package static let assumedUncertaintyMetres95 = 15.0
  /// A picture from further away shows nobody what grows in the parcel, metres.
  package static let furthestSightMetres = 2_000.0
  /// One standard deviation of a heading whose device tells none, degrees. A compass in a tablet beside a
  /// car is often worse.
  package static let assumedAzimuthAccuracyDegrees = 10.0
  /// Above this elevation the azimuth of the lens says little of what is in the picture, degrees.
  package static let steepElevationDegrees = 60.0
  /// Land rises or falls by so much between the photographer and the parcel, degrees.
  package static let terrainDegrees = 15.0
  /// How high above the ground a lens is held, metres.
  package static let eyeHeightMetres = 1.6

  // MARK: the standpoint

  /// The position that the raw window gives again may differ from the claimed one by so much, metres:
  /// both are computed by the same code, from the same bytes.
  package static let recomputedDifferenceMetres = 0.001

  // MARK: the receiver

  /// Fewer satellites than these fix no position in space and time.
  package static let fewestSatellites = 4
  /// Corrections older than this say little of the moment, seconds.
  package static let oldestCorrectionSeconds = 60.0
  /// Satellites stand at different heights: their signals differ by more than this, dB-Hz.
  package static let leastSpreadDecibelHertz = 1.0
  /// No satellite is received as strongly as this, dB-Hz.
  package static let strongestDecibelHertz = 58.0
  /// So many signals at least can be compared with each other.
  package static let fewestComparedSignals = 6

  // MARK: radio surroundings

  /// Within `near` a transmitter supports a position, beyond `far` it speaks against it; between them it
  /// says nothing. Metres.
  package static let accessPointMetres = (near: 1_000.0, far: 5_000.0)
  /// The same of mobile cells.
  package static let cellMetres = (near: 30_000.0, far: 60_000.0)

  // MARK: phones

  /// The predecessor's own limit between a phone's position and its receiver's sentences, metres.
  package static let phoneAgreementMetres = 50.0
}
