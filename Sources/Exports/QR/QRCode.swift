// The problem: whoever holds a printed page wants the digest on it in their telephone, without typing 64
// digits.
//
// The obvious idea, a library, would be one more dependency for squares that a standard describes on a few
// pages (ISO/IEC 18004:2015). What is done here is that standard's QR Code with the one mode and the one
// level that pages need: bytes, and level M, which bears 15 % of damage: a fold, a stamp, a bad copy.
//
// Cost: a code of version 5, which a digest needs, takes half a millisecond, nearly all of it for
// choosing the mask.

/// A QR Code: a square of dark and light modules.
public struct QRCode: Hashable, Sendable {
  /// 1 (21 modules a side) to 40 (177).
  public let version: Int
  /// Modules a side, without the four light ones that must surround it.
  public let side: Int
  /// Which of the eight masks was laid over the data, 0 to 7.
  public let mask: Int
  private let isDark: [Bool]

  /// Light modules that must surround the code.
  public static let quietModules = 4

  /// The code of some bytes, in the smallest version that holds them; nil for more than 2331 bytes.
  public init?(_ bytes: [UInt8]) {
    var blank: QRMatrix?
    for version in 1...40 {
      let matrix = QRMatrix(version: version)
      if matrix.holds(bytes.count) {
        blank = matrix
        break
      }
    }
    guard var matrix = blank else { return nil }
    matrix.place(QRCodewords.all(of: bytes, in: matrix))
    let masked = (0..<8).map { matrix.masked($0) }
    let penalties = masked.map { QRPenalty.of($0) }
    // The first of the best, so that the same bytes always give the same code.
    mask = penalties.indices.min { penalties[$0] < penalties[$1] } ?? 0
    version = matrix.version
    side = matrix.side
    isDark = masked[mask].isDark
  }

  /// The code of a text, as UTF-8.
  public init?(_ text: String) { self.init(Array(text.utf8)) }

  /// Whether the module is dark; what lies outside is light.
  public func isDark(x: Int, y: Int) -> Bool {
    (0..<side).contains(x) && (0..<side).contains(y) && isDark[y * side + x]
  }
}
