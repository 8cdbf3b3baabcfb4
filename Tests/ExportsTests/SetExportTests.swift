import Exports
import Foundation
import GeoPackage
import Inspection
import PDFWriting
import Positioning
import TestSupport
import Testing
import TimeAndText

@Suite("Sets of pictures in documents and exports")
struct SetExportTests {
  // MARK: PDF

  private func dossier(_ part: Dossier.SetPart, task: String? = nil) -> SetDossier {
    SetDossier(
      part: part, agencyTitle: "Státní zemědělský intervenční fond", taskName: task,
      isDemonstration: false, made: DossierFixture.made, software: "standpoint 1.0")
  }

  private func reading(_ dossier: SetDossier, in folder: URL) throws -> PDFReading {
    let fonts = try #require(PDFFonts.installed(), "fonts-dejavu-core is not installed")
    let file = folder.appendingPathComponent("set.pdf")
    try PDFDocument.write(dossier, fonts: fonts, toFile: file.path)
    return PDFReading(file: file)
  }

  @Test("a walk is one page: what it lacks, its facts, its ring, and eight views")
  func walk() async throws {
    try await withTemporaryDirectory { folder in
      let set = try SetFixture.set(sectors: 72, missing: Set(5...15))
      let pdf = try reading(dossier(SetFixture.part(set), task: "Heap 7"), in: folder)
      #expect(try await pdf.complaint() == nil)
      #expect(try await pdf.pages == 1)
      // The view at 45° falls into the gap.
      #expect(try await pdf.pictures().count == 7)
      let words = try await pdf.words()
      for expected in [
        "Report on a set of pictures", "It belongs to the task “Heap 7”.", "Walk round a thing",
        "incomplete: 61 of 72 sectors have a picture", "Ines Müller (ines)",
        "61 of 72 sectors", "25° 30° 35° 40° 45° 50° 55° 60° 65° 70° 75°", "± 1.8 m (95 %)",
        "45°: no picture", "90°", "315°", set.id.description,
        "Seen from its middle, the way covers", "simulated or replayed",
      ] {
        #expect(words.contains(expected), "\(expected)")
      }
      #expect(words.replacing(" ", with: "").contains(SetFixture.record))
    }
  }

  @Test("the views of a turn have the points of the compass, if one was heard")
  func turn() async throws {
    try await withTemporaryDirectory { folder in
      let heard = try SetFixture.set(.turn, sectors: 4, firstMiddleDegrees: 20)
      var words = try await reading(dossier(SetFixture.part(heard, nil)), in: folder).words()
      for expected in ["N 20°", "E 110°", "S 200°", "W 290°", "It belongs to no task."] {
        #expect(words.contains(expected), "\(expected)")
      }
      let silent = try SetFixture.set(.turn, sectors: 12)
      let pdf = try reading(dossier(SetFixture.part(silent)), in: folder)
      #expect(try await pdf.pictures().count == 8)
      words = try await pdf.words()
      #expect(!words.contains("N 0°") && words.contains("0°"))
      #expect(!words.contains("the way covers"), "nobody walked")
    }
  }

  @Test("what a set lacks is written as the document's language writes numbers")
  func language() async throws {
    try await withTemporaryDirectory { folder in
      var set = try SetFixture.set(sectors: 8)
      set.end.position = PhotoPosition(
        kept: try ExportFixture.coordinate(49.084, 16.6385), ellipsoidalHeightMetres: nil,
        meanSeaLevelHeightMetres: nil, uncertaintyMetres95: 1.8,
        method: .standpoint(.innermostLayer))
      var dossier = dossier(SetFixture.part(set))
      dossier.language = DocumentLanguage(tag: "cs", form: .czech) { $0 }
      let words = try await reading(dossier, in: folder).words()
      #expect(words.contains(#/the end is \d+,\d m from the start/#), "\(words)")
    }
  }

  @Test("a picture that cannot be read leaves a document that says so")
  func unreadable() async throws {
    try await withTemporaryDirectory { folder in
      let set = try SetFixture.set(sectors: 8)
      var part = SetFixture.part(set)
      let whole = part.frame
      part.frame = { number in
        if number == 3 { throw StoreFault() }
        return try whole(number)
      }
      let pdf = try reading(dossier(part), in: folder)
      #expect(try await pdf.complaint() == nil)
      #expect(try await pdf.pictures().count == 7)
      #expect(try await pdf.words().contains("“90°” cannot be shown: its bytes are others."))
    }
  }

  private struct StoreFault: Error, CustomStringConvertible {
    let description = "its bytes are others"
  }

  @Test("a task's document has a page for each set, and its first page says so")
  func ofTask() async throws {
    try await withTemporaryDirectory { folder in
      var dossier = try DossierFixture.dossier(photos: 2)
      let before = try await PDFReading(dossier, in: folder).pages
      dossier.sets = [
        SetFixture.part(try SetFixture.set(sectors: 72)),
        SetFixture.part(try SetFixture.set(.turn, sectors: 8)),
      ]
      let pdf = try PDFReading(dossier, in: folder)
      #expect(try await pdf.complaint() == nil)
      #expect(try await pdf.pages == before + 2)
      #expect(try await pdf.words(page: 1).contains("Sets of pictures, behind the photos: 2."))
      #expect(try await pdf.objects().contains(PDFReading.utf16("Sets of pictures")))
    }
  }

  // MARK: exports

  private func selection() throws -> ExportSelection {
    var selection = try ExportFixture.selection()
    let task = try #require(selection.tasks.first?.task.id)
    selection.sets = [
      ExportedSet(
        set: try SetFixture.set(sectors: 8, missing: [5], task: task),
        task: selection.tasks[0].task, record: SetFixture.record),
      ExportedSet(set: try SetFixture.set(.turn, sectors: 4), record: SetFixture.record),
    ]
    return selection
  }

  @Test("KML has each set where it began, the way of a walk, and a folder for those of no task")
  func kml() async throws {
    let kml = try ExportFilesFixture.text(selection(), as: .kml).replacing("\u{A0}", with: " ")
    let parts = kml.components(separatedBy: "<name>Sets of pictures without a task</name>")
    try #require(parts.count == 2)
    let (walk, turn) = (try ExportFixture.id(90), try ExportFixture.id(91))
    #expect(parts[0].contains("id=\"set-\(walk)\"") && parts[1].contains("id=\"set-\(turn)\""))
    #expect(parts[0].contains(": the way</name>") && !parts[1].contains(": the way</name>"))
    #expect(parts[0].contains("7 of 8 sectors"))
    #expect(parts[0].contains("incomplete: 7 of 8 sectors have a picture"))
    try await withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("day.kml").path
      try ExportFilesFixture.write(selection(), as: .kml, to: path)
      let xmllint = try #require(Program.tool("xmllint"), "xmllint is not installed")
      let schema = KMLSchema.path.map { ["--schema", $0] } ?? []
      let outcome = try await Program.run(xmllint, ["--noout", "--nonet"] + schema + [path])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
  }

  @Test("GeoJSON has a feature for each, and CSV a table of sets and one of their pictures")
  func tables() throws {
    let json = try ExportFilesFixture.text(selection(), as: .geojson)
    #expect(json.components(separatedBy: "\"feature\":\"set\"").count == 3)
    #expect(json.contains("\"kind\":\"around\"") && json.contains("\"complete\":false"))
    var options = ExportOptions()
    options.rows = .sets
    let sets = try ExportFilesFixture.text(selection(), as: .csv, options: options)
      .split(separator: "\r\n")
    #expect(sets.count == 3)
    #expect(sets[1].contains(",around,true,") && sets[2].contains(",turn,true,"))
    options.rows = .frames
    let frames = try ExportFilesFixture.text(selection(), as: .csv, options: options)
      .split(separator: "\r\n")
    #expect(frames.count == 1 + 7 + 4)
    #expect(frames[2].contains(",2,45,-0.5,1.3,0.95,34,true,49.08"))
    #expect(
      frames[4].contains(",4,135,-0.5,1.3,0.95,42,true,,,,"), "the fourth has no fix: \(frames[4])")
  }

  @Test("a GeoPackage has a table of sets and one of their pictures, and neither without sets")
  func geoPackage() async throws {
    try await withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("day.gpkg").path
      try ExportFilesFixture.write(selection(), as: .gpkg, to: path)
      #expect(try GeoPackageFile.damages(path) == [])
      let ogrinfo = try #require(Program.tool("ogrinfo"), "ogrinfo (gdal-bin) is not installed")
      for (table, words) in [
        (
          "sets",
          [
            "Feature Count: 2", "kind (String) = around", "filled (Integer64) = 7",
            "complete (Integer(Boolean)) = 0", "closingMetres (Real) = 0",
            "record (String) = \(SetFixture.record)", "POINT (16.6385 49.08",
          ]
        ),
        (
          "frames",
          [
            "Feature Count: 11", "angleDegrees (Real) = 45", "quality (Real) = 0.95",
            "latitudeDegrees (Real) = (null)",
          ]
        ),
      ] {
        let outcome = try await Program.run(ogrinfo, ["-ro", path, table])
        #expect(outcome.errors == "", "\(table)")
        for expected in words { #expect(outcome.output.contains(expected), "\(expected)") }
      }
      try ExportFilesFixture.write(ExportFixture.selection(), as: .gpkg, to: path + "2")
      let dump = try GeoPackageFile.dump(path + "2")
      #expect(!dump.contains("\"sets\"") && !dump.contains("\"frames\""))
    }
  }
}
