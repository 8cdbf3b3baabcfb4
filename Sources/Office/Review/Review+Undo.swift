import Inspection
import Store
import Sync
import TimeAndText

// A decision can be undone for some seconds, by the officer who made it. Until then no device is told
// of it; the history keeps both steps.
extension Review {
  /// Undoes an officer's own decision: the task has the state that it had before.
  /// - Parameter seen: the number of transitions that the task has with the decision.
  /// - Throws: `OfficeRefusal` (task-changed) if something has happened since; `InspectionError`
  ///   (rule-forbids) if the decision is somebody else's; `InspectionError` (decision-told) after
  ///   `TransitionRule.undoSeconds`.
  @discardableResult
  package func undo(
    _ id: Identifier, by person: Person, seen: Int
  ) async throws -> InspectionTask {
    try await database.write(in: person.agency) { session in
      try undo(
        id, by: person, seen: seen,
        until: session.tasks.task(id).history.last.flatMap { try session.tasks.heldUntil($0.id) },
        session)
    }
  }

  /// Undoes an officer's own decision in a transaction. See the function above.
  /// - Parameter until: the time before which no device hears of the decision; nil if one has.
  @discardableResult
  package func undo(
    _ id: Identifier, by person: Person, seen: Int, until: DeviceTime?,
    _ session: any AgencyTransaction
  ) throws -> InspectionTask {
    let now = clock.deviceTime
    var task = try session.tasks.task(id)
    guard task.history.count == seen, let decision = task.history.last else {
      throw OfficeRefusal(
        .taskChanged,
        "\(Self.lastStep(of: task)), after you opened this page; it is \(word: task.state.title)"
          + " now. Nothing was undone: look at the task again")
    }
    guard decision.person.login == person.login else {
      throw OfficeRefusal(
        .ruleForbids,
        "\(decision.person.login) has made this decision: only they can undo it. Nothing was undone"
      )
    }
    let late = try session.tasks.late(ofTask: id)
    guard late.arrivals.allSatisfy({ $0 < decision.time }) else {
      throw OfficeRefusal(
        .taskChanged,
        "the inspector sent something for the task after your decision, and was told that it came"
          + " late. Nothing was undone: an administrator can reopen the task")
    }
    let transition = try task.perform(
      .undo, by: person, id: Identifier(at: now), at: now, contents: TaskContents(photos: 0),
      heldUntil: until)
    try session.tasks.save(transition, of: task, revision: task.revision)
    try session.log.add(
      log(
        "task-decision-undone", on: id.description, by: person.login, agency: person.agency,
        detail: decision.to.rawValue))
    return task
  }
}

extension LateRecords {
  /// The times at which the records arrived.
  fileprivate var arrivals: [DeviceTime] {
    photos.compactMap(\.photo.delivered) + tracks.map(\.delivered) + notes.map(\.received)
  }
}
