import Synchronization

/// Counts the bytes of each agency that no batch has claimed yet. The store is looked through once,
/// at the first question; after that, each change is noted.
final class UnclaimedBytes: Sendable {
  private struct State {
    var bytes: [ReceivedFile: Int] = [:]
    var agencies: [String: String] = [:]
    var totals: [String: Int] = [:]

    mutating func set(_ file: ReceivedFile, _ new: Int) {
      guard let agency = agencies[file.key] else { return }
      totals[agency, default: 0] += new - (bytes[file] ?? 0)
      bytes[file] = new > 0 ? new : nil
    }
  }

  private let state = Mutex<State?>(nil)

  /// Begins to count with the result of a look through the store: agencies by keys, and files. Two
  /// callers that looked at the same time found the same; the first one counts.
  func begin(_ agencies: [String: String], _ files: [(file: ReceivedFile, bytes: Int)]) {
    state.withLock { known in
      guard known == nil else { return }
      var state = State(agencies: agencies)
      for (file, bytes) in files { state.set(file, bytes) }
      known = state
    }
  }

  /// Counts a file with all the bytes that it will have, while it is being received: otherwise
  /// simultaneous files could exceed a quota together.
  /// - Parameter decide: called with the bytes of the agency's other files; if it throws, the file
  ///   is not counted.
  /// - Returns: false if the store must be looked through first.
  func admit(
    _ file: ReceivedFile, bytes: Int, of agency: String, decide: (_ others: Int) throws -> Void
  ) throws -> Bool {
    try state.withLock { known in
      guard var state = known else { return false }
      // The device may have been enrolled since.
      state.agencies[file.key] = agency
      known = state
      try decide((state.totals[agency] ?? 0) - (state.bytes[file] ?? 0))
      state.set(file, bytes)
      known = state
      return true
    }
  }

  /// Sets the number of a file's bytes that are here.
  /// - Parameter agency: the owner's agency; nil if it is known already.
  func note(_ file: ReceivedFile, bytes: Int, of agency: String? = nil) {
    state.withLock { state in
      if let agency { state?.agencies[file.key] = agency }
      state?.set(file, bytes)
    }
  }

  /// Forgets the count after many changes: the next question looks through the store again.
  func forget() { state.withLock { $0 = nil } }
}
