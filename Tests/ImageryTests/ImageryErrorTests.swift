import Testing

@testable import Imagery

@Suite("Errors are lines for people")
struct ImageryErrorTests {
  @Test(
    "a file of another kind is named",
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], "89 50 4E 47 (a PNG)"),
      (Array("GIF89a".utf8), "47 49 46 38 (a GIF)"),
      (Array("RIFF....WEBPVP8 ".utf8), "52 49 46 46 (a WebP)"),
      ([0, 0, 0, 24] + Array("ftypheic".utf8), "00 00 00 18 (a HEIC, AVIF or video)"),
      (Array("%PDF-1.7".utf8), "25 50 44 46 (a PDF)"),
      ([0x49, 0x49, 0x2A, 0x00, 8, 0], "49 49 2A 00 (a TIFF or a camera's raw file)"),
      (Array("BM".utf8), "42 4D (a BMP)"),
      ([0xFF], "FF"),
      ([0xFF, 0xD7, 0x00], "FF D7 00"),
    ] as [([UInt8], String)])
  func namesOtherFormats(bytes: [UInt8], words: String) {
    let error = #expect(throws: ImageryError.self) { try JPEGStructure(bytes) }
    #expect(error?.description == "not a JPEG: it begins with \(words)")
  }

  @Test("an empty file is called empty")
  func namesEmptiness() {
    #expect(throws: ImageryError.empty) { try JPEGStructure([]) }
    #expect(ImageryError.empty.description == "not a JPEG: it is empty")
  }

  @Test("a cut says where it is")
  func saysWhere() {
    #expect(
      ImageryError.truncatedInPictureData(atByte: 12_345).description
        == "the JPEG ends in the middle of its picture data at byte 12345")
    #expect(
      ImageryError.truncatedInSegment(marker: 0xE1, atByte: 2, missingByteCount: 1).description
        == "the JPEG ends in the middle of its segment FFE1 at byte 2: 1 byte is missing")
  }
}
