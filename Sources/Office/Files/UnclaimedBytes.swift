import Synchronization

/// Knows how many bytes of each agency lie here that no batch has claimed yet. The store is looked through
/// once, when somebody asks for the first time; from then on it is told what comes and goes.
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

  /// Begins to count with what a look through the store has found: agencies by keys, and files. Two who
  /// looked at the same time found the same.
  func begin(_ agencies: [String: String], _ files: [(file: ReceivedFile, bytes: Int)]) {
    state.withLock { known in
      guard known == nil else { return }
      var state = State(agencies: agencies)
      for (file, bytes) in files { state.set(file, bytes) }
      known = state
    }
  }

  /// Counts a file with all the bytes that it will have, while it is being received: files that come at once
  /// do not pass a quota together.
  /// - Parameter decide: told what the agency's other files take; if it throws, the file is not counted.
  /// - Returns: false if the store must be looked through first.
  func admit(
    _ file: ReceivedFile, bytes: Int, of agency: String, decide: (_ others: Int) throws -> Void
  ) throws -> Bool {
    try state.withLock { known in
      guard var state = known else { return false }
      // A device may have been enrolled since.
      state.agencies[file.key] = agency
      known = state
      try decide((state.totals[agency] ?? 0) - (state.bytes[file] ?? 0))
      state.set(file, bytes)
      known = state
      return true
    }
  }

  /// A file has so many bytes here from now on.
  /// - Parameter agency: whose it is; nil where that was said before.
  func note(_ file: ReceivedFile, bytes: Int, of agency: String? = nil) {
    state.withLock { state in
      if let agency { state?.agencies[file.key] = agency }
      state?.set(file, bytes)
    }
  }

  /// What is here has changed at many places: it is looked through again when somebody asks.
  func forget() { state.withLock { $0 = nil } }
}
