import Evidence
import Foundation
import GRDB
import Geodesy
import Inspection
import Sync
import TimeAndText

/// The results of checks of an agency's photos, and the values that checks compare across photos.
public struct CheckTable: AgencyTable {
  let database: Database
  let agency: String

  init(database: Database, agency: String) {
    (self.database, self.agency) = (database, agency)
  }
}

extension CheckTable {
  /// Keeps the results of a photo's checks, in place of earlier results of the same checks.
  public func keep(_ checks: [PhotoCheck], ofPhoto id: Identifier) throws {
    for check in checks {
      let numbers = Dictionary(
        uniqueKeysWithValues: check.numbers.map { ($0.key.rawValue, $0.value) })
      try database.cachedStatement(
        sql: """
          INSERT INTO photo_check (photo, name, agency, outcome, numbers, photos, words)
          SELECT :photo, :name, :agency, :outcome, :numbers, :photos, :words
          WHERE EXISTS (SELECT 1 FROM photo WHERE id = :photo AND agency = :agency)
          ON CONFLICT (photo, name) DO UPDATE SET outcome = :outcome, numbers = :numbers,
            photos = :photos, words = :words WHERE agency = :agency
          """
      ).execute(
        arguments: arguments([
          "photo": id.description, "name": check.name.rawValue,
          "outcome": check.outcome.rawValue, "numbers": RowJSON.text(numbers),
          "photos": RowJSON.text(check.photos.map(\.description)), "words": check.reason?.text,
        ]))
      try requireOwn("photo", id.description)
    }
    try database.cachedStatement(
      sql: """
        UPDATE photo SET contradicted = verdict IS NOT NULL AND (verdict <> 'intact' OR EXISTS (
          SELECT 1 FROM photo_check WHERE photo_check.photo = :photo AND photo_check.agency = :agency
          AND outcome = 'contradicts'))
        WHERE id = :photo AND agency = :agency
        """
    ).execute(arguments: arguments(["photo": id.description]))
  }

  /// Deletes the results of some checks, for a photo that now belongs to another task or to none.
  public func removeChecks(_ names: [PhotoCheck.Name], ofPhoto id: Identifier) throws {
    for name in names {
      try database.execute(
        sql: "DELETE FROM photo_check WHERE photo = :photo AND name = :name AND agency = :agency",
        arguments: arguments(["photo": id.description, "name": name.rawValue]))
    }
  }

  /// The most pictures in one row: few rows to read, and little to write again for one picture more.
  private static let likenessesInBlock = 1024

  private static let identifierBytes = 36

  /// Calls `body` with the agency's likenesses, block by block: the photos' identifiers, 36 bytes
  /// each, and as many likenesses in the same order, 24 bytes each.
  public func forEachLikenessBlock(
    _ body: (_ photos: UnsafeRawBufferPointer, _ likenesses: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let blocks = try Row.fetchCursor(
      database, sql: "SELECT photos, likenesses FROM likeness WHERE agency = :agency",
      arguments: arguments())
    while let row = try blocks.next() {
      try row.withUnsafeData(atIndex: 0) { photos in
        try row.withUnsafeData(atIndex: 1) { likenesses in
          guard let photos, let likenesses else { return }
          try photos.withUnsafeBytes { photos in
            try likenesses.withUnsafeBytes { try body(photos, $0) }
          }
        }
      }
    }
  }

  /// Keeps the likenesses of photos, for comparison with later ones.
  public func keep(likenesses: [(photo: Identifier, bytes: [UInt8])]) throws {
    let last = try Row.fetchOne(
      database,
      sql: """
        SELECT block, length(photos) AS bytes FROM likeness WHERE agency = :agency
        ORDER BY block DESC LIMIT 1
        """, arguments: arguments())
    var block: Int = last?["block"] ?? 0
    var free = Self.likenessesInBlock - (last?["bytes"] ?? 0) / Self.identifierBytes
    var rest = likenesses[...]
    while !rest.isEmpty {
      if free == 0 { (block, free) = (block + 1, Self.likenessesInBlock) }
      let part = rest.prefix(free)
      try database.execute(
        sql: """
          INSERT INTO likeness (agency, block, photos, likenesses)
          VALUES (:agency, :block, :photos, :likenesses)
          ON CONFLICT DO UPDATE SET photos = CAST(photos || :photos AS BLOB),
            likenesses = CAST(likenesses || :likenesses AS BLOB)
          """,
        arguments: arguments([
          "block": block, "photos": Data(part.flatMap { Array($0.photo.description.utf8) }),
          "likenesses": Data(part.flatMap(\.bytes)),
        ]))
      rest = rest.dropFirst(part.count)
      free -= part.count
    }
  }

  /// Returns the places where earlier captures heard a transmitter, at most 20 of each key and 1000
  /// in all, and its place in the agency's own list.
  public func places(ofTransmitter name: String) throws -> [TransmitterPlace] {
    let sites = try Row.fetchAll(
      database,
      sql: """
        SELECT latitude, longitude, range AS radius, NULL AS key FROM cell_site
        WHERE agency = :agency AND transmitter = :name
        """, arguments: arguments(["name": name]))
    let heard = try Row.fetchAll(
      database,
      sql: """
        SELECT latitude, longitude, NULL AS radius, key FROM (
          SELECT latitude, longitude, key, row_number() OVER (PARTITION BY key ORDER BY photo) AS n
          FROM transmitter WHERE agency = :agency AND transmitter = :name)
        WHERE n <= 20 LIMIT 1000
        """, arguments: arguments(["name": name]))
    return try (sites + heard).map { row in
      guard
        let place = Coordinate(
          latitudeDegrees: row["latitude"], longitudeDegrees: row["longitude"])
      else { throw StoreError.damagedRow("a transmitter outside the Earth") }
      return TransmitterPlace(coordinate: place, rangeMetres: row["radius"], key: row["key"])
    }
  }

  /// Records that a capture heard transmitters at its place.
  public func keep(
    transmitters names: [String], ofPhoto id: Identifier, key: String, at place: Coordinate
  ) throws {
    for name in names {
      try database.execute(
        sql: """
          INSERT OR IGNORE INTO transmitter (agency, transmitter, photo, key, latitude, longitude)
          VALUES (:agency, :name, :photo, :key, :latitude, :longitude)
          """,
        arguments: arguments([
          "name": name, "photo": id.description, "key": key,
          "latitude": place.latitudeDegrees, "longitude": place.longitudeDegrees,
        ]))
    }
  }

  /// Replaces the agency's own list of cells.
  public func replaceCellSites(with sites: [CellSite]) throws {
    try database.execute(
      sql: "DELETE FROM cell_site WHERE agency = :agency", arguments: arguments())
    let insert = try database.makeStatement(
      sql: """
        INSERT OR REPLACE INTO cell_site (agency, transmitter, latitude, longitude, range)
        VALUES (:agency, :name, :latitude, :longitude, :range)
        """)
    for site in sites {
      try insert.execute(
        arguments: arguments([
          "name": site.transmitter, "latitude": site.coordinate.latitudeDegrees,
          "longitude": site.coordinate.longitudeDegrees, "range": site.rangeMetres,
        ]))
    }
  }

  /// Returns the number of cells in the agency's own list.
  public func cellSiteCount() throws -> Int {
    try Int.fetchOne(
      database, sql: "SELECT count(*) FROM cell_site WHERE agency = :agency",
      arguments: arguments()) ?? 0
  }

  /// Returns the captures whose raw windows overlap the time of this one, in the order of their
  /// identifiers.
  public func windows(
    overlapping use: WindowUse, except id: Identifier
  ) throws -> [(photo: Identifier, use: WindowUse)] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT * FROM raw_window WHERE agency = :agency AND last BETWEEN :first AND :latest
          AND first <= :last AND photo <> :photo ORDER BY photo
          """),
      arguments: arguments([
        "first": use.first, "last": use.last, "photo": id.description,
        "latest": use.last + Int64(WindowUse.maximumSpanSeconds * 1000),
      ])
    ).map { row in
      let bytes: Data = row["epochs"]
      let epochs = stride(from: 0, to: bytes.count - 7, by: 8).map { start in
        bytes.dropFirst(start).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      }
      guard let photo = Identifier(row["photo"]),
        let use = WindowUse(
          key: row["key"], first: row["first"], last: row["last"], epochs: epochs)
      else { throw StoreError.damagedRow("a raw window's epochs") }
      return (photo, use)
    }
  }

  /// Returns the agency's other captures with the same raw window, byte by byte, without simulated ones.
  public func photos(withRawWindow digest: String, except id: Identifier) throws -> [Identifier] {
    try String.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT photo.id FROM link CROSS JOIN photo ON photo.id = link.id AND photo.agency = :agency
          WHERE link.agency = :agency AND link.raw_digest = :digest AND link.id <> :id
          AND link.record IS NOT NULL AND photo.simulated = 0 ORDER BY photo.id
          """), arguments: arguments(["digest": digest, "id": id.description])
    ).compactMap(Identifier.init(_:))
  }

  /// Keeps the receiver's epochs on which a capture rests.
  public func keep(_ use: WindowUse, ofPhoto id: Identifier) throws {
    let bytes = use.epochs.flatMap { epoch in
      (0..<8).reversed().map { UInt8(truncatingIfNeeded: epoch >> (8 * $0)) }
    }
    try database.cachedStatement(
      sql: """
        INSERT INTO raw_window (photo, agency, key, first, last, epochs)
        SELECT :photo, :agency, :key, :first, :last, :epochs
        WHERE EXISTS (SELECT 1 FROM photo WHERE id = :photo AND agency = :agency)
        ON CONFLICT (photo) DO UPDATE SET key = :key, first = :first, last = :last,
          epochs = :epochs WHERE agency = :agency
        """
    ).execute(
      arguments: arguments([
        "photo": id.description, "key": use.key, "first": use.first, "last": use.last,
        "epochs": Data(bytes),
      ]))
    try requireOwn("photo", id.description)
  }
}
