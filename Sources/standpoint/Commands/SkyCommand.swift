import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Positioning
import Receivers

extension GNSSCommand {
  /// The satellites that the receiver hears.
  struct Sky: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "The satellites that the receiver hears, and what it can hear.",
      discussion: """
        Listens for a few seconds, because many receivers tell their sky every fifth second only. \
        Signals, and with them dual-frequency capability, are known where the receiver names them \
        (NMEA 0183 4.10 and later).
        Example: standpoint gnss sky --gnss gpsd://localhost:2947 --constellation Galileo
        """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var source: SourceOptions
    @Option(help: "Only this one: GPS, GLONASS, Galileo, BeiDou, QZSS, NavIC or SBAS.")
    var constellation: String?
    @Option(help: "How long to listen, in the receiver's seconds.") var duration = 6.0

    func validate() throws {
      if !(duration > 0) { throw ValidationError("--duration is more than 0.") }
      if let constellation, Constellation(name: constellation) == nil {
        let names = Constellation.allCases.map(\.name).joined(separator: ", ")
        throw ValidationError("--constellation \(constellation) is none of \(names).")
      }
    }

    func run() async throws {
      let (source, clock, log) = try self.source.prepared()
      let follower = ReceiverFollower(
        receiver: try source.receiver(clock: clock, timeline: log), clock: clock,
        gate: GatePolicy(), sampler: SamplerPolicy())
      let heard = SkyListener(follower: follower, seconds: duration)
      _ = await follower.listen { event in await heard.take(event) }
      let seconds = duration
      let isReplay = log != nil
      try await Following.run(follower) {
        // A receiver that knows no time is listened to for as long by this machine's clock.
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
      let wanted = constellation.flatMap(Constellation.init(name:))
      guard let (sky, capability) = await heard.outcome else { throw CancellationError() }
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
          "standpoint: \(source) told of no \(wanted.map { "\($0.name) " } ?? "")satellite in"
            + " \(DecimalText.fixed(seconds, places: 0)) s; a receiver that sends no GSV (gpsd: no SKY)"
            + " does not say what it hears")
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
              .members([
                ("constellation", .string(satellite.constellation.name)),
                ("id", .integer(satellite.id)),
                ("azimuth", satellite.azimuthDegrees.map { .rounded($0, 1) }),
                ("elevation", satellite.elevationDegrees.map { .rounded($0, 1) }),
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

    private static func text(
      _ satellites: [Satellite], _ capability: ReceiverCapability
    ) -> [String] {
      func column(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
      }
      func number(_ value: Double?) -> String {
        value.map { DecimalText.fixed($0, places: 0) } ?? "-"
      }
      guard !satellites.isEmpty else { return [] }
      let heading = "          id  azimuth  elevation  C/N0  used  signals"
      let rows = satellites.map { satellite in
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
      let bands =
        switch capability.isDualFrequency {
        case true: "dual-frequency"
        case false: "single-frequency, as far as heard"
        case nil: "signals are not named by this receiver"
        }
      let heard = capability.constellations.map(\.name).joined(separator: ", ")
      return [heading] + rows + [
        "\(satellites.count) satellites, \(satellites.filter(\.isUsed).count) used; hears \(heard); \(bands)"
      ]
    }
  }
}

/// Takes the sky when the receiver's seconds are over: awaited by the follower, so that a log that is
/// played as fast as it can gives the same answer each time.
private actor SkyListener {
  /// What was heard; nil until it is over.
  private(set) var outcome: (sky: [Satellite], capability: ReceiverCapability)?
  private let follower: ReceiverFollower
  private let seconds: Double
  private var first: GNSSTime?
  private var isTaking = false
  private var waiter: CheckedContinuation<Void, Never>?

  init(follower: ReceiverFollower, seconds: Double) {
    self.follower = follower
    self.seconds = seconds
  }

  func take(_ event: FollowerEvent) async {
    if case .state(.ended) = event { await finish() }
    guard case .positioning(.fix(let judged)) = event else { return }
    let begun = first ?? judged.fix.time
    first = begun
    if judged.fix.time.seconds(since: begun) >= seconds { await finish() }
  }

  func finish() async {
    guard !isTaking else { return }
    isTaking = true
    outcome = (await follower.sky, await follower.capability)
    waiter?.resume()
    waiter = nil
  }

  func isOver() async {
    guard outcome == nil else { return }
    await withCheckedContinuation { waiter = $0 }
  }
}
