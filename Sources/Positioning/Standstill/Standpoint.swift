import Geodesy

/// How a position is computed from the samples.
public enum CentroidMethod: String, Hashable, Sendable, CaseIterable {
  /// Mean of the vertices of the innermost convex layer.
  case innermostLayer = "innermost-layer"
  /// Arithmetic mean.
  case mean
  /// Spatial (geometric) median.
  case median

  /// How much larger the estimate's scatter is than that of the mean, for 20 independent samples of
  /// a normal distribution (simulation; docs/decisions).
  var relativeScatter: Double {
    switch self {
    case .innermostLayer: 1.44
    case .mean: 1
    case .median: 1.19
    }
  }
}

/// The position computed from the samples taken while the inspector stood still, and how good it is.
public struct Standpoint: Hashable, Sendable {
  /// The method that was chosen.
  public var method: CentroidMethod
  /// Centroid of the innermost convex layer.
  public var innermostLayer: Coordinate
  /// Mean of the samples.
  public var mean: Coordinate
  /// Spatial median of the samples.
  public var median: Coordinate
  /// How many samples there are.
  public var samples: Int
  /// How many independent ones they are worth, 1…samples, by their autocorrelation.
  public var effectiveSamples: Double
  /// How many convex layers the samples have.
  public var layers: Int
  /// Root mean square distance of the samples from their mean, metres.
  public var spreadMetres: Double
  /// Radius that holds the true position with 95 % probability, metres; nil when the receiver's own
  /// uncertainty is unknown.
  public var uncertaintyMetres95: Double?
  /// The outermost layer, counter-clockwise.
  public var hull: [Coordinate]
  /// Mean height above the ellipsoid, metres; nil when a sample has none.
  public var ellipsoidalHeightMetres: Double?
  /// Mean height above mean sea level, metres; nil when a sample has none.
  public var meanSeaLevelHeightMetres: Double?
  /// Time of the first sample.
  public var firstTime: GNSSTime
  /// Time of the last sample.
  public var lastTime: GNSSTime

  /// A standpoint from its parts.
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
