import Inspection
import Positioning

/// The data that are the same in every record that a device makes.
public struct RecordContext: Hashable, Sendable {
  /// The person who acted.
  public var person: Person
  /// The device's identifier.
  public var device: String
  /// Thumbprint of the device's key.
  public var key: String
  /// Name and version of the program.
  public var software: String
  /// The receiver's source, as `--gnss` names it; nil if no receiver took part.
  public var source: String?
  /// The receiver's name; nil if it is not known.
  public var receiver: String?
  /// SHA-256 of the last challenge that the office gave to this key; nil if there is none.
  public var challenge: String?
  /// True if a simulator or a replay stood in for the receiver.
  public var isSimulated: Bool

  /// Creates a context.
  public init(
    person: Person, device: String, key: String, software: String, source: String? = nil,
    receiver: String? = nil, challenge: String? = nil, isSimulated: Bool
  ) {
    self.person = person
    self.device = device
    self.key = key
    self.software = software
    self.source = source
    self.receiver = receiver
    self.challenge = challenge
    self.isSimulated = isSimulated
  }

  /// Returns the members that begin every record.
  package func members(id: Identifier, kind: RecordKind) -> [(String, JSONValue?)] {
    let receiverMember: JSONValue? =
      source == nil
      ? nil
      : .object(known: [
        ("name", receiver.map { .string($0) }), ("source", source.map { .string($0) }),
      ])
    return [
      ("schema", .string(Record.schema)), ("id", .string(id.description)),
      ("kind", .string(kind.rawValue)), ("agency", .string(person.agency)),
      ("inspector", .string(person.login)),
      (
        "device",
        .object(known: [
          ("id", .string(device)), ("key", .string(key)), ("software", .string(software)),
          ("receiver", receiverMember),
        ])
      ),
      ("challenge", challenge.map { .string($0) }),
      ("simulated", isSimulated ? .bool(true) : nil),
    ]
  }
}

/// Records: claims that are sealed. Sealed claims cannot be migrated, so members are only ever
/// added; a reader passes over those that it does not know.
public enum Record {
  /// The schema's name.
  public static let schema = "standpoint.record/1"
}
