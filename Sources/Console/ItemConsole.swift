import Inspection
import Office
import Store
import Sync
import TimeAndText
import Web

/// The items of tasks with what was given for them, and the counted answers.
struct ItemConsole: ConsoleGroup {
  let office: OfficeServer

  func add(to routes: inout Routes) {
    routes.get(Self.path + "/tasks/{id}/items", machine: true) { request in
      try await asking(request) { try await items($0) }
    }
    routes.get(Self.path + "/statistics", machine: true) { request in
      try await asking(request, query: ["type"]) { try await statistics($0) }
    }
  }

  private func items(_ asker: Asker) async throws -> WebResponse {
    let id = try identifier(asker)
    let items = try await office.database.read(in: asker.agency) { session in
      let task = try session.tasks.task(id)
      return try TaskItemsRead(of: task, photos: session.photos.list(.task(id)), session)
    }
    return try json(items.map(ConsoleItems.init) ?? ConsoleItems())
  }

  private func statistics(_ asker: Asker) async throws -> WebResponse {
    guard let type = try asker.query.text("type", upTo: 100) else {
      throw OfficeRefusal(.inputInvalid, "the parameter \"type\" is missing")
    }
    let (counts, states) = try await office.database.read(in: asker.agency) {
      (try $0.standings.counts(ofType: type), try $0.standings.states(ofType: type))
    }
    return try json(ConsoleStatistics(counts, states))
  }
}

/// The items of a task.
struct ConsoleItems: Encodable, Sendable {
  struct Mark: Encodable, Sendable {
    var photo: String
    /// The lines over the upright picture, in thousandths of its sides.
    var lines: String
  }

  struct Item: Encodable, Sendable {
    var id: String
    var wording: String
    var required: Bool
    var state: String
    /// Why the office returned it last.
    var returned: String?
    /// The lines that the officer drew over its photos then.
    var marks: [Mark]
    /// The photos, sets and tracks that count for it.
    var photos: [String]
    var sets: [String]
    var tracks: [String]
  }

  struct Answer: Encodable, Sendable {
    var record: String
    var item: String
    var asked: String
    /// The value for programs.
    var value: String?
    var words: String?
    var notPossible: String?
    var photos: [String]
    var inspector: String
    var time: String
    var received: String
    /// True if it is the word that counts for its item.
    var counts: Bool
    var late: Bool
  }

  /// The template's type and version; nil if the order asks for no items.
  var type: String?
  var version: Int?
  var asked = 0
  var answered = 0
  var missing: [String] = []
  var items: [Item] = []
  var answers: [Answer] = []

  init() {}

  init(_ read: TaskItemsRead) {
    (type, version) = (read.order.type, read.order.version)
    asked = read.standing.asked(of: read.order.items)
    answered = read.standing.answered(of: read.order.items)
    missing = read.standing.missing.map(\.description)
    let returned = read.verdicts.reasons
    let marks = Dictionary(read.verdicts.last.map { ($0.item, $0.marks) }) { $1 }
    items = zip(read.order.items.items, read.standing.states).map { item, entry in
      Item(
        id: item.name.description, wording: item.wording, required: item.isRequired,
        state: entry.state.rawValue, returned: returned[item.name],
        marks: (marks[item.name] ?? []).map {
          Mark(photo: $0.photo.description, lines: $0.linesText)
        },
        photos: (read.given.photos[item.name] ?? []).map(\.description),
        sets: (read.given.sets[item.name] ?? []).map(\.id.description),
        tracks: (read.given.tracks[item.name] ?? []).map(\.description))
    }
    let counting = read.counting
    answers = read.answers.map { received in
      let answer = received.answer
      var told = Answer(
        record: answer.id.description, item: answer.item.description, asked: answer.asked,
        words: answer.words, photos: answer.photos.map(\.description),
        inspector: received.inspector, time: answer.time.rfc3339,
        received: received.received.rfc3339, counts: counting.contains(answer.id),
        late: received.isLate)
      switch answer.answer {
      case .value(let value): told.value = value.programText
      case .notPossible(let reason): told.notPossible = reason
      }
      return told
    }
  }
}

/// The counted answers to the questions of a type's tasks.
struct ConsoleStatistics: Encodable, Sendable {
  struct Count: Encodable, Sendable {
    var item: String
    /// `value`, `words` or `notPossible`.
    var kind: String
    /// The value for programs; nil for words, and where it was not possible.
    var value: String?
    var tasks: Int
  }

  /// The number of tasks in each state that one is in.
  var states: [String: Int]
  var counts: [Count]

  init(_ counts: [AnswerCount], _ states: [TaskState: Int]) {
    self.states = Dictionary(uniqueKeysWithValues: states.map { ($0.rawValue, $1) })
    self.counts = counts.map {
      Count(
        item: $0.item.description, kind: $0.kind.rawValue,
        value: $0.kind == .value ? $0.value : nil, tasks: $0.tasks)
    }
  }
}
