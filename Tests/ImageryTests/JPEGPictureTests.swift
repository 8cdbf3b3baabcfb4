import Testing

@testable import Imagery

@Suite("Inspecting and verifying a JPEG")
struct JPEGPictureTests {
  @Test("size and colour space are told", arguments: [false, true])
  func tellsSize(progressive: Bool) throws {
    let bytes = try SamplePictures.drawn(progressive: progressive)
    let picture = try JPEGPicture.inspect(bytes)
    #expect(picture == JPEGPicture(widthPixels: 64, heightPixels: 48, colourSpace: .yCbCr))
    #expect(throws: Never.self) { try JPEGPicture.verifyDecodes(bytes) }
  }

  @Test("grey with restarts, and plain red, green and blue decode too")
  func otherKinds() throws {
    #expect(
      try JPEGPicture.inspect(SamplePictures.withRestarts)
        == JPEGPicture(widthPixels: 24, heightPixels: 24, colourSpace: .grey))
    #expect(try JPEGPicture.inspect(SamplePictures.rgb).colourSpace == .rgb)
    #expect(throws: Never.self) {
      try JPEGPicture.verifyDecodes(SamplePictures.withRestarts)
      try JPEGPicture.verifyDecodes(SamplePictures.rgb)
    }
  }

  @Test("print colours are refused in words")
  func refusesCMYK() {
    #expect(
      throws: ImageryError.unsupported(reason: "its colours are made for print (CMYK)")
    ) { try JPEGPicture.inspect(SamplePictures.cmyk) }
  }

  /// Returns a drawn picture with another frame header.
  private static func picture(
    marker: UInt8 = 0xC0, bits: UInt8 = 8, width: Int = 64, height: Int = 48
  ) throws -> [UInt8] {
    var bytes = try SamplePictures.drawn()
    let frame = try #require(try JPEGStructure(bytes).segments.first { $0.marker == 0xC0 }).range
    let start = frame.lowerBound
    bytes[start + 1] = marker
    bytes[start + 4] = bits
    bytes[start + 5] = UInt8(height >> 8)
    bytes[start + 6] = UInt8(height & 0xFF)
    bytes[start + 7] = UInt8(width >> 8)
    bytes[start + 8] = UInt8(width & 0xFF)
    return bytes
  }

  @Test("12 bits, lossless and hierarchical coding are refused")
  func refusesOtherCodings() throws {
    #expect(
      throws: ImageryError.unsupported(reason: "its samples have 12 bits, only 8 are supported")
    ) { try JPEGPicture.inspect(try Self.picture(marker: 0xC1, bits: 12)) }
    for marker: UInt8 in [0xC3, 0xC5, 0xC6, 0xC7, 0xCB, 0xCD, 0xCE, 0xCF] {
      #expect(
        throws: ImageryError.unsupported(reason: "it is coded without loss or in a hierarchy")
      ) { try JPEGPicture.inspect(try Self.picture(marker: marker)) }
    }
  }

  @Test(
    "sides are accepted up to the limit and refused beyond it",
    arguments: [
      (0, 48, false), (64, 0, false), (16_384, 1, true), (1, 16_384, true),
      (16_385, 1, false), (1, 16_385, false),
    ])
  func limitsSides(width: Int, height: Int, isAccepted: Bool) throws {
    let bytes = try Self.picture(width: width, height: height)
    if isAccepted {
      #expect(try JPEGPicture.inspect(bytes).widthPixels == width)
    } else {
      #expect(
        throws: ImageryError.sidesOutOfRange(
          widthPixels: width, heightPixels: height, limitPixels: 16_384)
      ) { try JPEGPicture.inspect(bytes) }
    }
  }

  @Test("200 megapixels are accepted, one row more is not")
  func limitsPixels() throws {
    #expect(
      try JPEGPicture.inspect(try Self.picture(width: 16_000, height: 12_500)).heightPixels
        == 12_500)
    let error = ImageryError.tooManyPixels(
      widthPixels: 16_000, heightPixels: 12_501, limitPixels: 200_000_000)
    #expect(throws: error) {
      try JPEGPicture.inspect(try Self.picture(width: 16_000, height: 12_501))
    }
    #expect(
      error.description
        == "the picture is 16000 x 12501 pixels; at most 200 megapixels are accepted")
  }

  @Test("a header that promises more rows than there are pixels does not verify")
  func promisedRowsAreMissed() throws {
    let bytes = try Self.picture(height: 480)
    #expect(try JPEGPicture.inspect(bytes).heightPixels == 480)
    #expect(throws: ImageryError.self) { try JPEGPicture.verifyDecodes(bytes) }
  }
}
