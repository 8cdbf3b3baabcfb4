import BigInt
import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import TimeAndText
import X509

/// The endorsement key of a TPM, which its maker has certified: a TPM opens with it alone what was closed for it
/// ("TCG EK Credential Profile for TPM Family 2.0").
public struct EndorsementKey: Sendable {
  /// The maker's certificate, DER.
  public let der: [UInt8]
  /// The manufacturer, the model and the version that the maker has written into the certificate; a question mark if none
  /// of them is there.
  public let maker: String
  let certificate: Certificate
  private let key: _RSA.Signing.PublicKey

  /// The longest certificate that is read, bytes.
  public static let longestCertificate = 8_192

  /// Reads a certificate. Bytes behind it are left out: a TPM's memory for it is often longer.
  /// - Throws: `AttestationProblem`.
  public init(der given: [UInt8]) throws(AttestationProblem) {
    guard let bytes = Self.certificate(in: given),
      let certificate = try? Certificate(derEncoded: bytes)
    else { throw AttestationProblem("the TPM holds no certificate of its maker that can be read") }
    guard let key = _RSA.Signing.PublicKey(certificate.publicKey), key.keySizeInBits == 2048 else {
      throw AttestationProblem(
        "the certificate of the TPM's maker is not for an RSA key of 2,048 bits")
    }
    (der, self.certificate, self.key) = (bytes, certificate, key)
    maker = Self.maker(in: certificate)
  }

  /// Returns the bytes of the DER value that a buffer begins with.
  private static func certificate(in bytes: [UInt8]) -> [UInt8]? {
    // A SEQUENCE of more than 255 bytes has its length in two.
    guard bytes.count > 4, bytes[0] == 0x30, bytes[1] == 0x82 else { return nil }
    let count = 4 + (Int(bytes[2]) << 8 | Int(bytes[3]))
    return count <= min(bytes.count, longestCertificate) ? Array(bytes.prefix(count)) : nil
  }

  private static func maker(in certificate: Certificate) -> String {
    var found = names(in: certificate)
    // The manufacturer is four letters as a number: id:494E5443.
    if let id = found[1], id.hasPrefix("id:"), let number = UInt32(id.dropFirst(3), radix: 16) {
      let letters = [UInt8](tpm: number).filter { (0x21...0x7E).contains($0) }
      if letters.count >= 2 { found[1] = String(decoding: letters, as: UTF8.self) }
    }
    return found.isEmpty ? "?" : (1...3).compactMap { found[$0] }.joined(separator: " ")
  }

  /// The manufacturer (1), the model (2) and the version (3) of a TPM in its certificate. Anybody can write a certificate:
  /// only letters, digits and a few signs are taken.
  static func names(in certificate: Certificate) -> [Int: String] {
    guard let names = try? certificate.extensions.subjectAlternativeNames else { return [:] }
    var found: [Int: String] = [:]
    for case .directoryName(let name) in names {
      for attribute in name.flatMap({ Array($0) }) {
        // tcg-at-tpmManufacturer, -Model and -Version.
        for index in 1...3 where attribute.type == [2, 23, 133, 2, UInt(index)] {
          found[index] = String(
            attribute.value.description.prefix(40).filter {
              $0.isASCII && ($0.isLetter || $0.isNumber || " .:-_()/".contains($0))
            })
        }
      }
    }
    return found.filter { $0.value.contains { $0.isLetter || $0.isNumber } }
  }

  /// SHA-256 of the certificate, hexadecimal.
  public var fingerprint: String { SHA256.hash(data: der).map(\.hexadecimal).joined() }

  /// Closes a secret so that the TPM with this key opens it only if it holds the named object, too (TPM2_MakeCredential,
  /// "TPM 2.0 Library, Part 1", 24).
  /// - Parameters:
  ///   - secret: at most 32 bytes.
  ///   - seed: 32 random bytes.
  ///   - random: 32 random bytes for the padding.
  public func close(
    _ secret: [UInt8], forHolderOf area: TPMKeyArea, seed: [UInt8], random: [UInt8]
  ) throws -> ClosedSecret {
    let parts = try key.getKeyPrimitives()
    let padded = Self.padded(seed, random, length: 256)
    let modulus = BigUInt(parts.modulus)
    guard modulus.bitWidth == 2048 else {
      throw AttestationProblem(
        "the certificate of the TPM's maker is not for an RSA key of 2,048 bits")
    }
    let closed = BigUInt(Data(padded)).power(BigUInt(parts.publicExponent), modulus: modulus)
      .serialize()
    let name = area.name
    let symmetric = Self.derive(seed, "STORAGE", name, bits: 128)
    let identity = try AES._CFB.encrypt(
      secret.sizedForTPM, using: SymmetricKey(data: symmetric),
      iv: AES._CFB.IV(ivBytes: [UInt8](repeating: 0, count: 16)))
    let integrity = Self.derive(seed, "INTEGRITY", [], bits: 256)
    let code = HMAC<SHA256>.authenticationCode(
      for: Array(identity) + name, using: SymmetricKey(data: integrity))
    return ClosedSecret(
      credential: Array(code).sizedForTPM + Array(identity),
      seed: [UInt8](repeating: 0, count: 256 - closed.count) + Array(closed))
  }

  /// OAEP with SHA-256 (RFC 8017, 7.1.1) and the TPM's label.
  static func padded(_ message: [UInt8], _ seed: [UInt8], length: Int) -> [UInt8] {
    let label = Array(SHA256.hash(data: Array("IDENTITY\0".utf8)))
    let zeros = [UInt8](repeating: 0, count: length - message.count - 2 * 32 - 2)
    let block = label + zeros + [1] + message
    let maskedBlock = zip(block, mask(seed, block.count)).map(^)
    let maskedSeed = zip(seed, mask(maskedBlock, 32)).map(^)
    return [0] + maskedSeed + maskedBlock
  }

  /// MGF1 (RFC 8017, B.2.1).
  private static func mask(_ seed: [UInt8], _ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var counter: UInt32 = 0
    while bytes.count < count {
      bytes += Array(SHA256.hash(data: seed + [UInt8](tpm: counter)))
      counter += 1
    }
    return Array(bytes.prefix(count))
  }

  /// KDFa (Part 1, 11.4.10.2) of one block.
  private static func derive(
    _ key: [UInt8], _ label: String, _ context: [UInt8], bits: UInt32
  ) -> [UInt8] {
    let message =
      [UInt8](tpm: UInt32(1)) + Array(label.utf8) + [0] + context + [UInt8](tpm: bits)
    let code = HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key))
    return Array(Array(code).prefix(Int(bits) / 8))
  }
}

/// A secret that one TPM can open.
public struct ClosedSecret: Hashable, Sendable {
  /// The secret, encrypted and bound to the object's name (TPM2B_ID_OBJECT without its length).
  public let credential: [UInt8]
  /// The seed of its keys, encrypted for the endorsement key (TPM2B_ENCRYPTED_SECRET without its length).
  public let seed: [UInt8]

  /// Creates a closed secret.
  public init(credential: [UInt8], seed: [UInt8]) {
    (self.credential, self.seed) = (credential, seed)
  }
}

extension UInt8 {
  fileprivate var hexadecimal: String {
    let digits = Array("0123456789abcdef")
    return String([digits[Int(self >> 4)], digits[Int(self & 15)]])
  }
}
