import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Geodesy
import Positioning
import Receivers
import Telling
import TimeAndText

extension GNSSCommand {
  /// The satellites that the receiver hears.
  struct Sky: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show the satellites and signals that the receiver hears.",
      discussion: """
        Listens for a few seconds, because many receivers report their satellites only every fifth \
        second. Signals, and so dual-frequency capability, are known if the receiver names them \
        (NMEA 0183 4.10 and later).
        With --expected it shows instead which satellites are expected in the sky, from stored \
        orbits and without a network: RINEX navigation files (version 3 or 4), two-line elements \
        with the satellites' names, or YUMA almanacs in the data directory's orbits/, or the files \
        named with --orbits. For each satellite the orbit nearest in time is used. Without \
        --position the receiver's position is used.
        Example: standpoint gnss sky --gnss gpsd://localhost:2947 --constellation Galileo
        Example: standpoint gnss sky --expected --orbits BRDC.rnx --at 2026-06-01T09:30:00Z \
        --position 50.0755,14.4378
        """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var source: SourceOptions
    @OptionGroup var data: DataOptions
    @Option(help: "Only this constellation: GPS, GLONASS, Galileo, BeiDou, QZSS, NavIC or SBAS.")
    var constellation: String?
    @Option(help: "How long to listen, in the receiver's seconds.") var duration = 6.0
    @Flag(help: "Show the satellites expected in the sky, from stored orbits.") var expected = false
    @Option(
      help: ArgumentHelp("With --expected: the time (RFC 3339; default: now).", valueName: "time"))
    var at: String?
    // Southern latitudes begin with a minus sign.
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("With --expected: the place, in degrees.", valueName: "lat,lon"))
    var position: String?
    @Option(help: ArgumentHelp("With --expected: files of orbits.", valueName: "file"))
    var orbits: [String] = []

    func validate() throws {
      if !expected, at != nil || position != nil || !orbits.isEmpty {
        throw ValidationError("--at, --position and --orbits need --expected.")
      }
      if let at, DeviceTime(rfc3339: at) == nil {
        throw ValidationError("--at \(at) is not a time such as 2026-06-01T09:30:00Z.")
      }
      if let position, Self.coordinate(position) == nil {
        throw ValidationError("--position \(position) is not LAT,LON such as 50.0755,14.4378.")
      }
      if !(duration > 0) { throw ValidationError("--duration must be more than 0.") }
      if let constellation, Constellation(name: constellation) == nil {
        let names = Constellation.allCases.map(\.name).joined(separator: ", ")
        throw ValidationError(
          "--constellation \(constellation) is unknown; choose one of \(names).")
      }
    }

    private static func coordinate(_ text: String) -> Coordinate? {
      let parts = text.split(separator: ",").map { Double($0.trimmingCharacters(in: .whitespaces)) }
      guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else { return nil }
      return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    }

    func run() async throws {
      if expected { try await forecast() } else { try await listen() }
    }

    private func forecast() async throws {
      let wanted = constellation.flatMap(Constellation.init(name:))
      let files = try SkyForecast.files(named: orbits, in: data.directory)
      var time = at.flatMap(DeviceTime.init(rfc3339:))
      var place = position.flatMap(Self.coordinate)
      if place == nil {
        let fix = try await heard().outcome?.fix
        place = fix?.coordinate
        if time == nil, let said = fix?.time.millisecondsSince1970 {
          time = DeviceTime(millisecondsSince1970: said)
        }
      }
      guard let place else {
        throw ExitStatus.explained(
          .refused, "the receiver has no position: give one with --position LAT,LON")
      }
      let forecast = try SkyForecast(
        files: files, isNamed: !orbits.isEmpty, at: time ?? MachineClock().deviceTime, from: place)
      let satellites = forecast.satellites.filter {
        wanted == nil || $0.constellation == wanted
      }
      if common.isJSON {
        Terminal.say(forecast.json(satellites))
      } else {
        for line in Self.rows(satellites) { Terminal.say(line) }
        let count = satellites.count
        Terminal.say("\(count) satellite\(count == 1 ? "" : "s") \(forecast.basis)")
      }
    }

    /// Listens to the receiver for the duration.
    private func heard() async throws -> SkyListener {
      let (source, clock, log) = try self.source.prepared(in: data.directory)
      let follower = ReceiverFollower(
        receiver: try source.receiver(clock: clock, timeline: log), clock: clock,
        gate: GatePolicy(), sampler: SamplerPolicy())
      let heard = SkyListener(follower: follower, seconds: duration)
      _ = await follower.listen { event in await heard.take(event) }
      let seconds = duration
      let isReplay = log != nil
      try await Following.run(follower) {
        // A receiver that tells no time is listened to for `seconds` of this machine's clock.
        let timer =
          isReplay
          ? nil
          : Task {
            try await clock.sleep(until: clock.elapsed.advanced(bySeconds: seconds))
            await heard.finish()
          }
        defer { timer?.cancel() }
        await heard.isOver()
      }
      return heard
    }

    private func listen() async throws {
      let heard = try await heard()
      let wanted = constellation.flatMap(Constellation.init(name:))
      guard let (sky, capability, _) = await heard.outcome else { throw CancellationError() }
      let satellites =
        sky
        .filter { wanted == nil || $0.constellation == wanted }
        .sorted { ($0.constellation.rawValue, $0.id) < ($1.constellation.rawValue, $1.id) }
      if common.isJSON {
        Terminal.say(Self.json(satellites, capability))
      } else {
        for line in Self.text(satellites, capability) { Terminal.say(line) }
      }
      if satellites.isEmpty {
        Terminal.complain(
          "standpoint: \(heard.source) reported no \(wanted.map { "\($0.name) " } ?? "")satellite"
            + " in \(DecimalText.fixed(duration, places: 0)) s; a receiver without GSV (gpsd:"
            + " without SKY) does not report its satellites")
        throw ExitStatus.refused
      }
    }

    private static func json(
      _ satellites: [Satellite], _ capability: ReceiverCapability
    ) -> JSONValue {
      .members([
        (
          "satellites",
          .array(
            satellites.map { satellite in
              .members(
                satellite.place + [
                  ("cn0", satellite.carrierToNoiseDecibelHertz.map { .rounded($0, 1) }),
                  ("used", .bool(satellite.isUsed)),
                  ("signals", .array(satellite.signals.map { .string($0.name) })),
                ])
            })
        ),
        ("constellations", .array(capability.constellations.map { .string($0.name) })),
        (
          "signals",
          .array(capability.signals.map { .string("\($0.constellation.name) \($0.name)") })
        ), ("dualFrequency", capability.isDualFrequency.map { .bool($0) }),
      ])
    }

    private static func rows(_ satellites: [Satellite]) -> [String] {
      func column(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
      }
      func number(_ value: Double?) -> String {
        value.map { DecimalText.fixed($0, places: 0) } ?? "-"
      }
      guard !satellites.isEmpty else { return [] }
      let heading = "          id  azimuth  elevation  C/N0  used  signals"
      return [heading]
        + satellites.map { satellite in
          let name = satellite.constellation.name
          let signals = satellite.signals.map(\.name).joined(separator: ", ")
          let row =
            name + column("\(satellite.id)", 12 - name.count)
            + column(number(satellite.azimuthDegrees), 9)
            + column(number(satellite.elevationDegrees), 11)
            + column(number(satellite.carrierToNoiseDecibelHertz), 6)
            + column(satellite.isUsed ? "yes" : "", 6)
          return signals.isEmpty ? row : row + "  " + signals
        }
    }

    private static func text(
      _ satellites: [Satellite], _ capability: ReceiverCapability
    ) -> [String] {
      guard !satellites.isEmpty else { return [] }
      let bands =
        switch capability.isDualFrequency {
        case true: "dual-frequency"
        case false: "single-frequency, as far as heard"
        case nil: "signals are not named by this receiver"
        }
      let heard = capability.constellations.map(\.name).joined(separator: ", ")
      return rows(satellites) + [
        "\(satellites.count) satellites, \(satellites.filter(\.isUsed).count) used; hears \(heard); \(bands)"
      ]
    }
  }
}

/// Takes the sky when the receiver's seconds are over. The follower waits for it, so that a log
/// that is played as fast as possible gives the same answer each time.
private actor SkyListener {
  /// The satellites, the capability and the last fix with a coordinate; nil until the listening is over.
  private(set) var outcome: (sky: [Satellite], capability: ReceiverCapability, fix: Fix?)?
  let source: String
  private let follower: ReceiverFollower
  private var last: Fix?
  private let seconds: Double
  private var first: GNSSTime?
  private var isTaking = false
  private var waiter: CheckedContinuation<Void, Never>?

  init(follower: ReceiverFollower, seconds: Double) {
    self.follower = follower
    self.seconds = seconds
    source = "\(follower.source)"
  }

  func take(_ event: FollowerEvent) async {
    if case .state(.ended) = event { await finish() }
    guard case .positioning(.fix(let judged)) = event else { return }
    if judged.fix.coordinate != nil { last = judged.fix }
    let begun = first ?? judged.fix.time
    first = begun
    if judged.fix.time.seconds(since: begun) >= seconds { await finish() }
  }

  func finish() async {
    guard !isTaking else { return }
    isTaking = true
    outcome = (await follower.sky, await follower.capability, last)
    waiter?.resume()
    waiter = nil
  }

  func isOver() async {
    guard outcome == nil else { return }
    await withCheckedContinuation { waiter = $0 }
  }
}
