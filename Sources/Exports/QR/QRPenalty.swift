/// How hard a masked QR Code is to read (ISO/IEC 18004, 7.8.3): the least is taken.
enum QRPenalty {
  static func of(_ matrix: QRMatrix) -> Int {
    let side = matrix.side
    let isDark = matrix.isDark
    var penalty = 0
    for line in 0..<side {
      penalty += ofLine((0..<side).map { isDark[line * side + $0] })
      penalty += ofLine((0..<side).map { isDark[$0 * side + line] })
    }
    // Squares of one colour.
    for y in 1..<side {
      for x in 1..<side {
        let here = isDark[y * side + x]
        if here == isDark[y * side + x - 1], here == isDark[(y - 1) * side + x],
          here == isDark[(y - 1) * side + x - 1]
        {
          penalty += 3
        }
      }
    }
    // Dark and light in unequal parts: 10 for each whole step of 5 % away from the half.
    let dark = isDark.count { $0 }
    let total = isDark.count
    return penalty + abs(20 * dark - 10 * total) / total * 10
  }

  /// Runs of five and more, and what looks like a finder: 1 : 1 : 3 : 1 : 1 with four light ones beside it.
  private static func ofLine(_ line: [Bool]) -> Int {
    var penalty = 0
    var run = 0
    var window = 0
    for index in line.indices {
      run = index > 0 && line[index] == line[index - 1] ? run + 1 : 1
      // 3 for the fifth, 1 for each further one.
      if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
      window = (window << 1 | (line[index] ? 1 : 0)) & 0x7FF
      if index >= 10, window == 0b101_1101_0000 || window == 0b000_0101_1101 { penalty += 40 }
    }
    return penalty
  }
}
