import Foundation
import Geodesy
import Positioning
import TestSupport
import Testing
import TimeAndText

/// Puts a sentence between `$` and its checksum, with a line's end of choice.
func framed(_ body: String, end: String = "\r\n") -> [UInt8] {
  let sum = body.utf8.reduce(UInt8(0), ^)
  let digits = (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true)
  return Array("$\(body)*\(digits)\(end)".utf8)
}

/// Frames several sentences.
func framed(_ bodies: [String]) -> [UInt8] { bodies.flatMap { framed($0) } }

/// Returns all events that `bytes` give, cut into reads of `size`.
func events(_ bytes: [UInt8], size: Int = .max, finishes: Bool = true) -> [DecodedEvent] {
  var decoder = FixDecoder()
  var events: [DecodedEvent] = []
  var start = 0
  while start < bytes.count {
    let end = size < bytes.count - start ? start + size : bytes.count
    decoder.accept(Array(bytes[start..<end])) { events.append($0) }
    start = end
  }
  if finishes { decoder.finish { events.append($0) } }
  return events
}

/// Returns all fixes that `bytes` give, cut into reads of `size`.
func fixes(_ bytes: [UInt8], size: Int = .max, finishes: Bool = true) -> [Fix] {
  events(bytes, size: size, finishes: finishes).compactMap {
    if case .fix(let fix) = $0 { fix } else { nil }
  }
}

/// Returns the counts after `bytes`, cut into reads of `size`.
func counts(_ bytes: [UInt8], size: Int = .max) -> StreamCounts {
  var decoder = FixDecoder()
  var start = 0
  while start < bytes.count {
    let end = size < bytes.count - start ? start + size : bytes.count
    decoder.accept(Array(bytes[start..<end])) { _ in }
    start = end
  }
  decoder.finish { _ in }
  return decoder.counts
}

/// Returns the one fix of the epoch that these sentences make.
func fix(_ bodies: String...) throws -> Fix {
  let all = fixes(framed(bodies))
  try #require(all.count == 1)
  return try #require(all.first)
}

/// Returns so many milliseconds after midnight as `hhmmss.sss`.
func clockText(_ milliseconds: Int) -> String {
  func two(_ number: Int) -> String { "\(number < 10 ? "0" : "")\(number)" }
  let thousandths = milliseconds % 1000
  let zeros = thousandths < 10 ? "00" : thousandths < 100 ? "0" : ""
  return two(milliseconds / 3_600_000) + two(milliseconds / 60_000 % 60)
    + two(milliseconds / 1000 % 60) + ".\(zeros)\(thousandths)"
}

/// Returns a latitude as `ddmm.mmmmmmm,N`, or a longitude as `dddmm.mmmmmmm,E`.
func angleText(_ degrees: Double, width: Int, signs: (String, String)) -> String {
  let total = Int((abs(degrees) * 60 * 1e7).rounded())
  let whole = String(total / 600_000_000)
  let minutes = total % 600_000_000
  func filled(_ text: String, _ width: Int) -> String {
    String(repeating: "0", count: max(0, width - text.count)) + text
  }
  return filled(whole, width) + filled(String(minutes / 10_000_000), 2) + "."
    + filled(String(minutes % 10_000_000), 7) + "," + (degrees < 0 ? signs.1 : signs.0)
}

/// Returns latitude and longitude as four fields.
func placeText(_ place: Coordinate) -> String {
  angleText(place.latitudeDegrees, width: 2, signs: ("N", "S")) + ","
    + angleText(place.longitudeDegrees, width: 3, signs: ("E", "W"))
}

/// Returns a coordinate, which has to exist.
func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
  try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
}

/// Returns a GNSS time, which has to exist.
func time(_ milliseconds: Int, on date: CivilDate? = nil) throws -> GNSSTime {
  try #require(GNSSTime(millisecondsSinceMidnight: milliseconds, date: date))
}

/// Returns a number of the standard normal distribution.
func normal(_ generator: inout SeededGenerator) -> Double {
  let first = Double.random(in: 0x1p-53..<1, using: &generator)
  let second = Double.random(in: 0..<1, using: &generator)
  return (-2 * log(first)).squareRoot() * cos(2 * .pi * second)
}

/// Recordings that lie beside the repository; the tests that need them are skipped without.
enum Recordings {
  static let areHere = Repository.shared("data/gnss") != nil
  static let absence: Comment = "the recordings lie beside the repository, and are not here"

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: try #require(Repository.shared("data/gnss/\(path)"))))
  }

  /// Returns the names of a folder's files without their ending, sorted.
  static func names(in folder: String, ending: String) throws -> [String] {
    let folder = try #require(Repository.shared("data/gnss/\(folder)"))
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }.sorted()
  }
}
