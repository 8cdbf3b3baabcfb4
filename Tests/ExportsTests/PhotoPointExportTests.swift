import Exports
import Foundation
import GeoPackage
import Inspection
import TestSupport
import Testing

@Suite("Photo points in KML and in a GeoPackage")
struct PhotoPointExportTests {
  private func selection() throws -> ExportSelection {
    var selection = try ExportFixture.selection()
    selection.points = try PhotoPointFixture.exported()
    return selection
  }

  /// Returns the placemarks of the folder of photo points, each from its beginning on.
  private func placemarks(_ kml: String) throws -> [String] {
    let folder = try #require(
      kml.components(separatedBy: "<name>Photo points</name>").dropFirst().first)
    return Array(folder.components(separatedBy: "<Placemark").dropFirst())
  }

  @Test("KML has a folder with each point, its last repeat's numbers, and the way to its subject")
  func kml() throws {
    let selection = try selection()
    let placemarks = try placemarks(ExportFilesFixture.text(selection, as: .kml))
    try #require(placemarks.count == 3)
    let point = selection.points[0].point
    let code = try #require(point.code?.spaced)
    for expected in [
      " id=\"point-\(point.id)\"", "<name>Křížová &lt;cesta&gt; &amp; kaple</name>", code,
      "CZ-4711/2", point.reference.photo.description, "<heading>20.4</heading>",
      "&lt;th align=\"left\"&gt;Number of repeats&lt;/th&gt;&lt;td&gt;2&lt;/td&gt;",
      "2026-06-05 08:30:00 UTC", "2.3 m ± 3.4 m (95 %), met", "4.2°, not met",
      "1.2° to the left, 0.5° higher, 0.3° clockwise",
      "3.4 % of the frame (120 features agree)", "3.6 % of the frame",
      "<coordinates>16.6385,49.0838</coordinates>",
    ] {
      let text = placemarks[0].replacing("\u{A0}", with: " ")
      #expect(text.contains(expected), "\(expected)")
    }
    #expect(placemarks[1].contains("<coordinates>16.6385,49.0838 16.6386,49.0841</coordinates>"))
    #expect(placemarks[1].contains(": the thing that it shows</name>"))
    #expect(!placemarks[2].contains("<Camera>"))
    #expect(!placemarks[2].contains("Last repeat"))
    #expect(placemarks[2].contains("uncertainty not known"))
  }

  @Test("an estimated place is said to be one")
  func estimated() throws {
    var selection = try selection()
    let measured = try ExportFilesFixture.text(selection, as: .kml)
    #expect(!measured.contains("an officer, on a map"))
    selection.points[0].point.pose = .estimated
    let estimated = try ExportFilesFixture.text(selection, as: .kml)
    #expect(estimated.contains("an officer, on a map"))
  }

  @Test("KML with photo points holds against its schema where that is at hand")
  func schema() async throws {
    let xmllint = try #require(Program.tool("xmllint"), "xmllint (libxml2-utils) is not installed")
    try await withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("day.kml").path
      try ExportFilesFixture.write(selection(), as: .kml, to: path)
      let schema = KMLSchema.path.map { ["--schema", $0] } ?? []
      let outcome = try await Program.run(xmllint, ["--noout", "--nonet"] + schema + [path])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  @Test("a GeoPackage has tables of points and repeats, and whole indexes")
  func geoPackage() async throws {
    try await withTemporaryDirectory { folder in
      let selection = try selection()
      let path = folder.appendingPathComponent("day.gpkg").path
      try ExportFilesFixture.write(selection, as: .gpkg, to: path)
      #expect(try GeoPackageFile.damages(path) == [])
      let point = selection.points[0].point
      let code = try #require(point.code)
      try await expect(
        [
          "Feature Count: 2", "point (String) = \(point.id)", "code (String) = \(code)",
          "name (String) = Křížová <cesta> & kaple", "parcel (String) = CZ-4711/2",
          "reference (String) = \(point.reference.photo)", "uncertaintyMetres95 (Real) = 1.76",
          "azimuthDegreesTrue (Real) = 20.4", "viewAcrossDegrees (Real) = 66",
          "pose (String) = measured", "subjectLatitudeDegrees (Real) = 49.0841",
          "maker (String) = ines", "made (DateTime) = 2026/06/01 09:30:00+00",
          "POINT (16.6385 49.0838)", "code (String) = (null)",
        ], in: "photo_point", of: path)
      try await expect(
        [
          "Feature Count: 2", "photo (String) = \(selection.points[0].repeats[0].photo)",
          "point (String) = \(point.id)", "taken (DateTime) = 2026/06/04 08:30:00+00",
          "distanceMetres (Real) = 2.3", "distanceUncertaintyMetres95 (Real) = 3.4",
          "angleDegrees (Real) = 4.2", "turnLeftDegrees (Real) = 1.2",
          "turnUpDegrees (Real) = 0.5", "turnRoundDegrees (Real) = -0.3",
          "inliers (Integer64) = 120", "displacementPercent (Real) = 3.4",
          "officeDisplacementPercent (Real) = 3.6", "officeDisplacementPercent (Real) = (null)",
        ], in: "repeat", of: path)
    }
  }

  /// Expects that GDAL says these words about a table of a GeoPackage, and complains of nothing.
  private func expect(_ words: [String], in table: String, of path: String) async throws {
    let ogrinfo = try #require(Program.tool("ogrinfo"), "ogrinfo (gdal-bin) is not installed")
    let outcome = try await Program.run(ogrinfo, ["-ro", path, table])
    #expect(outcome.errors == "", "\(table)")
    for expected in words { #expect(outcome.output.contains(expected), "\(expected)") }
  }

  @Test("without points a GeoPackage has neither their tables nor their style")
  func none() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("day.gpkg").path
      try ExportFilesFixture.write(ExportFixture.selection(), as: .gpkg, to: path)
      let dump = try GeoPackageFile.dump(path)
      #expect(!dump.contains("photo_point"))
      #expect(!dump.contains("\"repeat\""))
      try ExportFilesFixture.write(selection(), as: .gpkg, to: path + "2")
      let more = try GeoPackageFile.dump(path + "2")
      #expect(more.contains("CREATE TABLE \"photo_point\""))
      #expect(more.contains("CREATE TABLE \"repeat\""))
    }
  }
}
