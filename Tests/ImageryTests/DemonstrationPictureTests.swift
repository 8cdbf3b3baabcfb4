import TestSupport
import Testing

@testable import Imagery

@Suite("The demonstration picture")
struct DemonstrationPictureTests {
  @Test("the same arguments give the same bytes, another seed or caption others")
  func isDeterministic() throws {
    func jpeg(_ seed: UInt64, _ caption: String) throws -> [UInt8] {
      try DemonstrationPicture.jpeg(
        widthPixels: 160, heightPixels: 120, seed: seed, captionLines: [caption])
    }
    let first = try jpeg(1, "one")
    #expect(try jpeg(1, "one") == first)
    #expect(try jpeg(2, "one") != first)
    #expect(try jpeg(1, "two") != first)
  }

  @Test("the usual size has the bytes of a small photo and decodes")
  func usualSize() throws {
    let bytes = try DemonstrationPicture.jpeg(
      widthPixels: 1_600, heightPixels: 1_200, seed: 7, captionLines: ["48.123456 N 11.654321 E"])
    #expect((150_000...500_000).contains(bytes.count), "\(bytes.count) bytes")
    #expect(throws: Never.self) { try JPEGPicture.verifyDecodes(bytes) }
    #expect(
      try JPEGPicture.inspect(bytes)
        == JPEGPicture(widthPixels: 1_600, heightPixels: 1_200, colourSpace: .yCbCr))
  }

  @Test("the band is yellow, the caption white on dark, and both survive the JPEG")
  func bandAndCaption() throws {
    let bytes = try DemonstrationPicture.jpeg(
      widthPixels: 640, heightPixels: 480, seed: 3, captionLines: ["L"])
    let picture = try PixelBuffer(decoding: bytes, maximumSide: 640)
    let band = try #require(picture.colour(x: 320, y: 4))
    #expect(band.red > 220 && band.green > 170 && band.blue < 80)
    // The letter's stem is 4 points from the left, of 2 pixels each, and 5 points below the panel's
    // top.
    let stem = try #require(picture.colour(x: 8, y: 460))
    #expect(stem.red > 200 && stem.blue > 200)
    let panel = try #require(picture.colour(x: 300, y: 470))
    #expect(panel.red < 90 && panel.green < 90 && panel.blue < 90)
  }

  @Test(
    "any size is drawn, however small or slender",
    arguments: [(1, 1), (2, 300), (300, 2), (17, 13), (90, 400), (400, 60)])
  func oddSizes(width: Int, height: Int) throws {
    let bytes = try DemonstrationPicture.jpeg(
      widthPixels: width, heightPixels: height, seed: 5,
      captionLines: Array(repeating: String(repeating: "wide ", count: 40), count: 30))
    #expect(try JPEGPicture.inspect(bytes).widthPixels == width)
  }

  @Test("a size beyond the limits is refused")
  func refusesSizes() {
    #expect(throws: ImageryError.self) {
      try DemonstrationPicture.jpeg(
        widthPixels: 0, heightPixels: 10, seed: 1, captionLines: [])
    }
    #expect(throws: ImageryError.self) {
      try DemonstrationPicture.jpeg(
        widthPixels: 16_384, heightPixels: 16_384, seed: 1, captionLines: [])
    }
  }
}
