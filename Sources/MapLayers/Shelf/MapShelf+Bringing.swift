import Foundation
import Geodesy
import Store
import Sync
import TimeAndText

/// An office whose maps a device keeps.
package protocol MapOffice: Sendable {
  /// Asks the office for the list of its maps.
  func maps() async throws -> MapListMessage
  /// Fetches one cell of a map.
  /// - Parameter tag: the digest of the tiles that are here, for which the office sends nothing if
  ///   they are still the same; nil if none are here.
  func tiles(of map: String, in cell: TilePlan.Cell, known tag: String?) async throws -> MapAnswer
  /// Returns true if an error concerns one map alone, so that others may still come.
  func concernsOneMap(_ error: any Error) -> Bool
}

/// A cell of a map as the office sent it.
package struct MapAnswer: Sendable {
  /// The mark of the office's file, which names its state.
  package var mark: String
  /// The digest of the tiles.
  package var tag: String
  /// The tiles; nil if they are the ones that the known tag names.
  package var tiles: [TileExtract.Tile]?

  package init(mark: String, tag: String, tiles: [TileExtract.Tile]? = nil) {
    (self.mark, self.tag, self.tiles) = (mark, tag, tiles)
  }
}

extension MapShelf {
  /// The result of fetching one map.
  private enum Outcome {
    /// All cells around the tasks are here.
    case done
    /// The map has reached its largest size.
    case full
    /// The disk has no more than its reserve left.
    case noRoom
    /// The fetching was stopped, because something more important goes on.
    case cutOff
    /// The office has replaced its file meanwhile.
    case changed
  }

  /// Fetches the cells that are missing, and removes maps that the office has not had for a day. A
  /// problem of one map leaves the others alone.
  /// - Parameters:
  ///   - boxes: the boxes of the tasks' parcels.
  ///   - mayGoOn: asked before each cell; if it returns false, the fetching ends and goes on another
  ///     time.
  /// - Returns: true if nothing is left to be done for now.
  /// - Throws: the office's error if it cannot be asked; nothing is lost then.
  package func bring(
    round boxes: [DegreeBox], from office: some MapOffice, while mayGoOn: @Sendable () -> Bool
  ) async throws -> Bool {
    let areas = try areas().filter { !$0.isStopped }
    begin(areas)
    let list = try await office.maps()
    guard list.schema == MapListMessage.schema else {
      throw SyncError.unknownSchema(found: list.schema, expected: MapListMessage.schema)
    }
    let maps = list.maps.filter(\.isSound).prefix(MapListMessage.maximumMaps)
    try remember(Array(maps))
    letGo(allBut: maps.map(\.name), round: boxes)
    var isDone = true
    for map in maps {
      // A person has put the whole map there.
      guard !FileManager.default.fileExists(atPath: "\(folder)/\(map.name)\(Self.ending)") else {
        continue
      }
      do {
        let wanted = Self.cells(of: map, round: boxes, areas)
        switch try await bring(map, wanted, office, mayGoOn) {
        case .done: say("what lies round the tasks and in the chosen areas is here", of: map.name)
        case .full:
          say(
            "it has the \(limit / 1_000_000) MB that it may have, and not all tasks are on it",
            of: map.name)
        case .noRoom:
          say("the disk has no room for more of it beside a day of photos", of: map.name)
        case .cutOff: return false
        case .changed: isDone = false
        }
      } catch  where !office.concernsOneMap(error) || error is CancellationError {
        throw error
      } catch {
        say(Self.words(error), of: map.name)
      }
    }
    return isDone
  }

  /// The cells of a map that are wanted: those round the tasks first, then those of each area.
  static func cells(
    of map: MapListMessage.Map, round boxes: [DegreeBox], _ areas: [OfflineArea]
  ) -> [TilePlan.Cell] {
    guard let zooms = map.zooms else { return [] }
    var cells = TilePlan.cells(around: boxes, zooms: zooms)
    var known = Set(cells)
    for area in areas where area.includes(map.name) {
      cells += area.cells(zooms: zooms).filter { known.insert($0).inserted }
    }
    return cells
  }

  private func bring(
    _ map: MapListMessage.Map, _ wanted: [TilePlan.Cell], _ office: some MapOffice,
    _ mayGoOn: @Sendable () -> Bool
  ) async throws -> Outcome {
    let path = path(of: map.name)
    let present = try? FetchedTiles(path: path)
    defer { present?.close() }
    if present == nil, (try? TileArchive(path: path)) != nil {
      throw StoreError.unavailable(
        path: path, reason: "somebody has put it there: give it another name")
    }
    let isPresent = present?.mark == map.mark
    guard isPresent || !wanted.isEmpty else { return .done }
    try DurableFile.makeFolder(folder)
    // If the office has replaced its file, a new one is made next to the earlier one, which is
    // shown meanwhile.
    var target = isPresent ? try FetchedTiles(path: path) : try beside(path, for: map)
    defer { target.close() }
    var isBeside = !isPresent
    let known = isPresent ? [:] : (try? present?.cells()) ?? [:]
    let here = try target.cells()
    var outcome = Outcome.done
    for cell in wanted where here[cell] == nil && map.zooms?.overlaps(cell.zooms) == true {
      guard mayGoOn(), !isChanged else { return .cutOff }
      if let shortage = try shortage(of: target, for: wanted) {
        outcome = shortage
        break
      }
      let tag = known[cell]
      let answer = try await office.tiles(of: map.name, in: cell, known: tag)
      guard answer.mark == map.mark else { return .changed }
      let tiles = try (answer.tiles ?? present?.tiles(of: cell) ?? []).filter {
        cell.holds($0.place)
      }
      func keep() throws -> Bool {
        try target.keep(tiles, of: cell, tag: answer.tag, within: limit)
      }
      // Cells that no task needs go first.
      guard try keep() || (target.forget(allBut: Set(wanted)) > 0 && keep()) else {
        outcome = .full
        break
      }
      // If there is no earlier file to show, the new one is shown from its first tile on.
      if isBeside, present == nil, !tiles.isEmpty {
        target = try named(target, path)
        isBeside = false
      }
    }
    // If the disk is short, the earlier file stays for now.
    guard isBeside, outcome != .noRoom else { return outcome }
    try replace(path, with: target)
    return outcome
  }

  /// Returns why no further cell can be kept: the disk or the map is full; nil if there is room.
  private func shortage(
    of tiles: FetchedTiles, for wanted: [TilePlan.Cell]
  ) throws -> Outcome? {
    guard hasRoom() else { return .noRoom }
    return try hasSpace(in: tiles, for: wanted) ? nil : .full
  }

  /// Puts a fetched file in the place of the earlier one.
  private func replace(_ path: String, with tiles: FetchedTiles) throws {
    if try tiles.tileCount() > 0 {
      _ = try named(tiles, path)
    } else {
      // The office has no tiles around here: the file next to it (.new) remembers that, and is no map.
      try DurableFile.remove(path)
    }
  }

  /// Returns true if a further cell is likely to fit, so that it is not fetched in vain. If space
  /// is short, cells that no task needs are removed first.
  private func hasSpace(in tiles: FetchedTiles, for wanted: [TilePlan.Cell]) throws -> Bool {
    let limit = limit - limit / 64
    guard try tiles.usedBytes() >= limit else { return true }
    let gone = try tiles.forget(allBut: Set(wanted))
    return try gone > 0 && tiles.usedBytes() < limit
  }

  /// Returns the file that was begun for this state of the office's file, or a new one.
  private func beside(_ path: String, for map: MapListMessage.Map) throws -> FetchedTiles {
    let path = path + Self.besideEnding
    if let begun = try? FetchedTiles(path: path) {
      guard begun.mark != map.mark else { return begun }
      begun.close()
    }
    try remove(path)
    return try FetchedTiles.make(path: path, for: map)
  }

  /// Gives a finished file its name, in the place of any earlier one.
  /// - Returns: the file under its new name, opened again.
  private func named(_ tiles: FetchedTiles, _ path: String) throws -> FetchedTiles {
    tiles.close()
    // A journal left over from another file would be applied to this one. A map that was here was
    // opened before, and has no journal.
    try DurableFile.remove(path + "-journal")
    try DurableFile.rename(tiles.path, to: path)
    try DurableFile.syncFolder(folder)
    return try FetchedTiles(path: path)
  }

  /// Removes a map and its SQLite journal.
  package func remove(_ path: String) throws {
    try DurableFile.remove(path)
    try DurableFile.remove(path + "-journal")
  }

  package static func words(_ error: any Error) -> String {
    (error as? any Worded)?.wording.description ?? "\(error)"
  }
}
