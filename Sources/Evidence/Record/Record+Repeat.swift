import Inspection
import TimeAndText

extension Record {
  /// Returns the part of a capture's record that says which photo point it repeats, and how well.
  static func repetition(_ claims: RepeatClaims) -> JSONValue {
    // The limit of an angle is 3 degrees, that of a displacement some per cent.
    func fine(_ value: Double) -> JSONValue? { .fixed(value, places: 2) }
    return .object(known: [
      ("point", .string(claims.point.description)),
      ("reference", .string(claims.referenceDigest)),
      ("distanceMetres", .metres(claims.distanceMetres)),
      (
        "distanceUncertaintyMetres95",
        claims.distanceUncertaintyMetres95.flatMap(JSONValue.metres)
      ),
      ("angleDegrees", claims.angleDegrees.flatMap(fine)),
      ("rollDegrees", claims.rollDegrees.flatMap(fine)),
      ("pitchDegrees", claims.pitchDegrees.flatMap(fine)),
      ("yawDegrees", claims.yawDegrees.flatMap(fine)),
      ("inliers", claims.inliers.map { .integer($0) }),
      ("displacementPercent", claims.displacementPercent.flatMap(fine)),
    ])
  }
}

extension SealFile {
  /// Returns the photo point that a capture repeats, with the record's numbers; nil if it repeats
  /// none.
  /// - Throws: `EvidenceError.malformedSeal` if a member is missing or not what it must be.
  public func repetition() throws(EvidenceError) -> RepeatClaims? {
    try Self.repetition(of: record)
  }

  static func repetition(of record: JSONValue) throws(EvidenceError) -> RepeatClaims? {
    guard let claimed = record["repeat"] else { return nil }
    func number(_ name: String, _ range: ClosedRange<Double>) throws(EvidenceError) -> Double? {
      guard let member = claimed[name] else { return nil }
      guard let value = member.measured, range.contains(value) else {
        throw .malformedSeal("the record's member repeat.\(name) is not valid")
      }
      return value
    }
    let half = -180.0...180.0
    guard let point = claimed["point"]?.text.flatMap(Identifier.init(_:)),
      let digest = claimed["reference"]?.text, digest.utf8.count == 64,
      let distance = try number("distanceMetres", 0...3e7)
    else { throw .malformedSeal("the record's member repeat is not valid") }
    var claims = RepeatClaims(point: point, referenceDigest: digest, distanceMetres: distance)
    claims.distanceUncertaintyMetres95 = try number("distanceUncertaintyMetres95", 0...3e7)
    claims.angleDegrees = try number("angleDegrees", 0...180)
    claims.rollDegrees = try number("rollDegrees", half)
    claims.pitchDegrees = try number("pitchDegrees", half)
    claims.yawDegrees = try number("yawDegrees", half)
    claims.displacementPercent = try number("displacementPercent", 0...1e6)
    claims.inliers = claimed["inliers"]?.wholeNumber.flatMap { $0 >= 0 ? $0 : nil }
    return claims
  }
}
