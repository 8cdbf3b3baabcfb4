import Positioning

/// What a field holds.
public enum FieldKind: String, Hashable, Sendable {
  /// Words, identifiers, one of a list of words.
  case text
  /// A whole number.
  case integer
  /// A number with decimals.
  case decimal
  /// Yes or no.
  case flag
  /// A moment in UTC, RFC 3339 with milliseconds.
  case time
}

/// What a field says of one thing.
public enum FieldValue: Hashable, Sendable {
  case text(String)
  case integer(Int)
  /// Rounded to so many decimals.
  case decimal(Double, places: Int)
  case flag(Bool)
  case time(GNSSTime)
}

/// A field of the dictionary: the same name means the same in every format.
public struct ExportField<Row>: Sendable {
  /// Its name, which never changes its meaning.
  public let name: String
  /// What it holds.
  public let kind: FieldKind
  /// Its unit; nil where it has none.
  public let unit: String?
  /// What it means.
  public let meaning: String
  /// When there is nothing in it; nil where there always is something.
  public let absence: String?
  let value: @Sendable (Row) -> FieldValue?

  init(
    _ name: String, _ kind: FieldKind, _ unit: String?, _ meaning: String,
    nil absence: String? = nil, _ value: @escaping @Sendable (Row) -> FieldValue?
  ) {
    (self.name, self.kind, self.unit) = (name, kind, unit)
    (self.meaning, self.absence, self.value) = (meaning, absence, value)
  }

  /// A field without a unit.
  init(
    _ name: String, _ kind: FieldKind, _ meaning: String, nil absence: String? = nil,
    _ value: @escaping @Sendable (Row) -> FieldValue?
  ) {
    self.init(name, kind, nil, meaning, nil: absence, value)
  }

  /// What it says of one thing; nil where nothing is known. A number that is none is not known.
  public func callAsFunction(_ row: Row) -> FieldValue? {
    switch value(row) {
    case .decimal(let number, _) where !number.isFinite: nil
    case .text(let words) where words.isEmpty: nil
    case .time(let time) where time.date == nil: nil
    case let known: known
    }
  }
}

/// What is known of one kind of thing, in its order.
public struct FieldTable<Row>: Sendable {
  /// What tables and schemas are called: `photos`.
  public let name: String
  /// What one of its rows is called: `photo`.
  public let rowName: String
  /// Its name for people.
  public let title: String
  /// Its fields.
  public let fields: [ExportField<Row>]

  /// The fields of a row that are known, with what they say.
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
  /// The dictionary for people: `docs/exports.md` has it between two marks, and a test compares.
  public static var markdown: String {
    func part(_ table: FieldTable<some Any>) -> String {
      "### \(table.title) (`\(table.name)`)\n\n\(table.markdown)"
    }
    return [
      part(TaskFields.table), part(ParcelFields.table), part(PhotoFields.table),
      part(TrackFields.table), part(PointFields.table),
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
