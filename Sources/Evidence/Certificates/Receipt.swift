import Inspection
import TimeAndText

/// The office's signed answer that it holds records and files.
public struct Receipt: Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.receipt/1"

  /// The longest JWS that is read, in bytes: some twenty thousand digests.
  static let sizeLimit = 2 << 20

  /// The highest place of a chain that the office holds.
  public struct Head: Hashable, Sendable {
    /// The link's place in the chain, from 1.
    public var sequence: Int
    /// SHA-256 of the link's JWS.
    public var link: String

    /// Creates a head.
    public init(sequence: Int, link: String) {
      self.sequence = sequence
      self.link = link
    }
  }

  /// The receipt's identifier.
  public let id: Identifier
  /// The batch that the receipt answers.
  public let batch: Identifier
  /// The agency to which the delivered records belong.
  public let agency: String
  /// The inspector's login.
  public let inspector: String
  /// Thumbprint of the key that sealed the records.
  public let key: String
  /// The highest place of the key's chain; nil if the office holds no link of it.
  public let head: Head?
  /// SHA-256 digests of the records held, sorted.
  public let records: [String]
  /// SHA-256 digests of the files and raw windows held, sorted.
  public let files: [String]
  /// The time of the receipt, by the office's clock.
  public let received: DeviceTime
  /// The compact JWS: `header.payload.signature`.
  public let jws: String
  /// The certificate of the key that signed, from the header's `x5c`.
  public let certificate: EvidenceCertificate

  /// Signs a receipt. The digests are sorted, and each is listed once.
  /// - Throws: `EvidenceError.malformedReceipt` if the certificate is not that of the key or a
  ///   digest is no SHA-256; the key's error if it does not sign.
  public init(
    id: Identifier, batch: Identifier, agency: String, inspector: String, key: String,
    head: Head?, records: [String], files: [String], received: DeviceTime,
    signedWith signer: some DeviceKey, certificate: EvidenceCertificate
  ) throws {
    self.id = id
    self.batch = batch
    self.agency = agency
    self.inspector = inspector
    self.key = key
    self.head = head
    self.records = Set(records).sorted()
    self.files = Set(files).sorted()
    self.received = received
    self.certificate = certificate
    guard (self.records + self.files + [head?.link].compactMap(\.self)).allSatisfy(Digest.isDigest)
    else { throw EvidenceError.malformedReceipt("an entry of the receipt is not a SHA-256") }
    func list(_ digests: [String]) -> JSONValue { .array(digests.map { .string($0) }) }
    let payload = JSONValue.object(known: [
      ("schema", .string(Self.schema)), ("id", .string(id.description)),
      ("batch", .string(batch.description)), ("agency", .string(agency)),
      ("inspector", .string(inspector)), ("key", .string(key)),
      (
        "head",
        head.map { .object(["sequence": .integer($0.sequence), "link": .string($0.link)]) }
      ),
      ("records", list(self.records)), ("files", list(self.files)),
      ("received", .string(received.rfc3339)),
    ])
    jws = try OfficeStatement.sign(
      payload, with: signer, certificate: certificate, else: EvidenceError.malformedReceipt)
  }

  /// Reads a receipt, and checks its signature by the certificate in `x5c`. The caller must check
  /// that an authority issued that certificate.
  /// - Throws: `EvidenceError.malformedReceipt`.
  public init(jws: String) throws(EvidenceError) {
    let statement = try OfficeStatement(
      jws: jws, schema: Self.schema, limit: Self.sizeLimit, else: EvidenceError.malformedReceipt)
    let payload = statement.payload
    guard let id = payload["id"]?.text.flatMap(Identifier.init(_:)),
      let batch = payload["batch"]?.text.flatMap(Identifier.init(_:)),
      let agency = payload["agency"]?.text, let inspector = payload["inspector"]?.text,
      let key = payload["key"]?.text, let records = Self.digests(payload["records"]),
      let files = Self.digests(payload["files"]),
      let received = payload["received"]?.text.flatMap(DeviceTime.init(rfc3339:))
    else { throw .malformedReceipt("a member is missing or has the wrong type") }
    var head: Head?
    if let claimed = payload["head"] {
      guard let sequence = claimed["sequence"]?.wholeNumber, sequence >= 1,
        let link = claimed["link"]?.text, Digest.isDigest(link)
      else { throw .malformedReceipt("its member head is not a place and a SHA-256") }
      head = Head(sequence: sequence, link: link)
    }
    self.id = id
    self.batch = batch
    self.agency = agency
    self.inspector = inspector
    self.key = key
    self.head = head
    self.records = records
    self.files = files
    self.received = received
    self.jws = jws
    certificate = statement.certificate
  }

  /// Reads a list of digests; nil if the value is no sorted list of different digests.
  private static func digests(_ value: JSONValue?) -> [String]? {
    guard let elements = value?.elements else { return nil }
    let digests = elements.compactMap(\.text).filter(Digest.isDigest)
    guard digests.count == elements.count, digests == Set(digests).sorted() else { return nil }
    return digests
  }
}
