import Foundation
import Testing

@testable import Imagery

/// Tests that changed pictures are found again, and that others are not taken for them.
@Suite("The likeness of pictures")
struct LikenessTests {
  /// The number of pictures that are compared, each with each; `make likeness` takes 1,500.
  private static let count =
    ProcessInfo.processInfo.environment["LIKENESS"].flatMap(Int.init(_:)) ?? 12

  /// Returns a field without the band and the caption, which all pictures would share.
  private static func field(_ seed: Int) throws -> PixelBuffer {
    var scene = FieldScene(
      canvas: try PixelBuffer(width: 200, height: 150), seed: UInt64(seed) * 7919 + 11)
    scene.draw()
    return scene.canvas
  }

  // MARK: changes of pictures

  private enum Change: CaseIterable {
    case encodedAgain, scaled, turned, cut, allOfIt
  }

  private static func cut(_ picture: PixelBuffer, _ random: inout SceneRandom) -> PixelBuffer {
    func share() -> Double { random.number(0, 0.02) }
    let left = Int((share() * Double(picture.width)).rounded())
    let right = Int((share() * Double(picture.width)).rounded())
    let top = Int((share() * Double(picture.height)).rounded())
    let bottom = Int((share() * Double(picture.height)).rounded())
    let width = picture.width - left - right
    let height = picture.height - top - bottom
    var pixels: [UInt8] = []
    for y in top..<(top + height) {
      let start = 3 * (y * picture.width + left)
      pixels += picture.pixels[start..<(start + 3 * width)]
    }
    return PixelBuffer(uncheckedWidth: width, height: height, pixels: pixels)
  }

  /// Returns the picture after a quarter turn clockwise.
  private static func turned(_ picture: PixelBuffer) -> PixelBuffer {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(picture.pixels.count)
    for x in 0..<picture.width {
      for y in stride(from: picture.height - 1, through: 0, by: -1) {
        let at = 3 * (y * picture.width + x)
        pixels += picture.pixels[at..<(at + 3)]
      }
    }
    return PixelBuffer(uncheckedWidth: picture.height, height: picture.width, pixels: pixels)
  }

  private static func changed(
    _ picture: PixelBuffer, _ change: Change, _ random: inout SceneRandom
  ) throws -> [UInt8] {
    var picture = picture
    var quality = 92
    if change == .cut || change == .allOfIt { picture = cut(picture, &random) }
    if change == .scaled || change == .allOfIt {
      let share = random.number(0.25, 1)
      picture = picture.shrunk(
        toWidth: Int(Double(picture.width) * share), height: Int(Double(picture.height) * share))
    }
    if change == .turned || change == .allOfIt {
      for _ in 0...random.index(3) { picture = turned(picture) }
    }
    if change == .encodedAgain || change == .allOfIt { quality = 30 + random.index(63) }
    return try picture.encodeJPEG(quality: quality)
  }

  // MARK: the tests

  @Test("a changed picture is found again, and no other is taken for it")
  func recallAndFalseHints() throws {
    var random = SceneRandom(seed: 5)
    var probes: [PictureProbe] = []
    var misses: [Change: Int] = [:]
    for seed in 0..<Self.count {
      let picture = try Self.field(seed)
      let original = try #require(try PictureProbe(jpeg: picture.encodeJPEG(quality: 92)))
      probes.append(original)
      for change in Change.allCases {
        let again = try #require(
          try PictureProbe(jpeg: Self.changed(picture, change, &random)))
        if again.distance(to: original.likeness) > PictureProbe.similarDistance {
          misses[change, default: 0] += 1
        }
      }
    }
    for change in Change.allCases {
      let found = Double(Self.count - (misses[change] ?? 0)) / Double(Self.count)
      #expect(found >= 0.95, "\(change): \(found) of \(Self.count) were found again")
    }
    var hints = 0
    var nearest = PictureProbe.comparedBits
    var pairs = 0
    for (index, probe) in probes.enumerated() {
      for other in probes[..<index] {
        let distance = probe.distance(to: other.likeness)
        nearest = min(nearest, distance)
        pairs += 1
        if distance <= PictureProbe.similarDistance { hints += 1 }
      }
    }
    #expect(
      Double(hints) * 1e6 < Double(max(pairs, 1_000_000)),
      "\(hints) false hints in \(pairs) pairs, the nearest \(nearest) apart")
    if Self.count > 12 {
      let found = Change.allCases.map { "\($0) \(Self.count - (misses[$0] ?? 0))" }
      print(
        "likeness: of \(Self.count) found again: \(found.joined(separator: ", "));"
          + " \(hints) false hints in \(pairs) pairs, the nearest \(nearest) apart")
    }
  }

  @Test("a quarter turn is the same picture: its four views are those of the turned one")
  func turns() throws {
    var picture = try Self.field(3)
    let original = try #require(PictureProbe(picture))
    for _ in 0..<4 {
      picture = Self.turned(picture)
      let turned = try #require(PictureProbe(picture))
      #expect(original.distance(to: turned.likeness) == 0)
      #expect(turned.distance(to: original.likeness) == 0)
    }
  }

  @Test("a picture that shows nothing has no likeness, nor has a strip")
  func nothing() throws {
    for colour in [Colour.white, Colour(red: 3, green: 2, blue: 4)] {
      #expect(PictureProbe(try PixelBuffer(width: 200, height: 150, colour: colour)) == nil)
    }
    #expect(PictureProbe(try PixelBuffer(width: 400, height: 20)) == nil)
    #expect(throws: ImageryError.self) { try PictureProbe(jpeg: [0xFF, 0xD8, 0xFF]) }
  }

  @Test("many likenesses in one block are compared as each alone")
  func block() throws {
    let probes = try (0..<9).compactMap { PictureProbe(try Self.field($0)) }
    let bytes = probes.flatMap(\.likeness.bytes)
    #expect(bytes.count == 9 * PictureLikeness.byteCount)
    for (index, probe) in probes.enumerated() {
      var found: [Int: Int] = [:]
      bytes.withUnsafeBytes { block in
        LikenessBlock.forEachSimilar(to: probe, in: block) { found[$0] = $1 }
      }
      #expect(found[index] == 0)
      for (place, distance) in found {
        #expect(distance == probe.distance(to: probes[place].likeness))
      }
    }
  }

  @Test(
    "what real cameras wrote is found again after it was cut and encoded anew",
    .disabled(if: SamplePictures.cameraFiles.isEmpty, "the cameras' files are not here"))
  func cameras() throws {
    var random = SceneRandom(seed: 9)
    var probes: [PictureProbe] = []
    for file in SamplePictures.cameraFiles {
      guard let bytes = try? [UInt8](Data(contentsOf: file)),
        let original = try? PictureProbe(jpeg: bytes)
      else { continue }
      let picture = try PixelBuffer(decoding: bytes, maximumSide: 640)
      // Thumbnails are too small for the comparison, and a drawn square is no photo.
      guard min(picture.width, picture.height) >= 200, file.lastPathComponent != "BlueSquare.jpg"
      else { continue }
      let again = try #require(try PictureProbe(jpeg: Self.changed(picture, .allOfIt, &random)))
      #expect(
        again.distance(to: original.likeness) <= PictureProbe.similarDistance,
        "\(file.lastPathComponent)")
      probes.append(original)
    }
    #expect(probes.count >= 8)
  }
}
