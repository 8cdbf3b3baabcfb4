import Inspection
import TimeAndText

// XLSForm is how users of Survey123, Kobo and ODK keep their questions: a sheet `survey` with a row
// for each question, a sheet `choices` with their choices, a sheet `settings`. Much of it cannot be
// asked here (sums, repeats, barcodes). A form with such a thing is refused as a whole, with a list of
// everything that is not understood. What makes no difference to what is asked (the look of a
// question, the words of an error) is left out, and listed as well.

/// The result of reading an XLSForm.
public struct XLSForm: Sendable {
  /// The items; nil if there is any fault.
  public var items: OrderItems?
  /// The form's title; nil if the form has none.
  public var title: String?
  /// The languages of the form's words, in the order of their columns; empty if it names none.
  public var languages: [String] = []
  /// Everything that is not understood, in the order of the file.
  public var faults: [TableFault] = []
  /// Everything that is left out because it makes no difference to what is asked.
  public var leftOut: [TableFault] = []

  /// Reads the questions of a workbook.
  /// - Parameter language: the language of the words, as the headings name it, such as `Czech (cs)`
  ///   or `cs`; nil for the form's default language, or else the first.
  public static func read(_ workbook: Workbook, language: String? = nil) -> XLSForm {
    var form = XLSForm()
    guard let survey = FormTable(workbook.sheet("survey")) else {
      form.faults.append(
        TableFault("the workbook has no sheet “survey” with a heading: it is no XLSForm"))
      return form
    }
    let settings = FormTable(workbook.sheet("settings"))
    form.title = settings?.rows.first.flatMap { settings?.cell("form_title", $0)?.text }
    form.languages = survey.languages("label")
    let choices = FormTable(workbook.sheet("choices"))
    guard let words = form.language(language, settings) else { return form }
    var reading = XLSFormReading(survey, choices, words)
    reading.read()
    form.faults += reading.faults
    form.leftOut += reading.leftOut
    for sheet in workbook.sheets
    where !["survey", "choices", "settings"].contains(sheet.name.lowercased())
      && !sheet.rows.isEmpty
    {
      form.leftOut.append(TableFault(in: sheet.name, "the sheet is no part of a form"))
    }
    if form.faults.isEmpty { form.take(reading.rows, in: survey.name) }
    return form
  }

  /// Returns the language of the words: nil within the optional for headings without a language;
  /// nil after a fault.
  private mutating func language(_ wanted: String?, _ settings: FormTable?) -> String?? {
    let byDefault = settings?.rows.first.flatMap { settings?.cell("default_language", $0)?.text }
    guard let name = wanted ?? byDefault, !languages.isEmpty || wanted != nil else {
      return .some(languages.first)
    }
    let found = languages.first { language in
      let (language, name) = (language.lowercased(), name.lowercased())
      return language == name || language.hasSuffix("(\(name))")
        || language.hasPrefix(name + " (")
    }
    if let found { return .some(found) }
    guard wanted != nil else { return .some(languages.first) }
    faults.append(
      TableFault(
        languages.isEmpty
          ? "the form names no language of its words"
          : "the form has no words in “\(name)”; its languages: \(languages.joined(separator: ", "))"
      ))
    return nil
  }

  private mutating func take(_ rows: [(number: Int, item: OrderItem)], in sheet: String) {
    guard !rows.isEmpty else {
      return faults.append(TableFault(in: sheet, "the form asks for nothing"))
    }
    do {
      items = try OrderItems(rows.map(\.item))
    } catch {
      let row = error.item.flatMap { name in rows.last { $0.item.name == name }?.number }
      faults.append(TableFault(in: sheet, row: row, error.wording))
    }
  }
}

/// A table with a heading, whose columns are found by their names.
struct FormTable {
  /// A cell with its place.
  struct Cell {
    let column: Int
    let heading: String
    let text: String
  }

  let name: String
  /// The headings as the file has them, by column.
  let headings: [Int: String]
  let rows: [Workbook.Row]
  private let columns: [String: Int]

  /// Returns nil for no table, and for one without a heading.
  init?(_ sheet: Workbook.Sheet?) {
    guard let sheet, let head = sheet.rows.first else { return nil }
    (name, rows) = (sheet.name, Array(sheet.rows.dropFirst()))
    headings = head.cells.mapValues(\.trimmingSpaces)
    var columns: [String: Int] = [:]
    for (column, heading) in headings.sorted(by: { $0.key < $1.key }) {
      let name = Self.canonical(heading)
      columns[name] = columns[name] ?? column
    }
    self.columns = columns
  }

  /// Returns the name of a heading: in small letters, with one sign before a language, and by
  /// XLSForm's newer names.
  static func canonical(_ heading: String) -> String {
    var parts = heading.split(separator: ":").map(\.trimmingSpaces).filter { !$0.isEmpty }
    guard !parts.isEmpty else { return "" }
    parts[0] = parts[0].lowercased()
    let aliases = [
      "relevance": "relevant", "list name": "list_name", "read only": "read_only",
      "readonly": "read_only", "default language": "default_language", "form title": "form_title",
      "title": "form_title",
    ]
    parts[0] = aliases[parts[0]] ?? parts[0]
    return parts.joined(separator: "::")
  }

  /// Returns a text without spaces around it, and with one for several of them, as other readers
  /// of XLSForm do.
  private static func tidied(_ text: String) -> String {
    text.trimmingSpaces.replacing(#/ {2,}/#, with: " ")
  }

  /// Returns a cell by its column's name; nil if it is empty.
  func cell(_ name: String, _ row: Workbook.Row) -> Cell? {
    guard let column = columns[name], let text = row.cells[column].map(Self.tidied), !text.isEmpty
    else { return nil }
    return Cell(column: column, heading: headings[column] ?? "", text: text)
  }

  /// Returns the languages of a column, in their order.
  func languages(_ name: String) -> [String] {
    headings.sorted { $0.key < $1.key }.compactMap { _, heading in
      let heading = Self.canonical(heading)
      return heading.hasPrefix(name + "::") ? String(heading.dropFirst(name.count + 2)) : nil
    }
  }

  /// Returns words in a language, or those of the column without one.
  func words(_ name: String, _ language: String?, _ row: Workbook.Row) -> Cell? {
    language.flatMap { cell("\(name)::\($0)", row) } ?? cell(name, row)
  }
}
