/// An exact real number: a sum of doubles that do not overlap, smallest first, without zeros.
///
/// Source: Shewchuk 1997, sections 2.1–2.5. Written for clarity, since it only decides the cases
/// that the filters of `Orientation` leave open.
struct Expansion {
  private var components: [Double] = []

  /// Creates the exact difference of two doubles.
  init(_ minuend: Double, minus subtrahend: Double) {
    let (difference, tail) = Self.difference(minuend, subtrahend)
    append(tail)
    append(difference)
  }

  private init() {}

  /// A double with the sign of the number: the largest component, which outweighs all others.
  var sign: Double { components.last ?? 0 }

  static func * (left: Expansion, right: Expansion) -> Expansion {
    var total = Expansion()
    for factor in right.components {
      for component in left.components {
        let (product, tail) = Self.product(component, factor)
        total.add(tail)
        total.add(product)
      }
    }
    return total
  }

  static func - (left: Expansion, right: Expansion) -> Expansion {
    var total = left
    for component in right.components { total.add(-component) }
    return total
  }

  /// Returns `left - right` rounded, and the exact rounding error (Knuth's two-sum).
  @inline(__always)
  static func difference(_ left: Double, _ right: Double) -> (rounded: Double, tail: Double) {
    let rounded = left - right
    let virtualRight = left - rounded
    let virtualLeft = rounded + virtualRight
    return (rounded, (left - virtualLeft) + (virtualRight - right))
  }

  /// Returns `left * right` rounded, and the exact rounding error.
  @inline(__always)
  static func product(_ left: Double, _ right: Double) -> (rounded: Double, tail: Double) {
    let rounded = left * right
    return (rounded, (-rounded).addingProduct(left, right))
  }

  /// Adds one double exactly (Shewchuk's Grow-Expansion).
  private mutating func add(_ value: Double) {
    var carry = value
    var kept = 0
    for index in components.indices {
      let (sum, tail) = Self.difference(carry, -components[index])
      carry = sum
      if tail != 0 {
        components[kept] = tail
        kept += 1
      }
    }
    components.removeLast(components.count - kept)
    append(carry)
  }

  private mutating func append(_ component: Double) {
    if component != 0 { components.append(component) }
  }
}
