import Evidence
import Foundation
import Inspection
import MapLayers
import OfficeKeyring
import Orbits
import Store
import Sync
import Synchronization
import TimeAndText
import Web

/// The parts that every service of the office works with: its settings, clock, database, files and keys.
public final class OfficeCore: Sendable {
  /// The settings.
  public let configuration: OfficeConfiguration
  /// The only clock of the office.
  public let clock: any Timepiece
  /// The database.
  public let database: any OfficeDatabase
  /// The store of photos and of the files that belong to them.
  public let photos: any PhotoStore
  /// The office's keys; they can be renewed while the office runs.
  public let keys: KeyRingFolder
  /// The secret that signs forms.
  public let formSecret: [UInt8]
  /// The figures that the office counts of itself.
  public let counters = OfficeCounters()
  /// The hashing of passwords.
  package let passwords = PasswordHasher()
  /// The announcement that photos have arrived.
  package let arrivals = Arrivals()
  /// The free space of the disk.
  package let disk: DiskRoom
  /// The base maps of all agencies, for the office's own maps and for field units.
  package let layers: OfficeLayers
  /// The orbits that field units fetch.
  package let orbits: OrbitFolder
  /// The same orbits, read for comparing receivers' skies with them.
  let orbitLibrary: OrbitLibrary
  /// The token for programs that read the figures; nil if it cannot be stored, and then no program
  /// may read them.
  let metricsToken: String?
  /// The time when the program started.
  package let started: DeviceTime
  /// The thread for work that may wait: examining photos, warming up. It gives way to all others.
  let background = WorkLane(width: 1, niceness: 10)
  /// The thread on which the certification authority signs: a token takes its time.
  package let certifying = WorkLane(width: 1)
  /// The time until which the authority is not asked again, because its token did not sign.
  let authorityPause = Mutex<ElapsedTime?>(nil)

  init(
    configuration: OfficeConfiguration, clock: any Timepiece, database: any OfficeDatabase,
    photos: any PhotoStore, keys: OfficeKeys
  ) {
    self.configuration = configuration
    self.clock = clock
    self.database = database
    self.photos = photos
    self.keys = keys.ring
    formSecret = keys.formSecret
    metricsToken = keys.metricsToken
    started = clock.deviceTime
    let orbitFolder = configuration.folder.appendingPathComponent("orbits").path
    orbits = OrbitFolder(path: orbitFolder)
    orbitLibrary = OrbitLibrary(folder: orbitFolder)
    disk = DiskRoom(
      space: configuration.freeSpace ?? FolderFreeSpace(path: configuration.folder.path),
      reserveBytes: configuration.diskReserveBytes, log: configuration.log)
    layers = OfficeLayers(
      folder: configuration.folder.path, clock: clock,
      fetcher: ServiceFetcher(userAgent: "\(configuration.software) (base maps)"),
      hasRoom: { [disk] in !disk.isLow(at: clock.elapsed) }, log: configuration.log)
  }

  /// Returns the shelf that fetches orbits into the office's folder once a day.
  /// - Parameter address: where from; nil for nowhere.
  package func orbitShelf(from address: String?) -> OrbitShelf {
    let folder = configuration.folder.path
    return OrbitShelf(
      folder: folder + "/orbits", memories: folder, address: address, clock: clock,
      hasRoom: { [disk, clock] in !disk.isLow(at: clock.elapsed) }, time: nil)
  }

  /// The certification authority of today.
  public var authority: Authority { keys.ring.authority }

  /// The SHA-256 of the certification authority's certificate, by which people know the office.
  public var fingerprint: String { authority.certificate.fingerprint }

  /// The office's public description of itself.
  package var message: OfficeMessage {
    let ring = keys.ring
    return OfficeMessage(
      software: configuration.software, fingerprint: ring.authority.certificate.fingerprint,
      authorities: ring.valid.count > 1 ? ring.validPEM : nil)
  }

  /// Creates an entry of the log with the present time.
  package func log(
    _ action: String, on subject: String, by person: String, agency: String?,
    detail: String? = nil
  ) -> LogEntry {
    LogEntry(
      agency: agency, time: clock.deviceTime, person: person, action: action, subject: subject,
      detail: detail)
  }

  /// Requires that the disk has at least its reserve free.
  /// - Throws: `OfficeRefusal` (disk-low).
  package func requireDisk() throws(OfficeRefusal) {
    guard !disk.isLow(at: clock.elapsed) else { throw .diskIsLow }
  }
}
