import Foundation
import Geodesy
import Inspection
import Positioning
import TimeAndText

// The problem: an agency's export reads the sealed files of a million points. The general JSON
// reader makes a dictionary for each point and a string for each number. It takes 4 µs per point,
// while writing a point takes a tenth of that.
//
// The solution: these files are canonical (RFC 8785), and one function writes them all. The members
// of a point come in one order, without blanks, and their numbers are decimals between quotes. They
// are read in place, byte by byte, without making a string. If a file is not exactly so, this
// reader returns nil, and the general one reads the file or says what is wrong.

/// A reader for the points of a canonical track file.
struct TrackFileReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0
  /// The day of the point before: nearly all points of a track have the same day.
  private var day: (text: (UInt64, UInt16), date: CivilDate)?

  private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Returns the points in their order; nil for a file that is not of the canonical form, or not of
  /// this track.
  static func points(of file: [UInt8], track id: Identifier) -> [TrackPoint]? {
    file.withUnsafeBufferPointer { bytes in
      var reader = TrackFileReader(bytes)
      return reader.points(id)
    }
  }

  private mutating func points(_ id: Identifier) -> [TrackPoint]? {
    guard skip("{\"id\":\""), skip(id.description), skip("\",\"points\":[") else { return nil }
    var points: [TrackPoint] = []
    // A usual point has 160 bytes or more. Only the size of the file bounds the reserved memory,
    // and no number in it.
    points.reserveCapacity(bytes.count / 160)
    if !skip("]") {
      repeat {
        guard let point = point() else { return nil }
        points.append(point)
      } while skip(",")
      guard skip("]") else { return nil }
    }
    guard skip(",\"schema\":\"standpoint.track/1\"}"), index == bytes.count else { return nil }
    return points
  }

  private mutating func point() -> TrackPoint? {
    guard skip("{") else { return nil }
    var ellipsoidal: Double?
    var gap: TrackPoint.Gap?
    var dilution: Double?
    if skip("\"ellipsoidalHeightMetres\":") {
      guard let value = decimal(), skip(",") else { return nil }
      ellipsoidal = value
    }
    if skip("\"gapBefore\":") {
      guard let text = word(), let value = TrackPoint.Gap(rawValue: text), skip(",") else {
        return nil
      }
      gap = value
    }
    if skip("\"horizontalDilution\":") {
      guard let value = decimal(), skip(",") else { return nil }
      dilution = value
    }
    guard skip("\"kind\":"), let kind = kind(), skip(",\"latitudeDegrees\":"),
      let latitude = decimal(), skip(",\"longitudeDegrees\":"), let longitude = decimal(),
      let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude), skip(",")
    else { return nil }
    var seaLevel: Double?
    var satellites: Int?
    if skip("\"meanSeaLevelHeightMetres\":") {
      guard let value = decimal(), skip(",") else { return nil }
      seaLevel = value
    }
    if skip("\"satellitesUsed\":") {
      guard let value = count(), skip(",") else { return nil }
      satellites = value
    }
    guard skip("\"time\":"), let time = time() else { return nil }
    var uncertainty: Double?
    if skip(",\"uncertaintyMetres95\":") {
      guard let value = decimal() else { return nil }
      uncertainty = value
    }
    guard skip("}") else { return nil }
    return TrackPoint(
      kind: kind, time: time, coordinate: place, ellipsoidalHeightMetres: ellipsoidal,
      meanSeaLevelHeightMetres: seaLevel, horizontalUncertaintyMetres95: uncertainty,
      gapBefore: gap, satellitesUsed: satellites, horizontalDilution: dilution)
  }

  // MARK: pieces

  /// Goes on to the bytes after `text` if it comes next; returns false otherwise.
  private mutating func skip(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index + count <= bytes.count, let start = bytes.baseAddress,
      memcmp(start + index, text.utf8Start, count) == 0
    else { return false }
    index += count
    return true
  }

  private mutating func skip(_ text: String) -> Bool {
    guard bytes[index...].starts(with: text.utf8) else { return false }
    index += text.utf8.count
    return true
  }

  private mutating func kind() -> TrackPoint.Kind? {
    if skip("\"recorded\"") { return .recorded }
    return word().flatMap(TrackPoint.Kind.init(rawValue:))
  }

  /// Reads a text without escapes; nil if none comes next.
  private mutating func word() -> String? {
    guard skip("\"") else { return nil }
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      guard (0x20..<0x7F).contains(bytes[index]), bytes[index] != UInt8(ascii: "\\") else {
        return nil
      }
      index += 1
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    return skip("\"") ? text : nil
  }

  private static let powers: [Double] = (0...15).map { pow(10, Double($0)) }

  /// Reads a decimal between quotes, of up to 15 digits: with so few, one division gives the
  /// nearest double.
  private mutating func decimal() -> Double? {
    guard skip("\"") else { return nil }
    let isNegative = skip("-")
    var (whole, digits, places) = (Int64(0), 0, -1)
    while index < bytes.count {
      let byte = bytes[index]
      if byte >= 0x30, byte <= 0x39 {
        whole = whole * 10 + Int64(byte - 0x30)
        digits += 1
        if places >= 0 { places += 1 }
        guard digits <= 15 else { return nil }
      } else if byte == UInt8(ascii: "."), places < 0, digits > 0 {
        places = 0
      } else {
        break
      }
      index += 1
    }
    guard digits > 0, places != 0, skip("\"") else { return nil }
    let value = places > 0 ? Double(whole) / Self.powers[places] : Double(whole)
    return isNegative ? -value : value
  }

  /// Reads a whole number of up to nine digits, without a sign.
  private mutating func count() -> Int? {
    let start = index
    var value = 0
    while index < bytes.count, (0x30...0x39).contains(bytes[index]), index - start < 9 {
      value = value * 10 + Int(bytes[index] - 0x30)
      index += 1
    }
    let isPlain = index > start && (bytes[start] != 0x30 || index == start + 1)
    return isPlain ? value : nil
  }

  /// Reads `"2026-06-01T09:30:00.000Z"`, or such a time without the date and the Z.
  private mutating func time() -> GNSSTime? {
    guard skip("\"") else { return nil }
    var date: CivilDate?
    if index + 10 < bytes.count, bytes[index + 10] == UInt8(ascii: "T") {
      guard let read = self.date() else { return nil }
      date = read
      index += 11
    }
    guard index + 12 < bytes.count, bytes[index + 2] == UInt8(ascii: ":"),
      bytes[index + 5] == UInt8(ascii: ":"), bytes[index + 8] == UInt8(ascii: "."),
      let hours = number(at: index, 2), let minutes = number(at: index + 3, 2),
      let seconds = number(at: index + 6, 2), let thousandths = number(at: index + 9, 3),
      // A leap second is left to the general reader.
      hours < 24, minutes < 60, seconds < 60
    else { return nil }
    index += 12
    if date != nil, !skip("Z") { return nil }
    guard skip("\"") else { return nil }
    return GNSSTime(
      millisecondsSinceMidnight: ((hours * 60 + minutes) * 60 + seconds) * 1000 + thousandths,
      date: date)
  }

  private mutating func date() -> CivilDate? {
    let start = UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped) + index
    let text = (
      start.loadUnaligned(as: UInt64.self), (start + 8).loadUnaligned(as: UInt16.self)
    )
    if let day, day.text == text { return day.date }
    let words = String(decoding: bytes[index..<index + 10], as: UTF8.self)
    guard let read = DeviceTime(rfc3339: words + "T00:00:00.000Z")?.gnssTime.date else {
      return nil
    }
    day = (text, read)
    return read
  }

  private func number(at start: Int, _ digits: Int) -> Int? {
    var value = 0
    for byte in bytes[start..<start + digits] {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    return value
  }
}
