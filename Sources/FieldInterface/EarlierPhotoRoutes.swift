import Evidence
import Geodesy
import Inspection
import MapLayers
import Office
import OfficeExporting
import Store
import Sync
import Synchronization
import TimeAndText
import Web

/// The routes of the earlier photos around an inspector's tasks: the clusters, and the small
/// pictures. What a device has is not sent again.
struct EarlierPhotoRoutes {
  let office: OfficeServer
  private let remembered = RememberedPlaces()
  /// A new device fetches a thousand pictures as fast as they come. Twenty of them at once would take both
  /// cores from the officers' pages, so the devices share one turn.
  private let turnstile = Turnstile(width: 1, waitingAtMost: 1000)

  init(office: OfficeServer) { self.office = office }

  func add(to routes: inout Routes) {
    routes.get("/api/v1/earlier-photos") { request in
      try await office.requests.answering {
        let person = try await office.requests.device(request).person()
        let bytes = try WireJSON.bytes(try await clusters(aroundTasksOf: person))
        return WebResponse.list(bytes, for: request)
      }
    }
    routes.get("/api/v1/earlier-photos/{id}/small.jpg") { request in
      try await office.requests.answering {
        let person = try await office.requests.device(request).person()
        guard let id = request.parameters["id"].flatMap(Identifier.init(_:)) else {
          throw OfficeRefusal(.unknown, "there is no such photo here")
        }
        let turn = try await turnstile.passing { try await picture(of: id, near: person) }
        guard let bytes = turn else {
          throw OfficeRefusal(.notReady, "many devices fetch pictures now: try again later")
        }
        return WebResponse.picture(bytes, for: request)
      }
    }
  }

  /// Returns the boxes around the parcels of the tasks that a person still works on, each with the
  /// parcel's middle, the first due first.
  private func surroundings(
    of person: Person
  ) async throws -> (places: [(box: CoordinateBox, middle: Coordinate)], isCut: Bool) {
    let tasks = try await office.database.tasks(inWorkOf: person, at: office.clock.deviceTime)
    let land = TaskNeighbourhood(of: tasks)
    let places = land.lands.flatMap { land in
      TaskNeighbourhood.boxes(around: land, metres: EarlierPhotoRule.aroundTasksMetres).compactMap {
        box in land.middle.map { (box: box, middle: $0) }
      }
    }
    return (places, land.isCut)
  }

  /// Returns the boxes of `surroundings`, as they were a minute ago at most: a device fetches a thousand
  /// pictures one after the other, and reading a person's tasks for each of them kept the office busy.
  private func places(of person: Person) async throws -> [RememberedPlaces.Place] {
    let now = office.clock.elapsed
    if let places = remembered.places(of: person, at: now) { return places }
    let places = try await surroundings(of: person).places
    remembered.keep(places, of: person, at: now)
    return places
  }

  /// Returns the clusters of the agency's photos around the tasks that a person still works on, those
  /// nearest to a task first.
  func clusters(aroundTasksOf person: Person) async throws -> EarlierPhotosMessage {
    let (places, isCut) = try await surroundings(of: person)
    let now = office.clock.deviceTime
    let zoom = EarlierPhotoRule.gridLevel - 1
    var nearest: [CoordinateBox: (cluster: MapCluster, metres: Double)] = [:]
    for place in places {
      // One transaction for each box: others may read in between.
      let found = try await office.database.read(in: person.agency) {
        try $0.map.clusters(
          in: place.box, level: EarlierPhotoRule.gridLevel, nil, years: nil, at: now)
      }
      for cluster in found where cluster.photos > 0 {
        let metres = Geodesic.distanceMetres(from: cluster.place, to: place.middle)
        if metres < nearest[cluster.box]?.metres ?? .infinity {
          nearest[cluster.box] = (cluster, metres)
        }
      }
    }
    let sorted = nearest.values.sorted {
      ($0.metres, $0.cluster.box.westDegrees, $0.cluster.box.southDegrees)
        < ($1.metres, $1.cluster.box.westDegrees, $1.cluster.box.southDegrees)
    }
    var message = EarlierPhotosMessage(
      isCut: isCut || sorted.count > EarlierPhotoRule.clustersAtMost)
    for (cluster, _) in sorted.prefix(EarlierPhotoRule.clustersAtMost) {
      let photos = try await photos(of: cluster, in: person.agency, at: now)
      let shown = EarlierPhotoRule.shown(of: photos, taken: \.time)
      // Photos on the line between two cells belong to both boxes, and to one cluster.
      let known = Set(message.clusters.flatMap(\.photos).map(\.id))
      message.clusters.append(
        EarlierPhotosMessage.Cluster(
          at: cluster.place, count: cluster.photos, zoom: zoom, box: cluster.box,
          photos: shown.filter { !known.contains($0.id.description) }.prefix(cluster.photos).map {
            EarlierPhotosMessage.Shown(id: $0.id, at: $0.place, taken: $0.time)
          }))
    }
    return message
  }

  /// Returns the photos of a cluster among which those with pictures are chosen: all of them, or some of
  /// each year where they are very many.
  private func photos(
    of cluster: MapCluster, in agency: String, at now: DeviceTime
  ) async throws -> [PlacedPhoto] {
    try await office.database.read(in: agency) { session in
      guard cluster.photos > EarlierPhotoRule.readAtMost else {
        return try session.map.placedPhotos(
          in: cluster.box, nil, years: nil, at: now, limit: EarlierPhotoRule.readAtMost)
      }
      let tally = try session.map.tally(
        in: cluster.box, level: EarlierPhotoRule.gridLevel, nil, at: now)
      return try tally.photosByYear.keys.sorted().compactMap { YearSpan(first: $0, last: $0) }
        .flatMap { year in
          try session.map.placedPhotos(
            in: cluster.box, nil, years: year, at: now, limit: EarlierPhotoRule.shownAtMost)
        }
    }
  }

  /// Returns the small picture of a photo around a person's tasks, without metadata.
  /// - Throws: `OfficeRefusal` (unknown) for any other photo, and for one that is deleted or hidden.
  private func picture(of id: Identifier, near person: Person) async throws -> [UInt8] {
    let found = try await office.database.read(in: person.agency) { session in
      try StoreError.found { try session.photos.photo(id) }
    }
    guard let found, found.deletedReason == nil, found.hidden == nil else {
      throw OfficeRefusal(.unknown, "there is no such photo here")
    }
    let place = found.photo.position.coordinate
    let grid = MapGrid(level: EarlierPhotoRule.gridLevel)
    let cell = grid.cell(of: place)
    let isNear = try await places(of: person).contains { place in
      let (columns, rows) = grid.cells(of: place.box)
      return rows.contains(cell.y) && columns.contains { $0.contains(cell.x) }
    }
    guard isNear else { throw OfficeRefusal(.unknown, "there is no such photo here") }
    return try office.exports.picture(.thumbnail, of: found.photo)
  }
}

/// The boxes around people's tasks, for a minute.
private final class RememberedPlaces: Sendable {
  typealias Place = (box: CoordinateBox, middle: Coordinate)

  private static let seconds = 60.0
  private static let peopleAtMost = 500

  private struct Entry {
    var places: [Place]
    var read: ElapsedTime
  }

  private let entries = Mutex<[Person: Entry]>([:])

  /// Returns a person's boxes; nil if they were read longer ago, or never.
  func places(of person: Person, at now: ElapsedTime) -> [Place]? {
    entries.withLock { entries in
      guard let entry = entries[person], Self.isFresh(entry, at: now) else { return nil }
      return entry.places
    }
  }

  func keep(_ places: [Place], of person: Person, at now: ElapsedTime) {
    entries.withLock { entries in
      if entries.count >= Self.peopleAtMost {
        entries = entries.filter { Self.isFresh($0.value, at: now) }
      }
      guard entries.count < Self.peopleAtMost || entries[person] != nil else { return }
      entries[person] = Entry(places: places, read: now)
    }
  }

  private static func isFresh(_ entry: Entry, at now: ElapsedTime) -> Bool {
    (0..<seconds).contains(now.seconds(since: entry.read))
  }
}
