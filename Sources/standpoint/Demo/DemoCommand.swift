import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Inspection
import Positioning
import Receivers

/// The whole story on this machine.
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "The whole story on this machine: a recorded walk through a real gpsd.",
    discussion: """
      Two tasks are opened; a capture while walking is refused; standing still, samples are taken,
      a countdown runs, a photo is captured and sealed; another one stands alone; a track goes round
      the parcel; everything is exported as KML and checked from the files alone.

      Its data lie in DIR/data, never in your own. Run again it begins anew.
      """)

  @OptionGroup var common: CommonOptions
  @Flag(help: "End with a summary and an exit status.") var headless = false
  @Option(help: ArgumentHelp("Where everything is written.", valueName: "dir"))
  var out = "standpoint-demo"
  @Option(help: "A recorded NMEA 0183 log to play instead of the walk.") var log: String?
  @Option(help: "How many times as fast as real time, 0.1 to 1000.") var rate = 20.0
  @Option(help: "Another walk for another seed.") var seed: UInt64 = 1
  @Option(help: "gpsd's own port (default: a free one).") var gpsdPort: Int?

  func validate() throws {
    guard (0.1...1000).contains(rate) else { throw ValidationError("--rate is 0.1 to 1000.") }
    if let gpsdPort, !(1...65_535).contains(gpsdPort) {
      throw ValidationError("--gpsd-port is 1 to 65535.")
    }
  }

  func run() async throws {
    let scene = try scene()
    let output = URL(fileURLWithPath: out)
    try DemoFolder.prepare(output, scene)
    guard let first = scene.timeline.firstTime,
      let start = first.date == nil
        ? first.on(CivilDate(year: 2026, month: 6, day: 1)).millisecondsSince1970
        : first.millisecondsSince1970
    else { throw DemoError.logWithoutFix(path: log ?? "the walk") }
    let clock = ReplayClock(start: DeviceTime(millisecondsSince1970: start), rate: rate)
    let feeder = try await LogFeeder.make(timeline: scene.timeline, clock: clock)
    let gpsd = try await GpsdProcess.start(feedPort: feeder.port, port: gpsdPort)
    defer { gpsd.stop() }

    var configuration = FieldUnitConfiguration(
      dataDirectory: output.appendingPathComponent("data"),
      person: Person(agency: "demonstration", login: "ines", role: .inspector),
      software: "standpoint \(Program.version)")
    configuration.isDemonstration = true
    configuration.gate.allowsSimulated = true
    let unit = try InspectorUnit.make(configuration: configuration, clock: clock)
    let source = ReceiverSource.gpsd(host: "127.0.0.1", port: gpsd.port, device: nil)
    let follower = ReceiverFollower(
      receiver: try source.receiver(clock: clock), clock: clock,
      gate: configuration.gate, sampler: configuration.sampler)
    let plan = DemoPlan(scene.timeline, gate: configuration.gate)
    var story = DemoStory(
      unit: unit, follower: follower,
      stage: DemoStage(feeder: feeder, follower: follower, timeline: scene.timeline), plan: plan,
      output: output, seed: seed, isJSON: common.isJSON)
    if !common.isJSON {
      Terminal.say("A demonstration: simulated receiver, real gpsd on port \(gpsd.port).")
    }
    let following = Task { try await follower.run() }
    defer { following.cancel() }
    try await DemoStage.untilHeard(feeder)
    try await story.tell()
    try OutputFile.write(
      Array(story.summary.text.utf8), to: output.appendingPathComponent("summary.txt").path)
    await feeder.close()
    if common.isJSON { Terminal.say(story.summary.json) }
    if !headless {
      Terminal.complain(
        "Look at \(out)/demo.kml, and check it yourself: standpoint verify \(out)/data")
    }
  }

  private func scene() throws -> DemoScene {
    if let log {
      _ = try LogFile.timeline(path: log)
      guard let bytes = FileManager.default.contents(atPath: log) else {
        throw ReceiverError.unreadableLog(path: log, reason: "its rights do not allow it")
      }
      return try DemoScene.recorded(Array(bytes), path: log)
    }
    guard let scene = DemoScene.walk(seed: seed) else {
      throw DemoError.stepFailed("the walk cannot be made")
    }
    return scene
  }
}

/// The demonstration's own folder.
enum DemoFolder {
  private static let marker = ".standpoint-demo"

  /// Empties it when an earlier demonstration made it.
  /// - Throws: `DemoError.notOurs` when it holds something else.
  static func prepare(_ folder: URL, _ scene: DemoScene) throws {
    let files = FileManager.default
    let path = folder.path
    let present = (try? files.contentsOfDirectory(atPath: path)) ?? []
    if !present.isEmpty, !present.contains(marker) { throw DemoError.notOurs(path: path) }
    do {
      for name in present where name != marker {
        try files.removeItem(at: folder.appendingPathComponent(name))
      }
      try files.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data().write(to: folder.appendingPathComponent(marker))
      try Data(scene.log).write(to: folder.appendingPathComponent("walk.nmea"))
      try Data(scene.tasksGeoJSON.utf8).write(to: folder.appendingPathComponent("tasks.geojson"))
    } catch {
      throw FieldUnitError.unwritable(
        path: path, reason: "the folder cannot be made or emptied; check its rights")
    }
  }
}
