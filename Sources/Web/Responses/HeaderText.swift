/// Text for header fields. A line end in it would begin another field, or the body.
enum HeaderText {
  /// Returns the printable ASCII characters of a text; everything else is left out.
  static func line(_ text: String) -> String {
    String(
      String.UnicodeScalarView(text.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }))
  }

  /// Returns a text without the characters that are not allowed between the quotes of an ETag.
  static func token(_ text: String) -> String {
    line(text).filter { $0 != "\"" && $0 != "\\" && $0 != " " }
  }

  /// Returns `Content-Disposition` with a file name that every browser understands: ASCII for old
  /// browsers, and RFC 8187 for the others. Folders in the name are cut off.
  static func disposition(_ kind: String, fileName: String) -> String {
    let name = fileName.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init)
    let kept = String(
      String.UnicodeScalarView(
        (name ?? "file").unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    let plain = String(kept.map { $0.isASCII && $0 != "\"" && $0 != "%" ? $0 : "_" })
    guard plain != kept else { return "\(kind); filename=\"\(plain)\"" }
    return "\(kind); filename=\"\(plain)\"; filename*=UTF-8''\(PercentCoding.encode(kept))"
  }
}
