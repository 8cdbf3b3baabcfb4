import Evidence
import Foundation
import Store
import TimeAndText

/// The device's keys: each in a file that only its owner can read, or in a token that a file names.
public struct KeyFolder: Sendable {
  let path: String
  /// The program that has the command `token-worker`.
  let program: String

  /// The name of the file with the address of the token in which new keys are made.
  private static let choice = "chosen-token"

  /// Creates the folder of a path, which has to be there.
  package init(path: String, program: String = TokenKey.thisProgram) {
    (self.path, self.program) = (path, program)
  }

  /// Returns the key with a thumbprint.
  /// - Throws: `KeyFolderError` if its file is not there, or cannot be read; `TokenError`.
  package func key(_ thumbprint: String) throws -> any DeviceKey {
    if let bytes = try bytes(of: tokenFile(thumbprint)) {
      guard let key = try TokenKey(fileBytes: bytes, program: program),
        key.publicKey.thumbprint == thumbprint
      else { throw KeyFolderError.damaged(path: tokenFile(thumbprint)) }
      // A choice that cannot be read does not matter to a key that is made already.
      return key.reached(by: (try? chosenPlace())?.token)
    }
    if let bytes = try bytes(of: tpmFile(thumbprint)) {
      guard let key = try TPMKey(fileBytes: bytes, program: program),
        key.publicKey.thumbprint == thumbprint
      else { throw KeyFolderError.damaged(path: tpmFile(thumbprint)) }
      return key.reached(by: (try? chosenPlace())?.tpm)
    }
    let file = self.file(thumbprint)
    guard let pem = try bytes(of: file) else { throw KeyFolderError.missing(path: file) }
    return try SoftwareDeviceKey(pem: String(decoding: pem, as: UTF8.self))
  }

  /// Makes a new key in the chosen token, or in a file, and stores it durably before anything is sealed
  /// with it.
  /// - Throws: `TokenError`, `StoreError`.
  package func makeKey() throws -> any DeviceKey {
    switch try chosenPlace() {
    case .token(let uri):
      let key = try TokenKey.make(in: uri, program: program)
      try keep(key.fileBytes, as: tokenFile(key.publicKey.thumbprint))
      return key
    case .tpm(let address):
      let key = try TPMKey.make(in: address, program: program)
      try keep(try key.fileBytes(), as: tpmFile(key.publicKey.thumbprint))
      return key
    case nil:
      let key = SoftwareDeviceKey()
      try keep(Array(key.pem.utf8), as: file(key.publicKey.thumbprint))
      return key
    }
  }

  private func keep(_ bytes: [UInt8], as file: String) throws {
    try DurableFile.write(bytes, to: file + ".new")
    try DurableFile.rename(file + ".new", to: file)
    try DurableFile.syncFolder(path)
  }

  /// Returns the path of a key's file.
  package func file(_ thumbprint: String) -> String { "\(path)/\(thumbprint).pem" }

  /// Returns the path of the file that names a key in a token.
  package func tokenFile(_ thumbprint: String) -> String { "\(path)/\(thumbprint).token" }

  /// Returns the path of the file with a key that a TPM has encrypted.
  package func tpmFile(_ thumbprint: String) -> String { "\(path)/\(thumbprint).tpm" }

  /// Returns true if the folder has a key that a token or a TPM keeps, and its file with a digest is whole.
  /// - Parameter digests: the SHA-256 of files, hexadecimal, by their names.
  package func holdsTokenKey(_ thumbprint: String, _ digests: [String: String]) throws -> Bool {
    for file in [tokenFile(thumbprint), tpmFile(thumbprint)] {
      guard let digest = digests[(file as NSString).lastPathComponent] else { continue }
      let bytes = try DurableFile.read(file)
      guard Digest.hexadecimal(bytes) == digest else { return false }
      let token = (try? TokenKey(fileBytes: bytes, program: program)) ?? nil
      let tpm = (try? TPMKey(fileBytes: bytes, program: program)) ?? nil
      return (token?.publicKey ?? tpm?.publicKey)?.thumbprint == thumbprint
    }
    return false
  }

  /// Returns true if new keys are made elsewhere than this key is kept: the next sign-in makes a new one.
  package func isElsewhere(_ thumbprint: String) throws -> Bool {
    let isInToken = try bytes(of: tokenFile(thumbprint)) != nil
    let isInTPM = try bytes(of: tpmFile(thumbprint)) != nil
    switch try chosenPlace() {
    case nil: return isInToken || isInTPM
    case .tpm: return !isInTPM
    case .token(let chosen):
      guard isInToken, let key = try key(thumbprint) as? TokenKey else { return true }
      return !key.isIn(chosen)
    }
  }

  /// A place for keys other than a file.
  package enum Place: Hashable, Sendable {
    /// A token behind a PKCS #11 module.
    case token(TokenURI)
    /// A TPM 2.0.
    case tpm(TPMAddress)

    /// Reads an address.
    init(_ text: String) throws(TokenError) {
      self =
        text.hasPrefix(TPMAddress.scheme)
        ? .tpm(try TPMAddress(text)) : .token(try TokenURI(text))
    }

    var token: TokenURI? { if case .token(let uri) = self { uri } else { nil } }
    var tpm: TPMAddress? { if case .tpm(let address) = self { address } else { nil } }

    var text: String {
      switch self {
      case .token(let uri): uri.text
      case .tpm(let address): address.text
      }
    }
  }

  /// The place where new keys are made; nil for files.
  package func chosenPlace() throws -> Place? {
    let file = path + "/" + Self.choice
    do {
      guard let bytes = try bytes(of: file) else { return nil }
      return try Place(
        String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    } catch {
      throw KeyFolderError.choice(path: file)
    }
  }

  /// Returns a file's bytes; nil if it is not there.
  /// - Throws: `KeyFolderError.damaged` if it is there and cannot be read.
  func bytes(of file: String) throws -> [UInt8]? {
    guard FileManager.default.fileExists(atPath: file) else { return nil }
    guard let bytes = FileManager.default.contents(atPath: file) else {
      throw KeyFolderError.damaged(path: file)
    }
    return Array(bytes)
  }

  // MARK: for people

  /// Chooses where new keys are made, and tries the token.
  /// - Parameter place: a token's address, a TPM's, or the word `file`.
  /// - Returns: the words for the person.
  /// - Throws: `TokenError`, `StoreError`; then the choice is as it was.
  public func choose(_ place: String) throws -> Wording {
    let file = path + "/" + Self.choice
    try DurableFile.makeFolder(path)
    if place == "file" {
      if FileManager.default.fileExists(atPath: file) {
        try FileManager.default.removeItem(atPath: file)
      }
      return "New keys are made in files. Sign in again to begin with one"
    }
    TokenWorker.forgetRefusals()
    if case .tpm(let address) = try Place(place) {
      let token = try TokenWorker.describe(address, program)
      try DurableFile.replace(file, with: Array((address.text + "\n").utf8))
      return
        "New keys are made in the TPM (\(token.name)). Sign in again to begin with one: the present key stays valid for what it has sealed"
    }
    var uri = try TokenURI(place)
    let token = try TokenWorker.describe(uri, program)
    // From now on this token alone counts, even if another one gets the same label. A TPM's tokens all
    // have one serial number.
    (uri.token, uri.serial) = (token.label, token.serial)
    try DurableFile.replace(file, with: Array((uri.text + "\n").utf8))
    return
      "New keys are made in the token \(token.label) (\(token.name)). Sign in again to begin with one: the present key stays valid for what it has sealed"
  }

  /// The keys of the device, each with the place where it is kept; nil for a file that is damaged. The
  /// folder holds certificates of other names, too.
  public func keys() throws -> [(thumbprint: String, keeping: KeyKeeping?)] {
    try thumbprints(["pem", "token", "tpm"]).map { thumbprint in
      do {
        return (thumbprint, try key(thumbprint).keeping)
      } catch let error as TokenError {
        throw error
      } catch {
        return (thumbprint, nil)
      }
    }
  }

  private func thumbprints(_ endings: [String]) throws -> [String] {
    // A thumbprint is the base64url of 32 bytes.
    let length = 43
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted().compactMap { name in
      guard let dot = name.lastIndex(of: "."),
        endings.contains(String(name[name.index(after: dot)...])),
        name[..<dot].count == length
      else { return nil }
      return String(name[..<dot])
    }
  }

  /// The keys in one line each, and the place where new ones are made.
  public func lines() throws -> [Wording] {
    try keys().map { thumbprint, keeping -> Wording in
      switch keeping {
      case nil: "\(thumbprint)  its file is damaged: restore it from a backup"
      case .file: "\(thumbprint)  in a file: whoever has the file can sign"
      case .token(let maker, let model, let serial):
        if try bytes(of: tpmFile(thumbprint)) == nil {
          "\(thumbprint)  in a token: \(maker) \(model), serial number \(serial)"
        } else {
          "\(thumbprint)  in a TPM: \(maker) \(model), firmware \(serial); \(try attestationWords(thumbprint) ?? "no office was asked to vouch for it")"
        }
      }
    } + [try chosenPlace().map { "new keys: \($0.text)" } ?? "new keys: in files"]
  }

  /// The same as JSON: `keys` (each `key keeping`, and `maker model serial` of a token), `new`.
  public func json() throws -> JSONValue {
    let keys = try keys().map { thumbprint, keeping -> JSONValue in
      var members: [String: JSONValue] = ["key": .string(thumbprint), "keeping": .string("file")]
      if keeping == nil { members["keeping"] = .string("damaged") }
      if case .object(let token)? = keeping?.json {
        members.merge(token) { _, new in new }
        members["keeping"] = .string("token")
        members["kind"] = nil
      }
      if let shown = try attestation(of: thumbprint)?.shown {
        members["attested"] = .string(shown.time.rfc3339)
        members["root"] = shown.root.map { .string($0) }
      }
      return .object(members)
    }
    return .object([
      "keys": .array(keys), "new": .string(try chosenPlace()?.text ?? "file"),
    ])
  }
}

/// The reason why a key of the device cannot be used.
public enum KeyFolderError: Error, Hashable, Sendable, Worded {
  /// The key's file is not there.
  case missing(path: String)
  /// The key's file is there and cannot be used.
  case damaged(path: String)
  /// The choice of a token cannot be read.
  case choice(path: String)

  /// A stable word for programs.
  public var code: String { "file-unreadable" }

  /// The message for people: the fault and what to do.
  public var wording: Wording {
    switch self {
    case .missing(let path):
      "\(path): the key of this field unit is not there; restore it from a backup"
    case .choice(let path):
      "\(path): the choice of a token cannot be read; make it again as this user: standpoint key use"
    case .damaged(let path):
      "\(path): the key of this field unit cannot be read; restore it from a backup"
    }
  }
}
