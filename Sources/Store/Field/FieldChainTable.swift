import Evidence
import GRDB
import Inspection

/// A person's sealed records, chained by their links.
public struct FieldChainTable: FieldTable {
  let session: FieldSession
}

extension FieldChainTable {
  /// Appends a sealed record to its chain.
  public func append(_ file: SealFile) throws {
    let link = file.seal.link
    try database.execute(
      sql: """
        INSERT INTO link (key, sequence, agency, inspector, id, kind, record, record_digest, jws,
          jws_digest, file_digest, raw_digest)
        VALUES (:key, :sequence, :agency, :inspector, :id, :kind, :record, :recordDigest, :jws,
          :jwsDigest, :file, :raw)
        """,
      arguments: arguments([
        "key": link.key, "sequence": link.sequence, "id": link.id.description,
        "kind": link.kind.rawValue,
        "record": String(decoding: file.recordBytes, as: UTF8.self),
        "recordDigest": link.record, "jws": file.seal.jws, "jwsDigest": file.seal.digest,
        "file": link.file, "raw": link.raw,
      ]))
  }

  /// Returns the SHA-256 of a sealed record's file; nil if the record has no file or the person has no
  /// such record.
  public func fileDigest(of id: Identifier) throws -> String? {
    try String.fetchOne(
      database,
      sql: """
        SELECT file_digest FROM link
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["id": id.description]))
  }

  /// Returns the SHA-256 of a sealed record; nil if the person has no such record.
  public func recordDigest(of id: Identifier) throws -> String? {
    try String.fetchOne(
      database,
      sql: """
        SELECT record_digest FROM link
        WHERE id = :id AND agency = :agency AND inspector = :inspector
        """, arguments: arguments(["id": id.description]))
  }

  /// Returns true if the bytes of a sealed photo, track or set were deleted before it was sent.
  public func isDeleted(_ id: Identifier) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: """
        SELECT EXISTS (SELECT 1 FROM photo WHERE id = :id AND deleted IS NOT NULL AND
            agency = :agency AND inspector = :inspector)
          OR EXISTS (SELECT 1 FROM track WHERE id = :id AND deleted IS NOT NULL AND
            agency = :agency AND inspector = :inspector)
          OR EXISTS (SELECT 1 FROM frame_set WHERE id = :id AND deleted IS NOT NULL AND
            agency = :agency AND inspector = :inspector)
        """, arguments: arguments(["id": id.description])) ?? false
  }

  /// Returns the person's seals in a key's chain, in the order of their places.
  /// - Parameters:
  ///   - place: the place after which they begin.
  ///   - last: the last place.
  ///   - digests: the SHA-256 of seals that are left out.
  public func links(
    ofKey key: String, after place: Int, upTo last: Int, except digests: Set<String>
  ) throws -> [Seal] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT jws, jws_digest FROM link WHERE key = :key AND sequence > :place AND sequence <= :last
        AND agency = :agency AND inspector = :inspector ORDER BY sequence
        """, arguments: arguments(["key": key, "place": place, "last": last])
    ).filter { !digests.contains($0["jws_digest"]) }.map { try Seal(jws: $0["jws"]) }
  }
}

// Records that no receipt names yet.
extension FieldChainTable {
  /// Returns the person's undelivered notes on a task or on a photo: identifier, SHA-256 and bytes of
  /// their records.
  public func undeliveredNotes(
    onTask task: Identifier?, photo: Identifier?
  ) throws -> [(id: Identifier, digest: String, bytes: Int)] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT id, record_digest, length(record) AS bytes FROM link
        WHERE agency = :agency AND inspector = :inspector AND kind = 'note'
        AND id IN (SELECT id FROM link WHERE json_extract(record, '$.task.id') = :task
          UNION SELECT id FROM link WHERE json_extract(record, '$.note.photo') = :photo)
        AND id NOT IN (SELECT id FROM delivered_record) ORDER BY key, sequence
        """,
      arguments: arguments(["task": task?.description, "photo": photo?.description])
    ).compactMap { row in Identifier(row["id"]).map { ($0, row["record_digest"], row["bytes"]) } }
  }

  /// Returns the undelivered records of a whole, in the order of their chains: for a task everything
  /// that was recorded for it, for a photo or a track its own record and its notes.
  public func undeliveredSeals(ofWhole id: Identifier) throws -> [SealFile] {
    // A deletion names only what it deletes; that record names the task. Each part of the union uses
    // an index: with parts joined by OR, SQLite would read all records.
    try Row.fetchAll(
      database,
      sql: """
        SELECT record, jws FROM link
        WHERE agency = :agency AND inspector = :inspector AND id IN (
          SELECT :id
          UNION SELECT id FROM link WHERE json_extract(record, '$.task.id') = :id
          UNION SELECT id FROM link WHERE json_extract(record, '$.note.photo') = :id
          UNION SELECT deletion.id FROM link AS thing CROSS JOIN link AS deletion
            ON json_extract(deletion.record, '$.deletion.id') = +thing.id
            WHERE json_extract(thing.record, '$.task.id') = :id)
        AND id NOT IN (SELECT id FROM delivered_record)
        AND NOT EXISTS (SELECT 1 FROM photo WHERE photo.id = link.id AND sent IS NULL
          AND deleted IS NULL)
        AND NOT EXISTS (SELECT 1 FROM track WHERE track.id = link.id AND sent IS NULL
          AND deleted IS NULL)
        AND NOT EXISTS (SELECT 1 FROM frame_set WHERE frame_set.id = link.id AND sent IS NULL
          AND deleted IS NULL)
        ORDER BY key, sequence
        """, arguments: arguments(["id": id.description])
    ).map(Self.sealFile)
  }

  /// Returns the first undelivered transitions of tasks that the inspector can still change, and notes
  /// and answers on these tasks, in the order of their chains. A task in the outbox brings its own.
  /// - Parameter withheld: the tasks whose answers are left out.
  public func undeliveredSteps(limit: Int, withheld: [Identifier] = []) throws -> [SealFile] {
    let states = TaskState.allCases.filter(\.isEditable).map { "'\($0.rawValue)'" }
    return try Row.fetchAll(
      database,
      sql: """
        SELECT link.record, link.jws FROM task CROSS JOIN link
          ON json_extract(link.record, '$.task.id') = task.id
        WHERE task.agency = :agency AND task.inspector = :inspector
        AND task.state IN (\(states.joined(separator: ", ")))
        AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.whole = task.id)
        AND link.agency = :agency AND link.inspector = :inspector
        AND link.kind IN ('transition', 'note', 'answer') AND json_extract(link.record, '$.note.photo') IS NULL
        AND (link.kind <> 'answer' OR task.id NOT IN (SELECT value FROM json_each(:withheld)))
        AND link.id NOT IN (SELECT id FROM delivered_record)
        ORDER BY link.key, link.sequence LIMIT :limit
        """,
      arguments: arguments([
        "limit": limit, "withheld": RowJSON.text(withheld.map(\.description)),
      ])
    ).map(Self.sealFile)
  }

  static func sealFile(_ row: Row) throws -> SealFile {
    let record: String = row["record"]
    return SealFile(
      record: try JSONValue(parsing: Array(record.utf8)), seal: try Seal(jws: row["jws"]))
  }
}
