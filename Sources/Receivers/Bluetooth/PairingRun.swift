import Foundation
import Synchronization
import TimeAndText

/// One pairing with a Bluetooth device, begun on a page. It runs by itself; the page shows its
/// progress, and the person at the page answers its question.
package final class PairingRun: Sendable {
  /// The progress of the pairing.
  package struct Progress: Sendable {
    /// The events so far, in words.
    package var words: [Wording] = []
    /// A number that the device should show, too; nil while nothing is asked.
    package var question: String?
    /// The end of the pairing; nil while it runs.
    package var ending: Ending?
  }

  /// The ways in which a pairing ends.
  package enum Ending: Sendable {
    case paired
    case refused(Wording)
  }

  /// The device's address.
  package let address: BluetoothAddress
  /// The time to wait for an answer, seconds: people walk away from pages, and BlueZ waits no
  /// longer either.
  private static let patienceSeconds = 60.0
  private let state = Mutex(Progress())
  /// The open question with the semaphore that wakes its asker; nil if nothing is asked.
  private let asked = Mutex<Question?>(nil)

  private struct Question {
    let number: String
    let answered = DispatchSemaphore(value: 0)
    var isSame = false
  }

  package init(with address: BluetoothAddress) {
    self.address = address
  }

  /// The progress so far, with the open question.
  package var progress: Progress {
    var progress = state.withLock { $0 }
    progress.question = asked.withLock { $0?.number }
    return progress
  }

  /// Answers the question for a number: true if the device shows it. An answer to another number is
  /// ignored.
  package func answer(_ number: String, isSame: Bool) {
    asked.withLock { question in
      guard question?.number == number else { return }
      question?.isSame = isSame
      question?.answered.signal()
    }
  }

  /// Runs the pairing to its end.
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

  /// Asks the person at the page whether the device shows a number. The caller's thread has to be
  /// one that may wait.
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
        $0.words.append("the numbers were not confirmed in time")
      }
    }
    return isInTime && isSame
  }
}
