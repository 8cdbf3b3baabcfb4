/// The photo points that an order asks to photograph again.
public struct RepeatWish: Hashable, Sendable {
  /// The most photo points that one order names.
  public static let pointsAtMost = 50

  /// The photo points, each once, in the officer's order.
  public var points: [Identifier]
  /// True if a photo that misses the place or the attitude by more than the tolerance is refused.
  public var isStrict: Bool

  /// Creates a wish; points that are named twice count once.
  public init(points: [Identifier], isStrict: Bool = false) {
    var known: Set<Identifier> = []
    self.points = points.filter { known.insert($0).inserted }
    self.isStrict = isStrict
  }
}
