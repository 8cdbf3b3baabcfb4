import Inspection
import TimeAndText

/// The office's word, under its own key, that its log has the delivery of a receipt, with the proof and the log's key.
/// The device keeps it: an office that rewrites its log later contradicts what it has given out.
public struct ReceiptProof: Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.receipt-proof/1"
  /// The ending of its files.
  public static let ending = ".receipt-proof"
  /// The longest JWS that is read, in bytes.
  private static let sizeLimit = 262_144

  /// The receipt's identifier.
  public let receipt: Identifier
  /// SHA-256 of the receipt's JWS.
  public let digest: String
  /// The number of the delivery's entry in the log, from 1.
  public let entry: Int
  /// The time at which the office gave the proof.
  public let given: DeviceTime
  /// The key of the log's checkpoints, as C2SP's `NAME+ID+KEY`.
  public let log: String
  /// The proof, as C2SP's `tlog-proof` writes it, with the log's line.
  public let proof: String
  /// The compact JWS: `header.payload.signature`.
  public let jws: String
  /// The certificate of the key that signed, from the header's `x5c`.
  public let certificate: EvidenceCertificate

  /// Signs a proof.
  /// - Throws: `EvidenceError.malformedReceipt` if the certificate is not that of the key; the key's error if it does
  ///   not sign.
  public init(
    of receipt: Receipt, entry: Int, log: String, proof: String, given: DeviceTime,
    signedWith signer: some DeviceKey,
    certificate: EvidenceCertificate
  ) throws {
    (self.receipt, self.entry, self.given) = (receipt.id, entry, given)
    digest = Digest.hexadecimal(Array(receipt.jws.utf8))
    (self.log, self.proof, self.certificate) = (log, proof, certificate)
    let payload = JSONValue.object([
      "schema": .string(Self.schema), "receipt": .string(receipt.id.description),
      "digest": .string(digest), "entry": .integer(entry), "log": .string(log),
      "proof": .string(proof), "given": .string(given.rfc3339),
    ])
    jws = try OfficeStatement.sign(
      payload, with: signer, certificate: certificate, else: EvidenceError.malformedReceipt)
  }

  /// Reads a proof, and checks the signature by the certificate in `x5c`. The caller must check that an authority
  /// issued that certificate, and the proof itself.
  /// - Throws: `EvidenceError.malformedReceipt`.
  public init(jws: String) throws(EvidenceError) {
    let statement = try OfficeStatement(
      jws: jws, schema: Self.schema, limit: Self.sizeLimit, else: EvidenceError.malformedReceipt)
    let payload = statement.payload
    guard let receipt = payload["receipt"]?.text.flatMap(Identifier.init(_:)),
      let digest = payload["digest"]?.text, Digest.isDigest(digest),
      let entry = payload["entry"]?.wholeNumber, entry > 0,
      let given = payload["given"]?.text.flatMap(DeviceTime.init(rfc3339:)),
      let log = payload["log"]?.text, let proof = payload["proof"]?.text
    else { throw .malformedReceipt("a member of its proof is missing or has the wrong type") }
    (self.receipt, self.digest, self.entry, self.given) = (receipt, digest, entry, given)
    (self.log, self.proof, self.jws) = (log, proof, jws)
    certificate = statement.certificate
  }

  /// The entry and its log, as a device tells the office what it has.
  public var mark: String { "\(entry)-\(Self.mark(ofLog: log))" }

  /// The mark of a log's key.
  public static func mark(ofLog key: String) -> String {
    String(Digest.hexadecimal(Array(key.utf8)).prefix(16))
  }
}
