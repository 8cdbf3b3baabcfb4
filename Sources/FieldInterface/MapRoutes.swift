import Evidence
import Geodesy
import Inspection
import MapLayers
import Office
import Store
import Sync
import TimeAndText
import Web

/// The routes of base maps for field units, which send them in parts of limited size. Each answer
/// has its digest as ETag: a part that a device has is not sent again, even if it came from an
/// earlier file.
struct MapRoutes {
  let office: OfficeServer

  func add(to routes: inout Routes) {
    routes.get("/api/v1/maps") { request in
      try await office.requests.answering {
        let agency = try await agency(of: request)
        let bytes = try WireJSON.bytes(
          MapListMessage(maps: try office.core.layers.offers(to: agency)))
        return WebResponse.json(bytes)
          .tagged(EntityTag(String(Digest.hexadecimal(bytes).prefix(32))), for: request)
      }
    }
    routes.get("/api/v1/maps/{name}") { request in
      try await office.requests.answering {
        let agency = try await agency(of: request)
        guard let name = request.parameters["name"],
          let layer = try office.core.layers.layer(name, of: agency), let map = layer.offer
        else {
          throw OfficeRefusal(.unknown, "there is no such map here")
        }
        guard let box = AddressText.box(request.query["box"]) else {
          throw OfficeRefusal(
            .inputInvalid, "say which part: box=WEST,SOUTH,EAST,NORTH in degrees")
        }
        guard let zooms = Self.zooms(request.query["zooms"]) else {
          throw OfficeRefusal(.inputInvalid, "say which zooms: zooms=FIRST-LAST, within 0 to 30")
        }
        let bytes = try await extract(of: layer, box, zooms).bytes
        return WebResponse.bytes(bytes, mediaType: TileExtract.mediaType)
          .tagged(EntityTag(Digest.hexadecimal(bytes)), for: request)
          .setting(header: Self.markField, to: map.mark)
      }
    }
  }

  /// The header field with the mark of the file's state from which an answer was made.
  static let markField = "Standpoint-Mark"

  private func agency(of request: WebRequest) async throws -> String {
    try await office.requests.device(request).account.agency ?? ""
  }

  private func extract(
    of layer: BaseLayer, _ box: CoordinateBox, _ zooms: ClosedRange<Int>
  ) async throws -> TileExtract {
    guard zooms.overlaps(layer.zooms) else { return TileExtract(tiles: []) }
    guard let areas = TileExtract.areas(of: box, zooms: zooms.clamped(to: layer.zooms)) else {
      throw OfficeRefusal(
        .extractTooLarge,
        "this part has more than \(TileExtract.maximumPlaces) tiles: ask for a smaller one, or for fewer zooms"
      )
    }
    guard let extract = try await layer.extract(areas) else {
      throw OfficeRefusal(
        .extractTooLarge,
        "the tiles of this part have more than \(TileExtract.maximumBytes >> 20) MB: ask for a smaller one"
      )
    }
    return extract
  }

  /// Returns the zooms of a text `FIRST-LAST`, one or two digits each, at most 30; nil for any
  /// other text.
  static func zooms(_ text: String?) -> ClosedRange<Int>? {
    guard let text, text.utf8.count <= 5,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D })
    else { return nil }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let first = parts[0], let last = parts[1], first <= last, last <= 30
    else { return nil }
    return first...last
  }
}
