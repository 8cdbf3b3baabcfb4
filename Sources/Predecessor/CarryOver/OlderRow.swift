import Evidence
import Imports
import Office
import Store
import Sync
import TimeAndText

/// A table of an EGNSS4CAP database from which data are carried over.
enum OlderTable: String, CaseIterable {
  case agency = "pa"
  case user
  case userRole = "user_role"
  case task
  case taskType = "task_type"
  case taskFlag = "task_flag"
  case photo
  case track = "path"
  case point = "path_point"
  case parcel = "land"

  /// The column that names the row's parent, which the row belongs to; nil if rows have none.
  var parentColumn: String? {
    switch self {
    case .user: "pa_id"
    case .userRole, .track: "user_id"
    case .taskFlag, .photo: "task_id"
    case .point: "path_id"
    case .agency, .task, .taskType, .parcel: nil
    }
  }

  /// True for a table that only such a database has: other databases of a dump have a table `user`,
  /// too.
  var isTelling: Bool { [.agency, .userRole, .taskFlag, .photo, .point, .parcel].contains(self) }
}

/// A row of an EGNSS4CAP database.
struct OlderRow {
  let table: String
  let number: Int64
  /// The number of the row that it belongs to; nil for none.
  let parent: Int64?
  /// The line of the dump in which it begins, counted from 1.
  let line: Int
  private var columns: [String: JSONValue]

  private static let noTime = "1970-01-01 00:00:00"
  /// The member of a staged row that lists the columns whose bytes were no Unicode.
  private static let damagedMember = ""

  init(_ row: StagedRow) throws {
    (table, number, parent, line) = (row.table, row.number, row.parent, row.line)
    guard case .object(let columns) = try JSONValue(parsing: Array(row.columns.utf8)) else {
      throw StoreError.damagedRow("\(row.table) \(row.number) on the stage")
    }
    self.columns = columns
  }

  /// Returns a dump's row as it is put on the stage; nil if it has no number.
  static func staged(_ row: DumpRow, database: Int) -> StagedRow? {
    var columns: [String: JSONValue] = [:]
    var damaged: [JSONValue] = []
    for (name, value) in zip(row.columns, row.values) {
      switch value {
      case .null: columns[name] = .null
      case .tooLong(let bytes): columns[name] = .integer(bytes)
      case .bytes(let bytes):
        let text = String(validating: bytes, as: UTF8.self)
        if text == nil { damaged.append(.string(name)) }
        columns[name] = .string(text ?? String(decoding: bytes, as: UTF8.self))
      }
    }
    guard let number = columns["id"]?.text.flatMap({ Int64($0) }), number >= 0 else { return nil }
    let parent = OlderTable(rawValue: row.table)?.parentColumn.flatMap {
      columns[$0]?.text.flatMap { Int64($0) }
    }
    if !damaged.isEmpty { columns[damagedMember] = .array(damaged) }
    return StagedRow(
      table: row.table, database: database, number: number, parent: parent, line: row.line,
      columns: String(decoding: JSONValue.object(columns).canonicalBytes, as: UTF8.self))
  }

  /// Returns the row with these columns only, and no more than `limit` characters of each: for rows
  /// of which many are kept in memory.
  func keeping(_ names: Set<String>, charactersAtMost limit: Int) -> OlderRow {
    var row = self
    row.columns = columns.filter { names.contains($0.key) || $0.key == Self.damagedMember }
      .mapValues { $0.text.map { .string(String($0.prefix(limit))) } ?? $0 }
    return row
  }

  /// Returns a column as the dump has it; nil for NULL, for a column that does not exist, and for
  /// one that was too long.
  func raw(_ name: String) -> String? { columns[name]?.text }

  /// Returns a column's text, trimmed and without NUL characters; nil if nothing is left.
  func text(_ name: String) -> String? {
    guard let raw = raw(name) else { return nil }
    let text = PHPForm.trimmed(
      String(String.UnicodeScalarView(raw.unicodeScalars.filter { $0.value != 0 })))
    return text.isEmpty ? nil : text
  }

  /// Returns a column's text in one line, such as a name, with at most `limit` characters; nil if
  /// it is empty.
  func name(_ name: String, charactersAtMost limit: Int) -> String? {
    text(name).map { OlderRow.shown($0, charactersAtMost: limit) }
  }

  func integer(_ name: String) -> Int64? {
    raw(name).flatMap { Int64(PHPForm.trimmed($0)) }
  }

  /// Returns true if a column of 0 and 1 is not 0.
  func flag(_ name: String) -> Bool { integer(name).map { $0 != 0 } ?? false }

  /// Returns a time; nil for none, for `0000-00-00`, for a text that is no time, and for the first
  /// second of 1970, which the older office wrote in place of each time that it could not read.
  func time(_ name: String, _ times: PHPTime) -> DeviceTime? {
    guard text(name)?.hasPrefix(Self.noTime) != true else { return nil }
    // A time that the zone moves out of the years 0000 to 9999 could not be told to a device.
    return text(name).flatMap(times.instant).flatMap {
      DeviceTime(rfc3339: $0.rfc3339) == $0 ? $0 : nil
    }
  }

  /// The columns that were too long to be taken, with their lengths in bytes.
  var tooLong: [(name: String, bytes: Int)] {
    columns.compactMap { name, value in value.wholeNumber.map { (name, $0) } }
      .sorted { $0.name < $1.name }
  }

  /// The columns whose bytes were no Unicode; bytes that cannot be read are replaced by U+FFFD.
  var damaged: [String] { columns[Self.damagedMember]?.elements?.compactMap(\.text) ?? [] }

  /// All columns that have a text, by name.
  var known: [String: String] {
    columns.compactMapValues(\.text)
  }

  /// Returns a text for one line of a report or a screen, without characters that move a cursor or
  /// turn the direction of what follows.
  static func shown(_ text: String, charactersAtMost limit: Int = 300) -> String {
    var shown = ""
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < limit else { return shown + "…" }
      count += 1
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0: shown.unicodeScalars.append(" ")
      case 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: continue
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
