import Evidence
import Foundation
import Inspection
import Office
import Positioning

/// The JSON object that a program has sent, member by member.
///
/// It is read strictly: a member that nobody knows is refused with its name, since what is misspelt would
/// otherwise be left undone without a word. It is not a `Codable` message, because whether a member is
/// absent or `null` makes a difference where a part of a thing is changed.
struct ConsoleBody: Sendable {
  private let members: [String: JSONValue]

  /// - Parameter known: the names that are taken.
  /// - Throws: `OfficeRefusal` (input-invalid) for what is no JSON object of these members.
  init(_ bytes: [UInt8], _ known: [String]) throws(OfficeRefusal) {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: bytes)
    } catch {
      throw OfficeRefusal(.inputInvalid, "the body is no JSON: \(error)")
    }
    try self.init(value, known, "the body")
  }

  private init(
    _ value: JSONValue, _ known: [String], _ what: String
  ) throws(OfficeRefusal) {
    guard case .object(let members) = value else {
      throw OfficeRefusal(.inputInvalid, "\(what) is no JSON object")
    }
    for name in members.keys.sorted() where !known.contains(name) {
      throw OfficeRefusal(
        .inputInvalid,
        "\(what) has the member \"\(name.prefix(100))\", which is not known here: there are "
          + "\(known.joined(separator: ", "))")
    }
    self.members = members
  }

  /// Whether a member was sent, be it `null`.
  func has(_ name: String) -> Bool { members[name] != nil }

  /// A text; nil when it is absent or `null`, or nothing but blanks.
  ///
  /// - Parameters:
  ///   - characters: how many it may have.
  ///   - isExact: whether its blanks are kept, for passwords.
  func text(
    _ name: String, upTo characters: Int, isExact: Bool = false
  ) throws(OfficeRefusal) -> String? {
    guard let value = members[name], value != .null else { return nil }
    guard let text = value.text else { throw wrong(name, "is no text") }
    guard text.unicodeScalars.count <= characters else {
      throw wrong(name, "has more than \(characters) characters")
    }
    // A database ends a text at a NUL, and no page or document can show the others.
    guard
      text.unicodeScalars.allSatisfy({
        $0.value >= 0x20 && $0.value != 0x7F || $0 == "\n" || $0 == "\r" || $0 == "\t"
      })
    else { throw wrong(name, "has control characters") }
    if isExact { return text }
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return trimmed.isEmpty ? nil : trimmed
  }

  /// A text that must be there.
  func neededText(
    _ name: String, upTo characters: Int, isExact: Bool = false
  ) throws(OfficeRefusal) -> String {
    guard let text = try text(name, upTo: characters, isExact: isExact) else {
      throw wrong(name, "is missing")
    }
    return text
  }

  /// A whole number; nil when it is absent or `null`.
  func number(_ name: String, in range: ClosedRange<Int>) throws(OfficeRefusal) -> Int? {
    guard let value = members[name], value != .null else { return nil }
    guard let number = value.wholeNumber, range.contains(number) else {
      throw wrong(name, "is no whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A yes or no that must be there.
  func flag(_ name: String) throws(OfficeRefusal) -> Bool {
    guard let flag = members[name]?.flag else { throw wrong(name, "is neither true nor false") }
    return flag
  }

  /// An object within it; nil when it is absent or `null`.
  func object(_ name: String, _ known: [String]) throws(OfficeRefusal) -> ConsoleBody? {
    guard let value = members[name], value != .null else { return nil }
    return try ConsoleBody(value, known, "\"\(name)\"")
  }

  /// An array within it, that must be there.
  func elements(_ name: String) throws(OfficeRefusal) -> [JSONValue] {
    guard let elements = members[name]?.elements else { throw wrong(name, "is no array") }
    return elements
  }

  /// The objects of an array within it, that must be there.
  func objects(_ name: String, _ known: [String]) throws(OfficeRefusal) -> [ConsoleBody] {
    try elements(name).map { element throws(OfficeRefusal) in
      try ConsoleBody(element, known, "one of \"\(name)\"")
    }
  }

  /// An identifier that must be there.
  func identifier(_ name: String) throws(OfficeRefusal) -> Identifier {
    guard let id = Identifier(try neededText(name, upTo: 64)) else {
      throw wrong(name, "is no identifier")
    }
    return id
  }

  /// The identifiers of an array, that must be there.
  func identifiers(_ name: String) throws(OfficeRefusal) -> [Identifier] {
    try elements(name).map { element throws(OfficeRefusal) in
      guard let id = element.text.flatMap(Identifier.init) else {
        throw OfficeRefusal(.inputInvalid, "one of \"\(name)\" is no identifier")
      }
      return id
    }
  }

  /// A member as it is; nil when it is absent or `null`.
  func value(_ name: String) -> JSONValue? { members[name].flatMap { $0 == .null ? nil : $0 } }

  private func wrong(_ name: String, _ words: String) -> OfficeRefusal {
    OfficeRefusal(.inputInvalid, "\"\(name)\" \(words)")
  }
}
