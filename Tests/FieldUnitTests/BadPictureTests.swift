import Evidence
import Foundation
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText
import Verification

@testable import FieldPages
@testable import FieldUnit
@testable import Imagery

/// Tests of pictures from cameras and people, which are sealed whole or refused in one clear line.
@Suite("Odd and bad pictures", .timeLimit(.minutes(5)))
struct BadPictureTests {
  private static let plain = FieldScene.picture

  private static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
  }

  /// Returns the plain picture with segments behind its SOI marker.
  private static func with(_ segments: [UInt8]...) -> [UInt8] {
    Array(plain[..<2]) + segments.flatMap(\.self) + plain[2...]
  }

  private static func pixels(_ width: Int, _ height: Int, progressive: Bool) throws -> [UInt8] {
    try TurboJPEG.encode(
      PixelBuffer(width: width, height: height, colour: .white), quality: 80,
      progressive: progressive)
  }

  private static func odd() throws -> [(name: String, bytes: [UInt8])] {
    let exif = Array("Exif\0\0".utf8)
    let thumbnail = exif + Array("II*\0\u{8}\0\0\0\0\0\0\0\0\0".utf8) + plain.prefix(9000)
    return [
      ("progressive", try pixels(640, 480, progressive: true)),
      ("16,000 pixels wide", try pixels(16_000, 16, progressive: false)),
      ("segments of 64 kB", with(segment(0xE2, Array(repeating: 7, count: 65_533)))),
      (
        "several APP1 and APP11",
        with(
          segment(0xE1, exif), segment(0xE1, exif), segment(0xE1, [1]), segment(0xEB, []),
          segment(0xEB, Array("JP".utf8)), segment(0xEB, Array(repeating: 0, count: 40)))
      ), ("an embedded thumbnail", with(segment(0xE1, thumbnail))),
      ("bytes behind its end", plain + Array("a film".utf8) + plain),
      ("a comment", with(segment(0xFE, Array("wet".utf8)))),
    ]
  }

  @Test("an odd picture is sealed, its own bytes untouched, and verifies")
  func odd() async throws {
    for (name, bytes) in try Self.odd() {
      try await withTemporaryDirectory { folder in
        let scene = try FieldScene(folder)
        let photo = try await scene.capture(scene.request(samples: nil, camera: .drawn { bytes }))
        let path = scene.unit.path(ofPhoto: photo.id)
        let stored = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(
          try JPEGStructure.imageData(of: stored) == JPEGStructure.imageData(of: bytes), "\(name)")
        let report = try scene.verify()
        #expect(report.verdict == .intact, "\(name): \(report.findings)")
      }
    }
  }

  private static func bad() -> [(bytes: [UInt8], words: String)] {
    var wide = plain
    var inks = plain
    if let frame = plain.firstRange(of: [0xFF, 0xC0]) {
      // These bytes are the width, and the number of components.
      wide.replaceSubrange((frame.lowerBound + 7)..<(frame.lowerBound + 9), with: [0xFF, 0xFF])
      inks[frame.lowerBound + 9] = 4
    }
    return [
      (Array(plain.prefix(plain.count / 2)), "ends"), (Array(plain.dropLast(2)), "ends"),
      (wide, "pixels"), (inks, "frame header"), ([], "empty"),
      (Array("not a picture".utf8), "not a JPEG"),
      (Array(plain.prefix(20)), "ends at byte 20"),
      ([0xFF, 0xD8, 0xFF, 0xD9], "without any picture data"),
    ]
  }

  @Test("a bad picture is refused in words, and nothing of it is kept")
  func bad() async throws {
    for (bytes, words) in Self.bad() {
      let error = #expect(throws: FieldUnitError.self) { try AcceptedFrame(bytes) }
      let said = "\(try #require(error))"
      #expect(said.hasPrefix("this picture cannot be used: ") && said.contains(words), "\(said)")
    }
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let half = Array(Self.plain.prefix(Self.plain.count / 2))
      await #expect(throws: FieldUnitError.self) {
        _ = try await scene.capture(scene.request(samples: nil, camera: .drawn { half }))
      }
      #expect(try scene.unit.photos().isEmpty)
      #expect(try scene.verify().checked == 0)
    }
  }
}
