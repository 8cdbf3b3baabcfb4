/// A JSON value as evidence uses it: objects without repeated names, numbers kept as doubles.
public enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Returns a whole number as JSON. Numbers beyond 2^53 do not belong here: JSON's numbers are not
  /// exact there.
  public static func integer(_ value: Int) -> JSONValue { .number(Double(value)) }

  /// The member of an object with this name; nil if there is none, and for values that are no object.
  public subscript(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }

  /// The text of a string; nil for other values.
  public var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The whole number that the value is, if a double holds it exactly; nil for other values.
  public var wholeNumber: Int? {
    guard case .number(let value) = self, value.magnitude <= 9_007_199_254_740_992,
      value.rounded() == value
    else { return nil }
    return Int(value)
  }

  /// The measured number that a decimal text gives, as records carry it; nil for other values.
  public var measured: Double? {
    guard let text, !text.isEmpty, text.utf8.count < 40, let value = Double(text), value.isFinite
    else { return nil }
    return value
  }

  /// The value of a Boolean; nil for other values.
  public var flag: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The elements of an array; nil for other values.
  public var elements: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }
}

extension JSONValue {
  /// Returns an object of the members whose values are not nil: an unknown value is left out.
  package static func object(known members: [(String, JSONValue?)]) -> JSONValue {
    var known: [String: JSONValue] = [:]
    for (name, value) in members { known[name] = value }
    return .object(known)
  }
}
