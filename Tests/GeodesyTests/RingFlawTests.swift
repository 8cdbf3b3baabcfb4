import Foundation
import TestSupport
import Testing

@testable import Geodesy

@Suite("Flaws of outlines")
struct RingFlawTests {
  /// Returns a ring from (longitude, latitude) pairs.
  private func ring(_ pairs: [(Double, Double)]) throws -> [Coordinate] {
    try pairs.map { try coordinate($0.1, $0.0) }
  }

  private func star(
    corners: Int, about centre: (Double, Double) = (14, 50), radius: Double = 0.01,
    least: Double = 0.4, _ generator: inout SeededGenerator
  ) throws -> [Coordinate] {
    try ring(
      (0..<corners).map { corner in
        let angle = Double(corner) / Double(corners) * 2 * .pi
        let reach = radius * .random(in: least...1, using: &generator)
        return (centre.0 + reach * cos(angle), centre.1 + reach * sin(angle))
      })
  }

  @Test("a bow tie crosses itself where its edges meet")
  func bowTie() throws {
    let flaw = RingFlaw.first(in: [try ring([(0, 0), (2, 2), (2, 0), (0, 2)])])
    guard case .crossing(let longitude, let latitude) = flaw else {
      Issue.record("\(String(describing: flaw))")
      return
    }
    #expect(abs(longitude - 1) < 1e-9 && abs(latitude - 1) < 1e-9)
  }

  @Test("a ring that meets itself in a corner, and one that goes back on itself, are named")
  func touching() throws {
    let eight = try ring([(0, 0), (1, 1), (2, 0), (2, 2), (1, 1), (0, 2)])
    #expect(
      RingFlaw.first(in: [eight]) == .touching(longitudeDegrees: 1, latitudeDegrees: 1))
    let spike = try ring([(0, 0), (2, 0), (2, 2), (2, 5), (2, 2.5), (0, 2)])
    guard case .doublingBack = RingFlaw.first(in: [spike]) else {
      Issue.record("the spike was not found")
      return
    }
  }

  @Test("triangles, squares with corners on their edges, and rings that meet in points are sound")
  func sound() throws {
    #expect(RingFlaw.first(in: [try ring([(0, 0), (1, 0), (0, 1)])]) == nil)
    #expect(
      RingFlaw.first(in: [try ring([(0, 0), (1, 0), (2, 0), (2, 2), (1, 2), (0, 2)])]) == nil)
    // A corner on a corner, a corner on an edge, holes that touch the edge or a corner of their
    // outline, and a corner in a notch.
    for (one, other) in [
      ([(0, 0), (1, 0), (1, 1), (0, 1)], [(1, 1), (2, 1), (2, 2), (1, 2)]),
      ([(0, 0), (2, 0), (2, 2), (0, 2)], [(2, 1), (3, 0), (3, 2)]),
      ([(0, 0), (4, 0), (4, 4), (0, 4)], [(0, 2), (1, 1), (1, 3)]),
      ([(0, 0), (4, 0), (4, 4), (0, 4)], [(0, 0), (3, 1), (1, 3)]),
      ([(0, 0), (4, 0), (2, 2), (4, 4), (0, 4)], [(2, 2), (5, 1), (5, 3)]),
    ] as [([(Double, Double)], [(Double, Double)])] {
      let rings = [try ring(one), try ring(other)]
      #expect(RingFlaw.first(in: rings) == nil, "\(rings)")
      #expect(RingFlaw.first(in: rings.reversed().map { $0.reversed() }) == nil, "\(rings)")
    }
  }

  @Test("rings that run along each other are named, however little of an edge they share")
  func sharing() throws {
    for (one, other) in [
      ([(0, 0), (1, 0), (1, 1), (0, 1)], [(1, 0), (2, 0), (2, 1), (1, 1)]),
      ([(0, 0), (1, 0), (1, 4), (0, 4)], [(1, 1), (2, 1), (2, 2), (1, 2)]),
      ([(0, 0), (9, 0), (9, 9), (0, 9)], [(0, 0), (9, 0), (9, 9), (0, 9)]),
      ([(0, 0), (2, 0), (2, 2), (0, 2)], [(1, 0), (3, 0), (3, 2), (1, 2)]),
      ([(0, 0), (4, 0), (4, 4), (0, 4)], [(0, 1), (2, 1), (2, 3), (0, 3)]),
    ] as [([(Double, Double)], [(Double, Double)])] {
      for rings in [
        [try ring(one), try ring(other)], [try ring(other), try ring(one).reversed()],
      ] {
        guard case .sharing = RingFlaw.first(in: rings) else {
          Issue.record("\(rings): \(String(describing: RingFlaw.first(in: rings)))")
          continue
        }
      }
    }
  }

  @Test("rings that cross in corners alone cross")
  func crossingInCorners() throws {
    for (one, other) in [
      // An edge enters at one corner and leaves at another, through corners on straight edges, from
      // corner to corner.
      ([(0, 0), (2, 0), (2, 2), (0, 2)], [(-1, -1), (3, 3), (3, -1)]),
      ([(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (0, 2)], [(0, -1), (3, 2), (3, -1)]),
      ([(0, 0), (4, 0), (4, 4), (0, 4)], [(0, 0), (2, 2), (4, 4), (5, 1)]),
    ] as [([(Double, Double)], [(Double, Double)])] {
      for rings in [
        [try ring(one), try ring(other)], [try ring(other), try ring(one).reversed()],
      ] {
        guard case .crossing = RingFlaw.first(in: rings) else {
          Issue.record("\(rings): \(String(describing: RingFlaw.first(in: rings)))")
          continue
        }
      }
    }
  }

  @Test("squares on a grid are sound where no cell is taken twice and none lies edge on edge")
  func squaresOnGrid() throws {
    var (sound, unsound) = (0, 0)
    try forEachSeed(0..<400) { seed, generator in
      // Small numbers make contacts of every kind frequent.
      let squares = (0..<2).map { _ in
        (
          west: Int.random(in: 0..<4, using: &generator),
          south: Int.random(in: 0..<4, using: &generator),
          side: Int.random(in: 1...3, using: &generator)
        )
      }
      let rings = try squares.map { square in
        let (w, s) = (Double(square.west), Double(square.south))
        let side = Double(square.side)
        return try ring([(w, s), (w + side, s), (w + side, s + side), (w, s + side)])
      }
      func overlap(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> Int { min(a + b, c + d) - max(a, c) }
      let (one, other) = (squares[0], squares[1])
      let across = overlap(one.west, one.side, other.west, other.side)
      let along = overlap(one.south, one.side, other.south, other.side)
      // Sound squares are apart, touch in a corner, or lie strictly within each other.
      func isWithin(_ inner: (Int, Int), _ outer: (Int, Int)) -> Bool {
        inner.0 > outer.0 && inner.0 + inner.1 < outer.0 + outer.1
      }
      let isNested =
        (isWithin((one.west, one.side), (other.west, other.side))
          && isWithin((one.south, one.side), (other.south, other.side)))
        || (isWithin((other.west, other.side), (one.west, one.side))
          && isWithin((other.south, other.side), (one.south, one.side)))
      let isSound = across < 0 || along < 0 || (across == 0 && along == 0) || isNested
      #expect((RingFlaw.first(in: rings) == nil) == isSound, "seed \(seed): \(squares)")
      sound += isSound ? 1 : 0
      unsound += isSound ? 0 : 1
    }
    #expect(sound > 50 && unsound > 50)
  }

  /// True if two edges cross, in floating point, because random corners are never on one line.
  private func crosses(_ ring: [Coordinate]) -> Bool {
    func turn(_ a: Coordinate, _ b: Coordinate, _ c: Coordinate) -> Double {
      (a.longitudeDegrees - c.longitudeDegrees) * (b.latitudeDegrees - c.latitudeDegrees)
        - (a.latitudeDegrees - c.latitudeDegrees) * (b.longitudeDegrees - c.longitudeDegrees)
    }
    for one in ring.indices {
      for other in ring.indices where other > one + 1 {
        if one == 0, other == ring.count - 1 { continue }
        let (a, b) = (ring[one], ring[one + 1])
        let (c, d) = (ring[other], ring[(other + 1) % ring.count])
        if turn(a, b, c) * turn(a, b, d) < 0, turn(c, d, a) * turn(c, d, b) < 0 { return true }
      }
    }
    return false
  }

  @Test("every star is sound; with two corners swapped it is what every pair of edges says")
  func stars() throws {
    var crossed = 0
    try forEachSeed(0..<200) { seed, generator in
      let corners = Int.random(in: 5...60, using: &generator)
      var star = try star(corners: corners, &generator)
      #expect(RingFlaw.first(in: [star]) == nil, "seed \(seed)")
      let place = Int.random(in: 0..<corners, using: &generator)
      star.swapAt(place, (place + 2) % corners)
      let isCrossed = crosses(star)
      #expect((RingFlaw.first(in: [star]) != nil) == isCrossed, "seed \(seed)")
      crossed += isCrossed ? 1 : 0
    }
    #expect((20...200).contains(crossed))
  }

  @Test("an outline of 100,000 corners is checked whole, a hostile one is given up")
  func large() throws {
    try forEachSeed(7..<8) { _, generator in
      var star = try star(corners: 100_000, least: 0.9999, &generator)
      #expect(RingFlaw.first(in: [star]) == nil)
      star.swapAt(20_000, 70_000)
      guard case .crossing = RingFlaw.first(in: [star]) else {
        Issue.record("the crossing was not found")
        return
      }
    }
    // The long slanted edges never cross, and all their rectangles meet.
    var comb: [(Double, Double)] = []
    for tooth in 0..<5000 {
      let shift = Double(tooth) * 1e-5
      comb.append((shift, 0))
      comb.append((shift + 1, 1))
      comb.append((shift + 1 + 4e-6, 1))
      comb.append((shift + 4e-6, 0))
    }
    comb.append((2, -1))
    #expect(RingFlaw.first(in: [try ring(comb)]) == .tooIntricate)
  }

  @Test("an island in the lake of a parcel, and a part beside it, are land")
  func parts() throws {
    func square(_ from: Double, _ to: Double) throws -> [Coordinate] {
      try ring([(from, from), (to, from), (to, to), (from, to)])
    }
    let rings = [
      try square(0, 0.10), try square(0.02, 0.08), try square(0.04, 0.06),
      try square(0.11, 0.12),
    ]
    let region = try #require(PolygonRegion(rings: rings))
    #expect(region.parts.map(\.holes.count) == [1, 0, 0])
    #expect(region.parts.map(\.outline) == [rings[0], rings[2], rings[3]])
    #expect(region.contains(try coordinate(0.05, 0.05)))
    #expect(!region.contains(try coordinate(0.03, 0.05)))
    #expect(region.contains(try coordinate(0.115, 0.115)))
    let areas = rings.map { Geodesic.polygon($0).areaSquareMetres }
    #expect(abs(region.areaSquareMetres - (areas[0] - areas[1] + areas[2] + areas[3])) < 1e-3)
    // The further part is nearer to this place than the first.
    #expect(region.distanceMetres(to: try coordinate(0.115, 0.121)) < 120)
  }

  @Test("what is inside does not depend on the order of the rings")
  func orders() throws {
    try forEachSeed(0..<30) { seed, generator in
      let rings = [
        try star(corners: 24, radius: 0.02, &generator),
        try star(corners: 9, radius: 0.005, &generator),
        try star(corners: 12, about: (14.05, 50), radius: 0.01, &generator),
      ]
      let one = try #require(PolygonRegion(rings: rings))
      let other = try #require(PolygonRegion(rings: rings.reversed()))
      #expect(abs(one.areaSquareMetres - other.areaSquareMetres) < 1e-3, "seed \(seed)")
      for _ in 0..<40 {
        let place = try coordinate(
          .random(in: 49.97...50.03, using: &generator),
          .random(in: 13.97...14.07, using: &generator))
        #expect(one.contains(place) == other.contains(place), "seed \(seed)")
      }
    }
  }
}
