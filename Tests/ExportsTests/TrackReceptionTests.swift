import Evidence
import Foundation
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Exports

@Suite("Satellites and dilution of a track's points")
struct TrackReceptionTests {
  /// Returns a track of which one point has both.
  private func selection() throws -> ExportSelection {
    var selection = try ExportFixture.selection()
    selection.tasks = []
    selection.photos = []
    selection.tracks[0].points[1].satellitesUsed = 11
    selection.tracks[0].points[1].horizontalDilution = 0.8
    return selection
  }

  private func text(
    _ format: ExportFormat, points: Bool = false, rows: CSVDocument.Rows = .points
  ) throws -> String {
    var options = ExportOptions()
    options.pointFeatures = points
    options.rows = rows
    return try ExportFilesFixture.text(selection(), as: format, options: options)
  }

  private func count(_ words: String, in text: String) -> Int {
    text.components(separatedBy: words).count - 1
  }

  @Test("GPX has them in its own elements, before its extensions", arguments: [false, true])
  func gpx(points: Bool) throws {
    let text = try text(.gpx, points: points)
    #expect(count("<sat>11</sat><hdop>0.8</hdop><extensions>", in: text) == 1)
    #expect(count("<sat>", in: text) == 1)
  }

  @Test("the others have them under the dictionary's names, and nothing where nothing is known")
  func others() throws {
    #expect(
      count(
        "\"satellitesUsed\":11,\"horizontalDilution\":0.8}", in: try text(.geojson, points: true))
        == 1)
    let kml = try text(.kml, points: true)
    #expect(count("<SimpleData name=\"satellitesUsed\">11</SimpleData>", in: kml) == 1)
    #expect(count("<SimpleData name=\"horizontalDilution\">0.8</SimpleData>", in: kml) == 1)
    let lines = try text(.csv).components(separatedBy: "\r\n")
    #expect(lines[0].components(separatedBy: ",") == PointFields.table.fields.map(\.name))
    #expect(lines[1].hasSuffix(",,,"))
    #expect(lines[2].hasSuffix(",,11,0.8"))
    #expect(lines.dropLast().allSatisfy { $0.components(separatedBy: ",").count == 13 })
  }

  @Test("the sealed file of points carries them")
  func sealed() throws {
    let file = Record.trackFile(try selection().tracks[0])
    let points = try #require(try JSONValue(parsing: file)["points"]?.elements)
    #expect(points.map { $0["satellitesUsed"]?.wholeNumber } == [nil, 11, nil, nil])
    #expect(points.map { $0["horizontalDilution"]?.measured } == [nil, 0.8, nil, nil])
  }
}
