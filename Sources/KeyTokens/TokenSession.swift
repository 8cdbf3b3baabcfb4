import CPKCS11
import Evidence
import Foundation

/// A token behind a PKCS #11 module, which runs in this process. A module is somebody else's program and
/// may crash, so that only the worker and the tests use this.
public final class TokenSession {
  private let functions: UnsafeMutablePointer<ck_function_list>
  private let session: ck_session_handle_t
  /// The token as it describes itself.
  public let description: TokenDescription

  /// The longest answer of a token that is read, bytes, and the most slots.
  private static let longest = 512
  private static let mostSlots = 64

  /// Opens the token that a URI names, and gives it the PIN.
  /// - Throws: `TokenError`.
  public init(_ uri: TokenURI) throws(TokenError) {
    guard let library = dlopen(uri.modulePath, RTLD_NOW | RTLD_LOCAL) else {
      throw .module(path: uri.modulePath, reason: Self.loadProblem())
    }
    typealias List =
      @convention(c) (
        UnsafeMutablePointer<UnsafeMutablePointer<ck_function_list>?>?
      ) -> UInt
    guard let symbol = dlsym(library, "C_GetFunctionList") else {
      dlclose(library)
      throw .module(path: uri.modulePath, reason: "it is no PKCS #11 module")
    }
    var list: UnsafeMutablePointer<ck_function_list>?
    let given = unsafeBitCast(symbol, to: List.self)(&list)
    guard given == 0, let functions = list else {
      dlclose(library)
      throw .refused(step: "C_GetFunctionList", code: given)
    }
    self.functions = functions
    do throws(TokenError) {
      try Self.check(functions.pointee.C_Initialize(nil), "C_Initialize")
      let slot = try Self.slot(uri, functions)
      description = slot.description
      var session: ck_session_handle_t = 0
      try Self.check(
        functions.pointee.C_OpenSession(
          slot.id, UInt(CKF_SERIAL_SESSION) | UInt(CKF_RW_SESSION), nil, nil, &session),
        "C_OpenSession")
      self.session = session
      if slot.isAtItsEnd { throw TokenError.lockedPIN }
      if slot.needsLogin { try Self.logIn(uri, session, functions) }
    } catch {
      _ = functions.pointee.C_Finalize(nil)
      throw error
    }
  }

  deinit {
    // The library stays loaded: some modules crash when they are loaded a second time.
    _ = functions.pointee.C_CloseSession(session)
    _ = functions.pointee.C_Finalize(nil)
  }

  private static func loadProblem() -> String {
    dlerror().map { String(cString: $0) } ?? "unknown"
  }

  private static func check(_ code: UInt, _ step: String) throws(TokenError) {
    guard code == 0 else { throw .refused(step: step, code: code) }
  }

  private struct Slot {
    var id: ck_slot_id_t
    var needsLogin: Bool
    /// True if one more wrong PIN locks the token, or if it is locked.
    var isAtItsEnd: Bool
    var description: TokenDescription
  }

  private static func slot(
    _ uri: TokenURI, _ functions: UnsafeMutablePointer<ck_function_list>
  ) throws(TokenError) -> Slot {
    var count = UInt(mostSlots)
    var ids = [ck_slot_id_t](repeating: 0, count: mostSlots)
    try check(functions.pointee.C_GetSlotList(1, &ids, &count), "C_GetSlotList")
    for id in ids.prefix(Int(min(count, UInt(mostSlots)))) {
      var info = ck_token_info()
      guard functions.pointee.C_GetTokenInfo(id, &info) == 0,
        info.flags & UInt(CKF_TOKEN_INITIALIZED) != 0
      else { continue }
      let description = TokenDescription(info)
      guard uri.token == nil || uri.token == description.label,
        uri.serial == nil || uri.serial == description.serial
      else { continue }
      return Slot(
        id: id, needsLogin: info.flags & UInt(CKF_LOGIN_REQUIRED) != 0,
        isAtItsEnd: info.flags & UInt(CKF_USER_PIN_FINAL_TRY | CKF_USER_PIN_LOCKED) != 0,
        description: description)
    }
    throw .noToken(uri.token ?? uri.serial ?? uri.modulePath)
  }

  private static func logIn(
    _ uri: TokenURI, _ session: ck_session_handle_t,
    _ functions: UnsafeMutablePointer<ck_function_list>
  ) throws(TokenError) {
    var pin = try TokenPIN.read(uri.pinSource)
    defer { for index in pin.indices { pin[index] = 0 } }
    let code = functions.pointee.C_Login(session, UInt(CKU_USER), &pin, UInt(pin.count))
    switch code {
    case 0, UInt(CKR_USER_ALREADY_LOGGED_IN): return
    case UInt(CKR_PIN_LOCKED): throw .lockedPIN
    case UInt(CKR_PIN_INCORRECT), UInt(CKR_PIN_LEN_RANGE), UInt(CKR_PIN_INVALID): throw .wrongPIN
    default: throw .refused(step: "C_Login", code: code)
    }
  }

  // MARK: keys

  /// Makes a P-256 key that cannot be taken out of the token, and returns its public half.
  /// - Parameter id: the identifier by which the key is found again.
  /// - Throws: `TokenError`; also if the token says that the key could be taken out.
  public func makeKey(id: [UInt8]) throws(TokenError) -> DevicePublicKey {
    let curve: [UInt8] = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    let shared = [
      Attribute(CKA_ID, id), Attribute(CKA_LABEL, Array("standpoint".utf8)),
      Attribute(CKA_TOKEN, true),
    ]
    var mechanism = ck_mechanism(
      mechanism: UInt(CKM_EC_KEY_PAIR_GEN), parameter: nil, parameter_len: 0)
    var (open, secret): (ck_object_handle_t, ck_object_handle_t) = (0, 0)
    let code = Attribute.withTemplate(
      shared + [Attribute(CKA_EC_PARAMS, curve), Attribute(CKA_VERIFY, true)]
    ) { openTemplate, openCount in
      Attribute.withTemplate(
        shared + [
          Attribute(CKA_PRIVATE, true), Attribute(CKA_SENSITIVE, true),
          Attribute(CKA_EXTRACTABLE, false), Attribute(CKA_SIGN, true),
        ]
      ) { secretTemplate, secretCount in
        functions.pointee.C_GenerateKeyPair(
          session, &mechanism, openTemplate, openCount, secretTemplate, secretCount, &open, &secret)
      }
    }
    try Self.check(code, "C_GenerateKeyPair")
    guard try read(CKA_EXTRACTABLE, of: secret) == [0], try read(CKA_SENSITIVE, of: secret) == [1]
    else {
      for object in [open, secret] { _ = functions.pointee.C_DestroyObject(session, object) }
      throw .nonsense("the token would give its keys away")
    }
    return try Self.publicKey(point: try read(CKA_EC_POINT, of: open))
  }

  /// Signs a SHA-256 digest with the key of an identifier, and returns r and s, 32 bytes each.
  /// - Throws: `TokenError`.
  public func sign(_ digest: [UInt8], id: [UInt8]) throws(TokenError) -> [UInt8] {
    guard digest.count == 32 else { throw .nonsense("a digest has 32 bytes") }
    let key = try privateKey(id)
    var mechanism = ck_mechanism(mechanism: UInt(CKM_ECDSA), parameter: nil, parameter_len: 0)
    try Self.check(functions.pointee.C_SignInit(session, &mechanism, key), "C_SignInit")
    var data = digest
    var signature = [UInt8](repeating: 0, count: Self.longest)
    var length = UInt(signature.count)
    try Self.check(
      functions.pointee.C_Sign(session, &data, UInt(data.count), &signature, &length), "C_Sign")
    guard length == 64 else { throw .nonsense("a signature has 64 bytes, this one \(length)") }
    return Array(signature.prefix(64))
  }

  private func privateKey(_ id: [UInt8]) throws(TokenError) -> ck_object_handle_t {
    let code = Attribute.withTemplate([
      Attribute(CKA_CLASS, UInt(CKO_PRIVATE_KEY)), Attribute(CKA_ID, id),
    ]) { functions.pointee.C_FindObjectsInit(session, $0, $1) }
    try Self.check(code, "C_FindObjectsInit")
    var found: ck_object_handle_t = 0
    var count: UInt = 0
    let search = functions.pointee.C_FindObjects(session, &found, 1, &count)
    _ = functions.pointee.C_FindObjectsFinal(session)
    try Self.check(search, "C_FindObjects")
    guard count == 1 else { throw .noKey }
    return found
  }

  private func read(
    _ type: UInt, of object: ck_object_handle_t
  ) throws(TokenError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.longest)
    var length: UInt = 0
    let code = bytes.withUnsafeMutableBytes { buffer in
      var attribute = ck_attribute(
        type: type, value: buffer.baseAddress, value_len: UInt(buffer.count))
      let code = functions.pointee.C_GetAttributeValue(session, object, &attribute, 1)
      length = attribute.value_len
      return code
    }
    try Self.check(code, "C_GetAttributeValue")
    guard length <= UInt(Self.longest) else { throw .nonsense("an attribute is too long") }
    return Array(bytes.prefix(Int(length)))
  }

  /// Reads CKA_EC_POINT: an OCTET STRING with the uncompressed point, or with some modules the point alone.
  static func publicKey(point: [UInt8]) throws(TokenError) -> DevicePublicKey {
    let bare =
      point.count == 67 && point.starts(with: [0x04, 0x41]) ? Array(point.dropFirst(2)) : point
    guard bare.count == 65, bare[0] == 0x04,
      let key = DevicePublicKey(point: bare)
    else { throw .nonsense("its public key is no point of P-256") }
    return key
  }
}

/// An attribute of an object, with its value kept until the module has read it.
private struct Attribute {
  let type: UInt
  var bytes: [UInt8]

  init(_ type: UInt, _ bytes: [UInt8]) { (self.type, self.bytes) = (type, bytes) }
  init(_ type: UInt, _ flag: Bool) { self.init(type, [flag ? 1 : 0]) }
  init(_ type: UInt, _ number: UInt) {
    self.init(type, withUnsafeBytes(of: number) { Array($0) })
  }

  static func withTemplate(
    _ attributes: [Attribute],
    _ body: (UnsafeMutablePointer<ck_attribute>?, UInt) -> UInt
  ) -> UInt {
    // Modules read numbers where they lie, so each value begins at a multiple of eight.
    var values = attributes.flatMap { one in
      one.bytes + [UInt8](repeating: 0, count: (8 - one.bytes.count % 8) % 8)
    }
    return values.withUnsafeMutableBytes { buffer in
      var offset = 0
      var template = attributes.map { attribute in
        defer { offset += (attribute.bytes.count + 7) / 8 * 8 }
        return ck_attribute(
          type: attribute.type, value: buffer.baseAddress?.advanced(by: offset),
          value_len: UInt(attribute.bytes.count))
      }
      return template.withUnsafeMutableBufferPointer { body($0.baseAddress, UInt($0.count)) }
    }
  }
}
