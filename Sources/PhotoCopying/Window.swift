/// Work on many things, some at a time, whose results are taken in the things' order.
enum Window {
  /// The things that are worked on at a time.
  static let atATime = 8
  /// The most results that wait for an earlier one.
  private static let ahead = 64

  /// Works on all things.
  /// - Parameters:
  ///   - work: called for several things at a time.
  ///   - take: called for one result after the other.
  /// - Throws: the first error of either; the work that is under way is cancelled then.
  static func each<Thing: Sendable, Result: Sendable>(
    _ things: [Thing], _ work: @escaping @Sendable (Thing) async throws -> Result,
    take: (Result) throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      var (begun, taken, running) = (0, 0, 0)
      var waiting: [Int: Result] = [:]
      while taken < things.count {
        while running < atATime, begun < min(things.count, taken + ahead) {
          let (place, thing) = (begun, things[begun])
          group.addTask { (place, try await work(thing)) }
          begun += 1
          running += 1
        }
        guard let (place, result) = try await group.next() else { return }
        running -= 1
        waiting[place] = result
        while let next = waiting.removeValue(forKey: taken) {
          try Task.checkCancellation()
          try take(next)
          taken += 1
        }
      }
    }
  }
}
