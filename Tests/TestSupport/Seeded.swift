import Positioning
import TimeAndText

/// The generator of every property test: a failure is repeated with the seed that its message
/// names.
public typealias SeededGenerator = Positioning.SeededGenerator

/// Runs `body` once for each seed; the body puts `seed` into its expectations' comments.
public func forEachSeed(
  _ seeds: Range<UInt64> = 0..<50, _ body: (UInt64, inout SeededGenerator) throws -> Void
) rethrows {
  for seed in seeds {
    var generator = SeededGenerator(seed: seed)
    try body(seed, &generator)
  }
}

/// Does the same for bodies that suspend.
public func forEachSeed(
  _ seeds: Range<UInt64> = 0..<50, _ body: (UInt64, inout SeededGenerator) async throws -> Void
) async rethrows {
  for seed in seeds {
    var generator = SeededGenerator(seed: seed)
    try await body(seed, &generator)
  }
}
