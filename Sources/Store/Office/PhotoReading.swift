import Evidence
import GRDB
import Inspection
import Positioning
import Sync
import TimeAndText

/// Reads photos through the wall of visible rows.
public protocol PhotoReading {
  /// The rows that this reader may see.
  var rows: VisibleRows { get }
}

/// The photos that an inspector may see, or all of an agency's.
public struct VisiblePhotos: PhotoReading {
  /// The rows that this reader may see.
  public let rows: VisibleRows
}

extension PhotoReading {
  private func query(_ selection: Selection) -> VisibleRows.Query {
    rows.select(from: .photo, where: selection.condition.sql, "ORDER BY device_time, id")
  }

  /// Reads photos, the oldest first: those of one task, those without a task that are not hidden,
  /// or all. Photos deleted before they were sent are included and marked as deleted.
  public func list(_ selection: Selection) throws -> [ReceivedPhoto] {
    try rows.all(query(selection), selection.condition.values).map(rows.photo)
  }

  /// Calls `body` with the photos of `list`, one by one, however many there are.
  public func forEach(
    _ selection: Selection, _ body: (ReceivedPhoto) throws -> Void
  ) throws {
    try rows.forEach(query(selection), selection.condition.values) { try body(rows.photo($0)) }
  }

  /// Counts the photos of each of these tasks by the results of their checks; deleted ones are left out.
  public func counts(of tasks: [Identifier]) throws -> [Identifier: PhotoCount] {
    let query = rows.select(
      "photos, unchecked, contradicted", from: .tally, where: "task = :task")
    let firsts = rows.select(
      "min(id) AS first", from: .photo, where: "task = :task AND deleted IS NULL")
    var counts: [Identifier: PhotoCount] = [:]
    for id in tasks {
      guard let row = try rows.first(query, ["task": id.description]) else {
        counts[id] = PhotoCount()
        continue
      }
      var count = PhotoCount(
        photos: row["photos"], unchecked: row["unchecked"], contradicted: row["contradicted"])
      if count.photos > 0 {
        let first: String? = try rows.first(firsts, ["task": id.description])?["first"]
        count.first = first.flatMap(Identifier.init(_:))
      }
      counts[id] = count
    }
    return counts
  }

  /// Reads one photo.
  /// - Throws: `StoreError.unknown`, also for a photo that is not visible.
  public func photo(_ id: Identifier) throws -> ReceivedPhoto {
    let row = try rows.first(
      rows.select(from: .photo, where: "id = :id"), ["id": id.description])
    guard let row else { throw StoreError.unknown(what: "photo", id: id.description) }
    return try rows.photo(row)
  }

  private func standalone(isHidden: Bool) -> String {
    """
    task IS NULL AND hidden IS \(isHidden ? "NOT NULL" : "NULL") AND deleted IS NULL
    AND (:inspector IS NULL OR inspector = :inspector)
    """
  }

  /// Reads a page of photos without a task, the newest first; those deleted before they were sent
  /// are left out.
  /// - Parameters:
  ///   - isHidden: true for the photos that an officer has hidden, false for all others.
  ///   - inspector: the inspector's login; nil for all.
  public func standalone(
    isHidden: Bool, inspector: String?, limit: Int, offset: Int
  ) throws -> [ReceivedPhoto] {
    try rows.all(
      rows.select(
        from: .photo, "INDEXED BY photo_alone", where: standalone(isHidden: isHidden),
        """
        ORDER BY \(isHidden ? "hidden, " : "")device_time DESC, id DESC LIMIT :limit OFFSET :offset
        """), ["inspector": inspector, "limit": limit, "offset": offset]
    ).map(rows.photo)
  }

  /// Counts the photos of `standalone`.
  public func standaloneCount(isHidden: Bool, inspector: String?) throws -> Int {
    try rows.value(
      rows.select(
        "sum(photos)", from: .standaloneTally,
        where: "hidden = :hidden AND (:inspector IS NULL OR inspector = :inspector)"),
      ["hidden": isHidden, "inspector": inspector]) ?? 0
  }
}

extension Selection {
  /// The SQL condition with its values, a text for each case: one text for all of them could use no index.
  var condition: (sql: String, values: [String: (any DatabaseValueConvertible)?]) {
    switch self {
    case .all: ("TRUE", [:])
    // Photos that an officer has hidden are shown only if they are asked for as hidden ones.
    case .standalone: ("task IS NULL AND hidden IS NULL", [:])
    case .task(let id): ("task = :task", ["task": id.description])
    }
  }
}

extension VisibleRows {
  /// Makes a photo from its row, with its checks.
  func photo(_ row: Row) throws -> ReceivedPhoto {
    let findings: String? = row["findings"]
    return ReceivedPhoto(
      photo: try PhotoColumns.photo(row),
      // A verdict that this version does not know counts as doubtful.
      verdict: (row["verdict"] as String?).map { EvidenceVerdict(rawValue: $0) ?? .doubtful },
      findings: try findings.map {
        try RowJSON.value([FindingRow].self, $0).map { try $0.finding() }
      } ?? [], revision: row["revision"], imageDigest: row["image_digest"],
      deletedReason: row["deleted_reason"],
      deleted: (row["deleted"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)),
      checks: try checks(ofPhoto: row["id"]),
      assigned: (row["assigned"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)),
      hidden: (row["hidden"] as Int64?).map(DeviceTime.init(millisecondsSince1970:)),
      lateTask: (row["late_task"] as String?).flatMap(Identifier.init(_:)),
      officeItem: (row["office_item"] as String?).flatMap(ItemName.init(_:)))
  }

  /// Reads the checks of a photo, in the order in which officers read them.
  private func checks(ofPhoto id: String) throws -> [PhotoCheck] {
    let checks = try all(select(from: .check, where: "photo = :photo"), ["photo": id]).map { row in
      guard let name = PhotoCheck.Name(rawValue: row["name"]),
        let outcome = PhotoCheck.Outcome(rawValue: row["outcome"])
      else { throw StoreError.damagedRow("an unknown check of photo \(id)") }
      let reason = try (row["words"] as String?).map { text in
        guard let reason = PhotoCheck.Reason(text, of: name) else {
          throw StoreError.damagedRow("an unknown reason of a check of photo \(id)")
        }
        return reason
      }
      let numbers = try RowJSON.value([String: Double].self, row["numbers"])
      let photos = try RowJSON.value([String].self, row["photos"])
      return PhotoCheck(
        name, outcome,
        Dictionary(
          uniqueKeysWithValues: numbers.compactMap { number in
            PhotoCheck.Quantity(rawValue: number.key).map { ($0, number.value) }
          }), photos: photos.compactMap(Identifier.init(_:)), reason: reason)
    }
    let order = PhotoCheck.Name.allCases
    return checks.sorted {
      (order.firstIndex(of: $0.name) ?? 0) < (order.firstIndex(of: $1.name) ?? 0)
    }
  }
}
