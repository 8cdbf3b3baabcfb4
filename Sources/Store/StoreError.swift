import Positioning

/// What a database cannot do.
public enum StoreError: Error, Hashable, Sendable, Worded {
  /// The file or its folder cannot be opened or written.
  case unavailable(path: String, reason: String)
  /// A file or a folder cannot be made, written or renamed.
  case unwritable(path: String, reason: String)
  /// A newer program has written the file.
  case newerSchema(path: String)
  /// There is no such row for this person.
  case unknown(what: String, id: String)
  /// A row that cannot be read back: damage, or another program's doing.
  case damagedRow(String)
  /// A backup that cannot be restored, or not here; in words.
  case unusableBackup(String)

  /// A stable word for programs.
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

  /// What happened and what to do next, for people.
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
  /// What `read` gives, nil where there is no such row: a database that cannot be read says nothing of what is in it.
  public static func found<Row>(_ read: () throws -> Row) throws -> Row? {
    do { return try read() } catch StoreError.unknown { return nil }
  }

  /// The same for a read that waits.
  public static func found<Row>(_ read: () async throws -> Row) async throws -> Row? {
    do { return try await read() } catch StoreError.unknown { return nil }
  }
}
