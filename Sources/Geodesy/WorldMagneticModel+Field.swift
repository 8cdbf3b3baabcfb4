import Foundation

extension WorldMagneticModel {
  /// The radius of the sphere to which the coefficients belong.
  private static let referenceRadiusMetres = 6_371_200.0

  /// Returns the horizontal components of the field in nanotesla, in the directions of true north
  /// and east.
  ///
  /// Equations 4–18 of the WMM2020 technical report. The functions of order m >= 1 are divided by
  /// the sine of the colatitude, which is a factor of each of them, so that the east component
  /// needs no special case at the poles.
  func horizontalField(
    at coordinate: Coordinate, ellipsoidalHeightMetres: Double, decimalYear: Double
  ) -> (north: Double, east: Double) {
    let years = decimalYear - epochYear
    let latitude = coordinate.latitudeDegrees * .pi / 180
    let longitude = coordinate.longitudeDegrees * .pi / 180

    // The conversion of the ellipsoid's latitude to the sphere's.
    let place = GeocentricPlace(latitude: latitude, heightMetres: ellipsoidalHeightMetres)
    let cosine = place.equatorDistanceMetres / place.radiusMetres
    let sine = place.axisDistanceMetres / place.radiusMetres
    let ratio = Self.referenceRadiusMetres / place.radiusMetres

    var north = 0.0
    var east = 0.0
    var down = 0.0
    // Schmidt's function of degree = order = m, without one factor of the sine if m >= 1.
    var sectoral = 1.0
    for order in 0...Self.highestDegree {
      let m = Double(order)
      if order > 1 { sectoral *= sine * ((2 * m - 1) / (2 * m)).squareRoot() }
      let orderCosine = cos(m * longitude)
      let orderSine = sin(m * longitude)
      let missingSine = order == 0 ? 1 : sine

      var divided = sectoral
      var dividedBefore = 0.0
      var slope = order == 0 ? 0 : m * cosine * sectoral
      var slopeBefore = 0.0
      var power = pow(ratio, m + 2)
      for degree in order...Self.highestDegree {
        let n = Double(degree)
        if degree > order {
          let back = ((n - 1) * (n - 1) - m * m).squareRoot()
          let scale = (n * n - m * m).squareRoot()
          let next = ((2 * n - 1) * cosine * divided - back * dividedBefore) / scale
          let nextSlope =
            ((2 * n - 1) * (cosine * slope - sine * divided * missingSine) - back * slopeBefore)
            / scale
          (dividedBefore, divided) = (divided, next)
          (slopeBefore, slope) = (slope, nextSlope)
          power *= ratio
        }
        if degree == 0 { continue }
        let index = degree * (degree + 1) / 2 + order - 1
        let gNow = g[index] + years * gRate[index]
        let hNow = h[index] + years * hRate[index]
        let along = gNow * orderCosine + hNow * orderSine
        let across = gNow * orderSine - hNow * orderCosine
        north += power * along * slope
        east += order == 0 ? 0 : power * m * across * divided
        down -= power * (n + 1) * along * divided * missingSine
      }
    }

    // The conversion from the sphere's horizon back to the ellipsoid's.
    let tilt = atan2(place.equatorDistanceMetres, place.axisDistanceMetres) - latitude
    return (north * cos(tilt) - down * sin(tilt), east)
  }
}

/// A place as seen from the Earth's centre, in the plane of its meridian.
private struct GeocentricPlace {
  /// The distance from the Earth's axis.
  let axisDistanceMetres: Double
  /// The distance from the plane of the equator, negative in the south.
  let equatorDistanceMetres: Double
  /// The distance from the Earth's centre.
  let radiusMetres: Double

  /// Creates the place with a latitude on the ellipsoid, in radians, and a height above it.
  init(latitude: Double, heightMetres: Double) {
    let normalRadius =
      Ellipsoid.semiMajorAxisMetres
      / (1 - Ellipsoid.eccentricitySquared * sin(latitude) * sin(latitude)).squareRoot()
    let axisDistance = (normalRadius + heightMetres) * cos(latitude)
    let equatorDistance =
      (normalRadius * (1 - Ellipsoid.eccentricitySquared) + heightMetres) * sin(latitude)
    axisDistanceMetres = axisDistance
    equatorDistanceMetres = equatorDistance
    radiusMetres = (axisDistance * axisDistance + equatorDistance * equatorDistance).squareRoot()
  }
}
