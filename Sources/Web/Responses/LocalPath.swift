/// Paths that stay on this server.
enum LocalPath {
  /// The path as it may stand in a `Location` field, or nil when it leads elsewhere.
  ///
  /// `//host` and `/\host` are other hosts to a browser, and it drops tabs and line ends before it
  /// looks. So everything below U+0020 and every backslash is refused, wherever it stands.
  static func checked(_ path: String) -> String? {
    guard path.hasPrefix("/"), !path.hasPrefix("//"),
      path.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F && $0 != "\\" })
    else { return nil }
    // Letters of other alphabets and blanks are encoded; what is encoded already stays.
    return PercentCoding.encode(path) { byte in
      (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "<")
        && byte != UInt8(ascii: ">")
    }
  }
}
