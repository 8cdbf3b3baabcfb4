import FieldPages
import FieldUnit
import Foundation
import Inspection
import TimeAndText
import Web

/// A field unit's pages with those for phones, and the gate before all of them.
package struct FieldPhones: Sendable {
  /// Where phones are served unless something else is said.
  package static let address = (host: "0.0.0.0", port: 8471)

  private let gate: PhoneGate
  let desk: PhoneDesk
  private let hotspot: HotspotDesk
  /// The table of all addresses.
  package let routes: Routes

  /// Puts the pages for phones beside those of a field unit.
  /// - Parameters:
  ///   - pages: the table of the field unit's own pages.
  ///   - clock: this machine's clock.
  ///   - network: returns the names and addresses of this device.
  package init(
    _ server: FieldServer, pages: Routes, clock: any Timepiece,
    network: @escaping @Sendable () -> DeviceNetwork = DeviceNetwork.current
  ) {
    gate = PhoneGate(server: server, clock: clock)
    let keys = DataFolder(dataDirectory: server.configuration.dataDirectory).keys
    desk = PhoneDesk(keys: keys, at: clock.deviceTime, network: network)
    hotspot = HotspotDesk(keys: keys, clock: clock) {
      server.log.note($0)
    } changed: {
      server.bell.ring()
    }
    var routes = pages
    PairPages(gate: gate, desk: desk).add(to: &routes)
    let hotspotPages = HotspotPages(gate: gate, desk: desk, hotspot: hotspot)
    hotspotPages.add(to: &routes)
    PhonePages(gate: gate, desk: desk, hotspot: hotspotPages).add(to: &routes)
    gate.guardAll(&routes)
    self.routes = routes
  }

  /// Returns a server's settings with the names and addresses of this device, for a server that other
  /// devices reach.
  package func named(_ configuration: WebConfiguration) -> WebConfiguration {
    var configuration = configuration
    configuration.currentHosts = { [desk] in desk.hosts }
    return configuration
  }

  /// Returns a server's settings with the device's own certificate.
  /// - Throws: `FieldUnitError.unreadable` if it cannot be read.
  package func secured(_ configuration: WebConfiguration) throws -> WebConfiguration {
    var configuration = named(configuration)
    let first = try desk.requireCertificate()
    configuration.currentCertificate = { [desk] in desk.certificate ?? first }
    return configuration
  }

  /// Returns the serving of phones; see `PhoneServing`.
  package func serving(
    secret: [UInt8], address: (host: String, port: Int), own: (host: String, port: Int)?
  ) -> PhoneServing {
    PhoneServing(
      gate: gate, desk: desk, hotspot: hotspot, routes: routes, secret: secret, address: address,
      own: own)
  }
}
