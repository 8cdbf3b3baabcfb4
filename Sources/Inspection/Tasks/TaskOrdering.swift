import Foundation
import Geodesy

/// The filter and the order of an inspector's list of tasks, as the address of the list carries
/// them.
package struct TaskOrdering: Hashable, Sendable {
  /// The property by which the list is sorted.
  package enum Key: String, CaseIterable, Sendable {
    /// The tasks to be done come first, the most urgent on top.
    case urgency
    /// The due date.
    case due
    /// The name, as people sort names.
    case name
    /// The state, in the order in which a task goes through them.
    case state
    /// The distance to the parcel.
    case distance
  }

  /// The states that the list shows.
  package enum States: Hashable, Sendable {
    case all
    /// The tasks that their inspector still has to work on.
    case toDo
    case one(TaskState)
  }

  /// The words that a task's name or its parcel's identifier must contain; empty for any.
  package var text: String
  package var states: States
  package var key: Key
  /// True if the order is reversed.
  package var isReversed: Bool

  /// Creates the filter and the order from the fields of a query. A value that is not understood
  /// counts as absent.
  package init(_ query: [String: String]) {
    text = (query["text"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    let state = query["state"] ?? ""
    states =
      state == Self.toDo ? .toDo : TaskState(rawValue: state).map { .one($0) } ?? .all
    key = query["sort"].flatMap(Key.init(rawValue:)) ?? .urgency
    isReversed = query["reverse"] == "yes"
  }

  /// The value of `state` in an address for the tasks to be done.
  package static let toDo = "todo"

  /// True if no filter is set, so that all tasks are shown.
  package var isEverything: Bool { text.isEmpty && states == .all }

  /// The fields of the query that differ from the default list.
  package var fields: [(name: String, value: String)] {
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

  /// A task with the way to its parcel.
  package struct Row: Hashable, Sendable {
    package var task: InspectionTask
    /// The way to the parcel; nil without a parcel or a fresh position.
    package var way: ParcelWay?

    /// Creates a row.
    package init(task: InspectionTask, way: ParcelWay?) { (self.task, self.way) = (task, way) }

    /// Creates a row with the way from a place to the nearest parcel of the task.
    package init(_ task: InspectionTask, from here: Coordinate?) {
      self.init(task: task, way: ParcelWay(to: task.parcel(nearestTo: here), from: here))
    }
  }

  /// Returns the requested tasks in their order. Tasks without a value for the sorted property come
  /// last, also in the reversed order.
  package func rows(_ tasks: [Row]) -> [Row] {
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
        // Equal values stay in the order of urgency, also in the reversed order.
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
