/// A QR Code's bytes: mode, number, data and padding, then their correction (Reed and Solomon over GF(256)),
/// both parts interleaved.
enum QRCodewords {
  static func all(of bytes: [UInt8], in matrix: QRMatrix) -> [UInt8] {
    let data = data(of: bytes, in: matrix)
    let (count, correction) = matrix.blocks
    let generator = generator(degree: correction)
    // The last blocks are one byte longer where the data do not part evenly.
    let short = data.count / count
    let longer = data.count % count
    var parts: [ArraySlice<UInt8>] = []
    var start = 0
    for block in 0..<count {
      let end = start + short + (block >= count - longer ? 1 : 0)
      parts.append(data[start..<end])
      start = end
    }
    let remainders = parts.map { remainder(of: $0, by: generator) }
    var words: [UInt8] = []
    for index in 0...short {
      for part in parts where index < part.count { words.append(part[part.startIndex + index]) }
    }
    for index in 0..<correction {
      for rest in remainders { words.append(rest[index]) }
    }
    return words
  }

  private static func data(of bytes: [UInt8], in matrix: QRMatrix) -> [UInt8] {
    var bits: [Bool] = []
    func append(_ value: Int, _ count: Int) {
      for shift in (0..<count).reversed() { bits.append(value >> shift & 1 == 1) }
    }
    append(0b0100, 4)
    append(bytes.count, matrix.countBits)
    for byte in bytes { append(Int(byte), 8) }
    let room = 8 * matrix.dataCodewords
    append(0, min(4, room - bits.count))
    append(0, (8 - bits.count % 8) % 8)
    var words = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    var isFirst = true
    while words.count < matrix.dataCodewords {
      words.append(isFirst ? 0xEC : 0x11)
      isFirst.toggle()
    }
    return words
  }

  // MARK: GF(256)

  /// Powers of 2 and their logarithms, modulo x⁸ + x⁴ + x³ + x² + 1.
  private static let tables: (powers: [UInt8], logarithms: [Int]) = {
    var powers: [UInt8] = []
    var logarithms = Array(repeating: 0, count: 256)
    var value = 1
    for exponent in 0..<255 {
      powers.append(UInt8(value))
      logarithms[value] = exponent
      value <<= 1
      if value > 255 { value ^= 0x11D }
    }
    return (powers, logarithms)
  }()

  private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    guard left != 0, right != 0 else { return 0 }
    return tables.powers[
      (tables.logarithms[Int(left)] + tables.logarithms[Int(right)]) % 255]
  }

  /// (x − 2⁰)(x − 2¹)…, the highest power first, without its leading 1.
  private static func generator(degree: Int) -> [UInt8] {
    var factors: [UInt8] = [1]
    for exponent in 0..<degree {
      let root = tables.powers[exponent]
      var next = factors + [0]
      for (index, factor) in factors.enumerated() { next[index + 1] ^= product(factor, root) }
      factors = next
    }
    return Array(factors.dropFirst())
  }

  private static func remainder(of data: ArraySlice<UInt8>, by generator: [UInt8]) -> [UInt8] {
    var rest = Array(repeating: UInt8(0), count: generator.count)
    for byte in data {
      let factor = byte ^ rest[0]
      rest.removeFirst()
      rest.append(0)
      for index in rest.indices { rest[index] ^= product(generator[index], factor) }
    }
    return rest
  }
}
