import TimeAndText

/// An entry of the office's log: who did what. Entries are only ever added.
public struct LogEntry: Hashable, Sendable {
  /// The agency that the entry concerns; nil if it concerns none.
  public var agency: String?
  /// The time of the action.
  public var time: DeviceTime
  /// The login of the person who acted.
  public var person: String
  /// The action, as a stable word.
  public var action: String
  /// The subject of the action: an identifier or a login.
  public var subject: String
  /// Further words; nil without any.
  public var detail: String?

  /// Creates an entry.
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

  /// Returns the SHA-256 over the entry, its number and the digest of the entry before it (nil for
  /// the first).
  public func digest(number: Int, after previous: String?) -> String {
    Digest.hexadecimal(json(number: number, after: previous).canonicalBytes)
  }

  /// Returns the entry as a line of the exported log, without its line end.
  package func line(number: Int, after previous: String?) -> [UInt8] {
    json(number: number, after: previous).canonicalBytes
  }

  /// Returns the JSON over which the digest is made.
  func json(number: Int, after previous: String?) -> JSONValue {
    .object(known: [
      ("number", .integer(number)), ("time", .string(time.rfc3339)), ("person", .string(person)),
      ("action", .string(action)), ("subject", .string(subject)),
      ("previous", previous.map { .string($0) }), ("agency", agency.map { .string($0) }),
      ("detail", detail.map { .string($0) }),
    ])
  }
}

/// An entry in its place in the log.
public struct LoggedEntry: Hashable, Sendable {
  /// The entry.
  public let entry: LogEntry
  /// The entry's number, from 1.
  public let number: Int
  /// The digest of the entry before it; nil for the first.
  public let previous: String?

  /// Places an entry.
  public init(_ entry: LogEntry, number: Int, previous: String?) {
    (self.entry, self.number, self.previous) = (entry, number, previous)
  }
}
