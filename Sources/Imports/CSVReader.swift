// Tables in the form of RFC 4180, from bytes that come piece by piece. Fields in quotes may hold
// separators and line breaks, and a quote inside them is written twice. The separator is the
// candidate that the header line has most of, because many European spreadsheets write semicolons.
// The reader holds one row in memory.

import Positioning
import TimeAndText

/// Reads rows of CSV in UTF-8.
package struct CSVReader {
  /// A row of the file.
  package struct Record {
    /// The line at which the row begins, counted from 1.
    package var line: Int
    /// The fields; nil if the row has more bytes or columns than the limits allow.
    package var fields: [String]?
    /// True if text follows the quote that closes a field: a quote inside the field was not written
    /// twice.
    package var isQuoteAlone = false
  }

  private enum Place { case fieldStart, plain, quoted, quoteInQuoted }

  private let limits: ImportLimits
  private var line = 1
  private var beginning = 1
  private var place = Place.fieldStart
  private var separator: UInt8?
  private var record: [UInt8] = []
  private var ends: [Int] = []
  private var isTooLong = false
  private var isQuoteAlone = false
  private var afterReturn = false
  private var quoteLine = 1

  package init(limits: ImportLimits) {
    self.limits = limits
  }

  /// Takes the next bytes, and calls `body` with each row that ends in them.
  /// - Throws: `ImportFault` if the rest of the file cannot be understood; any error of `body`.
  package mutating func feed(
    _ bytes: UnsafeRawBufferPointer, _ body: (Record) throws -> Void
  ) throws {
    for byte in bytes { try take(byte, body) }
  }

  /// Ends the file, and calls `body` with the last row if it has no line end.
  /// - Throws: `ImportFault` if a quote is not closed; any error of `body`.
  package mutating func finish(_ body: (Record) throws -> Void) throws {
    guard place != .quoted else {
      throw ImportFault(
        line: quoteLine, "the quote that begins a field in this line is never closed")
    }
    if place != .fieldStart || !record.isEmpty || !ends.isEmpty { try endRecord(body) }
  }

  private mutating func take(_ byte: UInt8, _ body: (Record) throws -> Void) throws {
    guard byte != 0 else {
      throw ImportFault(
        line: line, "there is a byte 0 here: the file is not text in UTF-8. Save it as CSV in UTF-8"
      )
    }
    let isFeedOfReturn = afterReturn && byte == 0x0A
    afterReturn = false
    if byte == 0x0A, !isFeedOfReturn { line += 1 }
    if byte == 0x0D {
      line += 1
      afterReturn = true
    }
    if place == .quoted {
      if byte == UInt8(ascii: "\"") { place = .quoteInQuoted } else { keep(byte) }
      return
    }
    if isFeedOfReturn {
      // The carriage return has already ended the row. Within quotes both bytes are kept, which was
      // done above.
      return
    }
    if byte == 0x0A || byte == 0x0D { return try endRecord(body) }
    if byte == separator || (separator == nil && isSeparator(byte)) {
      if separator == nil { keep(byte) } else { endField() }
      if separator != nil { place = .fieldStart }
      return
    }
    switch place {
    case .fieldStart where byte == UInt8(ascii: "\"") && separator != nil:
      place = .quoted
      quoteLine = line
    case .quoteInQuoted where byte == UInt8(ascii: "\""):
      keep(byte)
      place = .quoted
    case .quoteInQuoted:
      isQuoteAlone = true
      keep(byte)
      place = .plain
    default:
      keep(byte)
      place = .plain
    }
  }

  private func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == 0x09
  }

  private mutating func keep(_ byte: UInt8) {
    guard record.count < limits.rowBytes else {
      if !isTooLong { record = [] }
      isTooLong = true
      return
    }
    if !isTooLong { record.append(byte) }
  }

  private mutating func endField() {
    guard ends.count < limits.columns else {
      isTooLong = true
      return
    }
    ends.append(record.count)
  }

  private mutating func endRecord(_ body: (Record) throws -> Void) throws {
    if separator == nil {
      try endHeader(body)
    } else {
      endField()
      // An empty line is not a row.
      if record.isEmpty, ends.count == 1, !isTooLong {
        forget()
        return
      }
      try body(
        Record(
          line: beginning, fields: isTooLong ? nil : try fields(), isQuoteAlone: isQuoteAlone))
    }
    forget()
  }

  private mutating func forget() {
    record.removeAll(keepingCapacity: record.capacity < 1 << 20)
    ends.removeAll(keepingCapacity: true)
    isTooLong = false
    isQuoteAlone = false
    place = .fieldStart
    beginning = line
  }

  /// Reads the header, which is kept whole until its separator is known. Column names hold neither
  /// separators nor line breaks.
  private mutating func endHeader(_ body: (Record) throws -> Void) throws {
    if record.isEmpty { return }
    guard !isTooLong, record.count <= 65_536 else {
      throw ImportFault(line: beginning, "the header line has more than 64 KiB: this is not CSV")
    }
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
    let counts = candidates.map { candidate in record.count { $0 == candidate } }
    let most = counts.max() ?? 0
    let chosen = candidates[counts.firstIndex(of: most) ?? 0]
    separator = chosen
    let whole = record
    ends = whole.indices.filter { whole[$0] == chosen } + [whole.count]
    // Only the header keeps its separators among the bytes; other rows drop them.
    var names: [String] = []
    var start = 0
    for end in ends {
      names.append(try text(whole[start..<end], column: names.count))
      start = end + 1
    }
    guard names.count <= limits.columns else {
      throw ImportFault(line: beginning, "it has more than \(limits.columns) columns")
    }
    try body(
      Record(
        line: beginning,
        fields: names.map { name in
          name.count >= 2 && name.hasPrefix("\"") && name.hasSuffix("\"")
            ? String(name.dropFirst().dropLast()) : name
        }))
  }

  private func fields() throws -> [String] {
    var fields: [String] = []
    fields.reserveCapacity(ends.count)
    var start = 0
    for end in ends {
      fields.append(try text(record[start..<end], column: fields.count))
      start = end
    }
    return fields
  }

  private func text(_ bytes: ArraySlice<UInt8>, column: Int) throws -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    throw ImportFault(
      line: beginning, Self.encodingWords(bytes, where: "column \(column + 1)"))
  }

  /// Returns the words that name the first byte that is not UTF-8, and how to convert the file.
  package static func encodingWords(_ bytes: ArraySlice<UInt8>, where place: Wording) -> Wording {
    let (index, byte) = firstForeignByte(bytes)
    let hexadecimal = String(byte, radix: 16, uppercase: true)
    return
      "\(place), byte \(index + 1) of it is 0x\(hexadecimal), which is not UTF-8: save the file in"
      + " UTF-8, or convert it, e.g. iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW"
  }

  /// Returns the first byte that belongs to no UTF-8 character, with its index counted from 0.
  package static func firstForeignByte(_ bytes: ArraySlice<UInt8>) -> (index: Int, byte: UInt8) {
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      let length =
        switch byte {
        case 0..<0x80: 1
        case 0xC2..<0xE0: 2
        case 0xE0..<0xF0: 3
        case 0xF0..<0xF5: 4
        default: 0
        }
      let end = index + length
      guard length > 0, end <= bytes.endIndex,
        String(validating: bytes[index..<end], as: UTF8.self) != nil
      else { return (index - bytes.startIndex, byte) }
      index = end
    }
    return (0, bytes.first ?? 0)
  }
}
