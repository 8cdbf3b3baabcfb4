// The problem: does a person at a place who looks along an azimuth have a parcel in front of them,
// and how far does it reach?
//
// The obvious idea: take the least and the greatest bearing of the corners. Bearings wrap at north,
// and a parcel that surrounds the place like a horseshoe has bearings on all sides but one.
//
// The solution: one walk along the outline adds up the angle by which each edge turns the view,
// always less than half a turn. The least and the greatest sum are the two sides of the parcel,
// whatever the direction of north.
//
// Cost: O(corners), no allocation except for the crossings.

import Foundation

/// The directions between two bearings, clockwise from the first.
public struct BearingSpan: Hashable, Sendable {
  /// The first direction, degrees from true north, 0 ..< 360.
  public var startDegrees: Double
  /// The width of the span, degrees, 0…360; 360 is all directions.
  public var widthDegrees: Double

  /// Creates a span of directions.
  public init(startDegrees: Double, widthDegrees: Double) {
    self.startDegrees = startDegrees
    self.widthDegrees = widthDegrees
  }

  /// Returns the degrees by which an azimuth misses the span, 0…180; 0 within it.
  public func missDegrees(azimuthDegrees: Double) -> Double {
    if widthDegrees >= 360 { return 0 }
    var after = (azimuthDegrees - startDegrees).truncatingRemainder(dividingBy: 360)
    if after < 0 { after += 360 }
    return after <= widthDegrees ? 0 : min(after - widthDegrees, 360 - after)
  }
}

extension PolygonRegion {
  /// Returns the degrees by which an azimuth misses the region as seen from a coordinate, 0…180;
  /// for the part that it misses least.
  public func missDegrees(from coordinate: Coordinate, azimuthDegrees: Double) -> Double {
    let outlines = others.isEmpty ? [exterior] : parts.map(\.outline)
    return outlines.map {
      span(of: $0, from: coordinate).missDegrees(azimuthDegrees: azimuthDegrees)
    }.min() ?? 180
  }

  /// Returns the directions in which the region's first part is seen from a coordinate; all
  /// directions if the coordinate is inside, on the boundary or in a hole.
  public func span(from coordinate: Coordinate) -> BearingSpan {
    span(of: exterior, from: coordinate)
  }

  private func span(of outline: [Coordinate], from coordinate: Coordinate) -> BearingSpan {
    let plane = LocalPlane(origin: coordinate)
    guard isFaced(by: plane), let corner = outline.last.map(plane.project) else {
      // Beyond a quarter of the Earth the region counts as a point, in the direction of its nearest
      // corner.
      return BearingSpan(startDegrees: bearingDegrees(from: coordinate) ?? 0, widthDegrees: 0)
    }
    if Self.side(of: outline, in: plane) != .outside {
      return BearingSpan(startDegrees: 0, widthDegrees: 360)
    }
    var turned = 0.0
    var least = 0.0
    var greatest = 0.0
    Self.forEachEdge(of: outline, in: plane) { start, end in
      // Clockwise is positive, as for bearings.
      turned += atan2(
        end.eastMetres * start.northMetres - end.northMetres * start.eastMetres,
        start.eastMetres * end.eastMetres + start.northMetres * end.northMetres)
      least = min(least, turned)
      greatest = max(greatest, turned)
    }
    let width = min(360, (greatest - least) * 180 / .pi)
    var begin = (atan2(corner.eastMetres, corner.northMetres) + least) * 180 / .pi
    begin = begin.truncatingRemainder(dividingBy: 360)
    if begin < 0 { begin += 360 }
    return BearingSpan(startDegrees: begin < 360 ? begin : 0, widthDegrees: width)
  }

  /// Returns the first stretch of the region ahead of a coordinate in a direction, in metres: its
  /// distance from the coordinate, and its length until the region is left for the first time.
  /// Inside the region the stretch begins at 0; nil if the region is not met at all.
  /// - Parameter azimuthDegrees: the direction from true north, clockwise.
  public func stretch(
    from coordinate: Coordinate, azimuthDegrees: Double
  ) -> (startMetres: Double, lengthMetres: Double)? {
    let plane = LocalPlane(origin: coordinate)
    let sine = sin(azimuthDegrees * .pi / 180)
    let cosine = cos(azimuthDegrees * .pi / 180)
    guard isFaced(by: plane) else { return nil }
    var crossings: [Double] = []
    for ring in rings {
      Self.forEachEdge(of: ring, in: plane) { start, end in
        // Distances from the line of sight are positive to the right; an edge that ends on the line
        // belongs to one side.
        let startRight = start.eastMetres * cosine - start.northMetres * sine
        let endRight = end.eastMetres * cosine - end.northMetres * sine
        guard (startRight > 0) != (endRight > 0) else { return }
        let startAhead = start.eastMetres * sine + start.northMetres * cosine
        let endAhead = end.eastMetres * sine + end.northMetres * cosine
        let share = startRight / (startRight - endRight)
        let ahead = startAhead + share * (endAhead - startAhead)
        if ahead > 0 { crossings.append(ahead) }
      }
    }
    crossings.sort()
    if contains(coordinate) { return (0, crossings.first ?? 0) }
    guard crossings.count >= 2 else { return nil }
    return (crossings[0], crossings[1] - crossings[0])
  }
}
