import Inspection
import Store
import Sync
import TimeAndText

// The problem: a list finds the tasks in which an item is missing, or the answer is "fallow", among a
// hundred thousand; a page of statistics counts a million answers.
//
// The obvious idea, to compute each task's standing when it is asked for, reads everything that was given
// for all of them.
//
// The solution: the standing of each task is kept, and computed anew by the one rule, from everything that
// was given, before the transaction commits that changed something. The store notes which tasks those are:
// no way in can forget to.

/// Keeps the standing of tasks' items up to date.
package enum ItemJudging {
  /// The most tasks that one transaction judges: another writer need not wait for all of an agency's.
  private static let tasksAtOnce = 1000

  /// Computes the standing of the tasks anew for which something was given, or whose order, state or
  /// inspector has changed.
  /// - Returns: true if more of them wait.
  @Sendable package static func judge(_ session: any AgencyTransaction) throws -> Bool {
    var fresh: [String: TaskStanding] = [:]
    var isMoving = false
    let tasks = try session.standings.toJudge(limit: tasksAtOnce)
    let orders = try session.tasks.items(ofTasks: tasks.map(\.task))
    for (id, isFresh) in tasks {
      do {
        try judge(id, orders[id], isFresh: isFresh, &fresh, session)
        isMoving = true
      } catch StoreError.damagedRow {
        // A damaged row of one task must not keep the agency from working. It is tried again with each
        // write, and the task's own page says what is damaged.
        continue
      }
    }
    return tasks.count == tasksAtOnce && isMoving
  }

  private static func judge(
    _ id: Identifier, _ order: OrderedItems?, isFresh: Bool,
    _ fresh: inout [String: TaskStanding], _ session: any AgencyTransaction
  ) throws {
    guard let order else { return try session.standings.keep(nil, ofTask: id) }
    let task = try session.tasks.task(id)
    guard isFresh else {
      let read = try TaskItemsRead(of: task, photos: session.photos.list(.task(id)), session)
      return try session.standings.keep(
        read.map { TaskStanding($0.order, $0.standing, $0.counted, inspector: task.inspector) },
        ofTask: id)
    }
    // Most tasks of an import have the same few templates, and nothing was given for them yet.
    let key = "\(order.version) \(order.type)"
    var standing =
      fresh[key]
      ?? TaskStanding(
        order, ItemStanding(of: order.items, GivenItems()), [:], inspector: task.inspector)
    fresh[key] = standing
    standing.inspector = task.inspector
    try session.standings.keep(standing, ofTask: id)
  }
}

extension TaskStanding {
  /// Creates the standing of a task's items.
  /// - Parameter counted: the words that count, by item.
  fileprivate init(
    _ order: OrderedItems, _ standing: ItemStanding, _ counted: [ItemName: SealedAnswer],
    inspector: String
  ) {
    var values: [Value] = []
    for (item, entry) in zip(order.items.items, standing.states) {
      guard let answer = counted[entry.name] else { continue }
      switch (entry.state, answer.answer) {
      case (.notPossible, .notPossible):
        values.append(Value(item: item.name, text: "", kind: .notPossible, time: answer.time))
      case (.done, .value(let value)):
        values += value.countedTexts.map {
          Value(item: item.name, text: $0, kind: .value, time: answer.time)
        }
        if value.countedTexts.isEmpty {
          values.append(Value(item: item.name, text: "", kind: .words, time: answer.time))
        }
      default: break
      }
    }
    self.init(
      type: order.type, inspector: inspector, asked: standing.asked(of: order.items),
      answered: standing.answered(of: order.items), missing: standing.missing.count,
      impossible: standing.states.count { $0.state == .notPossible }, values: values)
  }
}
