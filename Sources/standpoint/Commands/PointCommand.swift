import ArgumentParser
import Evidence
import Exports
import FieldUnit
import Foundation
import Geodesy
import Inspection
import PDFWriting
import Positioning
import Receivers
import Store
import Telling
import TimeAndText

/// Shows and makes the photo points on this device.
struct PointCommand: AsyncParsableCommand {
  /// The distances that `near` looks around, for people.
  static let radii =
    "\(Int(PhotoPointRule.nearbyMetresAllowed.lowerBound)) to \(Int(PhotoPointRule.nearbyMetresAllowed.upperBound))"

  static let configuration = CommandConfiguration(
    commandName: "point", abstract: "Photo points: views that are to be photographed again.",
    discussion: """
      A photo point is a place, an attitude and an earlier photo, kept by the agency. Those near
      your tasks come with the tasks; you can make one from a photo of your own.

      Examples:
        standpoint point near --radius 500
        standpoint point add --photo ID --name 'Hedge at the lane'
        standpoint capture --repeat POINT --task TASK --camera 'rpicam-still -n -o {file}'
      """,
    subcommands: [List.self, Show.self, Near.self, Add.self, Skip.self, Label.self])

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the photo points on this device, the newest first.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions

    func run() async throws {
      let points = try data.unit().points.all()
      if points.isEmpty, !common.isJSON {
        Terminal.complain(
          "no photo points yet: they come with your tasks; standpoint point add --photo ID makes one"
        )
      }
      for point in points { PointLine.say(point, common) }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show one photo point.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Argument(help: "Its identifier, its code, or the text of its label.") var id: String

    func run() async throws {
      PointLine.say(try data.unit().points.point(named: id), common)
    }
  }

  struct Near: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the photo points around you, the nearest first.",
      discussion: "Without --lat and --lon the receiver says where you are.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @OptionGroup var source: SourceOptions
    @Option(help: "How far around, metres, \(PointCommand.radii).")
    var radius = PhotoPointRule.nearbyMetres
    @Option(help: "Latitude of the place to look around, degrees.") var lat: Double?
    @Option(help: "Longitude of that place, degrees.") var lon: Double?
    @Option(help: "The longest wait for the receiver's first position, seconds, 1 to 86400.")
    var wait = 120.0

    func validate() throws {
      guard (1...86_400).contains(wait) else {
        throw ValidationError("--wait must be 1 to 86400.")
      }
      guard PhotoPointRule.nearbyMetresAllowed.contains(radius) else {
        throw ValidationError("--radius must be \(PointCommand.radii).")
      }
      guard (lat == nil) == (lon == nil) else {
        throw ValidationError("Give --lat and --lon, or neither.")
      }
      if let lat, let lon, Coordinate(latitudeDegrees: lat, longitudeDegrees: lon) == nil {
        throw ValidationError("--lat must be -90 to 90, --lon -180 to 180.")
      }
    }

    func run() async throws {
      let unit = try data.unit()
      let here: Coordinate
      if let lat, let lon, let place = Coordinate(latitudeDegrees: lat, longitudeDegrees: lon) {
        here = place
      } else {
        here = try await receiversPlace()
      }
      let found = try unit.points.near(here, metres: radius)
      if found.isEmpty, !common.isJSON {
        Terminal.complain(
          "no photo point within \(DecimalText.fixed(radius, places: 0)) m: give a larger --radius")
      }
      for (point, metres) in found { PointLine.say(point, common, metres: metres) }
    }

    private func receiversPlace() async throws -> Coordinate {
      let (source, clock, log) = try self.source.prepared(in: data.directory)
      let follower = ReceiverFollower(
        receiver: try source.receiver(clock: clock, timeline: log), clock: clock,
        gate: try data.configuration().gate, sampler: SamplerPolicy())
      let place = try await Following.run(follower) { [wait] in
        await Self.firstPlace(of: follower, within: wait, clock)
      }
      guard let place else {
        throw ExitStatus.explained(
          .unavailable,
          "the receiver has no position: wait longer (--wait), or give --lat and --lon")
      }
      return place
    }

    /// Returns the receiver's first position; nil if its log ends without one, or it has none in so
    /// many seconds.
    private static func firstPlace(
      of follower: ReceiverFollower, within seconds: Double, _ clock: any Timepiece
    ) async -> Coordinate? {
      let (places, feed) = AsyncStream<Coordinate>.makeStream()
      let alarm = Task {
        try await clock.sleep(until: clock.elapsed.advanced(bySeconds: seconds))
        feed.finish()
      }
      defer { alarm.cancel() }
      let listener = await follower.listen { event in
        switch event {
        case .positioning(.fix(let judged)):
          if let place = judged.fix.coordinate { feed.yield(place) }
        case .state(.ended): feed.finish()
        default: break
        }
      }
      var first: Coordinate?
      for await place in places {
        first = place
        break
      }
      await follower.stopListening(listener)
      return first
    }
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a photo point from a photo of yours.",
      discussion: "The office is told after the next delivery; it gives the code for the label.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Option(help: "The photo's identifier, or its beginning.") var photo: String
    @Option(help: "The photo of the ground under your feet: its identifier, or its beginning.")
    var footing: String?
    @Option(help: "A name, at most \(PhotoPointRule.nameCharactersAtMost) characters.") var name:
      String?

    func run() async throws {
      let unit = try data.unit()
      let point = try unit.points.make(
        of: try unit.photo(meant: photo), name: name,
        footing: try footing.map(unit.photo(meant:)))
      PointLine.say(point, common)
    }
  }
}

extension PointCommand {
  struct Skip: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Say why a task's photo point is not photographed again.",
      discussion: "The reason is sealed and goes with the task, which can then be sent without it.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Argument(help: "The photo point: its identifier, its code or its label's text.") var id: String
    @Option(help: "The task, by its identifier or name, or the beginning of either.")
    var task: String
    @Option(help: "Why it is not possible.") var reason: String

    func run() async throws {
      let unit = try data.unit()
      let task = try unit.task(meant: task)
      let point = try unit.points.point(named: id)
      try unit.excuse(point.id, ofTask: task, reason)
      try TaskLine.say(unit.task(task), unit, common)
    }
  }

  struct Label: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write the labels of photo points as PDF, ten on a page.",
      discussion: """
        A label has a QR code and the code to type. The office gives the code after the delivery
        that brings the photo point.

        Example: standpoint point label 7K3M9QRR -o labels.pdf
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Argument(help: "Photo points, by identifier, code or label's text.") var ids: [String]
    @Option(name: [.customShort("o"), .long], help: "The PDF to write.") var output: String

    func validate() throws {
      if ids.isEmpty { throw ValidationError("Give at least one photo point.") }
    }

    func run() async throws {
      let unit = try data.unit()
      let points = try ids.map { try unit.points.point(named: $0) }
      if let bare = points.first(where: { $0.code == nil }) {
        throw ExitStatus.explained(
          .refused,
          "photo point \(bare.title) has no code yet: the office gives it after the next delivery")
      }
      guard let fonts = PDFFonts.installed() else {
        throw ExitStatus.explained(
          .unavailable, "the typeface DejaVu is not installed: apt install fonts-dejavu-core")
      }
      try PhotoPointLabels.write(
        points, agencyTitle: unit.person.agency, fonts: fonts, made: unit.clock.deviceTime,
        software: unit.configuration.software, toFile: output)
      if common.isJSON {
        Terminal.say(
          .members([("file", .string(output)), ("labels", .integer(points.count))]))
      } else {
        Terminal.say("\(points.count == 1 ? "1 label" : "\(points.count) labels") in \(output)")
      }
    }
  }
}

/// Lines about photo points.
enum PointLine {
  static func say(_ point: PhotoPoint, _ common: CommonOptions, metres: Double? = nil) {
    guard common.isJSON else { return Terminal.say(text(point, metres: metres)) }
    let (stand, attitude) = (point.stand, point.stand.orientation)
    Terminal.say(
      JSONValue.members([
        ("id", .string(point.id.description)), ("code", .text(point.code?.description)),
        ("name", .text(point.name)), ("parcel", .text(point.parcel)),
        ("distanceMetres", metres.map { .rounded($0, 3) }),
        ("lat", .rounded(stand.coordinate.latitudeDegrees, 9)),
        ("lon", .rounded(stand.coordinate.longitudeDegrees, 9)),
        ("uncertaintyMetres95", stand.uncertaintyMetres95.map { .rounded($0, 3) }),
        ("azimuthDegreesTrue", attitude?.azimuthDegreesTrue.map { .rounded($0, 3) }),
        ("photo", .string(point.reference.photo.description)),
        ("digest", .string(point.reference.digest)), ("pose", .string(point.pose.rawValue)),
        ("footing", .text(point.footing?.photo.description)),
        (
          "subject",
          point.subject.map {
            .members([
              ("lat", .rounded($0.latitudeDegrees, 9)), ("lon", .rounded($0.longitudeDegrees, 9)),
            ])
          }
        ), ("taken", .string(point.taken.rfc3339)), ("maker", .string(point.maker)),
        ("made", .string(point.made.rfc3339)),
      ]))
  }

  private static func text(_ point: PhotoPoint, metres: Double?) -> String {
    var words = [point.id.description, point.code?.spaced ?? "no code yet", point.name ?? "–"]
    if let metres { words.append("\(DecimalText.fixed(metres, places: 1)) m") }
    if let parcel = point.parcel { words.append("parcel \(parcel)") }
    words.append("of \(point.isTimeOfDayKnown ? point.taken.rfc3339 : point.taken.date.iso8601)")
    return words.joined(separator: "  ")
  }
}
