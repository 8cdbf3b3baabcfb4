import ArgumentParser
import Evidence
import FieldUnit
import Inspection
import Positioning
import Receivers
import SetCapture
import Telling
import TimeAndText

extension AroundCommand {
  /// Takes a set from a recorded walk.
  struct Capture: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take a set: a standpoint, frames, a standpoint, sealed as one.",
      discussion: """
        Stand still until the first standpoint is complete. Then the frames of the walk are judged \
        as they come: the best of each sector is kept. Stand still again at the end.

        The walk is a file with one line of JSON for each word of the sensors \
        ({"milliseconds": 20, "w": 1, "x": 0, "y": 0, "z": 0, "acceleration": 0.1}) and for each \
        frame ({"milliseconds": 33, "image": "0001.jpg", "screenDegrees": 0}), in the order of \
        their times. Images lie beside it.

        Examples:
          standpoint around capture --walk heap/walk.jsonl --task ID
          standpoint around capture --kind turn --sectors 8 --walk field/turn.jsonl
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @OptionGroup var source: SourceOptions
    @Option(
      help: "The task of the set, by its identifier or name, or the beginning of either.")
    var task: String?
    @Option(help: "around: walk round a thing. turn: stand still and turn.")
    var kind: FrameSetKind = .around
    @Option(help: "Sectors of the circle: 4 to 120 (default: 72); for a turn 4, 8 or 12 (4).")
    var sectors: Int?
    @Option(help: "The recorded walk.") var walk: String
    @Option(help: "How long to wait for each standpoint, in seconds.") var wait = 120.0

    func validate() throws {
      guard (1...86_400).contains(wait) else { throw ValidationError("--wait must be 1 to 86400.") }
      try AroundCommand.check(kind, sectors)
    }

    func run() async throws {
      let terms = try FrameSetTerms(kind: kind, sectors: sectors)
      let player = WalkPlayer(try RecordedWalk(path: walk))
      let (source, clock, log) = try self.source.prepared(in: data.directory)
      var configuration = try data.configuration()
      configuration.gate.allowsSimulated = self.source.allowSimulated
      let unit = try InspectorUnit.make(configuration: configuration, clock: clock)
      let request = SetRequest(
        task: try task.map(unit.task(meant:)), terms: terms, waitSeconds: wait, source: player)
      let follower = ReceiverFollower(
        receiver: try source.receiver(clock: clock, timeline: log), clock: clock,
        gate: configuration.gate, sampler: SamplerPolicy())
      let run = try SetRun(unit: unit, follower: follower, request: request) { news in
        Terminal.progress(news.words.description)
      }
      do {
        let head = try await Following.run(follower) { try await run.take() }
        Terminal.endProgress()
        for words in try unit.frameSet(head.id).summary.shortcomings {
          Terminal.complain("\(words)")
        }
        SetLine.say(head, common)
      } catch {
        Terminal.endProgress()
        throw error
      }
    }
  }
}

extension AroundCommand {
  /// Goes on with a set that was interrupted, or ends it as it is.
  struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Go on with a walk that was interrupted, or end it as it is.",
      discussion: """
        With --walk, further frames are judged as in capture; hold the device first as it was held \
        when the last frame was taken, or say with --at at which angle you hold it. Without --walk \
        the set gets no further frames. Stand still at the end, where you began.

        Examples:
          standpoint around resume 0190a5c0 --walk heap/rest.jsonl
          standpoint around resume 0190a5c0
        """)
    @OptionGroup var target: Target
    @OptionGroup var source: SourceOptions
    @Option(help: "The recorded walk.") var walk: String?
    @Option(help: "The angle of the next frame, degrees (default: that of the last frame).")
    var at: Double?
    @Option(help: "How long to wait for the standpoint, in seconds.") var wait = 120.0

    func validate() throws {
      guard (1...86_400).contains(wait) else { throw ValidationError("--wait must be 1 to 86400.") }
      if let at, !at.isFinite { throw ValidationError("--at must be an angle in degrees.") }
    }

    func run() async throws {
      let player = try walk.map { WalkPlayer(try RecordedWalk(path: $0)) }
      let (source, clock, log) = try self.source.prepared(in: target.data.directory)
      var configuration = try target.data.configuration()
      configuration.gate.allowsSimulated = self.source.allowSimulated
      let unit = try InspectorUnit.make(configuration: configuration, clock: clock)
      let open = try unit.openSet(try unit.openSet(meant: target.id))
      let follower = ReceiverFollower(
        receiver: try source.receiver(clock: clock, timeline: log), clock: clock,
        gate: configuration.gate, sampler: SamplerPolicy())
      let run = try SetRun(
        resuming: open, atDegrees: at, unit: unit, follower: follower, waitSeconds: wait,
        source: player
      ) { news in Terminal.progress(news.words.description) }
      defer { Terminal.endProgress() }
      let head = try await Following.run(follower) {
        player == nil ? try await run.finish() : try await run.take()
      }
      Terminal.endProgress()
      for words in try unit.frameSet(head.id).summary.shortcomings {
        Terminal.complain("\(words)")
      }
      SetLine.say(head, target.common)
    }
  }

  /// Throws a set away that was interrupted.
  struct Discard: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Throw a walk away that was interrupted: its frames go for good.")
    @OptionGroup var target: Target
    @Flag(help: "Do not ask.") var yes = false

    func run() async throws {
      let unit = try target.data.unit()
      let open = try unit.openSet(try unit.openSet(meant: target.id))
      let count = try open.frames().count
      guard yes || Question.ask("Throw away \(count) frames that are sealed nowhere?") else {
        return
      }
      try open.discardUnlessHeld()
      Terminal.complain("thrown away: \(open.id)")
    }
  }
}

extension FrameSetKind: ExpressibleByArgument {}
