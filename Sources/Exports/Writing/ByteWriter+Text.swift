// All text that comes from outside is escaped here and nowhere else.

extension ByteWriter {
  /// Writes text as XML 1.0. XML cannot express most control characters, nor U+FFFE and U+FFFF:
  /// they are left out.
  /// - Parameter isAttribute: true if the text is an attribute's value: line feeds and tabs are
  ///   then written as references, since a reader would otherwise turn them into blanks.
  public func xml(_ text: String, isAttribute: Bool = false) throws {
    try escaping(text) { bytes, index in
      switch bytes[index] {
      case UInt8(ascii: "&"): "&amp;"
      case UInt8(ascii: "<"): "&lt;"
      case UInt8(ascii: ">"): "&gt;"
      case UInt8(ascii: "\""): "&quot;"
      case 0x09: isAttribute ? "&#9;" : nil
      case 0x0A: isAttribute ? "&#10;" : nil
      case 0..<0x20, 0x7F: ""
      // U+FFFE and U+FFFF, which are no characters: all three bytes are left out.
      case 0xEF where Self.isNoCharacter(bytes, index): ""
      case 0xBF where index > 0 && bytes[index - 1] == 0xEF && Self.isNoCharacter(bytes, index - 1):
        ""
      case 0xBE...0xBF where index > 1 && Self.isNoCharacter(bytes, index - 2): ""
      default: nil
      }
    }
  }

  private static func isNoCharacter(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    index + 2 < bytes.count && bytes[index] == 0xEF && bytes[index + 1] == 0xBF
      && bytes[index + 2] >= 0xBE
  }

  /// Writes text as HTML inside XML: the text is escaped twice, since it is read as both.
  func htmlInXML(_ text: String) throws {
    try escaping(text) { bytes, index in
      switch bytes[index] {
      case UInt8(ascii: "&"): "&amp;amp;"
      case UInt8(ascii: "<"): "&amp;lt;"
      case UInt8(ascii: ">"): "&amp;gt;"
      case UInt8(ascii: "\""): "&amp;quot;"
      case 0x0A: "&lt;br/&gt;"
      case 0..<0x20, 0x7F: " "
      case 0xEF where Self.isNoCharacter(bytes, index): ""
      case 0xBF where index > 0 && bytes[index - 1] == 0xEF && Self.isNoCharacter(bytes, index - 1):
        ""
      case 0xBE...0xBF where index > 1 && Self.isNoCharacter(bytes, index - 2): ""
      default: nil
      }
    }
  }

  /// Writes text as a JSON string, with its quotation marks. Nothing is left out.
  public func json(_ text: String) throws {
    try byte(UInt8(ascii: "\""))
    try escaping(text) { bytes, index in
      switch bytes[index] {
      case UInt8(ascii: "\""): "\\\""
      case UInt8(ascii: "\\"): "\\\\"
      case 0x0A: "\\n"
      case 0x0D: "\\r"
      case 0x09: "\\t"
      case 0..<0x20: Self.controls[Int(bytes[index])]
      default: nil
      }
    }
    try byte(UInt8(ascii: "\""))
  }

  private static let controls: [StaticString] = [
    "\\u0000", "\\u0001", "\\u0002", "\\u0003", "\\u0004", "\\u0005", "\\u0006", "\\u0007",
    "\\u0008", "\\u0009", "\\u000a", "\\u000b", "\\u000c", "\\u000d", "\\u000e", "\\u000f",
    "\\u0010", "\\u0011", "\\u0012", "\\u0013", "\\u0014", "\\u0015", "\\u0016", "\\u0017",
    "\\u0018", "\\u0019", "\\u001a", "\\u001b", "\\u001c", "\\u001d", "\\u001e", "\\u001f",
  ]

  /// Writes text as a CSV field (RFC 4180), in quotation marks if it needs them. Control characters
  /// are left out, except tabs and line ends. Text that a spreadsheet would take for a formula gets
  /// an apostrophe before it: the text is the inspector's, and the spreadsheet runs at the
  /// officer's. The first character that is really written decides, and a tab or a line end counts
  /// as the start of a formula, since some spreadsheets skip it before they look.
  public func csv(_ text: String) throws {
    let first = text.utf8.first { !Self.isLeftOutOfCSV($0) } ?? 0
    let isFormula = [0x3D, 0x2B, 0x2D, 0x40, 0x09, 0x0A, 0x0D].contains(first)
    let isQuoted = text.utf8.contains {
      $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D
        || $0 == 0x20 || $0 == 0x09
    }
    if isQuoted { try byte(UInt8(ascii: "\"")) }
    if isFormula { try byte(UInt8(ascii: "'")) }
    try escaping(text) { bytes, index in
      switch bytes[index] {
      case UInt8(ascii: "\""): "\"\""
      case let byte where Self.isLeftOutOfCSV(byte): ""
      default: nil
      }
    }
    if isQuoted { try byte(UInt8(ascii: "\"")) }
  }

  private static func isLeftOutOfCSV(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20, 0x7F: true
    default: false
    }
  }

  /// Copies text, with some of its bytes replaced.
  /// - Parameter replacement: returns what is written instead of a byte; nil to copy the byte.
  @inline(__always)
  private func escaping(
    _ text: String, _ replacement: (UnsafeBufferPointer<UInt8>, Int) -> StaticString?
  ) throws {
    var text = text
    try text.withUTF8 { bytes in
      var from = 0
      for index in bytes.indices {
        guard let other = replacement(bytes, index) else { continue }
        try copy(UnsafeBufferPointer(rebasing: bytes[from..<index]))
        try words(other)
        from = index + 1
      }
      try copy(UnsafeBufferPointer(rebasing: bytes[from...]))
    }
  }
}
