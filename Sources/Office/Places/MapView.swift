import Foundation
import Geodesy
import Inspection
import Store
import Sync
import TimeAndText

/// The contents of a view of the map, for the map's script and the console's programs. Coordinates
/// are longitude before latitude, in degrees; rings are closed; times are RFC 3339 in UTC.
package struct MapView: Encodable, Sendable {
  /// Things near each other, drawn as one number.
  package struct Cluster: Encodable, Sendable {
    /// The place, longitude before latitude, degrees.
    package var at: [Double]
    /// The number of photos.
    package var photos: Int
    /// The number of tasks.
    package var tasks: Int
  }

  /// A photo, if a view has so few that each can be seen.
  package struct PhotoMark: Encodable, Sendable {
    /// The photo's identifier.
    package var id: String
    /// The identifier of its task; nil without one.
    package var task: String?
    /// The place, longitude before latitude, degrees.
    package var at: [Double]
    /// The height above the ellipsoid, metres; nil if unknown.
    package var heightMetres: Double?
    /// The uncertainty of the place, 95 %, metres; nil if unknown.
    package var uncertaintyMetres95: Double?
    /// The direction of the lens from true north, degrees; nil if unknown.
    package var azimuthDegreesTrue: Double?
    /// The camera's horizontal angle of view, degrees.
    package var viewDegrees: Double
    /// The device time of the photo.
    package var time: String
  }

  /// A task with the outline of its parcel.
  package struct TaskMark: Encodable, Sendable {
    /// The task's identifier.
    package var id: String
    /// The task's name.
    package var name: String
    /// The task's state, by its word in messages.
    package var state: String
    /// The middle of the parcel, longitude before latitude, degrees.
    package var at: [Double]
    /// The closed rings of the parcel, each of places.
    package var rings: [[[Double]]]
  }

  /// A stretch of a track's way: a track with gaps has several stretches of one name.
  package struct TrackMark: Encodable, Sendable {
    /// The track's name.
    package var name: String
    /// The track's origin: `fieldUnit` or `egnss4cap`.
    package var origin: String
    /// The places of the stretch, in their order.
    package var line: [[Double]]
  }

  /// The things counted together.
  package var clusters: [Cluster] = []
  /// The photos drawn one by one.
  package var photos: [PhotoMark] = []
  /// The tasks with their parcels.
  package var tasks: [TaskMark] = []
  /// The stretches of tracks.
  package var tracks: [TrackMark] = []
  /// The box around everything, for a map that has not been moved yet: west, south, east, north;
  /// nil if it was not asked for.
  package var box: [Double]?

  /// Creates a view with nothing in it.
  package init() {}

  /// Returns a place as longitude and latitude, rounded to 0.0000001°.
  package static func pair(_ place: Coordinate) -> [Double] {
    func short(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    return [short(place.longitudeDegrees), short(place.latitudeDegrees)]
  }

  /// Returns the mark of a photo.
  package static func mark(_ photo: PlacedPhoto) -> PhotoMark {
    PhotoMark(
      id: photo.id.description, task: photo.task?.description, at: pair(photo.place),
      heightMetres: photo.ellipsoidalHeightMetres,
      uncertaintyMetres95: photo.uncertaintyMetres95,
      azimuthDegreesTrue: photo.azimuthDegreesTrue, viewDegrees: photo.viewDegrees,
      time: photo.time.rfc3339)
  }

  /// Returns the mark of a photo with all that is known of it.
  package static func mark(_ photo: Photo) -> PhotoMark {
    PhotoMark(
      id: photo.id.description, task: photo.task?.description,
      at: pair(photo.position.coordinate),
      heightMetres: photo.position.ellipsoidalHeightMetres,
      uncertaintyMetres95: photo.position.uncertaintyMetres95,
      azimuthDegreesTrue: photo.orientation?.azimuthDegreesTrue,
      viewDegrees: photo.camera.horizontalDegrees, time: photo.deviceTime.rfc3339)
  }

  /// Returns the marks of a track, one for each line.
  package static func marks(_ track: Track, _ lines: [[Coordinate]]) -> [TrackMark] {
    lines.map { line in
      TrackMark(name: track.name, origin: track.origin.rawValue, line: line.map(pair))
    }
  }

  /// Returns the mark of a task; nil if it has no parcel.
  package static func mark(_ task: InspectionTask) -> TaskMark? {
    guard let parcel = task.parcel, let middle = parcel.middle else { return nil }
    return TaskMark(
      id: task.id.description, name: task.name, state: task.state.rawValue, at: pair(middle),
      rings: parcel.rings.map { ring in (ring + ring.prefix(1)).map(pair) })
  }
}

extension Places {
  /// The greatest number of photos that are drawn one by one; a view with more counts them.
  static let photosDrawnAtMost = 400
  private static let tasksDrawnAtMost = 500

  /// Returns the contents of a view of the map.
  /// - Parameters:
  ///   - zoom: the map's zoom, 0 ... 22.
  ///   - filter: the tasks to show; nil for everything, photos without a task included.
  package func mapView(
    in box: CoordinateBox, zoom: Int, _ filter: TaskFilter?, of agency: String
  ) async throws -> MapView {
    let now = clock.deviceTime
    // A cell is half a tile wide: that is room for a number, and no two numbers overlap.
    let level = min(max(zoom, 0), 22) + 1
    return try await database.read(in: agency) { session in
      var view = MapView()
      // Counted in finer cells than are drawn, because these extend less beyond the view.
      var things = try session.map.things(in: box, level: level + 3)
      var clusters: [MapCluster] = []
      if filter != nil {
        clusters = try session.map.clusters(in: box, level: level, filter, at: now)
        things = min(things, clusters.reduce(0) { $0 + $1.photos + $1.tasks })
      }
      if things <= Self.photosDrawnAtMost {
        view.photos = try session.map.placedPhotos(
          in: box, filter, at: now, limit: Self.photosDrawnAtMost
        ).map(MapView.mark)
        view.tasks = try session.map.placedTasks(
          in: box, filter, at: now, limit: Self.tasksDrawnAtMost
        ).compactMap(MapView.mark)
        return view
      }
      if filter == nil {
        clusters = try session.map.clusters(in: box, level: level, nil, at: now)
      }
      view.clusters = clusters.map {
        MapView.Cluster(at: MapView.pair($0.place), photos: $0.photos, tasks: $0.tasks)
      }
      if zoom >= 14 {
        view.tasks = try session.map.placedTasks(
          in: box, filter, at: now, limit: Self.tasksDrawnAtMost
        ).compactMap(MapView.mark)
      }
      return view
    }
  }

  /// Returns a task's own map: its parcel, its photos, its tracks.
  package func mapView(
    ofTask id: Identifier, in agency: String, ofInspector inspector: String? = nil
  ) async throws -> MapView {
    Self.mapView(of: try await review.view(of: id, in: agency, ofInspector: inspector))
  }

  /// Returns the map of a task that is known already.
  package static func mapView(of task: TaskView) -> MapView {
    var view = MapView()
    view.photos = task.photos.filter { $0.deletedReason == nil }.map { MapView.mark($0.photo) }
    view.tasks = [task.task].compactMap(MapView.mark)
    view.tracks = task.tracks.flatMap { MapView.marks($0, TrackCourse.stretches($0.points)) }
    return view
  }
}
