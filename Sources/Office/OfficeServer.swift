import Evidence
import Foundation
import Inspection
import Store
import TimeAndText
import Web

/// The office, for officers and for field units. `make(configuration:clock:)` is the only place
/// that puts it together; the executable and the tests both call it.
public final class OfficeServer: Sendable {
  /// The parts that all services work with.
  package let core: OfficeCore
  /// The services that the executable has added to the office's own.
  package let services: [any AddedService]
  /// The agencies and their people.
  package let people: People
  /// Signs people in, and knows who is signed in.
  package let sessions: Sessions
  /// The capture policies of agencies, and their lists of cells.
  package let policies: Policies
  /// Writes the files that follow from the database.
  package let derived: DerivedFiles
  /// Signs field units in, and keeps revoked ones out.
  package let devices: Devices
  /// Reads the requests of field units and programs.
  package let requests: DeviceRequests
  /// The room that deliveries take on the disk and of their agency's quota.
  package let room: Room
  /// Receives the files that batches will name.
  package let uploads: Uploads
  /// Examines photos that have arrived.
  package let examiner: Examiner
  /// Takes the batches of field units.
  package let deliveries: Deliveries
  /// Shows tasks with their photos and tracks, and decides them.
  package let review: Review
  /// Takes the orders of officers.
  package let orders: Orders
  /// The items that agencies keep for types of tasks.
  package let templates: Templates
  /// Imports files of tasks and parcels.
  package let imports: Importing
  /// Finds tasks, photos, tracks and parcels by place.
  package let places: Places
  /// Keeps photo points and their series.
  package let points: PhotoPoints
  /// Makes composites of photos.
  package let composites: Composites
  /// Runs the office: readiness, figures, log, backup, and the removal of expired things.
  package let operation: Operation

  private init(core: OfficeCore, services: [any AddedService]) {
    self.core = core
    self.services = services
    people = People(core: core)
    sessions = Sessions(core: core, people: people)
    policies = Policies(core: core)
    derived = DerivedFiles(core: core)
    devices = Devices(core: core, sessions: sessions, derived: derived)
    requests = DeviceRequests(core: core, sessions: sessions, devices: devices)
    room = Room(core: core, people: people)
    uploads = Uploads(core: core, room: room)
    examiner = Examiner(core: core, people: people, services: services)
    deliveries = Deliveries(core: core, room: room, derived: derived, examiner: examiner)
    review = Review(core: core, services: services)
    orders = Orders(core: core, people: people)
    templates = Templates(core: core)
    imports = Importing(core: core, people: people, orders: orders)
    places = Places(core: core, review: review)
    points = PhotoPoints(core: core)
    composites = Composites(core: core)
    operation = Operation(
      core: core, people: people, sessions: sessions, uploads: uploads, imports: imports,
      services: services)
  }

  /// Opens the data directory, makes the missing things in it (at the first start, the
  /// certification authority), and writes the files that a crash has left out.
  /// - Throws: `StoreError`, `EvidenceError` if the directory cannot be used.
  package static func make(
    configuration: OfficeConfiguration, clock: any Timepiece,
    database: (any OfficeDatabase)? = nil, photos: (any PhotoStore)? = nil,
    services: [any AddedService] = []
  ) async throws -> OfficeServer {
    let folder = configuration.folder.path
    try DurableFile.makeFolder(folder + "/keys")
    let keys = try DurableFile.withLock(folder + "/lock") {
      try OfficeKeys(
        folder: folder + "/keys", lock: folder + "/lock",
        authorityName: configuration.authorityName,
        isFirstStart: !FileManager.default.fileExists(atPath: folder + "/standpoint.sqlite"),
        at: clock.deviceTime, log: configuration.log)
    }
    let core = OfficeCore(
      configuration: configuration, clock: clock,
      database: try database
        ?? SQLiteOfficeDatabase(
          OfficeStore(
            path: folder + "/standpoint.sqlite", writerCacheKiB: configuration.databaseCacheKiB),
          beforeCommit: ItemJudging.judge),
      photos: try photos ?? FolderPhotoStore(folder: folder), keys: keys)
    let office = OfficeServer(core: core, services: services)
    try await office.derived.restore()
    try office.uploads.removeExpiredUploads()
    for service in services { try await service.begin(in: core) }
    return office
  }
}

// The core's parts by their own names, for pages and programs.
extension OfficeServer {
  /// The settings.
  public var configuration: OfficeConfiguration { core.configuration }
  /// The only clock of the office.
  public var clock: any Timepiece { core.clock }
  /// The database.
  public var database: any OfficeDatabase { core.database }
  /// The store of photos and of the files that belong to them.
  public var photos: any PhotoStore { core.photos }
  /// The SHA-256 of the certification authority's certificate, by which people know the office.
  public var fingerprint: String { core.fingerprint }

  /// Creates an entry of the log with the present time.
  package func log(
    _ action: String, on subject: String, by person: String, agency: String?,
    detail: String? = nil
  ) -> LogEntry {
    core.log(action, on: subject, by: person, agency: agency, detail: detail)
  }
}
