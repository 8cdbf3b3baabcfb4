// Words, names, texts, numbers and comments: the parts of statements.
extension DumpReader {
  func cutOff(_ what: String) -> DumpFault {
    fault("it ends within \(what): it was cut off. Make the dump again, or copy it again")
  }

  /// Returns a dump's words as a message may repeat them: short, and without characters that move a
  /// terminal's cursor.
  func shown(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(60).map { scalar -> Character in
      scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
        || (0x2028...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        ? "\u{FFFD}" : Character(scalar)
    }
    return String(scalars) + (text.unicodeScalars.count > 60 ? "…" : "")
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
  }

  /// Reads the letters and digits that come next; empty if there are none.
  private func letters() throws -> String {
    var word: [UInt8] = []
    while let byte = try bytes.peek(), Self.isWord(byte) {
      guard word.count < limits.nameBytes else {
        throw fault("a name has more than \(limits.nameBytes) bytes")
      }
      word.append(byte)
      try bytes.skip(1)
    }
    return String(decoding: word, as: UTF8.self)
  }

  /// Reads a word of the language, in capitals.
  func word() throws -> String { try letters().uppercased() }

  /// Reads a word as it is, or a text between quotation marks.
  func wordOrText() throws -> String {
    if let byte = try bytes.peek(), byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
      guard case .bytes(let text) = try text(bytesAtMost: limits.nameBytes) else {
        throw fault("a name has more than \(limits.nameBytes) bytes")
      }
      return String(decoding: text, as: UTF8.self)
    }
    return try letters()
  }

  /// Reads the name of a database, a table or a column, quoted or not.
  func name() throws -> String {
    guard let quote = try bytes.peek() else { throw cutOff("a name") }
    guard quote == UInt8(ascii: "`") || quote == UInt8(ascii: "\"") else {
      let name = try letters()
      guard !name.isEmpty else { throw fault("a name is missing") }
      return name
    }
    try bytes.skip(1)
    var name: [UInt8] = []
    while let byte = try bytes.take() {
      if byte == quote {
        guard try bytes.peek() == quote else { return String(decoding: name, as: UTF8.self) }
        try bytes.skip(1)
      }
      guard name.count < limits.nameBytes else {
        throw fault("a name has more than \(limits.nameBytes) bytes")
      }
      name.append(byte)
    }
    throw cutOff("a name")
  }

  /// Reads the rest of a line, of which no more than 512 bytes are kept.
  func restOfLine() throws -> String {
    var line: [UInt8] = []
    while let byte = try bytes.take(), byte != 0x0A {
      if line.count < 512, byte != 0x0D { line.append(byte) }
    }
    return String(decoding: line, as: UTF8.self)
  }

  // MARK: values

  /// Reads a value. Nothing is kept of a value that is longer than the limit.
  func value(bytesAtMost limit: Int) throws -> DumpValue {
    guard let first = try bytes.peek() else { throw cutOff("a row") }
    switch first {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return try text(bytesAtMost: limit)
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."):
      return try number(bytesAtMost: limit)
    case UInt8(ascii: "_"):
      // A word before a text names the text's character set; it is skipped, because bytes are bytes
      // here.
      _ = try letters()
      try readOverBlanks()
      return try value(bytesAtMost: limit, ofIntroducer: true)
    default:
      let quote = try bytes.peek(1)
      if quote == UInt8(ascii: "'") {
        if first | 0x20 == UInt8(ascii: "x") { return try hexadecimalText(bytesAtMost: limit) }
        if first | 0x20 == UInt8(ascii: "b") { return try bits() }
        if first | 0x20 == UInt8(ascii: "n") {
          try bytes.skip(1)
          return try text(bytesAtMost: limit)
        }
      }
      switch try word() {
      case "NULL": return .null
      case "TRUE": return .bytes([UInt8(ascii: "1")])
      case "FALSE": return .bytes([UInt8(ascii: "0")])
      case let word:
        guard try bytes.peek() != nil else { throw cutOff("a row") }
        throw fault(
          "\"\(shown(word))\" is no value: dumps of mysqldump and mariadb-dump have no expressions")
      }
    }
  }

  private func value(bytesAtMost limit: Int, ofIntroducer: Bool) throws -> DumpValue {
    guard let first = try bytes.peek() else { throw cutOff("a row") }
    let isText = first == UInt8(ascii: "'") || first == UInt8(ascii: "\"")
    let isNumber = first == UInt8(ascii: "0") || first | 0x20 == UInt8(ascii: "x")
    guard isText || isNumber else { throw fault("a character set is followed by no text") }
    return try value(bytesAtMost: limit)
  }

  /// The bytes of a value up to a limit, and the number of all its bytes. Nothing is kept of a
  /// longer value.
  private struct Kept {
    let limit: Int
    var bytes: [UInt8] = []
    var count = 0

    init(_ limit: Int) { self.limit = max(0, limit) }

    mutating func append(_ byte: UInt8) {
      count += 1
      if count <= limit { bytes.append(byte) } else { bytes = [] }
    }

    mutating func append(_ piece: UnsafeRawBufferPointer) {
      count += piece.count
      if count <= limit { bytes.append(contentsOf: piece) } else { bytes = [] }
    }

    var value: DumpValue { count <= limit ? .bytes(bytes) : .tooLong(count) }
  }

  /// Reads a text between quotation marks, with its escapes.
  func text(bytesAtMost limit: Int) throws -> DumpValue {
    let line = bytes.line
    guard let quote = try bytes.take() else { throw cutOff("a text") }
    var kept = Kept(limit)
    let backslash = UInt8(ascii: "\\")
    while try bytes.run(upTo: (quote, backslash, quote, backslash), { kept.append($0) }) {
      if try bytes.take() == quote {
        // A doubled quotation mark is one mark of the text.
        guard try bytes.peek() == quote else { return kept.value }
        try bytes.skip(1)
        kept.append(quote)
        continue
      }
      guard let escaped = try bytes.take() else { break }
      switch escaped {
      case UInt8(ascii: "0"): kept.append(0x00)
      case UInt8(ascii: "b"): kept.append(0x08)
      case UInt8(ascii: "n"): kept.append(0x0A)
      case UInt8(ascii: "r"): kept.append(0x0D)
      case UInt8(ascii: "t"): kept.append(0x09)
      case UInt8(ascii: "Z"): kept.append(0x1A)
      case UInt8(ascii: "%"), UInt8(ascii: "_"):
        // MySQL keeps the backslash before these two.
        kept.append(backslash)
        kept.append(escaped)
      default: kept.append(escaped)
      }
    }
    throw cutOff("a text that begins in line \(line)")
  }

  /// Reads a number digit by digit; `0x…` is bytes.
  private func number(bytesAtMost limit: Int) throws -> DumpValue {
    if try bytes.peek() == UInt8(ascii: "0"), try bytes.peek(1) == UInt8(ascii: "x") {
      try bytes.skip(2)
      return try hexadecimal(bytesAtMost: limit)
    }
    var digits: [UInt8] = []
    while let byte = try bytes.peek(),
      Self.isWord(byte) || [UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ".")].contains(byte)
    {
      guard digits.count < 512 else { throw fault("a number has more than 512 digits") }
      digits.append(byte)
      try bytes.skip(1)
    }
    let text = String(decoding: digits, as: UTF8.self)
    guard Double(text) != nil else { throw fault("\"\(shown(text))\" is no number") }
    return .bytes(digits)
  }

  private func hexadecimal(bytesAtMost limit: Int) throws -> DumpValue {
    var kept = Kept(limit)
    var half: UInt8?
    while let byte = try bytes.peek(), let digit = Self.digit(byte) {
      try bytes.skip(1)
      if let first = half {
        kept.append(first << 4 | digit)
        half = nil
      } else {
        half = digit
      }
    }
    guard half == nil else { throw fault("bytes are written with an odd number of digits") }
    return kept.value
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  /// Reads the bytes of `x'…'`.
  private func hexadecimalText(bytesAtMost limit: Int) throws -> DumpValue {
    try bytes.skip(2)
    let value = try hexadecimal(bytesAtMost: limit)
    guard try bytes.take() == UInt8(ascii: "'") else { throw fault("x'…' holds no digits") }
    return value
  }

  /// Reads `b'…'` as a whole number.
  private func bits() throws -> DumpValue {
    try bytes.skip(2)
    var number: UInt64 = 0
    var count = 0
    while let byte = try bytes.take(), byte != UInt8(ascii: "'") {
      guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1"), count < 64 else {
        throw fault("b'…' holds no bits, or more than 64")
      }
      number = number << 1 | UInt64(byte - 0x30)
      count += 1
    }
    return .bytes(Array("\(number)".utf8))
  }

  // MARK: reading over

  /// Reads over blanks and comments.
  func readOverBlanks() throws {
    while let byte = try bytes.peek() {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D, 0x0B, 0x0C: try bytes.skip(1)
      case UInt8(ascii: "#"), UInt8(ascii: "-"), UInt8(ascii: "/"), 0xEF:
        guard try readOverComment(byte) else { return }
      default: return
      }
    }
  }

  /// Reads over a comment.
  /// - Returns: true if there was one.
  private func readOverComment(_ first: UInt8) throws -> Bool {
    switch first {
    case UInt8(ascii: "#"):
      _ = try restOfLine()
      return true
    case UInt8(ascii: "-"):
      // Two hyphens begin a comment only if a blank or the line's end follows.
      guard try bytes.peek(1) == first, (try bytes.peek(2)).map({ $0 <= 0x20 }) ?? true else {
        return false
      }
      try bytes.skip(2)
      note(comment: try restOfLine())
      return true
    case UInt8(ascii: "/"):
      guard try bytes.peek(1) == UInt8(ascii: "*") else { return false }
      try readOverLongComment()
      return true
    default:
      // Some editors put a byte order mark before a text.
      guard bytes.byte == 0, try bytes.isNext([0xEF, 0xBB, 0xBF]) else { return false }
      try bytes.skip(3)
      return true
    }
  }

  private func readOverLongComment() throws {
    let line = bytes.line
    try bytes.skip(2)
    let isConditional = try bytes.peek() == UInt8(ascii: "!") || bytes.peek(1) == UInt8(ascii: "!")
    var text: [UInt8] = []
    let star = UInt8(ascii: "*")
    while try bytes.run(
      upTo: (star, star, star, star),
      { piece in
        if isConditional, text.count < 256 { text.append(contentsOf: piece.prefix(256)) }
      })
    {
      try bytes.skip(1)
      if try bytes.peek() == UInt8(ascii: "/") {
        try bytes.skip(1)
        if isConditional {
          try note(conditional: String(decoding: text.prefix(256), as: UTF8.self))
        }
        return
      }
    }
    throw cutOff("a comment that begins in line \(line)")
  }

  /// Reads over the thing that a byte begins: a text, a quoted name or a comment; or over the byte
  /// itself.
  func readOverOne(_ byte: UInt8) throws {
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): _ = try text(bytesAtMost: 0)
    case UInt8(ascii: "`"):
      let line = bytes.line
      try bytes.skip(1)
      guard try bytes.run(upTo: (byte, byte, byte, byte), { _ in }) else {
        throw cutOff("a name that begins in line \(line)")
      }
      try bytes.skip(1)
    case UInt8(ascii: "#"), UInt8(ascii: "-"), UInt8(ascii: "/"):
      if try !readOverComment(byte) { try bytes.skip(1) }
    default: try bytes.skip(1)
    }
  }

  /// Reads up to the first of some signs that is in no bracket and in no text.
  /// - Returns: that sign, which is the next byte.
  func readOver(to signs: [UInt8], _ what: String) throws -> UInt8 {
    var depth = 0
    while let byte = try bytes.peek() {
      if depth == 0, signs.contains(byte) { return byte }
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") { depth -= 1 }
      try readOverOne(byte)
    }
    throw cutOff(what)
  }
}
