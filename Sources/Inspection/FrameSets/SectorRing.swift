import Geodesy

/// The circle of a set, divided into sectors of one width. Angles are degrees clockwise as seen
/// from above, since the first frame.
public struct SectorRing: Hashable, Sendable {
  /// The number of sectors.
  public let count: Int
  /// The angle of the middle of sector 0, 0 ≤ x < 360 degrees.
  public let firstMiddleDegrees: Double

  /// Creates a ring.
  /// - Parameters:
  ///   - count: the number of sectors, at least 1.
  ///   - firstMiddleDegrees: the angle of the middle of sector 0. The first frame of a walk stands
  ///     there. In a turn with a trusted compass, sector 0 looks to true north.
  public init(count: Int, firstMiddleDegrees: Double = 0) {
    self.count = max(1, count)
    self.firstMiddleDegrees = Geodesic.compassDegrees(firstMiddleDegrees)
  }

  /// The width of a sector, degrees.
  public var widthDegrees: Double { 360 / Double(count) }

  /// Returns the sector that holds an angle, 0 ..< count. An angle between two sectors belongs to
  /// the second.
  public func sector(ofDegrees angle: Double) -> Int {
    let turned = Geodesic.compassDegrees(angle - firstMiddleDegrees + widthDegrees / 2)
    return min(count - 1, Int(turned / widthDegrees))
  }

  /// Returns the angle of the middle of a sector, 0 ≤ x < 360 degrees.
  public func middleDegrees(ofSector sector: Int) -> Double {
    Geodesic.compassDegrees(firstMiddleDegrees + Double(sector) * widthDegrees)
  }

  /// Returns how far an angle is from the middle of its sector, 0…half the width, degrees.
  public func offMiddleDegrees(_ angle: Double) -> Double {
    Self.distanceDegrees(angle, middleDegrees(ofSector: sector(ofDegrees: angle)))
  }

  /// Returns the distance of two angles on the circle, 0…180 degrees.
  public static func distanceDegrees(_ one: Double, _ other: Double) -> Double {
    let turned = Geodesic.compassDegrees(one - other)
    return min(turned, 360 - turned)
  }
}
