import Foundation
import Geodesy
import Inspection
import Positioning
import Store
import Sync

/// What a view of the map shows, as the script of the map and the console's programs read it. Coordinates are
/// longitude before latitude, in degrees, rings closed, times RFC 3339 in UTC.
package struct MapView: Encodable, Sendable {
  /// Things that stand near each other.
  package struct Cluster: Encodable, Sendable {
    package var at: [Double]
    package var photos: Int
    package var tasks: Int
  }

  /// A photo, where so few stand in the view that each can be seen.
  package struct PhotoMark: Encodable, Sendable {
    package var id: String
    package var task: String?
    package var at: [Double]
    /// Above the ellipsoid.
    package var heightMetres: Double?
    package var uncertaintyMetres95: Double?
    package var azimuthDegreesTrue: Double?
    package var viewDegrees: Double
    package var time: String
  }

  /// A task with the outline of its parcel.
  package struct TaskMark: Encodable, Sendable {
    package var id: String
    package var name: String
    package var state: String
    package var at: [Double]
    package var rings: [[[Double]]]
  }

  /// A stretch of a track's way: where it has gaps, there are several of one name.
  package struct TrackMark: Encodable, Sendable {
    package var name: String
    /// `fieldUnit` or `egnss4cap`.
    package var origin: String
    package var line: [[Double]]
  }

  package var clusters: [Cluster] = []
  package var photos: [PhotoMark] = []
  package var tasks: [TaskMark] = []
  package var tracks: [TrackMark] = []
  /// Where all of it is, for a map that has not been moved yet: west, south, east, north.
  package var box: [Double]?

  package static func pair(_ place: Coordinate) -> [Double] {
    func short(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    return [short(place.longitudeDegrees), short(place.latitudeDegrees)]
  }

  package static func mark(_ photo: PlacedPhoto) -> PhotoMark {
    PhotoMark(
      id: photo.id.description, task: photo.task?.description, at: pair(photo.place),
      heightMetres: photo.ellipsoidalHeightMetres,
      uncertaintyMetres95: photo.uncertaintyMetres95,
      azimuthDegreesTrue: photo.azimuthDegreesTrue, viewDegrees: photo.viewDegrees,
      time: photo.time.rfc3339)
  }

  package static func marks(_ track: Track, _ lines: [[Coordinate]]) -> [TrackMark] {
    lines.map { line in
      TrackMark(name: track.name, origin: track.origin.rawValue, line: line.map(pair))
    }
  }

  package static func mark(_ task: InspectionTask) -> TaskMark? {
    guard let parcel = task.parcel, let middle = parcel.middle else { return nil }
    return TaskMark(
      id: task.id.description, name: task.name, state: task.state.rawValue, at: pair(middle),
      rings: parcel.rings.map { ring in (ring + ring.prefix(1)).map(pair) })
  }
}

extension OfficeServer {
  /// So many photos are drawn one by one; where more stand in a view they are counted.
  static let photosDrawnAtMost = 400
  private static let tasksDrawnAtMost = 500

  /// What a view of the map shows.
  /// - Parameters:
  ///   - zoom: the map's, 0 ... 22.
  ///   - filter: which tasks; nil for everything, photos without a task, too.
  package func mapView(
    in box: CoordinateBox, zoom: Int, _ filter: TaskFilter?, of agency: String
  ) async throws -> MapView {
    let now = clock.deviceTime
    // A cell is half a tile wide: that is room for a number, and no two numbers lie on each other.
    let level = min(max(zoom, 0), 22) + 1
    return try await database.read(in: agency) { session in
      var view = MapView()
      // Counted in finer cells than are drawn, which reach less beyond the view.
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

  /// A task's own map: its parcel, its photos, its tracks.
  package func mapView(
    ofTask id: Identifier, in agency: String, ofInspector inspector: String? = nil
  ) async throws -> MapView {
    let task = try await view(of: id, in: agency, ofInspector: inspector)
    var view = MapView()
    view.photos = task.photos.filter { $0.deletedReason == nil }.map(\.photo).map { photo in
      MapView.PhotoMark(
        id: photo.id.description, task: id.description,
        at: MapView.pair(photo.position.coordinate),
        heightMetres: photo.position.ellipsoidalHeightMetres,
        uncertaintyMetres95: photo.position.uncertaintyMetres95,
        azimuthDegreesTrue: photo.orientation?.azimuthDegreesTrue,
        viewDegrees: photo.camera.horizontalDegrees, time: photo.deviceTime.rfc3339)
    }
    view.tasks = [task.task].compactMap(MapView.mark)
    view.tracks = task.tracks.flatMap { MapView.marks($0, TrackCourse.stretches($0.points)) }
    return view
  }
}
