import Dispatch
import Synchronization

/// Work on all processors at once.
package enum Parallel {
  /// Does `work` with each of several things, as many at once as there are processors. The answers
  /// have the order of the things.
  package static func map<Thing: Sendable, Answer: Sendable>(
    _ things: [Thing], _ work: @Sendable (Thing) -> Answer
  ) -> [Answer] {
    let answers = Mutex<[Int: Answer]>([:])
    DispatchQueue.concurrentPerform(iterations: things.count) { index in
      let answer = work(things[index])
      answers.withLock { $0[index] = answer }
    }
    return answers.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value)
  }
}
