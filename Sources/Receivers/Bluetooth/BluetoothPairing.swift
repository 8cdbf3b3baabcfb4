import Synchronization

/// Looking for Bluetooth devices and pairing with them: BlueZ, or what a test has instead.
public protocol BluetoothPairing: Sendable {
  /// The devices in reach.
  func scan(seconds: Double) async throws -> [BluetoothDevice]

  /// Pairs with a device and trusts it. `pin` is given where one is asked for.
  /// - Returns: what happened, in words.
  func pair(_ address: BluetoothAddress, pin: String?) async throws -> [String]
}

/// This machine's BlueZ.
public struct MachineBluetooth: BluetoothPairing {
  /// BlueZ over the system bus.
  public init() {}

  /// The devices in reach of the first adapter.
  public func scan(seconds: Double) async throws -> [BluetoothDevice] {
    try await BluetoothDesk.scan(seconds: seconds)
  }

  /// Pairs without anybody to ask: numbers are compared at a terminal only.
  public func pair(_ address: BluetoothAddress, pin: String?) async throws -> [String] {
    let words = Words()
    let hints = Words()
    do {
      try await BluetoothDesk.pair(address) { question in
        switch question {
        case .pin:
          if pin == nil { hints.add("\(address) asks for a PIN: 0000 and 1234 are usual") }
          return pin
        case .confirm(let number):
          hints.add(
            "\(address) wants \(number) to be compared: pair it at a terminal, with standpoint gnss pair"
          )
          return nil
        }
      } progress: {
        words.add($0)
      }
    } catch let failure as BluetoothFailure {
      // Why it was broken off here is a better reason than that it was.
      guard let hint = hints.all.last else { throw failure }
      throw BluetoothFailure(kind: .refused, description: hint)
    }
    return words.all
  }
}

private final class Words: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  func add(_ line: String) { lines.withLock { $0.append(line) } }
}
