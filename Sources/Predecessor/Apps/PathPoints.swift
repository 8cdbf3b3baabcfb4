import Evidence
import Office
import Store

/// A reader of the points of a path, one by one, from the JSON array that a phone sent.
///
/// The problem: a day's walk is 29,000 points, and as one tree of values it takes twenty times the
/// memory of its text; an array of zeros takes more. The solution: each element is cut out by its
/// commas and brackets and parsed strictly on its own, so that only one of them is in memory at a
/// time.
enum PathPoints {
  /// The text is no array of points.
  struct Unreadable: Error, Equatable {
    /// The byte at which the fault was seen, counted from 0.
    let byte: Int
  }

  /// Calls `body` with each element, in their order.
  /// - Parameter bytesAtMost: the most bytes of one element's text.
  /// - Throws: `Unreadable`, `EvidenceError.malformedJSON`, and every error of `body`. The text can
  ///   still prove unreadable after some elements were passed to `body`.
  static func forEach(
    in text: String, bytesAtMost: Int = .max, _ body: (JSONValue) throws -> Void
  ) throws {
    var text = text
    try text.withUTF8 { bytes in
      var index = afterBlanks(bytes, from: 0)
      guard index < bytes.count, bytes[index] == UInt8(ascii: "[") else {
        throw Unreadable(byte: index)
      }
      index = afterBlanks(bytes, from: index + 1)
      if index < bytes.count, bytes[index] == UInt8(ascii: "]") {
        index += 1
      } else {
        var isLast = false
        while !isLast {
          let end = try endOfElement(bytes, from: index, bytesAtMost)
          try body(JSONValue(parsing: Array(bytes[index..<end])))
          isLast = bytes[end] == UInt8(ascii: "]")
          index = end + 1
        }
      }
      index = afterBlanks(bytes, from: index)
      guard index == bytes.count else { throw Unreadable(byte: index) }
    }
  }

  private static func afterBlanks(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) { index += 1 }
    return index
  }

  /// Returns the index of the comma or bracket that ends an element.
  private static func endOfElement(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ bytesAtMost: Int
  ) throws -> Int {
    var (depth, isInText, isEscaped) = (0, false, false)
    var index = start
    while index < bytes.count, index - start <= bytesAtMost {
      let byte = bytes[index]
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: ","): if depth == 0 { return index }
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0, byte == UInt8(ascii: "]") { return index }
          depth -= 1
          guard depth >= 0 else { throw Unreadable(byte: index) }
        default: break
        }
      }
      index += 1
    }
    throw Unreadable(byte: index)
  }
}
