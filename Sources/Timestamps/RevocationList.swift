// RFC 5280, 5: the certificates that an authority has revoked.

import SwiftASN1
import TimeAndText
import X509

/// An authority's list of the certificates that it has revoked.
public struct RevocationList: Sendable {
  /// The largest list that is read, bytes.
  public static let bytesAtMost = 1 << 20

  /// The authority's name.
  let issuer: DistinguishedName
  /// The time at which it was made.
  let made: DeviceTime
  /// The time by which the next one was promised; nil if nothing was.
  private let next: DeviceTime?
  private let revoked: [[UInt8]: Entry]
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
      next = try (members.optional(.utcTime) ?? members.optional(.generalizedTime))
        .map(Self.time)
      var revoked: [[UInt8]: Entry] = [:]
      for entry in try members.optional(.sequence)?.members.all ?? [] {
        var parts = try entry.members
        let serial = try parts.next().primitive
        let time = try Self.time(try parts.next())
        let reason = try parts.optional(.sequence).map(Self.reason) ?? nil
        revoked[serial] = Entry(time: time, reason: reason)
      }
      self.revoked = revoked
      // Lists of a part of the certificates, or of changes since another list, say so critically.
      if let extensions = members.optional(number: 0) {
        for list in try extensions.members.all { _ = try Self.extensions(list) }
      }
    } catch let problem as TimestampProblem {
      throw problem
    } catch {
      throw TimestampProblem("the revocation list is none")
    }
  }

  /// An entry of a list.
  private struct Entry {
    var time: DeviceTime
    /// The number of the reason (RFC 5280, 5.3.1); nil if it is not said.
    var reason: Int?

    /// True if the key was not in wrong hands before: then what it has signed before stays good (RFC 3161, 4).
    var isOrderly: Bool { reason.map([0, 3, 4, 5].contains) ?? false }
  }

  /// Reads extensions, of which no critical one is known here.
  private static func extensions(
    _ node: ASN1Node
  ) throws -> [(name: ASN1ObjectIdentifier, value: [UInt8])] {
    try node.members.all.map { node in
      var parts = try node.members
      let name = try parts.read(ASN1ObjectIdentifier.self)
      if let flag = parts.optional(.boolean), try Bool(derEncoded: flag) {
        throw TimestampProblem("the revocation list has a condition that is unknown here")
      }
      return (name, try parts.next().primitive)
    }
  }

  private static func reason(_ node: ASN1Node) throws -> Int? {
    let found = try extensions(node).first { $0.name == [2, 5, 29, 21] as ASN1ObjectIdentifier }
    guard let found else { return nil }
    return try DER.parse(found.value).primitive.reduce(0) { ($0 & 0xFF) << 8 | Int($1) }
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
      (try? certificate.extensions.keyUsage)?.cRLSign ?? true,
      let algorithm = algorithm.signatureAlgorithm(digest: algorithm)
    else { return false }
    return certificate.publicKey.isValidSignature(
      signature, for: body, signatureAlgorithm: algorithm)
  }

  /// Returns true if the list says how it was at a time: it was made later, or before its next one was due.
  func says(howItWasAt time: DeviceTime) -> Bool {
    made >= time || next.map { $0 >= time } ?? false
  }

  /// Returns the time at which a certificate was revoked, if what it signed at a time is not good any more; nil
  /// otherwise.
  func revoked(_ certificate: Certificate, signing time: DeviceTime) -> DeviceTime? {
    let serial = Array(certificate.serialNumber.bytes)
    guard let entry = revoked[serial] ?? revoked[[0] + serial] else { return nil }
    // A thief of the key can also write an earlier time.
    return entry.time <= time || !entry.isOrderly ? entry.time : nil
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
