import TimeAndText

// The problem: a template of addresses has names in braces, and both the template and the values
// come from a map service, which may be hostile.
//
// The obvious idea, to replace one name after the other, looks into the values, too: thirty values
// of which each names the next one twice make an address of gigabytes.
//
// The solution: one pass over the template, in which no value is looked at again, and which ends as
// soon as the address is too long.

/// A template of addresses: text with names in braces.
enum AddressTemplate {
  /// The most bytes of an address that a service is asked at, as servers are expected to take them
  /// (RFC 9110, 4.1).
  static let bytesAtMost = 8000

  /// Fills the names of a template in one pass.
  /// - Parameter value: returns the text for a name in lower case; nil leaves the name in its
  ///   braces.
  /// - Throws: `MapServiceError.malformedAddress` if the template or the address is too long.
  static func filled(
    _ template: String, _ value: (_ name: String) -> String?
  ) throws(MapServiceError) -> String {
    try require(template)
    var address = ""
    var end = template.startIndex
    for found in template.matches(of: /\{([^{}]*)\}/) {
      address += template[end..<found.range.lowerBound]
      address += value(found.1.lowercased()) ?? String(found.0)
      end = found.range.upperBound
      try require(address)
    }
    address += template[end...]
    try require(address)
    return address
  }

  /// Requires that an address is not too long.
  /// - Throws: `MapServiceError.malformedAddress`.
  static func require(_ address: String) throws(MapServiceError) {
    guard address.utf8.count <= bytesAtMost else {
      throw .malformedAddress(
        "the service makes addresses of more than \(bytesAtMost) characters")
    }
  }
}
