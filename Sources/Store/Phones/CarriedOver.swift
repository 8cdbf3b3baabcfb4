import Positioning

/// What was carried over from an older office's database, so that it is known when the same database comes again, and
/// people find it by its old number.
public struct CarriedOver: Hashable, Sendable {
  /// What it is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An agency, by name.
    case agency
    /// A person, by login.
    case user
    /// A task, by identifier.
    case task
    /// A photo, by identifier.
    case photo
    /// A track, by identifier.
    case track
  }

  /// The agency that it came to.
  public var agency: String
  /// Whose it is; nil where it is no inspector's.
  public var inspector: String?
  /// What the older database is called here.
  public var source: String
  /// What it is.
  public var kind: Kind
  /// Its number there.
  public var number: Int64
  /// What it is here: a name, a login or an identifier.
  public var subject: String
  /// What it was there and does not become by being worked on: the same number with none of these is another thing.
  public var marks: [String]
  /// What the older office's database said of it and has no place of its own here: a JSON object of texts.
  public var facts: String
  /// When it was carried over.
  public var time: DeviceTime

  /// Something that was carried over, from its parts.
  public init(
    agency: String, inspector: String?, source: String, kind: Kind, number: Int64, subject: String,
    marks: [String], facts: String, time: DeviceTime
  ) {
    self.agency = agency
    self.inspector = inspector
    self.source = source
    self.kind = kind
    self.number = number
    self.subject = subject
    self.marks = marks
    self.facts = facts
    self.time = time
  }

  /// What it is known by to people: `EGNSS4CAP-17`.
  public var reference: String { "\(source)-\(number)" }
}
