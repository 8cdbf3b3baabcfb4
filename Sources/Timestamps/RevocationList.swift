// RFC 5280, 5: the certificates that an authority has revoked.

import SwiftASN1
import TimeAndText
import X509

/// An authority's list of the certificates that it has revoked.
public struct RevocationList: Sendable {
  /// The largest list that is read, bytes.
  public static let bytesAtMost = 4 << 20

  /// The authority's name.
  let issuer: DistinguishedName
  /// The time at which it was made.
  let made: DeviceTime
  private let revoked: [[UInt8]: DeviceTime]
  private let body: [UInt8]
  private let algorithm: ASN1ObjectIdentifier
  private let signature: [UInt8]

  /// Reads a list (DER). No signature is checked.
  /// - Throws: `TimestampProblem`.
  public init(der: [UInt8]) throws(TimestampProblem) {
    guard der.count <= Self.bytesAtMost else {
      throw TimestampProblem("the revocation list is larger than \(Self.bytesAtMost >> 20) MiB")
    }
    do {
      var list = try DER.parse(der).members
      let node = try list.next()
      body = Array(node.encodedBytes)
      var algorithm = try list.next().members
      self.algorithm = try algorithm.read(ASN1ObjectIdentifier.self)
      signature = Array(try list.read(ASN1BitString.self).bytes)
      var members = try node.members
      _ = members.optional(.integer)
      _ = try members.next()
      issuer = try members.read(DistinguishedName.self)
      made = try Self.time(try members.next())
      _ = members.optional(.utcTime) ?? members.optional(.generalizedTime)
      var revoked: [[UInt8]: DeviceTime] = [:]
      for entry in try members.optional(.sequence)?.members.all ?? [] {
        var parts = try entry.members
        let serial = try parts.next().primitive
        revoked[serial] = try Self.time(try parts.next())
      }
      self.revoked = revoked
    } catch let problem as TimestampProblem {
      throw problem
    } catch {
      throw TimestampProblem("the revocation list is none")
    }
  }

  private static func time(_ node: ASN1Node) throws -> DeviceTime {
    let time =
      node.identifier == .generalizedTime
      ? try GeneralizedTime(derEncoded: node) : try GeneralizedTime(try UTCTime(derEncoded: node))
    guard let time = DeviceTime(time) else {
      throw TimestampProblem("the revocation list has a time that is none")
    }
    return time
  }

  /// Returns true if this authority has signed the list.
  func isSigned(by certificate: Certificate) -> Bool {
    guard certificate.subject == issuer,
      let algorithm = algorithm.signatureAlgorithm(digest: algorithm)
    else { return false }
    return certificate.publicKey.isValidSignature(
      signature, for: body, signatureAlgorithm: algorithm)
  }

  /// Returns the time from which a certificate is revoked; nil if it is not.
  func revoked(_ certificate: Certificate) -> DeviceTime? {
    let serial = Array(certificate.serialNumber.bytes)
    return revoked[serial] ?? revoked[[0] + serial]
  }
}

extension GeneralizedTime {
  fileprivate init(_ time: UTCTime) throws {
    try self.init(
      year: time.year, month: time.month, day: time.day, hours: time.hours, minutes: time.minutes,
      seconds: time.seconds, fractionalSeconds: 0)
  }
}

extension Timestamp {
  /// The addresses at which the authorities of its certificates publish their revocation lists.
  public var revocationAddresses: [String] {
    var found: [String] = []
    for certificate in certificates {
      let addresses = Self.addresses(of: certificate)
      for address in addresses where !found.contains(address) { found.append(address) }
    }
    return found
  }

  private static func addresses(of certificate: Certificate) -> [String] {
    guard let points = certificate.extensions[oid: .distributionPoints],
      let nodes = try? DER.parse(Array(points.value)).members.all
    else { return [] }
    return nodes.flatMap { node -> [String] in
      guard var point = try? node.members, let name = point.optional(number: 0),
        var names = try? name.members, let full = names.optional(number: 0),
        let all = try? full.members.all
      else { return [] }
      let uri = ASN1Identifier(tagWithNumber: 6, tagClass: .contextSpecific)
      return all.filter { $0.identifier == uri }
        .compactMap { (try? $0.primitive).flatMap { String(validating: $0, as: UTF8.self) } }
        .filter { $0.hasPrefix("http://") || $0.hasPrefix("https://") }
    }
  }

  /// The certificates that came with it, as PEM: openssl's `-untrusted` takes them.
  public var certificatesPEM: String {
    certificates.compactMap { try? $0.serializeAsPEM().pemString + "\n" }.joined()
  }
}
