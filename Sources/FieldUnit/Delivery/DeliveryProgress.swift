import Foundation
import Inspection
import Positioning
import Synchronization

/// How far a delivery has come: the whole of what waits, and the file that is sent just now.
public struct DeliveryProgress: Hashable, Sendable, CustomStringConvertible {
  /// Files that the office has of those that wait.
  public var filesDone = 0
  /// Files that wait in all.
  public var files = 0
  /// Bytes of files that the office has.
  public var bytesDone = 0
  /// Bytes of all files that wait.
  public var bytes = 0
  /// What is sent just now, and how many of its bytes the office has.
  public var sending: [Identifier: Int] = [:]
  /// What is done beside files, in words; nil while files are sent.
  public var words: Wording?

  /// Nothing yet.
  public init() {}

  /// Share of the bytes that the office has, 0…1.
  public var share: Double {
    bytes == 0 ? 1 : min(1, Double(bytesDone + sending.values.reduce(0, +)) / Double(bytes))
  }

  /// In one line, for people.
  public var description: String {
    if let words { return words.description }
    let percent = Int(share * 100)
    return "\(filesDone) of \(files) files, \(percent) %"
  }
}

/// Counts what is sent, from several uploads at once, and tells it.
package final class DeliveryTally: Sendable {
  private struct State {
    var progress = DeliveryProgress()
    var bytesSent = 0
    /// What is done: a file that went ahead is met again with its batch.
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

  /// What was sent in this run, messages among it.
  package var bytesSent: Int { state.withLock { $0.bytesSent } }

  private func change(_ body: (inout State) -> Void) {
    // Told while it is locked: two files' news would else come in another order than they happened.
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

  /// The office has a file whole; it may have had it before.
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
