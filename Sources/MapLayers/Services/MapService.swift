import Evidence
import Foundation
import Sync

/// A map service on another machine: the office fetches its tiles for browsers and field units, which
/// never ask it themselves.
package struct MapService: Hashable, Sendable {
  /// The protocol of a service.
  package enum Kind: String, CaseIterable, Sendable {
    /// OGC Web Map Service 1.1.1 or 1.3.0.
    case wms
    /// OGC Web Map Tile Service 1.0.0, by templates (REST) or by queries (KVP).
    case wmts
    /// Tiles at an address with {z}, {x} and {y}.
    case xyz
  }

  /// One zoom of a WMTS matrix set that fits the grid of Web Mercator.
  package struct Matrix: Hashable, Sendable {
    /// The zoom, 0…30.
    package var zoom: Int
    /// The name by which the service knows the zoom.
    package var name: String
    /// The column and row of the grid at which the service's matrix begins.
    package var column: Int
    package var row: Int

    package init(zoom: Int, name: String, column: Int = 0, row: Int = 0) {
      (self.zoom, self.name, self.column, self.row) = (zoom, name, column, row)
    }
  }

  /// The name in addresses and on devices: lower-case letters, digits and hyphens.
  package var name: String
  /// The protocol.
  package var kind: Kind
  /// The title on screen, at most 200 characters.
  package var title: String
  /// The words that credit the map's makers; nil if there are none.
  package var attribution: String?
  /// The address; for `xyz` with {z}, {x} and {y}, or {-y} for rows from the south.
  package var address: String
  /// The name of the service's layer; nil if it is not chosen yet, and for `xyz`.
  package var layer: String?
  /// The name of the layer's style; nil for the default style.
  package var style: String?
  /// The media type that is asked for.
  package var mediaType = "image/png"
  /// The version of WMS: 1.1.1 or 1.3.0.
  package var version = "1.3.0"
  /// The coordinate reference system that WMS is asked in.
  package var referenceSystem = "EPSG:3857"
  /// The name of the WMTS matrix set; nil for other services.
  package var matrixSet: String?
  /// The zooms of the WMTS matrix set, the coarsest first.
  package var matrices: [Matrix] = []
  /// The WMTS template of addresses; nil if the service takes queries.
  package var template: String?
  /// The zooms that are asked for.
  package var zooms: ClosedRange<Int> = 0...19
  /// The user's name that the service asks for; nil for a service without a password.
  package var user: String?
  /// The password of the user.
  package var password: Secret?
  /// True if field units may keep parts of the map.
  package var isOffered = true

  package init(name: String, kind: Kind, title: String, address: String) {
    (self.name, self.kind, self.title, self.address) = (name, kind, title, address)
  }

  /// True if tiles can be asked for: a layer is chosen, or none is needed.
  package var isComplete: Bool {
    switch kind {
    case .xyz: true
    case .wms: layer != nil
    case .wmts: layer != nil && !matrices.isEmpty
    }
  }

  /// Returns the header field with user and password for an address; nil for a service without a
  /// user, and for an address of another origin than the service's own.
  func account(at address: String) -> String? {
    guard let user, let own = ServiceOrigin(of: self.address), ServiceOrigin(of: address) == own
    else { return nil }
    let pair = Data("\(user):\(password?.text ?? "")".utf8).base64EncodedString()
    return ["Basic", pair].joined(separator: " ")
  }

  /// Moves the service to another address. The templates and zooms of the former one go, and are
  /// read again; so does the password, if the origin is another one.
  package mutating func move(to address: ServiceAddress) {
    guard address.text != self.address else { return }
    if ServiceOrigin(of: address.text) != ServiceOrigin(of: self.address) { password = nil }
    (self.address, template, matrices) = (address.text, nil, [])
  }

  /// A mark of 32 hexadecimal digits that changes with everything that the pictures depend on, and
  /// with the name of the user, who may see other things.
  package var pictureMark: String {
    let parts =
      [
        kind.rawValue, address, layer ?? "", style ?? "", mediaType, version, referenceSystem,
        matrixSet ?? "", template ?? "", user ?? "",
      ] + matrices.map { "\($0.zoom) \($0.name) \($0.column) \($0.row)" }
    return String(Digest.hexadecimal(Array(parts.joined(separator: "\n").utf8)).prefix(32))
  }

  /// The mark by which field units know the state of the map.
  package var mark: String {
    let text = [pictureMark, title, attribution ?? "", "\(zooms)"].joined(separator: "\n")
    return String(Digest.hexadecimal(Array(text.utf8)).prefix(32))
  }

  /// Returns a name for a layer that is made from a title: letters, digits and hyphens, and a number
  /// if the name is taken.
  package static func name(for title: String, taken: Set<String>) -> String {
    var name = ""
    // Letters are told from their accents, which go.
    for scalar in title.lowercased().decomposedStringWithCanonicalMapping.unicodeScalars
    where scalar.properties.generalCategory != .nonspacingMark {
      if scalar.isASCII, scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) {
        name.unicodeScalars.append(scalar)
      } else if !name.hasSuffix("-"), !name.isEmpty {
        name += "-"
      }
    }
    while name.hasSuffix("-") { name.removeLast() }
    name = name.isEmpty ? "map" : String(name.prefix(40))
    guard taken.contains(name) else { return name }
    var number = 2
    while taken.contains("\(name)-\(number)") { number += 1 }
    return "\(name)-\(number)"
  }
}
