import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Geodesy
import Positioning
import Receivers
import Telling
import TimeAndText

/// Commands for the receiver, and for recorded logs.
struct GNSSCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gnss", abstract: "Receivers and recorded logs.",
    subcommands: [
      Watch.self, Sky.self, Scan.self, Pair.self, Test.self, Use.self, Surroundings.self,
      Decode.self, Gate.self, Centroid.self,
    ])

  /// Shows fixes as they come.
  struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show fixes as they come, with their age.",
      discussion: "Example: standpoint gnss watch --gnss gpsd://localhost:2947 --count 10")

    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @OptionGroup var source: SourceOptions

    @Option(help: "Stop after this many fixes.") var count: Int?
    @Option(help: "Stop after this many seconds.") var duration: Double?

    func validate() throws {
      if let count, count < 1 { throw ValidationError("--count must be 1 or more.") }
      if let duration, !(duration > 0) { throw ValidationError("--duration must be more than 0.") }
    }

    func run() async throws {
      let (source, clock, log) = try self.source.prepared(in: data.directory)
      let follower = ReceiverFollower(
        receiver: try source.receiver(clock: clock, timeline: log), clock: clock,
        gate: GatePolicy(), sampler: SamplerPolicy())
      // Each event carries the time at which it was heard: a fix's age is its age at that time.
      let (events, feed) = AsyncStream.makeStream(of: (FollowerEvent, ElapsedTime).self)
      _ = await follower.listen { event in feed.yield((event, clock.elapsed)) }
      let isJSON = common.isJSON
      let isReplay = log != nil
      let limit = count ?? .max
      let seconds = duration
      let shown = try await Following.run(follower) {
        // A replay counts the receiver's seconds: played as fast as possible, it outruns any timer.
        let timer = (isReplay ? nil : seconds).map { seconds in
          Task {
            try await clock.sleep(until: clock.elapsed.advanced(bySeconds: seconds))
            feed.finish()
          }
        }
        defer { timer?.cancel() }
        var watch = FixWatch(
          source: source, clock: clock, isJSON: isJSON, secondsAtMost: isReplay ? seconds : nil,
          hasLookedAtDate: isReplay)
        for await (event, now) in events {
          if watch.take(event, at: now) { feed.finish() }
          if watch.shown >= limit { break }
        }
        return watch.positions
      }
      if shown == 0 {
        Terminal.complain("standpoint: no fix from \(source)")
        throw ExitStatus.refused
      }
    }
  }

  /// Shows the fixes of a recorded log.
  struct Decode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show the fixes of a recorded log.",
      discussion: """
        Times of day are the receiver's; a date is shown only if the log or --date has one.
        Example: standpoint gnss decode walk.nmea --format json
        """)

    @OptionGroup var common: CommonOptions
    @Argument(help: "The log, or - for standard input.") var file: String
    @Option(help: "The date of the first fix, YYYY-MM-DD, for logs that carry none.")
    var date: String?
    @Flag(help: "Show only the counts of sentences, bad checksums and fixes.") var countOnly = false

    func validate() throws {
      if let date, CivilDate(iso8601: date) == nil {
        throw ValidationError("--date \(date) is not a date (YYYY-MM-DD).")
      }
    }

    func run() async throws {
      var decoder = FixDecoder(assumedDate: date.flatMap(CivilDate.init(iso8601:)))
      try LogReader.read(file) { chunk in
        decoder.accept(chunk) { show($0) }
      }
      decoder.finish { show($0) }
      let counts = decoder.counts
      if countOnly {
        if common.isJSON {
          Terminal.say(
            .object([
              "sentences": .integer(counts.sentences),
              "badChecksums": .integer(counts.badChecksums), "fixes": .integer(decoder.fixCount),
              "missingChecksums": .integer(counts.missingChecksums),
              "overlong": .integer(counts.overlong), "otherBytes": .integer(counts.otherBytes),
              "gpsdMessages": .integer(counts.gpsdMessages),
              "backwardEpochs": .integer(counts.backwardEpochs),
            ]))
        } else {
          Terminal.say(
            "\(counts.sentences) sentences, \(counts.badChecksums) bad checksums,"
              + " \(decoder.fixCount) fixes")
        }
      }
      if decoder.fixCount > 0, !(countOnly && common.isJSON), let words = LogReader.unsound(counts)
      {
        Terminal.complain(
          "standpoint: \(LogReader.name(file)): not used: \(words)")
      }
      if decoder.fixCount == 0 {
        Terminal.complain(LogReader.emptiness(file, counts))
        throw ExitStatus.refused
      }
    }

    private func show(_ event: DecodedEvent) {
      guard !countOnly, case .fix(let fix) = event else { return }
      if common.isJSON {
        Terminal.say(FixLine.json(fix, ageSeconds: nil))
      } else {
        Terminal.say(FixLine.text(fix, ageSeconds: nil))
      }
    }
  }

  /// Shows the gate's verdicts on a recorded log.
  struct Gate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show the gate's verdict on each fix of a log.",
      discussion: """
        Verdicts are still, settling, moving and refused, each with its reasons.
        Example: standpoint gnss gate walk.nmea
        """)

    @OptionGroup var common: CommonOptions
    @Argument(help: "The log, or - for standard input.") var file: String
    @Flag(help: "Accept simulated positions.") var allowSimulated = false

    func run() async throws {
      var policy = GatePolicy()
      policy.allowsSimulated = allowSimulated
      var gate = StandstillGate(policy: policy)
      let isJSON = common.isJSON
      let decoded = try LogReader.fixes(file) { fix in
        let verdict = gate.accept(fix)
        if isJSON {
          Terminal.say(FixLine.json(fix, verdict: verdict))
        } else {
          Terminal.say(FixLine.text(fix, verdict: verdict))
        }
        return true
      }
      if decoded.fixCount == 0 {
        Terminal.complain(LogReader.emptiness(file, decoded.counts))
        throw ExitStatus.refused
      }
    }
  }

  /// Shows the standpoint of a recorded log.
  struct Centroid: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Compute the standpoint from the first samples of a log.",
      discussion: """
        Samples are the fixes for which the gate is open; --ungated uses the first fixes as they
        are.
        Example: standpoint gnss centroid standing.nmea --samples 20
        """)

    @OptionGroup var common: CommonOptions
    @Argument(help: "The log, or - for standard input.") var file: String
    @Option(help: "How many samples, 1 to 500.") var samples = 20
    @Option(help: "innermost-layer, mean or median.") var method = CentroidMethod.innermostLayer
    @Flag(help: "Use the first fixes, without the gate.") var ungated = false
    @Flag(help: "Accept simulated positions.") var allowSimulated = false

    func validate() throws {
      if SamplerPolicy(samples: samples) == nil {
        throw ValidationError("--samples must be 1 to 500.")
      }
    }

    func run() async throws {
      guard let sampling = SamplerPolicy(samples: samples, method: method) else { return }
      var policy = GatePolicy()
      policy.allowsSimulated = allowSimulated
      var gate = StandstillGate(policy: policy)
      var sampler = CentroidSampler(policy: sampling)
      var most = 0
      let decoded = try LogReader.fixes(file) { fix in
        if ungated {
          sampler.acceptUngated(fix)
        } else {
          sampler.accept(fix, verdict: gate.accept(fix))
        }
        most = max(most, sampler.count)
        return !sampler.isComplete
      }
      guard sampler.isComplete, let standpoint = sampler.standpoint() else {
        Terminal.complain(
          decoded.fixCount == 0
            ? LogReader.emptiness(file, decoded.counts)
            : "standpoint: \(LogReader.name(file)) gives at most \(most) of \(samples) samples in a row"
              + (ungated ? "" : "; --ungated uses fixes without the gate"))
        throw ExitStatus.refused
      }
      if common.isJSON {
        Terminal.say(FixLine.json(standpoint))
      } else {
        Terminal.say(Self.text(standpoint))
      }
    }

    private static func text(_ standpoint: Standpoint) -> String {
      func metres(_ value: Double) -> String { DecimalText.fixed(value, places: 2) + " m" }
      return """
        \(DecimalText.fixed(standpoint.coordinate.latitudeDegrees, places: 8))° \
        \(DecimalText.fixed(standpoint.coordinate.longitudeDegrees, places: 8))° \
        ± \(standpoint.uncertaintyMetres95.map(metres) ?? "unknown") (95 %)
        method \(standpoint.method.rawValue), \(standpoint.samples) samples (about \
        \(DecimalText.fixed(standpoint.effectiveSamples, places: 0)) independent), \
        \(standpoint.layers) layers, spread \(metres(standpoint.spreadMetres))
        """
    }
  }
}

/// The fixes that `gnss watch` shows, and what it says of the receiver meanwhile.
private struct FixWatch {
  let source: ReceiverSource
  let clock: any Timepiece
  let isJSON: Bool
  /// The receiver's seconds after which no more fixes are shown; nil for no such limit.
  let secondsAtMost: Double?
  /// True if the receiver's date needs no comparison with the clock, or no further one.
  var hasLookedAtDate: Bool
  /// The number of fixes shown.
  var shown = 0
  /// The number of shown fixes with a position.
  var positions = 0
  var first: GNSSTime?
  var wasReached = false
  var wasLost = false

  /// Says what an event means, and returns true if no further event is wanted.
  mutating func take(_ event: FollowerEvent, at now: ElapsedTime) -> Bool {
    switch event {
    case .positioning(.fix(let judged)): return take(judged, at: now)
    case .positioning(.silence(let verdict)):
      Terminal.complain(verdict.reasons.map(\.text).joined())
    case .state(.ended): return true
    case .state(.lost(let reason, let next)):
      // The first loss is the command's own error, which is said once.
      if wasReached {
        wasLost = true
        Terminal.complain("\(source): \(ReceiverState.lost(reason: reason, nextTrySeconds: next))")
      }
    case .state(.listening):
      if wasLost { Terminal.complain("\(source): listening again") }
      wasReached = true
      wasLost = false
    case .state(.connecting), .state(.fixing), .state(.silent), .state(.failed), .changed,
      .positioning(.gpsd):
      break
    }
    return false
  }

  /// Shows a fix, and returns true if it is beyond the last second.
  private mutating func take(_ judged: JudgedFix, at now: ElapsedTime) -> Bool {
    let begun = first ?? judged.fix.time
    first = begun
    if let secondsAtMost, judged.fix.time.seconds(since: begun) > secondsAtMost { return true }
    if judged.fix.coordinate != nil { positions += 1 }
    if !hasLookedAtDate, let date = judged.fix.time.date {
      hasLookedAtDate = true
      complain(ofLate: date)
    }
    let age = now.seconds(since: judged.arrival)
    if isJSON {
      Terminal.say(FixLine.json(judged.fix, ageSeconds: age))
    } else {
      Terminal.say(FixLine.text(judged.fix, ageSeconds: age))
    }
    shown += 1
    return false
  }

  /// Says that the receiver's date is some times 1024 weeks behind, if it is.
  private func complain(ofLate date: CivilDate) {
    guard let count = date.weekRollOvers(behind: clock.deviceTime.date) else { return }
    Terminal.complain(
      "\(source): the receiver's date, \(date.iso8601), is \(count * 1024) weeks behind this"
        + " machine's clock: its firmware no longer counts GPS weeks correctly. Position and"
        + " time of day are not affected; records keep the date as it says it.")
  }
}

extension CentroidMethod: ExpressibleByArgument {}
