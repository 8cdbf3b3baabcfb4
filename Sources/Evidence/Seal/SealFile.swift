import Inspection
import Positioning
import TimeAndText

/// A record with its seal, as the file next to a photo holds them (`ID.jpg.seal`): canonical JSON,
/// so that no byte of it can change unnoticed.
public struct SealFile: Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.seal/1"

  /// The largest file that is read, in bytes: a record has some ten thousand.
  static let sizeLimit = 4 << 20

  /// The record with its claims.
  public let record: JSONValue
  /// The record's canonical bytes, over which the link's digest is made.
  public let recordBytes: [UInt8]
  /// The seal over the link.
  public let seal: Seal

  /// Creates a seal file from a record and its seal.
  public init(record: JSONValue, seal: Seal) {
    self.record = record
    recordBytes = record.canonicalBytes
    self.seal = seal
  }

  /// The file's bytes. They are canonical, because `record`, `schema` and `seal` are in sorted order.
  public var bytes: [UInt8] {
    var bytes = Array("{\"record\":".utf8)
    bytes.reserveCapacity(recordBytes.count + seal.jws.utf8.count + 64)
    bytes += recordBytes
    bytes += ",\"schema\":".utf8
    bytes += JSONValue.string(Self.schema).canonicalBytes
    bytes += ",\"seal\":".utf8
    bytes += JSONValue.string(seal.jws).canonicalBytes
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// Reads a seal file and checks all that can be checked without other files: canonical form,
  /// signature, and that the seal is over this record.
  /// - Throws: `EvidenceError`.
  public init(_ bytes: [UInt8]) throws(EvidenceError) {
    guard bytes.count <= Self.sizeLimit else {
      throw .malformedSeal("it has \(bytes.count) bytes; at most \(Self.sizeLimit) are read")
    }
    try self.init(json: try JSONValue(parsing: bytes))
    guard self.bytes == bytes else {
      throw .malformedSeal("its bytes have changed since they were written")
    }
  }

  /// Reads the JSON of a seal file, and checks everything except the form of its bytes.
  /// - Throws: `EvidenceError`.
  public init(json: JSONValue) throws(EvidenceError) {
    guard json["schema"]?.text == Self.schema, let record = json["record"],
      let jws = json["seal"]?.text
    else { throw .malformedSeal("its schema is not \(Self.schema), or a member is missing") }
    // A member in addition to these three would not be signed.
    guard case .object(let members) = json, members.count == 3 else {
      throw .malformedSeal("it has members other than record, schema and seal")
    }
    self.init(record: record, seal: try Seal(jws: jws))
    guard bytes.count <= Self.sizeLimit else {
      throw .malformedSeal("it has more than \(Self.sizeLimit) bytes")
    }
    guard Digest.hexadecimal(recordBytes) == seal.link.record else {
      throw .malformedSeal("the record is not the one that was sealed")
    }
    guard record["schema"]?.text == Record.schema else {
      throw .malformedSeal("the record's schema is not \(Record.schema)")
    }
    guard record["id"]?.text == seal.link.id.description,
      record["kind"]?.text == seal.link.kind.rawValue,
      record["device"]?["key"]?.text == seal.link.key
    else { throw .malformedSeal("the record and the link are about different things") }
  }
}
