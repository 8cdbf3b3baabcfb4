import Inspection
import TimeAndText

/// A file of people: CSV in UTF-8 with a header line and the columns `login`, `name`, `role` and
/// `password`, in any order. Only `login` must be there; other columns are skipped.
public struct PeopleFile: Sendable {
  /// A person of the file.
  public struct Row: Hashable, Sendable {
    /// The line, counted from 1.
    public var line: Int
    /// The login.
    public var login: String
    /// The role; an inspector if the file does not say.
    public var role: Role
    /// The full name; nil if the file has none.
    public var name: String?
    /// The first password; nil if the file has none.
    public var password: String?
  }

  /// The most bytes of a file.
  public static let bytesAtMost = 1 << 20
  /// The most people of a file.
  public static let rowsAtMost = 5000
  /// The most characters of a full name.
  public static let nameCharactersAtMost = 200

  /// The people that could be read, in the order of the file.
  public private(set) var rows: [Row] = []
  /// The faults of the file, each with its line.
  public private(set) var faults: [ImportFault] = []

  private enum Column: String, CaseIterable { case login, name, role, password }
  private var columns: [Column: Int] = [:]
  private var width = 0

  /// Reads a file. A fault that makes the rest unreadable is the last of `faults`.
  public init(_ bytes: [UInt8]) {
    guard bytes.count <= Self.bytesAtMost else {
      faults = [ImportFault("the file has more than \(Self.bytesAtMost >> 20) MB: divide it")]
      return
    }
    var reader = CSVReader(limits: ImportLimits())
    // A spreadsheet may begin its file with a byte order mark.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let body = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    do {
      try body.withUnsafeBytes { whole in try reader.feed(whole) { try take($0) } }
      try reader.finish { try take($0) }
      if width == 0 {
        throw ImportFault("the file is empty")
      } else if rows.isEmpty, faults.isEmpty {
        throw ImportFault("it has a header line and no rows")
      }
    } catch let fault as ImportFault {
      faults.append(fault)
    } catch {
      faults.append(ImportFault("\("\(error)")"))
    }
  }

  private mutating func take(_ record: CSVReader.Record) throws {
    guard let fields = record.fields else {
      throw ImportFault(line: record.line, "this line is too long for a person")
    }
    guard width > 0 else { return try begin(fields, line: record.line) }
    guard rows.count < Self.rowsAtMost else {
      throw ImportFault(
        line: record.line, "the file has more than \(Self.rowsAtMost) people: divide it")
    }
    do {
      rows.append(try row(fields, record))
    } catch let fault as ImportFault {
      faults.append(fault)
    }
  }

  private mutating func begin(_ names: [String], line: Int) throws {
    for (index, name) in names.enumerated() {
      let plain = name.trimmingBlanks.lowercased()
      guard let column = Column(rawValue: plain) else { continue }
      guard columns.updateValue(index, forKey: column) == nil else {
        throw ImportFault(line: line, "two columns are called \(plain)")
      }
    }
    guard columns[.login] != nil else {
      throw ImportFault(
        line: line, "no column is called login: the first line names them, login,name,role,password"
      )
    }
    width = names.count
  }

  private func row(_ fields: [String], _ record: CSVReader.Record) throws -> Row {
    guard !record.isQuoteAlone else {
      throw ImportFault(line: record.line, "write each quote within a field twice")
    }
    guard fields.count == width else {
      throw ImportFault(
        line: record.line, "it has \(fields.count) fields, and the first line names \(width)")
    }
    func field(_ column: Column) -> String? {
      let text = columns[column].map { fields[$0].trimmingBlanks } ?? ""
      return text.isEmpty ? nil : text
    }
    guard let login = field(.login) else { throw ImportFault(line: record.line, "it has no login") }
    let word = field(.role)?.lowercased() ?? Role.inspector.rawValue
    guard let role = Role(rawValue: word), role != .superAdministrator else {
      throw ImportFault(
        line: record.line, "the role \(word) is none of inspector, officer and administrator")
    }
    let name = field(.name)
    guard (name ?? "").count <= Self.nameCharactersAtMost else {
      throw ImportFault(
        line: record.line,
        "the name has more than \(Self.nameCharactersAtMost) characters: shorten it")
    }
    // A password is taken as it is written: blanks may belong to it.
    let password = columns[.password].map { fields[$0] }.flatMap { $0.isEmpty ? nil : $0 }
    return Row(line: record.line, login: login, role: role, name: name, password: password)
  }
}

extension String {
  /// The text without blanks at its ends.
  fileprivate var trimmingBlanks: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
