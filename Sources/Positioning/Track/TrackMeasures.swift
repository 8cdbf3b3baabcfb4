/// What follows from a track's points. It is computed from them; where it is kept
/// beside them, neither can change.
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

  /// Measures `points` in their order.
  public init(_ points: [TrackPoint]) {
    var tape = TrackTape()
    for point in points { tape.add(point) }
    self = tape.measures
  }

  /// Measures that somebody has kept beside the points that they were computed from.
  public init(
    points: Int, lengthMetres: Double, durationSeconds: Double, areaSquareMetres: Double?,
    areaUncertaintySquareMetres95: Double?
  ) {
    self.points = points
    self.lengthMetres = lengthMetres
    self.durationSeconds = durationSeconds
    self.areaSquareMetres = areaSquareMetres
    self.areaUncertaintySquareMetres95 = areaUncertaintySquareMetres95
  }
}
