import Attestation
import CTSS
import Evidence
import Foundation

/// A TPM 2.0, asked through the TPM software stack in this process. The stack is somebody else's program, so that only
/// the worker and the tests use this. Everything that it loads into the TPM it takes out again.
final class TPMSession {
  private var functions = tss_functions()
  private var way: OpaquePointer?
  private var context: OpaquePointer?
  private var loaded: [UInt32] = []

  private typealias Object = UInt32
  private let none: Object = 0xFFF
  private let password: Object = 0xFF
  private let owner: Object = 0x101
  private let endorsement: Object = 0x10B

  /// The endorsement key where makers keep it, and the memory with its certificate ("TCG TPM v2.0 Provisioning
  /// Guidance", 7.8; "EK Credential Profile", 2.2.1.4).
  private let keptEndorsementKey: UInt32 = 0x8101_0001
  private let certificateIndex: UInt32 = 0x01C0_0002

  /// Connects to a TPM.
  /// - Throws: `TokenError`.
  init(_ connection: String) throws(TokenError) {
    if let missing = tss_load(&functions) {
      throw .module(
        path: String(cString: missing),
        reason: "it is not installed: Debian has it in libtss2-esys-3.0.2-0")
    }
    // The stack loads the way itself, and would only say that it failed.
    let library = "libtss2-tcti-\(connection.prefix { $0 != ":" }).so.0"
    guard dlopen(library, RTLD_NOW | RTLD_LOCAL) != nil else {
      throw .module(path: library, reason: "it is not installed")
    }
    guard functions.connect(connection, &way) == 0, functions.begin(&context, way, nil) == 0 else {
      throw .noTPM(connection)
    }
  }

  /// Takes everything out of the TPM again.
  private func unload() {
    for object in loaded.reversed() { _ = functions.flush(context, object) }
    loaded = []
  }

  deinit {
    unload()
    if context != nil { functions.end(&context) }
    if way != nil { functions.disconnect(&way) }
  }

  private func check(_ code: UInt32, _ step: String) throws(TokenError) {
    guard code != 0 else { return }
    throw .refused(step: step, code: UInt(code))
  }

  // MARK: buffers

  /// Fills a buffer with its length before it; all of the stack's are made alike.
  private func buffer<Buffer: BitwiseCopyable>(
    _ empty: Buffer, _ bytes: [UInt8]
  ) throws(TokenError) -> Buffer {
    guard bytes.count + 2 <= MemoryLayout<Buffer>.size else {
      throw .nonsense("\(bytes.count) bytes are too many for it")
    }
    var buffer = empty
    withUnsafeMutableBytes(of: &buffer) { memory in
      memory.storeBytes(of: UInt16(bytes.count), as: UInt16.self)
      memory.baseAddress?.advanced(by: 2).copyMemory(from: bytes, byteCount: bytes.count)
    }
    return buffer
  }

  private func bytes<Buffer>(_ buffer: UnsafePointer<Buffer>) -> [UInt8] {
    let memory = UnsafeRawBufferPointer(start: buffer, count: MemoryLayout<Buffer>.size)
    let count = Int(memory.load(as: UInt16.self))
    return Array(memory.dropFirst(2).prefix(count))
  }

  /// Reads an area as the stack has it.
  private func publicArea(_ area: [UInt8]) throws(TokenError) -> TPM2B_PUBLIC {
    let sized = area.sizedForTPM
    var (value, offset) = (TPM2B_PUBLIC(), 0)
    try check(
      functions.read_public(sized, sized.count, &offset, &value), "TPM2B_PUBLIC_Unmarshal")
    return value
  }

  // MARK: objects

  /// The storage key under which our keys lie: the owner's hierarchy makes the same one each time.
  private static let storageTemplate: [UInt8] = storage(
    attributes: 1 << 1 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 10 | 1 << 16 | 1 << 17)

  private static func storage(attributes: UInt32) -> [UInt8] {
    [0x00, 0x23, 0x00, 0x0B] + [UInt8](tpm: attributes)
      // No policy; AES of 128 bits in CFB; no scheme; P-256; no derivation; no point.
      + [0, 0, 0x00, 0x06, 0x00, 0x80, 0x00, 0x43, 0x00, 0x10, 0x00, 0x03, 0x00, 0x10, 0, 0, 0, 0]
  }

  /// The endorsement key's template for RSA of 2,048 bits (EK Credential Profile, L-1).
  private static let endorsementTemplate: [UInt8] =
    [0x00, 0x01, 0x00, 0x0B, 0x00, 0x03, 0x00, 0xB2, 0x00, 0x20]
    // TPM2_PolicySecret with the endorsement hierarchy.
    + [
      0x83, 0x71, 0x97, 0x67, 0x44, 0x84, 0xB3, 0xF8, 0x1A, 0x90, 0xCC, 0x8D, 0x46, 0xA5, 0xD7,
      0x24, 0xFD, 0x52, 0xD7, 0x6E, 0x06, 0x52, 0x0B, 0x64, 0xF2, 0xA1, 0xDA, 0x1B, 0x33, 0x14,
      0x69, 0xAA,
    ]
    + [0x00, 0x06, 0x00, 0x80, 0x00, 0x43, 0x00, 0x10, 0x08, 0x00, 0, 0, 0, 0]
    + [UInt8](repeating: 0, count: 256).sizedForTPM

  private func primary(_ template: [UInt8], of hierarchy: Object) throws(TokenError) -> Object {
    var (sensitive, outside, selection) = (
      TPM2B_SENSITIVE_CREATE(), TPM2B_DATA(), TPML_PCR_SELECTION()
    )
    var area = try publicArea(template)
    var object: Object = 0
    let code = functions.create_primary(
      context, hierarchy, password, none, none, &sensitive, &area, &outside, &selection, &object,
      nil, nil, nil, nil)
    // TPM_RC_BAD_AUTH and TPM_RC_AUTH_FAIL of the first session.
    let isOwned = [0x9A2, 0x98E].contains(code)
    try check(
      code, isOwned ? "TPM2_CreatePrimary: its owner has set a password" : "TPM2_CreatePrimary")
    loaded.append(object)
    return object
  }

  /// Makes a signing key that stays in the TPM, and returns its public area, and its sensitive one encrypted.
  func makeKey() throws(TokenError) -> (area: [UInt8], sealed: [UInt8]) {
    let parent = try primary(Self.storageTemplate, of: owner)
    var (sensitive, outside, selection) = (
      TPM2B_SENSITIVE_CREATE(), TPM2B_DATA(), TPML_PCR_SELECTION()
    )
    var template = try publicArea(TPMKeyArea.template)
    var sealed: UnsafeMutablePointer<TPM2B_PRIVATE>?
    var area: UnsafeMutablePointer<TPM2B_PUBLIC>?
    let code = functions.create(
      context, parent, password, none, none, &sensitive, &template, &outside, &selection, &sealed,
      &area, nil, nil, nil)
    try check(code, "TPM2_Create")
    defer {
      functions.free(sealed)
      functions.free(area)
    }
    guard let sealed, let area else { throw .nonsense("it makes no key") }
    var (written, offset) = ([UInt8](repeating: 0, count: 1_024), 0)
    try check(
      functions.write_public(area, &written, written.count, &offset), "TPM2B_PUBLIC_Marshal")
    return (Array(written[2..<offset]), bytes(sealed))
  }

  private func load(_ area: [UInt8], _ sealed: [UInt8]) throws(TokenError) -> Object {
    let parent = try primary(Self.storageTemplate, of: owner)
    var area = try publicArea(area)
    var sealed = try buffer(TPM2B_PRIVATE(), sealed)
    var object: Object = 0
    let code = functions.load(context, parent, password, none, none, &sealed, &area, &object)
    // The key was made by another TPM, or this one was cleared: TPM_RC_INTEGRITY of the first parameter.
    if code & 0xFFF == 0x1DF { throw .noKey }
    try check(code, "TPM2_Load")
    loaded.append(object)
    return object
  }

  /// Signs a SHA-256 digest, and returns r and s, 32 bytes each.
  func sign(_ digest: [UInt8], _ area: [UInt8], _ sealed: [UInt8]) throws(TokenError) -> [UInt8] {
    let key = try load(area, sealed)
    var digest = try buffer(TPM2B_DIGEST(), digest)
    var scheme = TPMT_SIG_SCHEME()
    scheme.scheme = 0x18
    scheme.details.ecdsa.hashAlg = 0x0B
    var ticket = TPMT_TK_HASHCHECK()
    (ticket.tag, ticket.hierarchy) = (0x8024, 0x4000_0007)
    var signature: UnsafeMutablePointer<TPMT_SIGNATURE>?
    let code = functions.sign(
      context, key, password, none, none, &digest, &scheme, &ticket, &signature)
    try check(code, "TPM2_Sign")
    defer { functions.free(signature) }
    guard let signature, signature.pointee.sigAlg == 0x18 else {
      throw .nonsense("it does not sign")
    }
    var numbers = signature.pointee.signature.ecdsa
    let r = withUnsafePointer(to: &numbers.signatureR) { bytes($0) }
    let s = withUnsafePointer(to: &numbers.signatureS) { bytes($0) }
    guard r.count <= 32, s.count <= 32 else { throw .nonsense("a signature has 64 bytes") }
    return [r, s].flatMap { [UInt8](repeating: 0, count: 32 - $0.count) + $0 }
  }

  // MARK: the maker's word

  /// Reads the maker's certificate for the endorsement key.
  func makersCertificate() throws(TokenError) -> [UInt8] {
    var index: Object = 0
    guard functions.find(context, certificateIndex, none, none, none, &index) == 0 else {
      throw .noMakersCertificate
    }
    var about: UnsafeMutablePointer<TPM2B_NV_PUBLIC>?
    try check(
      functions.nv_describe(context, index, none, none, none, &about, nil), "TPM2_NV_ReadPublic")
    defer { functions.free(about) }
    let count = min(
      Int(about?.pointee.nvPublic.dataSize ?? 0), EndorsementKey.longestCertificate)
    var found: [UInt8] = []
    while found.count < count {
      var part: UnsafeMutablePointer<TPM2B_MAX_NV_BUFFER>?
      // A TPM gives at least 512 bytes at once.
      let code = functions.nv_read(
        context, index, index, password, none, none, UInt16(min(512, count - found.count)),
        UInt16(found.count), &part)
      try check(code, "TPM2_NV_Read")
      defer { functions.free(part) }
      guard let part, part.pointee.size > 0 else { throw .noMakersCertificate }
      found += bytes(part)
    }
    return found
  }

  private static let activating = "TPM2_ActivateCredential"

  /// Opens a secret that was closed for this TPM's endorsement key and a key in it.
  func open(
    _ secret: ClosedSecret, _ area: [UInt8], _ sealed: [UInt8]
  ) throws(TokenError) -> [UInt8] {
    var kept: Object = 0
    var first: TokenError?
    if functions.find(context, keptEndorsementKey, none, none, none, &kept) == 0 {
      do throws(TokenError) {
        return try open(secret, with: kept, area, sealed)
      } catch {
        guard case .refused(step: Self.activating, _) = error else { throw error }
        first = error
        // A TPM has room for three objects.
        unload()
      }
    }
    // A key that others have put there may be another one: the maker's is made anew.
    do throws(TokenError) {
      return try open(
        secret, with: try primary(Self.endorsementTemplate, of: endorsement), area, sealed)
    } catch {
      throw first ?? error
    }
  }

  private func open(
    _ secret: ClosedSecret, with endorsementKey: Object, _ area: [UInt8], _ sealed: [UInt8]
  ) throws(TokenError) -> [UInt8] {
    let key = try load(area, sealed)
    var symmetric = TPMT_SYM_DEF()
    symmetric.algorithm = 0x10
    var session: Object = 0
    try check(
      functions.start_session(
        context, none, none, none, none, none, nil, 1, &symmetric, 0x0B, &session),
      "TPM2_StartAuthSession")
    loaded.append(session)
    try check(
      functions.policy_secret(
        context, endorsement, session, password, none, none, nil, nil, nil, 0, nil, nil),
      "TPM2_PolicySecret")
    var credential = try buffer(TPM2B_ID_OBJECT(), secret.credential)
    var seed = try buffer(TPM2B_ENCRYPTED_SECRET(), secret.seed)
    var opened: UnsafeMutablePointer<TPM2B_DIGEST>?
    let code = functions.activate(
      context, key, endorsementKey, password, session, none, &credential, &seed, &opened)
    try check(code, Self.activating)
    defer { functions.free(opened) }
    guard let opened else { throw .nonsense("it opens no secret") }
    return bytes(opened)
  }

  // MARK: the TPM itself

  /// The TPM by its own word: manufacturer, model and version of its firmware.
  func describe() throws(TokenError) -> TokenDescription {
    var found: UnsafeMutablePointer<TPMS_CAPABILITY_DATA>?
    // The fixed properties from the manufacturer (0x105) on.
    let code = functions.capability(context, none, none, none, 6, 0x105, 8, nil, &found)
    try check(code, "TPM2_GetCapability")
    defer { functions.free(found) }
    var values: [UInt32: UInt32] = [:]
    if var list = found?.pointee.data.tpmProperties {
      let count = min(Int(list.count), 8)
      withUnsafeBytes(of: &list.tpmProperty) { memory in
        for one in memory.bindMemory(to: TPMS_TAGGED_PROPERTY.self).prefix(count) {
          values[one.property] = one.value
        }
      }
    }
    func text(_ properties: ClosedRange<UInt32>) -> String {
      let letters = properties.flatMap { [UInt8](tpm: values[$0] ?? 0) }
      return String(decoding: letters.filter { (0x20...0x7E).contains($0) }, as: UTF8.self)
        .trimmingCharacters(in: .whitespaces)
    }
    let firmware = values[0x10B].map { "\($0 >> 16).\($0 & 0xFFFF)" } ?? ""
    return TokenDescription(
      label: "TPM", maker: text(0x105...0x105), model: "TPM 2.0 \(text(0x106...0x109))",
      serial: firmware)
  }
}

extension TPMSession {
  /// Answers a question of our program.
  static func answer(to asked: JSONValue, _ connection: String) throws(TokenError) -> JSONValue {
    func given(_ name: String) throws(TokenError) -> [UInt8] {
      guard let bytes = asked[name]?.text.flatMap(Base64URL.bytes) else {
        throw .nonsense("the question cannot be read")
      }
      return bytes
    }
    func text(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.text(bytes)) }
    let session = try TPMSession(connection)
    switch asked["want"]?.text {
    case "look": return .object(["token": try session.describe().json])
    case "key":
      let key = try session.makeKey()
      return .object([
        "area": text(key.area), "sealed": text(key.sealed), "token": try session.describe().json,
      ])
    case "sign":
      return .object([
        "signature": text(
          try session.sign(try given("digest"), try given("area"), try given("sealed")))
      ])
    case "certificate": return .object(["certificate": text(try session.makersCertificate())])
    case "open":
      let secret = ClosedSecret(credential: try given("credential"), seed: try given("seed"))
      return .object([
        "secret": text(try session.open(secret, try given("area"), try given("sealed")))
      ])
    default: throw .nonsense("the question cannot be read")
    }
  }
}
