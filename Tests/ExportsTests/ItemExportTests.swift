import Foundation
import GeoPackage
import Inspection
import TestSupport
import Testing

@testable import Exports

@Suite("Items and answers in exports")
struct ItemExportTests {
  private func selection() throws -> ExportSelection {
    var selection = try ExportFixture.selection()
    let part = try #require(selection.tasks.first)
    selection.items[part.task.id] = try ItemFixture.exported(
      task: part.task.id, photos: [part.photos[0].id])
    return selection
  }

  /// Reads a CSV (RFC 4180).
  private static func table(_ text: String) -> [[String]] {
    var (rows, row, cell, isQuoted): ([[String]], [String], String, Bool) = ([], [], "", false)
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"" where isQuoted && rest.first == "\"":
        cell.append("\"")
        rest.removeFirst()
      case "\"": isQuoted.toggle()
      case "," where !isQuoted, "\n" where !isQuoted:
        row.append(cell)
        cell = ""
        guard scalar == "\n" else { break }
        rows.append(row)
        row = []
      case "\r" where !isQuoted: break
      default: cell.unicodeScalars.append(scalar)
      }
    }
    return rows
  }

  private func csv(
    _ rows: CSVDocument.Rows, _ selection: ExportSelection
  ) throws -> [[String: String]] {
    var options = ExportOptions()
    options.rows = rows
    let text = try ExportFilesFixture.text(selection, as: .csv, options: options)
    let table = Self.table(text)
    let head = try #require(table.first)
    return table.dropFirst().map { Dictionary(zip(head, $0)) { first, _ in first } }
  }

  @Test("a CSV of tasks has one row for each task and one column for each question and note")
  func columns() throws {
    let rows = try csv(.tasks, selection())
    #expect(rows.count == 1)
    let row = try #require(rows.first)
    for (field, value) in [
      "answer_crop": "maize", "answer_seen": "fallow maize", "answer_height": "1.25",
      "answer_wet": "true", "answer_why": "", "itemsAsked": "6", "itemsDone": "5",
      "itemsMissing": "roof", "itemsNotPossible": "door",
    ] { #expect(row[field] == value, "\(field)") }
    #expect(row["answer_roof"] == nil)
    #expect(row["answer_read"] == nil)
  }

  @Test("the further parcels and the sections of an order are land of their own in each format")
  func land() throws {
    var selection = try ExportFixture.selection()
    let rings = try #require(selection.tasks.first?.task.parcel?.rings)
    selection.tasks[0].task.places = try OrderedPlaces([
      OrderedPlace(.section, name: "Mokřad <b>", rings: rings),
      OrderedPlace(.parcel, name: "N-2", rings: rings),
    ])
    let rows = try csv(.parcels, selection)
    #expect(rows.map { $0["kind"] }.prefix(3) == ["parcel", "section", "parcel"])
    #expect(rows.map { $0["identifier"] }.dropFirst().prefix(2) == ["Mokřad <b>", "N-2"])
    #expect(rows[1]["wkt"] == rows[0]["wkt"])
    let kml = try ExportFilesFixture.text(selection, as: .kml)
    #expect(kml.contains("Section Mokřad &lt;b&gt;") && kml.contains("Parcel N-2"))
    let json = try ExportFilesFixture.text(selection, as: .geojson)
    #expect(json.contains("\"kind\":\"section\""))
  }

  @Test("without items, tables of tasks have the columns that they always had")
  func plain() throws {
    var options = ExportOptions()
    options.rows = .tasks
    let text = try ExportFilesFixture.text(ExportFixture.selection(), as: .csv, options: options)
    let head = TaskFields.table.fields.map(\.name).joined(separator: ",")
    #expect(text.hasPrefix(head + "\r\n"))
  }

  @Test("items and answers have a table each, with what counts and what does not")
  func tables() throws {
    let selection = try selection()
    let items = try csv(.items, selection)
    #expect(
      items.map { $0["item"] } == [
        "crop", "seen", "height", "wet", "why", "roof", "door", "read",
      ])
    #expect(
      items.map { $0["state"] } == [
        "done", "done", "done", "done", "notAsked", "open", "notPossible", "done",
      ])
    #expect(items[0]["answer"] == "Maize, \"silage\"")
    #expect(items[2]["answer"] == "1.25 m" && items[2]["required"] == "false")
    #expect(items[5]["photos"] == "1" && items[5]["returned"] == "blurred")
    #expect(items[6]["notPossible"] == "a dog <script>" && items[6]["photos"] == "0")
    #expect(items[0]["template"] == "crop" && items[0]["templateVersion"] == "3")
    let answers = try csv(.answers, selection)
    #expect(answers.map { $0["counts"] } == ["false"] + [String](repeating: "true", count: 5))
    #expect(answers.map { $0["value"] } == ["fallow", "maize", "fallow maize", "1.25", "true", ""])
    #expect(answers[3]["number"] == "1.25")
    #expect(answers[1]["photos"] == selection.tasks[0].photos[0].id.description)
    #expect(answers[5]["notPossible"] == "a dog <script>")
  }

  @Test("one name in two versions is one column; other capitals are another one")
  func names() throws {
    func order(_ version: Int, _ items: [OrderItem]) throws -> OrderedItems {
      OrderedItems(type: "crop", version: version, items: try OrderItems(items))
    }
    func item(_ name: String, _ form: Question.Form) throws -> OrderItem {
      OrderItem(name: try ItemFixture.name(name), wording: name, content: .question(.init(form)))
    }
    let columns = AnswerColumns([
      try order(1, [item("n", .number(.init())), item("same", .yesOrNo), item("crop", .text)]),
      try order(2, [item("n", .text), item("same", .yesOrNo), item("Crop", .number(.init()))]),
    ])
    let fields = columns.table().fields.suffix(4)
    #expect(fields.map(\.name) == ["answer_n", "answer_same", "answer_crop", "answer_Crop_"])
    #expect(fields.map(\.kind) == [.text, .flag, .text, .decimal])
    #expect(columns.table(atMost: 2).fields.last?.name == "answer_same")
    #expect(AnswerColumns([]).table().fields.map(\.name) == TaskFields.table.fields.map(\.name))
  }

  @Test("GeoJSON and KML have the answers as properties, each with its kind")
  func properties() throws {
    let selection = try selection()
    let json = try ExportFilesFixture.text(selection, as: .geojson)
    let parsed = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let features = try #require(parsed["features"] as? [[String: Any]])
    let task = try #require(
      features.compactMap { $0["properties"] as? [String: Any] }.first {
        $0["feature"] as? String == "task"
      })
    #expect(task["answer_crop"] as? String == "maize")
    #expect(task["answer_height"] as? Double == 1.25)
    #expect(task["answer_wet"] as? Bool == true)
    #expect(task["answer_why"] == nil)
    let kml = try ExportFilesFixture.text(selection, as: .kml)
    #expect(kml.contains("<SimpleField type=\"double\" name=\"answer_height\">"))
    #expect(kml.contains("<SimpleData name=\"answer_crop\">maize</SimpleData>"))
  }

  @Test("a GeoPackage has the tables item and answer, which GDAL reads; none without items")
  func geoPackage() async throws {
    try await withTemporaryDirectory { folder in
      let selection = try selection()
      let path = folder.appendingPathComponent("day.gpkg").path
      try ExportFilesFixture.write(selection, as: .gpkg, to: path)
      #expect(try GeoPackageFile.damages(path) == [])
      let ogrinfo = try #require(Program.tool("ogrinfo"), "ogrinfo (gdal-bin) is not installed")
      for (table, words) in [
        ("item", ["Feature Count: 8", "kind (String) = shot", "returned (String) = blurred"]),
        ("answer", ["Feature Count: 6", "number (Real) = 1.25", "counts (Integer(Boolean)) = 0"]),
        ("tasks", ["answer_seen (String) = fallow maize", "answer_height (Real) = 1.25"]),
      ] {
        let outcome = try await Program.run(ogrinfo, ["-ro", path, table])
        #expect(outcome.errors == "", "\(table)")
        for expected in words {
          #expect(outcome.output.contains(expected), "\(table): \(expected)")
        }
      }
      let plain = folder.appendingPathComponent("plain.gpkg").path
      try ExportFilesFixture.write(ExportFixture.selection(), as: .gpkg, to: plain)
      let dump = try GeoPackageFile.dump(plain)
      #expect(!dump.contains("\"item\"") && !dump.contains("\"answer\""))
    }
  }

  @Test("the PDF prints each item with what was given for it")
  func pdf() async throws {
    try await withTemporaryDirectory { folder in
      var dossier = try DossierFixture.dossier()
      dossier.items = try ItemFixture.exported(
        task: dossier.task.id, photos: [dossier.photos[1].photo.id])
      let reading = try PDFReading(dossier, in: folder)
      let words = try await reading.words()
      // A time has its column for itself, in one line.
      let lines = try await reading.layout().split(separator: "\n")
      #expect(!lines.contains { $0.trimmingCharacters(in: .whitespaces) == "C" })
      for expected in [
        "Which crop?", "Maize, \"silage\"", "How high? (optional)", "1.25 m", "not asked for",
        "not possible: a dog <script>", "returned: blurred", "Photos: 2",
      ] { #expect(words.contains(expected), "\(expected)") }
      #expect(!words.contains("Read this."))
    }
  }
}
