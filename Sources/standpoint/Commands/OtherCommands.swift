import ArgumentParser
import Evidence
import Exports
import FieldUnit
import Foundation
import Inspection
import Positioning
import Sync

/// What waits to be delivered.
struct OutboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: "What waits to be delivered.",
    subcommands: [List.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Every entry with its size, attempts and last answer.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions

    func run() async throws {
      let entries = try data.unit().outbox()
      if entries.isEmpty, !common.isJSON { Terminal.complain("nothing waits") }
      for entry in entries {
        if common.isJSON {
          Terminal.say(
            JSONValue.members([
              ("id", .string(entry.id.description)), ("kind", .string(entry.kind.rawValue)),
              ("task", .text(entry.task)), ("bytes", .integer(entry.bytes)),
              ("queued", .string(entry.queued.rfc3339)), ("attempts", .integer(entry.attempts)),
              ("lastAnswer", .text(entry.lastAnswer)),
              ("nextAttempt", .text(entry.nextAttempt?.rfc3339)),
            ]))
        } else {
          Terminal.say(
            "\(entry.id)  \(entry.kind.rawValue)  \(entry.bytes) bytes  sent"
              + " \(entry.queued.rfc3339)  \(entry.attempts) attempts"
              + (entry.lastAnswer.map { "  \($0)" } ?? ""))
        }
      }
    }
  }
}

/// Where everything stands.
struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Where everything stands on this field unit.")
  @OptionGroup var common: CommonOptions
  @OptionGroup var data: DataOptions

  func run() async throws {
    let unit = try data.unit()
    let tasks = try unit.tasks()
    let open = tasks.filter(\.state.isEditable).count
    let photos = try unit.photos().count
    let tracks = try unit.tracks().count
    let waiting = try unit.outbox().count
    if common.isJSON {
      Terminal.say(
        .object([
          "data": .string(data.directory.path), "agency": .string(unit.person.agency),
          "inspector": .string(unit.person.login), "tasks": .integer(tasks.count),
          "openTasks": .integer(open), "photos": .integer(photos), "tracks": .integer(tracks),
          "waiting": .integer(waiting),
        ]))
    } else {
      Terminal.say(
        """
        \(data.directory.path), inspector \(unit.person.login) of \(unit.person.agency)
        \(tasks.count) tasks (\(open) to do), \(photos) photos, \(tracks) tracks, \(waiting) waiting
        """)
    }
  }
}

/// Writes what others can open.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Writes tasks, photos and tracks for other programs.",
    discussion: """
      Examples: standpoint export all --as kml -o day.kml
                standpoint export task ID --as kml -o task.kml
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case kml
  }

  @OptionGroup var data: DataOptions
  @Argument(help: "all, or: task ID…, photo ID…, track ID…") var selection: [String]
  @Option(name: .customLong("as"), help: "The format.") var format: Format
  @Option(name: .shortAndLong, help: "The file to write, - for standard output.")
  var output: String

  func run() async throws {
    let unit = try data.unit()
    let selection = try unit.selection(try choice())
    try OutputFile.write(to: output) { sink in
      try KMLDocument.write(selection) { try sink(Data($0.utf8)) }
    }
  }

  private func choice() throws -> InspectorUnit.Choice {
    if selection == ["all"] { return .all }
    guard selection.count > 1 else {
      throw ValidationError("Give all, or: task ID…, photo ID…, track ID…")
    }
    let ids = try selection.dropFirst().map(InspectorUnit.identifier)
    switch selection[0] {
    case "task": return .tasks(ids)
    case "photo": return .photos(ids)
    case "track": return .tracks(ids)
    default: throw ValidationError("\(selection[0]) is none of all, task, photo, track.")
    }
  }
}
