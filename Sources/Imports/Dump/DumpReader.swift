// The problem: mysqldump and mariadb-dump write hundreds of MB of text, of which one line may be
// many MB long. The rows of a few tables are wanted. The bytes may come from anyone.
//
// The obvious idea: to load the dump into a MySQL server, and to ask the server. That needs the
// server, its rights, and trust in everything else that the dump tells it to do.
//
// The solution: statements are read from the first to the last. `CREATE TABLE` tells the columns,
// `INSERT` and `REPLACE` bring the rows, `USE` names the database, and `DELIMITER` says where
// statements end. All others are read over together with their strings and comments, so that
// nothing in those is taken for anything else. Rows are pulled one after the other.
//
// Cost: each byte is visited once; in memory are one row, within limits, and the columns of the
// tables.

/// A reader of dumps of MySQL or MariaDB.
public final class DumpReader {
  /// A source of bytes, which fills a buffer from its beginning on and returns the number of bytes;
  /// 0 is the end.
  public typealias Source = (UnsafeMutableRawBufferPointer) throws -> Int

  /// The statement that brings the rows which are being read.
  struct Insertion {
    var database: String?
    var table: String
    var columns: [String]
    var isFirst = true
  }

  private struct TableName: Hashable {
    var database: String?
    var table: String
  }

  let bytes: DumpBytes
  let limits: DumpLimits
  private let wanted: Set<String>
  private var insertion: Insertion?
  private var database: String?
  private var columns: [TableName: [String]] = [:]
  private var delimiter: [UInt8] = [UInt8(ascii: ";")]
  /// True if the program that wrote the dump ends it with a line that says so; `hasEnded` is true
  /// once that line has come.
  private var endsWithLine = false
  private var hasEnded = false
  private var hasBegun = false
  private var isOver = false

  /// Creates a reader of a dump from its beginning.
  /// - Parameters:
  ///   - tables: the tables whose rows are wanted, in lower case.
  ///   - pieceBytes: the number of bytes that are asked for at once.
  ///   - source: the source of the dump's bytes, unpacked.
  public init(
    tables: Set<String>, limits: DumpLimits = DumpLimits(), pieceBytes: Int = 256 << 10,
    source: @escaping Source
  ) {
    bytes = DumpBytes(pieceBytes: pieceBytes, source: source)
    wanted = tables
    self.limits = limits
  }

  /// Reads the next row of a wanted table; nil at the dump's end.
  /// - Throws: `DumpFault`, also if the dump was cut off; every error of the source.
  public func next() throws -> DumpRow? {
    while !isOver {
      if insertion != nil {
        if let row = try nextRow() { return row }
        insertion = nil
        continue
      }
      try readOverBlanks()
      guard try bytes.peek() != nil else {
        isOver = true
        try finish()
        return nil
      }
      try statement()
    }
    return nil
  }

  func fault(_ words: String) -> DumpFault {
    DumpFault(line: bytes.line, byte: bytes.byte, words: words)
  }

  private func finish() throws {
    guard hasBegun else { throw fault("it is empty: make the dump again") }
    guard !endsWithLine || hasEnded else {
      throw fault(
        "the line \"-- Dump completed\" is missing at its end: it was cut off. Make the dump again, or copy it"
          + " again")
    }
  }

  // MARK: statements

  /// The words with which a dump's other statements begin, which are read over. Any other word
  /// means that the text is no dump, or was damaged.
  private static let readOver: Set<String> = [
    "SET", "DROP", "LOCK", "UNLOCK", "ALTER", "START", "BEGIN", "COMMIT", "ROLLBACK", "CHANGE",
    "GRANT", "REVOKE",
    "FLUSH", "CALL", "ANALYZE", "TRUNCATE", "UPDATE", "DELETE", "SELECT", "WITH", "RENAME",
    "OPTIMIZE", "XA", "DO",
    "PURGE", "RESET", "STOP", "INSTALL", "END",
  ]

  private func statement() throws {
    if try bytes.isNext(delimiter) { return try bytes.skip(delimiter.count) }
    if !hasBegun { try refuseOtherFormats() }
    // The check of other formats comes first. Warnings that a program wrote to the terminal have
    // come into many dumps.
    if try isProgramsOwnLine() { return }
    let word = try word()
    hasBegun = true
    switch word {
    case "INSERT", "REPLACE": try beginInsertion()
    case "CREATE": try create()
    case "USE":
      try readOverBlanks()
      database = try name()
      try readOverStatement()
    case "DELIMITER": try readDelimiter()
    case "SET":
      try readOverBlanks()
      if try self.word() == "NAMES" {
        try readOverBlanks()
        try require(characters: try wordOrText())
      }
      try readOverStatement()
    case _ where Self.readOver.contains(word): try readOverStatement()
    default:
      guard try bytes.peek() != nil || word.isEmpty else { throw cutOff("a statement") }
      let start =
        try word.isEmpty ? bytes.peek().map { String(decoding: [$0], as: UTF8.self) } : word
      throw fault(
        "\"\(shown(start ?? ""))\" begins no statement of a dump: it is no dump of MySQL or MariaDB, or its text was"
          + " changed. Make it with mysqldump or mariadb-dump, and copy it as it is")
    }
  }

  /// Refuses files that people have instead of a dump, by their first bytes.
  private func refuseOtherFormats() throws {
    let formats: [([UInt8], String)] = [
      ([0x28, 0xB5, 0x2F, 0xFD], "it is compressed with zstd: unpack it first"),
      ([0x42, 0x5A, 0x68], "it is compressed with bzip2: unpack it first"),
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "it is compressed with xz: unpack it first"),
      ([0x50, 0x4B, 0x03, 0x04], "it is a ZIP: unpack it first"),
      (
        [0xFF, 0xFE], "it is UTF-16, as PowerShell's > writes it: make the dump with --result-file"
      ),
      ([0xFE, 0xFF], "it is UTF-16: make the dump with --result-file"),
      (Array("<?xml".utf8), "it is XML: make the dump without --xml"),
      (Array("PGDMP".utf8), "it is a dump of PostgreSQL"),
      (Array("SQLite format 3".utf8), "it is a database of SQLite, and no dump"),
    ]
    for (start, words) in formats where try bytes.isNext(start) { throw fault(words) }
  }

  /// Reads over a line that a program wrote to the terminal, `mysqldump: [Warning] …` and the like.
  /// - Returns: true if there was one.
  /// - Throws: `DumpFault` if the line is no warning.
  private func isProgramsOwnLine() throws -> Bool {
    for program in ["mysqldump: ", "mariadb-dump: ", "mysql: "]
    where try bytes.isNext(Array(program.utf8)) {
      let line = try restOfLine()
      guard line.contains("[Warning]") else {
        throw fault("the program that made it has failed: \(shown(line))")
      }
      return true
    }
    return false
  }

  /// Requires that the dump's text is Unicode, because no other character set is known here.
  private func require(characters name: String) throws {
    guard ["utf8", "utf8mb3", "utf8mb4", "binary", "default"].contains(name.lowercased()) else {
      throw fault(
        "its text is in \(shown(name)): make the dump with --default-character-set=utf8mb4")
    }
  }

  private func readDelimiter() throws {
    let text = try restOfLine().split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    guard (1...16).contains(text.utf8.count) else {
      throw fault("DELIMITER names none, or one of more than 16 bytes")
    }
    delimiter = Array(text.utf8)
  }

  // MARK: tables

  /// Remembers the columns of a wanted table; everything else that can be created is read over.
  private func create() throws {
    try readOverBlanks()
    var word = try word()
    while ["OR", "REPLACE", "TEMPORARY"].contains(word) {
      try readOverBlanks()
      word = try self.word()
    }
    guard word == "TABLE" else { return try readOverStatement() }
    let (owner, table) = try tableName(after: ["IF", "NOT", "EXISTS"])
    try readOverBlanks()
    guard wanted.contains(table), try bytes.peek() == UInt8(ascii: "(") else {
      return try readOverStatement()
    }
    let name = TableName(database: owner ?? database, table: table)
    guard columns.count < limits.tables || columns[name] != nil else {
      throw fault("it has more than \(limits.tables) tables")
    }
    columns[name] = try definedColumns()
    try readOverStatement()
  }

  private static let noColumns: Set<String> = [
    "PRIMARY", "UNIQUE", "KEY", "INDEX", "CONSTRAINT", "FULLTEXT", "SPATIAL", "FOREIGN", "CHECK",
    "PERIOD",
  ]

  private func definedColumns() throws -> [String] {
    try bytes.skip(1)
    var columns: [String] = []
    while true {
      try readOverBlanks()
      guard let first = try bytes.peek() else { throw cutOff("a table's columns") }
      if first == UInt8(ascii: ")") {
        try bytes.skip(1)
        return columns
      }
      let isQuoted = first == UInt8(ascii: "`") || first == UInt8(ascii: "\"")
      let name = try name()
      if isQuoted || !Self.noColumns.contains(name.uppercased()) {
        guard columns.count < limits.columns else {
          throw fault("a table has more than \(limits.columns) columns")
        }
        columns.append(name)
      }
      // The column's definition ends at a comma or bracket, but types, defaults and comments have
      // brackets and commas of their own.
      if try readOver(to: [UInt8(ascii: ","), UInt8(ascii: ")")], "a table's columns")
        == UInt8(ascii: ",")
      {
        try bytes.skip(1)
      }
    }
  }

  /// Reads a table's name, and that of its database; nil if the statement names no database.
  private func tableName(after words: Set<String>) throws -> (database: String?, table: String) {
    try readOverBlanks()
    var name = ""
    repeat {
      let isQuoted = try bytes.peek().map { $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "\"") }
      name = try self.name()
      try readOverBlanks()
      if isQuoted == true { break }
    } while words.contains(name.uppercased())
    guard try bytes.peek() == UInt8(ascii: ".") else { return (nil, name.lowercased()) }
    try bytes.skip(1)
    return (name, try self.name().lowercased())
  }

  // MARK: rows

  private func beginInsertion() throws {
    let (owner, table) = try tableName(
      after: ["LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "IGNORE", "INTO"])
    guard wanted.contains(table) else { return try readOverStatement() }
    var named = columns[TableName(database: owner ?? database, table: table)]
    try readOverBlanks()
    if try bytes.peek() == UInt8(ascii: "(") { named = try namedColumns() }
    try readOverBlanks()
    let word = try word()
    guard word == "VALUES" || word == "VALUE" else {
      guard try bytes.peek() != nil else { throw cutOff("an INSERT") }
      throw fault("INSERT of the table \(shown(table)) has no VALUES: make the dump with mysqldump")
    }
    guard let named, !named.isEmpty else {
      throw fault(
        "the dump does not name the columns of the table \(shown(table)): make the dump with its CREATE TABLE, or"
          + " with --complete-insert")
    }
    insertion = Insertion(database: owner ?? database, table: table, columns: named)
  }

  private func namedColumns() throws -> [String] {
    try bytes.skip(1)
    var columns: [String] = []
    while true {
      try readOverBlanks()
      columns.append(try name())
      guard columns.count <= limits.columns else {
        throw fault("a table has more than \(limits.columns) columns")
      }
      try readOverBlanks()
      switch try bytes.take() {
      case UInt8(ascii: ","): continue
      case UInt8(ascii: ")"): return columns
      case nil: throw cutOff("an INSERT")
      default: throw fault("a list of columns goes on with neither a comma nor a bracket")
      }
    }
  }

  /// Reads the next row of the current statement; nil if it has no more.
  private func nextRow() throws -> DumpRow? {
    guard var insertion else { return nil }
    try readOverBlanks()
    guard let sign = try bytes.peek() else { throw cutOff("an INSERT") }
    if insertion.isFirst {
      guard sign == UInt8(ascii: "(") else { throw fault("VALUES is followed by no row") }
      insertion.isFirst = false
      self.insertion = insertion
    } else if sign == UInt8(ascii: ",") {
      try bytes.skip(1)
      try readOverBlanks()
      guard try bytes.peek() == UInt8(ascii: "(") else {
        throw try bytes.peek() == nil
          ? cutOff("an INSERT") : fault("a comma between rows is followed by no row")
      }
    } else {
      // The statement goes on with ON DUPLICATE KEY UPDATE, or it ends.
      guard try bytes.isNext(delimiter) || (try word()) == "ON" else {
        throw fault("a row is followed by neither a comma nor the statement's end")
      }
      try readOverStatement()
      return nil
    }
    let line = bytes.line
    try bytes.skip(1)
    let values = try values(insertion)
    return DumpRow(
      database: insertion.database, table: insertion.table, columns: insertion.columns,
      values: values,
      line: line)
  }

  private func values(_ insertion: Insertion) throws -> [DumpValue] {
    var values: [DumpValue] = []
    values.reserveCapacity(insertion.columns.count)
    var room = limits.rowBytes
    while true {
      try readOverBlanks()
      let value = try value(bytesAtMost: min(room, limits.valueBytes))
      if case .bytes(let bytes) = value { room -= bytes.count }
      values.append(value)
      guard values.count <= insertion.columns.count else { break }
      try readOverBlanks()
      let sign = try bytes.take()
      if sign == UInt8(ascii: ",") { continue }
      guard sign == UInt8(ascii: ")") else {
        throw sign == nil
          ? cutOff("a row")
          : fault("a value is followed by neither a comma nor the row's bracket")
      }
      break
    }
    guard values.count == insertion.columns.count else {
      throw fault(
        "a row of the table \(shown(insertion.table)) has \(values.count > insertion.columns.count ? "more than" : "\(values.count) of")"
          + " \(insertion.columns.count) values")
    }
    return values
  }

  // MARK: reading over

  /// Reads over the rest of the statement, and over its end.
  func readOverStatement() throws {
    while let byte = try bytes.peek() {
      if byte == delimiter.first, try bytes.isNext(delimiter) {
        return try bytes.skip(delimiter.count)
      }
      try readOverOne(byte)
    }
    // The last statement of a file may lack its end.
  }

  /// Notes the lines of `--` with which a dump begins and ends.
  func note(comment: String) {
    if comment.hasPrefix(" MySQL dump") || comment.hasPrefix(" MariaDB dump") {
      (endsWithLine, hasEnded) = (true, false)
    } else if comment.hasPrefix(" Dump completed") {
      hasEnded = true
    }
    hasBegun = true
  }

  /// Checks the character set in a comment that MySQL executes, such as
  /// `/*!40101 SET NAMES latin1 */`.
  func note(conditional text: String) throws {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "'" || $0 == "\"" })
    guard let place = words.firstIndex(where: { $0.uppercased() == "NAMES" }), place > 0,
      words[place - 1].uppercased() == "SET", place + 1 < words.count,
      !words[place + 1].hasPrefix("@")
    else { return }
    try require(characters: String(words[place + 1]))
  }
}
