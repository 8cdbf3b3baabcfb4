import Foundation
import Geodesy
import Inspection

// The problem: a flat map ends at 180°, and a parcel may lie across that line. RFC 7946 (3.1.9) has
// such shapes cut in two there. A ring round a pole has no inside on a flat map at all.
//
// The solution: a ring is unrolled, with each corner placed the shorter way round from the corner
// before, so that the longitudes may go on beyond 180°. A ring that does not come back to its first
// corner goes round a pole, and is closed along the map's upper or lower edge. Then each strip of
// 360° cuts out its part (Sutherland and Hodgman 1974, against two lines), which is shifted to
// where it belongs. A ring that stays within -180…180° keeps its corners; only its direction may be
// reversed.

/// A place on a flat map, in degrees; the longitude is within -180…180 after the cut.
package struct MapPlace: Hashable {
  /// The longitude, degrees.
  package var longitude: Double
  /// The latitude, degrees.
  package var latitude: Double
}

/// Functions that turn shapes on the globe into shapes on a flat map.
package enum MapShape {
  /// Returns a parcel's polygons, each with its outline, counter-clockwise, and its holes,
  /// clockwise; all rings are closed, and none crosses the antimeridian.
  package static func polygons(of parcel: Parcel) -> [[[MapPlace]]] {
    let parts = parcel.parts
    if parts.isEmpty { return cut([parcel.rings.first ?? []] + parcel.rings.dropFirst()) }
    return parts.flatMap { cut([$0.outline] + $0.holes) }
  }

  /// Returns one polygon cut at the antimeridian.
  static func cut(_ rings: [[Coordinate]]) -> [[[MapPlace]]] {
    let unrolled = rings.map(unroll)
    guard let outline = unrolled.first, !outline.isEmpty else { return [] }
    if unrolled.allSatisfy({ $0.allSatisfy { abs($0.longitude) <= 180 } }) {
      return [unrolled.enumerated().map { closed($1, counterClockwise: $0 == 0) }]
    }
    var polygons: [[[MapPlace]]] = []
    for turn in -2...2 {
      let shift = Double(turn) * 360
      let own = clip(outline, from: shift - 180, to: shift + 180, shift)
      guard own.count >= 3 else { continue }
      var polygon = [closed(own, counterClockwise: true)]
      for hole in unrolled.dropFirst() {
        // A hole was unrolled separately, so it may lie a whole turn (360°) away from its outline.
        for beside in [-360.0, 0, 360] {
          let part = clip(
            hole.map { MapPlace(longitude: $0.longitude + beside, latitude: $0.latitude) },
            from: shift - 180, to: shift + 180, shift)
          if part.count >= 3, part.contains(where: { isInside($0, own) }) {
            polygon.append(closed(part, counterClockwise: false))
          }
        }
      }
      polygons.append(polygon)
    }
    return polygons
  }

  private static func unroll(_ ring: [Coordinate]) -> [MapPlace] {
    var corners = ring
    if corners.count > 1, corners.first == corners.last { corners.removeLast() }
    guard let first = corners.first else { return [] }
    var places = [MapPlace(longitude: first.longitudeDegrees, latitude: first.latitudeDegrees)]
    for corner in corners.dropFirst() {
      let before = places[places.count - 1].longitude
      places.append(
        MapPlace(
          longitude: before + (corner.longitudeDegrees - before).remainder(dividingBy: 360),
          latitude: corner.latitudeDegrees))
    }
    guard let last = places.last else { return places }
    let back = (first.longitudeDegrees - last.longitude).remainder(dividingBy: 360)
    let around = last.longitude + back - first.longitudeDegrees
    if abs(around) > 180 {
      let isNorth = places.reduce(0) { $0 + $1.latitude } >= 0
      let pole = isNorth ? 90.0 : -90.0
      places += [
        MapPlace(longitude: first.longitudeDegrees + around, latitude: first.latitudeDegrees),
        MapPlace(longitude: first.longitudeDegrees + around, latitude: pole),
        MapPlace(longitude: first.longitudeDegrees, latitude: pole),
      ]
    }
    return places
  }

  private static func clip(
    _ ring: [MapPlace], from west: Double, to east: Double, _ shift: Double
  ) -> [MapPlace] {
    func cut(_ ring: [MapPlace], _ edge: Double, _ isIn: (MapPlace) -> Bool) -> [MapPlace] {
      var result: [MapPlace] = []
      for (index, place) in ring.enumerated() {
        let before = ring[(index + ring.count - 1) % ring.count]
        if isIn(place) != isIn(before) {
          let share = (edge - before.longitude) / (place.longitude - before.longitude)
          result.append(
            MapPlace(
              longitude: edge,
              latitude: before.latitude + share * (place.latitude - before.latitude)))
        }
        if isIn(place) { result.append(place) }
      }
      return result
    }
    let east = cut(cut(ring, west) { $0.longitude >= west }, east) { $0.longitude <= east }
    guard let first = east.first, east.contains(where: { $0.longitude != first.longitude })
    else { return [] }
    return east.map { MapPlace(longitude: $0.longitude - shift, latitude: $0.latitude) }
  }

  private static func isInside(_ place: MapPlace, _ ring: [MapPlace]) -> Bool {
    var isInside = false
    for (index, corner) in ring.enumerated() {
      let before = ring[(index + ring.count - 1) % ring.count]
      guard (corner.latitude > place.latitude) != (before.latitude > place.latitude) else {
        continue
      }
      let share = (place.latitude - before.latitude) / (corner.latitude - before.latitude)
      if place.longitude < before.longitude + share * (corner.longitude - before.longitude) {
        isInside.toggle()
      }
    }
    return isInside
  }

  /// Returns the ring closed and in the given direction. The direction is computed on the flat map,
  /// as readers of the format compute it.
  private static func closed(_ ring: [MapPlace], counterClockwise: Bool) -> [MapPlace] {
    guard let first = ring.first else { return [] }
    var twice = 0.0
    for (index, corner) in ring.enumerated() {
      let before = ring[(index + ring.count - 1) % ring.count]
      twice +=
        (before.longitude - first.longitude) * (corner.latitude - first.latitude)
        - (corner.longitude - first.longitude) * (before.latitude - first.latitude)
    }
    let directed = (twice > 0) == counterClockwise ? ring : ring.reversed()
    return directed + directed.prefix(1)
  }

  /// Returns where the way from one place to the next crosses the antimeridian: the latitude in
  /// degrees, and the side that it comes from (180 or -180); nil if it does not cross.
  package static func crossing(
    from start: Coordinate, to end: Coordinate
  ) -> (latitude: Double, side: Double)? {
    let difference = end.longitudeDegrees - start.longitudeDegrees
    guard abs(difference) > 180 else { return nil }
    let side = start.longitudeDegrees >= 0 ? 180.0 : -180.0
    let whole = 360 - abs(difference)
    let share = whole > 0 ? (180 - abs(start.longitudeDegrees)) / whole : 0
    return (
      start.latitudeDegrees + share * (end.latitudeDegrees - start.latitudeDegrees), side
    )
  }
}
