import Foundation
import Geodesy
import TestSupport
import Testing
import TimeAndText

@testable import Positioning

@Suite("Samples and centroids")
struct CentroidSamplerTests {
  private static let stillVerdict = GateVerdict(state: .still, reason: nil, statistics: nil)

  private func sampler(
    _ points: [(Double, Double)], at origin: Coordinate, method: CentroidMethod = .mean
  ) throws -> CentroidSampler {
    var sampler = CentroidSampler(
      policy: try #require(SamplerPolicy(samples: 500, method: method)))
    let plane = LocalPlane(origin: origin)
    for (second, point) in points.enumerated() {
      var fix = Fix(time: try time(second * 1000))
      fix.coordinate = plane.coordinate(
        of: PlanePoint(eastMetres: point.0, northMetres: point.1))
      fix.mode = .threeDimensional
      fix.ellipsoidalHeightMetres = Double(second)
      fix.horizontalUncertaintyMetres95 = 3
      sampler.acceptUngated(fix)
    }
    return sampler
  }

  private func standpoint(
    _ points: [(Double, Double)], at origin: Coordinate? = nil, method: CentroidMethod = .mean
  ) throws -> (Standpoint, LocalPlane) {
    let origin = try origin ?? place(50, 14)
    let standpoint = try #require(
      try sampler(points, at: origin, method: method).standpoint())
    return (standpoint, LocalPlane(origin: origin))
  }

  private func expect(
    _ coordinate: Coordinate, is point: (Double, Double), on plane: LocalPlane,
    within metres: Double = 1e-6, _ comment: Comment? = nil
  ) {
    let found = plane.project(coordinate)
    #expect(
      hypot(found.eastMetres - point.0, found.northMetres - point.1) < metres, comment)
  }

  @Test("Samples are counted while the gate is open, and a break discards them")
  func breaks() throws {
    var sampler = CentroidSampler(policy: try #require(SamplerPolicy(samples: 5)))
    let fixes = try FixStream(origin: place(50, 14)).fixes(seconds: 20) { _ in (0, 0) }
    for fix in fixes[..<4] { sampler.accept(fix, verdict: Self.stillVerdict) }
    #expect(sampler.count == 4)
    #expect(!sampler.isComplete)
    for state in [GateVerdict.State.settling, .moving, .refused] {
      sampler.accept(
        fixes[4], verdict: GateVerdict(state: state, reason: .noFix, statistics: nil))
      #expect(sampler.count == 0)
      #expect(sampler.firstTime == nil)
      #expect(sampler.standpoint() == nil)
      for fix in fixes[5..<9] { sampler.accept(fix, verdict: Self.stillVerdict) }
    }
    sampler.accept(fixes[9], verdict: Self.stillVerdict)
    #expect(sampler.isComplete)
    sampler.accept(fixes[10], verdict: Self.stillVerdict)
    #expect(sampler.count == 5)
    #expect(sampler.standpoint()?.lastTime == fixes[9].time)
    #expect(sampler.standpoint()?.firstTime == fixes[5].time)
  }

  @Test("1 to 500 samples may be asked for")
  func policyLimits() {
    #expect(SamplerPolicy(samples: 0) == nil)
    #expect(SamplerPolicy(samples: 501) == nil)
    #expect(SamplerPolicy(samples: 1) != nil)
    #expect(SamplerPolicy(samples: 500)?.samples == 500)
    #expect(SamplerPolicy().samples == 20)
    #expect(SamplerPolicy().method == .innermostLayer)
    var hostile = SamplerPolicy()
    for count in [Int.min, -1, 0, Int.max] {
      hostile.samples = count
      _ = CentroidSampler(policy: hostile)
    }
  }

  @Test("Samples that span more than 300 s are begun anew, at the limit they are not")
  func maximumAge() throws {
    for (seconds, count) in [(300.0, 2), (300.001, 1)] {
      var sampler = CentroidSampler()
      for second in [0, seconds] {
        var fix = Fix(time: try time(Int(second * 1000)))
        fix.coordinate = try place(50, 14)
        sampler.accept(fix, verdict: Self.stillVerdict)
      }
      #expect(sampler.count == count)
    }
  }

  @Test("Duplicates are told by their epoch, never by their place")
  func duplicates() throws {
    var sampler = CentroidSampler()
    let fixes = try FixStream(origin: place(50, 14)).fixes(seconds: 3) { _ in (0, 0) }
    var elsewhere = fixes[0]
    elsewhere.coordinate = try place(51, 14)
    for fix in [fixes[0], elsewhere, fixes[1], fixes[2]] { sampler.acceptUngated(fix) }
    #expect(sampler.count == 3)
    #expect(sampler.standpoint()?.spreadMetres ?? 1 < 1e-9)
  }

  @Test("A fix without a position is no sample")
  func withoutPosition() throws {
    var sampler = CentroidSampler()
    sampler.acceptUngated(Fix(time: try time(0)))
    #expect(sampler.count == 0)
  }

  @Test("One point, two, equal ones and a line are ordinary", arguments: placesOfTheWorld)
  func degenerate(latitude: Double, longitude: Double) throws {
    let origin = try place(latitude, longitude)
    for (points, middle, layers, hull) in [
      ([(0.0, 0.0)], (0.0, 0.0), 1, 1), ([(2, 0), (4, 2)], (3, 1), 1, 2),
      ([(1, 1), (1, 1), (1, 1)], (1, 1), 1, 1), ([(0, 0), (1, 0), (2, 0), (5, 0)], (2, 0), 1, 2),
    ] {
      let (standpoint, plane) = try standpoint(points, at: origin)
      expect(standpoint.mean, is: middle, on: plane, "mean of \(points)")
      #expect(standpoint.samples == points.count)
      #expect(standpoint.effectiveSamples >= 1)
      #expect(standpoint.effectiveSamples <= Double(points.count))
      if origin.latitudeDegrees == 0 || points.count != 4 {
        #expect(standpoint.layers >= layers)
        #expect(standpoint.hull.count >= hull)
      }
      #expect(standpoint.spreadMetres.isFinite)
    }
  }

  @Test("The three methods on sets whose result is known", arguments: placesOfTheWorld)
  func knownSets(latitude: Double, longitude: Double) throws {
    let origin = try place(latitude, longitude)
    // A square of 10 m, and a triangle inside.
    let points = [
      (0.0, 0.0), (10, 0), (10, 10), (0, 10), (4.0, 4.0), (6, 4), (5, 7),
    ]
    let (standpoint, plane) = try standpoint(points, at: origin, method: .innermostLayer)
    #expect(standpoint.layers == 2)
    #expect(standpoint.hull.count == 4)
    expect(standpoint.innermostLayer, is: (5, 5), on: plane)
    expect(standpoint.mean, is: (5, 5), on: plane)
    #expect(standpoint.coordinate == standpoint.innermostLayer)
    #expect(standpoint.ellipsoidalHeightMetres == 3)
    #expect(standpoint.meanSeaLevelHeightMetres == nil)
    // The median of four corners of a convex quadrangle is where its diagonals cross.
    let (four, _) = try self.standpoint(
      [(0, 0), (12, 0), (8, 8), (0, 6)], at: origin, method: .median)
    expect(four.median, is: (4.8, 4.8 * 1), on: plane, within: 10)
    let median = plane.project(four.median)
    #expect(abs(median.eastMetres - median.northMetres) < 1e-5, "on the diagonal from 0,0 to 8,8")
    #expect(abs(median.eastMetres + 2 * median.northMetres - 12) < 1e-5, "and on the other")
    // A corner of 120 degrees and more is the median of three itself.
    let (three, _) = try self.standpoint([(0, 0), (-10, 1), (10, 1)], at: origin)
    expect(three.median, is: (0, 0), on: plane, within: 1e-5)
    // An outlier moves the mean, hardly the median.
    let (outlier, _) = try self.standpoint(
      [(0, 0), (1, 0), (0, 1), (1, 1), (0.5, 0.5), (100, 100)], at: origin)
    #expect(plane.project(outlier.median).eastMetres < 1.5)
    #expect(plane.project(outlier.mean).eastMetres > 10)
  }

  @Test("The effective number is near n for white noise, far smaller for wandering errors")
  func effectiveNumber() throws {
    for count in [20, 100, 400] {
      var white = 0.0
      var wandering = 0.0
      let runs: UInt64 = 40
      try forEachSeed(0..<runs) { seed, generator in
        var here = (normal(&generator), normal(&generator))
        let keep = 0.98
        let fresh = (1 - keep * keep).squareRoot()
        let wander = (0..<count).map { _ in
          here = (
            here.0 * keep + normal(&generator) * fresh, here.1 * keep + normal(&generator) * fresh
          )
          return here
        }
        let noise = (0..<count).map { _ in (normal(&generator), normal(&generator)) }
        let first = try standpoint(noise).0.effectiveSamples
        let second = try standpoint(wander).0.effectiveSamples
        for value in [first, second] {
          #expect(value >= 1 && value <= Double(count), "seed \(seed)")
        }
        white += first / Double(count) / Double(runs)
        wandering += second / Double(count) / Double(runs)
      }
      #expect(white > 0.7, "\(count)")
      #expect(wandering < 0.3, "\(count): \(wandering)")
    }
  }

  @Test("Of 20 independent samples the mean scatters least, then the median, then the layer")
  func scatter() throws {
    var squares = [CentroidMethod: Double]()
    let runs: UInt64 = 400
    try forEachSeed(0..<runs) { _, generator in
      let (standpoint, plane) = try standpoint(
        (0..<20).map { _ in (normal(&generator), normal(&generator)) })
      for (method, coordinate) in [
        (CentroidMethod.mean, standpoint.mean), (.median, standpoint.median),
        (.innermostLayer, standpoint.innermostLayer),
      ] {
        let point = plane.project(coordinate)
        squares[method, default: 0] +=
          (point.eastMetres * point.eastMetres + point.northMetres * point.northMetres)
          / Double(runs)
      }
    }
    let mean = (squares[.mean] ?? 0).squareRoot()
    let median = (squares[.median] ?? 0).squareRoot()
    let layer = (squares[.innermostLayer] ?? 0).squareRoot()
    #expect(mean < median && median < layer)
    // Root mean square over both axes: 0.32 σ, 0.36 σ, 0.46 σ.
    #expect(abs(mean - 0.32) < 0.02, "\(mean)")
    #expect(abs(median - 0.36) < 0.04, "\(median)")
    #expect(abs(layer - 0.46) < 0.04, "\(layer)")
  }

  @Test("The radius holds the receiver's own uncertainty and the scatter, or is not stated")
  func radius() throws {
    let (calm, _) = try standpoint(Array(repeating: (0, 0), count: 20))
    #expect(calm.uncertaintyMetres95 == 3)
    var generator = SeededGenerator(seed: 3)
    let (noisy, _) = try standpoint(
      (0..<20).map { _ in (10 * normal(&generator), 10 * normal(&generator)) })
    #expect((noisy.uncertaintyMetres95 ?? 0) > 4)
    var sampler = CentroidSampler()
    var fix = Fix(time: try time(0))
    fix.coordinate = try place(1, 1)
    sampler.acceptUngated(fix)
    #expect(sampler.standpoint()?.uncertaintyMetres95 == nil)
  }
}
