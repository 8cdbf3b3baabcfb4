/// The measures of a track, computed from its points. Once measures are stored with the points,
/// neither can change.
public struct TrackMeasures: Hashable, Sendable {
  /// The number of points.
  public var points: Int
  /// Length of the path as recorded, metres; the closing side is not part of it.
  public var lengthMetres: Double
  /// Seconds from the first to the last point.
  public var durationSeconds: Double
  /// Area enclosed if the last point is joined to the first, square metres; nil for fewer than
  /// three points.
  public var areaSquareMetres: Double?
  /// Half the width of the area's 95 % interval, square metres; nil if a point has no uncertainty,
  /// or there is no area.
  public var areaUncertaintySquareMetres95: Double?

  /// Measures `points` in their order.
  public init(_ points: [TrackPoint]) {
    var tape = TrackTape()
    for point in points { tape.add(point) }
    self = tape.measures
  }

  /// Creates measures that were stored with the points from which they were computed.
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
