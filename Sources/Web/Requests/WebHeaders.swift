import HTTPTypes

/// The header fields of a request.
public struct WebHeaders: Sendable {
  private let fields: HTTPFields

  init(_ fields: HTTPFields) {
    self.fields = fields
  }

  /// The value of a field, whatever the case of its name; several are joined by commas, as HTTP
  /// defines it. Nil if there is none.
  public subscript(_ name: String) -> String? {
    guard let name = HTTPField.Name(name) else { return nil }
    return fields[name]
  }

  /// Returns every value of a field, in order.
  public func all(_ name: String) -> [String] {
    guard let name = HTTPField.Name(name) else { return [] }
    return fields[values: name]
  }
}
