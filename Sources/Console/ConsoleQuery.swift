import Evidence
import Foundation
import Office
import Store
import TimeAndText
import Web

/// The parameters of an address, read as strictly as a body.
struct ConsoleQuery: Sendable {
  /// The largest number of entries in one answer.
  static let pageAtMost = 200
  private static let page = 50
  /// The parameters of a list that comes in pages.
  static let paging = ["limit", "cursor"]
  /// The parameters of a list whose entries can be hidden.
  static let standalone = ["hidden", "inspector"]

  private let values: [String: String]

  /// Creates the query of a request.
  /// - Parameter known: the names of the parameters that are accepted.
  /// - Throws: `OfficeRefusal` (input-invalid) for a parameter that is unknown, comes twice, or is
  ///   empty.
  init(_ request: WebRequest, _ known: [String]) throws(OfficeRefusal) {
    for name in request.query.keys.sorted() {
      guard known.contains(name) else {
        let words =
          known.isEmpty
          ? "this address takes none" : "there are " + known.joined(separator: ", ")
        throw OfficeRefusal(
          .inputInvalid, "the parameter \"\(name.prefix(100))\" is not known here: \(words)")
      }
      guard request.queryValues(name).count == 1 else {
        throw OfficeRefusal(.inputInvalid, "the parameter \"\(name)\" is empty, or comes twice")
      }
    }
    values = request.query
  }

  subscript(_ name: String) -> String? { values[name] }

  /// Returns a word of a fixed set; nil if the parameter is absent.
  func word<Word: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Word.Type
  ) throws(OfficeRefusal) -> Word? where Word.RawValue == String {
    guard let text = values[name] else { return nil }
    guard let word = Word(rawValue: text) else {
      throw OfficeRefusal(
        .inputInvalid,
        "the parameter \"\(name)\" is none of "
          + "\(Word.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }

  /// Returns a text of at most so many Unicode scalars; nil if the parameter is absent.
  func text(_ name: String, upTo characters: Int) throws(OfficeRefusal) -> String? {
    guard let text = values[name] else { return nil }
    guard text.unicodeScalars.count <= characters else {
      throw OfficeRefusal(
        .inputInvalid, "the parameter \"\(name)\" has more than \(characters) characters")
    }
    return text
  }

  /// Returns a Boolean; false if the parameter is absent.
  func flag(_ name: String) throws(OfficeRefusal) -> Bool {
    switch values[name] {
    case nil, "false": return false
    case "true": return true
    default:
      throw OfficeRefusal(.inputInvalid, "the parameter \"\(name)\" is neither true nor false")
    }
  }

  /// Returns the requested number of entries, from 1 to `pageAtMost`; 50 if the parameter is
  /// absent.
  func limit() throws(OfficeRefusal) -> Int {
    guard let text = values["limit"] else { return Self.page }
    guard let limit = Int(text), (1...Self.pageAtMost).contains(limit) else {
      throw OfficeRefusal(
        .inputInvalid, "the parameter \"limit\" is not a number from 1 to \(Self.pageAtMost)")
    }
    return limit
  }

  /// Returns the place at which a list with so many sort keys goes on; nil for its beginning.
  func place(in list: String, keys: Int) throws(OfficeRefusal) -> ListPlace? {
    guard let text = values["cursor"] else { return nil }
    guard let place = ListCursor.place(text, in: list), place.keys.count == keys else {
      throw OfficeRefusal(
        .inputInvalid,
        "this cursor is not one of this list: begin without, and keep the list's order")
    }
    return place
  }
}

/// A place in a list as an opaque text, which programs send back unchanged.
enum ListCursor {
  /// Returns the text of a place.
  /// - Parameter list: the name of the list and its order: a cursor is valid for no other.
  static func text(_ place: ListPlace, in list: String) -> String {
    let keys = place.keys.map { key in
      switch key {
      // The integer is written as text: JSON's numbers are not exact beyond 2^53.
      case .integer(let value): JSONValue.string("i\(value)")
      case .text(let text): JSONValue.string("t\(text)")
      }
    }
    return Data(JSONValue.array([.string(list)] + keys).canonicalBytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Returns the place that a text names; nil if the text was not made for this list.
  static func place(_ text: String, in list: String) -> ListPlace? {
    guard text.utf8.count < 12_000, text.utf8.allSatisfy({ $0 != 0x3D }) else { return nil }
    let padded =
      text.replacing("-", with: "+").replacing("_", with: "/")
      + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: padded),
      let elements = try? JSONValue(parsing: Array(data), depthLimit: 3).elements,
      elements.first?.text == list
    else { return nil }
    var keys: [ListPlace.Key] = []
    for element in elements.dropFirst() {
      // The key is split by code points: a name may begin with a mark that joins the letter before
      // it.
      guard let key = element.text?.unicodeScalars else { return nil }
      let rest = String(key.dropFirst())
      switch key.first {
      case "i":
        guard let value = Int64(rest) else { return nil }
        keys.append(.integer(value))
      case "t": keys.append(.text(rest))
      default: return nil
      }
    }
    return ListPlace(keys)
  }
}
