import Foundation
import Positioning
import Receivers
import Synchronization

/// One pairing with a Bluetooth device, begun on a page: it goes on by itself, the page shows how it is
/// getting on, and whoever reads the page answers its question.
package final class PairingRun: Sendable {
  /// How it is getting on.
  package struct Progress: Sendable {
    /// What has happened, in words.
    package var words: [Wording] = []
    /// A number that the device should show, too; nil while nothing is asked.
    package var question: String?
    /// How it ended: nil while it goes on, else the refusal, or nothing where it is paired.
    package var ending: Ending?
  }

  /// How a pairing ended.
  package enum Ending: Sendable {
    case paired
    case refused(Wording)
  }

  /// Which device.
  package let address: BluetoothAddress
  /// People walk away from pages; BlueZ does not wait longer either.
  private static let patienceSeconds = 60.0
  private let state = Mutex(Progress())
  /// The question that somebody is to answer, with what wakes up who asked it.
  private let asked = Mutex<Question?>(nil)

  private struct Question {
    let number: String
    let answered = DispatchSemaphore(value: 0)
    var isSame = false
  }

  init(with address: BluetoothAddress) {
    self.address = address
  }

  /// How it is getting on.
  package var progress: Progress {
    var progress = state.withLock { $0 }
    progress.question = asked.withLock { $0?.number }
    return progress
  }

  /// Whether the device shows this number. Nothing happens where another one, or none, was asked about.
  package func answer(_ number: String, isSame: Bool) {
    asked.withLock { question in
      guard question?.number == number else { return }
      question?.isSame = isSame
      question?.answered.signal()
    }
  }

  /// Pairs, to the end.
  package func run(_ bluetooth: any BluetoothPairing, pin: String?) async {
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
    let question = Question(number: number)
    asked.withLock { $0 = question }
    let isInTime =
      question.answered.wait(timeout: .now() + Self.patienceSeconds) == .success
    let isSame = asked.withLock { asked in
      defer { asked = nil }
      return asked?.isSame == true
    }
    if !isInTime {
      state.withLock {
        $0.words.append("nobody answered in time whether the numbers are the same")
      }
    }
    return isInTime && isSame
  }
}
