/// A JSON value as evidence uses it: objects without repeated names, numbers kept as doubles.
public enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// A whole number. Beyond 2^53 JSON's numbers are not exact, so such do not belong here.
  public static func integer(_ value: Int) -> JSONValue { .number(Double(value)) }

  /// The member of an object; nil for other values and where there is none.
  public subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  /// The text of a string.
  public var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// A whole number that a double holds exactly.
  public var wholeNumber: Int? {
    guard case .number(let value) = self, value.magnitude <= 9_007_199_254_740_992,
      value.rounded() == value
    else { return nil }
    return Int(value)
  }

  /// A measured number: decimal text, as records carry it.
  public var measured: Double? {
    guard let text, !text.isEmpty, text.utf8.count < 40, let value = Double(text), value.isFinite
    else { return nil }
    return value
  }

  /// A yes or no.
  public var flag: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The members of an array.
  public var elements: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }
}

extension JSONValue {
  /// An object of those members that are there: absent is how unknown is written.
  static func object(known members: [(String, JSONValue?)]) -> JSONValue {
    var known: [String: JSONValue] = [:]
    for (name, value) in members { known[name] = value }
    return .object(known)
  }
}
