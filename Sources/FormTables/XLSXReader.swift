import Evidence
import Foundation
import TimeAndText
import XMLReading

// A workbook is a ZIP archive of XML (ECMA-376). It comes from strangers: the archive's table of
// contents is checked before a byte is unpacked, entities are not expanded, and the number of cells
// and of letters is limited. Formulas are refused: their last result stands in the file, and nothing
// says that it still holds.

/// Reads the tables of a workbook (XLSX).
public struct XLSXReader {
  /// The limits up to which a workbook is read.
  public struct Limits: Hashable, Sendable {
    /// The most bytes of the file.
    public var fileBytes = 20 << 20
    /// The most parts of its archive.
    public var parts = 2000
    /// The most bytes of one part, unpacked.
    public var partBytes = 64 << 20
    /// The most cells that hold something, in all tables.
    public var cells = 200_000
    /// The largest row number.
    public var rows = 1_048_576
    /// The most columns of a table.
    public var columns = 16_384
    /// The most characters of a cell, as in other programs.
    public var characters = 32_767

    /// Creates the ordinary limits.
    public init() {}
  }

  private let limits: Limits
  private let archive: EvidenceArchive

  /// Returns true if a file is a workbook, or one of the older or encrypted ones, which are refused in
  /// words of their own.
  public static func isWorkbook(path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path), let head = try? file.read(upToCount: 4)
    else { return false }
    return head.starts(with: [0x50, 0x4B]) || head.starts(with: [0xD0, 0xCF, 0x11, 0xE0])
  }

  /// Reads a workbook from a file.
  /// - Throws: `TableFault` with the first fault.
  public static func workbook(
    path: String, limits: Limits = Limits()
  ) throws(TableFault) -> Workbook {
    try XLSXReader(path: path, limits: limits).workbook()
  }

  private init(path: String, limits: Limits) throws(TableFault) {
    self.limits = limits
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw TableFault("the file is not there, or cannot be read")
    }
    defer { try? file.close() }
    guard let head = try? file.read(upToCount: 8), let size = try? file.seekToEnd() else {
      throw TableFault("the file cannot be read")
    }
    // The mark of Microsoft's older files, in which encrypted workbooks are, too.
    guard !head.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) else {
      throw TableFault(
        "the file is an old workbook (XLS), or has a password: save it as XLSX without a password")
    }
    guard head.starts(with: [0x50, 0x4B]) else {
      throw TableFault("the file is no workbook: save the table as XLSX")
    }
    guard size <= limits.fileBytes else {
      throw TableFault("the file has \(Int(size)) bytes; at most \(limits.fileBytes) are read")
    }
    do {
      archive = try EvidenceArchive(
        path: path, entriesAtMost: limits.parts, entryBytesAtMost: limits.partBytes)
    } catch {
      throw TableFault("the workbook is damaged, or is none: \(Self.words(error))")
    }
  }

  private static func words(_ error: EvidenceError) -> String {
    if case .malformedBundle(let words) = error { words } else { "\(error)" }
  }

  private func workbook() throws(TableFault) -> Workbook {
    let places = try sheets()
    guard !places.isEmpty else { throw TableFault("the workbook has no table") }
    var strings: [String] = []
    if archive.paths.contains("xl/sharedStrings.xml") { strings = try sharedStrings() }
    var left = limits.cells
    var sheets: [Workbook.Sheet] = []
    for (name, path) in places {
      let rows = try rows(ofSheet: name, path, strings, cellsAtMost: left)
      left -= rows.reduce(0) { $0 + $1.cells.count }
      sheets.append(Workbook.Sheet(name: name, rows: rows))
    }
    return Workbook(sheets: sheets)
  }

  /// Reads a part of the archive as events.
  private func read(
    _ path: String, of sheet: String? = nil, _ body: (XMLEvents.Event) throws -> Void
  ) throws(TableFault) {
    do {
      try XMLEvents.read(try archive.bytes(of: path), body)
    } catch let fault as TableFault {
      throw fault
    } catch let error as EvidenceError {
      throw TableFault(in: sheet, "the workbook is damaged: \(Self.words(error))")
    } catch XMLEvents.Failure.documentType {
      throw TableFault(in: sheet, "the part \(path) of the workbook declares a document type")
    } catch XMLEvents.Failure.tooDeep {
      throw TableFault(in: sheet, "the part \(path) of the workbook is nested too deeply")
    } catch XMLEvents.Failure.malformed(let line) {
      throw TableFault(in: sheet, "the part \(path) of the workbook is no XML from line \(line) on")
    } catch {
      throw TableFault(in: sheet, "the part \(path) of the workbook cannot be read")
    }
  }

  /// Returns the names of the tables and the paths of their parts.
  private func sheets() throws(TableFault) -> [(name: String, path: String)] {
    var targets: [String: String] = [:]
    try read("xl/_rels/workbook.xml.rels") { event in
      guard case .begins("Relationship", let attributes) = event,
        let id = attributes["Id"], let target = attributes["Target"]
      else { return }
      targets[id] = target.hasPrefix("/") ? String(target.dropFirst()) : "xl/" + target
    }
    var sheets: [(name: String, path: String)] = []
    try read("xl/workbook.xml") { event in
      guard case .begins("sheet", let attributes) = event, let name = attributes["name"] else {
        return
      }
      // The prefix of the relationships' namespace is the writer's choice.
      let id = attributes.first { $0.key.hasSuffix(":id") }?.value
      guard let path = id.flatMap({ targets[$0] }) else {
        throw TableFault(in: name, "the workbook does not say where it is")
      }
      sheets.append((name, path))
    }
    return sheets
  }

  /// Reads the texts to which cells refer by number.
  private func sharedStrings() throws(TableFault) -> [String] {
    var strings: [String] = []
    var text = RichText(charactersAtMost: limits.characters)
    try read("xl/sharedStrings.xml") { event in
      switch event {
      case .begins("si", _): text.clear()
      case .ends("si"):
        guard strings.count < limits.cells else {
          throw TableFault("the workbook has more than \(limits.cells) texts")
        }
        strings.append(text.text)
      default: try text.take(event)
      }
    }
    return strings
  }

  private func rows(
    ofSheet name: String, _ path: String, _ strings: [String], cellsAtMost: Int
  ) throws(TableFault) -> [Workbook.Row] {
    var reading = SheetReading(name, limits, strings, cellsAtMost: cellsAtMost)
    try read(path, of: name) { try reading.take($0) }
    return reading.rows
  }
}

/// The words of a text with runs, without how they are to be read aloud.
private struct RichText {
  private(set) var text = ""
  private var (isText, aloud) = (false, 0)
  private let charactersAtMost: Int

  init(charactersAtMost: Int) { self.charactersAtMost = charactersAtMost }

  mutating func clear() { text = "" }

  mutating func take(_ event: XMLEvents.Event) throws {
    switch event {
    case .begins("t", _): isText = aloud == 0
    case .ends("t"): isText = false
    case .begins("rPh", _): aloud += 1
    case .ends("rPh"): aloud -= 1
    case .text(let piece) where isText:
      text += piece
      guard text.utf8.count <= 4 * charactersAtMost else {
        throw TableFault("a cell has more than \(charactersAtMost) characters")
      }
    default: break
    }
  }
}

/// Reads the cells of one table.
private struct SheetReading {
  private(set) var rows: [Workbook.Row] = []
  private let (name, limits, strings): (String, XLSXReader.Limits, [String])
  private var left: Int
  private var row = Workbook.Row(number: 0, cells: [:])
  private var (column, kind, value) = (-1, "n", "")
  private var isValue = false
  private var inline: RichText

  init(
    _ name: String, _ limits: XLSXReader.Limits, _ strings: [String], cellsAtMost: Int
  ) {
    (self.name, self.limits, self.strings, left) = (name, limits, strings, cellsAtMost)
    inline = RichText(charactersAtMost: limits.characters)
  }

  private func wrong(_ words: Wording) -> TableFault {
    TableFault(
      in: name, row: row.number, cell: column >= 0 ? (max(column, 0), "") : nil, words)
  }

  mutating func take(_ event: XMLEvents.Event) throws {
    switch event {
    case .begins("row", let attributes): try begin(row: attributes)
    case .ends("row"): if !row.cells.isEmpty { rows.append(row) }
    case .begins("c", let attributes): try begin(cell: attributes)
    case .ends("c"): try endCell()
    case .begins("v", _): isValue = true
    case .ends("v"): isValue = false
    case .begins("f", _):
      throw wrong("the cell has a formula: put its value in its place")
    case .text(let piece) where isValue:
      value += piece
      guard value.utf8.count <= 4 * limits.characters else {
        throw wrong("the cell has more than \(limits.characters) characters")
      }
    default: try inline.take(event)
    }
  }

  private mutating func begin(row attributes: [String: String]) throws {
    // A row without a number follows the one before it.
    let number = attributes["r"].map { Int($0) ?? 0 } ?? row.number + 1
    column = -1
    guard number > row.number, number <= limits.rows else {
      throw wrong("the row after it has no number above it")
    }
    row = Workbook.Row(number: number, cells: [:])
  }

  private mutating func begin(cell attributes: [String: String]) throws {
    let next = attributes["r"].map { Workbook.column(ofCell: $0) ?? -1 } ?? column + 1
    guard next > column, next < limits.columns else {
      throw wrong("the cell after it has no name above its own")
    }
    column = next
    kind = attributes["t"] ?? "n"
    value = ""
    inline.clear()
  }

  private mutating func endCell() throws {
    let text: String
    switch kind {
    case "s":
      guard let number = Int(value), strings.indices.contains(number) else {
        throw wrong("the cell refers to a text that is not there")
      }
      text = strings[number]
    case "inlineStr": text = inline.text
    case "b": text = value == "1" ? "TRUE" : "FALSE"
    case "e": throw wrong("the cell has an error, \(value.prefix(20).description)")
    case "n", "": text = Self.number(value)
    default: text = value
    }
    guard !text.allSatisfy(\.isWhitespace) else { return }
    left -= 1
    guard left >= 0 else {
      throw wrong("the workbook has more than \(limits.cells) cells")
    }
    row.cells[column] = text
  }

  /// Returns a number as people write it: 1 for 1.0.
  private static func number(_ text: String) -> String {
    guard let value = Double(text), value == value.rounded(), abs(value) < 1e15 else { return text }
    return "\(Int(value))"
  }
}
