import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Geodesy
import Imagery
import Inspection
import Matching
import Positioning
import Receivers
import Store
import Telling
import TimeAndText

/// Takes a photo.
struct CaptureCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: "Wait for the gate, sample, count down, capture and seal a photo.",
    discussion: """
      Stand still. The photo is taken when the receiver's own data prove that you do; otherwise it
      is refused, with the reasons.

      Examples:
        standpoint capture --task ID --camera 'rpicam-still -n -o {file}'
        standpoint capture --image field.jpg --gnss file:///home/me/standing.nmea?rate=max
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var source: SourceOptions

  @Option(
    help:
      "The task of the photo, by its identifier or name, or the beginning of either; it opens if it is new. Without it, the photo belongs to no task."
  )
  var task: String?
  @Option(
    name: .customLong("repeat"),
    help: "The photo point that the photo repeats: its identifier, its code or its label's text.")
  var point: String?
  @Option(help: "The item of the task's order that the photo is for, as `task show` names it.")
  var item: String?
  @Option(help: "The camera's command; {file} is the path to write. It runs without a shell.")
  var camera: String?
  @Option(help: "An existing JPEG; the photo stays marked as imported.")
  var image: String?
  @Option(
    help:
      "How many samples make the standpoint, 1 to 500 (default: your setting, the agency's, or 20)."
  )
  var samples: Int?
  @Option(
    help:
      "innermost-layer, mean or median (default: your setting, the agency's, or innermost-layer).")
  var method: CentroidMethod?
  @Flag(help: "Use the single fix at the shutter as the position, without samples.")
  var singleFix = false
  @Option(
    help:
      "Seconds from the last sample to the shutter, 0 to 60 (default: your setting, the agency's, or 5)."
  )
  var countdown: Double?
  @Option(help: "How long to wait for gate and samples, in seconds.") var wait = 120.0
  @Option(help: "Direction of the lens, degrees from true north.") var heading: Double?
  @Option(help: "Direction of the lens, degrees from magnetic north.") var headingMagnetic: Double?
  @Option(help: "Elevation of the lens above the horizon, -90 to 90 degrees.") var pitch: Double?
  @Option(help: "Roll about the lens axis, -180 to 180 degrees clockwise.") var roll: Double?

  func validate() throws {
    guard item == nil || task != nil else {
      throw ValidationError("--item needs --task: an item belongs to a task's order.")
    }
    guard (camera == nil) != (image == nil) else {
      throw ValidationError("Give either --camera COMMAND or --image FILE.")
    }
    if let camera, Camera.words(camera) == nil {
      throw ValidationError("--camera \(camera): a quote is not closed, or there is no command.")
    }
    guard samples.map((1...500).contains) ?? true else {
      throw ValidationError("--samples must be 1 to 500.")
    }
    guard countdown.map((0...60).contains) ?? true else {
      throw ValidationError("--countdown must be 0 to 60.")
    }
    guard (1...86_400).contains(wait) else { throw ValidationError("--wait must be 1 to 86400.") }
    guard heading == nil || headingMagnetic == nil else {
      throw ValidationError("Give --heading or --heading-magnetic, not both.")
    }
    for value in [heading, headingMagnetic].compactMap(\.self)
    where !(0...360).contains(value) {
      throw ValidationError("A heading must be 0 to 360 degrees.")
    }
    if let pitch, !(-90...90).contains(pitch) {
      throw ValidationError("--pitch must be -90 to 90.")
    }
    if let roll, !(-180...180).contains(roll) {
      throw ValidationError("--roll must be -180 to 180.")
    }
  }

  func run() async throws {
    let (source, clock, log) = try self.source.prepared(in: data.directory)
    var configuration = try data.configuration()
    configuration.gate.allowsSimulated = self.source.allowSimulated
    let unit = try InspectorUnit.make(configuration: configuration, clock: clock)
    let id = try task.map(unit.task(meant:))
    // Values that the command line does not give are as the inspector has set them.
    let device = try unit.cornerSampler(for: id)
    let chosen =
      singleFix
      ? nil
      : SamplerPolicy(samples: samples ?? device.samples, method: method ?? device.method)
    let isChosen = singleFix || samples != nil || method != nil
    let follower = ReceiverFollower(
      receiver: try source.receiver(clock: clock, timeline: log), clock: clock,
      gate: configuration.gate, sampler: chosen ?? SamplerPolicy())
    var request = CaptureRequest(
      task: id,
      camera: image.map { .imported(path: $0) } ?? .command(Camera.words(camera ?? "") ?? []),
      sampling: isChosen ? .chosen(chosen) : .asLaidDown, countdownSeconds: countdown,
      waitSeconds: wait,
      aim: CaptureRequest.Aim(
        headingDegreesTrue: heading, headingDegreesMagnetic: headingMagnetic,
        pitchDegrees: pitch, rollDegrees: roll))
    request.item = item
    let matcher = PictureMatcher.ofThisProgram(patience: .init(comparison: .seconds(60)))
    request.repeats = try point.map { try Self.aim(at: $0, unit, matcher) }
    let terms = try unit.terms(for: request)
    let wanted = terms.sampler?.samples ?? 0
    if isChosen, terms.sampler != chosen, let sampler = terms.sampler {
      Terminal.complain(
        "your agency asks for more: \(sampler.samples) samples, \(sampler.method.rawValue)")
    }
    do {
      let photo = try await Following.run(follower) { [request] in
        try await unit.capture(request, with: follower) { step in
          Terminal.progress(step.words(wanted: wanted).description)
        }
      }
      Terminal.endProgress()
      await matcher.end()
      say(
        photo, path: unit.path(ofPhoto: photo.id),
        try unit.points.repetition(ofPhoto: photo.id))
      try warn(of: photo, unit)
    } catch FieldUnitError.captureRefused(let reasons) {
      Terminal.endProgress()
      await matcher.end()
      say(refused: reasons)
      throw FieldUnitError.captureRefused(reasons)
    }
  }

  /// Warns of a chain that another device continues, and of a clock that is wrong.
  private func warn(of photo: Photo, _ unit: InspectorUnit) throws {
    if try unit.delivery.isChainForked() { Terminal.complain("\(UnitDelivery.forkedWords)") }
    if !photo.isSimulated,
      let words = ClockRule.warning(
        aheadSeconds: ClockRule.aheadSeconds(
          device: photo.deviceTime, receiver: photo.gnssTime, ageSeconds: 0))
    {
      Terminal.complain("\(words)")
    }
  }

  private func say(refused reasons: [GateRefusal]) {
    guard common.isJSON else { return }
    Terminal.say(
      .object([
        "state": .string("refused"),
        "reasons": .array(reasons.map { .string($0.text) }),
      ]))
  }

  private static func aim(
    at named: String, _ unit: InspectorUnit, _ matcher: PictureMatcher
  ) throws -> RepeatAim {
    let point = try unit.points.point(named: named)
    let path = try PhotoPointShelf.path(of: .reference, point, on: unit)
    if path == nil {
      Terminal.complain(
        "the earlier picture is not on this device: the record will say nothing of the pictures")
    }
    return RepeatAim(at: point) { frame in
      guard let path else { return nil }
      do {
        return try await matcher.compare(
          PictureMatcher.Earlier(
            digest: point.reference.digest, bytes: try DurableFile.read(path)), with: frame)
      } catch {
        Terminal.complain("the pictures were not compared: \(error)")
        return nil
      }
    }
  }

  private func say(_ photo: Photo, path: String, _ repeats: RepeatClaims?) {
    guard common.isJSON else {
      Terminal.say("captured \(PhotoLine.text(photo))\n\(path)")
      if let repeats { Terminal.say(RepeatLines(claims: repeats).text) }
      return
    }
    let position = photo.position
    Terminal.say(
      JSONValue.members([
        ("id", .string(photo.id.description)), ("state", .string("captured")),
        (
          "position",
          .members([
            ("lat", .rounded(position.coordinate.latitudeDegrees, 9)),
            ("lon", .rounded(position.coordinate.longitudeDegrees, 9)),
            ("altHAE", position.ellipsoidalHeightMetres.map { .rounded($0, 3) }),
            ("altMSL", position.meanSeaLevelHeightMetres.map { .rounded($0, 3) }),
          ])
        ), ("standpoint", photo.standpoint.map(FixLine.json)),
        ("method", .string(position.method.name)),
        ("samples", photo.standpoint.map { .integer($0.samples) }),
        ("uncertaintyMetres95", position.uncertaintyMetres95.map { .rounded($0, 3) }),
        ("reasons", .array([])), ("file", .string(path)),
        ("repeat", repeats.map { RepeatLines(claims: $0).json }),
      ]))
  }
}

/// Draws a picture for trying captures without a camera.
struct DemoPictureCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo-picture", abstract: "Draw a JPEG, to try the program without a camera.",
    discussion: "Example: standpoint capture --camera 'standpoint demo-picture {file}'")

  @Argument(help: "The file to write.") var file: String
  @Option(help: "The seed: each gives another picture.") var seed: UInt64 = 1
  @Option(help: "Width in pixels, 320 to 8192.") var width = 1600
  @Option(help: "Height in pixels, 240 to 8192.") var height = 1200

  func validate() throws {
    guard (320...8192).contains(width), (240...8192).contains(height) else {
      throw ValidationError("--width must be 320 to 8192, --height 240 to 8192.")
    }
  }

  func run() async throws {
    let bytes = try DemonstrationPicture.jpeg(
      widthPixels: width, heightPixels: height, seed: seed,
      captionLines: ["standpoint demo-picture"])
    try await OutputFile.write(bytes, to: file)
  }
}
