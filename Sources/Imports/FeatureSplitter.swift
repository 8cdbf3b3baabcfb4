// The problem: a file of features may be larger than memory, and comes in pieces that end anywhere.
//
// The obvious idea: parse the file as a whole; or line by line, which only works for files that
// have one feature on each line.
//
// The solution: a state machine goes through the bytes once. It knows only as much of JSON as is
// needed to find the ends of values: strings with their escapes, and brackets in pairs. Each value
// in the array "features" of a collection is passed on as one feature. An object without such an
// array is a feature itself, and more of them may follow (a feature on each line; text sequences,
// RFC 8142). A real parser then reads the contents of each value.
//
// Cost: O(bytes), and memory for one feature.

import Positioning
import TimeAndText

/// Finds the features of GeoJSON in bytes that come piece by piece.
package struct FeatureSplitter {
  /// The bytes of one feature in the file.
  package struct Piece {
    /// The number of the feature, counted from 1.
    package var number: Int
    /// The line at which the feature begins, counted from 1.
    package var line: Int
    /// The feature's bytes; nil if there are more than the limits allow.
    package var bytes: [UInt8]?
  }

  private enum Place {
    /// Before, between and after whole values.
    case between
    /// Inside a value that, as far as it has been read, is not a collection.
    case value
    /// In the array of features, between two of them.
    case features
    /// Inside a feature of the array.
    case feature
    /// After the array, still in the collection.
    case tail
  }

  private let limits: ImportLimits
  package private(set) var line = 1
  /// The number of features begun so far.
  package private(set) var count = 0
  private var place = Place.between
  private var open: [UInt8] = []
  private var isInString = false
  private var isEscaped = false
  private var capture: [UInt8] = []
  private var isTooLong = false
  private var beginning = 1
  private var isCollection = false
  private var needsComma = false
  private var needsFeature = false
  /// The name that is being read, or was read last, in the outermost object.
  private var name: [UInt8] = []
  private var isName = false
  private var isNameNext = false
  private var isFeaturesNext = false
  /// The collection's own text before and after its features, with null in their place.
  private var frame: [UInt8] = []

  package init(limits: ImportLimits) {
    self.limits = limits
  }

  /// Takes the next bytes, and calls `body` with each feature that ends in them.
  /// - Throws: `ImportFault` if the rest of the file cannot be understood; any error of `body`.
  package mutating func feed(
    _ bytes: UnsafeRawBufferPointer, _ body: (Piece) throws -> Void
  ) throws {
    for byte in bytes {
      if byte == 0x0A { line += 1 }
      if isInString {
        keep(byte)
        inString(byte)
      } else {
        try outside(byte, body)
      }
    }
  }

  /// Ends the file.
  /// - Returns: The collection's own text around its features; nil if there was no collection.
  /// - Throws: `ImportFault` if the file ends too early.
  package mutating func finish() throws -> [UInt8]? {
    guard place == .between else {
      throw ImportFault(
        line: beginning,
        "the file ends too early: it is incomplete, or a bracket or a quote that opens here is never closed"
      )
    }
    return isCollection ? frame : nil
  }

  // MARK: bytes

  private mutating func inString(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      isName = false
      return
    }
    if isName, name.count < 16 { name.append(byte) }
  }

  private mutating func outside(_ byte: UInt8, _ body: (Piece) throws -> Void) throws {
    let isSpace = byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    switch place {
    case .between:
      // A record separator comes before each text of a sequence (RFC 8142).
      if isSpace || byte == 0x1E { return }
      guard !isCollection else {
        throw ImportFault(line: line, "something follows the feature collection")
      }
      guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
        throw ImportFault(
          line: line, "not a GeoJSON feature collection: it is not JSON")
      }
      place = .value
      beginning = line
      isNameNext = true
      keep(byte)
      try bracket(byte)
    case .value: try inValue(byte, isSpace, body)
    case .features: try betweenFeatures(byte, isSpace, body)
    case .feature: try inFeature(byte, isSpace, body)
    case .tail:
      keep(byte)
      if isSpace { return }
      try bracket(byte)
      guard open.isEmpty else { return }
      guard !isTooLong else { throw tooMuchBeside() }
      frame += capture
      endCapture()
      place = .between
    }
  }

  private mutating func inValue(
    _ byte: UInt8, _ isSpace: Bool, _ body: (Piece) throws -> Void
  ) throws {
    if isFeaturesNext, !isSpace {
      isFeaturesNext = false
      if byte == UInt8(ascii: "[") {
        guard count == 0 else {
          throw ImportFault(
            line: line, "a feature collection follows single features: use only one of the two")
        }
        guard !isTooLong else { throw tooMuchBeside() }
        frame = capture + Array("null".utf8)
        endCapture()
        open.append(byte)
        isCollection = true
        place = .features
        return
      }
    }
    keep(byte)
    if isSpace { return }
    let isOutermost = open.count == 1 && open[0] == UInt8(ascii: "{")
    if isOutermost {
      switch byte {
      case UInt8(ascii: "\""):
        isName = isNameNext
        if isName { name = [] }
        isNameNext = false
      case UInt8(ascii: ","): isNameNext = true
      case UInt8(ascii: ":"): isFeaturesNext = name == Array("features".utf8)
      default: break
      }
    }
    try bracket(byte)
    guard open.isEmpty else { return }
    count += 1
    try handOut(body)
    place = .between
  }

  private mutating func betweenFeatures(
    _ byte: UInt8, _ isSpace: Bool, _ body: (Piece) throws -> Void
  ) throws {
    if isSpace { return }
    switch byte {
    case UInt8(ascii: ","):
      guard needsComma else { throw unexpected(byte) }
      needsComma = false
      needsFeature = true
    case UInt8(ascii: "]"):
      guard !needsFeature else { throw unexpected(byte) }
      open.removeLast()
      place = .tail
    default:
      guard !needsComma else { throw unexpected(byte) }
      needsFeature = false
      count += 1
      beginning = line
      place = .feature
      keep(byte)
      try bracket(byte)
    }
  }

  /// Reads a byte of a feature. The two brackets around a feature are those of the collection and
  /// its array.
  private mutating func inFeature(
    _ byte: UInt8, _ isSpace: Bool, _ body: (Piece) throws -> Void
  ) throws {
    if open.count == 2 {
      // A number or a word in place of a feature ends at the byte after it.
      if isSpace || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") {
        try endFeature(body)
        return try betweenFeatures(byte, isSpace, body)
      }
      keep(byte)
      return try bracket(byte)
    }
    keep(byte)
    if isSpace { return }
    try bracket(byte)
    if open.count == 2 { try endFeature(body) }
  }

  private mutating func endFeature(_ body: (Piece) throws -> Void) throws {
    try handOut(body)
    needsComma = true
    place = .features
  }

  private mutating func handOut(_ body: (Piece) throws -> Void) throws {
    let piece = Piece(number: count, line: beginning, bytes: isTooLong ? nil : capture)
    endCapture()
    try body(piece)
  }

  // MARK: brackets and captured bytes

  private mutating func bracket(_ byte: UInt8) throws {
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard open.count < limits.depth else {
        throw ImportFault(line: line, "JSON is nested more than \(limits.depth) deep here")
      }
      open.append(byte)
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      let opening = byte == UInt8(ascii: "}") ? UInt8(ascii: "{") : UInt8(ascii: "[")
      guard open.last == opening else { throw unexpected(byte) }
      open.removeLast()
    default: break
    }
  }

  private func unexpected(_ byte: UInt8) -> ImportFault {
    let shown: Wording =
      (0x21...0x7E).contains(byte)
      ? "\(Character(Unicode.Scalar(byte)))" : "the byte 0x\(String(byte, radix: 16))"
    return ImportFault(
      line: line, "\(shown) is not allowed here in JSON: a comma or a bracket is missing")
  }

  private func tooMuchBeside() -> ImportFault {
    ImportFault(
      line: beginning,
      "the collection has more than \(limits.headBytes >> 20) MiB besides its features")
  }

  private mutating func keep(_ byte: UInt8) {
    let limit = place == .tail ? limits.headBytes : limits.rowBytes
    guard capture.count < limit else {
      if !isTooLong { capture = [] }
      isTooLong = true
      return
    }
    if !isTooLong { capture.append(byte) }
  }

  private mutating func endCapture() {
    capture.removeAll(keepingCapacity: capture.capacity < 1 << 20)
    isTooLong = false
  }
}
