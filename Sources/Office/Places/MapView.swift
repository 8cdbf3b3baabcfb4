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
    /// The zoom for which they were counted, 0 ... 22.
    package var zoom: Int
    /// The box in which all of them lie: west, south, east, north, degrees.
    package var box: [Double]
    /// The identifier of the only photo or task; nil if there are more.
    package var id: String?
  }

  /// The number of photos of one year in the view, in UTC.
  package struct Year: Encodable, Sendable {
    /// The year.
    package var year: Int
    /// The number of photos.
    package var photos: Int
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

  /// A further parcel or a section of a task.
  package struct PlaceMark: Encodable, Sendable {
    /// The parcel's identifier, or the section's name.
    package var name: String
    /// The closed rings, each of places.
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
  /// The further parcels and the sections of a single task; nil for none.
  package var places: [PlaceMark]?
  /// The stretches of tracks.
  package var tracks: [TrackMark] = []
  /// The years of which the view has photos, the earliest first, whatever span of years is shown; nil
  /// if they were not asked for.
  package var years: [Year]?
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

  /// Returns a cluster that was counted for a zoom.
  package static func mark(_ cluster: MapCluster, zoom: Int) -> Cluster {
    let id: Identifier? =
      switch cluster.single {
      case .photo(let id), .task(let id): id
      case nil: nil
      }
    let (box, short) = (cluster.box, { (degrees: Double) in (degrees * 1e7).rounded() / 1e7 })
    return Cluster(
      at: pair(cluster.place), photos: cluster.photos, tasks: cluster.tasks, zoom: zoom,
      box: [box.westDegrees, box.southDegrees, box.eastDegrees, box.northDegrees].map(short),
      id: id?.description)
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
      rings: closed(parcel.rings))
  }

  /// Returns the marks of a task's further parcels and sections; nil for none.
  package static func marks(_ places: OrderedPlaces) -> [PlaceMark]? {
    places.list.isEmpty
      ? nil : places.list.map { PlaceMark(name: $0.name, rings: closed($0.rings)) }
  }

  private static func closed(_ rings: [[Coordinate]]) -> [[[Double]]] {
    rings.map { ring in (ring + ring.prefix(1)).map(pair) }
  }
}

extension Places {
  /// The greatest number of photos that are drawn one by one; a view with more counts them.
  static let photosDrawnAtMost = 400
  private static let tasksDrawnAtMost = 500

  /// The years that a view of the map is asked for.
  package enum Years: Sendable {
    /// Photos of all years, without the number of each year.
    case unasked
    /// Photos of all years.
    case all
    /// Photos of a span of years; tasks are drawn by their parcels only.
    case span(YearSpan)

    /// The span; nil for all years.
    package var span: YearSpan? {
      if case .span(let span) = self { span } else { nil }
    }

    /// True if the number of photos of each year is asked for.
    package var areAsked: Bool {
      if case .unasked = self { false } else { true }
    }

    /// Reads the years of an address: `all`, `2019` or `2019-2024`; nothing asks for none. Nil for
    /// anything else.
    package init?(_ text: String?) {
      switch text {
      case nil: self = .unasked
      case "all": self = .all
      case .some(let text):
        guard let span = YearSpan(text) else { return nil }
        self = .span(span)
      }
    }
  }

  /// Returns the contents of a view of the map.
  /// - Parameters:
  ///   - zoom: the map's zoom, 0 ... 22.
  ///   - filter: the tasks to show; nil for everything, photos without a task included.
  package func mapView(
    in box: CoordinateBox, zoom: Int, _ filter: TaskFilter?, years: Years = .unasked,
    of agency: String
  ) async throws -> MapView {
    let now = clock.deviceTime
    let zoom = min(max(zoom, 0), 22)
    // A cell is half a tile wide: that is room for a number, and no two numbers overlap.
    let level = zoom + 1
    return try await database.read(in: agency) { session in
      var view = MapView()
      var clusters: [MapCluster]?
      func counted() throws -> [MapCluster] {
        try session.map.clusters(in: box, level: level, filter, years: years.span, at: now)
      }
      // Counted in finer cells than are drawn, because these extend less beyond the view; and
      // year by year, which takes longer, only if years are asked for.
      let tally =
        years.areAsked ? try session.map.tally(in: box, level: level + 3, nil, at: now) : nil
      var things =
        try tally.map { $0.photos(in: years.span) + (years.span == nil ? $0.tasks : 0) }
        ?? session.map.things(in: box, level: level + 3)
      if filter != nil {
        let found = try counted()
        things = min(things, found.reduce(0) { $0 + $1.photos + $1.tasks })
        clusters = found
      }
      if let tally {
        let seen =
          try filter == nil ? tally : session.map.tally(in: box, level: level, filter, at: now)
        view.years = seen.photosByYear.sorted { $0.key < $1.key }
          .map { MapView.Year(year: $0.key, photos: $0.value) }
      }
      let areDrawn = things <= Self.photosDrawnAtMost
      if areDrawn {
        view.photos = try session.map.placedPhotos(
          in: box, filter, years: years.span, at: now, limit: Self.photosDrawnAtMost
        ).map(MapView.mark)
      } else {
        view.clusters = try (clusters ?? counted()).map { MapView.mark($0, zoom: zoom) }
      }
      if areDrawn || zoom >= 14 {
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
    view.places = MapView.marks(task.task.places)
    view.tracks = task.tracks.flatMap { MapView.marks($0, TrackCourse.stretches($0.points)) }
    return view
  }
}
