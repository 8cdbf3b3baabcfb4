import FieldUnit
import Foundation
import Inspection
import Positioning

/// Which tasks an inspector looks at, and in which order, as it stands in the list's address.
struct TaskOrdering: Hashable, Sendable {
  /// What a list is sorted by.
  enum Key: String, CaseIterable, Sendable {
    /// What is to be done comes first, the most urgent on top.
    case urgency
    /// The date until when.
    case due
    /// The name, as people sort names.
    case name
    /// The state, in the order in which a task goes through them.
    case state
    /// The way to the parcel.
    case distance
  }

  /// Which states are shown.
  enum States: Hashable, Sendable {
    case all
    /// What its inspector has still to do something about.
    case toDo
    case one(TaskState)
  }

  /// Words that a name, or a parcel's identifier, must hold; empty for any.
  var text: String
  var states: States
  var key: Key
  /// The other way round.
  var isReversed: Bool

  /// From the fields of a query. What is not understood counts as not asked for.
  init(_ query: [String: String]) {
    text = (query["text"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    let state = query["state"] ?? ""
    states =
      state == Self.toDo ? .toDo : TaskState(rawValue: state).map { .one($0) } ?? .all
    key = query["sort"].flatMap(Key.init(rawValue:)) ?? .urgency
    isReversed = query["reverse"] == "yes"
  }

  /// The word for all that is to be done, in an address.
  static let toDo = "todo"

  /// Whether everything there is is asked for.
  var isEverything: Bool { text.isEmpty && states == .all }

  /// The fields that differ from what is shown to whoever asks for nothing.
  var fields: [(name: String, value: String)] {
    var fields: [(String, String)] = text.isEmpty ? [] : [("text", text)]
    switch states {
    case .all: break
    case .toDo: fields.append(("state", Self.toDo))
    case .one(let state): fields.append(("state", state.rawValue))
    }
    if key != .urgency { fields.append(("sort", key.rawValue)) }
    if isReversed { fields.append(("reverse", "yes")) }
    return fields
  }

  /// A task with its way.
  struct Row: Hashable, Sendable {
    var task: InspectionTask
    /// Nil where it cannot be told.
    var way: ParcelWay?
  }

  /// Those that are asked for, in their order. What lacks what is sorted by comes last either way.
  func rows(_ tasks: [Row]) -> [Row] {
    let chosen = tasks.filter { row in
      switch states {
      case .all: break
      case .toDo: guard row.task.state.isEditable else { return false }
      case .one(let state): guard row.task.state == state else { return false }
      }
      return text.isEmpty || row.task.name.localizedCaseInsensitiveContains(text)
        || row.task.parcel?.identifier.localizedCaseInsensitiveContains(text) == true
    }.sorted(by: Self.isMoreUrgent)
    func sorted<Value: Comparable>(_ value: (Row) -> Value?) -> [Row] {
      let known = chosen.enumerated().compactMap { index, row in
        value(row).map { (value: $0, index: index, row: row) }
      }.sorted { left, right in
        // What is alike stays in the order of urgency, also the other way round.
        if left.value == right.value { return left.index < right.index }
        return (left.value < right.value) != isReversed
      }
      return known.map(\.row) + chosen.filter { value($0) == nil }
    }
    switch key {
    case .urgency: return isReversed ? chosen.reversed() : chosen
    case .due: return sorted(\.task.due)
    case .name:
      return sorted {
        $0.task.name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
      }
    case .state: return sorted { TaskState.allCases.firstIndex(of: $0.task.state) }
    case .distance: return sorted { $0.way?.distanceMetres }
    }
  }

  private static func isMoreUrgent(_ left: Row, _ right: Row) -> Bool {
    let isDone = (!left.task.state.isEditable, !right.task.state.isEditable)
    if isDone.0 != isDone.1 { return isDone.1 }
    if left.task.due != right.task.due {
      guard let one = left.task.due, let other = right.task.due else {
        return left.task.due != nil
      }
      return one < other
    }
    if left.task.created != right.task.created { return left.task.created > right.task.created }
    return left.task.id.description < right.task.id.description
  }
}
