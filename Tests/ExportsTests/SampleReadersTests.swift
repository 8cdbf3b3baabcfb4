import Evidence
import Foundation
import TestSupport
import Testing

/// Tests in which other people's programs read the committed samples, unless these are being made.
@Suite(
  "Others read the samples of exports",
  .disabled(if: Golden.isUpdated, "the samples are being made"))
struct SampleReadersTests {
  private func sample(_ ending: String) -> String {
    Repository.root.appendingPathComponent("exports/day.\(ending)").path
  }

  private func run(_ tool: String, _ arguments: [String]) async throws -> String {
    let path = try #require(Program.tool(tool), "\(tool) is not installed")
    let outcome = try await Program.run(path, arguments)
    #expect(outcome.status == 0, "\(tool): \(outcome.errors)")
    #expect(outcome.errors == "", "\(tool) complains")
    return outcome.output
  }

  /// The number of features that GDAL finds in each layer.
  private static let layers: [(ending: String, counts: [Int])] = [
    // The parcel, two photos, one with its view, the track and its land; a photo with its view; a
    // track and its land.
    ("kml", [6, 2, 2]), ("kmz", [6, 2, 2]),
    // Waypoints, routes, tracks, points of routes, points of tracks.
    ("gpx", [3, 0, 2, 0, 8]),
    ("geojson", [7]), ("csv", [3]),
    // Parcels, photos, tracks, their points, tasks, styles, and the pictures in two sizes.
    ("gpkg", [1, 3, 2, 8, 1, 4, 4]),
  ]

  @Test("GDAL finds everything in each of them, without a warning", arguments: layers)
  func gdal(sample name: (ending: String, counts: [Int])) async throws {
    let output = try await run("ogrinfo", ["-ro", "-al", "-so", sample(name.ending)])
    let counts = output.split(separator: "\n").compactMap { line in
      line.hasPrefix("Feature Count: ") ? Int(line.dropFirst(15)) : nil
    }
    #expect(counts.sorted() == name.counts.sorted(), "\(name.ending)")
  }

  @Test(
    "GDAL reads the satellites and the dilution of a track's points, and none where none is known")
  func reception() async throws {
    for (name, layer) in [("gpx", "track_points"), ("gpkg", "track_points")] {
      let output = try await run("ogrinfo", ["-ro", sample(name), layer])
      let points = output.components(separatedBy: "OGRFeature(").dropFirst()
      let names = name == "gpx" ? ("sat", "hdop") : ("satellitesUsed", "horizontalDilution")
      let satellites = points.map { value(names.0, in: $0) }
      let dilutions = points.map { value(names.1, in: $0) }
      let none: [String?] = [nil, nil, nil, nil]
      #expect(satellites == ["14", nil, "12", "13"] + none, "\(name)")
      #expect(dilutions == ["0.7", nil, "1.1", "0.9"] + none, "\(name)")
    }
  }

  /// Returns a field's value, which GDAL writes as `  sat (Integer) = 14`.
  private func value(_ field: String, in feature: String) -> String? {
    let line = feature.split(separator: "\n").first {
      $0.drop { $0 == " " }.hasPrefix("\(field) (")
    }
    let value = line?.components(separatedBy: " = ").last
    return value == "(null)" ? nil : value
  }

  @Test("xmllint finds KML and the KMZ's document valid, and GPX well-formed")
  func xml() async throws {
    try await withTemporaryDirectory { folder in
      let document = folder.appendingPathComponent("doc.kml")
      let archive = try EvidenceArchive(path: sample("kmz"))
      try Data(try archive.bytes(of: "doc.kml")).write(to: document)
      let schema = KMLSchema.path.map { ["--schema", $0] } ?? []
      for (path, arguments) in [
        (sample("kml"), schema), (document.path, schema), (sample("gpx"), []),
      ] {
        let xmllint = try #require(Program.tool("xmllint"), "xmllint is not installed")
        // With a schema, xmllint reports a valid document on standard error.
        let outcome = try await Program.run(xmllint, ["--noout", "--nonet"] + arguments + [path])
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
    }
  }

  @Test(
    "gpsbabel reads places and tracks of GPX and KML",
    .enabled(if: Program.tool("gpsbabel") != nil, "gpsbabel is not installed"),
    arguments: ["gpx", "kml"])
  func gpsbabel(format: String) async throws {
    let read = ["-i", format, "-f", sample(format), "-o", "unicsv", "-F", "-"]
    let places = try await run("gpsbabel", read).split(whereSeparator: \.isNewline).dropFirst()
    #expect(places.count == 3)
    let first = try #require(places.first)
    #expect(
      first.hasPrefix("1,49.083820,16.638500,\"Photo 2026-06-01T08:32:00.500Z\",231.5,")
        || first.contains("photo 1\",231.5,"))
    #expect(first.hasSuffix(",2026/06/01,08:32:00.500"))
    // gpsbabel takes the outlines of KML for tracks as well; these have no times.
    let points = rows(try await run("gpsbabel", ["-t"] + read))
    #expect(format == "kml" || points.count == 8)
    let dated = points.filter { $0["Date"] == "2026/06/01" }
    #expect(dated.map { $0["Time"] } == ["08:40:00", "08:40:50", "08:41:40", "08:42:30"])
    #expect(dated.map { $0["Latitude"] } == ["49.083600", "49.083700", "49.084200", "49.084100"])
    #expect(dated.map { $0["Longitude"] } == ["16.638200", "16.639100", "16.639000", "16.638100"])
    #expect(dated.allSatisfy { $0["Altitude"] == "231.5" })
    if format == "gpx" {
      #expect(dated.map { $0["Satellites"] } == ["14", "", "12", "13"])
      #expect(dated.map { $0["HDOP"] } == ["0.70", "", "1.10", "0.90"])
    }
  }

  /// Returns the rows of a table without quotes, by the names in its head.
  private func rows(_ table: String) -> [[String: String]] {
    let lines = table.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    guard let head = lines.first else { return [] }
    return lines.dropFirst().map { Dictionary(zip(head, $0)) { first, _ in first } }
  }

  @Test("qpdf finds nothing wrong with the PDF, and pdftotext reads its task in four alphabets")
  func pdf() async throws {
    _ = try await run("qpdf", ["--check", sample("pdf")])
    let text = try await run("pdftotext", ["-layout", "-enc", "UTF-8", sample("pdf"), "-"])
    for words in [
      "Beet <& \"clover\"> ]]>", "Žluté pole, мокро", "Λείπει η φωτογραφία", "Round the parcel",
      "49.0838200° N", "the file is not at hand",
    ] {
      #expect(text.contains(words), "\(words)")
    }
  }

  @Test(
    "Python unpacks the KMZ and the bundle, and every checksum holds", arguments: ["kmz", "zip"])
  func archives(ending: String) async throws {
    let output = try await run("python3", ["-m", "zipfile", "-t", sample(ending)])
    #expect(output == "Done testing\n")
  }
}
