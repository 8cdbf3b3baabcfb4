/// Paths that stay on this server.
enum LocalPath {
  /// Returns the path as a `Location` field may hold it; nil if it leads to another server.
  ///
  /// A browser reads `//host` and `/\host` as another host, and drops tabs and line ends before it
  /// looks. So every character below U+0020 and every backslash is refused, at any place.
  static func checked(_ path: String) -> String? {
    guard path.hasPrefix("/"), !path.hasPrefix("//"),
      path.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F && $0 != "\\" })
    else { return nil }
    // Letters of other alphabets and blanks are encoded; existing percent-encoding stays.
    return PercentCoding.encode(path) { byte in
      (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "<")
        && byte != UInt8(ascii: ">")
    }
  }
}
