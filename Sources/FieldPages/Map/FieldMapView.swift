import FieldUnit
import Geodesy
import Inspection
import Positioning

/// What the map shows of the inspector's own things, as its script reads it. Coordinates are longitude before
/// latitude, in degrees, rings closed, times RFC 3339 in UTC.
struct FieldMapView: Encodable, Sendable {
  /// A task with the outline of its parcel.
  struct TaskMark: Encodable, Sendable {
    var id: String
    var name: String
    /// The state's own word, its sign, and what it is called on the screen.
    var state: String
    var sign: String
    var stateTitle: String
    var at: [Double]
    var rings: [[[Double]]]
  }

  /// A photo with what its camera saw.
  struct PhotoMark: Encodable, Sendable {
    var id: String
    var task: String?
    var taskName: String?
    var at: [Double]
    /// Above the ellipsoid.
    var heightMetres: Double?
    var uncertaintyMetres95: Double?
    var azimuthDegreesTrue: Double?
    var angleDegrees: Double?
    var viewDegrees: Double
    var time: String
    var isSent: Bool
  }

  /// A track's way: in pieces where something is missing in between.
  struct TrackMark: Encodable, Sendable {
    var id: String
    var name: String
    var points: Int
    var pieces: [[[Double]]]
    /// Whether it is finished, and drawn closed.
    var isClosed: Bool
  }

  var tasks: [TaskMark] = []
  var photos: [PhotoMark] = []
  var tracks: [TrackMark] = []

  /// So many points of a track are drawn as its way; the points themselves are asked for where they are seen.
  static let pointsDrawnAtMost = 1000

  static func pair(_ place: Coordinate) -> [Double] {
    func short(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    return [short(place.longitudeDegrees), short(place.latitudeDegrees)]
  }

  static func mark(_ task: InspectionTask, stateTitle: String) -> TaskMark? {
    guard let parcel = task.parcel, let middle = parcel.middle else { return nil }
    return TaskMark(
      id: task.id.description, name: task.name, state: task.state.rawValue,
      sign: task.state.sign, stateTitle: stateTitle, at: pair(middle),
      rings: parcel.rings.map { ring in (ring + ring.prefix(1)).map(pair) })
  }

  static func mark(_ photo: Photo, taskName: String?) -> PhotoMark {
    PhotoMark(
      id: photo.id.description, task: photo.task?.description, taskName: taskName,
      at: pair(photo.position.coordinate), heightMetres: photo.position.ellipsoidalHeightMetres,
      uncertaintyMetres95: photo.position.uncertaintyMetres95,
      azimuthDegreesTrue: photo.orientation?.azimuthDegreesTrue,
      angleDegrees: photo.orientation?.angleDegrees, viewDegrees: photo.camera.horizontalDegrees,
      time: photo.deviceTime.rfc3339, isSent: photo.sent != nil)
  }

  static func mark(_ track: Track) -> TrackMark {
    TrackMark(
      id: track.id.description, name: track.name, points: track.points.count,
      pieces: pieces(of: track.points), isClosed: track.ended != nil && track.points.count >= 3)
  }

  /// A way as it is drawn: corners that somebody set and both sides of a hole are always in it, of the points
  /// between them every so manieth where there are too many.
  static func pieces(of points: [TrackPoint]) -> [[[Double]]] {
    let stride = max(1, (points.count + pointsDrawnAtMost - 1) / pointsDrawnAtMost)
    var pieces: [[[Double]]] = []
    for (number, point) in points.enumerated() {
      let isFirst = number == 0 || point.gapBefore != nil
      let isLast = number == points.count - 1 || points[number + 1].gapBefore != nil
      if isFirst { pieces.append([]) }
      guard isFirst || isLast || point.kind != .recorded || number % stride == 0 else { continue }
      pieces[pieces.count - 1].append(pair(point.coordinate))
    }
    return pieces
  }
}

/// The points of a track, each as it can be tapped.
struct TrackPointsView: Encodable, Sendable {
  /// One point.
  struct Mark: Encodable, Sendable {
    var at: [Double]
    /// Above the ellipsoid.
    var heightMetres: Double?
    var time: String
    var kind: String
    var uncertaintyMetres95: Double?
    /// Why there is nothing between the point before and this one.
    var gap: String?
  }

  var points: [Mark]
  /// Counts what was deleted while it is recorded.
  var deletions = 0

  static func mark(_ point: TrackPoint) -> Mark {
    Mark(
      at: FieldMapView.pair(point.coordinate), heightMetres: point.ellipsoidalHeightMetres,
      time: point.time.rfc3339 ?? point.time.timeOfDay,
      kind: point.kind.rawValue, uncertaintyMetres95: point.horizontalUncertaintyMetres95,
      gap: point.gapBefore?.rawValue)
  }
}
