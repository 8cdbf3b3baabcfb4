/// Every threshold of the office's checks. Each is defined only here, with its reason.
package enum Limits {
  // MARK: place and aim

  /// The uncertainty (95 %) that is assumed if a receiver does not tell its own, metres.
  package static let assumedUncertaintyMetres95 = 15.0
  /// The longest distance from which a picture shows what grows in the parcel, metres.
  package static let furthestSightMetres = 2_000.0
  /// One standard deviation of a heading, assumed if the device tells none, degrees. A compass in a
  /// tablet next to a car is often worse.
  package static let assumedAzimuthAccuracyDegrees = 10.0
  /// The elevation of the lens above which its azimuth says little about the picture, degrees.
  package static let steepElevationDegrees = 60.0
  /// The angle by which land may rise or fall between the photographer and the parcel, degrees.
  package static let terrainDegrees = 15.0
  /// The height of the lens above the ground, metres.
  package static let eyeHeightMetres = 1.6

  // MARK: the standpoint

  /// The largest difference between the claimed position and the one computed again from the raw
  /// window, metres: both are computed by the same code from the same bytes.
  package static let recomputedDifferenceMetres = 0.001

  // MARK: the receiver

  /// The fewest satellites that can fix a position in space and time.
  package static let fewestSatellites = 4
  /// The age above which corrections say little about the moment of the photo, seconds.
  package static let oldestCorrectionSeconds = 60.0
  /// The smallest standard deviation of the signals' strengths that is plausible, dB-Hz. Satellites
  /// are at different elevations, so their signals differ by more.
  package static let leastSpreadDecibelHertz = 1.0
  /// The strength that real satellites' signals never reach on average, dB-Hz.
  package static let strongestDecibelHertz = 58.0
  /// The fewest signals that can be compared with each other.
  package static let fewestComparedSignals = 6

  // MARK: radio surroundings

  /// The distances for Wi-Fi access points, metres. Within `near` a transmitter supports a
  /// position, beyond `far` it contradicts the position; between them it says nothing.
  package static let accessPointMetres = (near: 1_000.0, far: 5_000.0)
  /// The distances for mobile cells, metres; see `accessPointMetres`.
  package static let cellMetres = (near: 30_000.0, far: 60_000.0)

  // MARK: phones

  /// The largest difference between a phone's position and its receiver's sentences, metres: the
  /// limit that the predecessor used.
  package static let phoneAgreementMetres = 50.0
}
