import Evidence
import Foundation
import Inspection
import Positioning

// A batch is everything that was sent since the last one: sealed records whole, and the links of
// what lies between them bare, so that the office can follow the key's chain without seeing what is
// nobody's business. It is made once, kept, and sent again byte by byte until a receipt comes: its
// identifier and those of all records were made on the device, so that a repetition adds nothing.
// Files travel beside it as they are, named by their SHA-256.

/// One delivery.
public struct BatchMessage: Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.batch/1"
  /// More than this in one batch is refused.
  public static let maximumLinks = 100_000

  /// A file that goes with the batch.
  public struct File: Hashable, Sendable {
    /// SHA-256 of its bytes.
    public var digest: String
    /// How many bytes it has.
    public var bytes: Int

    /// A file from its parts.
    public init(digest: String, bytes: Int) {
      self.digest = digest
      self.bytes = bytes
    }
  }

  /// Made on the device.
  public var id: Identifier
  /// Thumbprint of the key whose chain this is a piece of.
  public var key: String
  /// When it was made, by the device's clock.
  public var made: DeviceTime
  /// Links without their records, in the order of their places.
  public var links: [Seal]
  /// Sealed records, in the order of their places.
  public var seals: [SealFile]
  /// The files that these name and that were not deleted before.
  public var files: [File]

  /// A batch from its parts.
  public init(
    id: Identifier, key: String, made: DeviceTime, links: [Seal], seals: [SealFile], files: [File]
  ) {
    self.id = id
    self.key = key
    self.made = made
    self.links = links
    self.seals = seals
    self.files = files
  }

  /// The digests of its records.
  public var recordDigests: Set<String> { Set(seals.map(\.seal.link.record)) }
  /// The digests of its files.
  public var fileDigests: Set<String> { Set(files.map(\.digest)) }

  /// The message's bytes: canonical JSON.
  public var bytes: [UInt8] {
    // The seals are the last member in canonical order, and have their own bytes already.
    var bytes =
      JSONValue.object([
        "schema": .string(Self.schema), "id": .string(id.description), "key": .string(key),
        "made": .string(made.rfc3339), "links": .array(links.map { .string($0.jws) }),
        "files": .array(
          files.map { .object(["digest": .string($0.digest), "bytes": .integer($0.bytes)]) }),
      ]).canonicalBytes.dropLast() + Array(",\"seals\":[".utf8)
    bytes += seals.map(\.bytes).joined(separator: [UInt8(ascii: ",")])
    return bytes + Array("]}".utf8)
  }

  /// Reads a message. Every signature is checked on the way.
  /// - Throws: `SyncError` for what is no batch; `EvidenceError` for a seal that does not hold.
  public init(_ bytes: [UInt8]) throws {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: bytes)
    } catch {
      throw SyncError.malformedMessage("\(error)")
    }
    guard json["schema"]?.text == Self.schema else {
      throw SyncError.unknownSchema(found: json["schema"]?.text ?? "?", expected: Self.schema)
    }
    guard let id = json["id"]?.text.flatMap(Identifier.init(_:)), let key = json["key"]?.text,
      let made = json["made"]?.text.flatMap(DeviceTime.init(rfc3339:)),
      let links = json["links"]?.elements, let seals = json["seals"]?.elements,
      let files = json["files"]?.elements
    else { throw SyncError.malformedMessage("a member is missing or of another type") }
    guard links.count + seals.count <= Self.maximumLinks else {
      throw SyncError.malformedMessage("it has more than \(Self.maximumLinks) links")
    }
    self.init(
      id: id, key: key, made: made,
      links: try links.map { link in
        guard let text = link.text else {
          throw SyncError.malformedMessage("a link is no text")
        }
        return try Seal(jws: text)
      }, seals: try seals.map { try SealFile(json: $0) },
      files: try files.map { file in
        guard let digest = file["digest"]?.text, Digest.isDigest(digest),
          let count = file["bytes"]?.wholeNumber, count >= 0
        else { throw SyncError.malformedMessage("a file has no digest or no size") }
        return File(digest: digest, bytes: count)
      })
    guard (self.links + self.seals.map(\.seal)).allSatisfy({ $0.link.key == key }) else {
      throw SyncError.malformedMessage("a link belongs to another key than the batch")
    }
  }
}

/// What the office answers to a batch: which files it still lacks, or that it holds everything.
public struct BatchAnswer: Codable, Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.batch-answer/1"

  /// Name and version of the message.
  public var schema = Self.schema
  /// The batch.
  public var id: String
  /// SHA-256 of the files that the office does not hold yet.
  public var missing: [String]
  /// The receipt (compact JWS, `standpoint.receipt/1`); nil as long as something is missing.
  public var receipt: String?

  /// An answer from its parts.
  public init(id: String, missing: [String], receipt: String?) {
    self.id = id
    self.missing = missing
    self.receipt = receipt
  }
}

extension BatchMessage {
  /// Whether a receipt is for this batch, by this office, and names all that was sent. Nothing less
  /// turns anything to delivered.
  /// - Throws: `SyncError.receiptMismatch` with what does not match.
  public func requireMatch(
    _ receipt: Receipt, authority: EvidenceCertificate, person: Person
  ) throws(SyncError) {
    func mismatch(_ words: Wording) -> SyncError { .receiptMismatch(words) }
    guard receipt.certificate.isIssued(by: authority), receipt.certificate.isOfOffice else {
      throw mismatch("another office has signed it, or no office")
    }
    guard receipt.batch == id else { throw mismatch("it is for another batch") }
    guard receipt.agency == person.agency, receipt.inspector == person.login else {
      throw mismatch("it is for another inspector")
    }
    guard receipt.key == key else { throw mismatch("it is for another key") }
    let missing =
      recordDigests.subtracting(receipt.records).count
      + fileDigests.subtracting(receipt.files).count
    guard missing == 0 else { throw mismatch("\(missing) of the things sent are not named") }
    let head = (links + seals.map(\.seal)).max { $0.link.sequence < $1.link.sequence }
    guard let head else { return }
    guard let held = receipt.head, held.sequence >= head.link.sequence,
      held.sequence > head.link.sequence || held.link == head.digest
    else { throw mismatch("it does not name the end of the chain") }
  }
}
