import ArgumentParser
import Evidence
import FieldPages
import FieldUnit
import Foundation
import Inspection
import Matching
import OfficePages
import Orbits
import PairedPhones
import Positioning
import Receivers
import TimeAndText
import Upkeep
import Web

/// An address at which a program listens.
struct ListenAddress {
  var host: String
  var port: Int

  /// Reads `HOST:PORT`, with brackets round an IPv6 address.
  init(_ text: String) throws {
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
      (0...65_535).contains(port)
    else { throw ValidationError("--listen \(text) is not HOST:PORT, such as 127.0.0.1:8470.") }
    let name = text[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    guard !name.isEmpty else { throw ValidationError("--listen \(text) names no host.") }
    host = name
    self.port = port
  }
}

/// The options of serving, for field unit and office alike.
struct ServingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A certificate chain (PEM): serve HTTPS.", valueName: "file"))
  var tlsCert: String?
  @Option(help: ArgumentHelp("Its private key (PEM).", valueName: "file")) var tlsKey: String?
  @Option(
    help: ArgumentHelp(
      "A further name under which browsers reach it, for example behind a proxy (may be repeated).",
      valueName: "name"))
  var hostName: [String] = []
  @Option(
    help: ArgumentHelp(
      "The address of a proxy in front, such as 127.0.0.1: its X-Forwarded-For is trusted (may be repeated).",
      valueName: "address"))
  var proxy: [String] = []

  func validate() throws {
    for address in proxy where !WebConfiguration.isAddress(address) {
      throw ValidationError("--proxy \(address) is not an IP address, such as 127.0.0.1.")
    }
    guard (tlsCert == nil) == (tlsKey == nil) else {
      throw ValidationError("Give both --tls-cert and --tls-key, or neither.")
    }
  }

  func configuration(
    listen: String, secret: [UInt8], serverName: String
  ) throws -> WebConfiguration {
    let address = try ListenAddress(listen)
    var configuration = WebConfiguration(port: address.port, secret: secret, serverName: serverName)
    configuration.host = address.host
    configuration.extraHosts = hostName
    configuration.proxies = Set(proxy)
    if let tlsCert, let tlsKey {
      configuration.tls = (certificatePath: tlsCert, keyPath: tlsKey)
    }
    return configuration
  }

  /// Returns the SHA-256 of the program's own TLS certificate; nil if it has none.
  func certificateFingerprint() throws -> String? {
    try Self.fingerprint(ofCertificate: tlsCert)
  }

  /// Returns the SHA-256 of a TLS certificate; nil for no file.
  static func fingerprint(ofCertificate path: String?) throws -> String? {
    guard let path else { return nil }
    do {
      return try WebConfiguration.certificateFingerprint(ofFile: path)
    } catch {
      throw ExitStatus.explained(
        .badInput, "--tls-cert \(path) holds no certificate in PEM that can be read: \(error)")
    }
  }

  /// Returns the address that people type.
  func url(_ configuration: WebConfiguration, port: Int) -> String {
    let host =
      ["0.0.0.0", "::"].contains(configuration.host) ? "localhost" : configuration.host
    return
      "\(configuration.isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }
}

/// Runs the field unit and its pages.
struct FieldCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "field", abstract: "Run the field unit and its pages.",
    discussion: """
      Open the address that it prints in the device's browser, and sign in once.

      Example: standpoint field --office https://office.example --camera 'rpicam-still -n -o {file}'
      """, subcommands: [FieldPairCommand.self, FieldPhonesCommand.self, FieldHotspotCommand.self])

  @OptionGroup var data: DataOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var serving: ServingOptions
  @Option(help: "The address and port of the pages.") var listen = "127.0.0.1:8470"
  @Option(
    help: ArgumentHelp(
      "Where paired phones are served, over TLS; the page that pairs them is at the next port.",
      valueName: "host:port"))
  var phones = "\(FieldPhones.address.host):\(FieldPhones.address.port)"
  @Option(help: "The office's address that the sign-in page offers (STANDPOINT_OFFICE).")
  var office: String?
  @Option(
    help: ArgumentHelp(
      "The address of orbits for the expected sky, fetched once a day (STANDPOINT_ORBITS).",
      valueName: "url"))
  var orbits: String?
  @Option(help: "The camera's command; {file} is the path to write. It runs without a shell.")
  var camera: String?

  func validate() throws {
    let (pages, phones) = (try ListenAddress(listen), try ListenAddress(phones))
    guard (1...65_534).contains(phones.port), phones.port + 1 != pages.port else {
      throw ValidationError(
        "--phones \(self.phones): give a port from 1 to 65534; the next one must be free, too.")
    }
    guard pages.port > 0 || ListeningRule.isOwnName(pages.host) else {
      throw ValidationError(
        "--listen \(listen): phones need a port that stays: give one from 1 on.")
    }
    if let camera, Camera.words(camera) == nil {
      throw ValidationError("--camera \(camera): a quote is not closed, or there is no command.")
    }
  }

  func run() async throws {
    ProcessMemory.beginSparingly()
    let address = try ListenAddress(listen)
    let phoneAddress = try ListenAddress(phones)
    let (source, clock, log) = try self.source.prepared(in: data.directory)
    var configuration = try data.configuration()
    configuration.gate.allowsSimulated = self.source.allowSimulated
    configuration.orbitsAddress = try OrbitsAddress.given(orbits)
    let follower = ReceiverFollower(
      receiver: try source.receiver(clock: clock, timeline: log), clock: clock,
      gate: configuration.gate, sampler: configuration.sampler)
    let field = try FieldServer(
      configuration: configuration, clock: clock, follower: follower,
      defaultOffice: office ?? Fallback.value("office"),
      camera: camera.flatMap(Camera.words).map { .command($0) })
    let matcher = PictureMatcher.ofThisProgram()
    let hosts = [address.host, phoneAddress.host].filter { !ListeningRule.isOwnName($0) }
    let phones = FieldPhones(
      field, pages: field.routes(matcher: matcher), clock: MachineClock()
    ) {
      DeviceNetwork.current().with(hosts: hosts)
    }
    let needsCertificate = ListeningRule.needsOwnCertificate(
      host: address.host, hasTLS: serving.tlsCert != nil, hostNames: serving.hostName)
    let given = try serving.configuration(
      listen: listen, secret: try field.formSecret(), serverName: "standpoint field")
    let isOpen = !ListeningRule.isOwnName(address.host)
    let web = try needsCertificate ? phones.secured(given) : isOpen ? phones.named(given) : given
    let server = WebServer(
      configuration: web, routes: phones.routes, problemPage: field.problemPage,
      log: {
        field.log.note($0)
        Terminal.complain($0)
      })
    await field.beginLog()
    let serving = serving
    let phoneServing = phones.serving(
      secret: web.secret, address: (phoneAddress.host, phoneAddress.port),
      // Phones reach a server beyond this device anyway.
      own: web.isSecure && isOpen ? (address.host, address.port) : nil)
    try await Serving.untilInterrupted { group in
      group.addTask {
        try await server.run { port in
          Terminal.say("field unit at \(serving.url(web, port: port))")
          Terminal.complain("receiver \(source); Ctrl-C ends it, nothing is lost")
        }
      }
      group.addTask {
        // The pages show an error that does not mend itself, and their settings cure it.
        try await follower.runThroughChanges {
          field.log.note("receiver: \($0)")
          Terminal.complain("standpoint: \($0)")
        }
      }
      group.addTask { try await field.deliverForever() }
      group.addTask { try await phoneServing.run() }
      group.addTask { try await field.orbits.fetchForever() }
    }
    await matcher.end()
  }

}

/// The address of orbits, which field unit and office fetch alike.
enum OrbitsAddress {
  /// Returns the address that an option, the environment or the configuration gives; nil for none.
  static func given(_ option: String?) throws -> String? {
    guard let text = option ?? Fallback.value("orbits") else { return nil }
    do {
      return try OrbitShelf.checkedAddress(text)
    } catch {
      throw ExitStatus.explained(.badInput, "\(error)")
    }
  }
}

/// Runs servers and their loops until Ctrl-C or the service manager ends them.
enum Serving {
  static func untilInterrupted(
    _ add: (inout ThrowingTaskGroup<Void, any Error>) -> Void
  ) async throws {
    let (stream, feed) = AsyncStream.makeStream(of: Void.self)
    let interrupts = Interrupts { feed.yield() }
    defer { interrupts.stop() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      add(&group)
      group.addTask { for await _ in stream { return } }
      do {
        // The first event ends it: an interrupt, or an error of a task that cannot go on.
        try await group.next()
      } catch is CancellationError {}
      group.cancelAll()
      while true {
        do {
          guard try await group.next() != nil else { break }
        } catch is CancellationError {}
      }
    }
  }
}
