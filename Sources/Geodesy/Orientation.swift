// The problem: the turn of three plane points, left, right or none, decides which points are on a
// hull. The answer must not depend on how the question is put, or a point ends on two layers, or on
// none.
//
// The obvious idea: the sign of the determinant in floating point. Near zero the rounding error
// decides the sign, so points within nanometres of a line contradict each other.
//
// The solution: J. R. Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust
// Geometric Predicates (1997). The floating-point value counts when it is larger than its greatest
// possible error; otherwise the determinant is computed exactly, as a sum of doubles that do not
// overlap, whose largest one has the sign.
//
// Cost: a handful of operations nearly always. The exact path allocates and takes a microsecond; if
// the differences of the coordinates are exact (grids, decimals of few digits), it needs no
// allocation. The result is exact as long as no product overflows or underflows: coordinates with
// magnitudes between 1e-70 and 1e70, and zero.

/// The exact turn of three plane points.
enum Orientation {
  /// Returns a positive number if `a`, `b`, `c` turn left, a negative one if they turn right, and 0
  /// if they lie exactly on one line.
  @inline(__always)
  static func sign(_ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint) -> Double {
    let left = (a.eastMetres - c.eastMetres) * (b.northMetres - c.northMetres)
    let right = (a.northMetres - c.northMetres) * (b.eastMetres - c.eastMetres)
    let determinant = left - right
    if abs(determinant) > filterFactor * (abs(left) + abs(right)) { return determinant }
    return exactSign(a, b, c)
  }

  /// Returns the sign of (distance of the crossing of lines ab and cd from the north-south line
  /// through `divider`, east positive), for a chain a, b, c, d that turns right at `b` and at `c`.
  @inline(__always)
  static func crossingSide(
    _ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint, _ d: PlanePoint, dividerEast: Double
  ) -> Double {
    // With f the signed distance from ab, the crossing divides cd in the ratio f(c) : -f(d).
    let leftC = (a.eastMetres - c.eastMetres) * (b.northMetres - c.northMetres)
    let rightC = (a.northMetres - c.northMetres) * (b.eastMetres - c.eastMetres)
    let leftD = (a.eastMetres - d.eastMetres) * (b.northMetres - d.northMetres)
    let rightD = (a.northMetres - d.northMetres) * (b.eastMetres - d.eastMetres)
    let offsetC = c.eastMetres - dividerEast
    let offsetD = d.eastMetres - dividerEast
    let value = (leftC - rightC) * offsetD - (leftD - rightD) * offsetC
    let bound =
      crossingFilterFactor
      * ((abs(leftC) + abs(rightC)) * abs(offsetD) + (abs(leftD) + abs(rightD)) * abs(offsetC))
    if abs(value) > bound { return value }
    return exactCrossingSide(a, b, c, d, dividerEast: dividerEast)
  }

  /// Shewchuk's ccwerrboundA, (3 + 16 ε) ε with ε = 2⁻⁵³.
  private static let filterFactor = 3.330_669_073_875_471_6e-16
  /// 16 ε, twice what counting the roundings of `crossingSide` gives.
  private static let crossingFilterFactor = 1.776_356_839_400_250_5e-15

  @inline(never)
  private static func exactSign(_ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint) -> Double {
    let (acEast, acEastTail) = Expansion.difference(a.eastMetres, c.eastMetres)
    let (acNorth, acNorthTail) = Expansion.difference(a.northMetres, c.northMetres)
    let (bcEast, bcEastTail) = Expansion.difference(b.eastMetres, c.eastMetres)
    let (bcNorth, bcNorthTail) = Expansion.difference(b.northMetres, c.northMetres)
    if acEastTail == 0, acNorthTail == 0, bcEastTail == 0, bcNorthTail == 0 {
      // Rounding keeps order: two products that round to different numbers differ in the same
      // direction, and products that round to the same number differ by their rounding errors
      // alone.
      let (left, leftTail) = Expansion.product(acEast, bcNorth)
      let (right, rightTail) = Expansion.product(acNorth, bcEast)
      return left == right ? leftTail - rightTail : left - right
    }
    return determinant(a, b, c).sign
  }

  @inline(never)
  private static func exactCrossingSide(
    _ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint, _ d: PlanePoint, dividerEast: Double
  ) -> Double {
    let first = determinant(a, b, c) * Expansion(d.eastMetres, minus: dividerEast)
    let second = determinant(a, b, d) * Expansion(c.eastMetres, minus: dividerEast)
    return (first - second).sign
  }

  private static func determinant(_ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint) -> Expansion {
    Expansion(a.eastMetres, minus: c.eastMetres) * Expansion(b.northMetres, minus: c.northMetres)
      - Expansion(a.northMetres, minus: c.northMetres)
      * Expansion(b.eastMetres, minus: c.eastMetres)
  }
}
