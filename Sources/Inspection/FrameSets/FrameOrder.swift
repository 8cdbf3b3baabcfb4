import Geodesy

// The problem: the files of a set are numbered, and whoever opens them one after another wants to
// walk round the thing. An angle starts again at 0 while the walk goes on: 355, 1, 7 belong
// together.
//
// The solution: the circle is cut open where the largest gap is. If nothing is missing, there is no
// such place, and the cut is at 0.

/// The order of a set's frames: by angle, and not by time.
public enum FrameOrder {
  /// The difference below which two gaps count as equal, degrees. Adding turns of 360° to an angle
  /// costs digits.
  static let equalGapsDegrees = 1e-6

  /// Returns the places of the frames in the order of their files: angles ascending, starting after
  /// the largest gap of the circle. Of several largest gaps the one counts after which the first
  /// angle at or after 0 comes.
  /// - Parameters:
  ///   - angles: the frames' angles, degrees; 365 is the same as 5.
  ///   - isFullRing: true if no sector is empty: then the first angle at or after 0 begins.
  public static func order(_ angles: [Double], isFullRing: Bool) -> [Int] {
    let turned = angles.map(Geodesic.compassDegrees)
    let sorted = turned.indices.sorted { (turned[$0], $0) < (turned[$1], $1) }
    guard sorted.count > 1, !isFullRing else { return sorted }
    // The gap before each frame; before the first one the circle closes.
    let gaps = sorted.indices.map { place in
      place == 0
        ? turned[sorted[0]] + 360 - turned[sorted[sorted.count - 1]]
        : turned[sorted[place]] - turned[sorted[place - 1]]
    }
    let largest = gaps.max() ?? 0
    let start = gaps.firstIndex { $0 >= largest - equalGapsDegrees } ?? 0
    return Array(sorted[start...] + sorted[..<start])
  }

  /// Returns true if frames at these angles leave no sector of a ring empty.
  public static func isFullRing(_ angles: [Double], in ring: SectorRing) -> Bool {
    angles.count >= ring.count
      && Set(angles.map(ring.sector(ofDegrees:))).count == ring.count
  }
}
