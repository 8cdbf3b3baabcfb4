import GRDB
import Geodesy
import Inspection
import TimeAndText

/// A choice of an agency's tasks: a task must meet all conditions that are set.
public struct TaskFilter: Hashable, Sendable {
  /// The choices of due dates.
  public enum Due: String, CaseIterable, Sendable {
    /// The date has passed, and the inspector still has the task.
    case overdue
    /// The inspector still has the task, and the date is at most a week away or has passed.
    case week
    /// There is no due date.
    case undated
  }

  /// The choices of findings about a task's photos.
  public enum Photos: String, CaseIterable, Sendable {
    /// A check contradicts a photo, or the evidence of a photo does not hold.
    case contradicted
    /// A photo is still being checked.
    case unchecked
    /// There are photos, all are checked, and nothing contradicts them.
    case clean
    /// There is no photo.
    case missing
    /// A photo point of the order has no repeat.
    case repeatMissing
    /// A repeat is displaced by more than 2 % of the frame, as the office measured it.
    case displacedByTwo = "displaced-2"
    /// A repeat is displaced by more than 5 %.
    case displacedByFive = "displaced"
    /// A repeat is displaced by more than 10 %.
    case displacedByTen = "displaced-10"
    /// A repeat is displaced by more than 20 %.
    case displacedByTwenty = "displaced-20"

    /// The displacement beyond which the choice picks a task; nil for choices of another kind.
    public var displacement: RepeatTolerance.DisplacementLimit? {
      switch self {
      case .displacedByTwo: .two
      case .displacedByFive: .five
      case .displacedByTen: .ten
      case .displacedByTwenty: .twenty
      case .contradicted, .unchecked, .clean, .missing, .repeatMissing: nil
      }
    }
  }

  /// The choices by the standing of a task's items.
  public enum Items: String, CaseIterable, Sendable {
    /// An item that is required is open.
    case missing
    /// An item was not possible.
    case notPossible = "not-possible"
    /// All items that are asked for are done, or not possible.
    case done
  }

  /// An answer that counts.
  public struct Answer: Hashable, Sendable {
    /// The question.
    public var item: ItemName
    /// The value for programs: the name of a choice, a number, `true` or `false`, or a day.
    public var value: String

    /// Creates an answer.
    public init(item: ItemName, value: String) { (self.item, self.value) = (item, value) }

    /// Reads an answer as addresses have it, `crop=fallow`; nil if the text is none.
    public init?(_ text: String) {
      guard let sign = text.firstIndex(of: "="), let item = ItemName(String(text[..<sign])) else {
        return nil
      }
      self.init(item: item, value: String(text[text.index(after: sign)...]))
    }

    /// The answer as addresses have it.
    public var text: String { "\(item)=\(value)" }
  }

  /// The words that name, parcel or instructions contain, or the whole reference by which the
  /// agency's own system knows the task; nil for all.
  public var text: String?
  /// The task's state; nil for all.
  public var state: TaskState?
  /// True for tasks that are not decided yet; false for all.
  public var isUndecided = false
  /// The inspector's login; nil for all.
  public var inspector: String?
  /// The task's type; nil for all.
  public var type: String?
  /// The parcel's whole identifier, letter by letter; nil for all.
  public var parcel: String?
  /// The choice by due date; nil for all.
  public var due: Due?
  /// The choice by the findings about the photos; nil for all.
  public var photos: Photos?
  /// The choice by the standing of the items; nil for all.
  public var items: Items?
  /// An answer that the task must have; nil for all.
  public var answer: Answer?
  /// The part of the world with the middle of the task's parcel, or with photos of it; nil for all.
  /// Photos within some 100 m of each other count as one place.
  public var area: CoordinateBox?

  /// Creates a filter.
  public init(
    text: String? = nil, state: TaskState? = nil, inspector: String? = nil, type: String? = nil,
    parcel: String? = nil, due: Due? = nil, photos: Photos? = nil, area: CoordinateBox? = nil
  ) {
    self.area = area
    self.parcel = parcel
    self.text = text
    self.state = state
    self.inspector = inspector
    self.type = type
    self.due = due
    self.photos = photos
  }
}

/// The order of a list of tasks.
public struct TaskSorting: Hashable, Sendable {
  /// The values by which tasks can be ordered.
  public enum Column: String, CaseIterable, Sendable {
    /// Tasks that wait for a decision first, then the newest first.
    case review
    case name
    case inspector
    /// By due date, tasks without a date last.
    case due
    case created
  }

  /// The value by which tasks are ordered.
  public var column: Column
  /// True if the order is reversed.
  public var isDescending: Bool

  /// Creates an order.
  public init(_ column: Column = .review, isDescending: Bool = false) {
    self.column = column
    self.isDescending = isDescending
  }
}

// The SQL is put together from constant texts only; values from outside are bound.
extension TaskFilter {
  private static let editable = TaskState.allCases.filter(\.isEditable)
    .map { "'\($0.rawValue)'" }.joined(separator: ", ")

  private static let decided = TaskState.allCases.filter(\.isDecided)
    .map { "'\($0.rawValue)'" }.joined(separator: ", ")

  /// The SQL for the parcel. The parcel is looked up once in an index of its own: an order's index
  /// has a task's identifier, but not its parcel's.
  private static let isOnParcel = """
    task.id IN (SELECT own.id FROM task AS own INDEXED BY task_by_parcel
      WHERE own.agency = :agency AND own.parcel_identifier = :parcel)
    """

  /// The SQL for the text.
  private static let hasText = """
    (instr(lower(task.name || ' ' || coalesce(task.parcel_identifier, '') || ' '
      || coalesce(task.instructions, '')), lower(:text)) > 0
      OR +task.id IN (SELECT task_reference.task FROM task_reference
        WHERE task_reference.agency = :agency AND task_reference.reference = :reference))
    """

  /// Returns the SQL for the findings about a task's photos.
  private static func have(_ photos: Photos) -> String {
    switch photos {
    case .contradicted: tally("task_tally.contradicted > 0")
    case .unchecked: tally("task_tally.unchecked > 0")
    case .clean:
      tally("task_tally.photos > 0 AND task_tally.unchecked = 0 AND task_tally.contradicted = 0")
    case .missing: "NOT " + tally("task_tally.photos > 0")
    case .repeatMissing:
      """
      (task.repeats IS NOT NULL AND EXISTS (SELECT 1 FROM json_each(task.repeats, '$.points') AS wanted
        WHERE NOT \(repeated("photo_repeat.point = wanted.value"))))
      """
    case .displacedByTwo, .displacedByFive, .displacedByTen, .displacedByTwenty:
      repeated("photo_repeat.displacement > \(photos.displacement?.rawValue ?? 100)")
    }
  }

  /// Returns the SQL for a condition on the repeats among a task's photos.
  private static func repeated(_ condition: String) -> String {
    """
    EXISTS (SELECT 1 FROM photo CROSS JOIN photo_repeat ON photo_repeat.photo = photo.id
      WHERE photo.agency = :agency AND photo.task = task.id AND photo.deleted IS NULL
      AND photo_repeat.agency = :agency AND \(condition))
    """
  }

  /// Returns the SQL for a condition on the counted photos of a task.
  private static func tally(_ condition: String) -> String {
    """
    EXISTS (SELECT 1 FROM task_tally WHERE task_tally.agency = :agency AND task_tally.task = task.id
      AND \(condition))
    """
  }

  /// Returns the SQL that picks tasks by a condition on the standing of their items.
  /// - Parameters:
  ///   - few: true if they are few: their list is made once. Otherwise each task of a list is looked up.
  ///   - order: true if the tasks are read in an order, from which the list must not lead away.
  private static func picked(by condition: ItemCondition, few: Bool, order: Bool) -> String {
    let table = condition.table.rawValue
    let index = condition.index.map { " INDEXED BY \($0)" } ?? ""
    let rows = "SELECT \(table).task FROM \(table)\(index) WHERE \(table).agency = :agency"
    return few
      ? "\(order ? "+" : "")task.id IN (\(rows) AND \(condition.list))"
      : "EXISTS (\(rows) AND \(table).task = task.id AND \(condition.sql))"
  }

  /// A condition on the standing of items.
  struct ItemCondition {
    /// The table that it is about.
    let table: WalledTable
    /// The SQL for a row of that table.
    let sql: String
    /// The index that has just the rows of the condition; nil if there is none. SQLite would look each
    /// task up in the whole table, most of which is not in its cache.
    var index: String?
    /// The same, for reading all such rows: it says which types there are, by which the rows are ordered.
    var list: String {
      guard table == .itemValue else { return sql }
      return """
        \(sql) AND item_value.type IN (SELECT DISTINCT known.type FROM item_template AS known
          WHERE known.agency = :agency)
        """
    }
  }

  /// The conditions on the standing of items.
  var itemConditions: [ItemCondition] {
    let standing: ItemCondition? = items.map { items in
      switch items {
      case .missing:
        ItemCondition(
          table: .standing, sql: "task_standing.missing > 0", index: "task_with_missing")
      case .notPossible:
        ItemCondition(
          table: .standing, sql: "task_standing.impossible > 0", index: "task_with_impossible")
      case .done:
        ItemCondition(table: .standing, sql: "task_standing.answered = task_standing.asked")
      }
    }
    let value =
      "item_value.item = :answeredItem AND item_value.value = :answeredValue AND item_value.kind = 'value'"
    return [
      standing,
      answer.map { _ in ItemCondition(table: .itemValue, sql: value) },
    ].compactMap(\.self)
  }

  /// Returns the filter without one of its conditions on the standing of items.
  func without(_ condition: ItemCondition) -> TaskFilter {
    var rest = self
    if condition.table == .itemValue { rest.answer = nil } else { rest.items = nil }
    return rest
  }

  /// The values to bind in the conditions on the standing of items.
  var itemValues: [String: (any DatabaseValueConvertible)?] {
    answer.map { ["answeredItem": $0.item.description, "answeredValue": $0.value] } ?? [:]
  }

  private static func isIn(_ area: CoordinateBox) -> String {
    let longitude = "longitudes / (photos + tasks)"
    return """
      EXISTS (SELECT 1 FROM task_cell WHERE task_cell.agency = :agency AND task_cell.task = task.id
        AND photos + tasks > 0 AND latitudes / (photos + tasks) BETWEEN :areaSouth AND :areaNorth
        AND (\(longitude) >= :areaWest \(area.crossesAntimeridian ? "OR" : "AND") \(longitude) <= :areaEast))
      """
  }

  /// Returns the SQL condition for the filter, and the values to bind in it.
  /// - Parameters:
  ///   - now: the moment that due dates are compared with.
  ///   - order: the order in which tasks are read, from the order's index; nil for none. With an
  ///     order, some conditions get a `+`: otherwise SQLite would put their values into the order's
  ///     own expressions, and find no index.
  ///   - isFromStart: true if the order is read from its beginning, false if from after a task.
  ///     From the beginning, one inspector's tasks in the order of inspectors are adjacent, and are
  ///     then looked up in the order's index.
  ///   - areFew: true if only few tasks have the standing of items that the filter asks for.
  func condition(
    at now: DeviceTime, in order: TaskSorting? = nil, isFromStart: Bool = false,
    areFew: Bool = false
  ) -> (
    sql: String, values: [String: (any DatabaseValueConvertible)?]
  ) {
    var parts: [String] = []
    var values: [String: (any DatabaseValueConvertible)?] = [:]
    if let state {
      parts.append((order == nil ? "" : "+") + "task.state = :state")
      // In the order of review, the tasks that wait for a decision are adjacent, and so are the others.
      if isFromStart, order?.column == .review {
        parts.append("(state <> 'dataProvided') = \(state == .dataProvided ? 0 : 1)")
      }
      values["state"] = state.rawValue
    }
    if isUndecided { parts.append("+task.state NOT IN (\(Self.decided))") }
    if let inspector {
      let isLookedUp = order == nil || (isFromStart && order?.column == .inspector)
      parts.append((isLookedUp ? "" : "+") + "task.inspector = :inspector")
      values["inspector"] = inspector
    }
    if let type {
      parts.append("task.type = :type")
      values["type"] = type
    }
    if let parcel {
      parts.append((order == nil ? "" : "+") + Self.isOnParcel)
      values["parcel"] = parcel
    }
    if let text {
      parts.append(Self.hasText)
      values["text"] = text
      values["reference"] = "reference\n\(text)"
    }
    switch due {
    case .overdue, .week:
      parts.append("task.due < :due AND task.state IN (\(Self.editable))")
      let week = due == .week ? 7 * 86_400.0 : 0
      values["due"] = now.advanced(bySeconds: week).millisecondsSince1970
    case .undated: parts.append("task.due IS NULL")
    case nil: break
    }
    if let photos { parts.append(Self.have(photos)) }
    parts += itemConditions.map { Self.picked(by: $0, few: areFew, order: order != nil) }
    values.merge(itemValues) { $1 }
    if let area {
      parts.append(Self.isIn(area))
      values["areaWest"] = area.westDegrees
      values["areaEast"] = area.eastDegrees
      values["areaSouth"] = area.southDegrees
      values["areaNorth"] = area.northDegrees
    }
    return (parts.isEmpty ? "TRUE" : parts.joined(separator: " AND "), values)
  }
}

extension TaskSorting {
  /// The keys that are compared, one after the other; the last one differs between any two tasks.
  /// Expressions are in brackets, since the keys are compared with values elsewhere. Each order has
  /// an index, which a query must name: SQLite would otherwise use a filter's index, and sort all
  /// that the filter lets through.
  private var keys: [(sql: String, isDescending: Bool)] {
    let down = isDescending
    return switch column {
    case .review:
      [("(state <> 'dataProvided')", down), ("created", !down), ("id", down)]
    case .name: [("name COLLATE NOCASE", down), ("id", down)]
    case .inspector: [("inspector", down), ("created", !down), ("id", down)]
    case .due: [("(due IS NULL)", false), ("coalesce(due, 0)", down), ("id", down)]
    case .created: [("created", down), ("id", down)]
    }
  }

  /// The index that has this order.
  var index: String {
    switch column {
    case .review: "task_by_review"
    case .name: "task_by_name"
    case .inspector: "task_by_inspector"
    case .due: isDescending ? "task_by_due_late" : "task_by_due"
    case .created: "task_by_created"
    }
  }

  /// Returns the terms for ORDER BY.
  /// - Parameters:
  ///   - isReversed: true to read from the end.
  ///   - first: the index of the first key to compare; the keys before it are the same in all rows.
  func sql(isReversed: Bool = false, from first: Int = 0) -> String {
    keys[first...].map { "\($0.sql)\($0.isDescending != isReversed ? " DESC" : "")" }.joined(
      separator: ", ")
  }

  /// The SQL that selects a task's keys as the columns k0, k1 and so on.
  var keySQL: String {
    keys.enumerated().map { "\($0.element.sql) AS k\($0.offset)" }.joined(separator: ", ")
  }

  /// The number of keys, which is also the number of keys of a place in this order.
  public var keyCount: Int { keys.count }

  /// Returns the condition for the tasks after a task whose keys are bound as k0, k1 and so on:
  /// those that differ from it in the key `index`, and agree in all keys before. With `isReversed`,
  /// for the tasks before it.
  func behindSQL(from index: Int, isReversed: Bool) -> String {
    let same = keys[..<index].enumerated().map { "\($0.element.sql) = :k\($0.offset)" }
    let sign = keys[index].isDescending != isReversed ? "<" : ">"
    return (same + ["\(keys[index].sql) \(sign) :k\(index)"]).joined(separator: " AND ")
  }
}
