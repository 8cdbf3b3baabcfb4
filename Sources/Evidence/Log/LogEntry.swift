import Positioning

/// Who did what at the office. Entries are only ever added.
public struct LogEntry: Hashable, Sendable {
  /// The agency that it concerns; nil for what concerns none.
  public var agency: String?
  /// When.
  public var time: DeviceTime
  /// Login of whoever did it.
  public var person: String
  /// What, as a stable word.
  public var action: String
  /// On what: an identifier or a login.
  public var subject: String
  /// Further words.
  public var detail: String?

  /// An entry from its parts.
  public init(
    agency: String?, time: DeviceTime, person: String, action: String, subject: String,
    detail: String? = nil
  ) {
    self.agency = agency
    self.time = time
    self.person = person
    self.action = action
    self.subject = subject
    self.detail = detail
  }

  /// SHA-256 over the entry, its number and the digest of the entry before it.
  public func digest(number: Int, after previous: String?) -> String {
    Digest.hexadecimal(json(number: number, after: previous).canonicalBytes)
  }

  /// What the digest is over.
  func json(number: Int, after previous: String?) -> JSONValue {
    .object(known: [
      ("number", .integer(number)), ("time", .string(time.rfc3339)), ("person", .string(person)),
      ("action", .string(action)), ("subject", .string(subject)),
      ("previous", previous.map { .string($0) }), ("agency", agency.map { .string($0) }),
      ("detail", detail.map { .string($0) }),
    ])
  }
}
