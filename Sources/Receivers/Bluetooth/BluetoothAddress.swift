/// The address of a Bluetooth device.
public struct BluetoothAddress: Hashable, Sendable, CustomStringConvertible {
  /// The six bytes; the one that is written first is the highest.
  let bytes: [UInt8]

  /// Reads `AA:BB:CC:DD:EE:FF`, in upper or lower case; nil for any other text.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 6 else { return nil }
    var bytes: [UInt8] = []
    for part in parts {
      guard part.utf8.count == 2, part.allSatisfy(\.isHexDigit),
        part.utf8.allSatisfy({ $0 < 0x80 }),
        let byte = UInt8(part, radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    self.bytes = bytes
  }

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The address as `AA:BB:CC:DD:EE:FF`.
  public var description: String {
    bytes.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0\(digits)" : digits
    }.joined(separator: ":")
  }
}
