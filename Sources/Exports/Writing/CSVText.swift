/// Cells of a CSV file that is small enough to be made as text.
package enum CSVText {
  /// A cell of a CSV file (RFC 4180). What a spreadsheet would take for a formula begins with an
  /// apostrophe: names and reasons are anybody's words.
  package static func cell(_ text: String) -> String {
    let isFormula =
      text.unicodeScalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } ?? false
    let plain = isFormula ? "'" + text : text
    // Line feed and carriage return are signs of their own here, as one character they are another one.
    guard plain.utf8.contains(where: { [0x2C, 0x22, 0x0D, 0x0A].contains($0) }) else {
      return plain
    }
    return "\"" + plain.replacing("\"", with: "\"\"") + "\""
  }
}
