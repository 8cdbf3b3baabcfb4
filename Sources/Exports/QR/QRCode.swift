import CQREncode

// A reader of a printed page wants the digest on it in a telephone, without typing 64 digits.
// libqrencode makes the code from bytes, at level M: 15 % of the code may be damaged by a fold, a
// stamp or a bad copy.

/// A QR Code (ISO/IEC 18004): a square of dark and light modules.
public struct QRCode: Hashable, Sendable {
  /// The version, from 1 (21 modules a side) to 40 (177 modules a side).
  public let version: Int
  /// The number of modules a side, without the four light ones that must surround the code.
  public let side: Int
  private let isDark: [Bool]

  /// The width of the light edge that must surround the code, in modules.
  public static let quietModules = 4
  /// The largest number of bytes that a code of this level can hold.
  private static let mostBytes = 2331

  /// Creates the code of some bytes, in the smallest version that holds them; nil for no bytes, and
  /// for more than 2331.
  public init?(_ bytes: [UInt8]) {
    guard (1...Self.mostBytes).contains(bytes.count),
      let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M)
    else { return nil }
    defer { QRcode_free(code) }
    version = Int(code.pointee.version)
    side = Int(code.pointee.width)
    // The lowest bit of a module's byte is 1 if the module is dark; the other bits tell the
    // module's purpose.
    isDark = UnsafeBufferPointer(start: code.pointee.data, count: side * side).map { $0 & 1 == 1 }
  }

  /// Creates the code of a text, as UTF-8; nil for an empty text, and for more than 2331 bytes.
  public init?(_ text: String) { self.init(Array(text.utf8)) }

  /// Returns true if the module is dark; modules outside the code are light.
  public func isDark(x: Int, y: Int) -> Bool {
    (0..<side).contains(x) && (0..<side).contains(y) && isDark[y * side + x]
  }
}
