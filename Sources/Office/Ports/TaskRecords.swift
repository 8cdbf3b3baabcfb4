import Evidence
import Geodesy
import Inspection
import Store
import Sync
import TimeAndText

/// Reads the tasks that a person may see: all of an agency's, or one inspector's.
public protocol TaskReads {
  /// Reads a page of a list.
  func page(
    _ filter: TaskFilter, _ order: TaskSorting, at now: DeviceTime, limit: Int, offset: Int
  ) throws -> [InspectionTask]
  /// Counts the tasks that a filter lets through.
  func count(_ filter: TaskFilter, at now: DeviceTime) throws -> Int
  /// Reads the identifiers of all tasks that a filter lets through, in an order.
  func identifiers(
    _ filter: TaskFilter, _ order: TaskSorting, at now: DeviceTime
  ) throws -> [Identifier]
  /// Finds the tasks before and after a task in a list, even if the list does not contain the task;
  /// nil at an end of the list.
  func neighbours(
    of id: Identifier, _ filter: TaskFilter, _ order: TaskSorting, at now: DeviceTime
  ) throws -> (previous: Identifier?, next: Identifier?)
  /// Reads the types that tasks have, by name, at most 100.
  func types() throws -> [String]
  /// Reads one task, or throws `StoreError.unknown`.
  func task(_ id: Identifier) throws -> InspectionTask
  /// Reads the orders that later orders of a task have replaced, the oldest first.
  func earlierOrders(of task: Identifier) throws -> [EarlierOrder]
  /// Reads the items of the present orders of some tasks; a task that asks for none is not among them.
  func items(ofTasks ids: [Identifier]) throws -> [Identifier: OrderedItems]
  /// Reads the transitions of a task that arrived and could not be made.
  func conflicts(of task: Identifier) throws -> [TransitionConflict]
  /// Reads the records that arrived for a task after its decision.
  func late(ofTask id: Identifier) throws -> LateRecords
}

extension TaskReads {
  /// Reads the items that the present orders of some tasks ask for, once for each template and version.
  package func templates(ofTasks ids: [Identifier]) throws -> [OrderedItems] {
    var orders: [OrderedItems] = []
    // A hundred thousand tasks are too many for one statement.
    for start in stride(from: 0, to: ids.count, by: 1000) {
      let some = try items(ofTasks: Array(ids[start..<min(start + 1000, ids.count)]))
      orders = OrderedItems.distinct(orders + some.values)
    }
    return orders
  }
}

extension TaskRecords {
  /// Keeps a transition that devices may be told of at once.
  public func save(
    _ transition: TaskTransition, of task: InspectionTask, revision: Int?
  ) throws {
    try save(transition, of: task, revision: revision, heldUntil: nil)
  }
}

/// Keeps an agency's tasks.
public protocol TaskRecords: TaskReads {
  /// Reads the tasks after a place of a list, and the place where the next page begins; nil at the
  /// end.
  func page(
    _ filter: TaskFilter, _ order: TaskSorting, at now: DeviceTime, after place: ListPlace?,
    limit: Int
  ) throws -> (tasks: [InspectionTask], next: ListPlace?)
  /// Reads an inspector's tasks that changed since a cursor, the latest change at the end. A nil cursor, or
  /// one of another database, means from the beginning. A task whose last decision is held, and the tasks
  /// that changed after it, are left to a later call.
  func changedTasks(
    ofInspector login: String, since cursor: String?, at now: DeviceTime, limit: Int
  ) throws -> (tasks: [InspectionTask], cursor: String?, hasMore: Bool)
  /// Reads the names of an inspector's tasks that are not decided, the newest first.
  func undecidedTasks(ofInspector login: String, limit: Int) throws -> [TaskName]
  /// Finds the task that was ordered under a reference; nil if none was.
  func task(withReference reference: String) throws -> Identifier?
  /// Adds an ordered task.
  func insert(_ task: InspectionTask) throws
  /// Keeps the version of a template with whose items the present order asks; nil if it asks for none,
  /// and an earlier order did. It holds for later orders until they have a version of their own.
  func keep(template: (type: String, version: Int)?, ofTask task: InspectionTask) throws
  /// Keeps an order that replaces the one before it; both stay readable.
  func replaceOrder(
    of before: InspectionTask, with after: InspectionTask, at time: DeviceTime) throws
  /// Keeps a transition and the state that it leads to. Devices are told of it from `heldUntil` on;
  /// nil means at once.
  func save(
    _ transition: TaskTransition, of task: InspectionTask, revision: Int?,
    heldUntil: DeviceTime?) throws
  /// Reads the time until which a transition is held; nil if devices may have been told of it.
  func heldUntil(_ transition: Identifier) throws -> DeviceTime?
  /// Keeps a transition that could not be made.
  func save(_ conflict: TransitionConflict, of task: InspectionTask, revision: Int?) throws
  /// True if a transition is known already.
  func knowsTransition(_ id: Identifier) throws -> Bool
  /// Keeps the inspector's note on a task.
  func setNote(_ text: String, of task: Identifier) throws
  /// Keeps a note that arrived after its task's decision. A known note stays as it is.
  func insert(_ note: LateNote) throws
  /// Keeps the reference under which a task was ordered.
  func keep(reference: String, ofTask id: Identifier) throws
  /// Counts each inspector's tasks, photos and tracks, by login.
  func inspectorTallies(at now: DeviceTime) throws -> [String: InspectorTally]
}
