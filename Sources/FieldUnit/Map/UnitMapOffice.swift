import Evidence
import Foundation
import Geodesy
import MapLayers
import NIOHTTP1
import Store
import Sync
import TimeAndText

/// A link to an office that has base maps for its field units. An older office has none.
package protocol MapLink: OfficeLink {
  /// Asks the office for the list of its maps.
  func maps(token: String) async throws -> MapListMessage
  /// Fetches one cell of a map.
  /// - Parameter tag: the digest of the tiles that are here, for which the office sends nothing if
  ///   they are still the same; nil if none are here.
  func tiles(
    of map: String, in cell: TilePlan.Cell, known tag: String?, token: String
  ) async throws -> MapAnswer
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
      throw SyncError.malformedMessage(
        "it does not say which version of the map its tiles are from")
    }
    if let tag, answer.isUnchanged { return MapAnswer(mark: mark, tag: tag) }
    let digest = Digest.hexadecimal(answer.bytes)
    guard answer.headers.first(name: "ETag") == "\"\(digest)\"" else {
      throw SyncError.malformedMessage("its tiles were changed on their way")
    }
    return MapAnswer(mark: mark, tag: digest, tiles: try TileExtract(answer.bytes).tiles)
  }
}

/// The office of the inspector who is signed in, as the shelf of maps asks it.
struct UnitMapOffice: MapOffice {
  private let office: OfficeConversation
  private let link: any MapLink

  /// - Throws: `DeliveryError.notSignedIn`.
  init(of unit: InspectorUnit, over link: any MapLink) throws {
    office = try OfficeConversation(of: unit, over: link)
    self.link = link
  }

  func maps() async throws -> MapListMessage {
    try await office.asking { [link] in try await link.maps(token: $0) }
  }

  func tiles(
    of map: String, in cell: TilePlan.Cell, known tag: String?
  ) async throws -> MapAnswer {
    try await office.asking { [link] in
      try await link.tiles(of: map, in: cell, known: tag, token: $0)
    }
  }

  func concernsOneMap(_ error: any Error) -> Bool {
    guard let error = error as? DeliveryError else { return true }
    guard case .refused(let code, _) = error else { return false }
    return ["unknown", "input-invalid", "extract-too-large", "map-unavailable"].contains(code)
  }
}

extension MapShelf {
  /// Fetches the cells that are missing around the tasks and in the chosen areas, and notes the result
  /// in the log.
  /// - Parameter mayGoOn: asked before each cell; if it returns false, the fetching ends and goes
  ///   on another time.
  package func bringIfDue(
    from unit: InspectorUnit, over link: any MapLink, while mayGoOn: @Sendable () -> Bool
  ) async {
    var boxes: [DegreeBox] = []
    do {
      boxes = Self.boxes(of: try unit.tasks())
      guard try isDue(boxes) else { return end(.nothingDue) }
      let isDone = try await bring(round: boxes, from: unit, over: link, while: mayGoOn)
      say(nil, of: nil)
      end(isDone ? .done(boxes) : .cutOff)
    } catch DeliveryError.olderOffice {
      end(.done(boxes))
    } catch {
      say(Self.words(error), of: nil)
      end(.failed((error as? any Worded)?.wording ?? "\(error)"))
    }
  }

  /// Fetches the cells that are missing around some boxes and in the chosen areas.
  /// - Returns: true if nothing is left to be done for now.
  /// - Throws: `DeliveryError` if the office cannot be asked; nothing is lost then.
  package func bring(
    round boxes: [DegreeBox], from unit: InspectorUnit, over link: any MapLink,
    while mayGoOn: @Sendable () -> Bool = { true }
  ) async throws -> Bool {
    try await bring(
      round: boxes, from: try UnitMapOffice(of: unit, over: link), while: mayGoOn)
  }
}
