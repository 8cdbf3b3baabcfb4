import Foundation

/// The angle between true north and the direction of a compass, from the World Magnetic Model.
///
/// Source: A. Chulliat et al., The US/UK World Magnetic Model for 2020–2025 and for 2025–2030, NOAA
/// technical reports; spherical harmonics to degree 12. The model leaves out the effects of rocks,
/// iron and the sun, typically half a degree, more near iron.
public enum MagneticDeclination {
  /// The reason why no declination can be given.
  public enum Unavailable: Error, Hashable, Sendable {
    /// The year is not in 2020.0 ..< 2030.0, for which this program has coefficients.
    case outsideModelYears
    /// The height is not in -1 ... 850 km, for which the model is made.
    case outsideModelHeights
    /// The horizontal field is below 2000 nT, where the model's authors forbid the use of a
    /// compass.
    case nearMagneticPole
  }

  /// Returns the declination in degrees, -180 ... 180, positive if a compass points east of true
  /// north.
  ///
  /// True heading = magnetic heading + declination. `ellipsoidalHeightMetres` is above WGS 84,
  /// `decimalYear` is 2026.5 for the middle of 2026.
  public static func degrees(
    at coordinate: Coordinate, ellipsoidalHeightMetres: Double, decimalYear: Double
  ) -> Result<Double, Unavailable> {
    guard let model = WorldMagneticModel.release(for: decimalYear) else {
      return .failure(.outsideModelYears)
    }
    guard (-1000...850_000).contains(ellipsoidalHeightMetres) else {
      return .failure(.outsideModelHeights)
    }
    let field = model.horizontalField(
      at: coordinate, ellipsoidalHeightMetres: ellipsoidalHeightMetres, decimalYear: decimalYear)
    let strength = (field.north * field.north + field.east * field.east).squareRoot()
    guard strength >= 2000 else { return .failure(.nearMagneticPole) }
    return .success(atan2(field.east, field.north) * 180 / .pi)
  }
}
