import Testing

@testable import Imagery

@Suite("Previews")
struct ThumbnailTests {
  private static func size(_ bytes: [UInt8]) throws -> [Int] {
    let picture = try JPEGPicture.inspect(bytes)
    return [picture.widthPixels, picture.heightPixels]
  }

  /// Returns a picture that is red at the left, and blue at the right of its lower half.
  private static func marked(width: Int, height: Int) throws -> [UInt8] {
    var canvas = try PixelBuffer(width: width, height: height)
    canvas.fillRectangle(
      columns: 0..<(width / 2), rows: 0..<height, colour: Colour(red: 220, green: 20, blue: 20))
    canvas.fillRectangle(
      columns: (width / 2)..<width, rows: (height / 2)..<height,
      colour: Colour(red: 20, green: 20, blue: 220))
    return try canvas.encodeJPEG(quality: 90)
  }

  /// Returns the picture with an EXIF that says how the camera was held.
  private static func held(_ orientation: UInt16, _ picture: [UInt8]) throws -> [UInt8] {
    let exif = try ExifBlock().adding([.primary: [0x0112: .shorts([orientation])]])
    let parts = try JPEGMetadata(picture).parts(exif: exif.bytes, xmp: nil)
    return parts.head + parts.tail
  }

  /// Returns the colour of a pixel: r, b or w.
  private static func paint(_ buffer: PixelBuffer, _ x: Int, _ y: Int) -> Character {
    guard let colour = buffer.colour(x: x, y: y) else { return "?" }
    if colour.red > 150, colour.green > 150, colour.blue > 150 { return "w" }
    return colour.red > colour.blue ? "r" : "b"
  }

  @Test(
    "an eighth where that is enough, more of small ones, less of the largest, and never more than there is",
    arguments: [
      ([4000, 3000], [500, 375]), ([2560, 1920], [320, 240]), ([1600, 1200], [400, 300]),
      ([640, 480], [320, 240]), ([64, 48], [64, 48]), ([8160, 120], [640, 9]), ([1, 1], [1, 1]),
      ([3000, 4000], [375, 500]), ([16, 6400], [2, 640]),
    ])
  func sizes(of picture: [Int], become preview: [Int]) throws {
    let drawn = try PixelBuffer(width: picture[0], height: picture[1], colour: .white)
      .encodeJPEG(quality: 50)
    #expect(try Self.size(Thumbnail.jpeg(of: drawn)) == preview)
  }

  @Test(
    "it stands upright, however the camera was held",
    arguments: [
      // The four corners from the upper left, row by row; the stored picture is "rw" over "rb".
      (0, "rwrb"), (1, "rwrb"), (2, "wrbr"), (3, "brwr"), (4, "rbrw"), (5, "rrwb"), (6, "rrbw"),
      (7, "bwrr"), (8, "wbrr"), (9, "rwrb"),
    ] as [(UInt16, String)])
  func upright(orientation: UInt16, corners: String) throws {
    let stored = try Self.marked(width: 800, height: 400)
    let preview = try PixelBuffer(
      decoding: Thumbnail.jpeg(of: Self.held(orientation, stored)), maximumSide: 800)
    let turned = (5...8).contains(orientation)
    #expect([preview.width, preview.height] == (turned ? [200, 400] : [400, 200]))
    let (right, bottom) = (preview.width - 9, preview.height - 9)
    let found = [(8, 8), (right, 8), (8, bottom), (right, bottom)].map { x, y in
      Self.paint(preview, x, y)
    }
    #expect(String(found) == corners)
  }

  @Test("nothing of what the picture said goes into it")
  func saysNothing() throws {
    let exif = try ExifBlock().adding([.primary: [0x010F: .text("A maker of cameras")]])
    let parts = try JPEGMetadata(Self.marked(width: 640, height: 480))
      .parts(exif: exif.bytes, xmp: Array("<x>a place</x>".utf8))
    let preview = try JPEGMetadata(Thumbnail.jpeg(of: parts.head + parts.tail))
    #expect(preview.exif == nil && preview.xmp == nil)
  }

  @Test("what is damaged inside is shown as far as it goes; what is none is refused")
  func bad() throws {
    let picture = try DemonstrationPicture.jpeg(
      widthPixels: 640, heightPixels: 480, seed: 3, captionLines: [])
    let scan = try #require(
      try JPEGStructure(picture).segments.last { $0.marker == 0xDA }?.range.upperBound)
    // The end marker follows the first half of the data.
    let half = scan + (picture.count - scan) / 2
    let damaged = Array(picture[..<half]) + [0xFF, 0xD9]
    #expect(try Self.size(Thumbnail.jpeg(of: damaged)) == [320, 240])
    #expect(throws: ImageryError.empty) { try Thumbnail.jpeg(of: []) }
    #expect(throws: ImageryError.self) { try Thumbnail.jpeg(of: Array("GIF89a nothing".utf8)) }
    #expect(throws: ImageryError.self) { try Thumbnail.jpeg(of: Array(picture[..<half])) }
    #expect(throws: ImageryError.self) { try Thumbnail.jpeg(of: SamplePictures.cmyk) }
  }

  @Test("broken EXIF leaves the picture as it is stored", arguments: 0..<200)
  func brokenExif(seed: UInt64) throws {
    var random = SceneRandom(seed: seed &+ 1)
    var file = try Self.held(6, Self.marked(width: 640, height: 320))
    let block = try #require(
      try JPEGStructure(file).segments.first { $0.marker == 0xE1 }?.range.dropFirst(10))
    for _ in 0..<3 {
      file[block.lowerBound + random.index(block.count)] = UInt8(random.index(256))
    }
    let size = try Self.size(Thumbnail.jpeg(of: file))
    #expect([[320, 160], [160, 320]].contains(size))
  }

  @Test("the same bytes give the same preview")
  func repeatable() throws {
    let picture = try DemonstrationPicture.jpeg(
      widthPixels: 800, heightPixels: 600, seed: 4, captionLines: ["one"])
    #expect(try Thumbnail.jpeg(of: picture) == Thumbnail.jpeg(of: picture))
  }
}
