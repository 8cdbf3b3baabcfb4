import TimeAndText

/// A failure of a database or of the files with it.
public enum StoreError: Error, Hashable, Sendable, Worded {
  /// The file or its folder cannot be opened or written.
  case unavailable(path: String, reason: String)
  /// A file or a folder cannot be made, written or renamed.
  case unwritable(path: String, reason: String)
  /// A newer program has written the file.
  case newerSchema(path: String)
  /// There is no such row for this person.
  case unknown(what: String, id: String)
  /// A row cannot be read back: it is damaged, or another program wrote it.
  case damagedRow(String)
  /// A backup cannot be made or restored, or not here; the reason in words.
  case unusableBackup(String)

  /// The stable word for programs.
  public var code: String {
    switch self {
    case .unavailable: "store-unavailable"
    case .unwritable: "data-unwritable"
    case .newerSchema: "store-newer"
    case .unknown: "unknown"
    case .damagedRow: "store-damaged"
    case .unusableBackup: "backup-unusable"
    }
  }

  /// The message for people: what happened, and what to do next.
  public var wording: Wording {
    switch self {
    case .unavailable(let path, let reason):
      "cannot use the database \(path): \(reason)"
    case .unwritable(let path, let reason): "cannot write \(path): \(reason)"
    case .newerSchema(let path):
      "the database \(path) was written by a newer standpoint: use that one, or a newer one"
    case .unknown(let what, let id): "no \(word: what) \(id)"
    case .unusableBackup(let words): "\(words)"
    case .damagedRow(let words): "the database is damaged: \(words)"
    }
  }
}

extension StoreError {
  /// Returns the result of `read`; nil if there is no such row. All other errors are thrown: an
  /// unreadable database says nothing about its rows.
  public static func found<Row>(_ read: () throws -> Row) throws -> Row? {
    do { return try read() } catch StoreError.unknown { return nil }
  }

  /// Returns the result of an asynchronous `read`; nil if there is no such row.
  public static func found<Row>(_ read: () async throws -> Row) async throws -> Row? {
    do { return try await read() } catch StoreError.unknown { return nil }
  }
}
