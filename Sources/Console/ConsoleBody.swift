import Evidence
import Foundation
import Inspection
import Office
import TimeAndText

/// The JSON object that a program has sent, read member by member.
///
/// The object is read strictly: an unknown member is refused with its name, since a misspelt member
/// would otherwise be ignored without a word. The type is no `Codable` message, because a change of
/// a part of a thing must tell an absent member from `null`.
struct ConsoleBody: Sendable {
  private let members: [String: JSONValue]

  /// Creates the body from its bytes.
  /// - Parameter known: the names of the members that are accepted.
  /// - Throws: `OfficeRefusal` (input-invalid) if the bytes are no JSON object of these members.
  init(_ bytes: [UInt8], _ known: [String]) throws(OfficeRefusal) {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: bytes)
    } catch {
      throw OfficeRefusal(.inputInvalid, "the body is not JSON: \(error)")
    }
    try self.init(value, known, "the body")
  }

  private init(
    _ value: JSONValue, _ known: [String], _ what: String
  ) throws(OfficeRefusal) {
    guard case .object(let members) = value else {
      throw OfficeRefusal(.inputInvalid, "\(what) is not a JSON object")
    }
    for name in members.keys.sorted() where !known.contains(name) {
      throw OfficeRefusal(
        .inputInvalid,
        "\(what) has the member \"\(name.prefix(100))\", which is not known here: there are "
          + "\(known.joined(separator: ", "))")
    }
    self.members = members
  }

  /// Returns true if a member was sent, even as `null`.
  func has(_ name: String) -> Bool { members[name] != nil }

  /// Returns a text; nil if it is absent, `null`, or nothing but blanks.
  ///
  /// - Parameters:
  ///   - characters: the largest number of Unicode scalars that it may have.
  ///   - isExact: true if its blanks are kept, for passwords.
  func text(
    _ name: String, upTo characters: Int, isExact: Bool = false
  ) throws(OfficeRefusal) -> String? {
    guard let value = members[name], value != .null else { return nil }
    guard let text = value.text else { throw wrong(name, "is not text") }
    guard text.unicodeScalars.count <= characters else {
      throw wrong(name, "has more than \(characters) characters")
    }
    // A database ends a text at a NUL, and no page or document can show the other control
    // characters.
    guard
      text.unicodeScalars.allSatisfy({
        $0.value >= 0x20 && $0.value != 0x7F || $0 == "\n" || $0 == "\r" || $0 == "\t"
      })
    else { throw wrong(name, "has control characters") }
    if isExact { return text }
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return trimmed.isEmpty ? nil : trimmed
  }

  /// Returns a text that must be present.
  func neededText(
    _ name: String, upTo characters: Int, isExact: Bool = false
  ) throws(OfficeRefusal) -> String {
    guard let text = try text(name, upTo: characters, isExact: isExact) else {
      throw wrong(name, "is missing")
    }
    return text
  }

  /// Returns a whole number in `range`; nil if it is absent or `null`.
  func number(_ name: String, in range: ClosedRange<Int>) throws(OfficeRefusal) -> Int? {
    guard let value = members[name], value != .null else { return nil }
    guard let number = value.wholeNumber, range.contains(number) else {
      throw wrong(name, "is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Returns a Boolean that must be present.
  func flag(_ name: String) throws(OfficeRefusal) -> Bool {
    guard let flag = members[name]?.flag else { throw wrong(name, "is neither true nor false") }
    return flag
  }

  /// Returns an inner object; nil if it is absent or `null`.
  func object(_ name: String, _ known: [String]) throws(OfficeRefusal) -> ConsoleBody? {
    guard let value = members[name], value != .null else { return nil }
    return try ConsoleBody(value, known, "\"\(name)\"")
  }

  /// Returns the elements of an array that must be present.
  func elements(_ name: String) throws(OfficeRefusal) -> [JSONValue] {
    guard let elements = members[name]?.elements else { throw wrong(name, "is not an array") }
    return elements
  }

  /// Returns the objects of an array that must be present.
  func objects(_ name: String, _ known: [String]) throws(OfficeRefusal) -> [ConsoleBody] {
    try elements(name).map { element throws(OfficeRefusal) in
      try ConsoleBody(element, known, "one of \"\(name)\"")
    }
  }

  /// Returns an identifier that must be present.
  func identifier(_ name: String) throws(OfficeRefusal) -> Identifier {
    guard let id = Identifier(try neededText(name, upTo: 64)) else {
      throw wrong(name, "is not an identifier")
    }
    return id
  }

  /// Returns the identifiers of an array that must be present.
  func identifiers(_ name: String) throws(OfficeRefusal) -> [Identifier] {
    try elements(name).map { element throws(OfficeRefusal) in
      guard let id = element.text.flatMap(Identifier.init) else {
        throw OfficeRefusal(.inputInvalid, "one of \"\(name)\" is not an identifier")
      }
      return id
    }
  }

  /// Returns a member as it was sent; nil if it is absent or `null`.
  func value(_ name: String) -> JSONValue? { members[name].flatMap { $0 == .null ? nil : $0 } }

  private func wrong(_ name: String, _ words: String) -> OfficeRefusal {
    OfficeRefusal(.inputInvalid, "\"\(name)\" \(words)")
  }
}
