import Inspection

/// A task with its items, for tables with a column for each question.
struct AnsweredTask {
  let task: InspectionTask
  /// The items; nil if its order asks for none.
  let items: ExportedItems?
}

/// The columns for the questions and notes that the tasks of an export ask.
///
/// A question that stands under one name in several templates, or in several versions of one, has one
/// column: the agency has named it so that its answers can be counted together.
struct AnswerColumns {
  /// The decimals to which answers in numbers are written.
  static let places = 9
  /// The most columns of a table in a GeoPackage: SQLite takes 2,000.
  static let atMostInDatabase = 1000

  /// One question.
  private struct Column {
    let name: ItemName
    /// The name of the field.
    let field: String
    var kind: FieldKind
    let wording: String
  }

  private let columns: [Column]
  /// True if an order asks for anything.
  let hasItems: Bool

  /// Collects the questions of orders.
  /// - Parameter orders: one of each template and version, in the order in which columns shall stand.
  init(_ orders: [OrderedItems]) {
    var columns: [Column] = []
    var places: [ItemName: Int] = [:]
    // The names of columns of a database are the same if only their case differs.
    var taken: Set<String> = []
    for item in orders.flatMap(\.items.items) {
      guard let kind = item.answerKind else { continue }
      if let place = places[item.name] {
        if columns[place].kind != kind { columns[place].kind = .text }
        continue
      }
      var field = "answer_\(item.name)"
      while !taken.insert(field.lowercased()).inserted { field += "_" }
      places[item.name] = columns.count
      columns.append(Column(name: item.name, field: field, kind: kind, wording: item.wording))
    }
    self.columns = columns
    hasItems = !orders.isEmpty
  }

  /// The fields of tasks in an export in which no order asks for items.
  private static let plain = TaskFields.table.fields.map { field in
    ExportField<AnsweredTask>(field.name, field.kind, field.meaning, nil: field.absence) {
      field($0.task)
    }
  }

  /// The fields that tell how far a task's items are.
  static let standing: [ExportField<AnsweredTask>] = [
    ExportField(
      "itemsAsked", .integer, "How many items are asked for.", nil: "the order has no items"
    ) { row in row.items.map { .integer($0.standing.asked(of: $0.order.items)) } },
    ExportField("itemsDone", .integer, "How many are done, or not possible.", nil: "as itemsAsked")
    {
      row in row.items.map { .integer($0.standing.answered(of: $0.order.items)) }
    },
    ExportField(
      "itemsMissing", .text, "Short names of those that are required and open, with spaces.",
      nil: "none is"
    ) { row in
      row.items.map {
        .text($0.standing.missing.map(\.description).joined(separator: " "))
      }
    },
    ExportField(
      "itemsNotPossible", .text, "Short names of those that were not possible, with spaces.",
      nil: "none was"
    ) { row in
      row.items.map { items in
        .text(
          items.standing.states.filter { $0.state == .notPossible }.map(\.name.description)
            .joined(separator: " "))
      }
    },
  ]

  /// The table of tasks: without a question the usual fields alone, otherwise with one more for each.
  /// - Parameter limit: the most questions that get a column.
  func table(atMost limit: Int = .max) -> FieldTable<AnsweredTask> {
    let more = columns.prefix(limit).map { column in
      ExportField<AnsweredTask>(
        column.field, column.kind, column.wording, nil: "no answer counts"
      ) { $0.items?.value(of: column.name)?.field(column.kind) }
    }
    return FieldTable(
      name: TaskFields.table.name, rowName: TaskFields.table.rowName,
      title: TaskFields.table.title,
      fields: Self.plain + (hasItems ? Self.standing : []) + more)
  }
}

extension ExportSource {
  /// Returns the columns of all questions in this export.
  func answerColumns() throws -> AnswerColumns { AnswerColumns(try orders()) }

  /// Calls `body` with each task and its items; without items, if no order of the export has any.
  func forEachTask(
    with columns: AnswerColumns, _ body: (AnsweredTask) throws -> Void
  ) throws {
    try forEachTask {
      try body(AnsweredTask(task: $0, items: columns.hasItems ? items(of: $0) : nil))
    }
  }
}

extension OrderItem {
  /// The kind of value that answers the item; nil if no words or numbers do.
  fileprivate var answerKind: FieldKind? {
    switch content {
    case .note: .text
    case .question(let question):
      switch question.form {
      case .number: .decimal
      case .yesOrNo: .flag
      case .choice, .several, .text, .date: .text
      }
    case .shot, .track, .words: nil
    }
  }
}

extension AnswerValue {
  /// Returns the value for a column of a kind.
  fileprivate func field(_ kind: FieldKind) -> FieldValue {
    switch (self, kind) {
    case (.number(let number), .decimal): .decimal(number, places: AnswerColumns.places)
    case (.yes(let isYes), .flag): .flag(isYes)
    default: .text(programText)
    }
  }
}
