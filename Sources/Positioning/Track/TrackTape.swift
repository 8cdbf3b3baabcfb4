import Foundation
import Geodesy
import TimeAndText

// The problem: a track must be measured even if it is too long to be held in memory, so its points
// come one by one.
//
// The area of a polygon changes with a vertex by half the vector between its neighbours, turned by
// a quarter of a circle. Errors of vertices that follow each other within a minute are alike
// (exponential correlation); an error that all vertices share cancels by itself. So the variance is
// a sum over all pairs of points. For each point, the sum of the contributions of the points before
// it is carried along, weaker with each step.
//
// The obvious idea: keep the points, because the first point's neighbour is the last one. The
// solution: the first point's own share is kept apart. It is linear in the first point's gradient,
// which is known at the end.

/// A tape that measures a track while its points are added in order; the points are not kept.
public struct TrackTape {
  private typealias Vector = (east: Double, north: Double)

  /// A point in the plane around the first one, with its standard deviation in metres and its time.
  private struct Corner {
    var place: PlanePoint
    var sigma: Double
    var time: GNSSTime
  }

  /// The time within which a receiver's wandering errors stay alike, seconds.
  private static let correlationSeconds = 60.0

  private var path = GeodesicPath()
  private var plane: LocalPlane?
  private var first: Corner?
  private var second: Corner?
  private var before: Corner?
  private var last: Corner?
  private var knowsUncertainty = true
  private var variance = 0.0
  private var carried: Vector = (0, 0)
  /// The correlation of the first point's error with the current one's, and the sum of the
  /// gradients weighted by it, by which the first point's gradient is multiplied at the end.
  private var likenessOfFirst = 1.0
  private var alikeToFirst: Vector = (0, 0)

  /// Creates a tape without points.
  public init() {}

  /// Adds the next point.
  public mutating func add(_ point: TrackPoint) {
    path.add(point.coordinate)
    let plane = plane ?? LocalPlane(origin: point.coordinate)
    self.plane = plane
    if point.horizontalUncertaintyMetres95 == nil { knowsUncertainty = false }
    let corner = Corner(
      place: plane.project(point.coordinate),
      sigma: (point.horizontalUncertaintyMetres95 ?? 0) / 2.448, time: point.time)
    if first == nil {
      first = corner
    } else if second == nil {
      second = corner
    } else if let before, let last {
      weigh(last, after: before, gradient: Self.gradient(of: last, between: before, corner))
    }
    before = last
    last = corner
  }

  private mutating func weigh(_ corner: Corner, after earlier: Corner, gradient: Vector) {
    let likeness = exp(
      -abs(corner.time.seconds(since: earlier.time)) / Self.correlationSeconds)
    carried = (carried.east * likeness, carried.north * likeness)
    likenessOfFirst *= likeness
    variance +=
      gradient.east * (gradient.east + 2 * carried.east)
      + gradient.north * (gradient.north + 2 * carried.north)
    alikeToFirst = (
      alikeToFirst.east + gradient.east * likenessOfFirst,
      alikeToFirst.north + gradient.north * likenessOfFirst
    )
    carried = (carried.east + gradient.east, carried.north + gradient.north)
  }

  private static func gradient(
    of corner: Corner, between before: Corner, _ after: Corner
  ) -> Vector {
    (
      east: corner.sigma * (after.place.northMetres - before.place.northMetres) / 2,
      north: corner.sigma * (before.place.eastMetres - after.place.eastMetres) / 2
    )
  }

  /// The measures of the points so far.
  public var measures: TrackMeasures {
    let seconds = first.flatMap { first in last.map { $0.time.seconds(since: first.time) } }
    var area: Double?
    var uncertainty: Double?
    if path.count >= 3, let first, let second, let before, let last {
      area = path.areaSquareMetres
      if knowsUncertainty {
        var closed = self
        closed.weigh(last, after: before, gradient: Self.gradient(of: last, between: before, first))
        let own = Self.gradient(of: first, between: last, second)
        let variance =
          closed.variance + own.east * (own.east + 2 * closed.alikeToFirst.east)
          + own.north * (own.north + 2 * closed.alikeToFirst.north)
        uncertainty = 1.96 * max(0, variance).squareRoot()
      }
    }
    return TrackMeasures(
      points: path.count, lengthMetres: path.lengthMetres, durationSeconds: seconds ?? 0,
      areaSquareMetres: area, areaUncertaintySquareMetres95: uncertainty)
  }
}
