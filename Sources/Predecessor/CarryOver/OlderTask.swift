import Inspection
import Office
import Store
import TimeAndText

/// A task of an EGNSS4CAP office: its status there, and the state that it gets here.
struct OlderTask {
  /// The text of `task.status`.
  let status: String
  /// The flags that officers' decisions have left, the oldest first: 1 is valid, 2 invalid, 3
  /// returned.
  let flags: [(flag: Int64, timestamp: String)]

  /// A difference between the task's state here and its status there.
  struct Doubt: Equatable {
    let remark: CarryOverRemark
    let why: String
  }

  /// The state that the task gets here, and the difference from its status there; nil if there is
  /// none.
  ///
  /// There a decided task was a checked task with a flag. If the flag is missing, the task was
  /// checked, but the outcome is unknown. No program there has ever closed a task.
  var state: (state: TaskState, doubt: Doubt?) {
    switch status {
    case "new": return (.new, nil)
    case "open": return (.open, nil)
    case "returned": return (.returned, nil)
    case "data provided": return (.dataProvided, nil)
    case "data checked", "closed":
      let decisions = flags.filter { $0.flag == 1 || $0.flag == 2 }
      guard let last = decisions.last else {
        return (
          .dataProvided,
          Doubt(
            remark: .decisionMissing,
            why:
              "it was \"\(status)\" there, and neither valid nor invalid: it waits for a decision here"
          )
        )
      }
      let state: TaskState = last.flag == 1 ? .accepted : .declined
      guard Set(decisions.map(\.flag)).count > 1 else { return (state, nil) }
      return (
        state,
        Doubt(
          remark: .decisionsContradict,
          why: "it was both valid and invalid there: the last word counts, \(state.rawValue)")
      )
    default:
      return (
        .dataProvided,
        Doubt(
          remark: .decisionMissing,
          why: "it was \"\(status)\" there, which nobody here knows: it waits for a decision")
      )
    }
  }

  /// Returns the actions that bring a new task to a state.
  static func actions(to state: TaskState) -> [TaskAction] {
    switch state {
    case .new, .withdrawn: []
    case .open: [.open]
    case .returned: [.open, .provide, .returnToInspector]
    case .dataProvided: [.open, .provide]
    case .accepted: [.open, .provide, .accept]
    case .declined: [.open, .provide, .decline]
    }
  }

  /// Returns the actions that bring a task from one state to another; nil if none do.
  static func actions(from state: TaskState, to target: TaskState) -> [TaskAction]? {
    if state == target { return [] }
    let behindProvided: [TaskAction]? =
      switch target {
      case .dataProvided: []
      case .returned: [.returnToInspector]
      case .accepted: [.accept]
      case .declined: [.decline]
      case .new, .open, .withdrawn: nil
      }
    switch state {
    case .new: return target == .withdrawn ? nil : actions(to: target)
    case .open: return behindProvided.map { [.provide] + $0 }
    case .dataProvided: return behindProvided
    case .returned: return behindProvided.map { [.provide] + $0 }
    case .accepted, .declined, .withdrawn: return nil
    }
  }

  /// Returns the older database's words on the task's times and its decision, as its columns have
  /// them. They become the reason of the first transition, because the older office did not keep
  /// who did what when.
  func facts(_ reference: String, _ row: OlderRow) -> String {
    var parts = ["status = \(status)"]
    for name in ["date_created", "task_due_date", "timestamp"] {
      if let value = row.text(name) { parts.append("\(name) = \(value)") }
    }
    for flag in flags.suffix(10) {
      let word = [1: "valid", 2: "invalid", 3: "returned"][flag.flag] ?? "\(flag.flag)"
      parts.append("flag \(word) = \(flag.timestamp)")
    }
    return "\(reference): \(OlderRow.shown(parts.joined(separator: ", "), charactersAtMost: 1000))"
  }

  /// Brings a task on by a list of actions, and returns the transitions. They are all in the name
  /// of the person who carries the task over, because the older office kept no names.
  /// - Parameters:
  ///   - returned: the officer's words when the task was returned; nil if there were none.
  ///   - declined: the officer's words when the task was declined; nil if there were none.
  ///   - login: the login of the person who carries the task over.
  func steps(
    of task: inout InspectionTask, by actions: [TaskAction], facts: String, returned: String?,
    declined: String?, by login: String, at time: DeviceTime
  ) throws -> [TaskTransition] {
    try actions.enumerated().map { place, action in
      var reason: String?
      if place == 0 { reason = facts }
      if action == .returnToInspector { reason = returned ?? facts }
      if action == .decline { reason = declined ?? facts }
      return try task.perform(
        action, by: Person(agency: task.agency, login: login, role: action.role),
        id: Identifier(at: time), at: time, reason: reason, contents: TaskContents(photos: 0),
        requirements: .none)
    }
  }
}
