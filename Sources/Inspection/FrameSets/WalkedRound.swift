import Foundation
import Geodesy

// The problem: sensors tell that the device was turned, and not that anybody walked. An inspector
// who stands on one spot and turns by 360° fills every sector of a walk.
//
// The solution: the receiver saw the way. Seen from its middle, the way of a walk round a thing
// covers the whole circle, and its end is where it began.

/// The judgement of the receiver about a walk round a thing.
public struct WalkedRound: Hashable, Sendable {
  /// The angle that a way has to cover, seen from its middle, degrees.
  public static let leastDegrees = 330.0
  /// The longest step from one fix to the next that counts, seen from the middle, degrees. What
  /// happened within a longer one, the receiver has not seen.
  static let longestStepDegrees = 45.0
  /// The longest step that counts where sectors are wide, in sectors: one sector without a frame is
  /// no gap, wherever in their sectors the frames beside it are.
  static let longestStepSectors = 2.5

  /// A place on the way, with the radius that holds the true one with 95 % probability, metres; nil
  /// if unknown.
  public struct Place: Hashable, Sendable {
    /// The coordinate.
    public var coordinate: Coordinate
    /// The radius that holds the true place with 95 % probability, metres; nil if unknown.
    public var uncertaintyMetres95: Double?

    /// Creates a place.
    public init(_ coordinate: Coordinate, uncertaintyMetres95: Double?) {
      self.coordinate = coordinate
      self.uncertaintyMetres95 = uncertaintyMetres95
    }
  }

  /// The angle that the way covers, seen from its middle, degrees: positive clockwise as seen from
  /// above, negative the other way round; two rounds are 720. Nil if the way is too short for the
  /// receiver to tell.
  public let coveredDegrees: Double?
  /// The distance from the first standpoint to the last one, metres.
  public let closingMetres: Double
  /// The distance that is within the uncertainties of both, metres; nil if one of them is unknown.
  public let closingToleranceMetres: Double?

  /// Judges a way.
  /// - Parameters:
  ///   - start: the standpoint at which the walk began.
  ///   - way: the places of the fixes between, in the order of their times.
  ///   - end: the standpoint at which it ended.
  ///   - sectorDegrees: the width of a sector: each has one fix at most.
  public init(from start: Place, along way: [Place], to end: Place, sectorDegrees: Double) {
    closingMetres = Geodesic.distanceMetres(from: start.coordinate, to: end.coordinate)
    if let one = start.uncertaintyMetres95, let other = end.uncertaintyMetres95 {
      closingToleranceMetres = one + other
    } else {
      closingToleranceMetres = nil
    }
    let plane = LocalPlane(origin: start.coordinate)
    let places = [start] + way + [end]
    let points = places.map { plane.project($0.coordinate) }
    coveredDegrees = Self.covered(
      points, uncertaintyMetres95: places.compactMap(\.uncertaintyMetres95).max(),
      longestStepDegrees: max(
        Self.longestStepDegrees, Self.longestStepSectors * sectorDegrees))
  }

  /// True if the way went round; nil if the receiver cannot tell.
  public var isRound: Bool? { coveredDegrees.map { abs($0) >= Self.leastDegrees } }

  /// True if the end met the start within their uncertainties; nil if one of them is unknown.
  public var isClosed: Bool? { closingToleranceMetres.map { closingMetres <= $0 } }

  /// Returns the angle that points cover, seen from the middle of their hull; nil for fewer than
  /// three places, and for a way whose radius is smaller than the receiver's uncertainty. A step that
  /// passes the middle within the uncertainty covers nothing: on which side it passed is unknown, and
  /// there and back on one line would be a round.
  private static func covered(
    _ points: [PlanePoint], uncertaintyMetres95: Double?, longestStepDegrees: Double
  ) -> Double? {
    let hull = ConvexHull.of(points)
    guard hull.count > 2, let middle = middle(of: hull) else { return nil }
    let radii = points.map { (($0 - middle).squaredLength).squareRoot() }.sorted()
    let nearest = uncertaintyMetres95 ?? 0
    guard radii[radii.count / 2] > nearest else { return nil }
    var covered = 0.0
    for (from, to) in zip(points, points.dropFirst())
    where distance(from: from - middle, to: to - middle) >= nearest {
      let step = Geodesic.compassDegrees(
        (to - middle).azimuthDegrees - (from - middle).azimuthDegrees)
      let turned = step > 180 ? step - 360 : step
      if abs(turned) <= longestStepDegrees { covered += turned }
    }
    return covered
  }

  /// Returns the distance of a step from the origin.
  private static func distance(from start: PlanePoint, to end: PlanePoint) -> Double {
    let step = end - start
    let length = step.squaredLength
    let along = -(start.eastMetres * step.eastMetres + start.northMetres * step.northMetres)
    let share = length > 0 ? min(1, max(0, along / length)) : 0
    return PlanePoint(
      eastMetres: start.eastMetres + share * step.eastMetres,
      northMetres: start.northMetres + share * step.northMetres
    ).squaredLength.squareRoot()
  }

  /// Returns the centroid of a hull's area; nil if it has none. A pause on the way, which leaves
  /// many points at one place, does not move it.
  private static func middle(of hull: [PlanePoint]) -> PlanePoint? {
    let anchor = hull[0]
    var (area, east, north) = (0.0, 0.0, 0.0)
    for (a, b) in zip(hull, hull.dropFirst() + [anchor]) {
      let (a, b) = (a - anchor, b - anchor)
      let part = a.eastMetres * b.northMetres - b.eastMetres * a.northMetres
      area += part
      east += part * (a.eastMetres + b.eastMetres)
      north += part * (a.northMetres + b.northMetres)
    }
    guard abs(area) > 1e-9 else { return nil }
    return PlanePoint(
      eastMetres: anchor.eastMetres + east / (3 * area),
      northMetres: anchor.northMetres + north / (3 * area))
  }
}

extension PlanePoint {
  fileprivate static func - (one: PlanePoint, other: PlanePoint) -> PlanePoint {
    PlanePoint(
      eastMetres: one.eastMetres - other.eastMetres,
      northMetres: one.northMetres - other.northMetres)
  }

  fileprivate var squaredLength: Double { eastMetres * eastMetres + northMetres * northMetres }

  fileprivate var azimuthDegrees: Double { atan2(eastMetres, northMetres) * 180 / .pi }
}
