import TimeAndText

/// The search for Bluetooth devices, and the pairing with them: BlueZ, or a stand-in in tests.
public protocol BluetoothPairing: Sendable {
  /// Lists the devices in reach after a search of `seconds`.
  func scan(seconds: Double) async throws -> [BluetoothDevice]

  /// Pairs with a device and trusts it.
  ///
  /// - Parameters:
  ///   - pin: The PIN to give if the device asks for one; nil if there is none.
  ///   - confirm: Returns true if the device shows this number. It is called on a thread of its
  ///     own, and may wait for a person.
  ///   - progress: Receives each step, in words.
  func pair(
    _ address: BluetoothAddress, pin: String?, confirm: @escaping @Sendable (String) -> Bool,
    progress: @escaping @Sendable (Wording) -> Void
  ) async throws
}

/// The BlueZ of this machine.
public struct MachineBluetooth: BluetoothPairing {
  /// Creates the access to BlueZ over the system bus.
  public init() {}

  /// Lists the devices in reach of the first adapter.
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
        // The pairing will be cancelled without a PIN, and this reason tells the inspector more
        // than the cancellation.
        if pin == nil { progress("\(address) asks for a PIN: 0000 and 1234 are usual") }
        return pin
      case .confirm(let number): return confirm(number) ? number : nil
      }
    } progress: {
      progress($0)
    }
  }
}
