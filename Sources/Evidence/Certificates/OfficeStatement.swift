import Foundation
import TimeAndText

/// A statement of the office under its own key: a compact JWS whose header carries the key's
/// certificate (`x5c`). Receipts, policies, revocations and the end of a log are such statements.
struct OfficeStatement {
  let payload: JSONValue
  /// The certificate of the key that signed.
  let certificate: EvidenceCertificate

  /// Signs a statement, and returns the compact JWS.
  /// - Parameter refusal: makes the error for the kind of statement.
  /// - Throws: the error from `refusal` if the certificate is not that of the key; the key's error
  ///   if it does not sign.
  static func sign(
    _ payload: JSONValue, with signer: some DeviceKey, certificate: EvidenceCertificate,
    else refusal: (Wording) -> EvidenceError
  ) throws -> String {
    guard certificate.publicKey == signer.publicKey else {
      throw refusal("the certificate does not belong to the key that signs")
    }
    let header = JSONValue.object([
      "alg": .string("ES256"), "kid": .string(signer.publicKey.thumbprint),
      "x5c": .array(
        ([certificate] + certificate.bridges).map {
          .string(Data($0.der).base64EncodedString())
        }),
    ])
    return try CompactJWS.make(header: header, payload: payload, with: signer)
  }

  /// Reads a statement, and checks its signature by the certificate that it carries. The caller
  /// must check that an authority issued that certificate.
  /// - Parameter refusal: makes the error for the kind of statement.
  /// - Throws: the error from `refusal`.
  init(
    jws: String, schema: String, limit: Int, else refusal: (Wording) -> EvidenceError
  ) throws(EvidenceError) {
    do throws(CompactJWS.Problem) {
      let compact = try CompactJWS(jws, limit: limit)
      certificate = try Self.certificate(in: compact.header)
      try compact.requireSignature(by: certificate.publicKey)
      payload = try compact.json()
    } catch {
      throw refusal(error.words)
    }
    guard payload["schema"]?.text == schema else { throw refusal("its schema is not \(schema)") }
  }

  private static func certificate(
    in header: JSONValue
  ) throws(CompactJWS.Problem) -> EvidenceCertificate {
    let chain = header["x5c"]?.elements?.map { $0.text.flatMap { Data(base64Encoded: $0) } } ?? []
    guard case let der?? = chain.first, chain.count <= 1 + EvidenceCertificate.mostBridges,
      !chain.contains(nil)
    else { throw CompactJWS.Problem(words: "the signature contains no certificate (x5c)") }
    do throws(EvidenceError) {
      var bridges: [EvidenceCertificate] = []
      for bridge in chain.dropFirst() {
        bridges.append(try EvidenceCertificate(der: Array(bridge ?? Data())))
      }
      return try EvidenceCertificate(der: Array(der)).carrying(bridges)
    } catch {
      throw CompactJWS.Problem(words: "\(error)")
    }
  }
}
