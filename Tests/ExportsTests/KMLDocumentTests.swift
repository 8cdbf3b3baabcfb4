import Exports
import Foundation
import Geodesy
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("KML")
struct KMLDocumentTests {
  private func text(_ selection: ExportSelection) throws -> String {
    let sink = Sink()
    try KMLDocument.write(selection) { sink.bytes += $0 }
    return String(decoding: sink.bytes, as: UTF8.self)
  }

  @Test("the fixture gives the committed bytes, each time")
  func golden() throws {
    let selection = try ExportFixture.selection()
    let kml = try text(selection)
    #expect(try text(selection) == kml)
    #expect(try Golden.difference(kml, from: "exports/day.kml") == nil)
  }

  @Test("it is well-formed, and hostile text stays text")
  func wellFormed() async throws {
    var selection = try ExportFixture.selection()
    selection.tasks[0].task.name = "<script>alert('x')</script> & \u{1}\u{FFFF} ]]>"
    let kml = try text(selection)
    #expect(!kml.contains("<script>"))
    #expect(!kml.unicodeScalars.contains("\u{1}"))
    let xmllint = try #require(Program.tool("xmllint"), "xmllint (libxml2-utils) is not installed")
    try await withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("day.kml")
      try Data(kml.utf8).write(to: file)
      let outcome = try await Program.run(xmllint, ["--noout", "--nonet", file.path])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  @Test("GDAL reads every feature with its claims, without a warning")
  func gdal() async throws {
    let ogrinfo = try #require(Program.tool("ogrinfo"), "ogrinfo (gdal-bin) is not installed")
    try await withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("day.kml")
      try Data(try text(ExportFixture.selection()).utf8).write(to: file)
      let outcome = try await Program.run(ogrinfo, ["-ro", "-al", file.path])
      #expect(outcome.status == 0)
      #expect(outcome.errors == "")
      #expect(outcome.output.contains("Beet <& \"clover\"> ]]>, photo 1"))
      #expect(outcome.output.contains("POINT Z (16.6385 49.08382 231.5)"))
      #expect(outcome.output.contains("azimuthDegreesTrue (Real) = 20.4"))
      #expect(outcome.output.contains("method (String) = innermost-layer"))
      #expect(outcome.output.contains("areaSquareMetres (Real)"))
      #expect(outcome.output.contains("MULTILINESTRING Z ((16.6382 49.0836 231.5"))
      #expect(outcome.output.contains("Beet <& \"clover\"> ]]>"))
    }
  }

  @Test("outlines run counter-clockwise, holes clockwise, and both are closed")
  func rings() throws {
    let kml = try text(ExportFixture.selection())
    let rings = kml.components(separatedBy: "<coordinates>").dropFirst().map {
      $0.components(separatedBy: "</coordinates>")[0].split(separator: " ").map {
        $0.split(separator: ",").compactMap { Double($0) }
      }
    }.filter { $0.count > 3 }
    #expect(rings.count >= 3)
    for (index, ring) in rings.prefix(2).enumerated() {
      #expect(ring.first == ring.last)
      let places = try ring.dropLast().map { try ExportFixture.coordinate($0[1], $0[0]) }
      #expect(Geodesic.polygon(places).isCounterClockwise == (index == 0))
    }
  }

  @Test("land in several parts is a MultiGeometry, each part with its own holes")
  func parts() throws {
    var selection = try ExportFixture.selection()
    func square(_ from: Double, _ to: Double) throws -> [Coordinate] {
      try [(from, from), (to, from), (to, to), (from, to)].map {
        try ExportFixture.coordinate($0.1, $0.0)
      }
    }
    selection.tasks[0].task.parcel = Parcel(
      identifier: "P", rings: [try square(1, 2), try square(1.2, 1.8), try square(3, 4)])
    let kml = try text(selection)
    let geometry = try #require(
      kml.components(separatedBy: "<MultiGeometry>").dropFirst().first?
        .components(separatedBy: "</MultiGeometry>").first)
    #expect(geometry.components(separatedBy: "<outerBoundaryIs>").count == 3)
    #expect(geometry.components(separatedBy: "<innerBoundaryIs>").count == 2)
  }

  @Test("a view is a sector from the standpoint, as wide as the lens sees, on the ground")
  func view() throws {
    let photo = try ExportFixture.selection().tasks[0].photos[0]
    let kml = try text(ExportFixture.selection())
    let ring = try #require(
      kml.components(separatedBy: "#view-style").dropFirst().first?
        .components(separatedBy: "<coordinates>").dropFirst().first?
        .components(separatedBy: "</coordinates>").first)
    let corners = try ring.split(separator: " ").map { corner in
      let numbers = corner.split(separator: ",").compactMap { Double($0) }
      return try ExportFixture.coordinate(numbers[1], numbers[0])
    }
    #expect(corners.first == corners.last)
    #expect(Geodesic.polygon(Array(corners.dropLast())).isCounterClockwise)
    let rim = corners.dropFirst().dropLast().map {
      Geodesic.inverse(from: photo.position.coordinate, to: $0)
    }
    #expect(rim.allSatisfy { abs($0.distanceMetres - 30) < 0.01 })
    let azimuth = try #require(photo.orientation?.azimuthDegreesTrue)
    let half = photo.camera.horizontalDegrees / 2
    let right = try #require(rim.first?.initialAzimuthDegrees)
    let left = try #require(rim.last?.initialAzimuthDegrees)
    #expect(abs(right - (azimuth + half)) < 0.01)
    #expect(abs(left - (azimuth - half + 360)) < 0.01)
    #expect(!kml.contains("absolute"))
  }

  @Test("a balloon has at most ten facts, and the picture's long names stay short")
  func balloon() throws {
    var selection = try ExportFixture.selection()
    selection.tasks[0].task.name = String(repeating: "Řepa ", count: 40)
    let kml = try text(selection)
    let balloon = try #require(
      kml.components(separatedBy: "<description>").first { $0.contains("&lt;table&gt;") })
    let facts = balloon.components(separatedBy: "&lt;tr&gt;").count - 1
    #expect((8...10).contains(facts))
    for expected in ["Task", "Decision", "Taken by", "49.0838200° N"] {
      #expect(balloon.contains(expected), "\(expected)")
    }
    #expect(kml.contains("Řepa…, photo 1</name>") || kml.contains(" …, photo 1</name>"))
  }

  @Test("a balloon begins with the photo's name as text, whatever HTML the name has")
  func balloonName() throws {
    var selection = try ExportFixture.selection()
    selection.tasks[0].task.name = "<b>Beet</b> & \"clover\""
    let kml = try text(selection)
    // A map program puts `$[name]` into the balloon as HTML.
    #expect(!kml.contains("$[name]") && kml.contains("<text>$[description]</text>"))
    #expect(
      kml.contains(
        "<description>&lt;h3&gt;&amp;lt;b&amp;gt;Beet&amp;lt;/b&amp;gt; &amp;amp; "
          + "&amp;quot;clover&amp;quot;, photo 1&lt;/h3&gt;"))
  }

  /// Two sentences of Czech, as a page hands them on.
  private struct SomeCzech: SpokenLanguage {
    let language = "cs"
    let form = WrittenForm.czech
    func template(_ english: String) -> String {
      ["{1}, photo {2}": "{1}, fotografie {2}", "Taken by": "Pořídil(a)"][english] ?? english
    }
  }

  @Test("names and balloons have the language's words, fields do not")
  func czech() throws {
    let sink = Sink()
    let language = DocumentLanguage(SomeCzech())
    #expect(language.tag == "cs")
    try KMLDocument.write(ExportFixture.selection(), language: language) { sink.bytes += $0 }
    let kml = String(decoding: sink.bytes, as: UTF8.self)
    #expect(kml.contains("fotografie 1</name>"))
    #expect(kml.contains("Pořídil(a)"))
    #expect(kml.contains("49,0838200° N"))
    #expect(kml.contains("name=\"latitudeDegrees\">49.08382<"))
  }

  @Test("unknown is absent: no heading, no camera; no date, no time")
  func unknown() throws {
    let kml = try text(ExportFixture.selection())
    let imported = try #require(
      kml.components(separatedBy: "<Placemark id=\"photo-").first { $0.contains("imported") })
    #expect(imported.contains("photo 2</name>"))
    #expect(!imported.contains("field of view"))
    #expect(!imported.contains("<Camera>"))
    #expect(!imported.contains("name=\"azimuthDegreesTrue\""))
    #expect(kml.components(separatedBy: "<gx:MultiTrack>").count == 2)
    #expect(!kml.contains("nan"))
  }
}

private final class Sink {
  var bytes: [UInt8] = []
}
