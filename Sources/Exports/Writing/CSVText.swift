/// The cells of a CSV file that is small enough to be made as text in memory.
package enum CSVText {
  /// Returns text as a cell of a CSV file (RFC 4180). Text that a spreadsheet would take for a
  /// formula gets an apostrophe before it: names and reasons can be written by anybody.
  package static func cell(_ text: String) -> String {
    let isFormula =
      text.unicodeScalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } ?? false
    let plain = isFormula ? "'" + text : text
    // The bytes are searched, not the characters: Swift sees a carriage return with a line feed as
    // one character that equals neither of the two.
    guard plain.utf8.contains(where: { [0x2C, 0x22, 0x0D, 0x0A].contains($0) }) else {
      return plain
    }
    return "\"" + plain.replacing("\"", with: "\"\"") + "\""
  }
}
