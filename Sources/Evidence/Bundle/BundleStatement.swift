import Inspection
import TimeAndText

/// The office's signed statement of what a bundle holds: all of its files, of what it is the evidence, and as of
/// which entry of the office's log.
public struct BundleStatement: Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.bundle/1"
  /// The longest JWS that is read, in bytes: enough for a digest of each file of the largest archive.
  static let sizeLimit = 32 << 20

  /// The thing by which a bundle was chosen.
  public struct Selection: Hashable, Sendable {
    /// The task.
    public var task: Identifier
    /// The task's name at that time.
    public var name: String

    /// All evidence of a task.
    public init(task: Identifier, name: String) { (self.task, self.name) = (task, name) }
  }

  /// A checkpoint of the office's log.
  public struct LogState: Hashable, Sendable {
    /// The key of the log's checkpoints, as C2SP's `NAME+ID+KEY`.
    public var key: String
    /// The number of its entries.
    public var entries: Int
    /// The hash of their tree, in Base64.
    public var root: String

    /// The log under a key, with so many entries.
    public init(key: String, entries: Int, root: String) {
      (self.key, self.entries, self.root) = (key, entries, root)
    }
  }

  /// The office's words about a bundle.
  public struct Contents: Hashable, Sendable {
    /// The agency of the records.
    public var agency: String
    /// The thing by which the bundle was chosen; all of it is in the bundle.
    public var selection: Selection
    /// The number of the agency's last entry in the office's log when the evidence was read; nil before the first.
    public var logEntry: Int?
    /// A checkpoint of the log that has the receipts' deliveries; nil if the office cannot vouch for its log.
    public var log: LogState?
    /// The digests of the records that no receipt in the bundle names, sorted.
    public var unreceipted: [String]
    /// The thumbprints of the bundle's keys that were revoked by then, sorted.
    public var revoked: [String]
    /// The time of the bundle, by the office's clock.
    public var made: DeviceTime

    /// Says what a bundle holds.
    public init(
      agency: String, selection: Selection, logEntry: Int?, log: LogState?,
      unreceipted: [String], revoked: [String], made: DeviceTime
    ) {
      (self.agency, self.selection) = (agency, selection)
      (self.logEntry, self.log) = (logEntry, log)
      (self.unreceipted, self.revoked) = (unreceipted.sorted(), revoked.sorted())
      self.made = made
    }
  }

  /// The office's words about the bundle.
  public let contents: Contents
  /// The number of files on the list.
  public let files: Int
  /// SHA-256 of the list.
  public let list: String
  /// The compact JWS: `header.payload.signature`.
  public let jws: String
  /// The certificate of the key that signed, from the header's `x5c`.
  public let certificate: EvidenceCertificate

  /// Signs a statement over a list.
  /// - Throws: `EvidenceError.malformedList` if the certificate is not that of the key; the key's error if it
  ///   does not sign.
  package init(
    _ contents: Contents, list: BundleList, signedWith signer: some DeviceKey,
    certificate: EvidenceCertificate
  ) throws {
    self.contents = contents
    self.certificate = certificate
    files = list.digests.count
    self.list = Digest.hexadecimal(list.bytes)
    func texts(_ list: [String]) -> JSONValue { .array(list.map { .string($0) }) }
    let payload = JSONValue.object(known: [
      ("schema", .string(Self.schema)), ("agency", .string(contents.agency)),
      (
        "selection",
        .object([
          "task": .string(contents.selection.task.description),
          "name": .string(contents.selection.name),
        ])
      ),
      ("logEntry", contents.logEntry.map { .integer($0) }),
      (
        "log",
        contents.log.map {
          .object([
            "key": .string($0.key), "entries": .integer($0.entries), "root": .string($0.root),
          ])
        }
      ),
      ("files", .integer(files)),
      ("list", .string(self.list)), ("unreceipted", texts(contents.unreceipted)),
      ("revoked", texts(contents.revoked)), ("made", .string(contents.made.rfc3339)),
    ])
    jws = try OfficeStatement.sign(
      payload, with: signer, certificate: certificate, else: EvidenceError.malformedList)
  }

  /// Reads a statement, and checks its signature by the certificate in `x5c`. The caller must check that an
  /// authority issued that certificate.
  /// - Throws: `EvidenceError.malformedList`.
  public init(jws: String) throws(EvidenceError) {
    let statement = try OfficeStatement(
      jws: jws, schema: Self.schema, limit: Self.sizeLimit, else: EvidenceError.malformedList)
    // Offices have always written the one spelling of a signature whose s is the lower one.
    guard let signature = jws.split(separator: ".").last.flatMap({ Base64URL.bytes($0) }),
      ECDSATwin.low(signature) == signature
    else { throw .malformedList("its signature is spelled in another way than offices do") }
    let payload = statement.payload
    let unreceipted = payload["unreceipted"]?.elements?.compactMap(\.text)
    let revoked = payload["revoked"]?.elements?.compactMap(\.text)
    guard let agency = payload["agency"]?.text,
      let task = payload["selection"]?["task"]?.text.flatMap(Identifier.init(_:)),
      let name = payload["selection"]?["name"]?.text,
      let files = payload["files"]?.wholeNumber, files >= 0,
      let list = payload["list"]?.text, Digest.isDigest(list),
      let unreceipted, unreceipted.allSatisfy(Digest.isDigest), let revoked,
      payload["logEntry"] == nil || payload["logEntry"]?.wholeNumber ?? 0 > 0,
      let made = payload["made"]?.text.flatMap(DeviceTime.init(rfc3339:))
    else { throw .malformedList("a member of its statement is missing or has the wrong type") }
    let log = try payload["log"].map { (json) throws(EvidenceError) in try Self.log(json) }
    contents = Contents(
      agency: agency, selection: Selection(task: task, name: name),
      logEntry: payload["logEntry"]?.wholeNumber, log: log, unreceipted: unreceipted,
      revoked: revoked, made: made)
    (self.files, self.list, self.jws) = (files, list, jws)
    certificate = statement.certificate
  }

  private static func log(_ json: JSONValue) throws(EvidenceError) -> LogState {
    guard let key = json["key"]?.text, let entries = json["entries"]?.wholeNumber, entries > 0,
      let root = json["root"]?.text
    else { throw .malformedList("its log is not a key, a number of entries and a hash") }
    return LogState(key: key, entries: entries, root: root)
  }
}
