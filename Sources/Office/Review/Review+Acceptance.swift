import Inspection
import Store
import Sync
import TimeAndText

/// The reasons for which a task cannot be accepted together with others and needs a look of its
/// own.
package enum AcceptanceObstacle: Hashable, Sendable {
  /// The task does not wait for a decision of this role.
  case notWaiting
  /// So many of the task's photos are still being checked.
  case unchecked(Int)
  /// A check contradicts so many of the task's photos.
  case contradicted(Int)
  /// The task has no whole photos.
  case noPhotos
  /// So many required items of the task's order are open.
  case itemsOpen(Int)

  /// Returns the words about a task in a state.
  package func words(for state: TaskState) -> Wording {
    switch self {
    case .notWaiting: "it is \(word: state.title), and is not waiting for your decision"
    case .unchecked(let photos): "\(photos) of its photos are still being checked"
    case .contradicted(let photos):
      "a check contradicts \(photos) of its photos: check this task by itself"
    case .noPhotos: "it has no photos: check this task by itself"
    case .itemsOpen(let count):
      "\(count) items that its order requires are open: check this task by itself"
    }
  }
}

/// A task that an officer may accept together with others.
package struct AcceptanceCandidate: Sendable {
  /// The task.
  package var task: InspectionTask
  /// The number of its whole photos, by the results of their checks.
  package var count: PhotoCount
  /// The mark of the task's photos.
  package var shown: String
  /// The reason against accepting it together with others; nil if there is none.
  package var obstacle: AcceptanceObstacle?
}

/// The state of a task that an officer saw and accepts.
package struct SeenTask: Hashable, Sendable {
  /// The task's identifier.
  package var id: Identifier
  /// The number of transitions that the task had.
  package var steps: Int
  /// The number of its photos that had been checked.
  package var examined: Int
  /// The mark of its photos.
  package var shown: String

  /// Creates the state of a task that an officer saw.
  package init(id: Identifier, steps: Int, examined: Int, shown: String) {
    self.id = id
    self.steps = steps
    self.examined = examined
    self.shown = shown
  }
}

// Several tasks at once: they are shown together first, and then decided one by one, by the rules
// for single tasks. A refusal of one does not stop the others.
extension Review {
  /// The greatest number of tasks that are decided together.
  static let acceptedTogetherAtMost = 200

  /// Requires that no more tasks are decided together than allowed.
  /// - Throws: `OfficeRefusal` (input-invalid) for more tasks.
  package static func requireFew(_ count: Int) throws(OfficeRefusal) {
    guard count <= acceptedTogetherAtMost else {
      throw OfficeRefusal(.inputInvalid, "choose at most \(acceptedTogetherAtMost) tasks at once")
    }
  }

  /// Returns the tasks with the obstacles to accepting them together. The list is shown before
  /// anything is decided.
  /// - Throws: `StoreError.unknown` for an identifier that is no task of the agency.
  package func candidates(
    _ ids: [Identifier], in agency: String, for role: Role
  ) async throws -> [AcceptanceCandidate] {
    try await database.read(in: agency) { session in
      let counts = try session.photos.counts(of: ids)
      return try ids.map { id in
        let task = try session.tasks.task(id)
        let count = counts[id] ?? PhotoCount()
        let photos = try session.photos.list(.task(id))
        let open = try TaskItemsRead(of: task, photos: photos, session)?.standing.missing.count ?? 0
        return AcceptanceCandidate(
          task: task, count: count, shown: Self.mark(of: task, photos),
          obstacle: Self.obstacle(task, count, role) ?? (open > 0 ? .itemsOpen(open) : nil))
      }
    }
  }

  private static func obstacle(
    _ task: InspectionTask, _ count: PhotoCount, _ role: Role
  ) -> AcceptanceObstacle? {
    let isPossible = TransitionRule.table.contains {
      $0.action == .accept && $0.role == role && $0.from.contains(task.state)
    }
    guard isPossible else { return .notWaiting }
    guard !count.isClean else { return nil }
    if count.unchecked > 0 { return .unchecked(count.unchecked) }
    if count.contradicted > 0 { return .contradicted(count.contradicted) }
    return .noPhotos
  }

  /// Accepts tasks as they were seen, each by itself.
  /// - Parameter isUndoable: true if the officer can undo each for `TransitionRule.undoSeconds`.
  /// - Returns: the result of each, in their order.
  /// - Throws: `StoreError` if the storage cannot be used; tasks accepted until then stay accepted.
  package func accept(
    _ seen: [SeenTask], by person: Person, isUndoable: Bool = false
  ) async throws -> [(id: Identifier, outcome: Result<InspectionTask, OfficeRefusal>)] {
    var outcomes: [(id: Identifier, outcome: Result<InspectionTask, OfficeRefusal>)] = []
    for one in seen {
      do {
        let task = try await decide(
          .accept, on: one.id, by: person, reason: nil, seen: one.steps, examined: one.examined,
          shown: one.shown, isUndoable: isUndoable, needsCleanPhotos: true)
        outcomes.append((one.id, .success(task)))
      } catch {
        guard let refusal = OfficeRefusal(of: error), refusal.kind != .storeUnavailable else {
          throw error
        }
        outcomes.append((one.id, .failure(refusal)))
      }
    }
    return outcomes
  }
}
