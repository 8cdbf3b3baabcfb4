import Geodesy

/// The distance and direction of a parcel from the present place of the inspector.
package struct ParcelWay: Hashable, Sendable {
  /// Distance in metres to the nearest edge of the parcel; 0 inside.
  package var distanceMetres: Double
  /// Bearing of that edge in degrees from true north; nil inside.
  package var bearingDegrees: Double?

  /// Creates the way over a distance in metres, with its bearing in degrees from true north.
  package init(distanceMetres: Double, bearingDegrees: Double? = nil) {
    (self.distanceMetres, self.bearingDegrees) = (distanceMetres, bearingDegrees)
  }

  /// Creates the way to a parcel; nil without a parcel or a fresh position.
  package init?(to parcel: Parcel?, from here: Coordinate?) {
    guard let parcel, let here, let distance = parcel.distanceMetres(to: here), distance.isFinite
    else { return nil }
    distanceMetres = distance
    bearingDegrees = distance > 0 ? parcel.bearingDegrees(from: here) : nil
  }

  /// The nearest of the eight winds, 0 for north, 1 for north-east and so on; nil inside the parcel.
  package var wind: Int? {
    bearingDegrees.map { bearing in
      let eighth = Int((bearing / 45).rounded()) % 8
      return eighth < 0 ? eighth + 8 : eighth
    }
  }
}
