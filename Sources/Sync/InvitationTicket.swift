/// The text of the QR code with which an inspector signs in: where the office is, how it is
/// recognised, and the one-time code.
///
/// `standpoint:sign-in?office=https://office.example&code=K7PM3XQ9&fingerprint=…&tls=…`. Names that
/// a reader does not know are skipped, so that later versions can add some.
public struct InvitationTicket: Hashable, Sendable {
  /// The office's address: scheme, host and port.
  public var office: String
  /// The one-time code.
  public var code: OneTimeCode
  /// The SHA-256 of the certificate of the office's authority; nil if the code was typed.
  public var fingerprint: String?
  /// The SHA-256 of the office's own TLS certificate; nil if it has none of its own.
  public var tlsFingerprint: String?

  /// The beginning of each such text.
  public static let prefix = "standpoint:sign-in?"
  /// The most bytes of a text that is read.
  public static let bytesAtMost = 1000

  /// Creates a ticket.
  public init(
    office: String, code: OneTimeCode, fingerprint: String? = nil, tlsFingerprint: String? = nil
  ) {
    self.office = office
    self.code = code
    self.fingerprint = fingerprint
    self.tlsFingerprint = tlsFingerprint
  }

  /// Reads the text of a QR code; nil if it is not one of these.
  public init?(text: String) {
    guard text.utf8.count <= Self.bytesAtMost, text.hasPrefix(Self.prefix) else { return nil }
    var values: [Substring: Substring] = [:]
    for pair in text.dropFirst(Self.prefix.count).split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // Two values of one name could be read in two ways.
      guard parts.count == 2, values.updateValue(parts[1], forKey: parts[0]) == nil else {
        return nil
      }
    }
    guard let office = values["office"], Self.isAddress(office),
      let code = values["code"].flatMap({ OneTimeCode(String($0)) }),
      let fingerprint = values["fingerprint"], Self.isFingerprint(fingerprint),
      values["tls"].map(Self.isFingerprint) ?? true
    else { return nil }
    self.init(
      office: String(office), code: code, fingerprint: String(fingerprint),
      tlsFingerprint: values["tls"].map(String.init))
  }

  /// The text for a QR code.
  public var text: String {
    var text = "\(Self.prefix)office=\(office)&code=\(code.characters)"
    if let fingerprint { text += "&fingerprint=\(fingerprint)" }
    if let tlsFingerprint { text += "&tls=\(tlsFingerprint)" }
    return text
  }

  /// Returns true if a text is an address that needs no escaping here.
  public static func isAddress(_ text: some StringProtocol) -> Bool {
    let rest = ["https://", "http://"].first { text.hasPrefix($0) }.map { text.dropFirst($0.count) }
    guard let rest, (1...300).contains(rest.utf8.count) else { return false }
    return rest.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: ".-_:[]".utf8.contains(byte)
      }
    }
  }

  private static func isFingerprint(_ text: Substring) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}
