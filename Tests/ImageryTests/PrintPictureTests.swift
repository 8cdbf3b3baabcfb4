import Testing

@testable import Imagery

@Suite("Pictures for paper")
struct PrintPictureTests {
  @Test(
    "the longer side is the largest eighth of it up to 1600 pixels",
    arguments: [
      (4000, 3000, 1500, 1125), (3000, 4000, 1125, 1500), (1600, 900, 1600, 900),
      (1601, 900, 1401, 788), (2800, 1400, 1400, 700), (40, 30, 40, 30), (16_384, 16, 1600, 1),
    ])
  func sides(width: Int, height: Int, printWidth: Int, printHeight: Int) throws {
    let file = try PixelBuffer(width: width, height: height, colour: .white).encodeJPEG(quality: 50)
    let small = try PrintPicture(of: file)
    #expect(small.widthPixels == printWidth)
    #expect(small.heightPixels == printHeight)
    let picture = try JPEGPicture.inspect(small.jpeg)
    #expect(picture.widthPixels == printWidth)
    #expect(picture.heightPixels == printHeight)
    #expect(small.damage == nil)
    #expect(try PrintPicture(of: file) == small)
  }

  @Test("what is damaged is shown and said, what is no picture is refused")
  func damaged() throws {
    var file = try PixelBuffer(width: 320, height: 240, colour: .white).encodeJPEG(quality: 90)
    #expect(throws: ImageryError.self) { try PrintPicture(of: Array("no picture".utf8)) }
    file.removeSubrange((file.count * 2 / 3)..<(file.count - 2))
    let small = try PrintPicture(of: file)
    #expect(small.damage != nil)
    #expect(small.widthPixels == 320)
  }
}
