import Evidence
import Store

extension PhotoStore {
  /// Returns where a device keeps the private half of a key, by its own word at its enrolment. Of keys
  /// that were enrolled before the office kept requests, a file is assumed.
  /// A request that is damaged says nothing: a file is assumed, too.
  /// - Throws: the store's error.
  package func keeping(ofKey key: String) throws -> KeyKeeping {
    guard let bytes = try bytes(of: EvidenceName.enrolment(ofKey: key)),
      let request = try? EnrolmentRequest(jws: String(decoding: bytes, as: UTF8.self))
    else { return .file }
    return request.publicKey.thumbprint == key ? request.keeping : .file
  }

  /// Returns the office's word about a key in a TPM; nil if no TPM has shown the key. A damaged word says nothing.
  /// - Throws: the store's error.
  package func attestation(ofKey key: String) throws -> KeyAttestation? {
    guard let bytes = try bytes(of: EvidenceName.attestation(ofKey: key)),
      let found = try? KeyAttestation(jws: String(decoding: bytes, as: UTF8.self))
    else { return nil }
    return found.shown.key == key ? found : nil
  }
}
