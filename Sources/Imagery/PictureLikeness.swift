// The problem: one picture can be delivered twice, the second time compressed more, made smaller,
// turned or with its edges cut. Its bytes and its digest are then different. But photos of two
// different fields must not count as alike.
//
// The obvious idea: 64 signs of the lowest frequencies (a "pHash"), compared by the number of signs
// that differ. But cutting 2 % off each edge flips a dozen of them, as many as lie between two
// landscapes, which all have a bright sky above dark ground.
//
// The solution: 189 signs of a 32 x 32 picture's cosine transform, those with u > 0, v > 0 and 3 ≤
// u + v ≤ 20. Frequencies that change only across or only down are left out: they show the horizon,
// the sky and the lens' dark corners, which all landscapes have. The smaller a coefficient is, the
// less its sign says. So the picture that is looked up names its 112 greatest coefficients, and
// only those are compared. Turned pictures need no second transform: a quarter turn exchanges u and
// v and changes the sign of odd frequencies.
//
// Cost: the transform takes 30,000 multiplications. A comparison is four times three words, so a
// million pictures are compared in some 10 ms.

import Foundation

/// The likeness of a picture, in 189 bits. Equal bits mean that two pictures look the same;
/// `PictureProbe` describes the comparison.
public struct PictureLikeness: Hashable, Sendable {
  /// The number of bytes in `bytes`.
  public static let byteCount = 24

  var low: UInt64 = 0
  var middle: UInt64 = 0
  var high: UInt64 = 0

  /// The stored form: 24 bytes, the lowest first.
  public var bytes: [UInt8] {
    [low, middle, high].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
  }

  /// Reads a likeness from its stored form.
  init(_ block: UnsafeRawBufferPointer, at offset: Int) {
    func word(_ number: Int) -> UInt64 {
      UInt64(
        littleEndian: block.loadUnaligned(fromByteOffset: offset + 8 * number, as: UInt64.self))
    }
    (low, middle, high) = (word(0), word(1), word(2))
  }

  init(places: [Int]) {
    for place in places {
      let bit = UInt64(1) << UInt64(place % 64)
      switch place / 64 {
      case 0: low |= bit
      case 1: middle |= bit
      default: high |= bit
      }
    }
  }

  /// Returns the number of bits within `mask` that differ.
  func difference(from other: PictureLikeness, mask: PictureLikeness) -> Int {
    ((low ^ other.low) & mask.low).nonzeroBitCount
      + ((middle ^ other.middle) & mask.middle).nonzeroBitCount
      + ((high ^ other.high) & mask.high).nonzeroBitCount
  }
}

/// A picture to compare others with: its likeness, turned four ways, and the bits that count.
public struct PictureProbe: Hashable, Sendable {
  /// The number of bits that are compared: those of which the picture that is looked up is surest.
  public static let comparedBits = 112
  /// The largest number of differing bits with which two pictures count as similar. Measured:
  /// docs/measured.md.
  public static let similarDistance = 14

  struct View: Hashable, Sendable {
    var bits: PictureLikeness
    var mask: PictureLikeness
  }

  /// The picture as it is, and after one, two and three quarter turns.
  let views: [View]

  /// The likeness of the picture itself, to be stored for comparison with later ones.
  public var likeness: PictureLikeness { views[0].bits }

  /// Computes the likeness of a picture. Nil if the picture shows next to nothing, such as a wall
  /// in the dark, or is too narrow a strip.
  /// - Throws: `ImageryError` if the picture cannot be decoded.
  public init?(jpeg bytes: [UInt8]) throws {
    let small = try PixelBuffer(decoding: bytes, maximumSide: Self.decodedSide)
    self.init(small)
  }

  init?(_ picture: PixelBuffer) {
    guard min(picture.width, picture.height) >= Self.side else { return nil }
    let small = picture.shrunk(toWidth: Self.side, height: Self.side)
    var grey: [Double] = []
    for at in stride(from: 0, to: small.pixels.count, by: 3) {
      let red = 299 * Int(small.pixels[at])
      let green = 587 * Int(small.pixels[at + 1])
      let blue = 114 * Int(small.pixels[at + 2])
      grey.append(Double(red + green + blue) / 1000)
    }
    let values = Self.transformed(grey)
    // An encoder's own noise makes about one grey level over the whole picture.
    guard values.map({ $0 * $0 }).reduce(0, +) > Double(Self.side * Self.side) else { return nil }
    views = (0..<4).map { Self.view(of: values, quarterTurns: $0) }
  }

  /// Returns the number of compared bits in which another picture differs, in the turn with the
  /// fewest differences: 0…112. Unrelated pictures differ in about 50.
  public func distance(to other: PictureLikeness) -> Int {
    views.map { $0.bits.difference(from: other, mask: $0.mask) }.min() ?? Self.comparedBits
  }

  // MARK: the transform

  private static let side = 32
  /// The side in pixels to which the decoder shrinks; the rest of the shrinking is averaging.
  private static let decodedSide = 256

  private static let highestFrequency = 20

  /// The frequencies (across, down) that are used, in the order of the bits.
  private static let frequencies: [(across: Int, down: Int)] = (1..<highestFrequency).flatMap {
    across in (1..<highestFrequency).map { (across: across, down: $0) }
  }.filter { (3...highestFrequency).contains($0.across + $0.down) }

  /// For each frequency, the index of the frequency that a quarter turn brings to its place.
  private static let exchanged: [Int] = frequencies.map { one in
    frequencies.firstIndex { $0.across == one.down && $0.down == one.across } ?? 0
  }

  /// The factors cos((2x + 1) k π / 64), orthonormal.
  private static let cosines: [[Double]] = (0..<highestFrequency).map { k in
    let scale = (k == 0 ? 1.0 / Double(side) : 2.0 / Double(side)).squareRoot()
    return (0..<side).map { x in
      scale * cos(Double((2 * x + 1) * k) * .pi / Double(2 * side))
    }
  }

  private static func transformed(_ grey: [Double]) -> [Double] {
    // The rows come first: across[k][y].
    let across = cosines.map { wave in
      (0..<side).map { y in
        var sum = 0.0
        for x in 0..<side { sum += wave[x] * grey[y * side + x] }
        return sum
      }
    }
    return frequencies.map { frequency in
      var sum = 0.0
      for y in 0..<side { sum += cosines[frequency.down][y] * across[frequency.across][y] }
      return sum
    }
  }

  /// Returns the view after clockwise quarter turns. One takes (x, y) to (n - 1 - y, x): the
  /// coefficient of (u, v) becomes that of (v, u), and frequencies that are odd across change their
  /// sign.
  private static func view(of values: [Double], quarterTurns: Int) -> View {
    var turned = values
    for _ in 0..<quarterTurns {
      turned = frequencies.indices.map { place in
        let value = turned[exchanged[place]]
        return frequencies[place].across % 2 == 1 ? -value : value
      }
    }
    let greatest = turned.indices.sorted { abs(turned[$0]) > abs(turned[$1]) }.prefix(comparedBits)
    return View(
      bits: PictureLikeness(places: turned.indices.filter { turned[$0] > 0 }),
      mask: PictureLikeness(places: Array(greatest)))
  }
}

/// Stored likenesses one after the other, so that many are compared without a copy of each.
public enum LikenessBlock {
  /// Calls `body` with the place and the distance of each likeness that is similar to the probe.
  /// - Parameter block: Whole likenesses of `PictureLikeness.byteCount` bytes each.
  public static func forEachSimilar(
    to probe: PictureProbe, in block: UnsafeRawBufferPointer,
    _ body: (_ place: Int, _ distance: Int) -> Void
  ) {
    let views = probe.views
    for place in 0..<(block.count / PictureLikeness.byteCount) {
      let kept = PictureLikeness(block, at: place * PictureLikeness.byteCount)
      var least = Int.max
      for view in views {
        least = min(least, view.bits.difference(from: kept, mask: view.mask))
      }
      if least <= PictureProbe.similarDistance { body(place, least) }
    }
  }
}
