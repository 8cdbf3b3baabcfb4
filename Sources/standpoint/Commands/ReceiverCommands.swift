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
  /// Tests whether a receiver will do for captures.
  struct Test: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Connect, listen, and say if the receiver is good enough.",
      discussion: """
        Shows which sentences come, how often, what kind of fix, which constellations, and what is \
        missing. Exit 1 if the receiver is not good enough for captures as it is.
        Example: standpoint gnss test serial:///dev/ttyACM0?baud=115200
        """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Argument(help: "The receiver (default: the chosen one).") var source: String?
    @Option(help: "How long to listen, in seconds.") var duration = 10.0

    func validate() throws {
      guard duration > 0, duration <= 3600 else {
        throw ValidationError("--duration must be more than 0 and at most 3600.")
      }
    }

    func run() async throws {
      let (source, clock, log) = try SourceOptions.prepared(source, in: data.directory)
      let receiver = try source.receiver(clock: clock, timeline: log)
      if !common.isJSON, log == nil {
        Terminal.complain(
          "\(source): listening for \(DecimalText.fixed(duration, places: 0)) s …")
      }
      let hearing = Hearing(
        seconds: duration, clock: clock, isReplay: log != nil, isOneOfSeveral: source.namesDevice)
      let run = Task {
        try await receiver.run { event in await hearing.take(event) }
      }
      let timer = Task {
        guard log == nil else { return }
        // The longest connection is Bluetooth's: the device is paged and asked for its services.
        try await clock.sleep(until: clock.elapsed.advanced(bySeconds: 25))
        await hearing.giveUpConnecting()
      }
      let outcome = await hearing.outcome()
      run.cancel()
      timer.cancel()
      _ = try? await run.value
      switch outcome {
      case .unreachable(let reason):
        throw ReceiverError.unreachable(source: "\(source)", reason: reason)
      case .heard(let survey, let losses):
        if common.isJSON {
          Terminal.say(Self.json(source, survey, losses))
        } else {
          for line in Self.text(source, survey, losses) { Terminal.say(line) }
        }
        guard survey.willDo else { throw ExitStatus.refused }
      }
    }

    private static func json(
      _ source: ReceiverSource, _ survey: ReceiverSurvey.Outcome, _ losses: [String]
    ) -> JSONValue {
      let fix = survey.fix
      return .members([
        ("source", .string("\(source)")), ("willDo", .bool(survey.willDo)),
        (
          "findings",
          .array(
            survey.findings.map {
              .members([
                ("weight", .string($0.weight.rawValue)), ("code", .string($0.code)),
                ("text", .string($0.text)),
              ])
            })
        ), ("bytes", .integer(survey.bytes)),
        (
          "sentences",
          .object(
            Dictionary(
              uniqueKeysWithValues: survey.sentences.map { ($0.address, .integer($0.count)) }))
        ),
        ("gpsdMessages", .integer(survey.counts.gpsdMessages)),
        ("badChecksums", .integer(survey.counts.badChecksums)),
        ("fixesPerSecond", survey.epochsPerSecond.map { .rounded($0, 2) }),
        ("mode", fix.map { .integer($0.mode.rawValue) }), ("quality", .text(fix?.quality?.name)),
        ("eph", fix?.horizontalUncertaintyMetres95.map { .rounded($0, 3) }),
        ("correctionAgeSeconds", fix?.correctionAgeSeconds.map { .rounded($0, 1) }),
        ("correctionStation", .text(fix?.correctionStation)),
        (
          "constellations", .array(survey.capability.constellations.map { .string($0.name) })
        ), ("dualFrequency", survey.capability.isDualFrequency.map { .bool($0) }),
        ("losses", .array(losses.map { .string($0) })),
      ])
    }

    private static func text(
      _ source: ReceiverSource, _ survey: ReceiverSurvey.Outcome, _ losses: [String]
    ) -> [String] {
      var lines: [String] = []
      let kinds = survey.sentencesText
      if !kinds.isEmpty { lines.append("sentences   \(kinds)") }
      if survey.counts.gpsdMessages > 0 {
        lines.append("gpsd        \(survey.counts.gpsdMessages) messages")
      }
      if let rate = survey.epochsPerSecond {
        lines.append("rate        \(DecimalText.fixed(rate, places: 1)) a second")
      }
      if let fix = survey.fixText { lines.append("fix         \(fix)") }
      let heard = survey.capability.constellations.map(\.name)
      if !heard.isEmpty {
        let bands =
          switch survey.capability.isDualFrequency {
          case true: "; dual-frequency"
          case false: "; single-frequency, as far as heard"
          case nil: ""
          }
        lines.append("hears       \(heard.joined(separator: ", "))\(bands)")
      }
      lines += losses.map { "lost        \($0)" }
      lines += survey.findings.map { finding in
        let sign =
          switch finding.weight {
          case .unusable: "✗"
          case .poor: "!"
          case .note: "·"
          }
        return "\(sign) \(finding.text)"
      }
      let use = source.isReplay ? "" : "; to use it for everything: standpoint gnss use \(source)"
      lines.append(survey.willDo ? "✓ it is good enough\(use)" : "✗ it is not good enough as it is")
      return lines
    }
  }

  /// Remembers the receiver that everything uses.
  struct Use: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Choose the receiver for map, tracks and photos.",
      discussion: """
        Without a source it shows the chosen receiver. --gnss and STANDPOINT_GNSS take precedence, \
        for the command that they are given to.
        Example: standpoint gnss use bluetooth://AA:BB:CC:DD:EE:FF
        """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Argument(help: "The receiver.") var source: String?
    @Flag(help: "Forget the chosen receiver.") var forget = false

    func validate() throws {
      if forget, source != nil {
        throw ValidationError("Give either a source or --forget.")
      }
    }

    func run() async throws {
      if let source {
        try ChosenReceiver.choose(try ReceiverSource(source), in: data.directory)
        if let other = Fallback.value("gnss") {
          Terminal.complain(
            "standpoint: the environment or the configuration file names \(other), which takes"
              + " precedence: remove it there")
        }
      }
      if forget { try ChosenReceiver.forget(in: data.directory) }
      let chosen = try ChosenReceiver.source(in: data.directory)
      if common.isJSON {
        Terminal.say(.members([("source", .text(chosen.map { "\($0)" }))]))
      } else {
        Terminal.say(
          chosen.map { "\($0)" } ?? "none chosen: \(SourceOptions.defaultSource) is used")
      }
    }
  }
}

/// Listens to a receiver for `seconds` after it was reached.
private actor Hearing {
  enum Outcome: Sendable {
    case unreachable(String)
    case heard(ReceiverSurvey.Outcome, losses: [String])
  }

  private let seconds: Double
  private let clock: any Timepiece
  private let isReplay: Bool
  private var survey: ReceiverSurvey
  private var losses: [String] = []
  private var isConnected = false
  private var result: Outcome?
  private var waiter: CheckedContinuation<Outcome, Never>?

  init(seconds: Double, clock: any Timepiece, isReplay: Bool, isOneOfSeveral: Bool) {
    self.seconds = seconds
    self.clock = clock
    self.isReplay = isReplay
    survey = ReceiverSurvey(seconds: seconds, isOneOfSeveral: isOneOfSeveral)
  }

  func take(_ event: ReceiverEvent) {
    guard result == nil else { return }
    switch event {
    case .bytes(let chunk):
      survey.accept(chunk.bytes)
      // A log is measured by its own seconds.
      if isReplay, Double(chunk.arrival.milliseconds) >= seconds * 1000 { end() }
    case .state(.listening):
      guard !isConnected else { return }
      isConnected = true
      if !isReplay {
        let (seconds, clock) = (seconds, clock)
        Task {
          try await clock.sleep(until: clock.elapsed.advanced(bySeconds: seconds))
          self.end()
        }
      }
    case .state(.lost(let reason, _)):
      losses.append(reason.description)
      if !isConnected { hand(.unreachable(reason.description)) }
    case .state(.ended): end()
    case .state: break
    }
  }

  func giveUpConnecting() {
    if !isConnected { hand(.unreachable(losses.last ?? "no answer")) }
  }

  private func end() {
    hand(.heard(survey.finish(), losses: losses))
  }

  private func hand(_ outcome: Outcome) {
    guard result == nil else { return }
    result = outcome
    waiter?.resume(returning: outcome)
    waiter = nil
  }

  func outcome() async -> Outcome {
    if let result { return result }
    return await withCheckedContinuation { waiter = $0 }
  }
}
