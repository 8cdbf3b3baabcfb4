import TimeAndText

/// The name of a token and of the module that speaks to it, as a PKCS #11 URI (RFC 7512):
/// `pkcs11:token=field-07?module-path=/usr/lib/softhsm/libsofthsm2.so&pin-source=/etc/standpoint/pin`.
/// A PIN itself is not taken: it would stand in command lines and settings.
public struct TokenURI: Hashable, Sendable {
  /// The token's label; nil if any will do.
  public var token: String?
  /// The token's serial number; nil if any will do.
  public var serial: String?
  /// The identifier of a key in the token; nil if the URI names none.
  public var id: [UInt8]?
  /// The path of the module, a shared library.
  public var modulePath: String
  /// The path of the file with the PIN; nil if the token needs none.
  public var pinSource: String?

  /// The longest URI that is read, bytes.
  private static let longest = 4_096

  /// Reads a URI.
  /// - Throws: `TokenError.malformedURI`.
  public init(_ text: String) throws(TokenError) {
    func wrong(_ words: Wording) -> TokenError { .malformedURI(words) }
    guard text.utf8.count <= Self.longest, text.hasPrefix("pkcs11:") else {
      throw wrong("it does not begin with pkcs11:")
    }
    let parts = text.dropFirst("pkcs11:".count).split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var values: [String: [UInt8]] = [:]
    guard ![":", ";", "?", "&"].contains(where: { text.contains($0 + "pin-value") }) else {
      throw wrong("it holds the PIN: write it into a file, and name that with pin-source")
    }
    for (part, separator) in zip(parts, [Character(";"), "&"]) {
      for attribute in part.split(separator: separator) {
        let pair = attribute.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2, let value = Self.decoded(pair[1]) else {
          throw wrong("\"\(String(attribute.prefix(40)))\" is not NAME=VALUE")
        }
        let name = String(pair[0])
        guard values.updateValue(value, forKey: name) == nil else {
          throw wrong("it has \(name) twice")
        }
      }
    }
    func value(_ name: String) -> String? {
      values.removeValue(forKey: name).map { String(decoding: $0, as: UTF8.self) }
    }
    guard let module = value("module-path"), module.hasPrefix("/") else {
      throw wrong("it does not name the module: add ?module-path=/usr/lib/…")
    }
    modulePath = module
    token = value("token")
    serial = value("serial")
    pinSource = value("pin-source").map { (source: String) -> String in
      // A path, or a URL of a file.
      for scheme in ["file://", "file:"] where source.hasPrefix(scheme) {
        return String(source.dropFirst(scheme.count))
      }
      return source
    }
    guard pinSource?.hasPrefix("/") ?? true else {
      throw wrong("pin-source is not the whole path of a file")
    }
    id = values.removeValue(forKey: "id")
    if let other = values.keys.sorted().first {
      throw wrong(
        "\(other) is not known here: there are token, serial, id, module-path and pin-source")
    }
  }

  /// The URI as text, from which `init` reads the same.
  public var text: String {
    let path = [
      token.map { "token=" + Self.encoded(Array($0.utf8)) },
      serial.map { "serial=" + Self.encoded(Array($0.utf8)) },
      id.map { "id=" + $0.map { "%" + Self.hexadecimal($0) }.joined() },
    ].compactMap(\.self)
    let query = [
      "module-path=" + Self.encoded(Array(modulePath.utf8)),
      pinSource.map { "pin-source=" + Self.encoded(Array($0.utf8)) },
    ].compactMap(\.self)
    return "pkcs11:" + path.joined(separator: ";") + "?" + query.joined(separator: "&")
  }

  private static func decoded(_ text: Substring) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      rest = rest.dropFirst(2)
      bytes.append(value)
    }
    return bytes
  }

  private static func encoded(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x2F:
        String(UnicodeScalar(byte))
      default: "%" + hexadecimal(byte)
      }
    }.joined()
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = Array("0123456789ABCDEF")
    return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
  }
}
