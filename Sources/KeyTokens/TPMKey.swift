import Attestation
import Crypto
import Evidence
import Foundation
import SwiftASN1
import TimeAndText

/// A device key in a TPM 2.0. The device keeps it in a file, encrypted by the TPM and for this TPM alone: without
/// the TPM the file is worth nothing, and without the file the TPM does not have the key.
///
/// The file is that of other programs, too: "ASN.1 Specification for TPM 2.0 Key Files" (`TSS2 PRIVATE KEY`).
public struct TPMKey: DeviceKey {
  /// The public area, with the properties that the TPM enforces.
  public let area: TPMKeyArea
  /// The TPM as it described itself when the key was made.
  let token: TokenDescription
  /// The way to the TPM.
  var address: TPMAddress
  /// The sensitive area, encrypted (TPM2B_PRIVATE without its length).
  private let sealed: [UInt8]
  /// The program that has the command `token-worker`.
  private let program: String

  private static let label = "TSS2 PRIVATE KEY"
  private static let loadable: ASN1ObjectIdentifier = [2, 23, 133, 10, 1, 3]
  /// The owner's hierarchy: the key's parent is made from its seed each time.
  private static let owner = 0x4000_0001

  /// Makes a key in a TPM.
  /// - Throws: `TokenError`.
  static func make(in address: TPMAddress, program: String) throws(TokenError) -> TPMKey {
    let answer = try TokenWorker.ask(
      .object(["tpm": .string(address.connection), "want": .string("key")]), of: program)
    guard let bytes = answer["area"]?.text.flatMap(Base64URL.bytes),
      let area = try? TPMKeyArea(bytes), area.staysInside,
      let sealed = answer["sealed"]?.text.flatMap(Base64URL.bytes),
      let token = TokenDescription(answer["token"])
    else { throw .nonsense("it tells no key that stays in the TPM") }
    return TPMKey(area: area, token: token, address: address, sealed: sealed, program: program)
  }

  /// The public half of the key.
  public var publicKey: DevicePublicKey { area.publicKey }

  /// In the TPM.
  public var keeping: KeyKeeping {
    .token(maker: token.maker, model: token.model, serial: token.serial)
  }

  // MARK: the file

  /// Returns the file: PEM, with two lines about the TPM before it.
  func fileBytes() throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.appendConstructedNode(identifier: .sequence) { serializer in
      try serializer.serialize(Self.loadable)
      try serializer.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) {
        try $0.serialize(true)
      }
      try serializer.serialize(Self.owner)
      try serializer.serialize(ASN1OctetString(contentBytes: area.bytes.sizedForTPM[...]))
      try serializer.serialize(ASN1OctetString(contentBytes: sealed.sizedForTPM[...]))
    }
    let pem = PEMDocument(type: Self.label, derBytes: serializer.serializedBytes).pemString
    return token.json.canonicalBytes + Array("\n\(address.text)\n\(pem)\n".utf8)
  }

  /// Reads a key's file; nil if it is none.
  /// - Throws: `TokenError.malformedURI`.
  init?(fileBytes: [UInt8], program: String) throws(TokenError) {
    let lines = String(decoding: fileBytes, as: UTF8.self)
      .split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard lines.count == 3, let json = try? JSONValue(parsing: Array(lines[0].utf8)),
      let token = TokenDescription(json),
      let pem = try? PEMDocument(pemString: lines[2].trimmingCharacters(in: .newlines)),
      pem.discriminator == Self.label,
      let (area, sealed) = try? Self.areas(in: pem.derBytes)
    else { return nil }
    self.init(
      area: area, token: token, address: try TPMAddress(lines[1]), sealed: sealed,
      program: program)
  }

  private init(
    area: TPMKeyArea, token: TokenDescription, address: TPMAddress, sealed: [UInt8],
    program: String
  ) {
    (self.area, self.token, self.address) = (area, token, address)
    (self.sealed, self.program) = (sealed, program)
  }

  private static func areas(in der: [UInt8]) throws -> (TPMKeyArea, [UInt8]) {
    try DER.sequence(try DER.parse(der), identifier: .sequence) { nodes in
      let kind = try ASN1ObjectIdentifier(derEncoded: &nodes)
      let isOpen = try DER.optionalExplicitlyTagged(
        &nodes, tagNumber: 0, tagClass: .contextSpecific
      ) { try Bool(derEncoded: $0) }
      let parent = try Int(derEncoded: &nodes)
      let area = try ASN1OctetString(derEncoded: &nodes).bytes
      let sealed = try ASN1OctetString(derEncoded: &nodes).bytes
      guard kind == loadable, isOpen == true, parent == owner, area.count > 2, sealed.count > 2
      else { throw TokenError.nonsense("it is no key of this kind") }
      return (try TPMKeyArea(Array(area.dropFirst(2))), Array(sealed.dropFirst(2)))
    }
  }

  // MARK: asking the TPM

  /// Returns the same key behind the chosen way to the TPM.
  func reached(by chosen: TPMAddress?) -> TPMKey {
    var key = self
    key.address = chosen ?? address
    return key
  }

  private func ask(_ want: String, _ members: [String: JSONValue]) throws(TokenError) -> JSONValue {
    var question = members
    question["tpm"] = .string(address.connection)
    question["want"] = .string(want)
    question["area"] = .string(Base64URL.text(area.bytes))
    question["sealed"] = .string(Base64URL.text(sealed))
    return try TokenWorker.ask(
      .object(question), of: program,
      patienceSeconds: want == "open" ? Self.patienceSeconds : TokenWorker.patienceSeconds)
  }

  /// The time that a TPM has for its endorsement key, seconds: some make it anew, which takes long. A photo that is
  /// sealed meanwhile has to wait, and may be refused with words.
  private static let patienceSeconds = 30

  /// Signs `bytes` in the TPM, and returns r and s, 32 bytes each. The caller waits for the TPM.
  /// - Throws: `TokenError`; also if the TPM's signature does not hold under the key.
  public func sign(_ bytes: [UInt8]) throws -> [UInt8] {
    let digest = Array(SHA256.hash(data: bytes))
    let answer = try ask("sign", ["digest": .string(Base64URL.text(digest))])
    guard let signature = answer["signature"]?.text.flatMap(Base64URL.bytes), signature.count == 64,
      publicKey.verifies(signature, of: bytes)
    else { throw TokenError.nonsense("its signature does not hold under the key") }
    return signature
  }

  /// Returns the maker's certificate for the TPM's endorsement key, as it lies in the TPM.
  /// - Throws: `TokenError`.
  public func makersCertificate() throws(TokenError) -> [UInt8] {
    let answer = try ask("certificate", [:])
    guard let bytes = answer["certificate"]?.text.flatMap(Base64URL.bytes) else {
      throw .nonsense("it tells no certificate")
    }
    return bytes
  }

  /// Opens a secret that was closed for this TPM and this key.
  /// - Throws: `TokenError`.
  public func open(_ secret: ClosedSecret) throws(TokenError) -> [UInt8] {
    let answer = try ask(
      "open",
      [
        "credential": .string(Base64URL.text(secret.credential)),
        "seed": .string(Base64URL.text(secret.seed)),
      ])
    guard let opened = answer["secret"]?.text.flatMap(Base64URL.bytes) else {
      throw .nonsense("it opens no secret")
    }
    return opened
  }
}
