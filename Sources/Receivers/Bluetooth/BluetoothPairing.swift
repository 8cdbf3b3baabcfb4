import Positioning

/// Looking for Bluetooth devices and pairing with them: BlueZ, or what a test has instead.
public protocol BluetoothPairing: Sendable {
  /// The devices in reach.
  func scan(seconds: Double) async throws -> [BluetoothDevice]

  /// Pairs with a device and trusts it.
  ///
  /// - Parameters:
  ///   - pin: given where one is asked for.
  ///   - confirm: whether the device shows this number; called on a thread of its own, and may wait
  ///     for a person.
  ///   - progress: what happens, in words.
  func pair(
    _ address: BluetoothAddress, pin: String?, confirm: @escaping @Sendable (String) -> Bool,
    progress: @escaping @Sendable (Wording) -> Void
  ) async throws
}

/// This machine's BlueZ.
public struct MachineBluetooth: BluetoothPairing {
  /// BlueZ over the system bus.
  public init() {}

  /// The devices in reach of the first adapter.
  public func scan(seconds: Double) async throws -> [BluetoothDevice] {
    try await BluetoothDesk.scan(seconds: seconds)
  }

  /// Pairs with a device and trusts it.
  public func pair(
    _ address: BluetoothAddress, pin: String?, confirm: @escaping @Sendable (String) -> Bool,
    progress: @escaping @Sendable (Wording) -> Void
  ) async throws {
    try await BluetoothDesk.pair(address) { question in
      switch question {
      case .pin:
        // Why it will be broken off is a better reason than that it was.
        if pin == nil { progress("\(address) asks for a PIN: 0000 and 1234 are usual") }
        return pin
      case .confirm(let number): return confirm(number) ? number : nil
      }
    } progress: {
      progress($0)
    }
  }
}
