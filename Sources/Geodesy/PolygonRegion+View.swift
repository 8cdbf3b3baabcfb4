// The problem: whether somebody who stands at a place and looks along an azimuth has a parcel in front
// of them, and how far it reaches.
//
// The obvious idea: the bearings of the corners, the least and the greatest. They wrap at north, and a
// parcel that lies round the place like a horseshoe has bearings on all sides but one.
//
// What is done: one walk along the outline adds up by how much each edge turns the view, each less than
// half a turn. The least and the greatest sum are the two sides of the parcel, wherever north is.
//
// Cost: O(corners), no allocation but for the crossings.

import Foundation

/// The directions between two, clockwise from the first.
public struct BearingSpan: Hashable, Sendable {
  /// Where it begins, degrees from true north, 0 ..< 360.
  public var startDegrees: Double
  /// How wide it is, degrees, 0…360; 360 is all round.
  public var widthDegrees: Double

  /// A span from its parts.
  public init(startDegrees: Double, widthDegrees: Double) {
    self.startDegrees = startDegrees
    self.widthDegrees = widthDegrees
  }

  /// By how many degrees an azimuth misses the span, 0…180; 0 within it.
  public func missDegrees(azimuthDegrees: Double) -> Double {
    if widthDegrees >= 360 { return 0 }
    var after = (azimuthDegrees - startDegrees).truncatingRemainder(dividingBy: 360)
    if after < 0 { after += 360 }
    return after <= widthDegrees ? 0 : min(after - widthDegrees, 360 - after)
  }
}

extension PolygonRegion {
  /// By how many degrees an azimuth misses the region as seen from a coordinate, 0…180: that part
  /// which it misses least.
  public func missDegrees(from coordinate: Coordinate, azimuthDegrees: Double) -> Double {
    let outlines = others.isEmpty ? [exterior] : parts.map(\.outline)
    return outlines.map {
      span(of: $0, from: coordinate).missDegrees(azimuthDegrees: azimuthDegrees)
    }.min() ?? 180
  }

  /// The directions in which the region's first part is seen from a coordinate; all round for one
  /// that is inside, on the boundary or in a hole.
  public func span(from coordinate: Coordinate) -> BearingSpan {
    span(of: exterior, from: coordinate)
  }

  private func span(of outline: [Coordinate], from coordinate: Coordinate) -> BearingSpan {
    let plane = LocalPlane(origin: coordinate)
    guard isFaced(by: plane), let corner = outline.last.map(plane.project) else {
      // Beyond a quarter of the Earth it is a point, if it is anything.
      return BearingSpan(startDegrees: bearingDegrees(from: coordinate) ?? 0, widthDegrees: 0)
    }
    if Self.side(of: outline, in: plane) != .outside {
      return BearingSpan(startDegrees: 0, widthDegrees: 360)
    }
    var turned = 0.0
    var least = 0.0
    var greatest = 0.0
    Self.forEachEdge(of: outline, in: plane) { start, end in
      // Clockwise is positive, as bearings are.
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

  /// How many metres of the region lie ahead of a coordinate in a direction, before it is left for the
  /// first time, and where that begins: (0, reach) inside; nil where it is not met at all.
  /// - Parameter azimuthDegrees: from true north.
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
        // Beside the line of sight, right is positive; an edge that ends on it belongs to one side.
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
