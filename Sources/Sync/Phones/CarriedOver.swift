import TimeAndText

/// A thing that was carried over from an older office's database. It is kept so that the thing is
/// recognised when the same database comes again, and so that people find it by its old number.
public struct CarriedOver: Hashable, Sendable {
  /// The kinds of things that are carried over.
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

  /// The agency into which it was carried over.
  public var agency: String
  /// The login of the inspector it belongs to; nil if it is no inspector's.
  public var inspector: String?
  /// The name of the older database here.
  public var source: String
  /// The kind of the thing.
  public var kind: Kind
  /// Its number in the older database.
  public var number: Int64
  /// Its name, login or identifier here.
  public var subject: String
  /// Its properties in the older database that work on it never changes. A thing of the same number
  /// that shares none of these marks is another thing.
  public var marks: [String]
  /// The facts in the older office's database that have no place of their own here: a JSON object of texts.
  public var facts: String
  /// The time when it was carried over.
  public var time: DeviceTime

  /// Creates the entry of a thing that was carried over.
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

  /// The name by which people know it: `EGNSS4CAP-17`.
  public var reference: String { "\(source)-\(number)" }
}
