/// The fields of a form or of a query: `application/x-www-form-urlencoded`.
public struct WebForm: Sendable {
  /// The most fields of a form, more than any page of this server sends.
  static let fieldsAtMost = 2000

  private var values: [String: [String]] = [:]

  /// A form without fields.
  static let empty = WebForm()

  private init() {}

  /// Reads an encoded form.
  /// - Throws: `WebProblem.malformedRequest` for a broken encoding or too many fields.
  init(urlEncoded text: some StringProtocol) throws {
    var count = 0
    // Split by bytes: a separator with a combining mark after it is another Character.
    for pair in Substring(text).utf8.split(separator: UInt8(ascii: "&")) {
      count += 1
      let parts = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
      ).map { Substring($0) }
      guard count <= Self.fieldsAtMost,
        let name = PercentCoding.decode(parts[0], plusIsSpace: true),
        let value = PercentCoding.decode(parts.count == 2 ? parts[1] : "", plusIsSpace: true)
      else { throw WebProblem.malformedRequest }
      values[name, default: []].append(value)
    }
  }

  /// Creates a form of the fields that stood beside a file.
  init(fields: [(name: String, value: String)]) {
    for (name, value) in fields { values[name, default: []].append(value) }
  }

  /// Reads the bytes of a body.
  /// - Throws: `WebProblem.malformedRequest` for a broken encoding.
  init(urlEncoded bytes: [UInt8]) throws {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw WebProblem.malformedRequest
    }
    try self.init(urlEncoded: text)
  }

  /// The first value of a field without blanks at its ends, with single line feeds as line ends;
  /// nil if the field is missing or blank.
  public subscript(_ name: String) -> String? {
    guard let value = values[name]?.first else { return nil }
    let trimmed = Self.trimmed(value)
    return trimmed.isEmpty ? nil : trimmed
  }

  /// Returns every value of a field that is not blank, trimmed, in order: checkboxes of one name.
  public func all(_ name: String) -> [String] {
    (values[name] ?? []).map(Self.trimmed).filter { !$0.isEmpty }
  }

  /// Returns the first value of a field exactly as it was sent, for passwords; nil if it is missing.
  public func exact(_ name: String) -> String? {
    values[name]?.first
  }

  /// The names of all fields that were sent, sorted.
  public var names: [String] { values.keys.sorted() }

  /// The first value of each field, as sent.
  var firstValues: [String: String] { values.compactMapValues(\.first) }

  private static func trimmed(_ value: String) -> String {
    let lines = value.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    var kept = lines[...]
    while kept.first?.isWhitespace == true { kept.removeFirst() }
    while kept.last?.isWhitespace == true { kept.removeLast() }
    return String(kept)
  }
}
