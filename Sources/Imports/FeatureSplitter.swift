// The problem: a file of features may be larger than memory, and comes in pieces that end anywhere.
//
// The obvious idea: parse it as a whole; or line by line, which holds for those files only that have a
// feature on each line.
//
// What is done: a state machine goes through the bytes once. Of JSON it knows what it takes to find
// where values end: strings with their escapes, and brackets in pairs. What lies in the array
// "features" of a collection is handed out value by value; an object without such an array is a
// feature itself, and more of them may follow (a feature on each line; text sequences, RFC 8142).
// What a value says is for a real parser to read.
//
// Cost: O(bytes), and memory for one feature.

import Positioning

/// Finds the features of GeoJSON in bytes that come piece by piece.
package struct FeatureSplitter {
  /// A feature as it stands in the file.
  package struct Piece {
    /// Counted from 1.
    package var number: Int
    /// Where it begins, counted from 1.
    package var line: Int
    /// Its bytes; nil when there are more than are taken.
    package var bytes: [UInt8]?
  }

  private enum Place {
    /// Before, between and after whole values.
    case between
    /// In a value that is no collection, as far as is known yet.
    case value
    /// In the array of features, between them.
    case features
    /// In one of them.
    case feature
    /// Behind the array, still in the collection.
    case tail
  }

  private let limits: ImportLimits
  package private(set) var line = 1
  /// How many features were begun.
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
  /// What the collection says before and behind its features, with null in their place.
  private var frame: [UInt8] = []

  package init(limits: ImportLimits) {
    self.limits = limits
  }

  /// Takes the next bytes, and hands out the features that end in them.
  /// - Throws: `ImportFault` where nothing behind can be understood; what `body` throws.
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

  /// Says that the file has ended.
  /// - Returns: what a collection says beside its features; nil when there was none.
  /// - Throws: `ImportFault` when it ends too early.
  package mutating func finish() throws -> [UInt8]? {
    guard place == .between else {
      throw ImportFault(
        line: beginning,
        "the file ends within what begins here: it was cut off, or a bracket or a quote is missing")
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
      // A record separator stands before each text of a sequence.
      if isSpace || byte == 0x1E { return }
      guard !isCollection else {
        throw ImportFault(line: line, "something follows the feature collection")
      }
      guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
        throw ImportFault(
          line: line, "not a GeoJSON feature collection: it is no JSON")
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
          throw ImportFault(line: line, "a feature collection follows features: use one of both")
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

  /// The brackets that lie round a feature are those of the collection and its array.
  private mutating func inFeature(
    _ byte: UInt8, _ isSpace: Bool, _ body: (Piece) throws -> Void
  ) throws {
    if open.count == 2 {
      // A number or a word in a feature's place ends with what follows it.
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

  // MARK: brackets and what is kept

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
      line: line, "\(shown) stands where JSON does not have it: a comma or a bracket is missing")
  }

  private func tooMuchBeside() -> ImportFault {
    ImportFault(
      line: beginning,
      "the collection has more than \(limits.headBytes >> 20) MiB beside its features")
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
