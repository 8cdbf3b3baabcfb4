import Inspection
import Sync
import TimeAndText

/// The fields of an item of a task's order.
public enum ItemFields {
  /// The table of an item's fields.
  public static let table = FieldTable<ExportedItem>(
    name: "item", rowName: "item", title: "Items",
    fields: [
      Field("task", .text, "Identifier of its task.") { .words($0.task.id) },
      Field("taskName", .text, "What that is called.") { .text($0.task.name) },
      Field("number", .integer, "Its place in the order, from 1.") { .integer($0.number) },
      Field("item", .text, "The item's short name.") { .words($0.item.name) },
      Field("kind", .text, "What is asked for: \(kinds).") { .text($0.item.kind) },
      Field("wording", .text, "The words that the inspector read.") { .text($0.item.wording) },
      Field("required", .flag, "Whether the task is not sent without it.") {
        .flag($0.item.isRequired)
      },
      Field("state", .text, "Where it stands: \(states).") { .text($0.state.rawValue) },
      Field("answer", .text, "The answer that counts, in words.", nil: "there is none") {
        .words($0.answer?.sealed.words)
      },
      Field("notPossible", .text, "Why it was not possible.", nil: "it was, or nobody said so") {
        guard case .notPossible(let reason) = $0.items.given.answers[$0.item.name] else {
          return nil
        }
        return .text(reason)
      },
      Field("photos", .integer, "How many photos count for it.", nil: "it asks for none") {
        $0.item.takesPhotos ? .integer($0.items.given.photos[$0.item.name]?.count ?? 0) : nil
      },
      Field("sets", .integer, "How many sets of pictures count for it.", nil: "it asks for none") {
        $0.item.shot?.set != nil ? .integer($0.items.given.sets[$0.item.name]?.count ?? 0) : nil
      },
      Field("returned", .text, "Why the office returned it last.", nil: "it did not") {
        .words($0.items.returned[$0.item.name])
      },
      Field("template", .text, "The type of tasks whose template it is in.") {
        .text($0.items.order.type)
      },
      Field("templateVersion", .integer, "The version of that template, from 1.") {
        .integer($0.items.order.version)
      },
    ])

  private typealias Field = ExportField<ExportedItem>

  private static var states: String {
    ItemStanding.State.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
  }

  private static let kinds = "`shot`, `question`, `track`, `note`, `words`"
}

/// The fields of an answer.
public enum AnswerFields {
  /// The table of an answer's fields.
  public static let table = FieldTable<ExportedAnswer>(
    name: "answer", rowName: "answer", title: "Answers",
    fields: [
      Field("answer", .text, "Identifier of the answer's record.") { .words($0.sealed.id) },
      Field("task", .text, "Identifier of its task.") { .words($0.sealed.task) },
      Field("item", .text, "The item's short name.") { .words($0.sealed.item) },
      Field("asked", .text, "The item's words on that day.") { .text($0.sealed.asked) },
      Field("value", .text, "The answer for programs: \(values).", nil: "it was not possible") {
        $0.value.map { .text($0.programText) }
      },
      Field("number", .decimal, "The answer as a number.", nil: "it is no number") {
        guard case .number(let number) = $0.value else { return nil }
        return .decimal(number, places: AnswerColumns.places)
      },
      Field("words", .text, "The answer in the question's words.", nil: "it was not possible") {
        .words($0.sealed.words)
      },
      Field("notPossible", .text, "Why it was not possible.", nil: "it was") {
        guard case .notPossible(let reason) = $0.sealed.answer else { return nil }
        return .text(reason)
      },
      Field(
        "photos", .text, "Identifiers of the photos that it rests on, with spaces between them.",
        nil: "it rests on none"
      ) { .text($0.sealed.photos.map(\.description).joined(separator: " ")) },
      Field("counts", .flag, "Whether it is the word that counts for its item.") {
        .flag($0.counts)
      },
      Field("late", .flag, "Whether it came after the task's decision.") { .flag($0.isLate) },
      Field("inspector", .text, "Login of who gave it.") { .text($0.inspector) },
      Field("answered", .time, "When, by the device's clock.") { .moment($0.sealed.time) },
      Field("received", .time, "When the office got it.", nil: "in a device's own exports") {
        .moment($0.received)
      },
      Field("template", .text, "The type of tasks whose template it is in.") {
        .text($0.sealed.type)
      },
      Field("templateVersion", .integer, "The version of that template, from 1.") {
        .integer($0.sealed.version)
      },
    ])

  private typealias Field = ExportField<ExportedAnswer>

  private static let values =
    "names of choices with spaces between them, a number, `true` or `false`, a day, or words"
}

extension ExportedAnswer {
  /// The value; nil for "not possible".
  var value: AnswerValue? {
    if case .value(let value) = sealed.answer { value } else { nil }
  }
}
