import Geodesy
import TimeAndText

/// The method by which a position is computed from the samples.
public enum CentroidMethod: String, Hashable, Sendable, CaseIterable {
  /// Mean of the vertices of the innermost convex layer.
  case innermostLayer = "innermost-layer"
  /// Arithmetic mean.
  case mean
  /// Spatial (geometric) median.
  case median

  /// The estimate's scatter as a multiple of the mean's, for 20 independent samples of a normal
  /// distribution (simulation; docs/decisions).
  var relativeScatter: Double {
    switch self {
    case .innermostLayer: 1.44
    case .mean: 1
    case .median: 1.19
    }
  }
}

/// The position computed from the samples taken while the inspector stood still, with its quality.
public struct Standpoint: Hashable, Sendable {
  /// The method that was chosen.
  public var method: CentroidMethod
  /// Centroid of the innermost convex layer.
  public var innermostLayer: Coordinate
  /// Mean of the samples.
  public var mean: Coordinate
  /// Spatial median of the samples.
  public var median: Coordinate
  /// The number of samples.
  public var samples: Int
  /// The number of effective samples, 1…samples, by their autocorrelation.
  public var effectiveSamples: Double
  /// The number of convex layers of the samples.
  public var layers: Int
  /// Root mean square distance of the samples from their mean, metres.
  public var spreadMetres: Double
  /// Radius that holds the true position with 95 % probability, metres; nil if the receiver's own
  /// uncertainty is unknown.
  public var uncertaintyMetres95: Double?
  /// The corners of the convex hull of the samples, counter-clockwise.
  public var hull: [Coordinate]
  /// Mean height above the ellipsoid, metres; nil if a sample has none.
  public var ellipsoidalHeightMetres: Double?
  /// Mean height above mean sea level, metres; nil if a sample has none.
  public var meanSeaLevelHeightMetres: Double?
  /// Time of the first sample.
  public var firstTime: GNSSTime
  /// Time of the last sample.
  public var lastTime: GNSSTime

  /// Creates a standpoint.
  public init(
    method: CentroidMethod, innermostLayer: Coordinate, mean: Coordinate, median: Coordinate,
    samples: Int, effectiveSamples: Double, layers: Int, spreadMetres: Double,
    uncertaintyMetres95: Double?, hull: [Coordinate], ellipsoidalHeightMetres: Double?,
    meanSeaLevelHeightMetres: Double?, firstTime: GNSSTime, lastTime: GNSSTime
  ) {
    self.method = method
    self.innermostLayer = innermostLayer
    self.mean = mean
    self.median = median
    self.samples = samples
    self.effectiveSamples = effectiveSamples
    self.layers = layers
    self.spreadMetres = spreadMetres
    self.uncertaintyMetres95 = uncertaintyMetres95
    self.hull = hull
    self.ellipsoidalHeightMetres = ellipsoidalHeightMetres
    self.meanSeaLevelHeightMetres = meanSeaLevelHeightMetres
    self.firstTime = firstTime
    self.lastTime = lastTime
  }

  /// The position by the chosen method.
  public var coordinate: Coordinate {
    switch method {
    case .innermostLayer: innermostLayer
    case .mean: mean
    case .median: median
    }
  }
}
