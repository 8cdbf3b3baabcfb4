// A phone trusts a field unit by the field unit's own authority. Whoever takes that authority's key could
// otherwise make certificates for any site and deceive the phone everywhere. So the authority can vouch
// only for the device's own names and for addresses of private networks: a phone refuses everything else
// that it signs.

import Crypto
import Evidence
import Foundation
import Store
import SwiftASN1
import TimeAndText
import Web
import X509

/// The certification authority of one device, which phones of its inspectors trust.
package struct DeviceAuthority: Sendable {
  private static let day = 86_400.0
  private static let ownSeconds = 3652 * day
  /// Phones refuse certificates for servers that hold for longer than 825 days.
  private static let serverSeconds = 90 * day
  /// A server's certificate that ends sooner is renewed.
  private static let renewalSeconds = 30 * day
  /// A phone's clock may be behind the device's.
  private static let earlierSeconds = 2 * day

  /// The authority's own certificate.
  let certificate: Certificate
  private let key: P256.Signing.PrivateKey

  /// The certificate, DER.
  package var bytes: [UInt8] {
    get throws {
      var serializer = DER.Serializer()
      try serializer.serialize(certificate)
      return serializer.serializedBytes
    }
  }

  /// The SHA-256 of the certificate, 64 hexadecimal digits, as phones show it.
  package var fingerprint: String { get throws { Digest.hexadecimal(try bytes) } }

  /// Reads the authority of a folder of keys, or makes one.
  /// - Parameter network: the names, and the addresses beside those of private networks, that it may
  ///   vouch for if it is made now.
  /// - Throws: `StoreError`; the errors of X.509 for files that are no authority.
  package static func open(
    in keys: String, network: DeviceNetwork, at now: DeviceTime
  ) throws -> DeviceAuthority {
    let paths = (certificate: keys + "/phones-authority.pem", key: keys + "/phones-authority.key")
    try DurableFile.makeFolder(keys)
    return try DurableFile.withLock(keys + "/phones-authority.lock") {
      if FileStatus(ofPath: paths.certificate) != nil {
        let known = DeviceAuthority(
          certificate: try Certificate(pemEncoded: try text(paths.certificate)),
          key: try P256.Signing.PrivateKey(pemRepresentation: try text(paths.key)))
        // One that is not valid yet stays: the device's clock may be wrong until the receiver sets it.
        if moment(now).addingTimeInterval(renewalSeconds) < known.certificate.notValidAfter {
          return known
        }
      }
      let made = try make(for: network, at: now)
      // The key first: a certificate without its key would be of no use to anybody.
      try DurableFile.replace(paths.key, with: Array(made.key.pemRepresentation.utf8))
      try DurableFile.replace(
        paths.certificate, with: Array(try made.certificate.serializeAsPEM().pemString.utf8))
      return made
    }
  }

  private static func text(_ path: String) throws -> String {
    String(decoding: try DurableFile.read(path), as: UTF8.self)
  }

  /// Makes an authority with a new key.
  package static func make(for network: DeviceNetwork, at now: DeviceTime) throws -> DeviceAuthority
  {
    let key = P256.Signing.PrivateKey()
    let publicKey = Certificate.PublicKey(key.publicKey)
    let name = try DistinguishedName {
      OrganizationName("Standpoint")
      CommonName("Field unit \(network.names.dropFirst().first ?? DeviceNetwork.commonName)")
    }
    let ranges =
      privateRanges
      + network.addresses.compactMap(IPAddressBytes.init).filter {
        address in !privateRanges.contains { $0.holds(address) }
      }.map(IPRange.init(only:))
    let limits = NameConstraints(
      permittedSubtrees: (network.names + ["localhost"]).map(GeneralName.dnsName)
        + ranges.map { .ipAddress(ASN1OctetString(contentBytes: $0.bytes[...])) })
    let begin = beginning(now)
    let certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
      notValidBefore: begin, notValidAfter: begin.addingTimeInterval(ownSeconds), issuer: name,
      subject: name, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
        Critical(KeyUsage(keyCertSign: true))
        try Certificate.Extension(limits, critical: true)
        SubjectKeyIdentifier(hash: publicKey)
      }, issuerPrivateKey: Certificate.PrivateKey(key))
    return DeviceAuthority(certificate: certificate, key: key)
  }

  private static func moment(_ now: DeviceTime) -> Date {
    Date(timeIntervalSince1970: Double(now.millisecondsSince1970) / 1000)
  }

  /// Certificates know whole seconds only.
  private static func beginning(_ now: DeviceTime) -> Date {
    Date(
      timeIntervalSince1970: (Double(now.millisecondsSince1970) / 1000 - earlierSeconds).rounded(
        .down))
  }

  /// The networks that nobody owns: RFC 1918, RFC 4193, and this machine's own.
  private static let privateRanges = [
    IPRange([127, 0, 0, 0], bits: 8), IPRange([10, 0, 0, 0], bits: 8),
    IPRange([172, 16, 0, 0], bits: 12), IPRange([192, 168, 0, 0], bits: 16),
    IPRange([0xFC] + [UInt8](repeating: 0, count: 15), bits: 7),
    IPRange([UInt8](repeating: 0, count: 15) + [1], bits: 128),
  ]

  // MARK: the server's certificate

  /// Returns the certificate of the pages for a network, from the folder of keys if it still serves.
  /// - Throws: as `open`.
  package func serverCertificate(
    in keys: String, for network: DeviceNetwork, at now: DeviceTime
  ) throws -> ServerCertificate {
    let paths = (certificate: keys + "/phones-server.pem", key: keys + "/phones-server.key")
    return try DurableFile.withLock(keys + "/phones-authority.lock") {
      if FileStatus(ofPath: paths.certificate) != nil {
        let chain = try Self.text(paths.certificate)
        // A damaged one is made anew.
        let first = try? PEMDocument.parseMultiple(pemString: chain).first
        let known = first.flatMap { try? Certificate(pemDocument: $0) }
        // A renewal that was cut off has left a key of another certificate.
        let keyPEM = FileStatus(ofPath: paths.key) == nil ? "" : try Self.text(paths.key)
        let key = try? P256.Signing.PrivateKey(pemRepresentation: keyPEM)
        if let known, let key, known.publicKey == Certificate.PublicKey(key.publicKey),
          serves(known, network, at: now)
        {
          return ServerCertificate(chainPEM: chain, keyPEM: keyPEM)
        }
      }
      let made = try certify(network, at: now)
      try DurableFile.replace(paths.key, with: Array(made.keyPEM.utf8))
      try DurableFile.replace(paths.certificate, with: Array(made.chainPEM.utf8))
      return made
    }
  }

  /// Makes a certificate of the pages with a new key.
  /// - Parameter filtered: false also names what this authority cannot vouch for, for tests.
  package func certify(
    _ network: DeviceNetwork, at now: DeviceTime, filtered: Bool = true
  ) throws -> ServerCertificate {
    let serverKey = P256.Signing.PrivateKey()
    let publicKey = Certificate.PublicKey(serverKey.publicKey)
    let begin = Self.beginning(now)
    let end = min(begin.addingTimeInterval(Self.serverSeconds), certificate.notValidAfter)
    let made = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
      notValidBefore: begin, notValidAfter: end, issuer: certificate.subject,
      subject: try DistinguishedName {
        CommonName(network.names.first ?? DeviceNetwork.commonName)
      },
      signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
        try ExtendedKeyUsage([.serverAuth])
        SubjectAlternativeNames(
          filtered ? permittedNames(of: network) : Self.names(of: network))
        SubjectKeyIdentifier(hash: publicKey)
        AuthorityKeyIdentifier(
          keyIdentifier: SubjectKeyIdentifier(hash: certificate.publicKey).keyIdentifier)
      }, issuerPrivateKey: Certificate.PrivateKey(key))
    return ServerCertificate(
      chainPEM: try made.serializeAsPEM().pemString + "\n"
        + certificate.serializeAsPEM().pemString + "\n",
      keyPEM: serverKey.pemRepresentation + "\n")
  }

  private static func names(of network: DeviceNetwork) -> [GeneralName] {
    let addresses = network.addresses.compactMap(IPAddressBytes.init)
    let loopback = [
      IPAddressBytes([127, 0, 0, 1]), IPAddressBytes([UInt8](repeating: 0, count: 15) + [1]),
    ]
    return (network.names + ["localhost"]).map(GeneralName.dnsName)
      + (loopback + addresses.filter { !loopback.contains($0) }).map {
        .ipAddress(ASN1OctetString(contentBytes: $0.bytes[...]))
      }
  }

  /// Returns the names and addresses of a network for which this authority can vouch. One more would make
  /// phones refuse the certificate for all of them.
  private func permittedNames(of network: DeviceNetwork) -> [GeneralName] {
    guard let limits = try? certificate.extensions.nameConstraints else { return [] }
    let domains = Set(limits.permittedDNSDomains)
    let ranges = limits.permittedIPRanges.compactMap { IPRange(encoded: Array($0.bytes)) }
    return Self.names(of: network).filter { name in
      switch name {
      case .dnsName(let name): domains.contains(name)
      case .ipAddress(let address):
        ranges.contains { $0.holds(IPAddressBytes(Array(address.bytes))) }
      default: false
      }
    }
  }

  /// Returns true if a certificate is of this authority, names all of a network, and holds for a while.
  private func serves(_ known: Certificate, _ network: DeviceNetwork, at now: DeviceTime) -> Bool {
    let moment = Self.moment(now)
    guard certificate.publicKey.isValidSignature(known.signature, for: known),
      known.notValidBefore <= moment,
      moment.addingTimeInterval(Self.renewalSeconds) < known.notValidAfter,
      let has = try? known.extensions.subjectAlternativeNames
    else { return false }
    return Set(has) == Set(permittedNames(of: network))
  }
}
