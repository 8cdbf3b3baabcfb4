import Geodesy
import Positioning

/// The position that a photo claims. Only this file turns a standpoint or a fix into a photo's
/// position.
public struct PhotoPosition: Hashable, Sendable {
  /// The method by which the position was obtained.
  public enum Method: Hashable, Sendable {
    /// The samples, combined by one of the centroids.
    case standpoint(CentroidMethod)
    /// The single fix at the shutter.
    case fix

    /// The word in records and JSON.
    public var name: String {
      switch self {
      case .standpoint(let method): method.rawValue
      case .fix: "fix"
      }
    }
  }

  /// The coordinate.
  public let coordinate: Coordinate
  /// The height above the ellipsoid, metres; nil if unknown.
  public let ellipsoidalHeightMetres: Double?
  /// The height above mean sea level, metres; nil if unknown.
  public let meanSeaLevelHeightMetres: Double?
  /// The radius that holds the true position with 95 % probability, metres; nil if unknown.
  public let uncertaintyMetres95: Double?
  /// The method by which the position was obtained.
  public let method: Method

  /// Creates the position of a photo taken at `fix`: the standpoint if samples were asked for,
  /// otherwise the fix itself. Nil if there is no standpoint and the fix has no coordinate.
  public init?(standpoint: Standpoint?, fix: Fix) {
    if let standpoint {
      coordinate = standpoint.coordinate
      ellipsoidalHeightMetres = standpoint.ellipsoidalHeightMetres
      meanSeaLevelHeightMetres = standpoint.meanSeaLevelHeightMetres
      uncertaintyMetres95 = standpoint.uncertaintyMetres95
      method = .standpoint(standpoint.method)
    } else if let coordinate = fix.coordinate {
      self.coordinate = coordinate
      ellipsoidalHeightMetres = fix.ellipsoidalHeightMetres
      meanSeaLevelHeightMetres = fix.meanSeaLevelHeightMetres
      uncertaintyMetres95 = fix.horizontalUncertaintyMetres95
      method = .fix
    } else {
      return nil
    }
  }

  /// Returns the position with the distance between antenna and lens in its uncertainty.
  public func widened(by lens: LensOffset) -> PhotoPosition {
    PhotoPosition(
      kept: coordinate, ellipsoidalHeightMetres: ellipsoidalHeightMetres,
      meanSeaLevelHeightMetres: meanSeaLevelHeightMetres,
      uncertaintyMetres95: uncertaintyMetres95.map { $0 + lens.addedMetres }, method: method)
  }

  /// Creates the position of a photo taken at `fix` by an agency's rule. Nil if the rule asks for
  /// samples and there is only a single fix, a standpoint of fewer samples, or another centroid.
  /// - Parameter sampler: The samples that the rule asks for; nil if it asks for none, and the fix
  ///   counts.
  public init?(asked sampler: SamplerPolicy?, standpoint: Standpoint?, fix: Fix) {
    guard let sampler else {
      self.init(standpoint: nil, fix: fix)
      return
    }
    guard let standpoint, standpoint.samples >= sampler.samples,
      standpoint.method == sampler.method
    else { return nil }
    self.init(standpoint: standpoint, fix: fix)
  }

  /// Creates the position that a phone's app told. No data of the receiver itself supports it.
  /// - Parameter uncertaintyMetres95: The radius that holds the true position with 95 %
  ///   probability, metres; nil if the app told none.
  public init(
    told coordinate: Coordinate, ellipsoidalHeightMetres: Double?,
    meanSeaLevelHeightMetres: Double?, uncertaintyMetres95: Double?
  ) {
    self.init(
      kept: coordinate, ellipsoidalHeightMetres: ellipsoidalHeightMetres,
      meanSeaLevelHeightMetres: meanSeaLevelHeightMetres, uncertaintyMetres95: uncertaintyMetres95,
      method: .fix)
  }

  /// Creates a position that was computed earlier and is now read back from storage.
  public init(
    kept coordinate: Coordinate, ellipsoidalHeightMetres: Double?,
    meanSeaLevelHeightMetres: Double?, uncertaintyMetres95: Double?, method: Method
  ) {
    self.coordinate = coordinate
    self.ellipsoidalHeightMetres = ellipsoidalHeightMetres
    self.meanSeaLevelHeightMetres = meanSeaLevelHeightMetres
    self.uncertaintyMetres95 = uncertaintyMetres95
    self.method = method
  }
}
