import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Imagery
import Inspection
import Store
import TimeAndText

/// Makes and lists composites of two photos.
struct ComposeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compose",
    abstract: "Then and now: lay an earlier photo over a later one, marked as a composite.",
    discussion: """
      OLD and NEW are identifiers of photos on this device, their beginnings, or files of sealed
      photos. The old photo is laid over the whole of the new one, and is seen through a window.
      Pixels are those of the photo below, with the origin at its upper left; degrees are clockwise.

      The picture says that it is a composite, in its rows and in its metadata; it is no evidence.
      With -o alone the file is written there. --keep also keeps it on this device.

      Examples:
        standpoint compose 01a1 01a2 -o then-and-now.jpg --shape ellipse --softness 0.3
        standpoint compose OLD NEW -o a.jpg --window 400,300,1200,800 --place 1000,750,1.02,-1.5
        standpoint verify a.jpg
      """,
    subcommands: [Make.self, List.self, Show.self, Remove.self], defaultSubcommand: Make.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List your composites on this device, the newest first.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions

    func run() async throws {
      let all = try data.unit().composites.all()
      if all.isEmpty, !common.isJSON {
        Terminal.complain(
          "no composites yet: standpoint compose OLD NEW -o FILE --keep makes one")
      }
      for record in all { ComposeCommand.say(record, common) }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show how a composite was made; with -o, write its file again.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Argument(help: "Its identifier, or the beginning of it.") var id: String
    @Option(name: [.customShort("o"), .long], help: "The JPEG to write.") var output: String?

    func run() async throws {
      let unit = try data.unit()
      let record = try unit.composite(meant: id)
      if let output, let id = Identifier(record.id) {
        try ComposeCommand.write(try unit.composites.file(id), to: output)
      }
      ComposeCommand.say(record, common)
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a composite; both photos stay.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Argument(help: "Its identifier, or the beginning of it.") var id: String
    @Flag(help: "Do not ask.") var yes = false

    func run() async throws {
      let unit = try data.unit()
      let record = try unit.composite(meant: id)
      guard let id = Identifier(record.id),
        yes || Question.ask("Remove composite \(record.id)?")
      else { return }
      try unit.composites.remove(id)
      Terminal.complain("removed \(record.id)")
    }
  }

  static func say(_ record: CompositeRecord, _ common: CommonOptions) {
    if common.isJSON {
      Terminal.say(record.json)
    } else {
      Terminal.say(
        "\(record.id)  made \(record.made.rfc3339.prefix(16)) by \(record.maker)  "
          + "\(record.above.takenWords), photo \(record.above.id), over "
          + "\(record.below.takenWords), photo \(record.below.id)")
    }
  }

  static func write(_ file: [UInt8], to path: String) throws {
    do {
      try DurableFile.replace(path, with: file, mode: 0o644)
    } catch let error as StoreError {
      throw ExitStatus.explained(.badInput, "\(error)")
    }
  }
}

extension InspectorUnit {
  /// Finds the composite that a person has named by the beginning of its identifier.
  func composite(meant text: String) throws -> CompositeRecord {
    try Meant.one(
      text, of: ("composite's identifier", "composites"), among: try composites.all(),
      list: "standpoint compose list", names: { [$0.id] })
  }
}
