import TestSupport
import Testing

@testable import Imagery

@Suite("Hostile bytes neither trap nor hang", .timeLimit(.minutes(5)))
struct HostileBytesTests {
  /// Checks the invariants of every accepted structure.
  private static func check(_ structure: JPEGStructure, of bytes: [UInt8], _ note: String) {
    var previousEnd = -1
    for range in structure.imageDataRanges {
      #expect(range.lowerBound > previousEnd && !range.isEmpty, "\(note)")
      previousEnd = range.upperBound
    }
    #expect(structure.imageDataRanges.first?.lowerBound == 0, "\(note)")
    #expect(previousEnd == bytes.count - structure.trailingByteCount, "\(note)")
    #expect(bytes[previousEnd - 2] == 0xFF && bytes[previousEnd - 1] == 0xD9, "\(note)")
    for segment in structure.segments {
      #expect(bytes[segment.range.lowerBound] == 0xFF, "\(note)")
      #expect(bytes[segment.range.lowerBound + 1] == segment.marker, "\(note)")
      for range in structure.imageDataRanges {
        #expect(!segment.isMetadata || !range.overlaps(segment.range), "\(note)")
      }
    }
  }

  /// Feeds the bytes to every entry point; only errors of this module may come out.
  private static func feed(_ bytes: [UInt8], _ note: String) {
    do {
      check(try JPEGStructure(bytes), of: bytes, note)
      _ = try JPEGPicture.inspect(bytes)
      _ = try PixelBuffer(decoding: bytes, maximumSide: 32)
      try JPEGPicture.verifyDecodes(bytes)
    } catch {
      #expect(error is ImageryError, "\(note): \(error)")
      #expect(!"\(error)".isEmpty && !"\(error)".contains("\n"), "\(note)")
    }
  }

  @Test("a file cut at any byte is refused, and accepted only when it is whole")
  func everyTruncation() throws {
    for bytes in [
      try SamplePictures.drawn(), try SamplePictures.drawn(progressive: true),
      SamplePictures.withRestarts,
    ] {
      for count in 0..<bytes.count {
        let cut = Array(bytes.prefix(count))
        #expect(throws: ImageryError.self, "cut at \(count)") { try JPEGStructure(cut) }
        #expect(throws: ImageryError.self, "cut at \(count)") { try JPEGPicture.inspect(cut) }
        #expect(throws: ImageryError.self, "cut at \(count)") {
          try JPEGPicture.verifyDecodes(cut)
        }
      }
      let longer = bytes + [0xFF, 0xD8, 0xFF]
      for count in bytes.count...longer.count {
        let whole = Array(longer.prefix(count))
        #expect(try JPEGStructure(whole).trailingByteCount == count - bytes.count)
        #expect(throws: Never.self) { try JPEGPicture.verifyDecodes(whole) }
      }
    }
  }

  @Test("a picture whose data was cut and closed again parses, but does not verify")
  func closedCutDoesNotVerify() throws {
    let bytes = try SamplePictures.drawn()
    let structure = try JPEGStructure(bytes)
    let scan = try #require(structure.segments.last { $0.marker == 0xDA })
    for kept in [0, 1, (bytes.count - 2 - scan.range.upperBound) / 2] {
      let cut = Array(bytes.prefix(scan.range.upperBound + kept)) + [0xFF, 0xD9]
      #expect(throws: Never.self) { try JPEGStructure(cut) }
      let error = #expect(throws: ImageryError.self, "kept \(kept)") {
        try JPEGPicture.verifyDecodes(cut)
      }
      if case .damaged(let words)? = error {
        #expect(!words.isEmpty)
      } else {
        Issue.record("kept \(kept): \(String(describing: error))")
      }
    }
  }

  @Test("thousands of random changes give an answer or an error of this module")
  func randomMutations() throws {
    let pictures = [
      try SamplePictures.drawn(), try SamplePictures.drawn(progressive: true),
      SamplePictures.withRestarts, SamplePictures.cmyk, SamplePictures.rgb,
    ]
    forEachSeed(0..<3_000) { seed, generator in
      var bytes = pictures[Int(seed) % pictures.count]
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: bytes.insert(0xFF, at: place)
        case 3: bytes.removeSubrange(place..<min(bytes.count, place + 3))
        default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 40)], at: place)
        }
        if bytes.isEmpty { break }
      }
      Self.feed(bytes, "seed \(seed)")
    }
  }

  @Test("garbage of all lengths is refused")
  func garbage() {
    forEachSeed(0..<400) { seed, generator in
      let count = Int.random(in: 0...200, using: &generator)
      let noise = (0..<count).map { _ in
        Bool.random(using: &generator)
          ? UInt8.random(in: 0...255, using: &generator)
          : [0xFF, 0xD8, 0xDA, 0xC0, 0x00][Int.random(in: 0..<5, using: &generator)]
      }
      Self.feed(noise, "seed \(seed)")
      Self.feed([0xFF, 0xD8] + noise, "seed \(seed) after SOI")
    }
  }

  @Test("megabytes of fill bytes, of restarts and of empty segments are read once and refused")
  func longRuns() throws {
    let megabyte = 1 << 20
    #expect(throws: ImageryError.truncatedBetweenSegments(atByte: 2 + 4 * megabyte)) {
      try JPEGStructure([0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 4 * megabyte))
    }
    let picture = try SamplePictures.drawn()
    let open = Array(picture.dropLast(2))
    let restarts = (0..<megabyte).flatMap { _ in [0xFF, 0xD0] as [UInt8] }
    #expect(throws: ImageryError.truncatedInPictureData(atByte: open.count + restarts.count)) {
      try JPEGStructure(open + restarts)
    }
    let emptySegments = (0..<70_000).flatMap { _ in [0xFF, 0xE1, 0, 2] as [UInt8] }
    #expect(throws: ImageryError.tooManySegments(limit: 65_536)) {
      try JPEGStructure([0xFF, 0xD8] + emptySegments)
    }
  }

  @Test(
    "a picture may have a hundred scans, and is not decoded with one more", arguments: [100, 101])
  func scans(count: Int) throws {
    let picture = try SamplePictures.drawn()
    let first = try JPEGStructure(picture).segments.first { $0.marker == 0xDA }
    let scan = try #require(first).range
    let header = Array(picture[scan])
    // Each further scan is the first one's header without any data behind it.
    let more = (1..<count).flatMap { _ in header }
    let bytes = Array(picture.dropLast(2)) + more + [0xFF, 0xD9]
    if count == 100 {
      let segments = try JPEGStructure(bytes).segments
      #expect(segments.count { $0.marker == 0xDA } == 100)
    } else {
      #expect(throws: ImageryError.tooManyScans(limit: 100)) { try JPEGStructure(bytes) }
      #expect(throws: ImageryError.tooManyScans(limit: 100)) {
        try JPEGPicture.verifyDecodes(bytes)
      }
    }
  }

  /// Returns a picture with another size in its header, and with copies of its one scan.
  private func scanned(
    _ widthPixels: Int, _ heightPixels: Int, scans: Int, progressive: Bool
  ) throws -> [UInt8] {
    let picture = try SamplePictures.drawn()
    let structure = try JPEGStructure(picture)
    let scan = try #require(structure.segments.first { $0.marker == 0xDA }).range
    let frame = try #require(structure.segments.first { $0.marker == 0xC0 }).range.lowerBound
    var bytes = Array(picture.dropLast(2))
    bytes[frame + 1] = progressive ? 0xC2 : 0xC0
    bytes.replaceSubrange(
      (frame + 5)..<(frame + 9),
      with: [heightPixels >> 8, heightPixels & 255, widthPixels >> 8, widthPixels & 255]
        .map(UInt8.init))
    return bytes + (1..<scans).flatMap { _ in picture[scan] } + [0xFF, 0xD9]
  }

  @Test(
    "what a picture may have of scans is less the larger it is, so that no file takes a decoder long"
  )
  func work() throws {
    // A picture of the largest size may have one scan.
    #expect(
      try JPEGPicture.inspect(scanned(16_000, 12_500, scans: 1, progressive: false)).widthPixels
        == 16_000)
    for progressive in [true, false] {
      let scans = progressive ? 1 : 2
      #expect(
        throws: ImageryError.tooManyPixelsOfSeveralScans(
          widthPixels: 10_000, heightPixels: 6_401, limitPixels: 64_000_000)
      ) {
        try JPEGPicture.inspect(scanned(10_000, 6_401, scans: scans, progressive: progressive))
      }
      #expect(
        try JPEGPicture.inspect(scanned(10_000, 6_400, scans: 23, progressive: progressive))
          .heightPixels == 6_400)
      let bytes = try scanned(10_000, 6_400, scans: 24, progressive: progressive)
      #expect(throws: ImageryError.tooManyScans(limit: 23)) { try JPEGPicture.inspect(bytes) }
      #expect(throws: ImageryError.tooManyScans(limit: 23)) {
        try JPEGPicture.verifyDecodes(bytes)
      }
    }
  }
}
