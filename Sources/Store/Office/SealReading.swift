import Evidence
import GRDB
import Inspection
import Sync

/// Reads seals through the wall of visible rows.
public protocol SealReading {
  /// The rows that this reader may see.
  var rows: VisibleRows { get }
}

/// The seals that an inspector may see, or all of an agency's.
public struct VisibleSeals: SealReading {
  /// The rows that this reader may see.
  public let rows: VisibleRows
}

extension SealReading {
  /// Reads the task that the sealed record of a thing names; nil if it names none, or there is none.
  /// The database reads the one member, since a list asks for many photos at once.
  public func taskNamed(byRecordOf id: Identifier, _ kind: RecordKind) throws -> Identifier? {
    try rows.first(
      rows.select(
        "iif(json_type(record, '$.task.id') = 'text', record ->> '$.task.id', NULL) AS task",
        from: .link, where: "id = :id AND kind = :kind AND record IS NOT NULL",
        "ORDER BY received LIMIT 1"), ["id": id.description, "kind": kind.rawValue]
    ).flatMap { ($0["task"] as String?).flatMap(Identifier.init(_:)) }
  }

  /// Reads the seal over a thing of a kind, with its record; nil if there is none.
  public func seal(of id: Identifier, _ kind: RecordKind) throws -> SealFile? {
    try rows.first(
      rows.select(
        "jws, record", from: .link, where: "id = :id AND kind = :kind AND record IS NOT NULL",
        "ORDER BY received LIMIT 1"), ["id": id.description, "kind": kind.rawValue]
    ).flatMap { try LinkColumns.link($0).file }
  }
}

/// A link as the columns of the office's table `link`.
enum LinkColumns {
  static func link(_ row: Row) throws -> ReceivedLink {
    let seal = try Seal(jws: row["jws"])
    guard let record = row["record"] as String? else { return ReceivedLink(bare: seal) }
    return ReceivedLink(
      SealFile(record: try JSONValue(parsing: Array(record.utf8)), seal: seal))
  }
}
