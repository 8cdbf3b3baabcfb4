import Evidence
import Geodesy
import Store

/// What a view of the map shows of the register, as the script of the map reads it: an object with the
/// member `parcels`, each with `identifier`, `name`, `crop` and `coordinates`, those of a GeoJSON
/// MultiPolygon, and with `isTooWide`, where more lie in the view than can be drawn, and none is named.
/// `isRough` marks a rectangle in the place of an outline with too many corners.
package struct ParcelView {
  /// So many parcels are drawn in one view at most.
  static let parcelsAtMost = 500
  /// So many corners they may have together.
  package static let pointsAtMost = 20_000

  /// Those that are drawn; nil where they are too many.
  let outlines: [ParcelOutline]?

  /// The message. Outlines are put in as they are kept: reading a view's 20,000 corners, to write them again,
  /// would take longer than all the rest.
  package var bytes: [UInt8] {
    var text = "{\"isTooWide\":\(outlines == nil),\"parcels\":["
    for (place, outline) in (outlines ?? []).enumerated() {
      text += place == 0 ? "{" : ",{"
      for (name, value) in [
        ("identifier", outline.identifier), ("name", outline.name), ("crop", outline.crop),
      ] {
        guard let value else { continue }
        text += "\"\(name)\":"
        text += String(decoding: JSONValue.string(value).canonicalBytes, as: UTF8.self) + ","
      }
      text += "\"isRough\":\(outline.coordinates == nil),\"coordinates\":"
      text += (outline.coordinates ?? Self.coordinates(outline.box)) + "}"
    }
    return Array((text + "]}").utf8)
  }

  private static func coordinates(_ box: DegreeBox) -> String {
    let corners = [
      (box.west, box.south), (box.east, box.south), (box.east, box.north), (box.west, box.north),
      (box.west, box.south),
    ]
    return "[[[" + corners.map { "[\($0.0),\($0.1)]" }.joined(separator: ",") + "]]]"
  }
}

extension OfficeServer {
  /// What a part of the map shows of the agency's register.
  package func parcelView(in box: CoordinateBox, of agency: String) async throws -> ParcelView {
    try await database.read(in: agency) { session in
      ParcelView(
        outlines: try session.parcels.outlines(
          in: box, limit: ParcelView.parcelsAtMost, pointLimit: ParcelView.pointsAtMost))
    }
  }

  /// One parcel of the register, or none.
  package func parcelView(ofParcel identifier: String, in agency: String) async throws -> ParcelView
  {
    try await database.read(in: agency) { session in
      ParcelView(outlines: [try session.parcels.outline(identifier)].compactMap(\.self))
    }
  }
}
