/// The random numbers of a drawn scene (SplitMix64, Steele et al. 2014). An equal seed gives equal
/// numbers.
struct SceneRandom {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number that is at least `lower` and less than `upper`.
  mutating func number(_ lower: Double, _ upper: Double) -> Double {
    lower + (upper - lower) * (Double(next() >> 11) / 9_007_199_254_740_992)
  }

  /// Returns an integer from 0 to `count - 1`; `count` is at least 1.
  mutating func index(_ count: Int) -> Int {
    Int(next() % UInt64(count))
  }

  /// Returns a smooth line of heights from 0 to 1 over `count` equal steps. Random heights at every
  /// `spacing`th step are joined by smooth slopes.
  mutating func ridge(count: Int, spacing: Int) -> [Double] {
    let heights = (0...(count / spacing + 1)).map { _ in number(0, 1) }
    return (0..<count).map { step in
      let share = Double(step % spacing) / Double(spacing)
      let smooth = share * share * (3 - 2 * share)
      let from = heights[step / spacing]
      return from + (heights[step / spacing + 1] - from) * smooth
    }
  }
}
