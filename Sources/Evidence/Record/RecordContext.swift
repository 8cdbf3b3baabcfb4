import Inspection
import Positioning

/// What is the same in every record that a device makes.
public struct RecordContext: Hashable, Sendable {
  /// Who did it.
  public var person: Person
  /// The device's identifier.
  public var device: String
  /// Thumbprint of the device's key.
  public var key: String
  /// Name and version of the program.
  public var software: String
  /// The receiver's source, as `--gnss` names it; nil where no receiver had a part in it.
  public var source: String?
  /// The receiver's name; nil when unknown.
  public var receiver: String?
  /// Whether a simulator or a replay stood in for the receiver.
  public var isSimulated: Bool

  /// A context from its parts.
  public init(
    person: Person, device: String, key: String, software: String, source: String? = nil,
    receiver: String? = nil, isSimulated: Bool
  ) {
    self.person = person
    self.device = device
    self.key = key
    self.software = software
    self.source = source
    self.receiver = receiver
    self.isSimulated = isSimulated
  }

  /// The members that begin every record.
  func members(id: Identifier, kind: RecordKind) -> [(String, JSONValue?)] {
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
      ("simulated", isSimulated ? .bool(true) : nil),
    ]
  }
}

/// Records: what is claimed, and sealed. What is sealed cannot be migrated, so members are only ever
/// added; a reader passes over those it does not know.
public enum Record {
  /// The schema's name.
  public static let schema = "standpoint.record/1"
}
