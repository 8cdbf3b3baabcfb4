/// The rule for names in a bundle, applied both in writing and in reading.
enum BundlePath {
  static let longestBytes = 1024

  /// Returns why a name is refused; nil if the name is good. A good name is relative, has `/` between
  /// its parts and cannot lead out of the folder into which the bundle is unpacked, on any system.
  static func complaint(_ path: String) -> String? {
    if path.isEmpty || path.utf8.count > longestBytes { return "it is empty or too long" }
    if path.hasPrefix("/") { return "it is absolute" }
    if path.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return "it has a control character"
    }
    if path.contains("\\") || path.contains(":") { return "it has a backslash or a colon" }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    if parts.contains("..") || parts.contains(".") || parts.contains("") {
      return "it has a part that is empty, . or .."
    }
    return nil
  }

  /// Returns a name for use in a message: its first 80 characters, without control characters.
  static func shown(_ path: String) -> String {
    let head = String(path.prefix(80)).unicodeScalars.map { scalar in
      scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : String(scalar)
    }
    return head.joined() + (path.count > 80 ? "…" : "")
  }
}
