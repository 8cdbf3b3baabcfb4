import Foundation
import Testing

@testable import Imagery

@Suite(
  "Files of real cameras",
  .enabled(
    if: !SamplePictures.cameraFiles.isEmpty,
    "the folder ../shared/data/photos is not beside the repository"))
struct CameraFilesTests {
  @Test("every file decodes, and its image data is a picture of the same pixels without metadata")
  func everyFile() throws {
    for file in SamplePictures.cameraFiles {
      let name = file.lastPathComponent
      let bytes = Array(try Data(contentsOf: file))
      let picture = try JPEGPicture.inspect(bytes)
      #expect(throws: Never.self, "\(name)") { try JPEGPicture.verifyDecodes(bytes) }
      let imageData = try JPEGStructure.imageData(of: bytes)
      let bare = try JPEGStructure(imageData)
      #expect(bare.imageDataRanges == [0..<imageData.count], "\(name)")
      #expect(!bare.segments.contains { $0.isMetadata }, "\(name)")
      #expect(try JPEGPicture.inspect(imageData) == picture, "\(name)")
      #expect(
        try PixelBuffer(decoding: imageData, maximumSide: 200)
          == PixelBuffer(decoding: bytes, maximumSide: 200), "\(name)")
    }
  }

  @Test("metadata added to every file changes nothing")
  func addedMetadata() throws {
    for file in SamplePictures.cameraFiles {
      let bytes = Array(try Data(contentsOf: file))
      let noted =
        Array(bytes.prefix(2)) + SamplePictures.segment(0xE1, [UInt8](repeating: 0xFF, count: 999))
        + SamplePictures.segment(0xFE, Array("FF D9".utf8)) + Array(bytes.dropFirst(2))
      #expect(
        try JPEGStructure.imageData(of: noted) == JPEGStructure.imageData(of: bytes),
        "\(file.lastPathComponent)")
    }
  }

  @Test("the sizes are what an independent reader says")
  func sizes() throws {
    let expected = [
      "BlueSquare.jpg": [360, 216], "Canon_40D.jpg": [100, 68], "DSCN0010.jpg": [640, 480],
      "67-0_length_string.jpg": [4032, 2012], "33-type_error.jpg": [2560, 1600],
      "image01088.jpg": [425, 120], "portrait_6.jpg": [600, 450], "no_exif.jpg": [322, 466],
    ]
    for file in SamplePictures.cameraFiles {
      guard let size = expected[file.lastPathComponent] else { continue }
      let picture = try JPEGPicture.inspect(Array(try Data(contentsOf: file)))
      #expect([picture.widthPixels, picture.heightPixels] == size, "\(file.lastPathComponent)")
    }
  }
}
