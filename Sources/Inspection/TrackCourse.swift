import Geodesy
import Positioning

/// A track's way as maps draw it: nothing in the gaps, and no more points than a screen can show.
public enum TrackCourse {
  /// Returns one line for each stretch between two gaps, of at least two points each: a single
  /// point is doubled.
  public static func stretches(_ points: [TrackPoint]) -> [[Coordinate]] {
    var stretches: [[Coordinate]] = []
    for point in points {
      if stretches.isEmpty || point.gapBefore != nil { stretches.append([]) }
      stretches[stretches.count - 1].append(point.coordinate)
    }
    return stretches.map { $0.count == 1 ? $0 + $0 : $0 }
  }

  /// Returns the part of a track that is visible in a view.
  /// - Parameter pointLimit: the greatest number of points; with more, points close to each other
  ///   are dropped.
  public static func seen(
    _ points: [TrackPoint], in box: CoordinateBox, pointLimit: Int = 5000
  ) -> [[Coordinate]] {
    let parts = box.parts
    var runs: [[Coordinate]] = []
    for stretch in stretches(points) {
      var run: [Coordinate] = []
      for (from, to) in zip(stretch, stretch.dropFirst()) {
        if parts.contains(where: { mayCross($0, from, to) }) {
          if run.isEmpty { run.append(from) }
          run.append(to)
        } else if !run.isEmpty {
          runs.append(run)
          run = []
        }
      }
      if !run.isEmpty { runs.append(run) }
    }
    // The first step is about a pixel of the screen; it doubles until the points are few enough.
    var step = max(1e-7, (box.northDegrees - box.southDegrees) / 2000)
    var thinned = runs
    for _ in 0..<40 where thinned.reduce(0, { $0 + $1.count }) > pointLimit {
      thinned = runs.map { thin($0, stepDegrees: step) }
      step *= 2
    }
    return Array(thinned.prefix(pointLimit / 2))
  }

  /// Returns true if the line between two points may be visible in a box. A line that only passes a
  /// corner may be drawn needlessly, but no visible line is left out.
  private static func mayCross(_ box: CoordinateBox, _ from: Coordinate, _ to: Coordinate) -> Bool {
    let (a, b) = (from.latitudeDegrees, to.latitudeDegrees)
    guard max(a, b) >= box.southDegrees, min(a, b) <= box.northDegrees else { return false }
    let (west, east) = (
      min(from.longitudeDegrees, to.longitudeDegrees),
      max(from.longitudeDegrees, to.longitudeDegrees)
    )
    // The line crosses the antimeridian.
    if east - west > 180 { return true }
    return east >= box.westDegrees && west <= box.eastDegrees
  }

  /// Drops points nearer than a step to the last one kept; both ends stay.
  private static func thin(_ run: [Coordinate], stepDegrees: Double) -> [Coordinate] {
    guard let first = run.first, let last = run.last else { return run }
    var kept = [first]
    var before = first
    for point in run.dropFirst().dropLast()
    where abs(point.latitudeDegrees - before.latitudeDegrees) > stepDegrees
      || abs(point.longitudeDegrees - before.longitudeDegrees) > stepDegrees
    {
      kept.append(point)
      before = point
    }
    return kept + [last]
  }
}
