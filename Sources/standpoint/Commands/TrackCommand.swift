import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Geodesy
import Inspection
import Positioning
import Receivers
import Store
import Telling
import TimeAndText

/// Records, shows, sends and deletes tracks.
struct TrackCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "track", abstract: "Tracks: paths and perimeters.",
    subcommands: [
      RecordTrack.self, List.self, Show.self, Finish.self, Send.self, Delete.self,
    ])

  /// The one track that a command line names.
  struct Target: ParsableArguments {
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Argument(help: "The track's identifier or name, or the beginning of either.")
    var id: String
  }

  struct RecordTrack: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "record",
      abstract: "Record a track, one point a second, until interrupted (Ctrl-C) or --duration.",
      discussion: """
        For fewer points: standpoint settings set trackIntervalSeconds 10. Each point is saved \
        before the next one comes. While it records, it reads lines from standard input: p pauses \
        and resumes, v sets a corner at the receiver's position, c sets a corner from samples \
        taken while standing still, d deletes the last point, q finishes.
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @OptionGroup var source: SourceOptions
    @Option(help: "Its name (default: date and time of its start).") var name: String?
    @Option(
      help: "The task that it belongs to, by its identifier or name, or the beginning of either.")
    var task: String?
    @Option(help: "Seconds of the receiver's time to record.") var duration: Double?

    func validate() throws {
      if let duration, !(duration > 0) { throw ValidationError("--duration must be more than 0.") }
      if let name, name.isEmpty { throw ValidationError("--name is empty.") }
    }

    func run() async throws {
      let (source, clock, log) = try self.source.prepared(in: data.directory)
      var configuration = try data.configuration()
      configuration.gate.allowsSimulated = self.source.allowSimulated
      let unit = try InspectorUnit.make(configuration: configuration, clock: clock)
      let id = try task.map(unit.task(meant:))
      let follower = ReceiverFollower(
        receiver: try source.receiver(clock: clock, timeline: log), clock: clock,
        gate: configuration.gate, sampler: try unit.cornerSampler(for: id))
      let name = self.name
      let seconds = duration
      let controls = TrackKeys.controls()
      let recording = Task {
        try await Following.run(follower) {
          try await unit.recordTrack(
            name: name, task: id, with: follower, seconds: seconds, controls: controls,
            progress: TrackKeys.show)
        }
      }
      // Ctrl-C ends the track, and keeps it.
      let interrupts = Interrupts { recording.cancel() }
      defer { interrupts.stop() }
      guard let track = try await recording.value else {
        Terminal.complain(
          "standpoint: the track has no points and was not kept")
        throw ExitStatus.refused
      }
      TrackCommand.say(track, common)
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List all tracks, oldest first.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions

    func run() async throws {
      let tracks = try data.unit().tracks()
      if tracks.isEmpty, !common.isJSON {
        Terminal.complain("no tracks yet: record one with standpoint track record")
      }
      for track in tracks { TrackCommand.say(track, common) }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show one track.")
    @OptionGroup var target: Target

    func run() async throws {
      let unit = try target.data.unit()
      TrackCommand.say(try unit.track(try unit.track(meant: target.id)), target.common)
    }
  }

  struct Finish: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Finish and seal a track whose recording was interrupted.")
    @OptionGroup var target: Target

    func run() async throws {
      let unit = try target.data.unit()
      let id = try unit.track(meant: target.id)
      guard let track = try unit.finishTrack(id, source: nil) else { return }
      TrackCommand.say(track, target.common)
    }
  }

  struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Put standalone tracks into the outbox.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Flag(help: "All standalone tracks that are finished and not sent yet.") var all = false
    @Argument(help: "The tracks' identifiers or names, or their beginnings.") var ids: [String] = []

    func validate() throws {
      guard all != !ids.isEmpty else { throw ValidationError("Give identifiers, or --all.") }
    }

    func run() async throws {
      let unit = try data.unit()
      let chosen =
        try all
        ? unit.tracks(.standalone).filter { $0.sent == nil && $0.ended != nil }.map(\.id)
        : ids.map(unit.track(meant:))
      try unit.sendTracks(chosen)
      for id in chosen { TrackCommand.say(try unit.track(id), common) }
    }
  }

  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete a track that was not sent; its record stays and says that it was deleted.")
    @OptionGroup var target: Target
    @Option(help: "Why.") var reason = "deleted by the inspector"
    @Flag(help: "Do not ask.") var yes = false

    func run() async throws {
      let unit = try target.data.unit()
      let id = try unit.track(meant: target.id)
      let track = try unit.track(id)
      guard yes || Question.ask("Delete track \(TrackLine.text(track))?") else { return }
      try unit.deleteTrack(id, reason: reason)
      Terminal.complain("deleted \(id)")
    }
  }

  static func say(_ track: Track, _ common: CommonOptions) {
    if common.isJSON {
      Terminal.say(TrackLine.json(track))
    } else {
      Terminal.say(TrackLine.text(track))
    }
  }
}

/// Calls a function on Ctrl-C and on a polite kill (SIGINT, SIGTERM), as long as the value lives.
struct Interrupts {
  private let sources: [any DispatchSourceSignal]

  init(_ body: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler(handler: body)
      source.resume()
      return source
    }
  }

  func stop() { for source in sources { source.cancel() } }
}
