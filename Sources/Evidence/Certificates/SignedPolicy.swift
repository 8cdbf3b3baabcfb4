import Inspection
import TimeAndText

/// An agency's capture policy under the office's key, so that a field unit obeys no other policy,
/// and records can name it by its digest.
public struct SignedPolicy: Hashable, Sendable {
  /// The schema's name.
  public static let schema = "standpoint.policy/1"

  /// The longest JWS that is read, in bytes.
  private static let sizeLimit = 65_536

  /// The agency whose policy it is.
  public let agency: String
  /// The policy that was signed.
  public let policy: CapturePolicy
  /// The compact JWS: `header.payload.signature`.
  public let jws: String
  /// The certificate of the key that signed, from the header's `x5c`.
  public let certificate: EvidenceCertificate

  /// Returns true if the office of this authority signed the policy with its own key, and not with
  /// a key that the authority certified for a device.
  public func isSigned(under authority: EvidenceCertificate) -> Bool {
    certificate.isVouched(by: authority) && certificate.isOfOffice
  }

  /// SHA-256 of the JWS, by which records name the policy.
  public var digest: String { Digest.hexadecimal(Array(jws.utf8)) }

  /// Signs a policy.
  /// - Throws: `EvidenceError.malformedPolicy` if the certificate is not that of the key; the key's
  ///   error if it does not sign.
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
    if !policy.general.isEmpty { members["rules"] = policy.general.json }
    if !policy.types.isEmpty { members["types"] = .object(policy.types.mapValues(\.json)) }
    jws = try OfficeStatement.sign(
      .object(members), with: signer, certificate: certificate, else: EvidenceError.malformedPolicy)
  }

  /// Reads a policy, and checks its signature by the certificate in `x5c`. The caller must check
  /// that an authority issued that certificate. Rules that are not known here are passed over.
  /// - Throws: `EvidenceError.malformedPolicy`.
  public init(jws: String) throws(EvidenceError) {
    let statement = try OfficeStatement(
      jws: jws, schema: Self.schema, limit: Self.sizeLimit, else: EvidenceError.malformedPolicy)
    let payload = statement.payload
    guard let agency = payload["agency"]?.text,
      let revision = payload["revision"]?.wholeNumber, revision >= 1,
      let issued = payload["issued"]?.text.flatMap(DeviceTime.init(rfc3339:)),
      let surroundings = payload["surroundings"]?.flag
    else { throw .malformedPolicy("a member is missing or has the wrong type") }
    let days = payload["removeDeliveredAfterDays"]?.wholeNumber
    guard days.map(CapturePolicy.removalDays.contains) ?? true else {
      throw .malformedPolicy("its number of days is not allowed")
    }
    self.agency = agency
    var policy = CapturePolicy(
      revision: revision, issued: issued, removesDeliveredAfterDays: days,
      general: try CaptureRules(json: payload["rules"]))
    if case .object(let types)? = payload["types"] {
      for (type, rules) in types {
        guard policy.set(try CaptureRules(json: rules), forType: type) else {
          throw .malformedPolicy("it has too many types, or one without a name")
        }
      }
    }
    // These two members are outside of the rules, because policies of earlier versions have them
    // only there.
    if surroundings { policy.readsSurroundings = true }
    if payload["deliverAhead"]?.flag ?? false { policy.deliversAhead = true }
    self.policy = policy
    certificate = statement.certificate
    self.jws = jws
  }
}

extension CaptureRules {
  /// The rules that have a value, by their names.
  public var json: JSONValue {
    .object(
      Dictionary(
        uniqueKeysWithValues: rules.compactMap { rule in
          self[rule].map { (rule.rawValue, Self.json($0, of: rule)) }
        }))
  }

  private static func json(_ value: CaptureRule.Value, of rule: CaptureRule) -> JSONValue {
    switch (value, rule.kind) {
    case (.flag(let flag), _): .bool(flag)
    case (.number(let number), .number(_, places: 0)): .integer(Int(number))
    // Measures are text, as everywhere in sealed JSON, so that no reader rounds them.
    default: .string(rule.text(of: value))
    }
  }

  /// Reads the rules that `json` wrote; nil means no rules. A rule that is not known here is passed over.
  /// - Throws: `EvidenceError.malformedPolicy` if a rule has a value that it cannot have.
  public init(json: JSONValue?) throws(EvidenceError) {
    self.init()
    guard let json else { return }
    guard case .object(let members) = json else {
      throw .malformedPolicy("its rules are not an object")
    }
    for (name, member) in members {
      guard let rule = CaptureRule(rawValue: name) else { continue }
      guard let value = Self.value(member, of: rule) else {
        throw .malformedPolicy("its rule \(name) cannot have that value")
      }
      self[rule] = value
    }
  }

  private static func value(_ member: JSONValue, of rule: CaptureRule) -> CaptureRule.Value? {
    let value: CaptureRule.Value? =
      switch rule.kind {
      case .flag: member.flag.map { .flag($0) }
      case .number(_, places: 0): member.wholeNumber.map { .number(Double($0)) }
      case .number, .method, .receivers: member.text.flatMap(rule.value)
      }
    return value.flatMap { rule.allows($0) ? $0 : nil }
  }
}
