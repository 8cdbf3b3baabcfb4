import Geodesy
import Inspection

/// The state of a set that is being taken, with what its page draws.
package struct SetRunView: Sendable {
  /// The step, and the progress of its standpoint.
  package var news: SetNews
  /// The quality of each sector's frame; nil for an empty sector.
  package var held: [Double?]
  /// The angle at which the first frame of this run is taken, degrees.
  package var firstDegrees: Double
  /// The places of the inspector since the frames began.
  package var way: [PlanePoint]
  /// The place from which `way` is counted; nil until there is one.
  package var origin: Coordinate?
  /// The magnetic declination at the present place, degrees, positive eastwards; nil if unknown.
  package var declinationDegrees: Double?
  /// The radius round the present place that holds the true one with 95 % probability, metres; nil
  /// if unknown.
  package var uncertaintyMetres: Double?
}

/// The way of the inspector, thinned so that a long walk stays a short list.
struct WalkedWay {
  /// The largest number of places that are kept.
  private static let mostPoints = 240
  private var plane: LocalPlane?
  /// The number of places that come for each one that is kept.
  private var step = 1
  private var skipped = 0
  /// The place from which the points are counted; nil until there is one.
  var origin: Coordinate? { plane?.origin }
  /// The places that are kept, metres east and north of the first one.
  private(set) var points: [PlanePoint] = []

  /// Adds the next place; nil is none.
  mutating func add(_ place: Coordinate?) {
    guard let place else { return }
    skipped += 1
    guard skipped >= step || points.isEmpty else { return }
    skipped = 0
    let plane = plane ?? LocalPlane(origin: place)
    self.plane = plane
    points.append(plane.project(place))
    guard points.count > Self.mostPoints else { return }
    points = points.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    step *= 2
  }
}
