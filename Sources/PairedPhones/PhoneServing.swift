// The pages are open to other devices only while somebody wants that: the page without TLS while a code
// holds, the pages over TLS while a code holds or a phone is paired. An inspector who pairs no phone opens
// nothing.

import FieldPages
import FieldUnit
import Foundation
import Inspection
import TimeAndText
import Web

/// Serves the pages to phones.
package struct PhoneServing: Sendable {
  /// The seconds between two looks at what is wanted.
  private static let paceSeconds = 1.0
  /// The seconds after which a server that could not begin is tried again.
  private static let retrySeconds = 5.0
  /// The looks after which the network is looked at, too.
  private static let looksPerNetwork = 5
  /// The same for a hotspot that is down: only a command on this device brings it up unseen.
  private static let looksPerQuietHotspot = 15

  /// Eight phones, each with a page, its live parts and its pictures.
  private static let phoneConnectionsAtMost = 120
  private static let strangerConnectionsAtMost = 40

  private let gate: PhoneGate
  private let desk: PhoneDesk
  private let hotspot: HotspotDesk
  private let routes: Routes
  private let secret: [UInt8]
  private let address: (host: String, port: Int)
  /// The server that is there anyway and lets phones in; nil if it is on this device alone.
  private let own: (host: String, port: Int)?

  /// Creates the serving of phones.
  /// - Parameters:
  ///   - routes: the table of all pages, with the gate before them.
  ///   - secret: the key of the form tokens.
  ///   - address: where phones are served; the page without TLS is at the next port.
  ///   - own: where a server listens that phones reach already; nil serves them at `address`.
  init(
    gate: PhoneGate, desk: PhoneDesk, hotspot: HotspotDesk, routes: Routes, secret: [UInt8],
    address: (host: String, port: Int), own: (host: String, port: Int)?
  ) {
    (self.gate, self.desk, self.hotspot) = (gate, desk, hotspot)
    (self.routes, self.secret, self.address, self.own) = (routes, secret, address, own)
  }

  /// A task that runs while it is wanted.
  private struct Turn {
    var task: Task<Void, Never>?
    var ending: Task<Void, Never>?

    func end() async {
      task?.cancel()
      await ending?.value
      await task?.value
    }
  }

  /// The tasks that run now.
  private struct Running {
    var secure = Turn()
    var plain = Turn()
    var name = Turn()
    var look: Task<Void, Never>?
  }

  /// Serves phones until the surrounding task is cancelled.
  package func run() async throws {
    let (host, securePort) = own ?? address
    do {
      try desk.keep(
        PhoneDesk.Ports(
          host: DeviceNetwork.isEvery(host) ? nil : host, secure: securePort,
          plain: address.port + 1))
    } catch {
      gate.server.log.note("phones: \(error)")
    }
    var running = Running()
    do {
      try await watch(&running, securePort)
    } catch {
      // A photo that is being sent has as long to come as on the device's own pages.
      running.look?.cancel()
      for turn in [running.secure, running.plain, running.name] { turn.task?.cancel() }
      for turn in [running.secure, running.plain, running.name] { await turn.end() }
      throw error
    }
  }

  private func watch(_ running: inout Running, _ securePort: Int) async throws {
    var looks = 0
    while true {
      let wanted = self.wanted()
      if own == nil { turn(&running.secure, on: wanted.secure) { try await serveSecurely() } }
      turn(&running.plain, on: wanted.plain) { try await servePlainly(securePort) }
      // Avahi has no place for the name twice; servers that end still have pictures to take.
      turn(&running.name, on: wanted.secure, afterEnd: true) { await publishName() }
      try await Task.sleep(for: .seconds(Self.paceSeconds))
      looks += 1
      if looks.isMultiple(of: Self.looksPerNetwork) { look() }
      let pace = hotspot.stage == .down ? Self.looksPerQuietHotspot : Self.looksPerNetwork
      if looks.isMultiple(of: pace) {
        // A NetworkManager that does not answer keeps nobody waiting here.
        let before = running.look
        running.look = Task { [hotspot] in
          await before?.value
          await hotspot.look()
        }
      }
    }
  }

  private func wanted() -> (secure: Bool, plain: Bool) {
    do {
      let register = try gate.book.register()
      let holds = register.code?.holds(at: gate.clock.deviceTime) == true
      return (holds || !register.phones.isEmpty, holds)
    } catch {
      // A list that cannot be read lets nobody in; the page of phones says so.
      return (false, false)
    }
  }

  private func look() {
    do {
      if try desk.look(at: gate.clock.deviceTime) {
        gate.server.log.note(
          "phones: a new certificate for \(desk.here.addresses.joined(separator: ", "))")
        gate.server.bell.ring()
      }
    } catch {
      gate.server.log.note("phones: \(error)")
    }
  }

  private func turn(
    _ turn: inout Turn, on isWanted: Bool, afterEnd: Bool = false,
    _ serve: @escaping @Sendable () async throws -> Void
  ) {
    if isWanted, turn.task == nil {
      let before = afterEnd ? turn.ending : nil
      turn.task = Task {
        await before?.value
        while !Task.isCancelled {
          do {
            try await serve()
          } catch is CancellationError {
            return
          } catch {
            let words: Wording = "phones cannot come in: \("\(error)")"
            desk.note(fault: words)
            gate.server.log.note("phones: \(error)")
            gate.server.bell.ring()
          }
          // The port may be free again soon.
          try? await Task.sleep(for: .seconds(Self.retrySeconds))
        }
      }
    } else if !isWanted, let task = turn.task {
      task.cancel()
      turn = Turn(task: nil, ending: task)
    }
  }

  /// Tells the networks this device's name, until it is cancelled.
  private func publishName() async {
    // Where the pages are served at one address alone, the name leads to it.
    let served = (own ?? address).host
    let isOne = IPAddressBytes(served) != nil && !DeviceNetwork.isEvery(served)
    await NamePublisher(places: {
      DeviceNetwork.currentPlaces().filter { !isOne || $0.address == served }
    }) { [desk, gate] standing in
      desk.note(standing)
      gate.server.bell.ring()
    }.run()
  }

  /// - Parameter connectionsAtMost: the most connections of all addresses: the process has files to open
  ///   for other things, too.
  private func configuration(port: Int, connectionsAtMost: Int) -> WebConfiguration {
    var configuration = WebConfiguration(
      host: address.host, port: port, secret: secret, serverName: "standpoint field")
    configuration.currentHosts = { [desk] in desk.hosts }
    configuration.connectionsAtMost = connectionsAtMost
    configuration.connectionsPerAddressAtMost = connectionsAtMost / 2
    configuration.silentConnectionsPerAddressAtMost = connectionsAtMost / 4
    return configuration
  }

  private func serveSecurely() async throws {
    var configuration = configuration(
      port: address.port, connectionsAtMost: Self.phoneConnectionsAtMost)
    let first = try desk.requireCertificate()
    configuration.currentCertificate = { [desk] in desk.certificate ?? first }
    let server = WebServer(
      configuration: configuration, routes: routes, problemPage: gate.server.problemPage,
      log: { [gate] in gate.server.log.note($0) })
    try await server.run { [desk] _ in desk.note(fault: nil) }
  }

  private func servePlainly(_ securePort: Int) async throws {
    let page = TrustPage(desk: desk, ports: (securePort, address.port + 1)) { request in
      Self.host(of: request.origin)
    }
    let server = WebServer(
      configuration: configuration(
        port: address.port + 1, connectionsAtMost: Self.strangerConnectionsAtMost),
      routes: page.routes,
      problemPage: page.problem, log: { [gate] in gate.server.log.note($0) })
    try await server.run()
  }

  /// Returns the host of an origin, with brackets round an address of IPv6; nil if there is none.
  static func host(of origin: String) -> String? {
    guard let start = origin.range(of: "://")?.upperBound else { return nil }
    let authority = origin[start...]
    if authority.hasPrefix("[") {
      return authority.firstIndex(of: "]").map { String(authority[...$0]) }
    }
    let host = authority.prefix { $0 != ":" }
    return host.isEmpty ? nil : String(host)
  }
}
