import ArgumentParser
import Demonstration
import Evidence
import FieldPages
import FieldUnit
import Foundation
import Imagery
import Inspection
import Matching
import Office
import OfficePages
import PairedPhones
import Positioning
import Predecessor
import Receivers
import Telling
import TimeAndText
import Web

/// Shows the whole story on this machine.
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Run a demonstration on this machine: a recorded walk through a real gpsd.",
    discussion: """
      The office orders two tasks, one of them with a list of items; the inspector signs in and
      fetches them; a capture while walking is refused; standing still, a photo is captured and
      sealed, and the questions of the list are answered; the office is stopped and work continues;
      it comes back and gets everything in one batch; the officer returns one item, another photo is
      taken for it, and the task is accepted; KML, PDF and bundle are written and checked.

      Without --headless both programs keep running afterwards, with their pages; accounts and
      passwords are printed. The data are in DIR/data, never in your own data directory. Each run
      starts from the beginning.
      """)

  @OptionGroup var common: CommonOptions
  @Flag(help: "End with a summary and an exit status.") var headless = false
  @Option(help: ArgumentHelp("Where everything is written.", valueName: "dir"))
  var out = "standpoint-demo"
  @Option(help: "A recorded NMEA 0183 log to play instead of the walk.") var log: String?
  @Option(help: "Speed as a multiple of real time, 0.1 to 1000.") var rate = 20.0
  @Option(help: "The seed: each gives another walk.") var seed: UInt64 = 1
  @Option(help: "The port of gpsd (default: a free one).") var gpsdPort: Int?

  func validate() throws {
    guard (0.1...1000).contains(rate) else { throw ValidationError("--rate must be 0.1 to 1000.") }
    if let gpsdPort, !(1...65_535).contains(gpsdPort) {
      throw ValidationError("--gpsd-port must be 1 to 65535.")
    }
  }

  func run() async throws {
    let scene = try scene()
    let output = URL(fileURLWithPath: out)
    try DemoFolder.prepare(output, scene)
    let clock = ReplayClock(start: try start(of: scene), rate: rate)
    let feeder = try await LogFeeder.make(timeline: scene.timeline, clock: clock)
    let gpsd = try await GpsdProcess.start(feedPort: feeder.port, port: gpsdPort)
    defer { gpsd.stop() }

    let data = output.appendingPathComponent("data")
    let office = try await office(dataDirectory: data, clock: clock)
    try await office.start()
    let configuration = Self.fieldConfiguration(dataDirectory: data)
    let source = ReceiverSource.gpsd(host: "127.0.0.1", port: gpsd.port, device: nil)
    let follower = ReceiverFollower(
      // The log is played step by step, and a step of the story may take long on a busy machine.
      receiver: try source.receiver(clock: clock, silenceSeconds: 600), clock: clock,
      gate: configuration.gate, sampler: configuration.sampler)
    let seed = seed
    let field = try FieldServer(
      configuration: configuration, clock: clock, follower: follower,
      defaultOffice: office.address,
      camera: .drawn {
        try DemonstrationPicture.jpeg(
          widthPixels: 1280, heightPixels: 960, seed: seed &+ 7, captionLines: ["demonstration"])
      })
    guard let link = try field.link(to: office.address) as? any OrderFileLink else {
      throw DemoError.stepFailed("the way to the office brings no files")
    }
    let unit = try await signIn(at: field, office, over: link)
    let isJSON = common.isJSON
    if !isJSON {
      Terminal.say("A demonstration: simulated receiver, real gpsd on port \(gpsd.port).")
    }
    let following = Task { try await follower.run() }
    defer { following.cancel() }
    try await DemoStage.untilHeard(feeder)
    var story = DemoStory(
      office: office, unit: unit, link: link, follower: follower,
      stage: DemoStage(
        feeder: feeder, follower: follower, timeline: scene.timeline,
        complain: { Terminal.complain($0) }),
      plan: DemoPlan(scene.timeline, gate: configuration.gate), output: output, seed: seed,
      summary: DemoSummary { line in if !isJSON { Terminal.say(line) } })
    try await story.tell()
    try await OutputFile.write(
      Array(story.summary.text.utf8), to: output.appendingPathComponent("summary.txt").path)
    if headless {
      if isJSON { Terminal.say(story.summary.json) }
    } else {
      // From here on the clock runs at the machine's own speed, and the walk goes on.
      clock.runOn()
      try await keepRunning(
        field, office,
        receiver: DemoReceiver(feeder: feeder, clock: clock, scene: scene, seed: seed))
    }
    await office.stop()
    await feeder.close()
    if let link = link as? HTTPOfficeLink { await link.close() }
  }

  /// Returns the time at which the scene begins; a log without a date begins on an assumed day.
  private func start(of scene: DemoScene) throws -> DeviceTime {
    guard let first = scene.timeline.firstTime,
      let start = first.date == nil
        ? first.on(CivilDate(year: 2026, month: 6, day: 1)).millisecondsSince1970
        : first.millisecondsSince1970
    else { throw DemoError.logWithoutFix(path: log ?? "the walk") }
    return DeviceTime(millisecondsSince1970: start)
  }

  private static func fieldConfiguration(dataDirectory: URL) -> FieldUnitConfiguration {
    var configuration = FieldUnitConfiguration(
      dataDirectory: dataDirectory,
      person: Person(agency: DemoOffice.agency, login: "ines", role: .inspector),
      software: "standpoint \(Program.version)")
    configuration.isDemonstration = true
    configuration.gate.allowsSimulated = true
    return configuration
  }

  /// Makes the office, to which phones can deliver, too.
  private func office(dataDirectory: URL, clock: any Timepiece) async throws -> DemoOffice {
    try await DemoOffice(
      dataDirectory: dataDirectory, software: "standpoint \(Program.version)", clock: clock,
      // A visitor may try a phone: none is let in before an administrator allows it on the page.
      services: { [PredecessorService(for: $0, clock: clock, isServed: true)] },
      complain: { Terminal.complain($0) })
  }

  /// Signs the inspector in, and returns the unit with which they work.
  private func signIn(
    at field: FieldServer, _ office: DemoOffice, over link: any OfficeLink
  ) async throws -> InspectorUnit {
    let inspector = try office.account(.inspector)
    try await field.desk.signIn(
      login: inspector.login, password: inspector.password, over: link,
      pin: office.server.fingerprint)
    guard let unit = try field.unit() else { throw DemoError.stepFailed("nobody is signed in") }
    return unit
  }

  /// Keeps both programs running until Ctrl-C.
  private func keepRunning(
    _ field: FieldServer, _ office: DemoOffice, receiver: DemoReceiver
  ) async throws {
    let matcher = PictureMatcher.ofThisProgram()
    let secret = try field.formSecret()
    let phones = FieldPhones(field, pages: field.routes(matcher: matcher), clock: MachineClock())
    let server = WebServer(
      configuration: WebConfiguration(port: 0, secret: secret, serverName: "standpoint field"),
      routes: phones.routes, problemPage: field.problemPage,
      log: { Terminal.complain($0) })
    let isJSON = common.isJSON
    let accounts = office.accounts
    let officeAddress = office.address
    let folder = out
    let phoneServing = phones.serving(secret: secret, address: FieldPhones.address, own: nil)
    try await Serving.untilInterrupted { group in
      group.addTask { try await phoneServing.run() }
      group.addTask {
        try await server.run { port in
          let fieldAddress = "http://127.0.0.1:\(port)"
          if isJSON {
            Terminal.say(
              .object([
                "field": .string(fieldAddress), "office": .string(officeAddress),
                "accounts": .array(
                  accounts.map {
                    .object([
                      "role": .string($0.role.rawValue), "login": .string($0.login),
                      "password": .string($0.password),
                    ])
                  }),
              ]))
            return
          }
          Terminal.say("")
          Terminal.say("Field unit: \(fieldAddress)  (ines is signed in)")
          Terminal.say("Office:     \(officeAddress)")
          for account in accounts {
            Terminal.say(
              "  \(account.role.rawValue) \(account.login), password \(account.password)")
          }
          Terminal.complain(
            "Look around in a browser; Ctrl-C stops both programs. Check it yourself: standpoint"
              + " verify \(folder)/demo-bundle.zip")
        }
      }
      group.addTask { try await field.deliverForever() }
      group.addTask { try await receiver.goOn() }
    }
    await matcher.end()
    await office.matcher.end()
  }

  private func scene() throws -> DemoScene {
    if let log {
      _ = try LogFile.timeline(path: log)
      guard let bytes = FileManager.default.contents(atPath: log) else {
        throw ReceiverError.unreadableLog(path: log, reason: "its permissions do not allow it")
      }
      return try DemoScene.recorded(Array(bytes), path: log)
    }
    guard let scene = DemoScene.walk(seed: seed) else {
      throw DemoError.stepFailed("the walk cannot be made")
    }
    return scene
  }
}
