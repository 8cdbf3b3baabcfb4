import Evidence
import FormTables
import Foundation
import Inspection
import Positioning
import Sync
import TestSupport
import Testing
import TimeAndText

@Suite("Workbooks and XLSForm", .timeLimit(.minutes(2)))
struct XLSFormTests {
  private func form(_ survey: [[String?]], _ choices: [[String?]] = []) -> XLSForm {
    func sheet(_ name: String, _ rows: [[String?]]) -> Workbook.Sheet {
      Workbook.Sheet(
        name: name,
        rows: rows.enumerated().compactMap { number, cells in
          let cells = cells.enumerated().compactMap { column, text in text.map { (column, $0) } }
          return cells.isEmpty
            ? nil : Workbook.Row(number: number + 1, cells: Dictionary(uniqueKeysWithValues: cells))
        })
    }
    return XLSForm.read(Workbook(sheets: [sheet("survey", survey), sheet("choices", choices)]))
  }

  @Test(
    "twenty forms of another maker come to the same items as in pyxform",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func pyxform() async throws {
    try await withTemporaryDirectory { folder in
      let outcome = try await PythonTools.run("Forms/xlsforms.py", [folder.path, "20"])
      try #require(outcome.status == 0, "\(outcome.errors)")
      var items = 0
      for number in 1...20 {
        let path = folder.appendingPathComponent("\(number)").path
        let form = XLSForm.read(try XLSXReader.workbook(path: path + ".xlsx"))
        let read = try #require(form.items, "\(number): \(form.faults.map(\.wording))")
        let expected = try ItemsJSON.items(
          try JSONValue(parsing: Array(try Data(contentsOf: URL(filePath: path + ".json")))))
        #expect(read == expected, "form \(number)")
        #expect(form.title == "A form")
        items += read.items.count
      }
      #expect(items > 2000)
    }
  }

  @Test(
    "damaged and hostile workbooks are refused in words, within limits",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func hostile() async throws {
    let expected = [
      "formula": "sheet survey, row 3 (B3): the cell has a formula: put its value in its place",
      "old":
        "the file is an old workbook (XLS), or has a password: save it as XLSX without a password",
      "cut": "the workbook is damaged, or is none: ",
      "bomb":
        "the workbook is damaged, or is none: xl/media/bomb.xml has 314572800 bytes; at most 67108864 are read",
      "big": "the workbook is damaged, or is none: xl/worksheets/sheet1.xml has 681",
      "laughs":
        "sheet survey: the part xl/worksheets/sheet1.xml of the workbook declares a document type",
      "malformed": "sheet survey: the part xl/worksheets/sheet1.xml of the workbook is no XML from",
      "deep":
        "sheet survey: the part xl/worksheets/sheet1.xml of the workbook is nested too deeply",
      "shared": "sheet Survey, row 2 (B2): the cell refers to a text that is not there",
      "backwards": "sheet survey, row 1: the row after it has no number above it",
      "far": "sheet survey, row 1: the cell after it has no name above its own",
      "error": "sheet Survey, row 2 (A2): the cell has an error, #REF!",
      "lost": "sheet survey: the workbook is damaged: it has no xl/worksheets/sheet1.xml",
      "unnamed": "the workbook is damaged: it has no xl/workbook.xml",
      "long": "a cell has more than 32767 characters",
      "many": "sheet survey, row 66667 (C66667): the workbook has more than 200000 cells",
    ]
    try await withTemporaryDirectory { folder in
      let outcome = try await PythonTools.run("Forms/hostile.py", [folder.path])
      try #require(outcome.status == 0, "\(outcome.errors)")
      var refused: Set<String> = []
      for (name, words) in expected {
        do {
          _ = try XLSXReader.workbook(
            path: folder.appendingPathComponent("\(name).xlsx").path)
          Issue.record("\(name) was read")
        } catch let error as TableFault {
          refused.insert(name)
          #expect(error.wording.description.hasPrefix(words), "\(name): \(error.wording)")
        }
      }
      #expect(refused == Set(expected.keys))
      let good = try XLSXReader.workbook(path: folder.appendingPathComponent("good.xlsx").path)
      #expect(
        good.sheet("survey")?.rows == [
          Workbook.Row(number: 1, cells: [0: "type", 1: "name", 2: "label", 3: "required"]),
          Workbook.Row(number: 2, cells: [0: "text", 1: "q1", 2: "Which crop?", 3: "TRUE"]),
          Workbook.Row(number: 9, cells: [0: "text", 1: "q2", 2: "12"]),
        ])
    }
  }

  @Test(
    "a workbook that is cut anywhere, or has any byte changed, is read or refused",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func damaged() async throws {
    try await withTemporaryDirectory { folder in
      _ = try await PythonTools.run("Forms/hostile.py", [folder.path])
      let whole = try Data(contentsOf: folder.appendingPathComponent("good.xlsx"))
      let path = folder.appendingPathComponent("damaged.xlsx")
      var chance = SeededGenerator(seed: 31)
      var refused = 0
      for round in 0..<400 {
        var bytes = whole
        if round % 2 == 0 {
          bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &chance))
        } else {
          for _ in 0..<Int.random(in: 1...4, using: &chance) {
            bytes[Int.random(in: 0..<bytes.count, using: &chance)] = UInt8.random(
              in: 0...255, using: &chance)
          }
        }
        try bytes.write(to: path)
        do {
          _ = XLSForm.read(try XLSXReader.workbook(path: path.path))
        } catch { refused += 1 }
      }
      #expect(refused > 200)
    }
  }

  @Test("everything that is not understood is listed by row and column, and nothing is taken")
  func faults() {
    let form = form(
      [
        [
          "type", "name", "label", "relevant", "constraint", "calculation", "required",
          "appearance",
        ],
        ["select_one crop", "crop", "Crop"],
        ["calculate", "sum", "Sum", nil, nil, "1 + 1"],
        ["text", "1st", "First"], ["text", "q", nil], ["barcode", "b", "Code"],
        ["integer", "n", "Number", "${later} > 1", ". > pi()"], ["integer", "later", "Later"],
        ["text", "r", "Words", nil, nil, nil, "maybe", "minimal"],
        ["begin_repeat", "rep", "Again"],
        ["select_multiple nolist", "m", "Many"], ["select_one crop or_other", "o", "Other"],
        ["text", "piped", "You said ${crop}"], [nil, "nothing", "Without a type"], ["end_group"],
        ["text", "c", "Words", nil, ". != ''"],
      ],
      [
        ["list_name", "name", "label"], ["crop", "maize", "Maize"], ["crop", "maize", "Again"],
        ["crop", "a b", "Two words"], [nil, "x", "No list"], ["crop", "rye", nil],
      ])
    #expect(form.items == nil)
    let words = form.faults.map { $0.wording.description }
    let starts = [
      "sheet choices, row 3, column name (B3): the list has two choices of this name",
      "sheet choices, row 4, column name (B4): “a b” is no name of a choice",
      "sheet choices, row 5: the choice belongs to no list",
      "sheet choices, row 6: the choice has no label",
      "sheet survey, row 3, column calculation (F3): the column is not understood",
      "sheet survey, row 3, column type (A3): “calculate” is not understood",
      "sheet survey, row 4, column name (B4): “1st” is no name",
      "sheet survey, row 5: the row has no label",
      "sheet survey, row 6, column type (A6): “barcode” is not understood",
      "sheet survey, row 7, column constraint (E7): “.>pi” is not understood",
      "sheet survey, row 7, column relevant (D7): ${later} is no question above this row",
      "sheet survey, row 9, column required (G9): only yes and no are understood",
      "sheet survey, row 10, column type (A10): “begin_repeat” is not understood",
      "sheet survey, row 11, column type (A11): the sheet choices has no list “nolist”",
      "sheet survey, row 12, column type (A12): “or_other” is not understood here",
      "sheet survey, row 13, column label (C13): words with an answer in them",
      "sheet survey, row 14: the row has no type",
      "sheet survey, row 15, column type (A15): no group begins above this row",
      "sheet survey, row 16, column constraint (E16): a constraint is understood for a number only",
    ]
    #expect(words.count == starts.count, "\(words)")
    for (line, start) in zip(words, starts) { #expect(line.hasPrefix(start), "\(line)") }
    #expect(
      form.leftOut.map { $0.wording.description } == [
        "sheet survey, row 9, column appearance (H9): it makes no difference to what is asked"
      ])
  }

  @Test("the conditions of groups count for every row in them")
  func groups() throws {
    let form = form([
      ["type", "name", "label", "relevant"], ["integer", "a", "A"], ["integer", "b", "B"],
      ["begin_group", "outer", "Outer", "${a} > 1"], ["begin group", "inner", nil, "${b} > 2"],
      ["text", "deep", "Deep", "${a} > 3"], ["end_group"], ["text", "shallow", "Shallow"],
      ["end group"], ["note", "free", "Free"],
    ])
    func condition(_ name: String) throws -> ItemCondition? {
      let name = try #require(ItemName(name))
      return try #require(form.items?[name]).condition
    }
    func more(_ name: String, _ number: Double) throws -> ItemCondition {
      .more(try #require(ItemName(name)), than: .number(number))
    }
    #expect(try condition("outer") == more("a", 1))
    #expect(try condition("deep") == .all([more("a", 1), more("b", 2), more("a", 3)]))
    #expect(try condition("shallow") == more("a", 1))
    #expect(try condition("free") == nil)
    #expect(
      form.items?.items.map(\.name.description) == ["a", "b", "outer", "deep", "shallow", "free"])
  }

  @Test("the words are those of the language that is asked for, or of the form's default")
  func languages() throws {
    func read(_ language: String?, byDefault: String? = nil) -> XLSForm {
      let survey = Workbook.Sheet(
        name: "survey",
        rows: [
          Workbook.Row(
            number: 1,
            cells: [0: "type", 1: "name", 2: "label::English (en)", 3: "label::Čeština (cs)"]),
          Workbook.Row(number: 2, cells: [0: "text", 1: "q", 2: "Crop", 3: "Plodina"]),
        ])
      let settings = Workbook.Sheet(
        name: "settings",
        rows: [
          Workbook.Row(number: 1, cells: [0: "default_language"]),
          Workbook.Row(number: 2, cells: byDefault.map { [0: $0] } ?? [:]),
        ])
      return XLSForm.read(Workbook(sheets: [survey, settings]), language: language)
    }
    func wording(_ form: XLSForm) -> String? { form.items?.items.first?.wording }
    #expect(wording(read(nil)) == "Crop")
    #expect(wording(read(nil, byDefault: "Čeština (cs)")) == "Plodina")
    for language in ["cs", "CS", "Čeština (cs)", "čeština"] {
      #expect(wording(read(language)) == "Plodina")
    }
    #expect(read("de").items == nil)
    #expect(
      read("de").faults.first?.wording.description
        == "the form has no words in “de”; its languages: English (en), Čeština (cs)")
  }

  @Test("a form of ten thousand rows, and an empty one, are refused in one line")
  func size() {
    let rows = (1...10_000).map { ["text", "q\($0)", "Words"] as [String?] }
    let large = form([["type", "name", "label"]] + rows)
    #expect(
      large.faults.map { $0.wording.description }
        == ["sheet survey: an order has at most 500 items, not 10000"])
    #expect(
      form([["type", "name", "label"]]).faults.map { $0.wording.description }
        == ["sheet survey: the form asks for nothing"])
    #expect(
      form([]).faults.map { $0.wording.description }
        == ["the workbook has no sheet “survey” with a heading: it is no XLSForm"])
  }
}
