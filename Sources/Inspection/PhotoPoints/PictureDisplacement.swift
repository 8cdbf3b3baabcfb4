import Foundation

/// The projective map from an earlier picture to a later one, both as squares of 1 × 1 with the
/// origin in the upper left corner.
public struct PictureHomography: Hashable, Sendable {
  /// The nine numbers of the matrix, row by row.
  public let rows: [Double]

  /// Creates a map; nil if there are not nine finite numbers.
  public init?(rows: [Double]) {
    guard rows.count == 9, rows.allSatisfy(\.isFinite) else { return nil }
    self.rows = rows
  }

  /// Returns where a point of the earlier picture lies in the later one; nil if it lies behind the
  /// camera.
  public func callAsFunction(x: Double, y: Double) -> (x: Double, y: Double)? {
    let scale = rows[6] * x + rows[7] * y + rows[8]
    guard scale * rows[8] > 0 else { return nil }
    return (
      (rows[0] * x + rows[1] * y + rows[2]) / scale, (rows[3] * x + rows[4] * y + rows[5]) / scale
    )
  }
}

extension PictureHomography {
  /// Returns true if all marks lie before the camera, and if the first three turn the same way round
  /// in both pictures: no camera sees a mirrored world.
  fileprivate func keepsSides(of marks: [(Double, Double)]) -> Bool {
    let moved = marks.compactMap { self(x: $0.0, y: $0.1) }
    guard moved.count == marks.count, moved.count >= 3 else { return false }
    return (moved[1].x - moved[0].x) * (moved[2].y - moved[0].y)
      - (moved[1].y - moved[0].y) * (moved[2].x - moved[0].x) > 0
  }
}

/// The answer to how far a later picture is displaced against an earlier one.
///
/// It helps a reviewer and proves nothing: who stands somewhere else can hold up a print.
public enum PictureComparison: Hashable, Sendable {
  /// The features that the two pictures share, and the map that they agree on.
  case matched(inliers: Int, PictureHomography)
  /// Too few features agree: the pictures cannot be compared.
  case unlike(matches: Int)

  /// The number of agreeing features below which two pictures cannot be compared. Pictures of
  /// different things never reach it.
  public static let fewestInliers = 30

  /// The number of cells, of 8 by 8 of the earlier picture, below which agreeing features say
  /// nothing about the whole of it: a time or a name that an app writes into each picture agrees
  /// with itself.
  public static let fewestCells = 8

  /// The marks of a frame at which displacement is measured: at 20 and 80 % of width and height.
  static let marks = [(0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8)]

  /// Creates the answer to a map on which so many features agree. The map of fewer features than
  /// `fewestInliers`, of features in fewer cells than `fewestCells`, or one that turns the picture
  /// over, is none.
  public init(inliers: Int, cells: Int, homography: PictureHomography?) {
    guard inliers >= Self.fewestInliers, cells >= Self.fewestCells, let homography,
      homography.keepsSides(of: Self.marks)
    else {
      self = .unlike(matches: max(0, inliers))
      return
    }
    self = .matched(inliers: inliers, homography)
  }

  /// The displacement: the mean distance by which the four marks of the frame are moved, in per
  /// cent of a frame of 100 × 100; nil if the pictures cannot be compared.
  public var displacementPercent: Double? {
    guard case .matched(_, let homography) = self else { return nil }
    let moved = Self.marks.compactMap { mark in
      homography(x: mark.0, y: mark.1).map { hypot($0.x - mark.0, $0.y - mark.1) }
    }
    return 100 * moved.reduce(0, +) / Double(Self.marks.count)
  }

  /// The number of features that agree.
  public var inliers: Int {
    switch self {
    case .matched(let inliers, _): inliers
    case .unlike(let matches): matches
    }
  }
}
