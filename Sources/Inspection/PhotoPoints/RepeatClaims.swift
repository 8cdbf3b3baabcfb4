/// The claims of a photo that repeats a photo point: they are a part of its sealed record.
public struct RepeatClaims: Hashable, Sendable {
  /// The photo point.
  public var point: Identifier
  /// The SHA-256 of the reference photo's file, in lower-case hexadecimal.
  public var referenceDigest: String
  /// The distance between the two places, metres.
  public var distanceMetres: Double
  /// The 95 % radius of the distance, metres; nil if unknown.
  public var distanceUncertaintyMetres95: Double?
  /// The whole angle between the two attitudes, degrees; nil if unknown.
  public var angleDegrees: Double?
  /// The part about the upright axis, degrees; nil if unknown.
  public var rollDegrees: Double?
  /// The part about the axis to the right, degrees; nil if unknown.
  public var pitchDegrees: Double?
  /// The part about the lens, degrees; nil if unknown.
  public var yawDegrees: Double?
  /// The number of features that agree; nil if the pictures were not compared.
  public var inliers: Int?
  /// The displacement, per cent of the frame; nil if too few features agree, or if the pictures were
  /// not compared.
  public var displacementPercent: Double?

  /// Creates the claims of a repeat from its measure.
  /// - Parameter comparison: the result of comparing the two pictures; nil if they were not compared.
  public init(
    point: Identifier, referenceDigest: String, measure: RepeatMeasure,
    comparison: PictureComparison?
  ) {
    self.point = point
    self.referenceDigest = referenceDigest
    distanceMetres = measure.distanceMetres
    distanceUncertaintyMetres95 = measure.distanceUncertaintyMetres95
    angleDegrees = measure.angleDegrees
    rollDegrees = measure.rollDegrees
    pitchDegrees = measure.pitchDegrees
    yawDegrees = measure.yawDegrees
    inliers = comparison?.inliers
    // A picture that is displaced by more than ten frames is nowhere near.
    displacementPercent = comparison?.displacementPercent.flatMap { $0 <= 1000 ? $0 : nil }
  }

  /// Creates claims that were read from a record, without any angle or comparison.
  public init(point: Identifier, referenceDigest: String, distanceMetres: Double) {
    self.point = point
    self.referenceDigest = referenceDigest
    self.distanceMetres = distanceMetres
  }

  /// The distance that is met, metres.
  public var toleranceMetres: Double { tolerance.metres }

  private var tolerance: RepeatTolerance {
    RepeatTolerance(distanceUncertaintyMetres95: distanceUncertaintyMetres95)
  }

  /// True if the place is met.
  public var isPlaceMet: Bool { distanceMetres <= toleranceMetres }

  /// True if the attitude is met; nil if the whole angle is unknown.
  public var isAttitudeMet: Bool? { angleDegrees.map { $0 <= tolerance.degrees } }
}

extension PhotoPoint {
  /// Returns the claims of a repeat with distance and angles as the photo's own place and attitude
  /// give them, because a device could claim anything. Claims of a photo without a place stay.
  public func measured(_ claims: RepeatClaims, of photo: Photo) -> RepeatClaims {
    guard let there = RepeatMeasure.Stand(of: photo) else { return claims }
    var measured = RepeatClaims(
      point: id, referenceDigest: claims.referenceDigest,
      measure: RepeatMeasure(from: stand, to: there), comparison: nil)
    measured.inliers = claims.inliers
    measured.displacementPercent = claims.displacementPercent
    return measured
  }
}

/// A photo that is about to repeat a photo point: everything that its record says about the
/// reference.
public struct RepeatAim: Sendable {
  /// The photo point.
  public var point: Identifier
  /// The SHA-256 of the reference photo's file.
  public var referenceDigest: String
  /// The place and the attitude of the reference photo.
  public var stand: RepeatMeasure.Stand
  /// Compares the reference with the frame just taken; nil if it cannot be compared. It has to end
  /// within seconds: the photo waits for it.
  public var compare: @Sendable (_ frame: [UInt8]) async -> PictureComparison?

  /// Creates the aim at a photo point.
  public init(
    at point: PhotoPoint,
    compare: @escaping @Sendable (_ frame: [UInt8]) async -> PictureComparison?
  ) {
    self.point = point.id
    referenceDigest = point.reference.digest
    stand = point.stand
    self.compare = compare
  }

  /// Returns the claims of a photo that was taken with this aim; nil if the photo claims no place.
  public func claims(of photo: Photo, _ comparison: PictureComparison?) -> RepeatClaims? {
    RepeatMeasure.Stand(of: photo).map {
      RepeatClaims(
        point: point, referenceDigest: referenceDigest,
        measure: RepeatMeasure(from: stand, to: $0), comparison: comparison)
    }
  }
}
