import Inspection
import Store
import Sync
import TimeAndText

/// The items of a task at the office with all that was given for them.
package struct TaskItemsRead: Sendable {
  /// The items.
  package let order: OrderedItems
  /// Each word on an item, late ones too, the oldest first.
  package let answers: [ReceivedAnswer]
  /// The words that count, by item.
  package let counted: [ItemName: SealedAnswer]
  /// The records of the words that count for an item that is asked for.
  package var counting: Set<Identifier> {
    let names = standing.counting
    return Set(counted.filter { names.contains($0.key) }.map(\.value.id))
  }
  /// The office's words on the items when it returned the task.
  package let verdicts: ItemVerdicts
  /// The accepted items for which something was given since.
  package let changed: Set<ItemName>
  /// The things that were given, as they are counted.
  package let given: GivenItems
  /// The standing of the items.
  package let standing: ItemStanding

  /// Reads them; nil if the task's order asks for no items.
  /// - Parameter photos: the task's photos.
  package init?(
    of task: InspectionTask, photos: [ReceivedPhoto], _ session: any ReadingTransaction
  ) throws {
    guard let order = try session.tasks.items(ofTasks: [task.id])[task.id]?.located(in: task)
    else { return nil }
    self.order = order
    answers = try session.answers.list(ofTask: task.id)
    // The order may have changed since: answers to items that are gone do not count.
    let names = Set(order.items.items.map(\.name))
    let words = try session.answers.verdicts(ofDecisions: task.returns)
    let verdicts = ItemVerdicts(returns: task.returns.map { words[$0] ?? [] })
    self.verdicts = verdicts
    // A refused answer is left out before the last word is looked for: the device's clock may have been
    // set back since.
    counted = Dictionary(
      answers.lazy.filter {
        !$0.isLate && names.contains($0.answer.item) && !verdicts.refused.contains($0.answer.id)
      }.map { ($0.answer.item, $0.answer) }
    ) { $1 }
    var given = GivenItems(counted, verdicts)
    given.fill(
      order.items,
      photos: photos.filter { $0.deletedReason == nil }
        .map { GivenItems.Taken($0.photo.id, for: $0.item) },
      sets: try session.sets.list(.task(task.id)).map(\.head),
      tracks: try session.tracks.identifiers(.task(task.id)), verdicts: verdicts)
    self.given = given
    standing = ItemStanding(of: order.items, given, returned: verdicts.returned)
    changed = verdicts.changed(given, answers: counted.mapValues(\.id))
  }
}

extension Review {
  /// Requires that a task can be accepted without a look at it.
  /// - Throws: `OfficeRefusal` (task-changed) if its photos have new results, or an item is open.
  func requireClean(
    _ task: InspectionTask, _ photos: [ReceivedPhoto], _ session: any AgencyTransaction
  ) throws {
    guard try session.photos.counts(of: [task.id])[task.id]?.isClean == true else {
      throw OfficeRefusal(
        .taskChanged, "the checks of its photos have new results: open this task and decide")
    }
    guard try TaskItemsRead(of: task, photos: photos, session)?.standing.isComplete != false else {
      throw OfficeRefusal(
        .taskChanged, "items that its order requires are open: open this task and decide")
    }
  }

  /// Makes the decision of an officer about the items of a task.
  /// - Parameter returning: the items that are returned by themselves.
  /// - Returns: the reason for the task's decision, and the words on its items; no words if no item is
  ///   returned by itself.
  /// - Throws: `InspectionError.item` if they do not go with the decision, or cannot be returned.
  func decision(
    _ action: TaskAction, on task: InspectionTask, reason: String?, returning: ItemReturns,
    photos: [ReceivedPhoto], _ session: any AgencyTransaction
  ) throws -> (reason: String?, verdicts: [ItemVerdict]) {
    guard !returning.isEmpty else { return (reason, []) }
    guard let items = try TaskItemsRead(of: task, photos: photos, session) else {
      throw InspectionError.item(.unknown(returning.reasons.keys.first?.description ?? ""))
    }
    let review = try ItemReview(
      of: items.order.items, items.standing, items.given,
      answers: items.counted.mapValues(\.id), returning: returning)
    guard review.action == action else {
      throw InspectionError.item(.tickedToReturn(count: returning.reasons.count))
    }
    return (review.reason(reason, of: items.order.items), review.verdicts)
  }
}
