import Evidence
import Foundation
import Geodesy
import NIOHTTP1
import Positioning
import Store
import Sync

/// The way to an office that has base maps for its field units. An office that is older has none.
package protocol MapLink: OfficeLink {
  /// The maps that it has.
  func maps(token: String) async throws -> MapListMessage
  /// A cell of one of them.
  /// - Parameter tag: the digest of what is here of it; the office sends nothing where it still is the same.
  func tiles(
    of map: String, in cell: TilePlan.Cell, known tag: String?, token: String
  ) async throws -> MapAnswer
}

/// A cell of a map as it came.
package struct MapAnswer: Sendable {
  /// The state of the office's file.
  package var mark: String
  /// The digest of what came.
  var tag: String
  /// The tiles; nil where they are those of the tag that was known.
  package var tiles: [TileExtract.Tile]?
}

extension HTTPOfficeLink: MapLink {
  package func maps(token: String) async throws -> MapListMessage {
    let answer = try await exchange(.GET, "/api/v1/maps", token: token)
    do {
      return try WireJSON.message(MapListMessage.self, answer.bytes)
    } catch {
      throw DeliveryError.notAnOffice(address: address, reason: "\(error)")
    }
  }

  package func tiles(
    of map: String, in cell: TilePlan.Cell, known tag: String?, token: String
  ) async throws -> MapAnswer {
    guard let box = cell.box,
      let name = map.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
    else { throw SyncError.malformedMessage("its map has no address") }
    let sides = [box.westDegrees, box.southDegrees, box.eastDegrees, box.northDegrees]
      .map { DecimalText.fixed($0, places: 7) }.joined(separator: ",")
    let answer = try await exchange(
      .GET,
      "/api/v1/maps/\(name)?box=\(sides)&zooms=\(cell.zooms.lowerBound)-\(cell.zooms.upperBound)",
      token: token, headers: tag.map { [("If-None-Match", "\"\($0)\"")] } ?? [],
      accepted: TileExtract.mediaType)
    guard let mark = answer.headers.first(name: "Standpoint-Mark"), MapListMessage.isMark(mark)
    else {
      throw SyncError.malformedMessage("it does not say of which state of the map its tiles are")
    }
    if let tag, answer.isUnchanged { return MapAnswer(mark: mark, tag: tag) }
    let digest = Digest.hexadecimal(answer.bytes)
    guard answer.headers.first(name: "ETag") == "\"\(digest)\"" else {
      throw SyncError.malformedMessage("its tiles were changed on their way")
    }
    return MapAnswer(mark: mark, tag: digest, tiles: try TileExtract(answer.bytes).tiles)
  }
}

extension MapShelf {
  /// How it ended with a map.
  private enum Outcome {
    /// All is here.
    case done
    /// The map may have no more bytes.
    case full
    /// The disk has no more than its reserve.
    case noRoom
    /// Something else goes on.
    case cutOff
    /// The office's file is another one since.
    case changed
  }

  /// Fetches what is missing round the tasks, and says in the log what came of it.
  /// - Parameter mayGoOn: asked before each cell; with false it ends, and goes on another time.
  func bringIfDue(
    from unit: InspectorUnit, over link: any MapLink, while mayGoOn: @Sendable () -> Bool
  ) async {
    var boxes: [DegreeBox] = []
    do {
      boxes = Self.boxes(of: try unit.tasks())
      guard isDue(boxes) else { return end(.nothingDue) }
      let isDone = try await bring(round: boxes, from: unit, over: link, while: mayGoOn)
      say(nil, of: nil)
      end(isDone ? .done(boxes) : .cutOff)
    } catch DeliveryError.olderOffice {
      end(.done(boxes))
    } catch {
      say(Self.words(error), of: nil)
      end(.failed)
    }
  }

  /// Fetches what is missing, and lets go of maps that the office has no more for a day. What is wrong with one map
  /// leaves the others alone.
  /// - Returns: whether nothing is left to be done for now.
  /// - Throws: `DeliveryError` where the office cannot be asked; nothing is lost by it.
  package func bring(
    round boxes: [DegreeBox], from unit: InspectorUnit, over link: any MapLink,
    while mayGoOn: @Sendable () -> Bool = { true }
  ) async throws -> Bool {
    let office = try OfficeConversation(of: unit, over: link)
    let list = try await office.asking { try await link.maps(token: $0) }
    guard list.schema == MapListMessage.schema else {
      throw SyncError.unknownSchema(found: list.schema, expected: MapListMessage.schema)
    }
    let maps = list.maps.filter(\.isSound).prefix(MapListMessage.maximumMaps)
    letGo(allBut: maps.map(\.name), round: boxes)
    var isDone = true
    for map in maps {
      // Somebody has put the whole of it there.
      guard !FileManager.default.fileExists(atPath: "\(folder)/\(map.name)\(Self.ending)") else {
        continue
      }
      do {
        let wanted = map.zooms.map { TilePlan.cells(around: boxes, zooms: $0) } ?? []
        switch try await bring(map, wanted, office, link, mayGoOn) {
        case .done: say("what lies round the tasks is here", of: map.name)
        case .full:
          say(
            "it has the \(bytesAtMost / 1_000_000) MB that it may have, and not all tasks are on it",
            of: map.name)
        case .noRoom:
          say("the disk has no room for more of it beside a day of photos", of: map.name)
        case .cutOff: return false
        case .changed: isDone = false
        }
      } catch let error as DeliveryError where !error.concernsOneMap {
        throw error
      } catch let error as CancellationError {
        throw error
      } catch {
        say(Self.words(error), of: map.name)
      }
    }
    return isDone
  }

  private func bring(
    _ map: MapListMessage.Map, _ wanted: [TilePlan.Cell], _ office: OfficeConversation,
    _ link: any MapLink, _ mayGoOn: @Sendable () -> Bool
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
    // A file that the office has replaced is made anew beside the one of before, which is shown meanwhile.
    var target = isPresent ? try FetchedTiles(path: path) : try beside(path, for: map)
    defer { target.close() }
    var isBeside = !isPresent
    let known = isPresent ? [:] : (try? present?.cells()) ?? [:]
    let here = try target.cells()
    var outcome = Outcome.done
    for cell in wanted where here[cell] == nil && map.zooms?.overlaps(cell.zooms) == true {
      guard mayGoOn() else { return .cutOff }
      guard hasRoom() else {
        outcome = .noRoom
        break
      }
      guard try hasSpace(in: target, for: wanted) else {
        outcome = .full
        break
      }
      let tag = known[cell]
      let answer = try await office.asking { token in
        try await link.tiles(of: map.name, in: cell, known: tag, token: token)
      }
      guard answer.mark == map.mark else { return .changed }
      let tiles = try (answer.tiles ?? present?.tiles(of: cell) ?? []).filter {
        cell.holds($0.place)
      }
      func keep() throws -> Bool {
        try target.keep(tiles, of: cell, tag: answer.tag, within: bytesAtMost)
      }
      // What nobody wants goes first.
      guard try keep() || (target.forget(allBut: Set(wanted)) > 0 && keep()) else {
        outcome = .full
        break
      }
      // Where there is nothing else to be shown, it is shown from its first tile on.
      if isBeside, present == nil, !tiles.isEmpty {
        target = try named(target, path)
        isBeside = false
      }
    }
    // Where the disk is short, the one of before stays for now.
    guard isBeside, outcome != .noRoom else { return outcome }
    if try target.tileCount() > 0 {
      _ = try named(target, path)
    } else {
      // The office has nothing round here: what lies beside remembers that, and is no map.
      try DurableFile.remove(path)
    }
    return outcome
  }

  /// Whether a further cell is likely to fit, so that it is not fetched in vain; what nobody wants has gone
  /// where it did not.
  private func hasSpace(in tiles: FetchedTiles, for wanted: [TilePlan.Cell]) throws -> Bool {
    let limit = bytesAtMost - bytesAtMost / 64
    guard try tiles.usedBytes() >= limit else { return true }
    let gone = try tiles.forget(allBut: Set(wanted))
    return try gone > 0 && tiles.usedBytes() < limit
  }

  /// What was begun for this state of the office's file, or a new one.
  private func beside(_ path: String, for map: MapListMessage.Map) throws -> FetchedTiles {
    let path = path + ".new"
    if let begun = try? FetchedTiles(path: path) {
      guard begun.mark != map.mark else { return begun }
      begun.close()
    }
    try remove(path)
    return try FetchedTiles.make(path: path, for: map)
  }

  /// Gives a finished file its name, in the place of any before.
  /// - Returns: the same, opened anew.
  private func named(_ tiles: FetchedTiles, _ path: String) throws -> FetchedTiles {
    tiles.close()
    // What was left behind of another file would be played into this one. A map that is here was read before,
    // and has none.
    try DurableFile.remove(path + "-journal")
    try DurableFile.rename(tiles.path, to: path)
    try DurableFile.syncFolder(folder)
    return try FetchedTiles(path: path)
  }

  /// Removes a map, and what SQLite left beside it.
  package func remove(_ path: String) throws {
    try DurableFile.remove(path)
    try DurableFile.remove(path + "-journal")
  }

  private static func words(_ error: any Error) -> String {
    (error as? any Worded)?.wording.description ?? "\(error)"
  }
}

extension DeliveryError {
  /// Whether the office says no to one map, so that others may still come.
  fileprivate var concernsOneMap: Bool {
    if case .refused(let code, _) = self {
      return ["unknown", "input-invalid", "extract-too-large"].contains(code)
    }
    return false
  }
}
