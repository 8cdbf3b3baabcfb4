import CQREncode

// Whoever holds a printed page wants the digest on it in their telephone, without typing 64 digits. A code is
// made by libqrencode, of bytes, at level M: it bears 15 % of damage, which is a fold, a stamp, a bad copy.

/// A QR Code (ISO/IEC 18004): a square of dark and light modules.
public struct QRCode: Hashable, Sendable {
  /// 1 (21 modules a side) to 40 (177).
  public let version: Int
  /// Modules a side, without the four light ones that must surround it.
  public let side: Int
  private let isDark: [Bool]

  /// Light modules that must surround the code.
  public static let quietModules = 4
  /// More bytes than these have no code of this level.
  private static let mostBytes = 2331

  /// The code of some bytes, in the smallest version that holds them; nil for none, and for more than 2331.
  public init?(_ bytes: [UInt8]) {
    guard (1...Self.mostBytes).contains(bytes.count),
      let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M)
    else { return nil }
    defer { QRcode_free(code) }
    version = Int(code.pointee.version)
    side = Int(code.pointee.width)
    // The lowest bit of a module's byte says whether it is dark; the others say what it is for.
    isDark = UnsafeBufferPointer(start: code.pointee.data, count: side * side).map { $0 & 1 == 1 }
  }

  /// The code of a text, as UTF-8.
  public init?(_ text: String) { self.init(Array(text.utf8)) }

  /// Whether the module is dark; what lies outside is light.
  public func isDark(x: Int, y: Int) -> Bool {
    (0..<side).contains(x) && (0..<side).contains(y) && isDark[y * side + x]
  }
}
