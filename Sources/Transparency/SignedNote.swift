// https://c2sp.org/signed-note: a text, an empty line, and a line for each signature:
// "— NAME BASE64(four bytes of key, signature)". The signature covers the text with its last line end.

import Crypto
import Foundation
import TimeAndText

/// A note or a checkpoint that is not well formed.
public struct NoteProblem: Error, Hashable, Sendable, Worded {
  /// The message for people.
  public let wording: Wording

  init(_ wording: Wording) { self.wording = wording }
}

/// A key that checks signatures of notes: of a log, or of a witness.
public struct NoteKey: Hashable, Sendable {
  /// The ways in which a key signs. Each key signs in one of them.
  public enum Kind: UInt8, Sendable {
    /// Ed25519 over the note's text: a log.
    case log = 1
    /// Ed25519 over a time and the note's text, `cosignature/v1`: a witness.
    case witness = 4
  }

  /// The longest name, in bytes of UTF-8.
  static let nameBytesAtMost = 255

  /// The name of whoever signs.
  public let name: String
  /// The way in which the key signs.
  public let kind: Kind
  /// The public key, 32 bytes.
  public let key: [UInt8]

  /// Creates a key.
  /// - Throws: `NoteProblem` if the name is empty, too long, or has a space, a plus sign or a character that
  ///   controls something; or if these bytes are no key.
  public init(name: String, kind: Kind, key: [UInt8]) throws(NoteProblem) {
    guard Self.isName(name) else { throw NoteProblem("the name of a key has no spaces and no +") }
    guard key.count == 32, (try? Curve25519.Signing.PublicKey(rawRepresentation: key)) != nil else {
      throw NoteProblem("these bytes are no Ed25519 key")
    }
    (self.name, self.kind, self.key) = (name, kind, key)
  }

  /// Reads a key as people exchange it: `NAME+ID+BASE64`.
  /// - Throws: `NoteProblem`.
  public init(_ text: String) throws(NoteProblem) {
    let parts = text.split(separator: "+", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let data = Data(base64Encoded: String(parts[2])), data.count == 33,
      let kind = Kind(rawValue: data[data.startIndex])
    else { throw NoteProblem("a key is NAME+ID+KEY, with an Ed25519 key in Base64") }
    try self.init(name: String(parts[0]), kind: kind, key: Array(data.dropFirst()))
    guard parts[1] == idText else {
      throw NoteProblem("the key's ID is not the one of its name and key: a part is mistyped")
    }
  }

  static func isName(_ name: String) -> Bool {
    (1...nameBytesAtMost).contains(name.utf8.count)
      && name.unicodeScalars.allSatisfy {
        $0 != "+" && !$0.properties.isWhitespace && $0.value >= 0x20 && $0.value != 0x7F
      }
  }

  /// The first four bytes of the digest over name, kind and key, by which a signature names its key.
  public var id: [UInt8] {
    Array(SHA256.hash(data: Array(name.utf8) + [0x0A, kind.rawValue] + key).prefix(4))
  }

  /// The ID in eight hexadecimal digits.
  public var idText: String {
    id.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The key as people exchange it.
  public var text: String {
    "\(name)+\(idText)+\(Data([kind.rawValue] + key).base64EncodedString())"
  }

  fileprivate func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
    guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key) else { return false }
    return key.isValidSignature(signature, for: bytes)
  }
}

/// A key that signs notes.
public struct NoteSigner: Sendable {
  private let privateKey: Curve25519.Signing.PrivateKey
  /// The public half.
  public let key: NoteKey

  /// Creates a signer with a new key.
  /// - Throws: `NoteProblem` for a name that no key may have.
  public init(name: String, kind: NoteKey.Kind) throws(NoteProblem) {
    try self.init(name: name, kind: kind, secret: Curve25519.Signing.PrivateKey())
  }

  /// Reads a signer's private key, 32 bytes.
  /// - Throws: `NoteProblem`.
  public init(name: String, kind: NoteKey.Kind, privateKey bytes: [UInt8]) throws(NoteProblem) {
    guard let secret = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes) else {
      throw NoteProblem("these bytes are no private Ed25519 key")
    }
    try self.init(name: name, kind: kind, secret: secret)
  }

  private init(
    name: String, kind: NoteKey.Kind, secret: Curve25519.Signing.PrivateKey
  ) throws(NoteProblem) {
    privateKey = secret
    key = try NoteKey(name: name, kind: kind, key: Array(secret.publicKey.rawRepresentation))
  }

  private static let privatePrefix = "PRIVATE+KEY+"

  /// Reads a signer as the tools for notes keep it: `PRIVATE+KEY+NAME+ID+BASE64`.
  /// - Throws: `NoteProblem`.
  public init(privateText text: String) throws(NoteProblem) {
    guard text.hasPrefix(Self.privatePrefix) else {
      throw NoteProblem("it is no private key of a log")
    }
    let parts = text.dropFirst(Self.privatePrefix.count)
      .split(separator: "+", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let data = Data(base64Encoded: String(parts[2])), data.count == 33,
      let kind = NoteKey.Kind(rawValue: data[data.startIndex])
    else { throw NoteProblem("it is no private key of a log") }
    try self.init(name: String(parts[0]), kind: kind, privateKey: Array(data.dropFirst()))
    guard parts[1] == key.idText else {
      throw NoteProblem("the key's ID is not the one of its name and key: a part is mistyped")
    }
  }

  /// The signer as the tools for notes keep it. Anyone who reads this can sign.
  public var privateText: String {
    let bytes = [key.kind.rawValue] + privateKey.rawRepresentation
    return "\(Self.privatePrefix)\(key.name)+\(key.idText)+\(Data(bytes).base64EncodedString())"
  }

  /// Signs a text for the line of a note.
  /// - Parameter time: the time that a witness adds, in whole seconds; a log's key ignores it.
  func signature(of text: String, at time: DeviceTime) throws -> NoteSignature {
    switch key.kind {
    case .log:
      return NoteSignature(
        name: key.name, bytes: key.id + (try privateKey.signature(for: Array(text.utf8))))
    case .witness:
      let seconds = UInt64(max(0, time.millisecondsSince1970) / 1000)
      let signed = NoteSignature.witnessed(text, seconds: seconds)
      return NoteSignature(
        name: key.name,
        bytes: key.id + withUnsafeBytes(of: seconds.bigEndian, Array.init)
          + (try privateKey.signature(for: signed)))
    }
  }
}

/// A line of a note: a name, and what its key has signed.
struct NoteSignature: Hashable, Sendable {
  var name: String
  /// Four bytes of the key's ID, and the signature.
  var bytes: [UInt8]

  func isBy(_ key: NoteKey) -> Bool { name == key.name && bytes.prefix(4).elementsEqual(key.id) }

  var line: String { "\u{2014} \(name) \(Data(bytes).base64EncodedString())\n" }

  /// Returns the bytes that a witness signs.
  static func witnessed(_ text: String, seconds: UInt64) -> [UInt8] {
    Array("cosignature/v1\ntime \(seconds)\n\(text)".utf8)
  }
}

/// A signed text, as logs of many kinds publish their checkpoints.
public struct SignedNote: Hashable, Sendable {
  /// The longest note that is read, in bytes.
  public static let bytesAtMost = 1 << 20
  private static let signaturesAtMost = 100

  /// The text that is signed, with its last line end.
  public let text: String
  private(set) var signatures: [NoteSignature]

  /// Signs a text.
  /// - Throws: `NoteProblem` for a text that a note cannot have.
  public init(text: String, signedBy signer: NoteSigner, at time: DeviceTime) throws {
    try Self.check(text)
    self.text = text
    signatures = [try signer.signature(of: text, at: time)]
  }

  /// Reads a note of bytes that somebody else has made.
  /// - Throws: `NoteProblem`.
  public init(bytes: [UInt8]) throws(NoteProblem) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw NoteProblem("the note is not UTF-8")
    }
    try self.init(text)
  }

  /// Reads a note. No signature is checked.
  /// - Throws: `NoteProblem`.
  public init(_ note: String) throws(NoteProblem) {
    guard note.utf8.count <= Self.bytesAtMost else { throw NoteProblem("the note is too long") }
    // Characters of Swift join a line end with what comes before it: the bytes are what counts.
    let bytes = Array(note.utf8)
    guard
      let gap = (1..<max(1, bytes.count)).last(where: { bytes[$0 - 1] == 0x0A && bytes[$0] == 0x0A }
      )
    else {
      throw NoteProblem("the note has no signature: it is a text, an empty line, and signatures")
    }
    text = String(decoding: bytes[..<gap], as: UTF8.self)
    try Self.check(text)
    let lines = bytes[(gap + 1)...].split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.count >= 2, lines.last?.isEmpty == true else {
      throw NoteProblem("the last line of the note is incomplete")
    }
    guard lines.count - 1 <= Self.signaturesAtMost else {
      throw NoteProblem("the note has more than \(Self.signaturesAtMost) signatures")
    }
    var read: [NoteSignature] = []
    for line in lines.dropLast() { read.append(try Self.signature(line)) }
    signatures = read
  }

  private static func check(_ text: String) throws(NoteProblem) {
    guard text.utf8.last == 0x0A, text.unicodeScalars.allSatisfy({ $0 == "\n" || $0.value >= 0x20 })
    else { throw NoteProblem("the text of a note is whole lines without control characters") }
  }

  private static func signature(_ line: ArraySlice<UInt8>) throws(NoteProblem) -> NoteSignature {
    let parts = String(decoding: line, as: UTF8.self)
      .split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "\u{2014}", NoteKey.isName(String(parts[1])),
      let data = Data(base64Encoded: String(parts[2])), data.count > 4,
      data.base64EncodedString() == parts[2]
    else { throw NoteProblem("a line of the note's signatures is not “— NAME BASE64”") }
    return NoteSignature(name: String(parts[1]), bytes: Array(data))
  }

  /// The whole note.
  public var note: String { text + "\n" + signatures.map(\.line).joined() }

  /// Adds the signature of a witness, in place of an earlier one by the same key.
  public mutating func sign(by signer: NoteSigner, at time: DeviceTime) throws {
    let own = try signer.signature(of: text, at: time)
    signatures.removeAll { $0.isBy(signer.key) }
    signatures.append(own)
  }

  /// Adds what some keys have signed on another copy of the same note, in the place of what they had signed here.
  /// - Returns: false if that note says something else, and nothing was added.
  public mutating func take(signaturesOf other: SignedNote, by keys: [NoteKey]) -> Bool {
    guard other.text.utf8.elementsEqual(text.utf8) else { return false }
    for key in keys {
      guard case .signed = other.answer(of: key), let line = other.lines(of: key).first else {
        continue
      }
      signatures.removeAll { $0.isBy(key) }
      signatures.append(line)
    }
    return true
  }

  func lines(of key: NoteKey) -> [NoteSignature] { signatures.filter { $0.isBy(key) } }

  /// A key's answer to a note.
  public enum Answer: Hashable, Sendable {
    /// The key has not signed it.
    case absent
    /// A signature under the key's name and ID is not by this key, or of another text.
    case wrong
    /// The key has signed it: at this time, if it is a witness's.
    case signed(at: DeviceTime?)
  }

  /// Returns whether a key has signed the note.
  public func answer(of key: NoteKey) -> Answer {
    guard let first = lines(of: key).first else { return .absent }
    let rest = Array(first.bytes.dropFirst(4))
    switch key.kind {
    case .log:
      return key.verifies(rest, of: Array(text.utf8)) ? .signed(at: nil) : .wrong
    case .witness:
      guard rest.count == 72 else { return .wrong }
      let seconds = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard
        key.verifies(Array(rest.dropFirst(8)), of: NoteSignature.witnessed(text, seconds: seconds)),
        seconds <= UInt64(Int64.max / 1000)
      else { return .wrong }
      return .signed(at: DeviceTime(millisecondsSince1970: Int64(seconds) * 1000))
    }
  }
}
