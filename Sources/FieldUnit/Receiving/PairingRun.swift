import Foundation
import Receivers
import Synchronization

/// One pairing with a Bluetooth device, begun on a page: it goes on by itself, the page shows how it is
/// getting on, and whoever reads the page answers its question.
final class PairingRun: Sendable {
  /// How it is getting on.
  struct Progress: Sendable {
    /// What has happened, in words.
    var words: [String] = []
    /// A number that the device should show, too; nil while nothing is asked.
    var question: String?
    /// How it ended: nil while it goes on, else the refusal, or nothing where it is paired.
    var ending: Ending?
  }

  /// How a pairing ended.
  enum Ending: Sendable {
    case paired
    case refused(String)
  }

  /// Which device.
  let address: BluetoothAddress
  /// People walk away from pages; BlueZ does not wait longer either.
  private static let patienceSeconds = 60.0
  private let state = Mutex(Progress())
  private let answered = DispatchSemaphore(value: 0)
  private let isSame = Mutex(false)

  init(with address: BluetoothAddress) {
    self.address = address
  }

  /// How it is getting on.
  var progress: Progress { state.withLock { $0 } }

  /// Whether the device shows the number that was asked about. Nothing happens where nothing was.
  func answer(isSame answer: Bool) {
    let wasAsked = state.withLock { state in
      defer { state.question = nil }
      return state.question != nil
    }
    guard wasAsked else { return }
    isSame.withLock { $0 = answer }
    answered.signal()
  }

  /// Pairs, to the end.
  func run(_ bluetooth: any BluetoothPairing, pin: String?) async {
    do {
      try await bluetooth.pair(address, pin: pin) { number in
        self.ask(number)
      } progress: { line in
        self.state.withLock { $0.words.append(line) }
      }
      state.withLock { $0.ending = .paired }
    } catch {
      state.withLock { $0.ending = .refused("\(error)") }
    }
  }

  /// Called on a thread that may wait.
  private func ask(_ number: String) -> Bool {
    state.withLock { $0.question = number }
    guard answered.wait(timeout: .now() + Self.patienceSeconds) == .success else {
      state.withLock { state in
        state.question = nil
        state.words.append("nobody answered whether the numbers are the same")
      }
      return false
    }
    return isSame.withLock { $0 }
  }
}
