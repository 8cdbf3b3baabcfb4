/// A value of a dump's row.
public enum DumpValue: Hashable, Sendable {
  /// NULL.
  case null
  /// What the database held, as bytes; a number as the dump writes it, digit by digit.
  case bytes([UInt8])
  /// Longer than is taken: so many bytes, of which none was kept.
  case tooLong(Int)
}

/// A row of one of a dump's tables.
public struct DumpRow: Hashable, Sendable {
  /// The database that `USE` has named before it; nil in a dump of one, which names none.
  public var database: String?
  /// The table, in lower case: on some systems dumps have it in another.
  public var table: String
  /// The names of its columns, in the values' order.
  public var columns: [String]
  /// Its values, as many as columns.
  public var values: [DumpValue]
  /// In which line of the dump it begins, counted from 1.
  public var line: Int
}

/// What is wrong with a dump: behind this place nothing of it can be understood.
public struct DumpFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// In which line, counted from 1.
  public var line: Int
  /// At which byte of the text, counted from 0; of a compressed dump, of what it unpacks to.
  public var byte: Int
  /// What is wrong, and what to do.
  public var words: String

  /// One line that says what and where.
  public var description: String { "line \(line), byte \(byte): \(words)" }
}

/// How much of a dump is taken. What is larger is refused in words, and never held in memory.
public struct DumpLimits: Hashable, Sendable {
  /// Bytes of one value: what MySQL's `mediumtext` holds.
  public var valueBytes = 16 << 20
  /// Bytes of one row's values together.
  public var rowBytes = 48 << 20
  /// Columns of one table.
  public var columns = 4096
  /// Bytes of a name; MySQL's have at most 64 characters.
  public var nameBytes = 256
  /// Tables of which the columns are kept in mind.
  public var tables = 10_000

  /// The ordinary limits.
  public init() {}
}
