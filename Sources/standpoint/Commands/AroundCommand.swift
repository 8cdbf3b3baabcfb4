import ArgumentParser
import Evidence
import Exports
import FieldUnit
import Foundation
import Inspection
import Positioning
import Receivers
import SetCapture
import SetViewing
import Store
import Telling
import TimeAndText

/// Takes, lists, shows and exports sets of frames.
struct AroundCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "around",
    abstract: "Sets: many frames round a thing, or round a standpoint, sealed as one.",
    subcommands: [
      Capture.self, Resume.self, Discard.self, List.self, Show.self, Export.self, Send.self,
      Delete.self, Order.self,
    ])

  /// Checks a number of sectors while the command line is read.
  static func check(_ kind: FrameSetKind, _ sectors: Int?) throws {
    do throws(InspectionError) {
      _ = try FrameSetTerms(kind: kind, sectors: sectors)
    } catch {
      throw ValidationError("--sectors: \(error.wording).")
    }
  }

  /// The one set that a command line names.
  struct Target: ParsableArguments {
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Argument(help: "The set's identifier, or its beginning.") var id: String
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List all sets, oldest first, and those that were interrupted.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions

    func run() async throws {
      let unit = try data.unit()
      let (sets, open) = (try unit.sets(), try unit.openSets())
      if sets.isEmpty, open.isEmpty, !common.isJSON {
        Terminal.complain("no sets yet: take one with standpoint around capture")
      }
      for head in sets { SetLine.say(head, common) }
      for one in open { SetLine.say(one, frames: try one.frames().count, common) }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show one set: its standpoints, its way and the angle of each frame.",
      discussion: """
        Instead of an identifier, give the folder of an exported set, from this program or another \
        one: its images are listed by angle, and those that are not there are named.
        """)
    @OptionGroup var target: Target

    func run() async throws {
      if FileStatus(ofPath: target.id) != nil { return try showExported() }
      let unit = try target.data.unit()
      let id = try unit.set(meant: target.id)
      let set = try unit.frameSet(id)
      if target.common.isJSON {
        Terminal.say(SetLine.json(set))
      } else {
        for line in SetTelling.lines(set) { Terminal.say(line) }
      }
    }

    private func showExported() throws {
      let folder = try AroundFolder(path: target.id)
      if target.common.isJSON {
        Terminal.say(SetLine.json(folder))
      } else {
        for line in SetTelling.lines(folder) { Terminal.say(line) }
      }
      guard folder.missing.isEmpty else {
        let count = folder.missing.count
        Terminal.complain(count == 1 ? "1 image is not there" : "\(count) images are not there")
        throw ExitCode.failure
      }
    }
  }

  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write a set for other programs, around.json and its images, or as PDF.",
      discussion: """
        The images are named by angle, not by time: 001.jpg, 002.jpg and so on. A PDF shows eight of
        them, the ring of all, and what is known of the set.
        """)
    @OptionGroup var target: Target
    @Option(
      name: [.customShort("o"), .long],
      help: "A new folder, or a file whose name ends with .zip or .pdf.")
    var output: String
    @Option(help: "The language of a pdf: en or cs.") var language = "en"

    func run() async throws {
      let unit = try target.data.unit()
      let head = try unit.setHead(try unit.set(meant: target.id))
      let texts = try ExportCommand.texts(language)
      let count = try AroundExport.write(
        head, of: unit, to: output, in: DocumentLanguage(texts))
      let isPDF = output.lowercased().hasSuffix(".pdf")
      Terminal.complain(
        isPDF
          ? "\(count) views: \(output)"
          : "\(count) images and \(AroundDocument.fileName): \(output)")
    }
  }

  struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Put standalone sets into the outbox. Sets of a task go with their task.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Flag(help: "All standalone sets that are not sent yet.") var all = false
    @Argument(help: "The sets' identifiers, or their beginnings.") var ids: [String] = []

    func validate() throws {
      guard all != !ids.isEmpty else { throw ValidationError("Give identifiers, or --all.") }
    }

    func run() async throws {
      let unit = try data.unit()
      let chosen =
        try all
        ? unit.sets(.standalone).filter { $0.sent == nil }.map(\.id)
        : ids.map(unit.set(meant:))
      try unit.sendSets(chosen)
      for id in chosen { SetLine.say(try unit.setHead(id), common) }
    }
  }

  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete a set that was not sent; its record stays and says that it was deleted.")
    @OptionGroup var target: Target
    @Option(help: "Why.") var reason = "deleted by the inspector"
    @Flag(help: "Do not ask.") var yes = false

    func run() async throws {
      let unit = try target.data.unit()
      let id = try unit.set(meant: target.id)
      let head = try unit.setHead(id)
      guard yes || Question.ask("Delete set \(SetTelling.text(head))?") else { return }
      try unit.deleteSet(id, reason: reason)
      Terminal.complain("deleted \(id)")
    }
  }

  struct Order: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print angles in the order in which the frames of a set are numbered.",
      discussion: """
        The order goes round the circle and begins after its largest gap. If the gaps are equal, \
        or no sector is empty, it begins at the first angle at or after 0.

        Example:
          standpoint around order 1 7 355 10 19 14
        """)
    @OptionGroup var common: CommonOptions
    @Option(help: "The number of sectors of a full ring, 4 to 120.") var sectors = 72
    @Argument(parsing: .allUnrecognized, help: "Angles in degrees; 365 and -355 are the same as 5.")
    var angles: [String] = []

    func validate() throws {
      guard !angles.isEmpty else { throw ValidationError("Give at least one angle.") }
      _ = try numbers()
      try AroundCommand.check(.around, sectors)
    }

    private func numbers() throws -> [Double] {
      try angles.map { text in
        guard let value = Double(text), value.isFinite else {
          throw ValidationError("\(FrameSetRefusal.angle(text).wording).")
        }
        return value
      }
    }

    func run() async throws {
      let turned = try numbers().map {
        SectorRing(count: 1, firstMiddleDegrees: $0).firstMiddleDegrees
      }
      let isFull = FrameOrder.isFullRing(turned, in: SectorRing(count: sectors))
      let ordered = FrameOrder.order(turned, isFullRing: isFull).map { turned[$0] }
      if common.isJSON {
        Terminal.say(.object(["angles": .array(ordered.map { .number($0) })]))
      } else {
        Terminal.say(ordered.map(SetTelling.angle).joined(separator: " "))
      }
    }
  }
}
