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
  /// The time of the receipt, by the office's clock.
  public let received: DeviceTime
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
    of receipt: Receipt, log: String, proof: String, signedWith signer: some DeviceKey,
    certificate: EvidenceCertificate
  ) throws {
    (self.receipt, self.received) = (receipt.id, receipt.received)
    digest = Digest.hexadecimal(Array(receipt.jws.utf8))
    (self.log, self.proof, self.certificate) = (log, proof, certificate)
    let payload = JSONValue.object([
      "schema": .string(Self.schema), "receipt": .string(receipt.id.description),
      "digest": .string(digest), "received": .string(received.rfc3339), "log": .string(log),
      "proof": .string(proof),
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
      let received = payload["received"]?.text.flatMap(DeviceTime.init(rfc3339:)),
      let log = payload["log"]?.text, let proof = payload["proof"]?.text
    else { throw .malformedReceipt("a member of its proof is missing or has the wrong type") }
    (self.receipt, self.digest, self.received) = (receipt, digest, received)
    (self.log, self.proof, self.jws) = (log, proof, jws)
    certificate = statement.certificate
  }
}
