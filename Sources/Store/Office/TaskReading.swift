import GRDB
import Geodesy
import Inspection
import Sync
import TimeAndText

/// Reads tasks through the wall of visible rows.
public protocol TaskReading {
  /// The rows that this reader may see.
  var rows: VisibleRows { get }
}

/// The tasks that an inspector may see, or all of an agency's.
public struct VisibleTasks: TaskReading {
  /// The rows that this reader may see.
  public let rows: VisibleRows
}

extension TaskReading {
  /// Composes a page of a list, read along the order's own index.
  private func pageQuery(
    _ condition: String, _ order: TaskSorting, of filter: TaskFilter
  ) -> VisibleRows.Query {
    // Tasks of one state all have the same first key in the order of review; SQLite does not notice that.
    let first = order.column == .review && filter.state != nil ? 1 : 0
    return rows.select(
      from: .task, "INDEXED BY \(order.index)", where: condition,
      "ORDER BY \(order.sql(from: first)) LIMIT :limit OFFSET :offset", usesIndex: false)
  }

  /// Composes a page for few tasks: SQLite looks them up and sorts them. The order's own index
  /// would have to be walked to its end for them.
  private func sortedPageQuery(
    _ condition: String, _ order: TaskSorting, by index: String
  ) -> VisibleRows.Query {
    let places = rows.select(
      "rowid AS place", from: .task, "INDEXED BY \(index)", where: condition,
      "ORDER BY \(order.sql()) LIMIT :limit OFFSET :offset")
    return rows.tasks(at: places, "ORDER BY \(order.sql())")
  }

  /// Names the index that finds the tasks of a filter's state or inspector, or the inspector's own; nil if
  /// they are too many to sort.
  private func indexOfFew(_ filter: TaskFilter) throws -> String? {
    var part = TaskFilter(state: filter.state)
    part.inspector = filter.inspector
    guard part != TaskFilter() || rows.areOneInspectors else { return nil }
    let isByInspector = filter.state == nil || rows.areOneInspectors
    let index = isByInspector ? "task_by_inspector" : "task_by_agency"
    var (condition, values) = part.condition(at: DeviceTime(millisecondsSince1970: 0))
    values["limit"] = TaskList.sortedAtMost + 1
    let few = rows.select(
      "1", from: .task, "INDEXED BY \(index)", where: condition, "LIMIT :limit")
    return try rows.count(few, values) <= TaskList.sortedAtMost ? index : nil
  }

  /// Composes the first task after another one, among the tasks that differ from it in the key
  /// `key` and in no earlier key.
  private func nextQuery(
    _ condition: String, _ order: TaskSorting, from key: Int, isReversed: Bool
  ) -> VisibleRows.Query {
    rows.select(
      "id", from: .task, "INDEXED BY \(order.index)",
      where: "\(order.behindSQL(from: key, isReversed: isReversed)) AND \(condition)",
      "ORDER BY \(order.sql(isReversed: isReversed, from: key)) LIMIT 1", usesIndex: false)
  }

  /// Returns SQLite's plans for a page of a list and for the way to the next task, for tests.
  func plans(of filter: TaskFilter, _ order: TaskSorting, at now: DeviceTime) throws -> [String] {
    let condition = filter.condition(at: now, in: order).sql
    let page = filter.condition(at: now, in: order, isFromStart: true).sql
    let queries =
      [pageQuery(page, order, of: filter)]
      + [false, true].flatMap { isReversed in
        (0..<order.keyCount).map { nextQuery(condition, order, from: $0, isReversed: isReversed) }
      }
    return try queries.map(rows.plan)
  }

  /// Reads a page of a list.
  public func page(
    _ filter: TaskFilter = TaskFilter(), _ order: TaskSorting = TaskSorting(), at now: DeviceTime,
    limit: Int, offset: Int = 0
  ) throws -> [InspectionTask] {
    let areFew = try rows.areFew(filter)
    let index = areFew ? VisibleRows.taskByIdentifier : try indexOfFew(filter)
    var (condition, values) =
      index != nil
      ? filter.condition(at: now, areFew: areFew)
      : filter.condition(at: now, in: order, isFromStart: true)
    values["limit"] = limit
    values["offset"] = offset
    let query =
      index.map { sortedPageQuery(condition, order, by: $0) }
      ?? pageQuery(condition, order, of: filter)
    return try rows.all(query, values).map(rows.task)
  }

  /// Reads the identifiers of all tasks that a filter lets through, in an order. For filters that
  /// examine every task: one walk gives both their number and a page of them.
  public func identifiers(
    _ filter: TaskFilter, _ order: TaskSorting, at now: DeviceTime
  ) throws -> [Identifier] {
    let (condition, values) = filter.condition(at: now, in: order, areFew: try rows.areFew(filter))
    let index = try rows.readsWholeTable(filter) ? "NOT INDEXED" : "INDEXED BY \(order.index)"
    return try rows.identifiers(
      rows.select(
        "id", from: .task, index, where: condition, "ORDER BY \(order.sql())", usesIndex: false),
      values
    ).compactMap(Identifier.init(_:))
  }

  /// Counts the tasks that a filter lets through.
  public func count(_ filter: TaskFilter = TaskFilter(), at now: DeviceTime) throws -> Int {
    let areFew = try rows.areFew(filter)
    if let first = filter.itemConditions.last,
      areFew || first.table == .itemValue || filter.without(first) == TaskFilter()
    {
      return try count(filter, from: first, at: now)
    }
    let (condition, values) = filter.condition(at: now, areFew: areFew)
    let index = try rows.readsWholeTable(filter) ? "NOT INDEXED" : ""
    return try rows.value(
      rows.select("count(*)", from: .task, index, where: condition), values) ?? 0
  }

  /// Counts the tasks of a filter among those that meet one of its conditions on items. They are fewer than
  /// the agency's, and an index tells state, inspector and type of each.
  private func count(
    _ filter: TaskFilter, from first: TaskFilter.ItemCondition, at now: DeviceTime
  ) throws -> Int {
    let rest = filter.without(first)
    guard rest != TaskFilter() else {
      return try rows.value(
        rows.select("count(*)", from: first.table, where: first.list), filter.itemValues) ?? 0
    }
    var (condition, values) = rest.condition(at: now)
    values.merge(filter.itemValues) { $1 }
    let tasks = """
      CROSS JOIN task INDEXED BY task_by_identifier
        ON task.agency = :agency AND task.id = \(first.table.rawValue).task
      """
    return try rows.value(
      rows.select("count(*)", from: first.table, tasks, where: "\(first.list) AND \(condition)"),
      values) ?? 0
  }

  /// Finds the tasks before and after a task in a list, even if the list does not have the task itself.
  /// - Throws: `StoreError.unknown`.
  public func neighbours(
    of id: Identifier, _ filter: TaskFilter, _ order: TaskSorting, at now: DeviceTime
  ) throws -> (previous: Identifier?, next: Identifier?) {
    var (condition, values) = filter.condition(
      at: now, in: order, areFew: try rows.areFew(filter))
    let here = try rows.first(
      rows.select(order.keySQL, from: .task, where: "id = :id"), ["id": id.description])
    guard let here else { throw StoreError.unknown(what: "task", id: id.description) }
    for key in 0..<order.keyCount { values["k\(key)"] = here[key] as DatabaseValue }
    // Tasks that differ only in the last key are the nearest. Each query starts at a place in the
    // order's index.
    func neighbour(isBefore: Bool) throws -> Identifier? {
      for key in (0..<order.keyCount).reversed() {
        let bound = values.filter { name, _ in
          !name.hasPrefix("k") || Int(name.dropFirst()).map { $0 <= key } ?? true
        }
        let query = nextQuery(condition, order, from: key, isReversed: isBefore)
        if let found = try rows.value(query, bound, as: String.self) { return Identifier(found) }
      }
      return nil
    }
    return (try neighbour(isBefore: true), try neighbour(isBefore: false))
  }

  /// Reads the types that tasks have, by name, at most 100.
  public func types() throws -> [String] {
    var types: [String] = []
    let next = rows.select(
      "min(type)", from: .task, where: "type > :last", usesIndex: false)
    // From one type to the next in the index: reading all tasks for three words would take longer.
    while types.count < 100,
      let type = try rows.value(
        next, ["last": types.last ?? ""], as: String.self)
    {
      types.append(type)
    }
    return types
  }

  /// Reads one task.
  /// - Throws: `StoreError.unknown`, also for a task that is not visible.
  public func task(_ id: Identifier) throws -> InspectionTask {
    let row = try rows.first(
      rows.select(from: .task, where: "id = :id"), ["id": id.description])
    guard let row else { throw StoreError.unknown(what: "task", id: id.description) }
    return try rows.task(row)
  }

  /// Reads the earlier orders of a task that later ones have replaced, the oldest first.
  public func earlierOrders(of task: Identifier) throws -> [EarlierOrder] {
    try rows.all(
      rows.select(from: .earlierOrder, where: "task = :task", "ORDER BY revision"),
      ["task": task.description]
    ).map(TaskColumns.order)
  }

  /// Reads the items of the present orders of some tasks; a task that asks for none is not among them.
  public func items(ofTasks ids: [Identifier]) throws -> [Identifier: OrderedItems] {
    let found = try rows.all(
      rows.select(
        "task_items.task, template.type, template.version, template.items", from: .orderedItems,
        """
        JOIN item_template AS template ON template.agency = task_items.agency
          AND template.type = task_items.type AND template.version = task_items.version
        """,
        where: """
          task_items.task IN (SELECT value FROM json_each(:tasks)) AND task_items.revision =
            (SELECT max(later.revision) FROM task_items AS later WHERE later.task = task_items.task)
          """), ["tasks": RowJSON.text(ids.map(\.description))])
    // Most tasks of a list have the same few templates.
    var templates: [String: OrderedItems] = [:]
    return try found.reduce(into: [:]) { items, row in
      let (type, version): (String, Int) = (row["type"], row["version"])
      guard let id = Identifier(row["task"]) else { throw StoreError.damagedRow("items of a task") }
      let key = "\(version) \(type)"
      let known =
        try templates[key]
        ?? OrderedItems(
          type: type, version: version,
          items: try ItemRows.items(
            row["items"], of: "version \(version) of the template for \(type)"))
      templates[key] = known
      items[id] = known
    }
  }

  /// Reads the transitions of a task that arrived but could not be made.
  public func conflicts(of task: Identifier) throws -> [TransitionConflict] {
    try rows.all(
      rows.select(
        from: .transition, where: "task = :task AND conflict IS NOT NULL", "ORDER BY number"),
      ["task": task.description]
    ).map {
      TransitionConflict(
        transition: try TaskColumns.transition($0), reason: Wording(stored: $0["conflict"]))
    }
  }

  /// Reads the records that arrived for a task after its decision.
  public func late(ofTask id: Identifier) throws -> LateRecords {
    let values = ["task": id.description as (any DatabaseValueConvertible)?]
    let photos = rows.select(
      from: .photo, where: "late_task = :task", "ORDER BY device_time, id")
    let tracks = rows.select(from: .track, where: "late_task = :task", "ORDER BY started, id")
    let notes = rows.select(from: .lateNote, where: "task = :task", "ORDER BY received, id")
    return LateRecords(
      photos: try rows.all(photos, values).map(rows.photo),
      tracks: try rows.all(tracks, values).map(TrackColumns.track),
      notes: try rows.all(notes, values).map(TaskColumns.lateNote))
  }
}

/// Limits of lists of tasks.
private enum TaskList {
  /// The most tasks that are sorted: that many take some 10 ms.
  static let sortedAtMost = 5000
  /// The most tasks with an answer or a standing of items that are listed first: that many take as long as
  /// a walk through all of an agency's 100,000.
  static let listedAtMost = 12_000
}

extension VisibleRows {
  /// The index of the tasks' identifiers, by which the few tasks of a list are looked up: SQLite would walk
  /// through the order's index, past every task of the agency.
  static let taskByIdentifier = "task_by_identifier"

  /// Returns true if few tasks have the standing of items that a filter asks for; false if it asks for
  /// none.
  func areFew(_ filter: TaskFilter) throws -> Bool {
    for condition in filter.itemConditions {
      var values = condition.table == .itemValue ? filter.itemValues : [:]
      values["limit"] = TaskList.listedAtMost + 1
      let few = select("1", from: condition.table, where: condition.list, "LIMIT :limit")
      if try count(few, values) <= TaskList.listedAtMost { return true }
    }
    return false
  }

  /// Returns true if a filter's tasks are best read from the table in its own order. A filter that
  /// searches for words and nothing else reads every task: that is five times as fast as one after
  /// the other by an index, unless most of the table belongs to other agencies.
  func readsWholeTable(_ filter: TaskFilter) throws -> Bool {
    var rest = filter
    rest.text = nil
    guard filter.text != nil, rest == TaskFilter() else { return false }
    return try isMostOfTasks()
  }

  /// Makes a task from its row, with its history.
  func task(_ row: Row) throws -> InspectionTask {
    var task = try TaskColumns.task(row)
    task.history = try all(
      select(from: .transition, where: "task = :task AND conflict IS NULL", "ORDER BY number"),
      ["task": task.id.description]
    ).map(TaskColumns.transition)
    return task
  }
}
