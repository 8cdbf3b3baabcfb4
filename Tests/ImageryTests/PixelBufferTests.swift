import TestSupport
import Testing

@testable import Imagery

@Suite("Pictures in memory")
struct PixelBufferTests {
  private static let red = Colour(red: 200, green: 20, blue: 10)

  @Test("what is encoded is decoded to nearly the same colours")
  func roundTrip() throws {
    var picture = try PixelBuffer(width: 120, height: 80)
    picture.fillRectangle(columns: 0..<64, rows: 0..<80, colour: Self.red)
    let decoded = try PixelBuffer(
      decoding: try picture.encodeJPEG(quality: 95), maximumSide: 1_000)
    #expect(decoded.width == 120)
    #expect(decoded.height == 80)
    let left = try #require(decoded.colour(x: 20, y: 40))
    #expect(abs(Int(left.red) - 200) < 6 && abs(Int(left.green) - 20) < 6)
    let right = try #require(decoded.colour(x: 100, y: 40))
    #expect(right.red > 250 && right.green > 250 && right.blue > 250)
    #expect(decoded.colour(x: 120, y: 0) == nil)
    #expect(decoded.colour(x: 0, y: -1) == nil)
  }

  @Test("a lower quality gives fewer bytes, and values beyond the scale are clamped")
  func quality() throws {
    let picture = try DemonstrationPicture.pixels(
      widthPixels: 160, heightPixels: 120, seed: 4, captionLines: [])
    let sizes = try [-5, 30, 85, 900].map { try picture.encodeJPEG(quality: $0).count }
    #expect(sizes == sizes.sorted() && Set(sizes).count == 4)
  }

  @Test("decoding never exceeds the side and keeps the proportion")
  func maximumSide() throws {
    for (width, height) in [(160, 120), (121, 77), (33, 160), (1, 50), (90, 1)] {
      let bytes = try PixelBuffer(width: width, height: height, colour: Self.red)
        .encodeJPEG(quality: 90)
      for side in [-3, 0, 1, 2, 7, 15, 16, 20, 21, 40, 59, 60, 61, 120, 159, 160, 161, 5_000] {
        let small = try PixelBuffer(decoding: bytes, maximumSide: side)
        let longer = max(width, height)
        let target = min(max(side, 1), longer)
        #expect(max(small.width, small.height) == target, "\(width) x \(height) to \(side)")
        let exact = Double(min(width, height) * target) / Double(longer)
        #expect(
          abs(Double(min(small.width, small.height)) - max(1, exact)) <= 1,
          "\(width) x \(height) to \(side)")
        let colour = try #require(small.colour(x: small.width / 2, y: small.height / 2))
        #expect(abs(Int(colour.red) - 200) < 8, "\(width) x \(height) to \(side): \(colour)")
      }
    }
  }

  @Test("shrinking averages areas exactly")
  func shrinkingAverages() throws {
    var picture = try PixelBuffer(width: 3, height: 2, colour: .black)
    picture.fillRectangle(columns: 1..<2, rows: 0..<2, colour: .white)
    let small = picture.shrunk(toWidth: 2, height: 1)
    // Each new pixel covers one black pixel and half of the white one.
    #expect(small.colour(x: 0, y: 0) == Colour(red: 85, green: 85, blue: 85))
    #expect(small.colour(x: 1, y: 0) == Colour(red: 85, green: 85, blue: 85))
    #expect(picture.shrunk(toWidth: 3, height: 2) == picture)
  }

  @Test("impossible sizes are refused")
  func sizes() {
    for (width, height) in [(0, 1), (1, 0), (-1, 5), (16_385, 1), (Int.max, Int.max)] {
      #expect(throws: ImageryError.self) { try PixelBuffer(width: width, height: height) }
    }
  }

  @Test("a damaged picture can still be looked at")
  func damagedPicture() throws {
    let bytes = try SamplePictures.drawn()
    let cut = Array(bytes.prefix(bytes.count - 150)) + [0xFF, 0xD9]
    #expect(throws: ImageryError.self) { try JPEGPicture.verifyDecodes(cut) }
    #expect(try PixelBuffer(decoding: cut, maximumSide: 64).width == 64)
  }
}
