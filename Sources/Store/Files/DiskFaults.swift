import Synchronization

/// Where a simulation stands between the program and its disk. Nothing is planned outside of one, and
/// then it costs the reading of a flag.
package enum DiskFaults {
  /// Says before a file is modified how many of the bytes may be written.
  package typealias Step = @Sendable (_ path: String, _ bytes: Int) throws(StoreError) -> Int

  private static let isPlanned = Atomic(false)
  /// In a structure: a bare closure in a lock is wrapped once more each time it is taken out.
  private struct Plan {
    var step: Step?
  }
  private static let plan = Mutex(Plan())

  /// From now on each modification of a file asks first.
  package static func plan(_ body: @escaping Step) {
    plan.withLock { $0.step = body }
    isPlanned.store(true, ordering: .sequentiallyConsistent)
  }

  /// Asks, where something is planned.
  /// - Returns: how many of the bytes may be written; fewer mean that the disk stops there.
  package static func ask(_ path: String, bytes: Int = 0) throws(StoreError) -> Int {
    guard isPlanned.load(ordering: .relaxed), let step = plan.withLock({ $0.step }) else {
      return bytes
    }
    return try step(path, bytes)
  }
}
