import Foundation
import Geodesy

/// What follows from a track's points. It is computed anew whenever it is asked for and never kept
/// apart from them, so that points and numbers cannot disagree.
public struct TrackMeasures: Hashable, Sendable {
  /// How many points.
  public var points: Int
  /// Length of the path as recorded, metres; the closing side is not part of it.
  public var lengthMetres: Double
  /// Seconds from the first to the last point.
  public var durationSeconds: Double
  /// Area enclosed when the last point is joined to the first, square metres; nil under three points.
  public var areaSquareMetres: Double?
  /// Half the width of the area's 95 % interval, square metres; nil where a point has no uncertainty.
  public var areaUncertaintySquareMetres95: Double?

  /// Errors of a receiver wander: within about this time they stay alike.
  private static let correlationSeconds = 60.0

  /// Measures `points` in their order.
  public init(_ points: [TrackPoint]) {
    let path = points.map(\.coordinate)
    self.points = points.count
    lengthMetres = Geodesic.lengthMetres(of: path)
    if let first = points.first, let last = points.last {
      durationSeconds = last.time.seconds(since: first.time)
    } else {
      durationSeconds = 0
    }
    guard points.count >= 3 else { return }
    areaSquareMetres = Geodesic.polygon(path).areaSquareMetres
    areaUncertaintySquareMetres95 = Self.areaUncertainty(points)
  }

  /// The area of a polygon changes with a vertex by half the vector between its neighbours, turned
  /// by a quarter. Errors of vertices that follow each other within a minute are alike (exponential
  /// correlation), those that all share cancel by themselves. Linear in the number of points.
  private static func areaUncertainty(_ points: [TrackPoint]) -> Double? {
    guard let first = points.first else { return nil }
    let plane = LocalPlane(origin: first.coordinate)
    let plan = points.map { plane.project($0.coordinate) }
    let count = plan.count
    var variance = 0.0
    var carried = (east: 0.0, north: 0.0)
    for index in 0..<count {
      guard let radius = points[index].horizontalUncertaintyMetres95 else { return nil }
      let sigma = radius / 2.448
      let before = plan[(index + count - 1) % count]
      let after = plan[(index + 1) % count]
      let gradient = (
        east: sigma * (after.northMetres - before.northMetres) / 2,
        north: sigma * (before.eastMetres - after.eastMetres) / 2
      )
      if index > 0 {
        let step = abs(points[index].time.seconds(since: points[index - 1].time))
        let likeness = exp(-step / correlationSeconds)
        carried = (carried.east * likeness, carried.north * likeness)
      }
      variance +=
        gradient.east * (gradient.east + 2 * carried.east)
        + gradient.north * (gradient.north + 2 * carried.north)
      carried = (carried.east + gradient.east, carried.north + gradient.north)
    }
    return 1.96 * max(0, variance).squareRoot()
  }
}
