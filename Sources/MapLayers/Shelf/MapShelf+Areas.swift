import Foundation
import Geodesy
import Inspection
import Store
import Sync
import TimeAndText

// Areas that an inspector chooses are more cells of the same files: each map stays one layer, and an
// area that overlaps a task's surroundings costs only what is new.
extension MapShelf {
  /// The file with the chosen areas, beside the folder of the maps.
  private var areasPath: String { folder + "-areas.json" }
  /// The office's last list of maps, for the time without a network.
  private var offeredPath: String { folder + "-offered.json" }

  // MARK: what is chosen

  /// Returns the chosen areas, the latest first.
  /// - Throws: `StoreError.unavailable` if they cannot be read.
  package func areas() throws -> [OfflineArea] {
    guard FileStatus(ofPath: areasPath) != nil else { return [] }
    let bytes = try DurableFile.read(areasPath)
    guard let file = try? JSONDecoder().decode(AreasFile.self, from: Data(bytes)) else {
      throw StoreError.unavailable(path: areasPath, reason: "it is damaged: remove it")
    }
    return file.areas.compactMap(\.area)
  }

  /// Adds an area, which is fetched as soon as the office can be reached.
  /// - Throws: `OfflineAreaError.tooMany`; `StoreError` if it cannot be stored.
  package func add(_ area: OfflineArea) throws {
    try change { areas in
      guard areas.count < OfflineArea.countAtMost else { throw OfflineAreaError.tooMany }
      areas.insert(area, at: 0)
    }
  }

  /// Stops the fetching of an area, or lets it go on. Its tiles that are here stay.
  /// - Throws: `OfflineAreaError.unknown`.
  package func stop(_ id: Identifier, _ isStopped: Bool) throws {
    try change { areas in
      guard let index = areas.firstIndex(where: { $0.id == id }) else {
        throw OfflineAreaError.unknown
      }
      areas[index].isStopped = isStopped
    }
  }

  /// Deletes an area with its tiles, except those that another area or a task needs.
  /// - Parameter boxes: the boxes of the tasks' parcels.
  /// - Throws: `OfflineAreaError.unknown`; `StoreError` if a map cannot be changed.
  package func delete(_ id: Identifier, tasks boxes: [DegreeBox]) throws {
    var gone: OfflineArea?
    try change { areas in
      guard let index = areas.firstIndex(where: { $0.id == id }) else {
        throw OfflineAreaError.unknown
      }
      gone = areas.remove(at: index)
    }
    guard let gone else { return }
    let rest = try areas()
    for map in try offered() where gone.includes(map.name) {
      let path = path(of: map.name)
      guard FileStatus(ofPath: path) != nil else { continue }
      let tiles = try FetchedTiles(path: path)
      defer { tiles.close() }
      let needed = Set(Self.cells(of: map, round: boxes, rest))
      let own = Set(gone.cells(zooms: map.zooms ?? 0...30)).subtracting(needed)
      guard try tiles.forget(allBut: Set(tiles.cells().keys).subtracting(own)) > 0 else { continue }
      try tiles.giveBack()
    }
  }

  private func change(_ body: (inout [OfflineArea]) throws -> Void) throws {
    try DurableFile.makeFolder(folder)
    try DurableFile.withLock(areasPath + ".lock") {
      var areas = try areas()
      try body(&areas)
      let file = AreasFile(areas: areas.map(AreasFile.Row.init))
      try DurableFile.replace(areasPath, with: try WireJSON.bytes(file))
    }
    noteChange()
  }

  // MARK: what the office has

  /// Returns the office's maps as it listed them last; none before the first time.
  package func offered() throws -> [MapListMessage.Map] {
    guard FileStatus(ofPath: offeredPath) != nil else { return [] }
    let list = try WireJSON.message(MapListMessage.self, try DurableFile.read(offeredPath))
    return list.maps.filter(\.isSound)
  }

  func remember(_ maps: [MapListMessage.Map]) throws {
    // A list that cannot be read is replaced.
    guard (try? offered()) != maps else { return }
    try DurableFile.makeFolder(folder)
    try DurableFile.replace(offeredPath, with: try WireJSON.bytes(MapListMessage(maps: maps)))
  }

  // MARK: how much

  /// The size of a tile that is assumed of a map of which no tile is here, bytes.
  private static let assumedTileBytes = 20_000
  /// The tiles from which on their mean says something.
  private static let tilesForMean = 50

  /// The extent of an area: how many cells and bytes it has, and how many of them are here.
  package struct Extent: Hashable, Sendable {
    package var cells = 0
    package var cellsHere = 0
    /// The tiles that are not here yet, at most.
    package var tilesToCome = 0
    /// Their bytes, as far as tiles that are here let guess.
    package var bytesToCome = 0

    /// True if nothing is left to fetch.
    package var isComplete: Bool { cells > 0 && cellsHere == cells }
  }

  /// Returns the extent of an area on the maps that the office has.
  package func extent(of area: OfflineArea) throws -> Extent {
    var extent = Extent()
    for map in try offered() where area.includes(map.name) {
      guard let zooms = map.zooms else { continue }
      var here: Set<TilePlan.Cell> = []
      var mean = Self.assumedTileBytes
      if let tiles = try tilesHere(of: map.name) {
        defer { tiles.close() }
        here = Set(try tiles.cells().keys)
        let count = try tiles.tileCount()
        if count >= Self.tilesForMean { mean = try tiles.usedBytes() / count }
      }
      for cell in area.cells(zooms: zooms) {
        extent.cells += 1
        guard !here.contains(cell) else {
          extent.cellsHere += 1
          continue
        }
        let tiles = cell.areas.filter { zooms.contains($0.zoom) }
          .reduce(0) { $0 + $1.columns.count * $1.rows.count }
        extent.tilesToCome += tiles
        extent.bytesToCome += tiles * mean
      }
    }
    return extent
  }

  /// Opens the tiles of a map that are here, or the file beside its place, which also remembers that
  /// the office has no tiles here; nil if there is neither.
  private func tilesHere(of map: String) throws -> FetchedTiles? {
    let place = path(of: map)
    // A fetch may move the file to its place between the look and the opening: it is looked for
    // there once more.
    for path in [place, place + Self.besideEnding, place] where FileStatus(ofPath: path) != nil {
      do {
        return try FetchedTiles(path: path)
      } catch  where FileStatus(ofPath: path) == nil {
        continue
      }
    }
    return nil
  }
}

/// The chosen areas as JSON.
private struct AreasFile: Codable {
  var schema = "standpoint.areas/1"
  var areas: [Row]

  struct Row: Codable {
    var id: String
    var title: String
    var box: [Double]
    var finest: Int
    var maps: [String]
    var isStopped: Bool

    init(_ area: OfflineArea) {
      (id, title, finest) = (area.id.description, area.title, area.finest)
      box = [
        area.box.westDegrees, area.box.southDegrees, area.box.eastDegrees, area.box.northDegrees,
      ]
      (maps, isStopped) = (area.maps.sorted(), area.isStopped)
    }

    /// The area; nil if the row says none.
    var area: OfflineArea? {
      guard let id = Identifier(id), box.count == 4,
        let box = CoordinateBox(
          westDegrees: box[0], southDegrees: box[1], eastDegrees: box[2], northDegrees: box[3])
      else { return nil }
      var area = try? OfflineArea(
        id: id, title: title, box: box, finest: finest, maps: Set(maps))
      area?.isStopped = isStopped
      return area
    }
  }
}
