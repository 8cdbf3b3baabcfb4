import Geodesy
import Positioning

/// A track's way as maps draw it: nothing is drawn where nothing was recorded, and no more than a screen can show.
package enum TrackCourse {
  /// Lines of at least two points, one for each stretch between two gaps. A point alone is there twice.
  static func stretches(_ points: [TrackPoint]) -> [[Coordinate]] {
    var stretches: [[Coordinate]] = []
    for point in points {
      if stretches.isEmpty || point.gapBefore != nil { stretches.append([]) }
      stretches[stretches.count - 1].append(point.coordinate)
    }
    return stretches.map { $0.count == 1 ? $0 + $0 : $0 }
  }

  /// What of it a view shows.
  /// - Parameter pointLimit: a view never gets more points; where there are more, those that lie close to each other go.
  package static func seen(
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
    // About a dot of the screen, and then coarser until it is few enough.
    var step = max(1e-7, (box.northDegrees - box.southDegrees) / 2000)
    var thinned = runs
    for _ in 0..<40 where thinned.reduce(0, { $0 + $1.count }) > pointLimit {
      thinned = runs.map { thin($0, stepDegrees: step) }
      step *= 2
    }
    return Array(thinned.prefix(pointLimit / 2))
  }

  /// Whether the line between two points may be seen in a box: of what only passes its corner a little too much is
  /// drawn, and nothing that is in it is left out.
  private static func mayCross(_ box: CoordinateBox, _ from: Coordinate, _ to: Coordinate) -> Bool {
    let (a, b) = (from.latitudeDegrees, to.latitudeDegrees)
    guard max(a, b) >= box.southDegrees, min(a, b) <= box.northDegrees else { return false }
    let (west, east) = (
      min(from.longitudeDegrees, to.longitudeDegrees),
      max(from.longitudeDegrees, to.longitudeDegrees)
    )
    // Over the antimeridian.
    if east - west > 180 { return true }
    return east >= box.westDegrees && west <= box.eastDegrees
  }

  /// Without what lies nearer than a step to the point before; both ends stay.
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
