import Foundation
import Inspection
import Positioning
import Synchronization
import TimeAndText

/// The progress of a delivery: the totals of all that waits, and the files that are sent just now.
public struct DeliveryProgress: Hashable, Sendable, CustomStringConvertible {
  /// The number of waiting files that the office has by now.
  public var filesDone = 0
  /// The number of all files that wait.
  public var files = 0
  /// Bytes of the files that the office has by now.
  public var bytesDone = 0
  /// Bytes of all files that wait.
  public var bytes = 0
  /// The photos and tracks that are sent just now, with the number of bytes that the office has of
  /// each.
  public var sending: [Identifier: Int] = [:]
  /// A step that sends no files, in words; nil while files are sent.
  public var words: Wording?

  /// Creates the progress of a delivery that has not begun.
  public init() {}

  /// The share of the bytes that the office has, 0…1; 1 if no bytes wait.
  public var share: Double {
    bytes == 0 ? 1 : min(1, Double(bytesDone + sending.values.reduce(0, +)) / Double(bytes))
  }

  /// The progress in one line, for people.
  public var description: String {
    if let words { return words.description }
    let percent = Int(share * 100)
    return "\(filesDone) of \(files) files, \(percent) %"
  }
}

/// Counts the bytes and files of several uploads at once, and reports the progress.
package final class DeliveryTally: Sendable {
  private struct State {
    var progress = DeliveryProgress()
    var bytesSent = 0
    /// The photos and tracks that are done: a file that went ahead is met again with its batch.
    var done: Set<Identifier> = []
  }

  private let state: Mutex<State>
  private let tell: @Sendable (DeliveryProgress) -> Void

  init(files: Int, bytes: Int, _ tell: @escaping @Sendable (DeliveryProgress) -> Void) {
    var state = State()
    (state.progress.files, state.progress.bytes) = (files, bytes)
    self.state = Mutex(state)
    self.tell = tell
  }

  /// The bytes sent in this run, those of messages included.
  package var bytesSent: Int { state.withLock { $0.bytesSent } }

  private func change(_ body: (inout State) -> Void) {
    // The report is made under the lock: otherwise the news of two files could arrive out of order.
    state.withLock { state in
      body(&state)
      tell(state.progress)
    }
  }

  package func sent(bytes: Int) { state.withLock { $0.bytesSent += bytes } }

  package func says(_ words: Wording) { change { $0.progress.words = words } }

  package func sending(_ file: BatchFile, upTo bytes: Int) {
    guard !file.isRaw else { return }
    change {
      $0.progress.words = nil
      $0.progress.sending[file.thing] = bytes
    }
  }

  /// Notes that the office has a file whole; it may have had the file before.
  package func done(_ file: BatchFile) {
    guard !file.isRaw else { return }
    change {
      $0.progress.words = nil
      $0.progress.sending[file.thing] = nil
      guard $0.done.insert(file.thing).inserted else { return }
      $0.progress.filesDone += 1
      $0.progress.bytesDone += file.bytes
    }
  }

  package func stopped(_ file: BatchFile) { change { $0.progress.sending[file.thing] = nil } }
}
