import Evidence
import Inspection
import Store
import TimeAndText
import Web

/// A service of the office. Its type holds everything that it may use: the core, and the services
/// that it calls.
package protocol OfficeService: Sendable {
  /// The core of the office.
  var core: OfficeCore { get }
}

// The names of the core's parts, so that a service's functions read as sentences.
extension OfficeService {
  /// The settings.
  package var configuration: OfficeConfiguration { core.configuration }
  /// The only clock of the office.
  package var clock: any Timepiece { core.clock }
  /// The database.
  package var database: any OfficeDatabase { core.database }
  /// The store of photos and of the files that belong to them.
  package var photos: any PhotoStore { core.photos }
  /// The certification authority.
  package var authority: Authority { core.authority }
  /// The SHA-256 of the certification authority's certificate, by which people know the office.
  package var fingerprint: String { core.fingerprint }
  /// The announcement that photos have arrived.
  package var arrivals: Arrivals { core.arrivals }
  /// The numbers that the office counts while it runs.
  package var counters: OfficeCounters { core.counters }

  /// Creates an entry of the log with the present time.
  package func log(
    _ action: String, on subject: String, by person: String, agency: String?,
    detail: String? = nil
  ) -> LogEntry {
    core.log(action, on: subject, by: person, agency: agency, detail: detail)
  }

  /// Requires that the disk has at least its reserve free.
  /// - Throws: `OfficeRefusal` (disk-low).
  package func requireDisk() throws(OfficeRefusal) { try core.requireDisk() }
}
