import TimeAndText

/// Outlines as well-known text (OGC 06-103r4): POLYGON and MULTIPOLYGON, longitude before latitude,
/// with holes. Further numbers of a corner (heights, measures) are skipped. The prefix `SRID=4326;`
/// of PostGIS is accepted, any other SRID is refused.
package struct WKTReader {
  private let bytes: [UInt8]
  private var index = 0

  /// Returns the polygons of a text, each a list of rings of corners.
  /// - Throws: `ImportFault` without a line.
  package static func polygons(_ text: String) throws(ImportFault) -> [[[[Double]]]] {
    var reader = WKTReader(bytes: Array(text.utf8))
    return try reader.polygons()
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private mutating func polygons() throws(ImportFault) -> [[[[Double]]]] {
    var name = word()
    if name == "SRID" {
      guard take("="), let system = number(), system == 4326, take(";") else {
        throw ImportFault(
          "wkt: only SRID=4326 (WGS 84) is accepted: transform it, e.g. ogr2ogr -t_srs EPSG:4326")
      }
      name = word()
    }
    guard name == "POLYGON" || name == "MULTIPOLYGON" else {
      throw ImportFault(
        name.isEmpty
          ? "its geometry is text that is not WKT; parcels are POLYGON or MULTIPOLYGON"
          : "its geometry is a \(name.prefix(40)); parcels are POLYGON or MULTIPOLYGON")
    }
    let isMultiple = name == "MULTIPOLYGON"
    var dimensions = word()
    if ["Z", "M", "ZM"].contains(dimensions) { dimensions = word() }
    if dimensions == "EMPTY" { return [] }
    guard dimensions.isEmpty else { throw malformed() }
    var polygons: [[[[Double]]]] = []
    if isMultiple {
      guard take("(") else { throw malformed() }
      repeat { polygons.append(try polygon()) } while take(",")
      guard take(")") else { throw malformed() }
    } else {
      polygons.append(try polygon())
    }
    skipSpace()
    guard index == bytes.count else { throw malformed() }
    return polygons
  }

  private mutating func polygon() throws(ImportFault) -> [[[Double]]] {
    guard take("(") else { throw malformed() }
    var rings: [[[Double]]] = []
    repeat {
      guard take("(") else { throw malformed() }
      var ring: [[Double]] = []
      repeat {
        var corner: [Double] = []
        while let value = number(), corner.count < 4 { corner.append(value) }
        ring.append(corner)
      } while take(",")
      guard take(")") else { throw malformed() }
      rings.append(ring)
    } while take(",")
    guard take(")") else { throw malformed() }
    return rings
  }

  private func malformed() -> ImportFault {
    ImportFault(
      "wkt: byte \(index + 1) is wrong; write it like POLYGON ((16.6 49.0, 16.7 49.0, 16.7 49.1,"
        + " 16.6 49.0))")
  }

  private mutating func skipSpace() {
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
  }

  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    skipSpace()
    guard index < bytes.count, bytes[index] == UInt8(ascii: sign) else { return false }
    index += 1
    return true
  }

  private mutating func word() -> String {
    skipSpace()
    var word = ""
    while index < bytes.count, word.count < 64 {
      let byte = bytes[index] & 0xDF
      guard (0x41...0x5A).contains(byte), bytes[index] >= 0x41 else { break }
      word.unicodeScalars.append(Unicode.Scalar(byte))
      index += 1
    }
    return word
  }

  /// Reads a number. It may have only the characters of JSON's numbers, and a plus: no hexadecimal,
  /// no infinity.
  private mutating func number() -> Double? {
    skipSpace()
    let start = index
    while index < bytes.count {
      switch bytes[index] {
      case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"),
        UInt8(ascii: "E"):
        index += 1
      default:
        guard index > start, index - start <= 64,
          let value = Double(String(decoding: bytes[start..<index], as: UTF8.self)),
          value.isFinite
        else {
          index = start
          return nil
        }
        return value
      }
    }
    index = start
    return nil
  }
}
