import Foundation
import Geodesy
import TimeAndText

/// The rules by which samples are taken.
public struct SamplerPolicy: Hashable, Sendable {
  /// The number of samples that make a standpoint, 1…500.
  public var samples = 20
  /// The method whose centroid becomes the position.
  public var method = CentroidMethod.innermostLayer
  /// The longest time that samples may span, seconds; then sampling starts again. A standpoint
  /// describes the present, and the raw window that proves it stays bounded.
  public var maximumAgeSeconds = 300.0

  /// Creates the documented defaults.
  public init() {}

  /// Creates the defaults with another number of samples and method; nil outside 1…500 samples.
  public init?(samples: Int, method: CentroidMethod = .innermostLayer) {
    guard (1...500).contains(samples) else { return nil }
    self.samples = samples
    self.method = method
  }
}

/// A sampler that keeps fixes as samples and computes a `Standpoint` from them.
public struct CentroidSampler: Sendable {
  /// The rules in force.
  public let policy: SamplerPolicy
  private var samples: [Sample] = []

  private struct Sample {
    var time: GNSSTime
    var coordinate: Coordinate
    var ellipsoidalHeightMetres: Double?
    var meanSeaLevelHeightMetres: Double?
    var uncertaintyMetres95: Double?
  }

  /// Creates a sampler without samples.
  public init(policy: SamplerPolicy = SamplerPolicy()) {
    self.policy = policy
    samples.reserveCapacity(min(max(0, policy.samples), 500))
  }

  /// The number of samples so far, up to `policy.samples`.
  public var count: Int { samples.count }
  /// True if there are as many samples as the policy asks for.
  public var isComplete: Bool { samples.count >= policy.samples }
  /// The time of the first sample; nil without one.
  public var firstTime: GNSSTime? { samples.first?.time }

  /// Takes the next fix with the gate's verdict on it. A verdict that is not `still` discards all
  /// samples; no more fixes are taken than the policy asks for.
  public mutating func accept(_ fix: Fix, verdict: GateVerdict) {
    guard verdict.state == .still else {
      discard()
      return
    }
    if let first = samples.first, fix.time.seconds(since: first.time) > policy.maximumAgeSeconds {
      discard()
    }
    take(fix)
  }

  /// Takes the next fix without regard to the gate: for measuring and for comparing, never for
  /// photos.
  public mutating func acceptUngated(_ fix: Fix) {
    take(fix)
  }

  /// Forgets all samples.
  public mutating func discard() {
    samples.removeAll(keepingCapacity: true)
  }

  private mutating func take(_ fix: Fix) {
    // Duplicates are recognised by their epoch: two fixes at one place are two samples.
    guard !isComplete, let coordinate = fix.coordinate, fix.time != samples.last?.time else {
      return
    }
    samples.append(
      Sample(
        time: fix.time, coordinate: coordinate,
        ellipsoidalHeightMetres: fix.ellipsoidalHeightMetres,
        meanSeaLevelHeightMetres: fix.meanSeaLevelHeightMetres,
        uncertaintyMetres95: fix.horizontalUncertaintyMetres95))
  }

  /// Returns the standpoint of the samples so far; nil without any.
  public func standpoint() -> Standpoint? {
    guard let first = samples.first, let last = samples.last else { return nil }
    let plane = LocalPlane(origin: first.coordinate)
    let points = samples.map { plane.project($0.coordinate) }
    let layers = ConvexLayers.peel(points)
    let mean = Self.mean(points)
    let spread = Self.spread(points, about: mean)
    let effective = Self.effectiveCount(points, about: mean)
    let uncertainty = Self.median(samples.compactMap(\.uncertaintyMetres95)).map { receiver in
      // The scatter shows only a part of the error: errors that stay constant while the inspector
      // stands still do not show, so the receiver's own uncertainty is added.
      let statistical =
        2.448 * (spread / 2.0.squareRoot()) * policy.method.relativeScatter
        / effective.squareRoot()
      return (receiver * receiver + statistical * statistical).squareRoot()
    }
    return Standpoint(
      method: policy.method,
      innermostLayer: plane.coordinate(of: Self.mean(layers.last ?? points)),
      mean: plane.coordinate(of: mean), median: plane.coordinate(of: Self.spatialMedian(points)),
      samples: samples.count, effectiveSamples: effective, layers: layers.count,
      spreadMetres: spread, uncertaintyMetres95: uncertainty,
      hull: ConvexHull.of(points).map { plane.coordinate(of: $0) },
      ellipsoidalHeightMetres: Self.mean(samples.map(\.ellipsoidalHeightMetres)),
      meanSeaLevelHeightMetres: Self.mean(samples.map(\.meanSeaLevelHeightMetres)),
      firstTime: first.time, lastTime: last.time)
  }

  // MARK: estimators

  static func mean(_ points: [PlanePoint]) -> PlanePoint {
    let count = Double(points.count)
    return PlanePoint(
      eastMetres: points.reduce(0) { $0 + $1.eastMetres } / count,
      northMetres: points.reduce(0) { $0 + $1.northMetres } / count)
  }

  /// Returns the spatial median by Weiszfeld's iteration, with Vardi and Zhang's rule for the case
  /// that it lands on a sample.
  static func spatialMedian(_ points: [PlanePoint]) -> PlanePoint {
    var estimate = mean(points)
    for _ in 0..<200 {
      var weights = 0.0
      var sum = (east: 0.0, north: 0.0)
      var pull = (east: 0.0, north: 0.0)
      var coinciding = 0.0
      for point in points {
        let east = point.eastMetres - estimate.eastMetres
        let north = point.northMetres - estimate.northMetres
        let distance = (east * east + north * north).squareRoot()
        if distance < 1e-9 {
          coinciding += 1
          continue
        }
        weights += 1 / distance
        sum.east += point.eastMetres / distance
        sum.north += point.northMetres / distance
        pull.east += east / distance
        pull.north += north / distance
      }
      guard weights > 0 else { return estimate }
      let strength = (pull.east * pull.east + pull.north * pull.north).squareRoot()
      let stay = coinciding == 0 ? 0 : strength == 0 ? 1 : min(1, coinciding / strength)
      let next = PlanePoint(
        eastMetres: (1 - stay) * sum.east / weights + stay * estimate.eastMetres,
        northMetres: (1 - stay) * sum.north / weights + stay * estimate.northMetres)
      let step = hypot(
        next.eastMetres - estimate.eastMetres, next.northMetres - estimate.northMetres)
      estimate = next
      if step < 1e-7 { break }
    }
    return estimate
  }

  private static func spread(_ points: [PlanePoint], about mean: PlanePoint) -> Double {
    let sum = points.reduce(0.0) {
      $0 + pow($1.eastMetres - mean.eastMetres, 2) + pow($1.northMetres - mean.northMetres, 2)
    }
    return (sum / Double(points.count)).squareRoot()
  }

  /// Returns the number of effective samples: n divided by one plus twice the sum of the
  /// autocorrelations, summed while pairs of them are positive (Geyer's initial positive sequence,
  /// 1992), for both axes together.
  static func effectiveCount(_ points: [PlanePoint], about mean: PlanePoint) -> Double {
    let count = points.count
    func covariance(_ lag: Int) -> Double {
      var sum = 0.0
      for index in lag..<count {
        let here = points[index]
        let there = points[index - lag]
        sum +=
          (here.eastMetres - mean.eastMetres) * (there.eastMetres - mean.eastMetres)
          + (here.northMetres - mean.northMetres) * (there.northMetres - mean.northMetres)
      }
      return sum / Double(count)
    }
    let variance = covariance(0)
    // Equal samples show only the receiver's resolution: together they are worth one.
    guard count > 1, variance > 1e-12 else { return 1 }
    var sum = 0.0
    var lag = 1
    while lag + 1 < count {
      let pair = (covariance(lag) + covariance(lag + 1)) / variance
      guard pair > 0 else { break }
      sum += pair
      lag += 2
    }
    return min(Double(count), max(1, Double(count) / (1 + 2 * sum)))
  }

  private static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    return sorted.count % 2 == 1
      ? sorted[sorted.count / 2]
      : (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
  }

  private static func mean(_ values: [Double?]) -> Double? {
    let known = values.compactMap(\.self)
    guard known.count == values.count, !known.isEmpty else { return nil }
    return known.reduce(0, +) / Double(known.count)
  }
}
