import Crypto
import Foundation
import SwiftASN1
import TestSupport
import Testing
import X509

/// A time authority for tests: openssl stamps, with certificates that are made here.
public struct TestTimeAuthority: Sendable {
  /// True if openssl is installed.
  public static var isHere: Bool { Program.tool("openssl") != nil }
  /// The reason for which tests are skipped.
  public static let absence: Comment = "openssl is not installed"

  /// The certificate of the root (PEM).
  public let rootPEM: String
  /// The folder of keys and settings.
  public let folder: URL

  /// The purposes of the authority's certificate.
  public enum Purpose: Sendable {
    /// For timestamps alone, as it must be.
    case stamping
    /// For servers.
    case serving
  }

  /// Creates an authority.
  /// - Parameters:
  ///   - folder: an empty folder.
  ///   - now: the time at which its certificates are valid.
  ///   - signerEnds: seconds from `now` until the authority's own certificate ends.
  ///   - issuerEnds: seconds from `now` until the certificate between it and the root ends.
  ///   - revocationAddress: the address of the list of revoked certificates; nil for none.
  public init(
    _ folder: URL, now: Date = Date(), signerEnds: Double = 86_400,
    issuerEnds: Double = 10 * 86_400, purpose: Purpose = .stamping,
    revocationAddress: String? = nil
  ) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let root = try Self.made("Test Root", now, 100 * 86_400, isAuthority: true, by: nil)
    let issuer = try Self.made("Test Issuer", now, issuerEnds, isAuthority: true, by: root)
    let signer = try Self.made(
      "Test Time Authority", now, signerEnds, isAuthority: false, by: issuer, purpose,
      revocationAddress)
    rootPEM = try root.certificate.serializeAsPEM().pemString + "\n"
    try write("root.pem", rootPEM)
    try write("issuer.pem", try issuer.certificate.serializeAsPEM().pemString + "\n")
    try write("issuer.key", issuer.key.pemRepresentation)
    try write("signer.pem", try signer.certificate.serializeAsPEM().pemString + "\n")
    try write("signer.key", signer.key.pemRepresentation)
    try write("serial", "01\n")
    try write(
      "tsa.cnf",
      """
      [tsa]
      default_tsa = stamping
      [stamping]
      serial = \(path("serial"))
      signer_digest = sha256
      default_policy = 1.2.3.4.1
      digests = sha256, sha512
      accuracy = secs:1, millisecs:500
      tsa_name = yes
      ess_cert_id_alg = sha256
      """)
  }

  private struct Made {
    var key: P256.Signing.PrivateKey
    var certificate: Certificate
  }

  private static func made(
    _ name: String, _ now: Date, _ ends: Double, isAuthority: Bool, by issuer: Made?,
    _ purpose: Purpose = .stamping, _ revocationAddress: String? = nil
  ) throws -> Made {
    let key = P256.Signing.PrivateKey()
    let subject = try DistinguishedName { CommonName(name) }
    let extensions = try Certificate.Extensions {
      if isAuthority {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
        Critical(KeyUsage(keyCertSign: true, cRLSign: true))
      } else {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
        Critical(try ExtendedKeyUsage([purpose == .stamping ? .timeStamping : .serverAuth]))
      }
      SubjectKeyIdentifier(hash: Certificate.PublicKey(key.publicKey))
    }
    var all = extensions
    if let revocationAddress { try all.append(Self.points(at: revocationAddress)) }
    let certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(),
      publicKey: Certificate.PublicKey(key.publicKey), notValidBefore: now - 86_400,
      notValidAfter: now + ends, issuer: issuer?.certificate.subject ?? subject, subject: subject,
      signatureAlgorithm: .ecdsaWithSHA256, extensions: all,
      issuerPrivateKey: Certificate.PrivateKey(issuer?.key ?? key))
    return Made(key: key, certificate: certificate)
  }

  private static func points(at address: String) -> Certificate.Extension {
    var serializer = DER.Serializer()
    let choice = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
    serializer.appendConstructedNode(identifier: .sequence) { points in
      points.appendConstructedNode(identifier: .sequence) { point in
        point.appendConstructedNode(identifier: choice) { name in
          name.appendConstructedNode(identifier: choice) { full in
            full.appendPrimitiveNode(
              identifier: ASN1Identifier(tagWithNumber: 6, tagClass: .contextSpecific)
            ) { $0 += Array(address.utf8) }
          }
        }
      }
    }
    return Certificate.Extension(
      oid: [2, 5, 29, 31], critical: false, value: serializer.serializedBytes[...])
  }

  /// Returns the path of one of the files.
  public func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  /// Answers a question, as an authority does: also with a refusal.
  public func reply(to query: [UInt8]) async throws -> [UInt8] {
    let id = UUID().uuidString
    try Data(query).write(to: folder.appendingPathComponent("\(id).tsq"))
    let outcome = try await openssl([
      "ts", "-reply", "-config", path("tsa.cnf"), "-queryfile", path("\(id).tsq"), "-signer",
      path("signer.pem"), "-inkey", path("signer.key"), "-chain", path("issuer.pem"), "-out",
      path("\(id).tsr"),
    ])
    guard outcome.status == 0 else { throw Failure(words: outcome.errors) }
    return Array(try Data(contentsOf: folder.appendingPathComponent("\(id).tsr")))
  }

  /// Returns the issuer's list of revoked certificates.
  /// - Parameters:
  ///   - revokedAt: the time from which the authority's own certificate is revoked; nil if it is not.
  ///   - reason: the reason, by openssl's name; nil for none.
  public func revocationList(
    revokedAt: Date? = nil, reason: String? = nil
  ) async throws -> [UInt8] {
    let signer = try Certificate(
      pemEncoded: try String(contentsOfFile: path("signer.pem"), encoding: .utf8))
    let serial = signer.serialNumber.bytes.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count < 2 ? "0" + digits : digits
    }.joined()
    let format = Date.VerbatimFormatStyle(
      format:
        "\(year: .twoDigits)\(month: .twoDigits)\(day: .twoDigits)\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased))\(minute: .twoDigits)\(second: .twoDigits)Z",
      locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt,
      calendar: Calendar(identifier: .gregorian))
    let end = signer.notValidAfter.formatted(format)
    try write(
      "index.txt",
      revokedAt.map {
        "R\t\(end)\t\($0.formatted(format))\(reason.map { "," + $0 } ?? "")\t\(serial)\tunknown\t/CN=Test Time Authority\n"
      } ?? "")
    try write(
      "ca.cnf",
      """
      [ca]
      default_ca = issuing
      [issuing]
      database = \(path("index.txt"))
      default_md = sha256
      default_crl_days = 30
      """)
    let made = try await openssl([
      "ca", "-gencrl", "-config", path("ca.cnf"), "-cert", path("issuer.pem"), "-keyfile",
      path("issuer.key"), "-out", path("crl.pem"),
    ])
    let changed = try await openssl([
      "crl", "-in", path("crl.pem"), "-outform", "DER", "-out", path("issuer.crl"),
    ])
    guard made.status == 0, changed.status == 0 else {
      throw Failure(words: made.errors + changed.errors)
    }
    return Array(try Data(contentsOf: folder.appendingPathComponent("issuer.crl")))
  }

  /// Signs what an answer says once more, as openssl's `ts` would refuse to: with any certificate, and without naming
  /// the certificate if the caller wants that.
  public func signedAgain(_ reply: [UInt8], namesCertificate: Bool = true) async throws -> [UInt8] {
    try Data(reply).write(to: folder.appendingPathComponent("again.tsr"))
    for arguments in [
      ["ts", "-reply", "-in", path("again.tsr"), "-token_out", "-out", path("again.tok")],
      [
        "cms", "-verify", "-inform", "DER", "-in", path("again.tok"), "-noverify", "-binary",
        "-out",
        path("again.tst"),
      ],
      [
        "cms", "-sign", "-binary", "-nodetach", "-econtent_type", "1.2.840.113549.1.9.16.1.4",
        "-in",
        path("again.tst"), "-signer", path("signer.pem"), "-inkey", path("signer.key"), "-md",
        "sha256", "-outform", "DER", "-out", path("again.cms"),
      ] + (namesCertificate ? ["-cades"] : []),
    ] {
      let outcome = try await openssl(arguments)
      guard outcome.status == 0 else { throw Failure(words: outcome.errors) }
    }
    let token = Array(try Data(contentsOf: folder.appendingPathComponent("again.cms")))
    var serializer = DER.Serializer()
    serializer.appendConstructedNode(identifier: .sequence) { reply in
      reply.appendConstructedNode(identifier: .sequence) { status in
        status.appendPrimitiveNode(identifier: .integer) { $0.append(0) }
      }
      reply.serializeRawBytes(token)
    }
    return serializer.serializedBytes
  }

  /// Puts certificates into the answers that all have the issuer's name and key, and so vouch for each other.
  public func addCircle(of count: Int) throws {
    let key = try P256.Signing.PrivateKey(
      pemRepresentation: try String(contentsOfFile: path("issuer.key"), encoding: .utf8))
    var all = try String(contentsOfFile: path("issuer.pem"), encoding: .utf8)
    let subject = try DistinguishedName { CommonName("Test Issuer") }
    for number in 0..<count {
      let certificate = try Certificate(
        version: .v3, serialNumber: Certificate.SerialNumber(),
        publicKey: Certificate.PublicKey(key.publicKey), notValidBefore: Date() - 86_400,
        notValidAfter: Date() + 86_400, issuer: subject, subject: subject,
        signatureAlgorithm: .ecdsaWithSHA256,
        extensions: try Certificate.Extensions {
          Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
          Critical(KeyUsage(keyCertSign: true, cRLSign: true))
          SubjectAlternativeNames([.dnsName("n\(number).example")])
        }, issuerPrivateKey: Certificate.PrivateKey(key))
      all += try certificate.serializeAsPEM().pemString + "\n"
    }
    try write("issuer.pem", all)
  }

  /// Verifies with openssl that an answer stamps a file.
  public func opensslVerifies(_ reply: String, of file: String) async throws -> Bool {
    try await openssl([
      "ts", "-verify", "-data", file, "-in", reply, "-CAfile", path("root.pem"), "-untrusted",
      path("issuer.pem"),
    ]).status == 0
  }

  private func openssl(_ arguments: [String]) async throws -> Program.Outcome {
    guard let program = Program.tool("openssl") else { throw Failure(words: "no openssl") }
    return try await Program.run(program, arguments, folder: folder)
  }

  private struct Failure: Error {
    var words: String
  }
}
