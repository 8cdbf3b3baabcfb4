// RFC 3161, 2.4.2, in a CMS (RFC 5652) of one signer, whose certificate the signature covers (RFC 5816).

import Crypto
import Foundation
import SwiftASN1
import TimeAndText
import X509

/// A time authority's signed word that something with this digest existed at a time.
///
/// Reading one checks the authority's signature; who the authority is, `TimeAuthorities` says.
public struct Timestamp: Sendable {
  /// The media type of the answer that carries it.
  public static let mediaType = "application/timestamp-reply"
  /// The largest answer that is read, bytes.
  public static let bytesAtMost = 256 << 10
  private static let certificatesAtMost = 20

  /// SHA-256 of what is stamped.
  public let digest: [UInt8]
  /// The authority's time.
  public let time: DeviceTime
  /// The error of the time that the authority admits, seconds; nil if it says nothing.
  public let accuracySeconds: Double?
  /// The number that the question had; nil for none.
  public let nonce: [UInt8]?
  /// The authority's certificate.
  let signer: Certificate
  /// The certificates that came with it.
  let certificates: [Certificate]
  /// The revocation lists that came with it.
  let revocations: [RevocationList]

  /// The authority's name, as its certificate says.
  public var authority: String { Self.name(of: signer) }

  /// The latest time that the authority can mean: its own, and the error that it admits.
  public var latest: DeviceTime { time.advanced(bySeconds: accuracySeconds ?? 0) }

  static func name(of certificate: Certificate) -> String {
    let common = certificate.subject.flatMap(\.self).first {
      $0.type == .RDNAttributeType.commonName
    }
    return shown(common.map { "\($0.value)" } ?? "\(certificate.subject)")
  }

  /// Returns a stranger's words as a terminal and a log can show them: no line ends, no control characters, no marks
  /// that turn the direction of writing.
  static func shown(_ text: String) -> String {
    let scalars = text.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
        .paragraphSeparator:
        false
      default: true
      }
    }
    return String(String.UnicodeScalarView(scalars.prefix(100)))
  }

  /// Reads an authority's answer.
  /// - Throws: `TimestampProblem`.
  public init(reply: [UInt8]) throws(TimestampProblem) {
    guard reply.count <= Self.bytesAtMost else {
      throw TimestampProblem("it is larger than \(Self.bytesAtMost >> 10) KiB")
    }
    do {
      var members = try DER.parse(reply).members
      var status = try members.next().members
      let number = try status.read(Int.self)
      guard number == 0 || number == 1 else {
        throw TimestampProblem(
          Self.refusal(number, try status.optional(.sequence)?.members.all ?? []))
      }
      try self.init(token: try members.next())
    } catch let problem as TimestampProblem {
      throw problem
    } catch {
      throw TimestampProblem("it is no timestamp")
    }
  }

  private static func refusal(_ status: Int, _ words: [ASN1Node]) -> Wording {
    let text = words.compactMap { try? ASN1UTF8String(derEncoded: $0) }
      .map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: " ")
    return text.isEmpty
      ? "the authority refuses, with status \(status)"
      : "the authority refuses, with status \(status): \(shown(text))"
  }

  private init(token: ASN1Node) throws {
    var container = try token.members
    guard try container.read(ASN1ObjectIdentifier.self) == .signedContent else {
      throw TimestampProblem("it is not signed")
    }
    var signed = try Self.only(try container.next()).members
    _ = try signed.read(Int.self)
    _ = try signed.next()
    var content = try signed.next().members
    guard try content.read(ASN1ObjectIdentifier.self) == .timeStampToken else {
      throw TimestampProblem("something else than a timestamp is signed")
    }
    let info = try Self.only(try content.next()).primitive
    let certificates = try signed.optional(number: 0)?.members.all ?? []
    let revocations = try signed.optional(number: 1)?.members.all ?? []
    guard certificates.count + revocations.count <= Self.certificatesAtMost else {
      throw TimestampProblem("it has more than \(Self.certificatesAtMost) certificates")
    }
    // Certificates of other kinds may lie among them; only the signer's must be one that is understood.
    self.certificates = certificates.compactMap { try? Certificate(derEncoded: $0) }
    self.revocations = revocations.compactMap { try? RevocationList(der: Array($0.encodedBytes)) }
    let signers = try signed.next().members.all
    guard signers.count == 1, let signer = signers.first else {
      throw TimestampProblem("it has \(signers.count) signatures and not one")
    }
    self.signer = try SignerReader(signer, of: info).checked(among: self.certificates)
    let read = try InfoReader(info)
    (digest, time) = (read.digest, read.time)
    (accuracySeconds, nonce) = (read.accuracySeconds, read.nonce)
  }

  /// Returns the only member of an explicit tag.
  private static func only(_ node: ASN1Node) throws -> ASN1Node {
    let members = try node.members.all
    guard members.count == 1 else { throw TimestampProblem("a part of it is not one value") }
    return members[0]
  }
}

/// Reads what the authority has signed: `TSTInfo`.
private struct InfoReader {
  let digest: [UInt8]
  let time: DeviceTime
  let accuracySeconds: Double?
  let nonce: [UInt8]?

  init(_ info: [UInt8]) throws {
    var members = try DER.parse(info).members
    guard try members.read(Int.self) == 1 else {
      throw TimestampProblem("it has a version that nobody has described")
    }
    _ = try members.read(ASN1ObjectIdentifier.self)
    var imprint = try members.next().members
    var algorithm = try imprint.next().members
    guard try algorithm.read(ASN1ObjectIdentifier.self) == .digest256 else {
      throw TimestampProblem("its digest is not SHA-256")
    }
    digest = try imprint.next().primitive
    _ = try members.next()
    guard let time = DeviceTime(try members.read(GeneralizedTime.self)) else {
      throw TimestampProblem("its time is none")
    }
    self.time = time
    accuracySeconds = try members.optional(.sequence).map(Self.seconds)
    _ = members.optional(.boolean)
    nonce = try members.optional(.integer)?.primitive
    _ = members.optional(number: 0)
    for part in try members.optional(number: 1)?.members.all ?? [] {
      var parts = try part.members
      _ = try parts.next()
      if let flag = parts.optional(.boolean), try Bool(derEncoded: flag) {
        throw TimestampProblem("it has a condition that is unknown here")
      }
    }
  }

  private static func seconds(_ accuracy: ASN1Node) throws -> Double {
    var members = try accuracy.members
    let seconds = try members.optional(.integer).map { try Int(derEncoded: $0) } ?? 0
    let parts = try [0, 1].map { number in
      try members.optional(number: number)?.primitive.reduce(0.0) { $0 * 256 + Double($1) } ?? 0
    }
    return Double(seconds) + parts[0] / 1e3 + parts[1] / 1e6
  }
}

/// Reads a signature of CMS over a content, and checks it.
private struct SignerReader {
  private let signerName: ASN1Node
  private let attributes: [UInt8]
  private let values: [ASN1ObjectIdentifier: ASN1Node]
  private let digestAlgorithm: ASN1ObjectIdentifier
  private let signatureAlgorithm: ASN1ObjectIdentifier
  private let signature: [UInt8]

  init(_ node: ASN1Node, of content: [UInt8]) throws {
    var members = try node.members
    _ = try members.read(Int.self)
    signerName = try members.next()
    var digest = try members.next().members
    digestAlgorithm = try digest.read(ASN1ObjectIdentifier.self)
    guard let signed = members.optional(number: 0) else {
      throw TimestampProblem("its signature covers no attributes")
    }
    attributes = signed.encoded(as: 0x31)
    var values: [ASN1ObjectIdentifier: ASN1Node] = [:]
    for attribute in try signed.members.all {
      var parts = try attribute.members
      let name = try parts.read(ASN1ObjectIdentifier.self)
      let all = try parts.next().members.all
      guard all.count == 1, values.updateValue(all[0], forKey: name) == nil else {
        throw TimestampProblem("an attribute of its signature is there twice")
      }
    }
    self.values = values
    var algorithm = try members.next().members
    signatureAlgorithm = try algorithm.read(ASN1ObjectIdentifier.self)
    signature = try members.next().primitive
    guard let type = values[.contentTypeAttribute],
      try ASN1ObjectIdentifier(derEncoded: type) == .timeStampToken,
      let sealed = try values[.messageDigestAttribute]?.primitive,
      digestAlgorithm != .digest1, try Self.digest(content, digestAlgorithm) == sealed
    else { throw TimestampProblem("its signature is not one over its content") }
  }

  /// Returns the certificate whose key has signed.
  func checked(among certificates: [Certificate]) throws -> Certificate {
    guard let signer = try certificates.first(where: { try isNamed($0) }) else {
      throw TimestampProblem("the certificate of the authority that signed it is not in it")
    }
    guard try covers(signer) else {
      throw TimestampProblem("its signature does not name the certificate that is in it")
    }
    guard let algorithm = signatureAlgorithm.signatureAlgorithm(digest: digestAlgorithm) else {
      throw TimestampProblem("its signature is of a kind that is unknown here")
    }
    guard
      signer.publicKey.isValidSignature(
        signature, for: attributes, signatureAlgorithm: algorithm)
    else { throw TimestampProblem("its signature is not valid") }
    return signer
  }

  private func isNamed(_ certificate: Certificate) throws -> Bool {
    guard signerName.identifier == .sequence else {
      let key = try certificate.extensions.subjectKeyIdentifier?.keyIdentifier
      return try key.map { try Array($0) == signerName.primitive } ?? false
    }
    var members = try signerName.members
    let issuer = try members.read(DistinguishedName.self)
    return try issuer == certificate.issuer
      && members.next().primitive
        == Array(certificate.serialNumber.bytes)
        .leadingZeroIfNegative
  }

  /// Returns true if the signature names the certificate by its digest: otherwise another certificate of the
  /// same key could take its place.
  private func covers(_ certificate: Certificate) throws -> Bool {
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    let der = serializer.serializedBytes
    if let node = values[.signingCertificate2Attribute] {
      var lists = try node.members
      guard let first = try lists.next().members.all.first else { return false }
      var members = try first.members
      var algorithm = ASN1ObjectIdentifier.digest256
      if let named = members.optional(.sequence) {
        var parts = try named.members
        algorithm = try parts.read(ASN1ObjectIdentifier.self)
      }
      return try members.next().primitive == Self.digest(der, algorithm)
    }
    guard let node = values[.signingCertificateAttribute] else { return false }
    var lists = try node.members
    guard let first = try lists.next().members.all.first else { return false }
    var members = try first.members
    return try members.next().primitive == Self.digest(der, .digest1)
  }

  private static func digest(
    _ bytes: [UInt8], _ algorithm: ASN1ObjectIdentifier
  ) throws -> [UInt8] {
    switch algorithm {
    case .digest1: Array(Insecure.SHA1.hash(data: bytes))
    case .digest256: Array(SHA256.hash(data: bytes))
    case .digest384: Array(SHA384.hash(data: bytes))
    case .digest512: Array(SHA512.hash(data: bytes))
    default: throw TimestampProblem("it has a digest of a kind that is unknown here")
    }
  }
}

extension [UInt8] {
  /// An integer's bytes as ASN.1 writes a positive one.
  fileprivate var leadingZeroIfNegative: [UInt8] {
    (first ?? 0) >= 0x80 ? [0] + self : self
  }
}

extension ASN1ObjectIdentifier {
  /// Returns the algorithm of a signature: CMS may name the key's kind alone, and the digest beside it.
  func signatureAlgorithm(digest: ASN1ObjectIdentifier) -> Certificate.SignatureAlgorithm? {
    let named: [ASN1ObjectIdentifier: Certificate.SignatureAlgorithm] = [
      [1, 2, 840, 113549, 1, 1, 11]: .sha256WithRSAEncryption,
      [1, 2, 840, 113549, 1, 1, 12]: .sha384WithRSAEncryption,
      [1, 2, 840, 113549, 1, 1, 13]: .sha512WithRSAEncryption,
      [1, 2, 840, 10045, 4, 3, 2]: .ecdsaWithSHA256,
      [1, 2, 840, 10045, 4, 3, 3]: .ecdsaWithSHA384,
      [1, 2, 840, 10045, 4, 3, 4]: .ecdsaWithSHA512,
      [1, 3, 101, 112]: .ed25519,
    ]
    if let algorithm = named[self] { return algorithm }
    guard self == [1, 2, 840, 113549, 1, 1, 1] as ASN1ObjectIdentifier else { return nil }
    switch digest {
    case .digest256: return .sha256WithRSAEncryption
    case .digest384: return .sha384WithRSAEncryption
    case .digest512: return .sha512WithRSAEncryption
    default: return nil
    }
  }
}
