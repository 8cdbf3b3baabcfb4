import Foundation
import GRDB

/// A base map in a file of its own, an MBTiles archive (version 1.3, raster tiles) that an administrator
/// has put there. It is only read; whatever is wrong with it harms nothing else.
public final class TileArchive: Sendable {
  /// What its file is called, without the ending.
  public let name: String
  /// What it calls itself.
  public let title: String
  /// To whom it is owed; nil when it does not say.
  public let attribution: String?
  /// The media type of its tiles.
  public let mediaType: String
  /// The zooms that it has tiles for.
  public let zooms: ClosedRange<Int>
  let database: DatabaseQueue

  /// Opens an archive.
  /// - Throws: `StoreError.unavailable` with what is wrong with it.
  public init(path: String) throws(StoreError) {
    name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    do {
      var configuration = Configuration()
      configuration.readonly = true
      // One that grows out of the office's is written for moments while it is shown.
      configuration.busyMode = .timeout(2)
      database = try DatabaseQueue(path: path, configuration: configuration)
      let (metadata, least, most) = try database.read { database in
        (
          try Row.fetchAll(database, sql: "SELECT name, value FROM metadata"),
          try Int.fetchOne(database, sql: "SELECT min(zoom_level) FROM tiles"),
          try Int.fetchOne(database, sql: "SELECT max(zoom_level) FROM tiles")
        )
      }
      var said: [String: String] = [:]
      for row in metadata {
        guard let key = String.fromDatabaseValue(row[0]),
          let value = String.fromDatabaseValue(row[1])
        else { continue }
        said[key] = value
      }
      guard let least, let most, (0...30).contains(least), most <= 30 else {
        throw StoreError.unavailable(path: path, reason: "it has no tiles")
      }
      zooms = least...most
      title = said["name"] ?? name
      attribution = said["attribution"].map(Self.plain)
      switch said["format"]?.lowercased() {
      case "png": mediaType = "image/png"
      case "jpg", "jpeg": mediaType = "image/jpeg"
      case "webp": mediaType = "image/webp"
      default:
        throw StoreError.unavailable(
          path: path, reason: "its tiles are no pictures (png, jpg or webp): convert it first")
      }
    } catch let error as StoreError {
      throw error
    } catch {
      throw .unavailable(path: path, reason: "it is no MBTiles archive: \(error)")
    }
  }

  /// A tile by its place in the map's own counting, rows from the north; nil where there is none.
  public func tile(zoom: Int, x: Int, y: Int) throws -> Data? {
    guard zooms.contains(zoom), (0..<(1 << zoom)).contains(x), (0..<(1 << zoom)).contains(y)
    else { return nil }
    return try database.read { database in
      try Data.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT tile_data FROM tiles WHERE zoom_level = :zoom AND tile_column = :x AND tile_row = :y
            """),
        // MBTiles counts rows from the south.
        arguments: ["zoom": zoom, "x": x, "y": (1 << zoom) - 1 - y])
    }
  }

  /// The words of a text that may be HTML.
  private static func plain(_ text: String) -> String {
    text.replacing(/<[^>]*>/, with: "")
  }
}
