/// A view of a set: the frame that shows it best.
public struct SetView: Hashable, Sendable {
  /// The angle of the view, 0 ≤ x < 360 degrees since the first frame.
  public let degrees: Double
  /// The frame's place in the set's order, from 0; nil if the set has no picture near the angle.
  public let frame: Int?
}

extension FrameSet {
  /// The number of views that a document on paper shows.
  public static let viewsOnPaper = 8

  /// Returns views that are spread over the circle at equal distances, fewer if the ring has fewer
  /// sectors. The first looks to the middle of sector 0. A view has the nearest frame of its share of
  /// the circle; between two equally near the first one of the order is taken.
  public func views(atMost count: Int = FrameSet.viewsOnPaper) -> [SetView] {
    let count = max(1, min(count, ring.count))
    let width = 360 / Double(count)
    let shares = SectorRing(count: count, firstMiddleDegrees: ring.firstMiddleDegrees)
    return (0..<count).map { number in
      let middle = shares.middleDegrees(ofSector: number)
      let near = frames.indices.map {
        (index: $0, off: SectorRing.distanceDegrees(frames[$0].attitude.angleDegrees, middle))
      }.min { $0.off < $1.off }
      return SetView(degrees: middle, frame: near.flatMap { $0.off <= width / 2 ? $0.index : nil })
    }
  }

  /// Returns the direction to which an angle of a turn looks, degrees clockwise from true north; nil
  /// for a walk, and if no compass was heard.
  public func compassDegrees(ofAngle degrees: Double) -> Double? {
    guard !terms.kind.isWalked, ring.firstMiddleDegrees != 0 else { return nil }
    return Double(ring.sector(ofDegrees: degrees)) * ring.widthDegrees
  }
}
