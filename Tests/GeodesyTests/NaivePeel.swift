import Foundation
import Geodesy
import TestSupport

/// Returns up to 40 points of one of several kinds, many with duplicates and points on one line.
///
/// All coordinates are multiples of 2⁻⁵³ below 2⁷, so that `exactTurn` can compute in integers.
func randomPoints(using generator: inout SeededGenerator) -> [PlanePoint] {
  let count = Int.random(in: 0...40, using: &generator)
  let kind = Int.random(in: 0..<8, using: &generator)
  let span = Int.random(in: 1...12, using: &generator)
  let slope = (
    Double.random(in: -3...3, using: &generator).rounded(),
    Double.random(in: -3...3, using: &generator).rounded()
  )
  return (0..<count).map { _ in
    let east: Double
    let north: Double
    switch kind {
    case 0, 1:  // A small grid: many duplicates, many points on one line.
      east = Double(Int.random(in: -span...span, using: &generator))
      north = Double(Int.random(in: -span...span, using: &generator))
    case 2:  // A few parallel lines.
      let along = Double(Int.random(in: -20...20, using: &generator))
      let line = Double(Int.random(in: 0...2, using: &generator))
      (east, north) = (along * slope.0 + line, along * slope.1 - line)
    case 3:  // A circle.
      let angle = Double.random(in: 0..<(2 * .pi), using: &generator)
      (east, north) = (100 * cos(angle), 100 * sin(angle))
    case 4:  // Little noise, in steps of 1/64 m to the north.
      east = Double.random(in: -0.05...0.05, using: &generator)
      north = (Double.random(in: -0.05...0.05, using: &generator) * 64).rounded() / 64
    case 5:  // Within a few units in the last place of a line, where rounding decides wrongly.
      let along = Double.random(in: 0..<1, using: &generator)
      let off = Double(Int.random(in: -2...2, using: &generator)) * 0.5.ulp
      return PlanePoint(eastMetres: 0.5 + along * 0.49, northMetres: 0.5 + along * 0.3 + off)
    default:
      east = .random(in: -100...100, using: &generator)
      north = .random(in: -100...100, using: &generator)
    }
    let scale = 1_048_576.0
    return PlanePoint(
      eastMetres: (east * scale).rounded() / scale, northMetres: (north * scale).rounded() / scale)
  }
}

/// Returns the turn of three of `randomPoints`, in integers and therefore exact.
func exactTurn(_ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint) -> Int {
  Int(exactDeterminant(a, b, c, unitsPerMetre: 0x1p53).signum())
}

/// Returns the determinant in integers. Every coordinate is a multiple of 1 / `unitsPerMetre`.
func exactDeterminant(
  _ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint, unitsPerMetre: Double
) -> Int128 {
  func integer(_ metres: Double) -> Int128 { Int128(metres * unitsPerMetre) }
  let (ax, ay) = (integer(a.eastMetres), integer(a.northMetres))
  let (bx, by) = (integer(b.eastMetres), integer(b.northMetres))
  let (cx, cy) = (integer(c.eastMetres), integer(c.northMetres))
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

/// True if the point is inside the counter-clockwise corners and on none of their edges.
func isStrictlyInside(_ point: PlanePoint, _ corners: [PlanePoint]) -> Bool {
  corners.count > 2
    && corners.indices.allSatisfy {
      exactTurn(corners[$0], corners[($0 + 1) % corners.count], point) > 0
    }
}

/// Returns the layers by definition: a point is on the hull if some line through it and another
/// point has no point on its right. Cubic for each layer.
func naivePeel(_ points: [PlanePoint]) -> [Set<PlanePoint>] {
  var rest = Set(points)
  var layers: [Set<PlanePoint>] = []
  while !rest.isEmpty {
    let layer = rest.filter { point in
      rest.count == 1
        || rest.contains { other in
          other != point && rest.allSatisfy { exactTurn(point, other, $0) >= 0 }
        }
    }
    layers.append(layer)
    rest.subtract(layer)
  }
  return layers
}
