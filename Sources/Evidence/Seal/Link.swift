import Inspection
import TimeAndText

/// The kind of a record, by the subject of its claims.
public enum RecordKind: String, Hashable, Sendable, CaseIterable {
  case capture
  case track
  case note
  case transition
  case deletion
  /// An answer to an item of an order.
  case answer
  /// A set of frames, taken while walking round a thing.
  case around
  /// A set of frames, taken while turning on the spot.
  case turn
}

/// One link of a key's chain: it binds a record, its file and its raw window to a place in the chain.
public struct Link: Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.link/1"

  /// Thumbprint of the key that signs.
  public var key: String
  /// The place in the key's chain, from 1.
  public var sequence: Int
  /// SHA-256 of the preceding link's JWS; nil for the first.
  public var previous: String?
  /// The record's kind.
  public var kind: RecordKind
  /// The record's identifier.
  public var id: Identifier
  /// SHA-256 of the canonical record.
  public var record: String
  /// SHA-256 of the stored file; nil if the record has none.
  public var file: String?
  /// SHA-256 of the stored raw window; nil if the record has none.
  public var raw: String?

  /// Creates a link.
  public init(
    key: String, sequence: Int, previous: String?, kind: RecordKind, id: Identifier,
    record: String, file: String?, raw: String?
  ) {
    self.key = key
    self.sequence = sequence
    self.previous = previous
    self.kind = kind
    self.id = id
    self.record = record
    self.file = file
    self.raw = raw
  }

  /// The link as JSON.
  public var json: JSONValue {
    .object(known: [
      ("schema", .string(Self.schema)), ("key", .string(key)), ("sequence", .integer(sequence)),
      ("previous", previous.map { .string($0) }), ("kind", .string(kind.rawValue)),
      ("id", .string(id.description)), ("record", .string(record)),
      ("file", file.map { .string($0) }), ("raw", raw.map { .string($0) }),
    ])
  }

  /// Reads a link. Unknown members are passed over here; the signature still covers them.
  /// - Throws: `EvidenceError.malformedSeal`.
  public init(_ json: JSONValue) throws(EvidenceError) {
    guard json["schema"]?.text == Self.schema else {
      throw .malformedSeal("the link's schema is not \(Self.schema)")
    }
    guard let key = json["key"]?.text, let sequence = json["sequence"]?.wholeNumber,
      sequence >= 1, let kind = json["kind"]?.text.flatMap(RecordKind.init(rawValue:)),
      let id = json["id"]?.text.flatMap(Identifier.init(_:)),
      let record = try Self.digest(json, "record")
    else { throw .malformedSeal("a member of the link is missing or has the wrong type") }
    self.init(
      key: key, sequence: sequence, previous: try Self.digest(json, "previous"), kind: kind,
      id: id, record: record, file: try Self.digest(json, "file"),
      raw: try Self.digest(json, "raw"))
  }

  /// Reads a digest; nil if there is no such member. A member that is there must be a digest, or a
  /// file would go unchecked.
  private static func digest(
    _ json: JSONValue, _ name: String
  ) throws(EvidenceError) -> String? {
    guard let member = json[name] else { return nil }
    guard let text = member.text, Digest.isDigest(text) else {
      throw .malformedSeal("the link's member \(name) is not a SHA-256")
    }
    return text
  }
}
