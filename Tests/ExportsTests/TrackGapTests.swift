import Foundation
import Geodesy
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Exports
@testable import GeoPackage

@Suite("Tracks break where something is missing")
struct TrackGapTests {
  /// The longitudes of a track's points, and the gaps before them.
  private static let way: [(longitude: Double, isAfterGap: Bool)] = [
    (10, true), (11, false), (12, true), (13, true), (14, false), (15, false),
  ]
  /// The longitudes of each line; a single place stands there twice.
  private static let parts: [[Double]] = [[10, 11], [12, 12], [13, 14, 15]]

  private func selection(
    _ way: [(longitude: Double, isAfterGap: Bool)] = TrackGapTests.way, isDated: Bool
  ) throws -> ExportSelection {
    var selection = try ExportFixture.selection()
    selection.tasks = []
    selection.photos = []
    selection.tracks[0].points = try way.enumerated().map { index, step in
      let time = ExportFixture.time.advanced(bySeconds: Double(index)).gnssTime
      return TrackPoint(
        kind: .recorded, time: isDated ? time : time.on(nil),
        coordinate: try ExportFixture.coordinate(0.5, step.longitude),
        ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil,
        horizontalUncertaintyMetres95: nil, gapBefore: step.isAfterGap ? .silence : nil)
    }
    return selection
  }

  private func pieces(_ text: String, _ name: String) -> [String] {
    text.components(separatedBy: "<\(name)>").dropFirst().map {
      $0.components(separatedBy: "</\(name)>")[0]
    }
  }

  @Test("KML: a gx:Track for each part, with as many times as places")
  func timed() throws {
    let text = try ExportFilesFixture.text(selection(isDated: true), as: .kml)
    let tracks = pieces(text, "gx:Track")
    #expect(pieces(text, "gx:MultiTrack").count == 1)
    // A single place is a track of one place, with one time.
    let parts = [[10.0, 11], [12], [13, 14, 15]]
    #expect(
      tracks.map { track in
        pieces(track, "gx:coord").compactMap { Double($0.components(separatedBy: " ")[0]) }
      } == parts)
    #expect(tracks.map { pieces($0, "when").count } == parts.map(\.count))
  }

  @Test("KML without dates: a line for each part; one without gaps is one line")
  func undated() throws {
    let text = try ExportFilesFixture.text(selection(isDated: false), as: .kml)
    let lines = pieces(text, "LineString").map { line in
      pieces(line, "coordinates")[0].split(separator: " ").compactMap {
        Double($0.components(separatedBy: ",")[0])
      }
    }
    #expect(lines == Self.parts)
    let whole = try ExportFilesFixture.text(
      selection([(10, false), (11, false), (12, false)], isDated: false), as: .kml)
    #expect(pieces(whole, "LineString").count == 1)
    #expect(!whole.contains("<MultiGeometry>"))
  }

  @Test("GPX: a segment for each part")
  func gpx() throws {
    let text = try ExportFilesFixture.text(selection(isDated: true), as: .gpx)
    #expect(
      pieces(text, "trkseg").map { $0.components(separatedBy: "<trkpt").count - 1 } == [2, 1, 3])
  }

  private func lines(of selection: ExportSelection) throws -> [[Double]]? {
    let text = try ExportFilesFixture.text(selection, as: .geojson)
    let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let features = try #require(json?["features"] as? [[String: Any]])
    let geometry = try #require(features.first?["geometry"] as? [String: Any])
    guard geometry["type"] as? String == "MultiLineString" else { return nil }
    return (geometry["coordinates"] as? [[[Double]]])?.map { $0.compactMap(\.first) }
  }

  @Test("GeoJSON: a line for each part, also where a gap lies across the antimeridian")
  func geoJSON() throws {
    #expect(try lines(of: selection(isDated: true)) == Self.parts)
    #expect(
      try lines(of: selection([(178, false), (179, false), (-179, true)], isDated: true))
        == [[178, 179], [-179, -179]])
    #expect(
      try lines(of: selection([(179, false), (-179, false)], isDated: true))
        == [[179, 180], [-180, -179]])
    #expect(try lines(of: selection([(1, true), (2, false)], isDated: true)) == nil)
  }

  @Test("GeoPackage: a line for each part")
  func geoPackage() throws {
    var geometry = GeoPackageGeometry()
    try geometry.lines { body in
      for step in Self.way {
        try body(ExportFixture.coordinate(0.5, step.longitude), step.isAfterGap)
      }
    }
    let bytes = geometry.bytes
    func number(at place: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    func double(at place: Int) -> Double {
      Double(bitPattern: (0..<8).reduce(0) { $0 | UInt64(bytes[place + $1]) << (8 * $1) })
    }
    // A head of 40 bytes with its box, then the byte order, the type and the number of lines.
    var place = 49
    var lines: [[Double]] = []
    for _ in 0..<number(at: 45) {
      let count = number(at: place + 5)
      lines.append((0..<count).map { double(at: place + 9 + 16 * $0) })
      place += 9 + 16 * count
    }
    #expect(lines == Self.parts)
    #expect(place == bytes.count)
  }
}
