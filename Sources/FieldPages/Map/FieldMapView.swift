import FieldUnit
import Geodesy
import Inspection
import Positioning
import TimeAndText

/// The inspector's own things on the map, as its script reads them. Coordinates are longitude
/// before latitude, in degrees; rings are closed; times are RFC 3339 in UTC.
struct FieldMapView: Encodable, Sendable {
  /// A task with the outline of its parcel.
  struct TaskMark: Encodable, Sendable {
    var id: String
    var name: String
    /// The state's stable name. `sign` is its sign, `stateTitle` its name on the screen.
    var state: String
    var sign: String
    var stateTitle: String
    /// True if photos can be taken for the task.
    var takesPhotos: Bool
    var at: [Double]
    var rings: [[[Double]]]
    var places: [PlaceMark]
  }

  /// A further parcel or a section of a task.
  struct PlaceMark: Encodable, Sendable {
    var name: String
    var rings: [[[Double]]]
  }

  /// A photo with the direction and the field of view of its camera.
  struct PhotoMark: Encodable, Sendable {
    var id: String
    var task: String?
    var taskName: String?
    var at: [Double]
    /// Height above the ellipsoid in metres; nil if not known.
    var heightMetres: Double?
    var uncertaintyMetres95: Double?
    var azimuthDegreesTrue: Double?
    var angleDegrees: Double?
    var viewDegrees: Double
    var time: String
    var isSent: Bool
  }

  /// A photo point with the direction and the field of view of its reference photo.
  struct PointMark: Encodable, Sendable {
    var id: String
    var title: String
    var at: [Double]
    var azimuthDegreesTrue: Double?
    var viewDegrees: Double
    /// True if its picture is on this device.
    var hasPicture: Bool
  }

  /// The way of a track: one piece between two gaps.
  struct TrackMark: Encodable, Sendable {
    var id: String
    var name: String
    var points: Int
    var pieces: [[[Double]]]
    /// True if the track is finished and has 3 points or more, so that it is drawn closed.
    var isClosed: Bool
  }

  var tasks: [TaskMark] = []
  var photos: [PhotoMark] = []
  var tracks: [TrackMark] = []
  var points: [PointMark] = []

  /// The largest number of points of a track that are all drawn; a longer way is thinned, and the
  /// script asks for the points themselves where they are visible.
  static let pointsDrawnAtMost = 1000

  static func pair(_ place: Coordinate) -> [Double] {
    func short(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    return [short(place.longitudeDegrees), short(place.latitudeDegrees)]
  }

  static func mark(_ task: InspectionTask, stateTitle: String) -> TaskMark? {
    guard let parcel = task.parcel, let middle = parcel.middle else { return nil }
    return TaskMark(
      id: task.id.description, name: task.name, state: task.state.rawValue,
      sign: task.state.sign, stateTitle: stateTitle, takesPhotos: task.state.isEditable,
      at: pair(middle),
      rings: parcel.rings.map { ring in drawn(ring + ring.prefix(1), near: middle) },
      places: task.places.list.map { place in
        PlaceMark(
          name: place.name, rings: place.rings.map { drawn($0 + $0.prefix(1), near: middle) })
      })
  }

  /// Returns a line as it is drawn: no longitude is more than half a turn from that of a place, so
  /// that a parcel across the antimeridian stays in one piece. Longitudes then pass 180 degrees.
  private static func drawn(_ line: [Coordinate], near place: Coordinate) -> [[Double]] {
    line.map { corner in
      let turns = ((place.longitudeDegrees - corner.longitudeDegrees) / 360).rounded()
      let drawn = pair(corner)
      return [drawn[0] + 360 * turns, drawn[1]]
    }
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

  static func mark(_ point: PhotoPoint, hasPicture: Bool) -> PointMark {
    PointMark(
      id: point.id.description, title: point.title, at: pair(point.stand.coordinate),
      azimuthDegreesTrue: point.stand.orientation?.azimuthDegreesTrue,
      viewDegrees: point.camera.horizontalDegrees, hasPicture: hasPicture)
  }

  static func mark(_ track: Track) -> TrackMark {
    TrackMark(
      id: track.id.description, name: track.name, points: track.points.count,
      pieces: pieces(of: track.points), isClosed: track.ended != nil && track.points.count >= 3)
  }

  /// Returns a way as it is drawn. Corners set by hand and both ends of each gap always stay; if
  /// there are more than `pointsDrawnAtMost` points, only every n-th of the recorded points between
  /// them stays.
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

/// The points of a track, each with the values shown when it is tapped.
struct TrackPointsView: Encodable, Sendable {
  /// A point of the track.
  struct Mark: Encodable, Sendable {
    var at: [Double]
    /// Height above the ellipsoid in metres; nil if not known.
    var heightMetres: Double?
    var time: String
    var kind: String
    var uncertaintyMetres95: Double?
    /// The reason of the gap before this point; nil if there is no gap.
    var gap: String?
  }

  var points: [Mark]
  /// The number of deletions during the recording, by which the script notices one.
  var deletions = 0

  static func mark(_ point: TrackPoint) -> Mark {
    Mark(
      at: FieldMapView.pair(point.coordinate), heightMetres: point.ellipsoidalHeightMetres,
      time: point.time.rfc3339 ?? point.time.timeOfDay,
      kind: point.kind.rawValue, uncertaintyMetres95: point.horizontalUncertaintyMetres95,
      gap: point.gapBefore?.rawValue)
  }
}
