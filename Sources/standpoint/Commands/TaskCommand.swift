import ArgumentParser
import Evidence
import FieldUnit
import Foundation
import Geodesy
import Inspection
import Store
import Telling
import TimeAndText

/// Shows, opens and sends the inspector's tasks.
struct TaskCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "task", abstract: "The inspector's tasks.",
    subcommands: [
      List.self, Show.self, Import.self, Open.self, Note.self, Answer.self, Provide.self,
      TakeBack.self,
    ])

  /// The one task that a command line names.
  struct Target: ParsableArguments {
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Argument(help: "The task: its identifier or its name, or the beginning of either.")
    var id: String
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List all tasks, or those in one state.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Option(
      help: "new, open, returned, dataProvided, accepted, declined or withdrawn.")
    var state: String?

    func run() async throws {
      var wanted: TaskState?
      if let state {
        wanted = TaskState(rawValue: state)
        guard wanted != nil else {
          let names = TaskState.allCases.map(\.rawValue).joined(separator: ", ")
          throw ValidationError("--state \(state) is unknown; choose one of \(names).")
        }
      }
      let unit = try data.unit()
      let tasks = try unit.tasks(in: wanted)
      if tasks.isEmpty, !common.isJSON {
        Terminal.complain(
          "no tasks yet: standpoint deliver fetches them from the office, standpoint task import"
            + " FILE imports them from GeoJSON"
        )
      }
      for task in tasks {
        let photos = try unit.photos(.task(task.id)).count
        if common.isJSON {
          Terminal.say(
            JSONValue.members(TaskLine.members(task, photos: photos, at: unit.clock.deviceTime)))
        } else {
          Terminal.say(TaskLine.text(task, photos: photos, at: unit.clock.deviceTime))
        }
      }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show one task with its photos, tracks and history.")
    @OptionGroup var target: Target

    func run() async throws {
      let unit = try target.data.unit()
      let id = try unit.task(meant: target.id)
      try TaskLine.show(try unit.task(id), unit, isJSON: target.common.isJSON)
    }
  }

  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Import tasks from a GeoJSON or CSV file.",
      discussion: """
        Each feature or line is a task; its polygon (in CSV: the column wkt) is the parcel, its
        properties are identifier, name, type, instructions, due and inspector, and around and turn
        for the pictures of sets that the task asks for. Either all are imported, or none.
        """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var data: DataOptions
    @Argument(help: "The file.") var file: String

    func run() async throws {
      let unit = try data.unit()
      let tasks = try unit.importTasks(fromFile: file)
      for task in tasks {
        if common.isJSON {
          Terminal.say(
            JSONValue.members(TaskLine.members(task, photos: 0, at: unit.clock.deviceTime)))
        } else {
          Terminal.say(TaskLine.text(task, photos: 0, at: unit.clock.deviceTime))
        }
      }
    }
  }

  struct Open: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Open a New task.")
    @OptionGroup var target: Target

    func run() async throws {
      let unit = try target.data.unit()
      try TaskLine.say(try unit.openTask(try unit.task(meant: target.id)), unit, target.common)
    }
  }

  struct Note: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Write the note on a task.")
    @OptionGroup var target: Target
    @Argument(help: "The note.") var text: String

    func run() async throws {
      let unit = try target.data.unit()
      let id = try unit.task(meant: target.id)
      try unit.noteTask(id, text)
      try TaskLine.say(try unit.task(id), unit, target.common)
    }
  }

  struct Answer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Answer a question of a task, or say why an item is not possible.",
      discussion: """
        Name the item as `task show` does. Write one of several choices by its name, several with
        commas between, a day as 2026-05-31. A further answer replaces the one before; both stay sealed.

        Examples: standpoint task answer "Lower meadow" crop maize
                  standpoint task answer "Lower meadow" height 2.5 --photo 019e8286
                  standpoint task answer "Lower meadow" roof "the gate is locked" --not-possible
        """)
    @OptionGroup var target: Target
    @Argument(help: "The item's name.") var item: String
    @Argument(help: "The answer, or the reason.") var value: String
    @Flag(help: "The value is the reason why the item is not possible.") var notPossible = false
    @Option(
      name: .customLong("photo"), help: "A photo of the task on which the answer rests. Repeatable."
    )
    var photos: [String] = []

    func run() async throws {
      let unit = try target.data.unit()
      let id = try unit.task(meant: target.id)
      try unit.answer(
        notPossible ? .notPossible(value) : .text(value), to: item, ofTask: id,
        photos: try photos.map { try unit.photo(meant: $0) })
      try TaskLine.show(try unit.task(id), unit, isJSON: target.common.isJSON)
    }
  }

  struct Provide: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Send a task: it becomes DataProvided, is locked and queued.")
    @OptionGroup var target: Target

    func run() async throws {
      let unit = try target.data.unit()
      try TaskLine.say(try unit.provideTask(try unit.task(meant: target.id)), unit, target.common)
    }
  }

  struct TakeBack: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "take-back", abstract: "Take a sent task back until its delivery has started.")
    @OptionGroup var target: Target

    func run() async throws {
      let unit = try target.data.unit()
      try TaskLine.say(try unit.takeBackTask(try unit.task(meant: target.id)), unit, target.common)
    }
  }
}
