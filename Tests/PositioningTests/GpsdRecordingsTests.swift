import Foundation
import Geodesy
import Positioning
import TestSupport
import Testing
import TimeAndText

/// gpsd's own recordings, compared with gpsd's own results.
@Suite("Recordings of gpsd's tests", .enabled(if: Recordings.areHere, Recordings.absence))
struct GpsdRecordingsTests {
  private struct Instant {
    var latitude: Double
    var longitude: Double
    var meanSeaLevelHeight: Double?
    var speed: Double?
  }

  private struct Row {
    var name: String
    var theirs = 0
    var matched = 0
    var ours = 0
    var first = ""
  }

  /// Returns the last TPV with a position for each time of day.
  private func instants(_ check: [UInt8]) -> [Int: Instant] {
    var instants: [Int: Instant] = [:]
    for line in check.split(separator: 0x0A) where line.first == UInt8(ascii: "{") {
      guard let value = try? JSONSerialization.jsonObject(with: Data(line)),
        let object = value as? [String: Any], object["class"] as? String == "TPV",
        let mode = object["mode"] as? Int, let text = object["time"] as? String,
        let time = DeviceTime(rfc3339: text)
      else { continue }
      let key = time.gnssTime.millisecondsSinceMidnight
      guard mode >= 2, let latitude = object["lat"] as? Double,
        let longitude = object["lon"] as? Double
      else { continue }
      instants[key] = Instant(
        latitude: latitude, longitude: longitude, meanSeaLevelHeight: object["altMSL"] as? Double,
        speed: object["speed"] as? Double)
    }
    return instants
  }

  private func difference(_ fix: Fix, _ instant: Instant) -> String? {
    guard let coordinate = fix.coordinate else { return "no position" }
    if abs(coordinate.latitudeDegrees - instant.latitude) > 2e-6
      || abs(coordinate.longitudeDegrees - instant.longitude) > 2e-6
    {
      return "\(coordinate.latitudeDegrees) \(coordinate.longitudeDegrees), gpsd "
        + "\(instant.latitude) \(instant.longitude)"
    }
    if let ours = fix.meanSeaLevelHeightMetres, let theirs = instant.meanSeaLevelHeight,
      abs(ours - theirs) > 0.1
    {
      return "height \(ours), gpsd \(theirs)"
    }
    if let ours = fix.speedMetresPerSecond, let theirs = instant.speed, abs(ours - theirs) > 0.1 {
      return "speed \(ours), gpsd \(theirs)"
    }
    return nil
  }

  private func row(_ name: String) throws -> Row? {
    let log = try Recordings.bytes("gpsd/\(name).log")
    guard counts(log).sentences > 0 else { return nil }
    let theirs = instants(try Recordings.bytes("gpsd/\(name).log.chk"))
    var ours: [Int: [Fix]] = [:]
    for fix in fixes(log) { ours[fix.time.millisecondsSinceMidnight, default: []].append(fix) }
    var row = Row(name: name, theirs: theirs.count)
    row.ours = ours.values.reduce(0) { $0 + $1.filter { $0.coordinate != nil }.count }
    for (key, instant) in theirs.sorted(by: { $0.key < $1.key }) {
      let differences = (ours[key] ?? []).map { difference($0, instant) }
      if differences.contains(nil) {
        row.matched += 1
      } else if row.first.isEmpty {
        row.first = "\(clockText(key)) \((differences.first ?? nil) ?? "no epoch")"
      }
    }
    return row
  }

  @Test("Ours are the instants that gpsd tells")
  func share() throws {
    let rows = try Recordings.names(in: "gpsd", ending: ".log").compactMap { try row($0) }
    let matched = rows.reduce(0) { $0 + $1.matched }
    let theirs = rows.reduce(0) { $0 + $1.theirs }
    let table = rows.map { "\($0.name) \($0.matched)/\($0.theirs) (ours \($0.ours)) \($0.first)" }
      .joined(separator: "\n")
    #expect(Double(matched) / Double(theirs) >= 0.999, "\n\(table)")
    let page = try String(
      contentsOf: Repository.root.appendingPathComponent("docs/positioning.md"), encoding: .utf8)
    for row in rows {
      let line = "| \(row.name) | \(row.theirs) | \(row.matched) | \(row.ours) |"
      #expect(page.contains(line), "docs/positioning.md does not say: \(line)")
    }
    #expect(page.contains("| all | \(theirs) | \(matched) |"))
  }
}
