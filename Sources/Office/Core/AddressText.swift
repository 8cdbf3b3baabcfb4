import Foundation
import Geodesy
import Inspection
import Store
import Web

/// The values in addresses.
package enum AddressText {
  /// Returns the requested address with its query.
  package static func of(_ request: WebRequest) -> String {
    let fields = request.query.sorted { $0.key < $1.key }
      .map { "\(escaped($0.key))=\(escaped($0.value))" }.joined(separator: "&")
    return request.path + (fields.isEmpty ? "" : "?" + fields)
  }

  /// Returns a text escaped as a part of an address.
  package static func escaped(_ text: String) -> String {
    QueryText.escaped(text)
  }

  /// Reads a box written as `west,south,east,north` in degrees; nil for any other text.
  package static func box(_ text: String?) -> CoordinateBox? {
    guard let text, text.utf8.count <= 120 else { return nil }
    let sides = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard sides.count == 4, let west = sides[0], let south = sides[1], let east = sides[2],
      let north = sides[3]
    else { return nil }
    return CoordinateBox(
      westDegrees: west, southDegrees: south, eastDegrees: east, northDegrees: north)
  }

  package static func text(_ box: CoordinateBox) -> String {
    [box.westDegrees, box.southDegrees, box.eastDegrees, box.northDegrees]
      .map { "\(($0 * 1e6).rounded() / 1e6)" }.joined(separator: ",")
  }

  package static func text(_ box: DegreeBox) -> String {
    [box.west, box.south, box.east, box.north].map { "\(($0 * 1e6).rounded() / 1e6)" }
      .joined(separator: ",")
  }
}
