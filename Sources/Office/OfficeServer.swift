import Evidence
import Foundation
import Inspection
import Positioning
import Store
import Sync
import Synchronization
import Web

/// The officers' side. `make(configuration:clock:)` is the one place where it is put together; the
/// executable and the tests both call it.
public final class OfficeServer: Sendable {
  /// What it was told.
  public let configuration: OfficeConfiguration
  /// The one clock.
  public let clock: any Timepiece
  /// Its database.
  public let database: any OfficeDatabase
  /// Its photos and what belongs to them.
  public let photos: any PhotoStore
  /// Its certification authority.
  public let authority: Authority
  /// The secret that forms are signed with.
  public let formSecret: [UInt8]
  let receiptKey: SoftwareDeviceKey
  let receiptCertificate: EvidenceCertificate
  package let passwords = PasswordHasher()
  package let arrivals = Arrivals()
  /// What maps are drawn upon.
  package let baseMaps: BaseMaps
  /// The same for field units.
  package var offeredMaps: OfferedMaps { OfferedMaps(baseMaps: baseMaps) }
  /// Orbits that field units fetch.
  package let orbits: OrbitFolder
  /// A device may send a batch once more while its first sending is being made durable: two of them
  /// would write the same files.
  package let commits = Turns()
  /// One device's deliveries do not take all threads that there are for them.
  package let turns = Turns()
  let signIns = Mutex(SignInGuard())
  let refusals = Mutex(RefusalTally())
  package let requests: Mutex<RequestLimiter>
  /// What the executable has added to the office's own service.
  package let services: [any AddedService]
  /// What it counts of itself.
  public let counters = OfficeCounters()
  package let counted = CountedFigures()
  let readiness = Readiness()
  package let disk: DiskRoom
  let unclaimed = UnclaimedBytes()
  /// For work that may wait: examining photos, warming up.
  let background = WorkLane(width: 1, niceness: 10)
  /// For whom figures are shown; nil where it cannot be kept, and then for nobody.
  let metricsToken: String?
  package let started: DeviceTime

  private init(
    configuration: OfficeConfiguration, clock: any Timepiece, database: any OfficeDatabase,
    photos: any PhotoStore, services: [any AddedService], keys: OfficeKeys
  ) {
    self.configuration = configuration
    self.clock = clock
    self.database = database
    self.photos = photos
    authority = keys.authority
    receiptKey = keys.receiptKey
    receiptCertificate = keys.receiptCertificate
    formSecret = keys.formSecret
    baseMaps = BaseMaps(
      folder: configuration.folder.appendingPathComponent("maps").path, log: configuration.log)
    orbits = OrbitFolder(path: configuration.folder.appendingPathComponent("orbits").path)
    metricsToken = keys.metricsToken
    started = clock.deviceTime
    self.services = services
    disk = DiskRoom(
      space: configuration.freeSpace ?? FolderFreeSpace(path: configuration.folder.path),
      reserveBytes: configuration.diskReserveBytes, log: configuration.log)
    requests = Mutex(
      RequestLimiter(
        perSecond: configuration.deviceRequests.perSecond,
        burst: configuration.deviceRequests.burst))
  }

  /// Opens the data directory, makes what is missing in it (the certification authority, at the first
  /// start), and writes again what a crash has kept from being written.
  /// - Throws: `StoreError`, `EvidenceError` when the directory cannot be used.
  package static func make(
    configuration: OfficeConfiguration, clock: any Timepiece,
    database: (any OfficeDatabase)? = nil, photos: (any PhotoStore)? = nil,
    services: [any AddedService] = []
  ) async throws -> OfficeServer {
    let folder = configuration.folder.path
    try DurableFile.makeFolder(folder + "/keys")
    let keys = try DurableFile.withLock(folder + "/lock") {
      try OfficeKeys(
        folder: folder + "/keys", authorityName: configuration.authorityName,
        isFirstStart: !FileManager.default.fileExists(atPath: folder + "/standpoint.sqlite"),
        at: clock.deviceTime)
    }
    let office = OfficeServer(
      configuration: configuration, clock: clock,
      database: try database
        ?? SQLiteOfficeDatabase(
          OfficeStore(
            path: folder + "/standpoint.sqlite", writerCacheKiB: configuration.databaseCacheKiB)),
      photos: try photos ?? FolderPhotoStore(folder: folder), services: services, keys: keys)
    try await office.restoreDerivedFiles()
    try office.removeExpiredUploads()
    for service in services { try await service.begin(in: office) }
    return office
  }

  /// SHA-256 of the certification authority's certificate: what the office is known by.
  public var fingerprint: String { authority.certificate.fingerprint }

  package func log(
    _ action: String, on subject: String, by person: String, agency: String?,
    detail: String? = nil
  ) -> LogEntry {
    LogEntry(
      agency: agency, time: clock.deviceTime, person: person, action: action, subject: subject,
      detail: detail)
  }
}

/// The office's own keys as files, readable by their owner only: the certification authority's, the
/// one that signs receipts, and the secret of its forms.
struct OfficeKeys {
  let authority: Authority
  let receiptKey: SoftwareDeviceKey
  let receiptCertificate: EvidenceCertificate
  let formSecret: [UInt8]
  let metricsToken: String?

  /// - Parameter isFirstStart: whether there is no database yet. Where there is one, people rely on the
  ///   authority: a key that is missing then was lost, and a new one would take the place of the rest.
  init(
    folder: String, authorityName: String, isFirstStart: Bool, at time: DeviceTime
  ) throws {
    func read(_ name: String) -> [UInt8]? {
      FileManager.default.contents(atPath: folder + "/" + name).map { Array($0) }
    }
    func text(_ name: String) throws -> String {
      guard let bytes = read(name) else {
        throw StoreError.unavailable(
          path: folder + "/" + name,
          reason: "it is missing or its rights do not allow reading it; restore it from a backup")
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    // The certificate is written last: as long as it is not there, there was no first start.
    if isFirstStart, read("authority.crt") == nil {
      let authority = try Authority.make(name: authorityName, at: time)
      let key = SoftwareDeviceKey()
      let certificate = try authority.certifyOffice(key.publicKey, at: time)
      var random = SystemRandomNumberGenerator()
      let secret = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
      for (name, bytes) in [
        ("authority.key", Array(authority.keyPEM.utf8)), ("receipts.key", Array(key.pem.utf8)),
        ("receipts.crt", Array(certificate.pem.utf8)), ("forms.secret", secret),
        ("authority.crt", Array(authority.certificate.pem.utf8)),
      ] {
        try DurableFile.replace(folder + "/" + name, with: bytes)
      }
    }
    authority = try Authority(
      certificatePEM: try text("authority.crt"), keyPEM: try text("authority.key"))
    receiptKey = try SoftwareDeviceKey(pem: try text("receipts.key"))
    receiptCertificate = try EvidenceCertificate(pem: try text("receipts.crt"))
    formSecret = read("forms.secret") ?? []
    guard formSecret.count == 32 else {
      throw StoreError.unavailable(
        path: folder + "/forms.secret", reason: "it is damaged: restore it from a backup")
    }
    metricsToken = Self.metricsToken(folder + "/metrics.token")
  }

  /// Nobody relies on this one but whoever reads the figures: where it is missing a new one is made, and
  /// where it cannot be kept there is none.
  private static func metricsToken(_ path: String) -> String? {
    let known = FileManager.default.contents(atPath: path).map {
      String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
    if let known, known.utf8.count >= 32 { return known }
    let token = Token.make()
    return (try? DurableFile.replace(path, with: Array((token + "\n").utf8))).map { token }
  }
}
