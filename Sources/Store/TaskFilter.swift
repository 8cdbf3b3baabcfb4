import GRDB
import Geodesy
import Inspection
import Positioning

/// Which tasks of an agency are meant.
public struct TaskFilter: Hashable, Sendable {
  /// Which due dates.
  public enum Due: String, CaseIterable, Sendable {
    /// The date has passed, and the inspector still has the task.
    case overdue
    /// The inspector still has it, and the date is not more than a week away, or has passed.
    case week
    /// There is no date.
    case undated
  }

  /// What the checks of the photos have found.
  public enum Photos: String, CaseIterable, Sendable {
    /// A check contradicts a photo, or its evidence does not hold.
    case contradicted
    /// A photo is still being checked.
    case unchecked
    /// All are checked, and nothing contradicts them.
    case clean
    /// There is none.
    case missing
  }

  /// Words that name, parcel or instructions contain, or the whole reference that whoever ordered the task knows it by;
  /// nil for all.
  public var text: String?
  /// In one state; nil for all.
  public var state: TaskState?
  /// Of one inspector; nil for all.
  public var inspector: String?
  /// Of one type; nil for all.
  public var type: String?
  /// Of the parcel that has this identifier, letter by letter; nil for all.
  public var parcel: String?
  /// By due date; nil for all.
  public var due: Due?
  /// By what was found of its photos; nil for all.
  public var photos: Photos?
  /// Of which something stands in a part of the world: the middle of its parcel, or photos, those within
  /// some 100 m of each other taken together; nil for all.
  public var area: CoordinateBox?

  /// A filter from its parts.
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

/// In which order tasks stand.
public struct TaskSorting: Hashable, Sendable {
  /// What is compared.
  public enum Column: String, CaseIterable, Sendable {
    /// Those that wait for a decision first, then the newest.
    case review
    case name
    case inspector
    /// Those without a date last.
    case due
    case created
  }

  /// What is compared.
  public var column: Column
  /// The other way round.
  public var isDescending: Bool

  /// An order from its parts.
  public init(_ column: Column = .review, isDescending: Bool = false) {
    self.column = column
    self.isDescending = isDescending
  }
}

// What is put together here are constant texts; what comes from outside is bound.
extension TaskFilter {
  private static let editable = TaskState.allCases.filter(\.isEditable)
    .map { "'\($0.rawValue)'" }.joined(separator: ", ")

  /// What the task's photos were counted to be.
  private static func tally(_ condition: String) -> String {
    """
    EXISTS (SELECT 1 FROM task_tally WHERE task_tally.agency = :agency AND task_tally.task = task.id
      AND \(condition))
    """
  }

  private static func isIn(_ area: CoordinateBox) -> String {
    let longitude = "longitudes / (photos + tasks)"
    return """
      EXISTS (SELECT 1 FROM task_cell WHERE task_cell.agency = :agency AND task_cell.task = task.id
        AND photos + tasks > 0 AND latitudes / (photos + tasks) BETWEEN :areaSouth AND :areaNorth
        AND (\(longitude) >= :areaWest \(area.crossesAntimeridian ? "OR" : "AND") \(longitude) <= :areaEast))
      """
  }

  /// What a task must fulfil.
  /// - Parameters:
  ///   - now: what is overdue is so at a moment.
  ///   - order: in which order tasks are read, from its index; nil for none. SQLite would else put what is
  ///     filtered into the order's own expressions, and find no index for them.
  ///   - isFromStart: whether it is read from its beginning, and not from behind a task. One inspector's
  ///     tasks in the order of inspectors stand together, and are then looked up in its index.
  func condition(
    at now: DeviceTime, in order: TaskSorting? = nil, isFromStart: Bool = false
  ) -> (
    sql: String, values: [String: (any DatabaseValueConvertible)?]
  ) {
    var parts: [String] = []
    var values: [String: (any DatabaseValueConvertible)?] = [:]
    if let state {
      parts.append((order == nil ? "" : "+") + "task.state = :state")
      // What waits stands together in the order of review, as the other half does.
      if isFromStart, order?.column == .review {
        parts.append("(state <> 'dataProvided') = \(state == .dataProvided ? 0 : 1)")
      }
      values["state"] = state.rawValue
    }
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
      // Looked up once: an order's index knows a task's identifier, and not its parcel's.
      let own = """
        task.id IN (SELECT own.id FROM task AS own INDEXED BY task_by_parcel
          WHERE own.agency = :agency AND own.parcel_identifier = :parcel)
        """
      parts.append((order == nil ? "" : "+") + own)
      values["parcel"] = parcel
    }
    if let text {
      parts.append(
        """
        (instr(lower(task.name || ' ' || coalesce(task.parcel_identifier, '') || ' '
          || coalesce(task.instructions, '')), lower(:text)) > 0
          OR +task.id IN (SELECT task_reference.task FROM task_reference
            WHERE task_reference.agency = :agency AND task_reference.reference = :reference))
        """)
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
    switch photos {
    case .contradicted: parts.append(Self.tally("task_tally.contradicted > 0"))
    case .unchecked: parts.append(Self.tally("task_tally.unchecked > 0"))
    case .clean:
      parts.append(
        Self.tally(
          "task_tally.photos > 0 AND task_tally.unchecked = 0 AND task_tally.contradicted = 0"))
    case .missing: parts.append("NOT " + Self.tally("task_tally.photos > 0"))
    case nil: break
    }
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
  /// What is compared, one after the other; the last is another one in each task. In brackets, since these
  /// are compared again. Each has its index, which has to be named: SQLite would rather follow a filter's
  /// and sort all that it lets through.
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

  /// For ORDER BY.
  /// - Parameters:
  ///   - isReversed: from the end on.
  ///   - first: where the keys before are the same in all.
  func sql(isReversed: Bool = false, from first: Int = 0) -> String {
    keys[first...].map { "\($0.sql)\($0.isDescending != isReversed ? " DESC" : "")" }.joined(
      separator: ", ")
  }

  /// The keys' columns of one task.
  var keySQL: String {
    keys.enumerated().map { "\($0.element.sql) AS k\($0.offset)" }.joined(separator: ", ")
  }

  /// How many keys there are: a place in this order has as many.
  public var keyCount: Int { keys.count }

  /// What stands behind a task whose keys are bound as k0, k1 and so on, the first of it that differs in
  /// the key `index` alone; before it, reversed.
  func behindSQL(from index: Int, isReversed: Bool) -> String {
    let same = keys[..<index].enumerated().map { "\($0.element.sql) = :k\($0.offset)" }
    let sign = keys[index].isDescending != isReversed ? "<" : ">"
    return (same + ["\(keys[index].sql) \(sign) :k\(index)"]).joined(separator: " AND ")
  }
}
