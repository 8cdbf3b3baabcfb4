import TimeAndText

/// The name and the password of the Wi-Fi that a field unit makes for its phones. They stay the same, so that
/// a phone that joined once comes back by itself.
public struct HotspotAccess: Hashable, Codable, Sendable {
  /// Letters and digits that nobody takes for each other, and that a phone's keyboard shows at once.
  private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
  private static let lettersOfName = 4
  /// 16 letters of 31 are 79 bits: whoever records a phone that joins can guess at home, without end.
  private static let lettersOfPassword = 16
  private static let lettersPerGroup = 4

  /// The name of the network, 1 to 32 bytes of UTF-8.
  public let name: String
  /// The password, 8 to 63 characters of ASCII.
  public let password: String
  /// The identity of the network's settings, a UUID.
  public let id: String

  /// Creates a name and a password.
  /// - Parameter random: the source of their letters.
  public init(at time: DeviceTime, using random: inout some RandomNumberGenerator) {
    func drawn(_ count: Int) -> String {
      String((0..<count).map { _ in Self.letters.randomElement(using: &random) ?? "a" })
    }
    name = "Standpoint \(drawn(Self.lettersOfName).uppercased())"
    password = (0..<Self.lettersOfPassword / Self.lettersPerGroup).map { _ in
      drawn(Self.lettersPerGroup)
    }.joined(separator: "-")
    id = Identifier(at: time, using: &random).description
  }

  /// True if a network can have them. A file can hold anything.
  public var isUsable: Bool {
    (1...32).contains(name.utf8.count) && (8...63).contains(password.utf8.count)
      && password.utf8.allSatisfy { (32...126).contains($0) } && Identifier(id) != nil
  }

  /// The text of a QR code with which phones join the network.
  public var joiningText: String {
    "WIFI:T:WPA;S:\(Self.escaped(name));P:\(Self.escaped(password));;"
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if "\\;,\":".contains(character) { result.append("\\") }
      result.append(character)
    }
  }
}
