/// How words are written in the requests of an object store.
enum ObjectText {
  /// Returns true for a byte that stands for itself in an address.
  static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// Returns words as they are written in an address and in what is signed: everything else as % and
  /// two capital hexadecimal digits.
  static func encoded(_ words: String, keepsSlashes: Bool = false) -> String {
    var bytes: [UInt8] = []
    for byte in words.utf8 {
      if isUnreserved(byte) || keepsSlashes && byte == UInt8(ascii: "/") {
        bytes.append(byte)
      } else {
        bytes += "%".utf8
        bytes += hexadecimal([byte]).uppercased().utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a query, by name, as it is sent and signed.
  static func query(_ items: [(name: String, value: String)]) -> String {
    items.map { (encoded($0.name), encoded($0.value)) }.sorted { $0 < $1 }
      .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  /// Returns bytes as small hexadecimal digits.
  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}
