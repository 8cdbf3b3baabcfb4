import ArgumentParser
import Evidence
import Exports
import FieldUnit
import Foundation
import Inspection
import Sync
import Telling
import TimeAndText

/// Shows the entries that wait to be delivered.
struct OutboxCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: "Show what is waiting for delivery.",
    subcommands: [List.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List every entry with its size, attempts and last answer.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions

    func run() async throws {
      let entries = try data.unit().outbox()
      if entries.isEmpty, !common.isJSON { Terminal.complain("nothing is waiting") }
      for entry in entries {
        if common.isJSON {
          Terminal.say(
            JSONValue.members([
              ("id", .string(entry.id.description)), ("kind", .string(entry.kind.rawValue)),
              ("task", .text(entry.task)), ("digest", .text(entry.digest)),
              ("bytes", .integer(entry.bytes)),
              ("queued", .string(entry.queued.rfc3339)), ("attempts", .integer(entry.attempts)),
              ("lastAnswer", .text(entry.lastAnswer)),
              ("nextAttempt", .text(entry.nextAttempt?.rfc3339)),
            ]))
        } else {
          Terminal.say(
            "\(entry.id)  \(entry.kind.rawValue)  \(entry.bytes) bytes  sent"
              + " \(entry.queued.rfc3339)  \(entry.attempts) attempts"
              + (entry.nextAttempt.map { "  next \($0.rfc3339)" } ?? "")
              + (entry.lastAnswer.map { "  \($0)" } ?? ""))
        }
      }
    }
  }
}

/// Shows the state of this field unit.
struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the state of this field unit.")
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
