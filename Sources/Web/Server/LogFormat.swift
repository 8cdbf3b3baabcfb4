import Foundation

/// The format in which a program writes its log.
public enum LogFormat: String, CaseIterable, Sendable {
  /// Lines for people.
  case text
  /// JSON Lines for programs.
  case json

  /// Returns the line about a request, without its line end.
  public func line(of record: RequestRecord) -> String {
    let milliseconds = Self.milliseconds(record.seconds)
    // A client can send a path of any length; its first part says enough.
    let path = String(record.path.prefix(512))
    switch self {
    case .text:
      return "\(Self.time(record.began)) \(record.status) \(Self.plain(record.method))"
        + " \(Self.plain(path)) \(milliseconds) ms \(record.remoteAddress ?? "-") \(record.id)"
    case .json:
      var line = "{\"time\":\(JSONText.quoted(Self.time(record.began))),\"level\":\"info\""
      line += ",\"request\":\(JSONText.quoted(record.id))"
      line += ",\"method\":\(JSONText.quoted(record.method)),\"path\":\(JSONText.quoted(path))"
      if let route = record.route { line += ",\"route\":\(JSONText.quoted(route))" }
      line += ",\"status\":\(record.status),\"milliseconds\":\(milliseconds)"
      if let address = record.remoteAddress { line += ",\"remote\":\(JSONText.quoted(address))" }
      return line + "}"
    }
  }

  /// Returns the line about anything else that an operator should know, without its line end.
  public func line(of message: String, at time: Date) -> String {
    switch self {
    case .text: message
    case .json:
      "{\"time\":\(JSONText.quoted(Self.time(time))),\"level\":\"error\""
        + ",\"message\":\(JSONText.quoted(message))}"
    }
  }

  private static func time(_ date: Date) -> String {
    date.ISO8601Format(.init(includingFractionalSeconds: true))
  }

  /// Returns milliseconds with one decimal; 0.0 if `seconds` is negative, infinite or no number.
  private static func milliseconds(_ seconds: Double) -> String {
    let tenths = (min(max(seconds.isFinite ? seconds : 0, 0), 1e9) * 10_000).rounded()
    return "\(Int(tenths) / 10).\(Int(tenths) % 10)"
  }

  /// Replaces everything but printable ASCII by `?`: nothing that a client sends begins another
  /// line or moves a terminal's cursor.
  private static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { (0x21...0x7E).contains($0.value) ? $0 : "?" }))
  }
}
