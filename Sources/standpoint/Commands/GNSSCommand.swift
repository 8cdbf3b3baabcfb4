import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Geodesy
import Positioning
import Receivers

/// Commands for the receiver, and for recorded logs.
struct GNSSCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gnss", abstract: "The receiver, and recorded logs of one.",
    subcommands: [
      Watch.self, Sky.self, Scan.self, Pair.self, Test.self, Use.self, Surroundings.self,
      Decode.self, Gate.self, Centroid.self,
    ])

  /// Shows fixes as they come.
  struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Fixes as they come, with their age.",
      discussion: "Example: standpoint gnss watch --gnss gpsd://localhost:2947 --count 10")

    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @OptionGroup var source: SourceOptions

    @Option(help: "Stop after so many fixes.") var count: Int?
    @Option(help: "Stop after so many seconds.") var duration: Double?

    func validate() throws {
      if let count, count < 1 { throw ValidationError("--count is 1 or more.") }
      if let duration, !(duration > 0) { throw ValidationError("--duration is more than 0.") }
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
        var shown = 0
        var positions = 0
        var first: GNSSTime?
        var wasReached = false
        var wasLost = false
        var hasLookedAtDate = isReplay
        for await (event, now) in events {
          switch event {
          case .positioning(.fix(let judged)):
            let age = now.seconds(since: judged.arrival)
            let begun = first ?? judged.fix.time
            first = begun
            if isReplay, let seconds, judged.fix.time.seconds(since: begun) > seconds {
              feed.finish()
              continue
            }
            if judged.fix.coordinate != nil { positions += 1 }
            if !hasLookedAtDate, let date = judged.fix.time.date {
              hasLookedAtDate = true
              if let count = date.weekRollOvers(behind: clock.deviceTime.date) {
                Terminal.complain(
                  "\(source): the receiver's date, \(date.iso8601), is \(count * 1024) weeks behind this"
                    + " machine's clock: its firmware no longer counts GPS weeks rightly. Position and"
                    + " time of day are not affected; records keep the date as it says it.")
              }
            }
            if isJSON {
              Terminal.say(FixLine.json(judged.fix, ageSeconds: age))
            } else {
              Terminal.say(FixLine.text(judged.fix, ageSeconds: age))
            }
            shown += 1
          case .positioning(.silence(let verdict)):
            Terminal.complain(verdict.reasons.map(\.text).joined())
          case .state(.ended): feed.finish()
          case .state(.connecting), .state(.fixing), .state(.silent), .state(.failed), .changed:
            break
          case .state(.lost(let reason, let next)):
            // The first loss is the command's own error, which is said once.
            if wasReached {
              wasLost = true
              Terminal.complain(
                "\(source): \(ReceiverState.lost(reason: reason, nextTrySeconds: next))")
            }
          case .state(.listening):
            if wasLost { Terminal.complain("\(source): listening again") }
            wasReached = true
            wasLost = false
          case .positioning(.gpsd): break
          }
          if shown >= limit { break }
        }
        return positions
      }
      if shown == 0 {
        Terminal.complain("standpoint: no fix was heard from \(source)")
        throw ExitStatus.refused
      }
    }
  }

  /// Shows the fixes of a recorded log.
  struct Decode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "The fixes of a recorded log.",
      discussion: """
        Times of day are the receiver's; a date is given only where the log or --date says one.
        Example: standpoint gnss decode walk.nmea --format json
        """)

    @OptionGroup var common: CommonOptions
    @Argument(help: "The log, or - for standard input.") var file: String
    @Option(help: "The date of the first fix, YYYY-MM-DD, for logs that carry none.")
    var date: String?
    @Flag(help: "Only counts of sentences, bad checksums and fixes.") var countOnly = false

    func validate() throws {
      if let date, CivilDate(iso8601: date) == nil {
        throw ValidationError("--date \(date) is no date (YYYY-MM-DD).")
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
      abstract: "What the gate says of each fix of a log.",
      discussion: """
        Verdicts are still, settling, moving and refused, each with its reasons.
        Example: standpoint gnss gate walk.nmea
        """)

    @OptionGroup var common: CommonOptions
    @Argument(help: "The log, or - for standard input.") var file: String
    @Flag(help: "Let in positions that a simulator made.") var allowSimulated = false

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
      abstract: "The standpoint of the first samples of a log.",
      discussion: """
        Samples are the fixes for which the gate is open; --ungated takes the first fixes as they are.
        Example: standpoint gnss centroid standing.nmea --samples 20
        """)

    @OptionGroup var common: CommonOptions
    @Argument(help: "The log, or - for standard input.") var file: String
    @Option(help: "How many samples, 1 to 500.") var samples = 20
    @Option(help: "innermost-layer, mean or median.") var method = CentroidMethod.innermostLayer
    @Flag(help: "Take the first fixes, whatever the gate says.") var ungated = false
    @Flag(help: "Let in positions that a simulator made.") var allowSimulated = false

    func validate() throws {
      if SamplerPolicy(samples: samples) == nil { throw ValidationError("--samples is 1 to 500.") }
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
              + (ungated ? "" : "; --ungated takes fixes whatever the gate says"))
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
        method \(standpoint.method.rawValue), \(standpoint.samples) samples worth \
        \(DecimalText.fixed(standpoint.effectiveSamples, places: 1)), \(standpoint.layers) layers, \
        spread \(metres(standpoint.spreadMetres))
        """
    }
  }
}

extension CentroidMethod: ExpressibleByArgument {}
