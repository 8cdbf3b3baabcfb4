/// A value of a dump's row.
public enum DumpValue: Hashable, Sendable {
  /// NULL.
  case null
  /// The bytes that the database held; for a number, its digits as the dump writes them.
  case bytes([UInt8])
  /// A value longer than the limit: its number of bytes, of which none was kept.
  case tooLong(Int)
}

/// A row of one of a dump's tables.
public struct DumpRow: Hashable, Sendable {
  /// The database that `USE` has named before the row; nil in a dump of one database, which names
  /// none.
  public var database: String?
  /// The table's name in lower case, because dumps of some systems write it otherwise.
  public var table: String
  /// The names of the table's columns, in the order of the values.
  public var columns: [String]
  /// The row's values, as many as there are columns.
  public var values: [DumpValue]
  /// The line of the dump in which the row begins, counted from 1.
  public var line: Int
}

/// A fault in a dump: after this place nothing of it can be understood.
public struct DumpFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line of the fault, counted from 1.
  public var line: Int
  /// The byte of the text at the fault, counted from 0; in a compressed dump, of the unpacked text.
  public var byte: Int
  /// The fault in words, and what to do.
  public var words: String

  /// One line with the place and the words.
  public var description: String { "line \(line), byte \(byte): \(words)" }
}

/// The limits of what is taken of a dump. Anything larger is reported in words, and never held in
/// memory.
public struct DumpLimits: Hashable, Sendable {
  /// The most bytes of one value, as many as MySQL's `mediumtext` holds.
  public var valueBytes = 16 << 20
  /// The most bytes of one row's values together.
  public var rowBytes = 48 << 20
  /// The most columns of one table.
  public var columns = 4096
  /// The most bytes of a name; MySQL's names have at most 64 characters.
  public var nameBytes = 256
  /// The most tables whose columns are remembered.
  public var tables = 10_000

  /// Creates the ordinary limits.
  public init() {}
}
