import Foundation
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence

@Suite("Seals")
struct SealTests {
  private static let link = Link(
    key: "", sequence: 1, previous: nil, kind: .note,
    id: Identifier(at: DeviceTime(millisecondsSince1970: 1_778_000_000_000)),
    record: String(repeating: "ab", count: 32), file: nil, raw: nil)

  private static func seal(_ key: SoftwareDeviceKey, _ link: Link = link) throws -> Seal {
    var link = link
    link.key = key.publicKey.thumbprint
    return try Seal(link, with: key)
  }

  /// Returns a JWS over any header and payload, as an attacker with a key can make it.
  private static func jws(
    _ key: SoftwareDeviceKey, header: JSONValue? = nil, payload: JSONValue
  ) throws -> String {
    let header =
      header
      ?? .object([
        "alg": .string("ES256"), "jwk": key.publicKey.jwk,
        "kid": .string(key.publicKey.thumbprint),
      ])
    let signed =
      Base64URL.text(header.canonicalBytes) + "." + Base64URL.text(payload.canonicalBytes)
    return signed + "." + Base64URL.text(try key.sign(Array(signed.utf8)))
  }

  @Test("the thumbprint is SHA-256 of the key's four members in their order, computed by hand")
  func thumbprint() throws {
    // The key of RFC 7517, appendix A.1.
    let x = "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4"
    let y = "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"
    let json = JSONValue.object([
      "kty": .string("EC"), "crv": .string("P-256"), "x": .string(x), "y": .string(y),
      "use": .string("enc"), "kid": .string("1"),
    ])
    let key = try #require(DevicePublicKey(jwk: json))
    let text = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
    let hexadecimal = Array(Digest.hexadecimal(Array(text.utf8)))
    let bytes = stride(from: 0, to: 64, by: 2).compactMap {
      UInt8(String(hexadecimal[$0...($0 + 1)]), radix: 16)
    }
    let byHand = Data(bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    #expect(key.thumbprint == byHand)
    #expect(key.thumbprint == "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s")
  }

  @Test("a key that is no point of the curve, or of another kind, is none")
  func wrongKeys() {
    let good: [String: JSONValue] = [
      "kty": .string("EC"), "crv": .string("P-256"),
      "x": .string("MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4"),
      "y": .string("4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"),
    ]
    #expect(DevicePublicKey(jwk: .object(good)) != nil)
    let zero = Base64URL.text([UInt8](repeating: 0, count: 32))
    for (name, value) in [
      ("kty", "RSA"), ("crv", "P-384"), ("x", zero), ("y", zero), ("x", ""), ("y", "AAAA"),
      ("x", "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4="),
      ("x", "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D5"), ("y", "€"),
    ] {
      #expect(
        DevicePublicKey(jwk: .object(good.merging([name: .string(value)]) { $1 })) == nil,
        "\(name) \(value)")
    }
    #expect(DevicePublicKey(jwk: .object(["kty": .string("EC")])) == nil)
  }

  @Test(
    "each seal has the lower of the two s, and the other signature that holds is named by its digest"
  )
  func lowS() throws {
    // The beginning of n / 2 of P-256, big-endian: half of all signatures are made with an s above
    // it.
    let half: [UInt8] = [0x7F, 0xFF, 0xFF, 0xFF, 0x80, 0x00, 0x00, 0x00, 0x7F]
    var asMade = 0
    for _ in 0..<32 {
      let key = SoftwareDeviceKey()
      let seal = try Self.seal(key)
      let dot = try #require(seal.jws.lastIndex(of: "."))
      let signature = try #require(Base64URL.bytes(seal.jws[seal.jws.index(after: dot)...]))
      #expect(signature[32...].lexicographicallyPrecedes(half))
      let twin = try #require(ECDSATwin.other(signature))
      #expect(ECDSATwin.other(twin) == signature)
      #expect(ECDSATwin.low(twin) == signature)
      let other = seal.jws[...dot] + Base64URL.text(twin)
      // Seals with a high s, of earlier versions and other software, are read as well.
      let second = try Seal(jws: String(other))
      #expect(second.link == seal.link)
      #expect(seal.twinDigest == second.digest)
      #expect(second.twinDigest == seal.digest)
      let made = try key.sign([1, 2, 3])
      if ECDSATwin.low(made) != made { asMade += 1 }
    }
    #expect(asMade > 0)
    #expect(ECDSATwin.other([]) == nil)
    #expect(ECDSATwin.other([UInt8](repeating: 0xFF, count: 64)) == nil)
  }

  @Test("a key comes back from its file, and nonsense is refused")
  func keyFile() throws {
    let key = SoftwareDeviceKey()
    #expect(try SoftwareDeviceKey(pem: key.pem).publicKey == key.publicKey)
    #expect(throws: EvidenceError.self) { try SoftwareDeviceKey(pem: "") }
    #expect(throws: EvidenceError.self) {
      try SoftwareDeviceKey(pem: key.pem.replacing("M", with: "N"))
    }
  }

  @Test("a seal is read again as what was sealed, by whom, and where it belongs")
  func roundTrip() throws {
    let key = SoftwareDeviceKey()
    var link = Self.link
    link.sequence = 7
    link.previous = String(repeating: "0", count: 64)
    link.file = String(repeating: "1", count: 64)
    link.raw = String(repeating: "f", count: 64)
    for kind in RecordKind.allCases {
      link.kind = kind
      let seal = try Self.seal(key, link)
      let again = try Seal(jws: seal.jws)
      #expect(again == seal)
      #expect(again.link.json == seal.link.json)
      #expect(again.digest == seal.digest)
    }
  }

  @Test("a character changed anywhere in the signature is noticed")
  func everyCharacter() throws {
    let seal = try Self.seal(SoftwareDeviceKey())
    let characters = Array(seal.jws)
    for index in characters.indices.filter({ $0 % 3 == 0 || $0 > characters.count - 8 }) {
      var changed = characters
      changed[index] = changed[index] == "A" ? "B" : "A"
      #expect(throws: EvidenceError.self, "character \(index)") {
        try Seal(jws: String(changed))
      }
    }
    for text in [
      "", ".", "..", "a.b.c", seal.jws + "A", seal.jws + "=", " " + seal.jws, seal.jws + "\n",
      seal.jws + ".", String(seal.jws.dropLast()), seal.jws.replacing(".", with: ""),
    ] {
      #expect(throws: EvidenceError.self) { try Seal(jws: text) }
    }
  }

  @Test("a header that asks for something else than ES256 with the key it carries is refused")
  func headers() throws {
    let key = SoftwareDeviceKey()
    let other = SoftwareDeviceKey()
    var link = Self.link
    link.key = key.publicKey.thumbprint
    func header(_ changes: [String: JSONValue]) -> JSONValue {
      .object(
        [
          "alg": .string("ES256"), "jwk": key.publicKey.jwk,
          "kid": .string(key.publicKey.thumbprint),
        ].merging(changes) { $1 })
    }
    #expect(throws: Never.self) {
      try Seal(jws: Self.jws(key, header: header(["x": .null]), payload: link.json))
    }
    for changes: [String: JSONValue] in [
      ["alg": .string("none")], ["alg": .string("HS256")], ["alg": .null],
      ["crit": .array([.string("exp")])], ["kid": .string(other.publicKey.thumbprint)],
      ["jwk": other.publicKey.jwk], ["jwk": .null],
      ["jwk": other.publicKey.jwk, "kid": .string(other.publicKey.thumbprint)],
    ] {
      #expect(throws: EvidenceError.self, "\(changes.keys)") {
        try Seal(jws: Self.jws(key, header: header(changes), payload: link.json))
      }
    }
  }

  @Test("a signature of zeros, or of another length, does not hold and does not trap")
  func oddSignatures() throws {
    let seal = try Self.seal(SoftwareDeviceKey())
    let signed = seal.jws.split(separator: ".").prefix(2).joined(separator: ".")
    for bytes: [UInt8] in [
      [], [0], [UInt8](repeating: 0, count: 64), [UInt8](repeating: 0xFF, count: 64),
      [UInt8](repeating: 1, count: 63), [UInt8](repeating: 1, count: 65),
    ] {
      #expect(throws: EvidenceError.malformedSeal("the signature is not valid")) {
        try Seal(jws: signed + "." + Base64URL.text(bytes))
      }
    }
  }

  @Test("a link whose member has another form is refused, although its signature holds")
  func wrongLinks() throws {
    let key = SoftwareDeviceKey()
    var link = Self.link
    link.key = key.publicKey.thumbprint
    #expect(throws: Never.self) { try Seal(jws: Self.jws(key, payload: link.json)) }
    let digest = String(repeating: "ab", count: 32)
    let changes: [(String, JSONValue?)] = [
      ("schema", .string("standpoint.link/2")), ("schema", nil), ("key", .string("else")),
      ("key", nil), ("sequence", .integer(0)), ("sequence", .number(1.5)),
      ("sequence", .string("1")), ("sequence", nil), ("kind", .string("photo")), ("kind", nil),
      ("id", .string("1")), ("id", nil), ("record", nil), ("record", .string("ab")),
      ("record", .string(digest.uppercased())), ("previous", .integer(1)),
      ("previous", .string("")), ("file", .null), ("file", .array([.string(digest)])),
      ("file", .string(String(digest.dropLast()) + "g")), ("raw", .bool(false)),
      ("raw", .string(digest + digest)),
    ]
    for (name, value) in changes {
      #expect(throws: EvidenceError.self, "\(name) \(String(describing: value))") {
        try Seal(jws: Self.jws(key, payload: link.json.setting([name], to: value)))
      }
    }
    // An unknown member, of a later version, is ignored.
    #expect(throws: Never.self) {
      try Seal(jws: Self.jws(key, payload: link.json.setting(["later"], to: .integer(1))))
    }
  }

  @Test("a seal file holds exactly what was written: no blank, no other order, no further member")
  func sealFile() throws {
    let day = try FieldDay.ordinary.get()
    let file = try #require(try day.sealFiles().first)
    #expect(try SealFile(file.bytes) == file)
    let text = String(decoding: file.bytes, as: UTF8.self)
    let json = try JSONValue(parsing: file.bytes)
    for changed in [
      text + "\n", " " + text, text.replacing(",", with: ", "), "{}", "[]", "null", "",
      text.replacing(#""schema":"standpoint.seal/1""#, with: #""schema":"standpoint.seal/2""#),
    ] {
      #expect(throws: EvidenceError.self) { try SealFile(Array(changed.utf8)) }
    }
    for (name, value) in [
      ("note", JSONValue.string("signed by nobody")), ("record", .object([:])), ("seal", .null),
    ] {
      #expect(throws: EvidenceError.self, "\(name)") {
        try SealFile(json.setting([name], to: value).canonicalBytes)
      }
    }
  }

  @Test("a seal, or a seal file, of a size that none has is refused before it is read")
  func tooLarge() {
    let text = String(repeating: "A", count: 1 << 16) + "..."
    #expect(
      throws: EvidenceError.malformedSeal("the signature has more than \(65_536) characters")
    ) { try Seal(jws: text) }
    let bytes = [UInt8](repeating: UInt8(ascii: "["), count: SealFile.sizeLimit + 1)
    #expect(
      throws: EvidenceError.malformedSeal(
        "it has \(4_194_305) bytes; at most \(4_194_304) are read")
    ) { try SealFile(bytes) }
  }

  @Test("a record with members that nobody knows yet stays verifiable")
  func laterMembers() throws {
    var day = try FieldDay(seed: 1)
    day.note("later")
    day.change(day.entries[0].id, ["weather"], to: .object(["sky": .string("clear")]))
    let file = try #require(try day.sealFiles().first)
    #expect(try SealFile(file.bytes).record["weather"]?["sky"]?.text == "clear")
  }

  @Test(
    "record and link that name different things are refused",
    arguments: ["id", "kind", "schema", "device"])
  func differentThings(member: String) throws {
    var day = try FieldDay(seed: 2)
    day.note("x")
    let path = member == "device" ? ["device", "key"] : [member]
    day.change(day.entries[0].id, path, to: .string("another"))
    let file = try #require(try day.sealFiles().first)
    #expect(throws: EvidenceError.self) { try SealFile(file.bytes) }
  }

  @Test(
    "another library verifies a seal that we made, and refuses a changed one",
    .enabled("no python3 here has the package cryptography") {
      await IndependentPython.path() != nil
    })
  func independently() async throws {
    let script = """
      import base64, hashlib, json, sys
      from cryptography.hazmat.primitives import hashes
      from cryptography.hazmat.primitives.asymmetric import ec
      from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
      def raw(text): return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
      file = json.loads(sys.stdin.buffer.read())
      header, payload, signature = file["seal"].split(".")
      jwk = json.loads(raw(header))["jwk"]
      x, y = (int.from_bytes(raw(jwk[name]), "big") for name in "xy")
      key = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
      pair = [int.from_bytes(half, "big") for half in (raw(signature)[:32], raw(signature)[32:])]
      key.verify(encode_dss_signature(*pair), f"{header}.{payload}".encode(),
                 ec.ECDSA(hashes.SHA256()))
      link = json.loads(raw(payload))
      record = json.dumps(file["record"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
      assert hashlib.sha256(record.encode()).hexdigest() == link["record"]
      thumb = json.dumps(jwk, sort_keys=True, separators=(",", ":")).encode()
      print(link["sequence"],
            base64.urlsafe_b64encode(hashlib.sha256(thumb).digest()).decode().rstrip("="))
      """
    let python = try #require(await IndependentPython.path())
    let day = try FieldDay.ordinary.get()
    for (index, file) in try day.sealFiles().enumerated() {
      let outcome = try await Program.run(python, ["-c", script], input: Data(file.bytes))
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output == "\(index + 1) \(day.key.publicKey.thumbprint)\n")
    }
    let first = try #require(try day.sealFiles().first)
    let parts = first.seal.jws.split(separator: ".").map(String.init)
    var payload = try #require(Base64URL.bytes(parts[1]))
    payload[20] ^= 1
    let changed = JSONValue.object([
      "record": first.record,
      "seal": .string([parts[0], Base64URL.text(payload), parts[2]].joined(separator: ".")),
    ])
    let outcome = try await Program.run(
      python, ["-c", script], input: Data(changed.canonicalBytes))
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains("InvalidSignature"))
  }
}
