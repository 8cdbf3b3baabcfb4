import Crypto
import Foundation
import SwiftASN1
import X509

/// A key that signs certificates, wherever it is kept.
struct CertifyingKey: CustomPrivateKey {
  /// The reason why the key did not sign.
  struct Problem: Error {
    var cause: any Error
  }

  /// A private key is never written out.
  private struct Unwritable: Error {}

  static let defaultPEMDiscriminator = "PRIVATE KEY"
  private let signer: any DeviceKey
  let publicKey: Certificate.PublicKey

  init(_ signer: any DeviceKey, publicKey: Certificate.PublicKey) {
    (self.signer, self.publicKey) = (signer, publicKey)
  }

  static func == (first: CertifyingKey, second: CertifyingKey) -> Bool {
    first.signer.publicKey == second.signer.publicKey
  }

  func hash(into hasher: inout Hasher) { hasher.combine(signer.publicKey) }

  var defaultSignatureAlgorithm: Certificate.SignatureAlgorithm { .ecdsaWithSHA256 }
  var supportedSignatureAlgorithms: [Certificate.SignatureAlgorithm] { [.ecdsaWithSHA256] }

  func signSynchronously(
    bytes: some DataProtocol, signatureAlgorithm: Certificate.SignatureAlgorithm
  ) throws -> Certificate.Signature {
    let raw: [UInt8]
    do {
      raw = try signer.signLow(Array(bytes))
    } catch {
      throw Problem(cause: error)
    }
    let signature = try P256.Signing.ECDSASignature(rawRepresentation: raw)
    return try Certificate.Signature(
      signatureAlgorithm: signatureAlgorithm,
      signatureBytes: ASN1BitString(bytes: Array(signature.derRepresentation)[...]))
  }

  func serialize(into coder: inout DER.Serializer) throws { throw Unwritable() }

  func serializeAsPEM(discriminator: String) throws -> PEMDocument { throw Unwritable() }
}
