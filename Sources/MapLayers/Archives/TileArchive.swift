import Foundation
import GRDB
import Store

/// A base map in a file of its own: an MBTiles archive (version 1.3, raster tiles) that an
/// administrator has put there. The file is only read; a fault in it harms nothing else.
public final class TileArchive: Sendable {
  /// The name of the file, without `.mbtiles`.
  public let name: String
  /// The title in the archive's metadata, at most 200 characters; the file's name if there is none.
  public let title: String
  /// The makers' attribution, without HTML tags; nil if the archive has none.
  public let attribution: String?
  /// The media type of the tiles.
  public let mediaType: String
  /// The zooms from the least to the greatest that the archive has tiles for.
  public let zooms: ClosedRange<Int>
  let database: DatabaseQueue
  let time: QuestionTime
  let patience: Patience

  /// The most time for each kind of question, seconds. An undamaged archive without an index is
  /// walked within that.
  struct Patience: Sendable {
    var openingSeconds = 10.0
    var tileSeconds = 5.0
    var extractSeconds = 20.0
  }

  /// The largest size of a tile that is shown, bytes.
  private static let maximumTileBytes = 4 << 20
  /// The most characters that are read of each entry of the metadata.
  private static let maximumWords = 2000

  /// Opens an archive.
  /// - Throws: `StoreError.unavailable` with the reason.
  public convenience init(path: String) throws(StoreError) {
    try self.init(path: path, patience: Patience())
  }

  init(path: String, patience: Patience) throws(StoreError) {
    self.patience = patience
    name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    // A pipe in place of a file would make the opening wait.
    guard FileStatus(ofPath: path)?.isFile == true else {
      throw .unavailable(path: path, reason: "it is not a file")
    }
    do {
      let time = QuestionTime()
      self.time = time
      database = try DatabaseQueue(path: path, configuration: Self.configuration(watchedBy: time))
      let summary = try database.read { database in
        try time.within(patience.openingSeconds) { try Summary(database) }
      }
      guard let zooms = summary.zooms else {
        throw StoreError.unavailable(path: path, reason: "it has no tiles")
      }
      self.zooms = zooms
      title = summary.metadata["name"].map { String($0.prefix(200)) } ?? name
      attribution = summary.metadata["attribution"].map(Self.plain)
      guard let mediaType = summary.mediaType else {
        throw StoreError.unavailable(
          path: path, reason: "its tiles are no pictures (png, jpg or webp): convert it first")
      }
      self.mediaType = mediaType
    } catch let error as StoreError {
      throw error
    } catch let error as DatabaseError {
      throw .unavailable(path: path, reason: Self.words(error, path))
    } catch {
      throw .unavailable(path: path, reason: "it is no MBTiles archive: \(error)")
    }
  }

  private static func configuration(watchedBy time: QuestionTime) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = true
    // A base map that is being fetched from the office is briefly locked for writing while it is shown.
    configuration.busyMode = .timeout(2)
    configuration.prepareDatabase { database in
      try ForeignFile.restrict(database)
      time.watch(database)
    }
    return configuration
  }

  /// The values of an archive that are read when it is opened.
  private struct Summary {
    /// The entries of the metadata by their names.
    var metadata: [String: String] = [:]
    /// The zooms that the archive has tiles for; nil if it has no tiles.
    var zooms: ClosedRange<Int>?

    init(_ database: Database) throws {
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT name, substr(value, 1, :most) FROM metadata
          WHERE name IN ('name', 'format', 'attribution') LIMIT 10
          """, arguments: ["most": TileArchive.maximumWords])
      let least = try Int.fetchOne(database, sql: "SELECT min(zoom_level) FROM tiles")
      let most = try Int.fetchOne(database, sql: "SELECT max(zoom_level) FROM tiles")
      for row in rows {
        guard let key = String.fromDatabaseValue(row[0]),
          let value = String.fromDatabaseValue(row[1])
        else { continue }
        metadata[key] = value
      }
      guard let least, let most, least >= 0, least <= most, most <= 30 else { return }
      zooms = least...most
    }

    /// The media type of the tiles; nil if they are no pictures.
    var mediaType: String? {
      switch metadata["format"]?.lowercased() {
      case "png": "image/png"
      case "jpg", "jpeg": "image/jpeg"
      case "webp": "image/webp"
      default: nil
      }
    }
  }

  /// Returns true if a journal is next to the archive, which SQLite would have to roll back before
  /// it reads.
  static func hasJournal(_ path: String) -> Bool { FileStatus(ofPath: path + "-journal") != nil }

  private static func words(_ error: DatabaseError, _ path: String) -> String {
    switch error.resultCode {
    case .SQLITE_READONLY,
      .SQLITE_CANTOPEN where hasJournal(path):
      let journal = (path as NSString).lastPathComponent + "-journal"
      return
        "\(journal) lies beside it: it was copied while it was written, or the journal is another"
        + " file's. Copy the map there anew, and remove the journal"
    default: return "it is no MBTiles archive: \(ForeignFile.words(error))"
    }
  }

  /// Returns a tile by zoom, column and row, rows counted from the north; nil if there is none, or
  /// if it is larger than 4 MB or takes longer than some seconds to find.
  public func tile(zoom: Int, x: Int, y: Int) throws -> Data? {
    guard zooms.contains(zoom), (0..<(1 << zoom)).contains(x), (0..<(1 << zoom)).contains(y)
    else { return nil }
    do {
      return try database.read { database in
        try time.within(patience.tileSeconds) {
          try Data.fetchOne(
            database.cachedStatement(
              sql: """
                SELECT \(Self.boundedData) FROM tiles
                WHERE zoom_level = :zoom AND tile_column = :x AND tile_row = :y
                """),
            // MBTiles counts rows from the south.
            arguments: [
              "most": Self.maximumTileBytes, "zoom": zoom, "x": x, "y": (1 << zoom) - 1 - y,
            ])
        }
      }
    } catch let error as DatabaseError
      where [.SQLITE_TOOBIG, .SQLITE_INTERRUPT].contains(error.resultCode)
    {
      return nil
    }
  }

  /// The SQL for a tile's bytes: NULL for more than `:most`, without reading any of them.
  static let boundedData =
    "CASE WHEN typeof(tile_data) = 'blob' AND length(tile_data) <= :most THEN tile_data END"

  /// Returns a text that may be HTML without its tags.
  private static func plain(_ text: String) -> String {
    text.replacing(/<[^>]*>/, with: "")
  }
}
