import Foundation
import TimeAndText

/// The address of a map service as an administrator enters it. Often it is pasted with a whole query:
/// the parts that the office sets itself are taken off.
package struct ServiceAddress: Hashable, Sendable {
  /// The most characters of an address.
  static let charactersAtMost = 2000
  /// The parts of a query that belong to one request, in upper case.
  private static let own: Set = [
    "SERVICE", "REQUEST", "VERSION", "LAYERS", "LAYER", "STYLES", "STYLE", "CRS", "SRS", "BBOX",
    "WIDTH", "HEIGHT", "FORMAT", "TRANSPARENT", "EXCEPTIONS", "TILEMATRIXSET", "TILEMATRIX",
    "TILEROW", "TILECOL", "BGCOLOR", "ACCEPTVERSIONS",
  ]

  /// The address, cleaned.
  package let text: String
  /// The host, in lower case.
  package let host: String

  /// Reads an address.
  /// - Throws: `MapServiceError.malformedAddress`, also for an address with a password in it, for
  ///   one of a host that is no map service, and for an `xyz` address without its places.
  package init(_ text: String, kind: MapService.Kind) throws(MapServiceError) {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard trimmed.count <= Self.charactersAtMost else {
      throw .malformedAddress("the address is longer than \(Self.charactersAtMost) characters")
    }
    // Braces are no characters of an address: they are put back at the end.
    guard var parts = URLComponents(string: Self.hidden(trimmed)),
      let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = parts.host?.lowercased(), !host.isEmpty,
      parts.port.map((1...65_535).contains) ?? true
    else {
      throw .malformedAddress(
        "this is not the address of a map service: it begins with https:// or http://")
    }
    guard parts.user == nil, parts.password == nil else {
      throw .malformedAddress(
        "the address contains a password: enter user and password in their own fields")
    }
    guard !Self.isOffLimits(host) else {
      throw .malformedAddress("\(host) is an address inside the machine's own network equipment")
    }
    parts.fragment = nil
    if kind != .xyz {
      let kept = parts.percentEncodedQueryItems?.filter { !Self.own.contains($0.name.uppercased()) }
      parts.percentEncodedQueryItems = kept?.isEmpty == false ? kept : nil
    }
    guard let cleaned = parts.string.map(Self.shown) else {
      throw .malformedAddress("this is not the address of a map service")
    }
    if kind == .xyz {
      let hasPlaces =
        cleaned.contains("{z}") && cleaned.contains("{x}")
        && (cleaned.contains("{y}") || cleaned.contains("{-y}"))
      guard hasPlaces else {
        throw .malformedAddress(
          "the address lacks {z}, {x} or {y}, such as https://tiles.example/{z}/{x}/{y}.png")
      }
    }
    self.text = cleaned
    self.host = host
  }

  private static let braces = [("{", "%7B"), ("}", "%7D")]

  private static func hidden(_ text: String) -> String {
    braces.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  private static func shown(_ text: String) -> String {
    braces.reduce(text) { $0.replacing($1.1, with: $1.0) }
  }

  /// Returns true for a host that no map service has: link-local addresses, under which clouds give
  /// machines their keys, and addresses of no single machine. Private networks are allowed, because
  /// agencies keep their services there; only an administrator can enter an address.
  package static func isOffLimits(_ host: String) -> Bool {
    let plain = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    var four = in_addr()
    if inet_pton(AF_INET, plain, &four) == 1 {
      return isOffLimits(four: UInt32(bigEndian: four.s_addr))
    }
    var six = in6_addr()
    guard inet_pton(AF_INET6, String(plain.prefix { $0 != "%" }), &six) == 1 else {
      return plain.hasSuffix(".") ? isOffLimits(String(plain.dropLast())) : false
    }
    let bytes = withUnsafeBytes(of: six) { Array($0) }
    if let four = inner(bytes) { return isOffLimits(four: four) }
    let isLinkLocal = bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    return isLinkLocal || bytes[0] == 0xFF || bytes.allSatisfy { $0 == 0 }
      || bytes.starts(with: localTranslation)
  }

  /// The prefix of a network's own translation to IPv4 (RFC 8215): only that network knows where in
  /// it the IPv4 address is.
  private static let localTranslation: [UInt8] = [0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01]

  /// Returns the IPv4 address to which an IPv6 one leads in the end; nil if it has none in it.
  private static func inner(_ bytes: [UInt8]) -> UInt32? {
    func four(at start: Int) -> UInt32 {
      bytes[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
    let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
    // 6to4, 2002::/16 (RFC 3056).
    if bytes.starts(with: [0x20, 0x02]) { return four(at: 2) }
    // Translation, 64:ff9b::/96 (RFC 6052); IPv4-mapped, ::ffff:0:0/96; IPv4-compatible, ::/96 (RFC
    // 4291, 2.5.5). This machine itself, ::1, and no machine, ::, are neither.
    if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B] + zeros(8)) { return four(at: 12) }
    if bytes.starts(with: zeros(10) + [0xFF, 0xFF]) { return four(at: 12) }
    if bytes.starts(with: zeros(12)), four(at: 12) > 1 { return four(at: 12) }
    return nil
  }

  private static func isOffLimits(four address: UInt32) -> Bool {
    // 169.254.0.0/16, 0.0.0.0/8, and multicast and above.
    address >> 16 == 0xA9FE || address >> 24 == 0 || address >> 28 >= 0xE
  }
}
