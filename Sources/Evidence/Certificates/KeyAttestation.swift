import Foundation
import TimeAndText

/// The office's signed word that a TPM has proved to it: a device's key is in this TPM, and does not leave it. The TPM's
/// own description of the key and its maker's certificate are in it, so that strangers can judge both.
public struct KeyAttestation: Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.key-attestation/1"
  /// The ending of its files.
  package static let ending = ".attestation"
  /// The longest JWS that is read, in bytes.
  private static let sizeLimit = 65_536

  /// The things that a TPM has shown.
  public struct Shown: Hashable, Sendable {
    /// The agency to which the device belongs.
    public var agency: String
    /// Thumbprint of the key.
    public var key: String
    /// The time at which the TPM proved it, by the office's clock.
    public var time: DeviceTime
    /// The time at which the office signed this, by its clock: later if it signed again.
    public var signed: DeviceTime
    /// The TPM's description of the key (TPMT_PUBLIC).
    public var area: [UInt8]
    /// The certificate of the TPM's endorsement key, DER.
    public var makersCertificate: [UInt8]
    /// The name of the authority that vouches for the TPM's maker and that the office trusts; nil if it knows none.
    public var root: String?

    /// Creates a description.
    public init(
      agency: String, key: String, time: DeviceTime, signed: DeviceTime? = nil, area: [UInt8],
      makersCertificate: [UInt8], root: String?
    ) {
      (self.agency, self.key, self.time, self.signed) = (agency, key, time, signed ?? time)
      (self.area, self.makersCertificate, self.root) = (area, makersCertificate, root)
    }
  }

  /// The things that the TPM has shown.
  public let shown: Shown
  /// The compact JWS: `header.payload.signature`.
  public let jws: String
  /// The certificate of the key that signed, from the header's `x5c`.
  public let certificate: EvidenceCertificate

  /// Signs an attestation.
  /// - Throws: `EvidenceError.malformedAttestation` if the certificate is not that of the key; the key's error if it
  ///   does not sign.
  public init(
    _ shown: Shown, signedWith signer: some DeviceKey, certificate: EvidenceCertificate
  ) throws {
    (self.shown, self.certificate) = (shown, certificate)
    let payload = JSONValue.object(known: [
      ("schema", .string(Self.schema)), ("agency", .string(shown.agency)),
      ("key", .string(shown.key)), ("time", .string(shown.time.rfc3339)),
      ("signed", .string(shown.signed.rfc3339)),
      ("area", .string(Base64URL.text(shown.area))),
      ("makersCertificate", .string(Data(shown.makersCertificate).base64EncodedString())),
      ("root", shown.root.map { .string($0) }),
    ])
    jws = try OfficeStatement.sign(
      payload, with: signer, certificate: certificate, else: EvidenceError.malformedAttestation)
  }

  /// Reads an attestation, and checks its signature by the certificate in `x5c`. The caller must check that an
  /// authority issued that certificate, and that the description is of the key.
  /// - Throws: `EvidenceError.malformedAttestation`.
  public init(jws: String) throws(EvidenceError) {
    let statement = try OfficeStatement(
      jws: jws, schema: Self.schema, limit: Self.sizeLimit, else: EvidenceError.malformedAttestation
    )
    let payload = statement.payload
    guard let agency = payload["agency"]?.text, let key = payload["key"]?.text,
      let time = payload["time"]?.text.flatMap(DeviceTime.init(rfc3339:)),
      let area = payload["area"]?.text.flatMap(Base64URL.bytes),
      let maker = payload["makersCertificate"]?.text.flatMap({ Data(base64Encoded: $0) })
    else { throw .malformedAttestation("a member is missing or has the wrong type") }
    shown = Shown(
      agency: agency, key: key, time: time,
      signed: payload["signed"]?.text.flatMap(DeviceTime.init(rfc3339:)), area: area,
      makersCertificate: Array(maker),
      root: payload["root"]?.text)
    (self.jws, certificate) = (jws, statement.certificate)
  }
}
