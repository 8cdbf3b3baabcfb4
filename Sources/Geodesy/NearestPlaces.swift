import Foundation

extension CoordinateBox {
  /// Returns the box that holds every place within a distance. It crosses the antimeridian where the
  /// circle does, and goes round the Earth where the circle holds a pole.
  public static func around(_ place: Coordinate, metres: Double) -> CoordinateBox? {
    // The shortest degree of latitude, at the equator.
    let up = metres / 110_500
    let (south, north) = (place.latitudeDegrees - up, place.latitudeDegrees + up)
    guard south > -90, north < 90 else {
      return CoordinateBox(
        westDegrees: -180, southDegrees: max(-90, south), eastDegrees: 180,
        northDegrees: min(90, north))
    }
    // The meridian that touches the circle is further than the circle is wide at its middle.
    let radian = Double.pi / 180
    let aside = asin(min(1, sin(up * radian) / cos(place.latitudeDegrees * radian))) / radian * 1.01
    return CoordinateBox(
      westDegrees: Coordinate.wrapped(longitudeDegrees: place.longitudeDegrees - aside),
      southDegrees: south,
      eastDegrees: Coordinate.wrapped(longitudeDegrees: place.longitudeDegrees + aside),
      northDegrees: north)
  }
}

/// Finds the nearest of very many places.
///
/// The obvious way is to read all places of the whole circle and to sort them; fifty kilometres
/// around a town hold a hundred thousand. Here the circle grows from a small one until it holds
/// enough: what lies beyond it is further away than all that were found.
public enum NearestPlaces {
  /// The radius at which the search begins, metres.
  private static let firstMetres = 250.0
  /// The most places that one look reads while the circle can still shrink.
  private static let mostAtOnce = 4000

  /// Returns the nearest places, the nearest first.
  /// - Parameter candidates: returns the places in a box that does not cross the antimeridian, at
  ///   most so many; places outside do no harm.
  public static func find(
    around place: Coordinate, within metres: Double, limit: Int,
    _ candidates: (CoordinateBox, Int) throws -> [(number: Int64, place: Coordinate)]
  ) rethrows -> [(number: Int64, metres: Double)] {
    func look(_ radius: Double, _ most: Int) throws -> [(number: Int64, place: Coordinate)] {
      guard let box = CoordinateBox.around(place, metres: radius) else { return [] }
      return try box.parts.flatMap { try candidates($0, most) }
    }
    var radius = min(metres, firstMetres)
    var seen = try look(radius, mostAtOnce)
    while seen.count >= mostAtOnce, radius > 1 {
      radius /= 2
      seen = try look(radius, radius > 1 ? mostAtOnce : .max)
    }
    while true {
      let near = seen.map { ($0.number, Geodesic.distanceMetres(from: place, to: $0.place)) }
        .filter { $0.1 <= radius }
      if near.count >= limit || radius >= metres {
        return near.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(limit)
          .map { (number: $0.0, metres: $0.1) }
      }
      radius = min(metres, 2 * radius)
      seen = try look(radius, .max)
    }
  }
}
