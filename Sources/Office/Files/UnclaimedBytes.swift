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

  /// Counts a file with all the bytes that it will have, while it is being received: those that come at once
  /// do not pass a quota together.
  /// - Parameters:
  ///   - look: what there is, read when it is not known yet: agencies by keys, and files.
  ///   - decide: told what the agency's other files take; where it throws, the file is not counted.
  func admit(
    _ file: ReceivedFile, bytes: Int, of agency: String,
    look: () throws -> (agencies: [String: String], files: [(file: ReceivedFile, bytes: Int)]),
    decide: (_ others: Int) throws -> Void
  ) throws {
    try state.withLock { known in
      var state: State
      if let known {
        state = known
      } else {
        let (agencies, files) = try look()
        state = State(agencies: agencies)
        for (file, bytes) in files { state.set(file, bytes) }
      }
      // A device may have been enrolled since.
      state.agencies[file.key] = agency
      known = state
      try decide((state.totals[agency] ?? 0) - (state.bytes[file] ?? 0))
      state.set(file, bytes)
      known = state
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
