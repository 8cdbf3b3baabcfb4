import Foundation

/// What one request is called, from the browser's console to the server's log.
enum RequestIdentity {
  /// The one that the sender, such as a proxy in front, has given it already; else a new random one.
  ///
  /// What is taken over stands in answers, pages and log lines: only what can do nothing there is.
  static func identity(ofSender header: String?) -> String {
    if let header, isUsable(header) { return header }
    return UUID().uuidString.lowercased()
  }

  static func isUsable(_ text: String) -> Bool {
    (8...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == UInt8(ascii: "-")
      }
  }
}
