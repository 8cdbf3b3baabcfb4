import Foundation
import Geodesy
import TestSupport
import Testing

@Suite("Convex layers")
struct ConvexLayersTests {
  @Test("No points have no layers, one has one, two have one, equal points count once")
  func smallSets() {
    let a = PlanePoint(eastMetres: 1, northMetres: 2)
    let b = PlanePoint(eastMetres: 1, northMetres: 3)
    #expect(ConvexLayers.peel([]) == [])
    #expect(ConvexLayers.peel([a]) == [[a]])
    #expect(ConvexLayers.peel([b, a]) == [[a, b]])
    #expect(ConvexLayers.peel(Array(repeating: a, count: 50)) == [[a]])
  }

  @Test("Zero and negative zero are one point")
  func negativeZero() {
    let layers = ConvexLayers.peel([
      PlanePoint(eastMetres: 0, northMetres: 0), PlanePoint(eastMetres: -0.0, northMetres: 0),
    ])
    #expect(layers.map(\.count) == [1])
  }

  @Test("Points that are not finite are left out")
  func nonFinitePoints() {
    let a = PlanePoint(eastMetres: 1, northMetres: 2)
    let layers = ConvexLayers.peel([
      PlanePoint(eastMetres: .nan, northMetres: 0), a,
      PlanePoint(eastMetres: 0, northMetres: -.infinity),
    ])
    #expect(layers == [[a]])
  }

  @Test("Points on one line are one layer", arguments: [(1.0, 0.0), (0, 1), (1, 1), (-3, 7)])
  func collinear(east: Double, north: Double) {
    let line = (0..<40).map {
      PlanePoint(eastMetres: east * Double($0), northMetres: north * Double($0))
    }
    forEachSeed(0..<5) { seed, generator in
      let layers = ConvexLayers.peel(line.shuffled(using: &generator))
      #expect(layers.map(\.count) == [40], "seed \(seed)")
      #expect(layers.first.map(Set.init) == Set(line), "seed \(seed)")
    }
  }

  @Test("Points on the edges of a square belong to its layer")
  func edges() {
    let grid = (0..<25).map {
      PlanePoint(eastMetres: Double($0 % 5), northMetres: Double($0 / 5))
    }
    forEachSeed(0..<5) { seed, generator in
      let layers = ConvexLayers.peel(grid.shuffled(using: &generator))
      #expect(layers.map(\.count) == [16, 8, 1], "seed \(seed)")
      #expect(layers.last == [PlanePoint(eastMetres: 2, northMetres: 2)], "seed \(seed)")
    }
  }

  @Test("Triangles within triangles are one layer each")
  func nestedTriangles() {
    let points = (1...200).flatMap { size -> [PlanePoint] in
      let r = Double(size)
      return [
        PlanePoint(eastMetres: -r, northMetres: -r), PlanePoint(eastMetres: r, northMetres: -r),
        PlanePoint(eastMetres: 0, northMetres: r),
      ]
    }
    let layers = ConvexLayers.peel(points)
    #expect(layers.count == 200)
    #expect(layers.allSatisfy { $0.count == 3 })
  }

  @Test("Points a nanometre from a line are told apart exactly")
  func nearlyCollinear() {
    // The middle point is on the line between the ends, or one unit in the last place off it.
    let start = PlanePoint(eastMetres: 0.1, northMetres: 0.1)
    let end = PlanePoint(eastMetres: 0.3, northMetres: 0.3)
    let onLine = 0.2
    for north in [onLine.nextDown, onLine, onLine.nextUp] {
      let middle = PlanePoint(eastMetres: onLine, northMetres: north)
      let hull = ConvexHull.of([start, middle, end])
      #expect(hull.count == (north == onLine ? 2 : 3))
      #expect(ConvexLayers.peel([start, middle, end]).map(\.count) == [3])
    }
  }

  @Test("Every distinct point is on exactly one layer, and inner layers lie within outer ones")
  func partition() {
    forEachSeed(0..<300) { seed, generator in
      let points = randomPoints(using: &generator)
      let layers = ConvexLayers.peel(points)
      let all = layers.flatMap { $0 }
      #expect(all.count == Set(points).count, "seed \(seed)")
      #expect(Set(all) == Set(points), "seed \(seed)")
      for (outer, inner) in zip(layers, layers.dropFirst()) {
        let hull = ConvexHull.of(outer)
        for point in inner {
          #expect(isStrictlyInside(point, hull), "seed \(seed)")
        }
      }
    }
  }

  @Test("A layer runs counter-clockwise and never turns right")
  func convexity() {
    forEachSeed(0..<300) { seed, generator in
      for layer in ConvexLayers.peel(randomPoints(using: &generator)) where layer.count > 2 {
        let flat = ConvexHull.of(layer).count == 2
        for index in layer.indices where !flat {
          let turn = exactTurn(
            layer[index], layer[(index + 1) % layer.count], layer[(index + 2) % layer.count])
          #expect(turn >= 0, "seed \(seed)")
        }
      }
    }
  }

  @Test("Order and duplicates make no difference")
  func orderAndDuplicates() {
    forEachSeed(0..<200) { seed, generator in
      let points = randomPoints(using: &generator)
      let layers = ConvexLayers.peel(points)
      #expect(ConvexLayers.peel(points.shuffled(using: &generator)) == layers, "seed \(seed)")
      let doubled = (points + points.prefix(7)).shuffled(using: &generator)
      #expect(ConvexLayers.peel(doubled) == layers, "seed \(seed)")
    }
  }

  @Test("Agrees with a naive peel on random sets, grids, lines and circles")
  func agreesWithNaivePeel() {
    forEachSeed(0..<400) { seed, generator in
      let points = randomPoints(using: &generator)
      let expected = naivePeel(points)
      let layers = ConvexLayers.peel(points).map(Set.init)
      #expect(layers == expected, "seed \(seed), \(points.count) points")
      if let outermost = layers.first {
        #expect(Set(ConvexHull.of(points)).isSubset(of: outermost), "seed \(seed)")
      }
    }
  }

  @Test("Layers of samples are the same at the equator, at the antimeridian and at the poles")
  func layersOnTheEarth() throws {
    try forEachSeed(0..<5) { seed, generator in
      let offsets = (0..<60).map { _ in
        PlanePoint(
          eastMetres: .random(in: -5...5, using: &generator),
          northMetres: .random(in: -5...5, using: &generator))
      }
      let expected = ConvexLayers.peel(offsets).map(\.count)
      for (latitude, longitude) in LocalPlaneTests.origins {
        let plane = LocalPlane(origin: try coordinate(latitude, longitude))
        let samples = offsets.map { plane.project(plane.coordinate(of: $0)) }
        #expect(ConvexLayers.peel(samples).map(\.count) == expected, "seed \(seed)")
      }
    }
  }

  @Test("20,000 points are peeled completely")
  func manyPoints() {
    forEachSeed(0..<1) { seed, generator in
      let points = (0..<20_000).map { _ in
        PlanePoint(
          eastMetres: .random(in: 0...1, using: &generator),
          northMetres: .random(in: 0...1, using: &generator))
      }
      let layers = ConvexLayers.peel(points)
      #expect(layers.reduce(0) { $0 + $1.count } == points.count, "seed \(seed)")
      #expect(Set(layers.joined()).count == points.count, "seed \(seed)")
    }
  }
}

@Suite("The convex hull")
struct ConvexHullTests {
  @Test("Degenerate input gives no, one or two corners")
  func degenerate() {
    let a = PlanePoint(eastMetres: 0, northMetres: 0)
    let b = PlanePoint(eastMetres: 1, northMetres: 1)
    let c = PlanePoint(eastMetres: 2, northMetres: 2)
    #expect(ConvexHull.of([]) == [])
    #expect(ConvexHull.of([a, a, a]) == [a])
    #expect(ConvexHull.of([b, c, a, b]) == [a, c])
  }

  @Test("The corners turn strictly left and hold every point")
  func corners() {
    forEachSeed(0..<200) { seed, generator in
      let points = randomPoints(using: &generator)
      let hull = ConvexHull.of(points)
      guard hull.count > 2 else { return }
      for index in hull.indices {
        let next = hull[(index + 1) % hull.count]
        #expect(exactTurn(hull[index], next, hull[(index + 2) % hull.count]) > 0, "seed \(seed)")
        #expect(points.allSatisfy { exactTurn(hull[index], next, $0) >= 0 }, "seed \(seed)")
      }
    }
  }
}
