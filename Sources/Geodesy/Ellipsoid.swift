/// The defining constants of WGS 84 (NGA.STND.0036), and the constants derived from them.
enum Ellipsoid {
  static let semiMajorAxisMetres = 6_378_137.0
  static let flattening = 1 / 298.257_223_563
  static let eccentricitySquared = flattening * (2 - flattening)
}
