import Evidence
import Geodesy
import Office
import Store

/// The register's parcels in a view of the map, for the map's script: an object with the member
/// `parcels`, each with `identifier`, `name`, `crop` and `coordinates`, those of a GeoJSON
/// MultiPolygon, and with `isTooWide`, which is true if the view has more parcels than can be
/// drawn; then it names none. `isRough` marks a rectangle that replaces an outline with too many
/// corners.
package struct ParcelView {
  /// The greatest number of parcels drawn in one view.
  static let parcelsAtMost = 500
  /// The greatest number of corners of these parcels together.
  package static let pointsAtMost = 20_000

  /// The parcels to draw; nil if they are too many.
  let outlines: [ParcelOutline]?

  /// The message. Outlines are copied as they are stored: reading a view's 20,000 corners and
  /// writing them again would take longer than all the rest.
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

extension Places {
  /// Returns the parcels of the agency's register in a part of the map.
  package func parcelView(in box: CoordinateBox, of agency: String) async throws -> ParcelView {
    try await database.read(in: agency) { session in
      ParcelView(
        outlines: try session.parcels.outlines(
          in: box, limit: ParcelView.parcelsAtMost, pointLimit: ParcelView.pointsAtMost))
    }
  }

  /// Returns one parcel of the register; without parcels if there is none of this identifier.
  package func parcelView(ofParcel identifier: String, in agency: String) async throws -> ParcelView
  {
    try await database.read(in: agency) { session in
      ParcelView(outlines: [try session.parcels.outline(identifier)].compactMap(\.self))
    }
  }
}
