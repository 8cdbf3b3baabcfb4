import Imagery
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

/// Attacks of somebody who has the folder and no key. Each test first checks that the untouched
/// folder is intact, so that a verdict has one cause.
@Suite("Attacks on the files")
struct FileAttackTests {
  private let day: FieldDay
  private var folder: MemoryFiles

  init() throws {
    day = try FieldDay.ordinary.get()
    folder = try day.folder()
    expectIntact(folder.verified(), seals: day.entries.count)
  }

  private var first: FieldDay.Sealed { day.captures[0] }
  private var second: FieldDay.Sealed { day.captures[1] }
  private var track: FieldDay.Sealed { day.entries[4] }
  private var deleted: FieldDay.Sealed { day.entries[5] }

  @Test("a byte of the picture changed: file and image, altered")
  func pictureChanged() throws {
    var folder = folder
    let bytes = try #require(folder[first.path])
    folder.flip(first.path, at: bytes.count / 2)
    expect(folder.verified(), .altered, .file, about: first.path)
  }

  @Test("a metadata segment of the photo changed: file, altered")
  func metadataChanged() throws {
    var folder = folder
    folder.flip(first.path, at: 20)
    let before = try #require(self.folder[first.path])
    let after = try #require(folder[first.path])
    #expect(try CaptureDigests.image(of: before) == CaptureDigests.image(of: after))
    expect(folder.verified(), .altered, .file, about: first.path)
  }

  /// Returns the folder with other metadata in the first photo, whose image data stays.
  private func rewritten(
    _ change: (JPEGMetadata) throws -> (exif: [UInt8]?, xmp: [UInt8]?, store: [UInt8]?)
  ) throws -> MemoryFiles {
    var folder = folder
    let before = try #require(folder[first.path])
    let metadata = try JPEGMetadata(before)
    let (exif, xmp, store) = try change(metadata)
    let parts = try metadata.parts(exif: exif, xmp: xmp)
    let segments = try JPEGMetadata.manifestSegments(
      try #require(store ?? metadata.manifestStore))
    let after = parts.head + segments + parts.tail
    #expect(after != before)
    #expect(try CaptureDigests.image(of: before) == CaptureDigests.image(of: after))
    folder[first.path] = after
    return folder
  }

  private func withGPS(_ tag: UInt16, _ value: ExifBlock.Value) throws -> MemoryFiles {
    try rewritten { metadata in
      let block = try ExifBlock(try #require(metadata.exif))
      return (try block.adding([.gps: [tag: value]]).bytes, nil, nil)
    }
  }

  @Test("the position in EXIF changed: exif, altered")
  func exifPosition() throws {
    let here = Array(repeating: ExifBlock.Rational(1, 1), count: 3)
    for (tag, value, name) in [
      (0x02, .rationals(here), "GPSLatitude"), (0x03, .text("W"), "GPSLongitudeRef"),
      (0x06, .rationals([ExifBlock.Rational(1, 1)]), "GPSAltitude"),
    ] as [(UInt16, ExifBlock.Value, String)] {
      let report = try withGPS(tag, value).verified()
      expect(report, .altered, .exif, about: first.path, says: name)
      expect(report, .altered, .manifest, about: first.path, says: "the file's bytes")
      #expect(!report.findings.contains { $0.check == .image || $0.check == .xmp })
    }
  }

  @Test("the time in EXIF changed: exif, altered")
  func exifTime() throws {
    expect(
      try withGPS(0x1D, .text("2026:05:13")).verified(), .altered, .exif, about: first.path,
      says: "GPSDateStamp")
    for (tag, value, name) in [
      (0x9003, "2020:01:01 00:00:00", "DateTimeOriginal"), (0x9011, "+09:00", "OffsetTimeOriginal"),
    ] as [(UInt16, String, String)] {
      let folder = try rewritten { metadata in
        let block = try ExifBlock(try #require(metadata.exif))
        return (try block.adding([.exif: [tag: .text(value)]]).bytes, nil, nil)
      }
      expect(folder.verified(), .altered, .exif, about: first.path, says: name)
    }
  }

  @Test("the XMP changed: xmp, altered")
  func xmpChanged() throws {
    let folder = try rewritten { metadata in
      let text = String(decoding: try #require(metadata.xmp), as: UTF8.self)
      return (nil, Array(text.replacing("inspector=\"ada\"", with: "inspector=\"bob\"").utf8), nil)
    }
    expect(
      folder.verified(), .altered, .xmp, about: first.path, says: "standpoint:inspector")
  }

  /// Returns the folder without the segments of one kind in the first photo.
  private func without(_ marker: UInt8, _ name: String) throws -> MemoryFiles {
    var folder = folder
    let before = try #require(folder[first.path])
    var after = before
    for segment in try JPEGStructure(before).segments.reversed()
    where segment.marker == marker && before[segment.range].dropFirst(4).starts(with: name.utf8) {
      after.removeSubrange(segment.range)
    }
    #expect(after != before)
    folder[first.path] = after
    return folder
  }

  @Test("the EXIF taken away: exif, altered")
  func exifGone() throws {
    expect(
      try without(0xE1, "Exif").verified(), .altered, .exif, about: first.path,
      says: "the EXIF is missing")
  }

  @Test("the XMP taken away: xmp, altered")
  func xmpGone() throws {
    expect(
      try without(0xE1, "http").verified(), .altered, .xmp, about: first.path,
      says: "it is missing")
  }

  @Test("the C2PA manifest taken away: manifest, altered")
  func manifestGone() throws {
    expect(
      try without(0xEB, "JP").verified(), .altered, .manifest, about: first.path,
      says: "the C2PA manifest is missing")
  }

  @Test("an assertion of the C2PA manifest changed: manifest, altered")
  func assertionChanged() throws {
    for (old, new) in [
      ("\"latitudeDegrees\":\"4", "\"latitudeDegrees\":\"5"), ("digitalCapture", "digitalCapturf"),
    ] {
      let folder = try rewritten { metadata in
        var store = try #require(metadata.manifestStore)
        let range = try #require(store.firstRange(of: Array(old.utf8)))
        store.replaceSubrange(range, with: Array(new.utf8))
        return (nil, nil, store)
      }
      expect(folder.verified(), .altered, .manifest, about: first.path, says: "was changed")
    }
  }

  @Test("the claim or the signature of the C2PA manifest changed: manifest, altered")
  func claimChanged() throws {
    let folder = try rewritten { metadata in
      var store = try #require(metadata.manifestStore)
      let range = try #require(store.firstRange(of: Array("xmp:iid:0".utf8)))
      store[range.upperBound - 1] = UInt8(ascii: "1")
      return (nil, nil, store)
    }
    expect(
      folder.verified(), .altered, .manifest, about: first.path,
      says: "the C2PA claim or its signature was changed")
  }

  @Test("the C2PA manifest of another photo: manifest, altered")
  func manifestOfAnother() throws {
    let other = try JPEGMetadata(try #require(folder[second.path])).manifestStore
    let folder = try rewritten { _ in (nil, nil, other) }
    expect(
      folder.verified(), .altered, .manifest, about: first.path, says: "contains a different record"
    )
  }

  @Test("an APP14 segment put into the photo, which changes its colours: file, altered")
  func colourSegment() throws {
    var folder = folder
    let before = try #require(folder[first.path])
    // Adobe's marker: three components that are not to be transformed, so red, green and blue.
    let segment: [UInt8] =
      [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]
    let after = Array(before[0..<2]) + segment + Array(before[2...])
    folder[first.path] = after
    #expect(try CaptureDigests.image(of: before) == CaptureDigests.image(of: after))
    let report = folder.verified()
    expect(report, .altered, .file, about: first.path)
    #expect(!report.findings.contains { $0.check == .image })
  }

  @Test("bytes appended to the photo: file, altered")
  func bytesAppended() {
    var folder = folder
    folder[first.path]?.append(0)
    expect(folder.verified(), .altered, .file, about: first.path)
  }

  @Test("a number of the record changed: seal, altered")
  func recordChanged() throws {
    for path in [
      ["position", "latitudeDegrees"], ["time", "gnss"], ["time", "device"], ["task", "id"],
      ["orientation", "azimuthDegreesTrue"], ["photo", "image"], ["inspector"], ["simulated"],
    ] {
      var folder = folder
      let file = try JSONValue(parsing: try #require(folder[first.sealPath]))
      let changed = file.setting(["record"] + path, to: .string("1"))
      folder[first.sealPath] = changed.canonicalBytes
      expect(
        folder.verified(), .altered, .seal, about: first.sealPath,
        says: "the record is not the one that was sealed")
    }
  }

  @Test("a member added to the record, all in canonical form: seal, altered")
  func recordMadeAgain() throws {
    var folder = folder
    let file = try JSONValue(parsing: try #require(folder[first.sealPath]))
    folder[first.sealPath] = file.setting(["record", "x"], to: .null).canonicalBytes
    expect(folder.verified(), .altered, .seal, about: first.sealPath)
  }

  @Test("a member added beside the record: seal, altered")
  func memberBesideTheRecord() throws {
    var folder = folder
    let file = try JSONValue(parsing: try #require(folder[first.sealPath]))
    folder[first.sealPath] = file.setting(["x"], to: .null).canonicalBytes
    expect(folder.verified(), .altered, .seal, about: first.sealPath)
  }

  @Test("white space added to the seal file: seal, altered")
  func blankAdded() throws {
    let bytes = try #require(folder[first.sealPath])
    let text = String(decoding: bytes, as: UTF8.self)
    for changed in [text + "\n", text + " ", " " + text, text.replacing(":", with: ": ")] {
      var folder = folder
      folder[first.sealPath] = Array(changed.utf8)
      expect(folder.verified(), .altered, .seal, about: first.sealPath)
    }
  }

  @Test("a bit of the signature changed: seal, altered")
  func signatureChanged() throws {
    var folder = folder
    let bytes = try #require(folder[first.sealPath])
    // The last dot of the JWS stands before the signature.
    let mark = try #require(bytes.lastIndex(of: UInt8(ascii: ".")))
    folder[first.sealPath]?[mark + 12] = bytes[mark + 12] == 0x41 ? 0x42 : 0x41
    expect(folder.verified(), .altered, .seal, about: first.sealPath)
  }

  @Test("the records of two photos exchanged: file, altered")
  func recordsExchanged() {
    var folder = folder
    folder.exchange(first.sealPath, second.sealPath)
    let report = folder.verified()
    expect(report, .altered, .file, about: first.path)
    expect(report, .altered, .file, about: second.path)
  }

  @Test("the pictures of two photos exchanged: file, altered")
  func picturesExchanged() {
    var folder = folder
    folder.exchange(first.path, second.path)
    expect(folder.verified(), .altered, .file, about: first.path)
  }

  @Test("a photo's picture put in place of another task's: file, altered")
  func pictureReused() {
    var folder = folder
    folder[second.path] = folder[first.path]
    expect(folder.verified(), .altered, .file, about: second.path)
  }

  @Test("a photo claimed for another task: seal, altered")
  func otherTask() throws {
    var folder = folder
    let file = try JSONValue(parsing: try #require(folder[first.sealPath]))
    folder[first.sealPath] =
      file.setting(
        ["record", "task", "id"], to: .string("018f6f2e-0000-7000-8000-000000000001")
      ).canonicalBytes
    expect(folder.verified(), .altered, .seal, about: first.sealPath)
  }

  @Test("a link taken from the middle, with all that it names: chain, incomplete")
  func linkMissing() {
    var folder = folder
    for path in [first.path, first.rawPath, first.sealPath] { folder[path] = nil }
    let next = day.entries[2].sealPath
    expect(folder.verified(), .incomplete, .chain, about: next, says: "place 2 is missing")
  }

  @Test("several links taken from the beginning: chain, incomplete")
  func beginningMissing() {
    var folder = folder
    for entry in day.entries[..<3] {
      for path in [entry.path, entry.rawPath, entry.sealPath] { folder[path] = nil }
    }
    expect(
      folder.verified(), .incomplete, .chain, about: day.entries[3].sealPath,
      says: "place 1–3 is missing")
  }

  @Test("links taken from the chain's end: intact, since nobody can show that they were there")
  func endMissing() {
    var folder = folder
    for entry in day.entries[7...] {
      for path in [entry.path, entry.rawPath, entry.sealPath] { folder[path] = nil }
    }
    expectIntact(folder.verified(), seals: 7)
  }

  @Test("a seal file taken away and its photo left: unnamed and chain, incomplete")
  func sealMissing() {
    var folder = folder
    folder[first.sealPath] = nil
    let report = folder.verified()
    expect(report, .incomplete, .unnamed, about: first.path)
    expect(report, .incomplete, .unnamed, about: first.rawPath)
    expect(report, .incomplete, .chain, about: day.entries[2].sealPath)
  }

  @Test("another capture's raw window in this one's place: raw window, altered")
  func rawWindowExchanged() {
    var folder = folder
    folder[first.rawPath] = folder[second.rawPath]
    expect(folder.verified(), .altered, .rawWindow, about: first.rawPath)
  }

  @Test("a byte of the raw window changed: raw window, altered")
  func rawWindowChanged() throws {
    let bytes = try #require(folder[first.rawPath])
    // Even the byte that names gzip's operating system is sealed, although it carries no content.
    for place in [9, bytes.count / 2, bytes.count - 1] {
      var folder = folder
      folder.flip(first.rawPath, at: place)
      expect(folder.verified(), .altered, .rawWindow, about: first.rawPath)
    }
  }

  @Test("a photo missing: file, incomplete")
  func photoMissing() {
    var folder = folder
    folder[first.path] = nil
    expect(folder.verified(), .incomplete, .file, about: first.path)
  }

  @Test("a raw window missing: raw window, incomplete")
  func rawMissing() {
    var folder = folder
    folder[first.rawPath] = nil
    expect(folder.verified(), .incomplete, .rawWindow, about: first.rawPath)
  }

  @Test("a track's points missing or changed: file, incomplete or altered")
  func trackTouched() throws {
    #expect(track.kind == .track)
    var folder = folder
    folder[track.path]?.append(0x20)
    expect(folder.verified(), .altered, .file, about: track.path)
    folder[track.path] = nil
    expect(folder.verified(), .incomplete, .file, about: track.path)
  }

  @Test(
    "a file that no seal names: unnamed, incomplete",
    arguments: ["photos/00/new.jpg", "new.JPG", "a/b.jpeg", "photos/00/x.raw", "tracks/00/x.track"])
  func unnamed(path: String) {
    var folder = folder
    folder[path] = [1, 2, 3]
    expect(folder.verified(), .incomplete, .unnamed, about: path)
  }

  @Test("files that are no evidence trouble nobody")
  func otherFiles() {
    var folder = folder
    for path in ["standpoint.sqlite", "README.txt", "lock", "keys/x.pem", "export.kml"] {
      folder[path] = [1]
    }
    expectIntact(folder.verified(), seals: day.entries.count)
  }

  @Test("a photo that was deleted before it was sent: deletion, a note, and intact")
  func deletionIsNoAttack() {
    #expect(deleted.isDeleted)
    let report = folder.verified()
    expect(report, .intact, .deletion, about: deleted.path, says: "blurred")
    expect(report, .intact, .deletion, about: deleted.rawPath)
  }

  @Test("the record of a deletion taken away: file and chain, incomplete")
  func deletionMissing() {
    var folder = folder
    let deletion = day.entries[6]
    #expect(deletion.kind == .deletion)
    folder[deletion.sealPath] = nil
    let report = folder.verified()
    expect(report, .incomplete, .file, about: deleted.path)
    expect(report, .incomplete, .chain, about: day.entries[7].sealPath)
  }

  @Test("the record of what was deleted taken away as well: deletion and chain, incomplete")
  func deletedRecordMissing() {
    var folder = folder
    folder[deleted.sealPath] = nil
    expect(folder.verified(), .incomplete, .deletion, about: day.entries[6].sealPath)
  }

  @Test("a file that is there and cannot be read: incomplete, not altered")
  func unreadable() {
    for (path, check) in [
      (first.path, Finding.Check.file), (first.rawPath, .rawWindow), (first.sealPath, .seal),
    ] {
      var folder = folder
      folder.unreadable = [path]
      expect(folder.verified(), .incomplete, check, about: path, says: "cannot be read")
    }
  }

  @Test("a seal file of garbage, nothing, or nesting without end: seal, altered")
  func sealGarbage() {
    let garbage: [[UInt8]] = [
      [], [0], Array("garbage".utf8), [UInt8](repeating: 0x5B, count: 500_000),
      Array(String(repeating: #"{"a":"#, count: 100_000).utf8), [UInt8](repeating: 0xFF, count: 99),
    ]
    for bytes in garbage {
      var folder = folder
      folder[first.sealPath] = bytes
      let report = folder.verified()
      expect(report, .altered, .seal, about: first.sealPath)
      // No second finding calls the photo unnamed.
      #expect(!report.findings.contains { $0.check == .unnamed })
    }
  }

  @Test("a copy of a capture in another folder is a note, and no fork")
  func copies() throws {
    var folder = folder
    for path in [first.path, first.rawPath, first.sealPath] {
      folder["backup/" + path] = folder[path]
    }
    let report = folder.verified()
    expectIntact(report, seals: day.entries.count)
    expect(report, .intact, .chain, about: first.sealPath, says: "a copy of backup/")
  }

  @Test("a copy whose photo was changed: file, altered")
  func changedCopy() {
    var folder = folder
    for path in [first.path, first.rawPath, first.sealPath] {
      folder["zz/" + path] = folder[path]
    }
    folder.flip("zz/" + first.path, at: 900)
    expect(folder.verified(), .altered, .file, about: "zz/" + first.path)
  }

  @Test("a seal copied without its files does not make them missing")
  func copyOfSealAlone() {
    var folder = folder
    folder["aa/\(first.id).jpg.seal"] = folder[first.sealPath]
    expectIntact(folder.verified(), seals: day.entries.count)
  }

  @Test("a single photo is judged without its chain")
  func single() throws {
    var one = MemoryFiles()
    for path in [second.path, second.rawPath, second.sealPath] { one[path] = folder[path] }
    expectIntact(one.verified(.single), seals: 1)
    expect(one.verified(.whole), .incomplete, .chain, about: second.sealPath)
    one.flip(second.path, at: 500)
    expect(one.verified(.single), .altered, .file, about: second.path)
  }

  @Test("a folder in which nothing is sealed says so by its count")
  func nothingSealed() {
    let empty = MemoryFiles().verified()
    #expect(empty.checked == 0)
    #expect(empty.findings.isEmpty)
    #expect(empty.keys.isEmpty)
    var photos = MemoryFiles()
    photos["a.jpg"] = FieldDay.pictures[0]
    expect(photos.verified(), .incomplete, .unnamed, about: "a.jpg")
  }

  @Test("progress counts the seals up to their number")
  func progress() {
    var told: [Int] = []
    _ = Verifier.verify(folder, scope: .whole) { done, all in
      #expect(all == day.entries.count)
      told.append(done)
    }
    #expect(told == Array(stride(from: 0, to: day.entries.count, by: Verifier.batch)))
  }

  @Test("any byte of any file changed, or cut off, is noticed")
  func everyFile() throws {
    try forEachFileAndSeed { seed, path, random in
      var changed = folder
      let count = try #require(folder[path]).count
      if Bool.random(using: &random) {
        changed.flip(path, at: Int.random(in: 0..<count, using: &random))
      } else {
        changed[path] = Array(
          try #require(folder[path])[..<Int.random(in: 0..<count, using: &random)])
      }
      #expect(changed.verified().verdict == .altered, "seed \(seed), \(path)")
    }
  }

  private func forEachFileAndSeed(
    _ body: (UInt64, String, inout SeededGenerator) throws -> Void
  ) rethrows {
    for (index, path) in folder.paths.sorted().enumerated() {
      var random = SeededGenerator(seed: UInt64(index))
      try body(UInt64(index), path, &random)
    }
  }
}
