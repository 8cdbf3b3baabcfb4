import Inspection

/// A record with its seal, as the file beside a photo holds them (`ID.jpg.seal`): canonical JSON, so
/// that not one byte of it can change unnoticed.
public struct SealFile: Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.seal/1"

  /// A larger file is refused: a record has some ten thousand bytes.
  static let sizeLimit = 4 << 20

  /// What is claimed.
  public let record: JSONValue
  /// The link's signature.
  public let seal: Seal

  /// A record with its seal.
  public init(record: JSONValue, seal: Seal) {
    self.record = record
    self.seal = seal
  }

  /// The file's bytes.
  public var bytes: [UInt8] {
    JSONValue.object([
      "schema": .string(Self.schema), "record": record, "seal": .string(seal.jws),
    ]).canonicalBytes
  }

  /// Reads a seal file and checks all that can be checked without other files: canonical form,
  /// signature, and that the seal is over this record.
  /// - Throws: `EvidenceError`.
  public init(_ bytes: [UInt8]) throws(EvidenceError) {
    guard bytes.count <= Self.sizeLimit else {
      throw .malformedSeal("it has \(bytes.count) bytes; at most \(Self.sizeLimit) are read")
    }
    let json = try JSONValue(parsing: bytes)
    guard json["schema"]?.text == Self.schema, let record = json["record"],
      let jws = json["seal"]?.text
    else { throw .malformedSeal("its schema is not \(Self.schema), or a member is missing") }
    let seal = try Seal(jws: jws)
    // A member beside these three would be signed by nobody.
    guard SealFile(record: record, seal: seal).bytes == bytes else {
      throw .malformedSeal("its bytes are not those that were written")
    }
    guard Digest.hexadecimal(record.canonicalBytes) == seal.link.record else {
      throw .malformedSeal("the record is not the one that was sealed")
    }
    guard record["schema"]?.text == Record.schema else {
      throw .malformedSeal("the record's schema is not \(Record.schema)")
    }
    guard record["id"]?.text == seal.link.id.description,
      record["kind"]?.text == seal.link.kind.rawValue,
      record["device"]?["key"]?.text == seal.link.key
    else { throw .malformedSeal("record and link name different things") }
    self.record = record
    self.seal = seal
  }
}
