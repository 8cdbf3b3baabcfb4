import Foundation

/// The identity of one request, from the browser's console to the server's log.
enum RequestIdentity {
  /// Returns the identity that the sender, such as a proxy in front, has given the request already;
  /// otherwise a new random one.
  ///
  /// The sender's identity appears in answers, pages and log lines: only one that can do no harm
  /// there is taken over.
  static func identity(ofSender header: String?) -> String {
    if let header, isUsable(header) { return header }
    return random()
  }

  /// Returns a random UUID (version 4). Foundation opens `/dev/urandom` for each one.
  private static func random() -> String {
    var random = SystemRandomNumberGenerator()
    let high = random.next() & ~0xF000 | 0x4000
    let low = random.next() >> 2 | 0x8000_0000_0000_0000
    let bytes = [high, low].flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
    }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
      .uuidString.lowercased()
  }

  static func isUsable(_ text: String) -> Bool {
    (8...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == UInt8(ascii: "-")
      }
  }
}
