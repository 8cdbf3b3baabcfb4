import Attestation
import Crypto
import Foundation
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import KeyTokens

@Suite("A key in a TPM", .serialized, .enabled(if: SoftTPM.isHere, "swtpm is not installed"))
struct TPMTests {
  private func error(_ body: () throws -> Void) -> TokenError? {
    do {
      try body()
      return nil
    } catch {
      return error as? TokenError
    }
  }

  /// A folder of keys with the program's real worker.
  private func keys(in root: URL) throws -> KeyFolder {
    let path = root.appendingPathComponent("keys").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return KeyFolder(path: path, program: Program.tokenWorker(in: root))
  }

  private var now: DeviceTime {
    DeviceTime(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000))
  }

  @Test(
    "a key is made in the TPM, signs there after a restart, and its file is worth nothing elsewhere"
  )
  func signs() throws {
    try withTemporaryDirectory { root in
      let tpm = try SoftTPM(in: root.appendingPathComponent("one", isDirectory: true))
      let folder = try keys(in: root)
      let words = try folder.choose("tpm:?tcti=\(tpm.connection)")
      #expect("\(words)".contains("TPM 2.0") && "\(words)".contains("Sign in again"))
      let made = try folder.makeKey()
      let thumbprint = made.publicKey.thumbprint
      guard case .token(let maker, let model, _) = made.keeping else {
        Issue.record("\(made.keeping)")
        return
      }
      #expect(!maker.isEmpty && model.hasPrefix("TPM 2.0"))
      #expect(try !folder.isElsewhere(thumbprint))
      let bytes = Array("a seal".utf8)
      let again = try folder.key(thumbprint)
      #expect(again.publicKey.verifies(try again.sign(bytes), of: bytes))
      #expect(
        try folder.lines().count == 2 && folder.json()["new"]?.text?.hasPrefix("tpm:") == true)
      let file = try #require(FileManager.default.contents(atPath: folder.tpmFile(thumbprint)))
      #expect(String(decoding: file, as: UTF8.self).contains("BEGIN TSS2 PRIVATE KEY"))
      let digests = ["\(thumbprint).tpm": Digest.hexadecimal(Array(file))]
      #expect(try folder.holdsTokenKey(thumbprint, digests))
      #expect(try !folder.holdsTokenKey(thumbprint, ["\(thumbprint).tpm": "00"]))
      // Another TPM cannot open the file, and a TPM that is off is told apart from that.
      let other = try SoftTPM(in: root.appendingPathComponent("two", isDirectory: true))
      _ = try folder.choose("tpm:?tcti=\(other.connection)")
      let moved = try folder.key(thumbprint)
      #expect(error { _ = try moved.sign(bytes) } == .noKey)
      _ = try folder.choose("tpm:?tcti=\(tpm.connection)")
      tpm.switchOff()
      #expect(error { _ = try again.sign(bytes) } == .noTPM(tpm.connection))
      #expect(
        error { _ = try folder.choose("tpm:?tcti=\(tpm.connection)") } == .noTPM(tpm.connection))
      // Neither is a damaged file a key that is not there.
      try Data("{}".utf8).write(to: URL(fileURLWithPath: folder.tpmFile(thumbprint)))
      #expect(throws: KeyFolderError.damaged(path: folder.tpmFile(thumbprint))) {
        _ = try folder.key(thumbprint)
      }
    }
  }

  @Test(
    "a TPM opens a secret for the key that it holds, and for no other; its maker's certificate leads to the root"
  )
  func attests() async throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent(
      "standpoint-tpm-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    let tpm = try SoftTPM(in: root.appendingPathComponent("one", isDirectory: true))
    let folder = try keys(in: root)
    _ = try folder.choose("tpm:?tcti=\(tpm.connection)")
    let made = try folder.makeKey().publicKey.thumbprint
    let key = try #require(try folder.key(made) as? TPMKey)
    let endorsement = try EndorsementKey(der: try key.makersCertificate())
    #expect(endorsement.maker.contains("swtpm"), "\(endorsement.maker)")

    let secret = (0..<32).map { _ in UInt8.random(in: 0...255) }
    func closed(_ area: TPMKeyArea) throws -> ClosedSecret {
      try endorsement.close(
        secret, forHolderOf: area, seed: (0..<32).map { _ in UInt8.random(in: 0...255) },
        random: (0..<32).map { _ in UInt8.random(in: 0...255) })
    }
    #expect(key.area.staysInside && key.area.publicKey == key.publicKey)
    // As often as one likes: nothing stays in a TPM that has no resource manager.
    for _ in 0..<5 { #expect(try key.open(closed(key.area)) == secret) }
    // A key with other properties, or another one, does not open it: the integrity of the first parameter.
    let no = TokenError.refused(step: "TPM2_ActivateCredential", code: 0x1DF)
    let other = try #require(try folder.makeKey() as? TPMKey)
    #expect(error { _ = try key.open(try closed(other.area)) } == no)
    var changed = key.area.bytes
    changed[7] ^= 0x02
    let loose = try TPMKeyArea(changed)
    #expect(!loose.staysInside)
    #expect(error { _ = try key.open(try closed(loose)) } == no)
    // A changed byte anywhere, neither.
    let whole = try closed(key.area)
    for index in [2, 20, whole.credential.count - 1] {
      var credential = whole.credential
      credential[index] ^= 1
      #expect(
        error { _ = try key.open(ClosedSecret(credential: credential, seed: whole.seed)) } == no)
    }
    var seed = whole.seed
    seed[100] ^= 1
    #expect(
      error { _ = try key.open(ClosedSecret(credential: whole.credential, seed: seed)) } != nil)
    #expect(error { _ = try key.open(ClosedSecret(credential: [], seed: [])) } != nil)
    #expect(try key.open(whole) == secret)

    var makers = TPMMakers()
    #expect(await makers.root(of: endorsement, at: now) == nil)
    let files = try tpm.makersCertificates.map { path in
      Array(try #require(FileManager.default.contents(atPath: path)))
    }
    try makers.add(files[1])
    #expect(await makers.root(of: endorsement, at: now) == nil, "without the root")
    try makers.add(files[0])
    #expect(await makers.root(of: endorsement, at: now)?.contains("swtpm") == true)
    let early = DeviceTime(millisecondsSince1970: 0)
    #expect(await makers.root(of: endorsement, at: early) == nil, "not valid then")
    let another = try SoftTPM(in: root.appendingPathComponent("two", isDirectory: true))
    _ = try folder.choose("tpm:?tcti=\(another.connection)")
    let stranger = try #require(try folder.makeKey() as? TPMKey)
    let unknown = try EndorsementKey(der: try stranger.makersCertificate())
    #expect(await makers.root(of: unknown, at: now) == nil, "of another maker")
    #expect(error { _ = try stranger.open(try closed(stranger.area)) } != nil, "another TPM")
  }

  @Test("an address is read strictly, and never runs a command")
  func addresses() throws {
    #expect(try TPMAddress("tpm:").connection == "device:/dev/tpmrm0")
    #expect(try TPMAddress("tpm:").text == "tpm:")
    let other = "tpm:?tcti=tabrmd:bus_type=session"
    #expect(try TPMAddress(other).text == other)
    #expect(try TPMAddress("tpm:?tcti=device:/dev/tpm0").text == "tpm:?tcti=device:/dev/tpm0")
    for text in [
      "tpm", "tpm:x", "tpm:?tcti=", "tpm:?tcti=cmd:rm", "tpm:?pin=1", "pkcs11:",
      "tpm:?tcti=device:/etc/hosts", "tpm:?tcti=device:/dev/tpm0/../sda", "tpm:?tcti=swtpm:a\nb",
    ] {
      #expect(error { _ = try TPMAddress(text) }?.code == "key-token-uri", "\(text)")
    }
  }

  @Test("the office's word is kept until the office refuses, and only if it is about this key")
  func words() async throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent(
      "standpoint-tpm-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    let tpm = try SoftTPM(in: root.appendingPathComponent("one", isDirectory: true))
    let folder = try keys(in: root)
    _ = try folder.choose("tpm:?tcti=\(tpm.connection)")
    let made = try #require(try folder.makeKey() as? TPMKey)
    let thumbprint = made.publicKey.thumbprint
    let authority = try Authority.make(name: "Office", at: DeviceTime(millisecondsSince1970: 0))
    let signer = SoftwareDeviceKey()
    let office = try authority.certifyOffice(
      signer.publicKey, at: DeviceTime(millisecondsSince1970: 0))
    let endorsement = try EndorsementKey(der: try made.makersCertificate())
    func asked(
      about key: String, by certificate: EvidenceCertificate, root: String? = "CN=A\u{1B}[2J root"
    ) async {
      await folder.attest(thumbprint, in: "north", by: authority.certificate) { question in
        guard question.secret == nil else {
          return AttestationAnswer(
            attestation: try KeyAttestation(
              .init(
                agency: "north", key: key, time: now, area: made.area.bytes,
                makersCertificate: endorsement.der, root: root),
              signedWith: signer, certificate: certificate
            ).jws)
        }
        let closed = try endorsement.close(
          [1, 2, 3], forHolderOf: made.area, seed: [UInt8](repeating: 7, count: 32),
          random: [UInt8](repeating: 9, count: 32))
        return AttestationAnswer(
          challenge: "c", credential: Base64URL.text(closed.credential),
          seed: Base64URL.text(closed.seed))
      }
    }
    func told() throws -> String { "\(try folder.attestationWords(thumbprint) ?? "nothing")" }
    #expect(try told() == "nothing")
    await asked(about: "another", by: office)
    #expect(try told().contains("about another key"))
    let stranger = try Authority.make(name: "Other", at: DeviceTime(millisecondsSince1970: 0))
    await asked(
      about: thumbprint,
      by: try stranger.certifyOffice(signer.publicKey, at: DeviceTime(millisecondsSince1970: 0)))
    #expect(try told().contains("not its own"))
    await asked(about: thumbprint, by: office)
    #expect(try told().contains("vouches for the TPM") && !told().contains("\u{1B}"))
    #expect(try folder.json()["keys"]?.elements?.first?["attested"] != nil)
    // A network that fails takes nothing back.
    await folder.attest(thumbprint, in: "north", by: authority.certificate) { _ in
      throw AttestationProblem("no network\nat all \(word: String(repeating: "x", count: 900))")
    }
    #expect(try told().contains("vouches for the TPM; at the last sign-in not: no network at all"))
    #expect(try told().count < 800)
    #expect(KeyFolder.isOpen("\(thumbprint).attestation") && !KeyFolder.isOpen("\(thumbprint).tpm"))
  }

  @Test("hostile descriptions of keys and certificates are refused, and trap nothing")
  func hostile() throws {
    let point = Array(P256.Signing.PrivateKey().publicKey.x963Representation)
    let good =
      TPMKeyArea.template.dropLast(4) + [0, 32] + point[1...32] + [0, 32] + point[33...64]
    #expect(try TPMKeyArea(Array(good)).staysInside)
    for count in 0..<good.count {
      #expect(throws: AttestationProblem.self) { try TPMKeyArea(Array(good.prefix(count))) }
    }
    #expect(throws: AttestationProblem.self) { try TPMKeyArea(Array(good) + [0]) }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      var bytes = Array(good)
      let index = Int.random(in: 0..<bytes.count, using: &random)
      bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      // Either it is refused, or its name is another one: a TPM then opens nothing for it.
      if let area = try? TPMKeyArea(bytes) {
        #expect(try area.name != TPMKeyArea(Array(good)).name)
      }
      _ = try? EndorsementKey(der: bytes)
    }
    for bytes in [[], [0x30], [0x30, 0x82, 0xFF, 0xFF, 0], [UInt8](repeating: 0x30, count: 9_000)] {
      #expect(throws: AttestationProblem.self) { try EndorsementKey(der: bytes) }
    }
  }
}
