// The problem: base maps come as PNG, and PDF has no PNG. libharu's reader of PNG ends the whole
// program when libpng finds an error.
//
// The obvious idea, a decoder of our own, would inflate, filter and deflate data only to get the
// same data again: PDF's Flate filter knows PNG's predictors (PDF 32000-1, 7.4.4.4), so a PNG's
// data can be put into a PDF as they are, together with the size and the colours.
//
// The solution: the chunks are read and their sums checked; interlaced pictures are refused, since
// PDF does not know their order. Pictures with transparency, which makers of map tiles like to
// write, are declared as two or four inks with a function that mixes them with white paper. A
// palette's entries are mixed with white here, and one see-through colour becomes a PDF mask
// (8.9.6.4).
//
// Cost: one pass over the bytes.

/// A PNG's data, with the values that a PDF must state about them.
package struct PNGTile {
  /// The way in which a pixel's samples become a colour.
  package enum Colours: Hashable {
    case grey
    case colour
    /// A palette with red, green and blue of each entry.
    case palette([UInt8])
    case greyWithTransparency
    case colourWithTransparency

    /// The number of samples of a pixel.
    package var samples: Int {
      switch self {
      case .grey, .palette: 1
      case .greyWithTransparency: 2
      case .colour: 3
      case .colourWithTransparency: 4
      }
    }
  }

  package let width: Int
  package let height: Int
  /// The bits of a sample: 1, 2, 4, 8 or 16.
  package let bitsPerSample: Int
  package let colours: Colours
  /// The one colour that is see-through, with a number for each sample; nil if there is none.
  package let maskedSamples: [Int]?
  /// The zlib stream of all IDAT chunks.
  package let data: [UInt8]

  /// The largest side, in pixels: map tiles have 256 or 512, and a much larger picture is no tile.
  package static let sideAtMost = 4096

  /// Creates a tile from a PNG's bytes; nil if they are not a PNG that can be used as it is.
  package init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return nil }
    var header: ArraySlice<UInt8>?
    var palette: [UInt8] = []
    var transparency: [UInt8] = []
    var data: [UInt8] = []
    var isEnded = false
    var index = 8
    while !isEnded {
      guard index + 12 <= bytes.count else { return nil }
      let length = Self.number(bytes[index..<(index + 4)])
      guard length <= bytes.count - index - 12 else { return nil }
      let kind = String(decoding: bytes[(index + 4)..<(index + 8)], as: UTF8.self)
      let body = bytes[(index + 8)..<(index + 8 + length)]
      let sum = Self.number(bytes[(index + 8 + length)..<(index + 12 + length)])
      guard Self.checksum(bytes[(index + 4)..<(index + 8 + length)]) == sum else { return nil }
      switch kind {
      case "IHDR": header = body
      case "PLTE": palette = Array(body)
      case "tRNS": transparency = Array(body)
      case "IDAT": data += body
      case "IEND": isEnded = true
      default: break
      }
      index += 12 + length
    }
    guard let header, header.count == 13, !data.isEmpty else { return nil }
    let fields = Array(header)
    width = Self.number(fields[0..<4])
    height = Self.number(fields[4..<8])
    bitsPerSample = Int(fields[8])
    let sides = 1...Self.sideAtMost
    guard sides.contains(width), sides.contains(height), fields[10...12] == [0, 0, 0],
      [1, 2, 4, 8, 16].contains(bitsPerSample)
    else { return nil }
    switch fields[9] {
    case 0: colours = .grey
    case 2 where bitsPerSample >= 8: colours = .colour
    case 3
    where bitsPerSample <= 8 && !palette.isEmpty && palette.count % 3 == 0
      && palette.count <= 768:
      colours = .palette(Self.onPaper(palette, transparency))
    case 4 where bitsPerSample >= 8: colours = .greyWithTransparency
    case 6 where bitsPerSample >= 8: colours = .colourWithTransparency
    default: return nil
    }
    maskedSamples = Self.masked(transparency, of: colours)
    self.data = data
  }

  /// Returns a palette whose entries are mixed with white paper, each as opaque as `tRNS` says;
  /// entries that `tRNS` does not name are opaque (PNG, 11.3.2.1).
  private static func onPaper(_ palette: [UInt8], _ opacities: [UInt8]) -> [UInt8] {
    palette.enumerated().map { index, sample in
      guard index / 3 < opacities.count else { return sample }
      let opacity = Int(opacities[index / 3])
      return UInt8((Int(sample) * opacity + 255 * (255 - opacity) + 127) / 255)
    }
  }

  /// Returns the see-through colour that `tRNS` names if there is no palette, with two bytes for
  /// each sample; nil if it names none.
  private static func masked(_ transparency: [UInt8], of colours: Colours) -> [Int]? {
    let samples =
      switch colours {
      case .grey: 1
      case .colour: 3
      case .palette, .greyWithTransparency, .colourWithTransparency: 0
      }
    guard samples > 0, transparency.count == 2 * samples else { return nil }
    return (0..<samples).map { number(transparency[(2 * $0)..<(2 * $0 + 2)]) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns the checksum that ends a chunk (CRC-32, ISO 3309).
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> Int {
    var sum: UInt32 = ~0
    for byte in bytes { sum = sum >> 8 ^ sums[Int((sum ^ UInt32(byte)) & 0xFF)] }
    return Int(~sum)
  }

  private static let sums: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { sum, _ in
      sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
    }
  }
}
