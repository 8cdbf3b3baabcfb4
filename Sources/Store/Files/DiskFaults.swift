import Synchronization

/// The place where a simulation comes between the program and its disk. Outside of simulations
/// nothing is planned, and a call costs the reading of a flag.
package enum DiskFaults {
  /// A function that is asked before a file is modified, and returns how many of the bytes may be written.
  package typealias Step = @Sendable (_ path: String, _ bytes: Int) throws(StoreError) -> Int

  private static let isPlanned = Atomic(false)
  /// A struct around the closure: a bare closure in a lock is wrapped once more each time it is taken out.
  private struct Plan {
    var step: Step?
  }
  private static let plan = Mutex(Plan())

  /// Sets the function that is asked before each modification of a file.
  package static func plan(_ body: @escaping Step) {
    plan.withLock { $0.step = body }
    isPlanned.store(true, ordering: .sequentiallyConsistent)
  }

  /// Asks the planned function, if there is one.
  /// - Returns: the number of bytes that may be written; fewer than `bytes` mean that the disk stops there.
  package static func ask(_ path: String, bytes: Int = 0) throws(StoreError) -> Int {
    guard isPlanned.load(ordering: .relaxed), let step = plan.withLock({ $0.step }) else {
      return bytes
    }
    return try step(path, bytes)
  }
}
