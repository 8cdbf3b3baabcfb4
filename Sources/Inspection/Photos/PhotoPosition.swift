import Geodesy
import Positioning

/// The position that a photo claims. This file is the only place where a standpoint or a fix becomes
/// one.
public struct PhotoPosition: Hashable, Sendable {
  /// How the position was obtained.
  public enum Method: Hashable, Sendable {
    /// From samples, by one of the centroids.
    case standpoint(CentroidMethod)
    /// The single fix at the shutter.
    case fix

    /// The word that records and JSON carry.
    public var name: String {
      switch self {
      case .standpoint(let method): method.rawValue
      case .fix: "fix"
      }
    }
  }

  /// Where.
  public let coordinate: Coordinate
  /// Height above the ellipsoid, metres.
  public let ellipsoidalHeightMetres: Double?
  /// Height above mean sea level, metres.
  public let meanSeaLevelHeightMetres: Double?
  /// Radius that holds the true position with 95 % probability, metres; nil when unknown.
  public let uncertaintyMetres95: Double?
  /// How it was obtained.
  public let method: Method

  /// The position of a photo taken at `fix`: the standpoint where samples were asked for, otherwise
  /// the fix itself. Nil when there is neither.
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

  /// The position of a photo taken at `fix` by an agency's rule. Where the rule asks for samples, a single fix
  /// is no photo's position, and neither are fewer samples or another centroid: nil then.
  /// - Parameter sampler: the samples that are asked for; nil for none, and the fix counts.
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

  /// The position that a phone's app told. Nothing of the receiver's own data is behind it.
  /// - Parameter uncertaintyMetres95: radius that holds the true position with 95 % probability, metres;
  ///   nil where the app told none.
  public init(
    told coordinate: Coordinate, ellipsoidalHeightMetres: Double?,
    meanSeaLevelHeightMetres: Double?, uncertaintyMetres95: Double?
  ) {
    self.init(
      kept: coordinate, ellipsoidalHeightMetres: ellipsoidalHeightMetres,
      meanSeaLevelHeightMetres: meanSeaLevelHeightMetres, uncertaintyMetres95: uncertaintyMetres95,
      method: .fix)
  }

  /// A position that was resolved before, read back from where it was kept.
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
