import Evidence
import Foundation
import Inspection
import TimeAndText

// A batch is everything that was sent since the last one. It holds sealed records whole. Of the
// chain between them it holds only bare links, so that the office can follow the key's chain
// without seeing records that are not its business. A batch is made once, kept, and sent again byte
// by byte until a receipt comes. Its identifier and those of all records were made on the device,
// so that a repetition adds nothing. Files travel separately, unchanged, named by their SHA-256.

/// One delivery.
public struct BatchMessage: Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.batch/1"
  /// The most links in one batch, bare or with records. A larger batch is refused.
  public static let maximumLinks = 100_000

  /// A file that goes with the batch.
  public struct File: Hashable, Sendable {
    /// The SHA-256 of the file's bytes.
    public var digest: String
    /// The size of the file, bytes.
    public var bytes: Int

    /// Creates a file.
    public init(digest: String, bytes: Int) {
      self.digest = digest
      self.bytes = bytes
    }
  }

  /// The batch's identifier, made on the device.
  public var id: Identifier
  /// The thumbprint of the key to whose chain the batch belongs.
  public var key: String
  /// The time at which the batch was made, by the device's clock.
  public var made: DeviceTime
  /// The links without their records, in the order of the chain.
  public var links: [Seal]
  /// The sealed records, in the order of the chain.
  public var seals: [SealFile]
  /// The files that the records name, without those that were deleted before.
  public var files: [File]
  /// The office's challenges that the records name (compact JWS), as far as the device still has them.
  public var challenges: [String]

  /// Creates a batch.
  public init(
    id: Identifier, key: String, made: DeviceTime, links: [Seal], seals: [SealFile], files: [File],
    challenges: [String] = []
  ) {
    self.challenges = challenges
    self.id = id
    self.key = key
    self.made = made
    self.links = links
    self.seals = seals
    self.files = files
  }

  /// The digests of the batch's records.
  public var recordDigests: Set<String> { Set(seals.map(\.seal.link.record)) }
  /// The digests of the batch's files.
  public var fileDigests: Set<String> { Set(files.map(\.digest)) }

  /// The message's bytes: canonical JSON.
  public var bytes: [UInt8] {
    // The seals are the last member in canonical order, and already have their own bytes.
    let challenges = challenges.map { JSONValue.string($0) }
    var bytes =
      JSONValue.object(known: [
        ("schema", .string(Self.schema)), ("id", .string(id.description)), ("key", .string(key)),
        ("made", .string(made.rfc3339)), ("links", .array(links.map { .string($0.jws) })),
        ("challenges", challenges.isEmpty ? nil : .array(challenges)),
        (
          "files",
          .array(
            files.map { .object(["digest": .string($0.digest), "bytes": .integer($0.bytes)]) })
        ),
      ]).canonicalBytes.dropLast() + Array(",\"seals\":[".utf8)
    bytes += seals.map(\.bytes).joined(separator: [UInt8(ascii: ",")])
    return bytes + Array("]}".utf8)
  }

  /// Reads a message, and checks every signature in it.
  /// - Throws: `SyncError` if the bytes are not a batch; `EvidenceError` if a seal does not hold.
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
    else { throw SyncError.malformedMessage("a member is missing or has the wrong type") }
    guard links.count + seals.count <= Self.maximumLinks else {
      throw SyncError.malformedMessage("it has more than \(Self.maximumLinks) links")
    }
    self.init(
      id: id, key: key, made: made,
      links: try links.map { link in
        guard let text = link.text else {
          throw SyncError.malformedMessage("a link is not text")
        }
        return try Seal(jws: text)
      }, seals: try seals.map { try SealFile(json: $0) },
      files: try files.map { file in
        guard let digest = file["digest"]?.text, Digest.isDigest(digest),
          let count = file["bytes"]?.wholeNumber, count >= 0
        else { throw SyncError.malformedMessage("a file has no digest or no size") }
        return File(digest: digest, bytes: count)
      }, challenges: json["challenges"]?.elements?.compactMap(\.text) ?? [])
    guard (self.links + self.seals.map(\.seal)).allSatisfy({ $0.link.key == key }) else {
      throw SyncError.malformedMessage("a link belongs to a different key than the batch")
    }
  }
}

extension BatchMessage {
  /// Returns the challenges of this office that the batch's records name. Others are left out: they prove nothing.
  public func challenges(under authorities: [EvidenceCertificate]) -> [CaptureChallenge] {
    let named = Set(seals.compactMap { CaptureChallenge.digest(in: $0.record) })
    return Set(challenges).filter { named.contains(Digest.hexadecimal(Array($0.utf8))) }
      .compactMap { try? CaptureChallenge(jws: $0) }
      .filter { challenge in
        challenge.key == key && authorities.contains(where: challenge.isSigned)
      }
  }
}

/// The office's answer to a batch: the files that it still lacks, or a receipt for everything.
public struct BatchAnswer: Codable, Hashable, Sendable {
  /// The schema's name and version.
  public static let schema = "standpoint.batch-answer/1"

  /// The name and version of this message.
  public var schema = Self.schema
  /// The identifier of the batch.
  public var id: String
  /// The SHA-256 of each file that the office does not hold yet.
  public var missing: [String]
  /// The receipt (compact JWS, `standpoint.receipt/1`); nil while a file is missing.
  public var receipt: String?

  /// Creates an answer.
  public init(id: String, missing: [String], receipt: String?) {
    self.id = id
    self.missing = missing
    self.receipt = receipt
  }
}

extension BatchMessage {
  /// Checks that a receipt is for this batch, comes from this office, and names everything that was
  /// sent. Only such a receipt makes records count as delivered.
  /// - Throws: `SyncError.receiptMismatch` with the difference.
  public func requireMatch(
    _ receipt: Receipt, authority: EvidenceCertificate, person: Person
  ) throws(SyncError) {
    func mismatch(_ words: Wording) -> SyncError { .receiptMismatch(words) }
    guard receipt.certificate.isVouched(by: authority), receipt.certificate.isOfOffice else {
      throw mismatch("it was signed by another office, or by none")
    }
    guard receipt.batch == id else { throw mismatch("it is for another batch") }
    guard receipt.agency == person.agency, receipt.inspector == person.login else {
      throw mismatch("it is for another inspector")
    }
    guard receipt.key == key else { throw mismatch("it is for another key") }
    let missing =
      recordDigests.subtracting(receipt.records).count
      + fileDigests.subtracting(receipt.files).count
    guard missing == 0 else { throw mismatch("\(missing) of the items sent are not named") }
    let head = (links + seals.map(\.seal)).max { $0.link.sequence < $1.link.sequence }
    guard let head else { return }
    guard let held = receipt.head, held.sequence >= head.link.sequence,
      held.sequence > head.link.sequence || held.link == head.digest
    else { throw mismatch("it does not name the end of the chain") }
  }
}
