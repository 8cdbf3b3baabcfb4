// Messages are read and written by Foundation's coders; a part of one may be any JSON.
extension JSONValue: Codable {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// The most values within each other.
  private static let depthAtMost = 64

  /// Reads any JSON.
  /// - Throws: `DecodingError` if it is nested too deeply.
  public init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count <= Self.depthAtMost else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "it is nested too deeply"))
    }
    if let container = try? decoder.container(keyedBy: Name.self) {
      var members: [String: JSONValue] = [:]
      for name in container.allKeys {
        members[name.stringValue] = try container.decode(JSONValue.self, forKey: name)
      }
      self = .object(members)
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
      self = .array(elements)
    } else {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let value = try? container.decode(Double.self) {
        self = .number(value)
      } else {
        self = .string(try container.decode(String.self))
      }
    }
  }

  /// Writes the value; the coder decides on the order of members.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: Name.self)
      for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .number(let value):
      var container = encoder.singleValueContainer()
      // A whole number is written without a fraction.
      if let whole = wholeNumber {
        try container.encode(whole)
      } else {
        try container.encode(value)
      }
    case .string(let text):
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }
}
