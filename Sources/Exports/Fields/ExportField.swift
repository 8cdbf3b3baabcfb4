import TimeAndText

/// The kind of value that a field holds.
public enum FieldKind: String, Hashable, Sendable {
  /// Words, an identifier, or one word of a fixed list.
  case text
  /// A whole number.
  case integer
  /// A number with decimals.
  case decimal
  /// True or false.
  case flag
  /// A time in UTC, as RFC 3339 with milliseconds.
  case time
}

/// A field's value for one row.
public enum FieldValue: Hashable, Sendable {
  case text(String)
  case integer(Int)
  /// A number that is written rounded to `places` decimals.
  case decimal(Double, places: Int)
  case flag(Bool)
  case time(GNSSTime)
}

/// A field of the dictionary: one name has the same meaning in every format.
public struct ExportField<Row>: Sendable {
  /// The field's name, which never changes its meaning.
  public let name: String
  /// The kind of value that the field holds.
  public let kind: FieldKind
  /// The field's unit; nil if it has none.
  public let unit: String?
  /// The field's meaning, in words.
  public let meaning: String
  /// The reason why the field may be empty; nil if it always has a value.
  public let absence: String?
  let value: @Sendable (Row) -> FieldValue?

  init(
    _ name: String, _ kind: FieldKind, _ unit: String?, _ meaning: String,
    nil absence: String? = nil, _ value: @escaping @Sendable (Row) -> FieldValue?
  ) {
    (self.name, self.kind, self.unit) = (name, kind, unit)
    (self.meaning, self.absence, self.value) = (meaning, absence, value)
  }

  /// Creates a field without a unit.
  init(
    _ name: String, _ kind: FieldKind, _ meaning: String, nil absence: String? = nil,
    _ value: @escaping @Sendable (Row) -> FieldValue?
  ) {
    self.init(name, kind, nil, meaning, nil: absence, value)
  }

  /// Returns the field's value for one row; nil if it is not known. A number that is not finite, an
  /// empty text and a time without a date count as not known.
  public func callAsFunction(_ row: Row) -> FieldValue? {
    switch value(row) {
    case .decimal(let number, _) where !number.isFinite: nil
    case .text(let words) where words.isEmpty: nil
    case .time(let time) where time.date == nil: nil
    case let known: known
    }
  }
}

/// The fields of one kind of thing, in their order.
public struct FieldTable<Row>: Sendable {
  /// The name of tables and schemas: `photos`.
  public let name: String
  /// The name of one row: `photo`.
  public let rowName: String
  /// The title for people.
  public let title: String
  /// The fields.
  public let fields: [ExportField<Row>]

  /// Returns the fields of a row that are known, with their values.
  func known(of row: Row) -> [(name: String, value: FieldValue)] {
    fields.compactMap { field in field(row).map { (field.name, $0) } }
  }

  /// The table for people, as `docs/exports.md` has it.
  var markdown: String {
    var text = "| field | kind | unit | meaning | empty |\n| --- | --- | --- | --- | --- |\n"
    for field in fields {
      text +=
        "| `\(field.name)` | \(field.kind.rawValue) | \(field.unit ?? "") | \(field.meaning) |"
        + " \(field.absence ?? "never") |\n"
    }
    return text
  }
}

/// All tables of the dictionary.
public enum FieldDictionary {
  /// The dictionary for people. `docs/exports.md` contains it between two marks, and a test
  /// compares the two.
  public static var markdown: String {
    func part(_ table: FieldTable<some Any>) -> String {
      "### \(table.title) (`\(table.name)`)\n\n\(table.markdown)"
    }
    return [
      part(TaskFields.table), part(ParcelFields.table), part(PhotoFields.table),
      part(TrackFields.table), part(PointFields.table), part(PhotoPointFields.table),
      part(RepeatFields.table), part(SetFields.table), part(FrameFields.table),
      part(ItemFields.table), part(AnswerFields.table),
    ].joined(separator: "\n")
  }
}

extension FieldValue {
  static func metres(_ value: Double?) -> FieldValue? { value.map { .decimal($0, places: 3) } }
  static func degrees(_ value: Double?) -> FieldValue? { value.map { .decimal($0, places: 9) } }
  static func angle(_ value: Double?) -> FieldValue? { value.map { .decimal($0, places: 1) } }
  static func words(_ value: (some CustomStringConvertible)?) -> FieldValue? {
    value.map { .text($0.description) }
  }
  static func count(_ value: Int?) -> FieldValue? { value.map { .integer($0) } }
  static func moment(_ value: DeviceTime?) -> FieldValue? { value.map { .time($0.gnssTime) } }
}
