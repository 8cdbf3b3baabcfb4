import Inspection
import Positioning

/// An agency's capture policy under the office's key, so that a field unit obeys nobody else's, and
/// records can name it by its digest.
public struct SignedPolicy: Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.policy/1"

  /// A longer JWS is refused.
  private static let sizeLimit = 65_536

  /// The agency that lays it down.
  public let agency: String
  /// What it lays down.
  public let policy: CapturePolicy
  /// `header.payload.signature`.
  public let jws: String
  /// The certificate of the key that signed, from the header's `x5c`.
  public let certificate: EvidenceCertificate

  /// Whether the office of this authority has signed it: its own key, not one that it has certified for
  /// a device.
  public func isSigned(under authority: EvidenceCertificate) -> Bool {
    certificate.isIssued(by: authority) && certificate.isOfOffice
  }

  /// SHA-256 of the JWS, as records name it.
  public var digest: String { Digest.hexadecimal(Array(jws.utf8)) }

  /// Signs a policy.
  /// - Throws: `EvidenceError.malformedPolicy` when the certificate is not that of the key; what the
  ///   key throws when it does not sign.
  public init(
    _ policy: CapturePolicy, agency: String, signedWith signer: some DeviceKey,
    certificate: EvidenceCertificate
  ) throws {
    self.agency = agency
    self.policy = policy
    self.certificate = certificate
    var members: [String: JSONValue] = [
      "schema": .string(Self.schema), "agency": .string(agency),
      "revision": .integer(policy.revision), "issued": .string(policy.issued.rfc3339),
      "surroundings": .bool(policy.readsSurroundings),
      "deliverAhead": .bool(policy.deliversAhead),
    ]
    members["removeDeliveredAfterDays"] = policy.removesDeliveredAfterDays.map { .integer($0) }
    jws = try OfficeStatement.sign(
      .object(members), with: signer, certificate: certificate, else: EvidenceError.malformedPolicy)
  }

  /// Reads a policy whose signature holds. Whether an authority issued the certificate is another
  /// question. What it lays down that is not known here is passed over.
  /// - Throws: `EvidenceError.malformedPolicy`.
  public init(jws: String) throws(EvidenceError) {
    let statement = try OfficeStatement(
      jws: jws, schema: Self.schema, limit: Self.sizeLimit, else: EvidenceError.malformedPolicy)
    let payload = statement.payload
    guard let agency = payload["agency"]?.text,
      let revision = payload["revision"]?.wholeNumber, revision >= 1,
      let issued = payload["issued"]?.text.flatMap(DeviceTime.init(rfc3339:)),
      let surroundings = payload["surroundings"]?.flag
    else { throw .malformedPolicy("it lacks a member, or one is not of its type") }
    let days = payload["removeDeliveredAfterDays"]?.wholeNumber
    guard days.map(CapturePolicy.removalDays.contains) ?? true else {
      throw .malformedPolicy("its days are none that can be laid down")
    }
    self.agency = agency
    policy = CapturePolicy(
      revision: revision, issued: issued, readsSurroundings: surroundings,
      // A policy of an earlier version says nothing of these.
      deliversAhead: payload["deliverAhead"]?.flag ?? false, removesDeliveredAfterDays: days)
    certificate = statement.certificate
    self.jws = jws
  }
}
