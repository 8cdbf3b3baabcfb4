import Inspection
import Positioning
import Store
import Sync

/// Why a task cannot be accepted together with others: it needs a look of its own.
package enum AcceptanceObstacle: Hashable, Sendable {
  /// It does not wait for a decision of this role.
  case notWaiting
  /// So many of its photos are still being checked.
  case unchecked(Int)
  /// A check contradicts so many of its photos.
  case contradicted(Int)
  case noPhotos
}

/// A task that somebody would accept together with others.
package struct AcceptanceCandidate: Sendable {
  package var task: InspectionTask
  package var count: PhotoCount
  /// The mark of its photos.
  package var shown: String
  /// Nil where it can be accepted so.
  package var obstacle: AcceptanceObstacle?
}

/// What somebody has seen of a task who accepts it.
package struct SeenTask: Hashable, Sendable {
  package var id: Identifier
  /// How many steps it had.
  package var steps: Int
  /// How many of its photos had been checked.
  package var examined: Int
  /// The mark of its photos.
  package var shown: String

  /// What an officer saw of a task.
  package init(id: Identifier, steps: Int, examined: Int, shown: String) {
    self.id = id
    self.steps = steps
    self.examined = examined
    self.shown = shown
  }
}

// Several tasks at once: looked at once more together, then decided one by one by the same rules as any
// other. What one of them forbids keeps no other back.
extension OfficeServer {
  /// More than so many are not decided together.
  static let acceptedTogetherAtMost = 200

  /// - Throws: `OfficeRefusal` (input-invalid) for more tasks than are decided together.
  package static func requireFew(_ count: Int) throws(OfficeRefusal) {
    guard count <= acceptedTogetherAtMost else {
      throw OfficeRefusal(.inputInvalid, "no more than \(acceptedTogetherAtMost) tasks at once")
    }
  }

  /// What would be accepted, and what not and why: nothing is decided before it was read.
  /// - Throws: `StoreError.unknown` for what is no task of the agency.
  package func candidates(
    _ ids: [Identifier], in agency: String, for role: Role
  ) async throws -> [AcceptanceCandidate] {
    try await database.read(in: agency) { session in
      let counts = try session.photos.counts(of: ids)
      return try ids.map { id in
        let task = try session.tasks.task(id)
        let count = counts[id] ?? PhotoCount()
        return AcceptanceCandidate(
          task: task, count: count, shown: Self.mark(of: task, try session.photos.list(.task(id))),
          obstacle: Self.obstacle(task, count, role))
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

  /// Accepts tasks as they were seen, each for itself.
  /// - Returns: what became of each, in their order.
  /// - Throws: `StoreError` where the storage cannot be used; what was accepted until then stays so.
  package func accept(
    _ seen: [SeenTask], by person: Person
  ) async throws -> [(id: Identifier, outcome: Result<InspectionTask, OfficeRefusal>)] {
    var outcomes: [(id: Identifier, outcome: Result<InspectionTask, OfficeRefusal>)] = []
    for one in seen {
      do {
        let task = try await decide(
          .accept, on: one.id, by: person, reason: nil, seen: one.steps, examined: one.examined,
          shown: one.shown, needsCleanPhotos: true)
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
