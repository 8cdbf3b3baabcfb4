/// The modules of a QR Code while it is made: which are dark, and which belong to the patterns that readers
/// find it by.
struct QRMatrix {
  let version: Int
  let side: Int
  private(set) var isDark: [Bool]
  private var isPattern: [Bool]

  /// The patterns of a version; its data still light.
  init(version: Int) {
    self.version = version
    side = 17 + 4 * version
    isDark = Array(repeating: false, count: side * side)
    isPattern = isDark
    drawFinders()
    drawTiming()
    drawAlignments()
    drawVersion()
    // Their values come with the mask; their place is not for data.
    drawFormat(mask: 0)
  }

  // MARK: room

  /// Modules that data may have, in whole bytes.
  var codewords: Int { isPattern.count { !$0 } / 8 }

  /// How data and correction share the code's room (ISO/IEC 18004, table 9, level M).
  var blocks: (count: Int, correction: Int) {
    (Self.blockCounts[version - 1], Self.correctionWords[version - 1])
  }

  /// Bytes for data: what correction leaves.
  var dataCodewords: Int { codewords - blocks.count * blocks.correction }

  /// Bits that tell how many bytes follow.
  var countBits: Int { version < 10 ? 8 : 16 }

  /// Whether so many bytes fit, behind their mode and their number.
  func holds(_ bytes: Int) -> Bool { 4 + countBits + 8 * bytes <= 8 * dataCodewords }

  private static let correctionWords = [
    10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  ]
  private static let blockCounts = [
    1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25,
    26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
  ]

  // MARK: patterns

  private mutating func set(_ x: Int, _ y: Int, _ dark: Bool) {
    guard (0..<side).contains(x), (0..<side).contains(y) else { return }
    isDark[y * side + x] = dark
    isPattern[y * side + x] = true
  }

  /// Rings round three corners, each with its light edge.
  private mutating func drawFinders() {
    for (x, y) in [(3, 3), (side - 4, 3), (3, side - 4)] {
      for down in -4...4 {
        for right in -4...4 {
          let ring = max(abs(down), abs(right))
          set(x + right, y + down, ring != 2 && ring != 4)
        }
      }
    }
  }

  private mutating func drawTiming() {
    for index in 8..<(side - 8) {
      set(index, 6, index.isMultiple(of: 2))
      set(6, index, index.isMultiple(of: 2))
    }
  }

  /// Annex E: small rings at even distances, counted from the lower right; only the first distance differs.
  private var alignmentPlaces: [Int] {
    guard version > 1 else { return [] }
    let gaps = version / 7 + 1
    let length = side - 13
    // The next even number, but for one version, where the standard has the one below.
    let step = version == 32 ? 26 : ((length + gaps - 1) / gaps + 1) / 2 * 2
    return [6] + (0..<gaps).reversed().map { side - 7 - $0 * step }
  }

  private mutating func drawAlignments() {
    let places = alignmentPlaces
    for y in places {
      for x in places where !isFinderCorner(x, y) {
        for down in -2...2 {
          for right in -2...2 { set(x + right, y + down, max(abs(down), abs(right)) != 1) }
        }
      }
    }
  }

  private func isFinderCorner(_ x: Int, _ y: Int) -> Bool {
    (x == 6 && y == 6) || (x == 6 && y == side - 7) || (x == side - 7 && y == 6)
  }

  /// Which mask it is and the level M, with their correction, beside the finders.
  private mutating func drawFormat(mask: Int) {
    let bits = Self.corrected(mask, by: 0x537, bits: 10) ^ 0x5412
    for index in 0..<15 {
      let dark = bits >> index & 1 == 1
      switch index {
      case 0..<6: set(8, index, dark)
      case 6: set(8, 7, dark)
      case 7: set(8, 8, dark)
      case 8: set(7, 8, dark)
      default: set(14 - index, 8, dark)
      }
      if index < 8 { set(side - 1 - index, 8, dark) } else { set(8, side - 15 + index, dark) }
    }
    set(8, side - 8, true)
  }

  /// From version 7 on the version stands in the code, too.
  private mutating func drawVersion() {
    guard version >= 7 else { return }
    let bits = Self.corrected(version, by: 0x1F25, bits: 12)
    for index in 0..<18 {
      let dark = bits >> index & 1 == 1
      let (along, across) = (index / 3, side - 11 + index % 3)
      set(along, across, dark)
      set(across, along, dark)
    }
  }

  /// A number with its remainder by a polynomial behind it (BCH).
  private static func corrected(_ number: Int, by polynomial: Int, bits: Int) -> Int {
    var rest = number << bits
    for shift in stride(from: 17 - bits, through: 0, by: -1)
    where rest >> (bits + shift) & 1 == 1 {
      rest ^= polynomial << shift
    }
    return number << bits | rest
  }

  // MARK: data

  /// Fills the free modules, two columns at a time from the right, up and down in turn.
  mutating func place(_ words: [UInt8]) {
    var bit = 0
    var right = side - 1
    var isUpward = true
    while right > 0 {
      // The column of the timing pattern is left out as a whole.
      if right == 6 { right = 5 }
      for step in 0..<side {
        let y = isUpward ? side - 1 - step : step
        for x in [right, right - 1] where !isPattern[y * side + x] {
          // What is left over at the end stays light.
          if bit < 8 * words.count {
            isDark[y * side + x] = words[bit / 8] >> (7 - bit % 8) & 1 == 1
          }
          bit += 1
        }
      }
      right -= 2
      isUpward.toggle()
    }
  }

  /// The same with a mask over the data, and with its number.
  func masked(_ mask: Int) -> QRMatrix {
    var result = self
    for y in 0..<side {
      for x in 0..<side where !isPattern[y * side + x] && Self.inverts(mask, x, y) {
        result.isDark[y * side + x].toggle()
      }
    }
    result.drawFormat(mask: mask)
    return result
  }

  private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
    switch mask {
    case 0: (x + y) % 2 == 0
    case 1: y % 2 == 0
    case 2: x % 3 == 0
    case 3: (x + y) % 3 == 0
    case 4: (x / 3 + y / 2) % 2 == 0
    case 5: x * y % 2 + x * y % 3 == 0
    case 6: (x * y % 2 + x * y % 3) % 2 == 0
    default: ((x + y) % 2 + x * y % 3) % 2 == 0
    }
  }
}
