import TestSupport
import Testing

@testable import Geodesy

@Suite("Exact turns")
struct OrientationTests {
  private func sign(_ value: Double) -> Int { value > 0 ? 1 : value < 0 ? -1 : 0 }

  @Test("Turns agree with integers where the differences of coordinates are exact")
  func exactDifferences() {
    forEachSeed(0..<2000) { seed, generator in
      let points = (0..<2).map { _ in
        PlanePoint(
          eastMetres: .random(in: 0.5..<1, using: &generator),
          northMetres: .random(in: 0.5..<1, using: &generator))
      }
      // The third point is as near to the line as doubles allow.
      let part = Double.random(in: 0...1, using: &generator)
      let (a, b) = (points[0], points[1])
      let c = PlanePoint(
        eastMetres: a.eastMetres + part * (b.eastMetres - a.eastMetres),
        northMetres: a.northMetres + part * (b.northMetres - a.northMetres))
      expectAllTurns(a, b, c, unitsPerMetre: 0x1p54, "seed \(seed)")
    }
  }

  @Test("Turns agree with integers where the differences of coordinates are rounded")
  func roundedDifferences() {
    forEachSeed(0..<2000) { seed, generator in
      // Some coordinates reach 2⁵² in steps of 1, others 2⁴ in steps of 2⁻⁸: a difference needs
      // more than 53 bits.
      func large() -> Double { .random(in: 0x1p51...0x1p52, using: &generator).rounded() }
      func small() -> Double {
        Double(Int.random(in: -4096...4096, using: &generator)) / 256
      }
      let a = PlanePoint(eastMetres: small(), northMetres: small())
      let east = large()
      let north = large()
      let b = PlanePoint(eastMetres: east, northMetres: north)
      let c = PlanePoint(
        eastMetres: (east / 2).rounded() + small().rounded(),
        northMetres: (north / 2).rounded() + small().rounded())
      expectAllTurns(a, b, c, unitsPerMetre: 256, "seed \(seed)")
      let mirrored = PlanePoint(
        eastMetres: 2 * a.eastMetres - c.eastMetres, northMetres: 2 * a.northMetres - c.northMetres)
      expectAllTurns(a, mirrored, c, unitsPerMetre: 256, "seed \(seed)")
    }
  }

  private func expectAllTurns(
    _ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint, unitsPerMetre: Double, _ comment: Comment
  ) {
    let expected = Int(exactDeterminant(a, b, c, unitsPerMetre: unitsPerMetre).signum())
    #expect(sign(Orientation.sign(a, b, c)) == expected, comment)
    #expect(sign(Orientation.sign(b, c, a)) == expected, comment)
    #expect(sign(Orientation.sign(c, a, b)) == expected, comment)
    #expect(sign(Orientation.sign(b, a, c)) == -expected, comment)
  }

  @Test("The side of a crossing agrees with integers, on the divider and beside it")
  func crossingSides() {
    var sides: Set<Int> = []
    forEachSeed(0..<3000) { seed, generator in
      func integer(_ range: ClosedRange<Int>) -> Double {
        Double(Int.random(in: range, using: &generator))
      }
      // Two lines through one point: the one with points on its left rises or is level, the other
      // one, with points on its right, falls.
      let crossing = (east: integer(-(1 << 30)...(1 << 30)), north: integer(0...(1 << 30)))
      let left = (east: integer(1...(1 << 12)), north: integer(0...(1 << 12)))
      let right = (east: integer(1...(1 << 12)), north: integer(-(1 << 12)...(-1)))
      let nearLeft = integer(1...(1 << 20))
      let farLeft = nearLeft + integer(1...(1 << 20))
      let nearRight = integer(1...(1 << 20))
      let farRight = nearRight + integer(1...(1 << 20))
      func at(_ direction: (east: Double, north: Double), _ steps: Double) -> PlanePoint {
        PlanePoint(
          eastMetres: crossing.east + direction.east * steps,
          northMetres: crossing.north + direction.north * steps)
      }
      let nudge = integer(-1...1)
      let a = at(left, -farLeft)
      var b = at(left, -nearLeft)
      let c = at(right, nearRight)
      let d = at(right, farRight)
      b.northMetres += nudge
      for divider in [crossing.east - 1, crossing.east, crossing.east + 1] {
        let turnC = exactDeterminant(a, b, c, unitsPerMetre: 1)
        let turnD = exactDeterminant(a, b, d, unitsPerMetre: 1)
        let exact =
          turnC * Int128(d.eastMetres - divider) - turnD * Int128(c.eastMetres - divider)
        let expected = Int(exact.signum())
        let side = Orientation.crossingSide(a, b, c, d, dividerEast: divider)
        #expect(sign(side) == expected, "seed \(seed)")
        sides.insert(expected)
      }
    }
    #expect(sides == [-1, 0, 1])
  }
}
