import Foundation
import Imagery
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

/// Claims beside the position that an attacker with the key can forge: the source, the picture, the
/// time and a deletion.
@Suite("Claims forged with the key")
struct ForgedClaimsTests {
  private let day: FieldDay

  init() throws {
    day = try FieldDay.ordinary.get()
    expectIntact(try day.folder().verified(), seals: day.entries.count)
  }

  private var sampled: FieldDay.Sealed { day.captures[0] }
  private var single: FieldDay.Sealed { day.captures[1] }

  @Test("EXIF sealed that says otherwise than its record: exif, doubtful")
  func exif() throws {
    var day = day
    let index = try #require(day.entries.firstIndex { $0.id == sampled.id })
    let file = try #require(day.entries[index].file)
    let metadata = try JPEGMetadata(file)
    let block = try ExifBlock(try #require(metadata.exif)).adding([.gps: [0x01: .text("S")]])
    let parts = try metadata.parts(exif: block.bytes, xmp: nil)
    // The key's holder makes the manifest anew, too.
    let segments = try CaptureManifest.draft(record: sampled.record, source: .camera).segments(
      between: parts.head, and: parts.tail, certificate: try day.certificate(), key: day.key)
    day.entries[index].file = parts.head + segments + parts.tail
    let report = try day.folder().verified()
    expect(report, .doubtful, .exif, about: sampled.sealPath, says: "GPSLatitudeRef")
    #expect(!report.findings.contains { $0.check == .manifest })
  }

  // MARK: simulators, imports, the same picture

  @Test("a simulator that the record declares is a note, and one that it hides is doubtful")
  func simulator() throws {
    var day = try FieldDay(seed: 5)
    let id = try day.capture(
      at: try FieldDay.place(48.2, 11.6), sampler: try FieldDay.rules(6, .mean),
      picture: FieldDay.pictures[0], isSimulated: true)
    let declared = try day.folder().verified()
    expectIntact(declared, seals: 1)
    expect(declared, .intact, .simulated, about: day.entries[0].sealPath)
    for value: JSONValue? in [nil, .bool(false), .string("true")] {
      var hidden = day
      hidden.change(id, ["simulated"], to: value)
      expect(
        try hidden.folder().verified(), .doubtful, .simulated, about: day.entries[0].sealPath)
    }
  }

  @Test("a replay whose record does not say so: simulated, doubtful")
  func replay() throws {
    var day = try FieldDay(seed: 6)
    day.source = "file:///tmp/walk.nmea?rate=max"
    try day.capture(
      at: try FieldDay.place(48.2, 11.6), sampler: nil, picture: FieldDay.pictures[0])
    expect(try day.folder().verified(), .doubtful, .simulated, about: day.entries[0].sealPath)
  }

  @Test("an imported picture that says so is a note")
  func imported() throws {
    var day = try FieldDay(seed: 7)
    try day.capture(
      at: try FieldDay.place(48.2, 11.6), sampler: nil, picture: FieldDay.pictures[0],
      origin: .imported)
    let report = try day.folder().verified()
    expectIntact(report, seals: 1)
    expect(report, .intact, .origin, about: day.entries[0].sealPath)
  }

  @Test("a picture sealed twice as taken by the camera, even with other metadata: reused, doubtful")
  func reused() throws {
    var picture = FieldDay.pictures[0]
    picture[20] ^= 1
    for (origin, isSimulated, verdict) in [
      (PhotoOrigin.camera, false, EvidenceVerdict.doubtful), (.imported, false, .intact),
      (.camera, true, .intact),
    ] {
      var day = try FieldDay(seed: 8)
      let here = try FieldDay.place(48.2, 11.6)
      try day.capture(
        at: here, sampler: nil, picture: FieldDay.pictures[0], isSimulated: isSimulated)
      try day.capture(
        at: here, sampler: nil, picture: picture, origin: origin, isSimulated: isSimulated)
      let report = try day.folder().verified()
      #expect(report.verdict == verdict, "\(report.findings)")
      if !isSimulated {
        expect(report, verdict, .reused, about: day.entries[1].sealPath)
      }
    }
  }

  @Test("an imported photo dressed as captured, its record sealed anew: manifest, doubtful")
  func importedRecordSaysCamera() throws {
    var day = try FieldDay(seed: 10)
    let id = try day.capture(
      at: try FieldDay.place(48.2, 11.6), sampler: nil, picture: FieldDay.pictures[0],
      origin: .imported)
    expectIntact(try day.folder().verified(), seals: 1)
    // The file keeps its manifest, which says that it was opened, not taken.
    let file = day.entries[0].file
    day.change(id, ["photo", "origin"], to: .string("camera"))
    day.entries[0].file = file
    expect(try day.folder().verified(), .doubtful, .manifest, about: day.entries[0].sealPath)
  }

  @Test("an import that was sealed once, and then as taken by the camera: reused, doubtful")
  func importDressedAsCapture() throws {
    var day = try FieldDay(seed: 9)
    let here = try FieldDay.place(48.2, 11.6)
    try day.capture(at: here, sampler: nil, picture: FieldDay.pictures[0], origin: .imported)
    try day.capture(at: here, sampler: nil, picture: FieldDay.pictures[0])
    expect(try day.folder().verified(), .doubtful, .reused, about: day.entries[1].sealPath)
  }

  @Test("a picture whose own EXIF is of another year: exif, doubtful")
  func oldPicture() throws {
    let old = try FieldDay.picture(taken: "2019:04:30 11:58:07")
    for (origin, verdict) in [(PhotoOrigin.camera, EvidenceVerdict.doubtful), (.imported, .intact)]
    {
      var day = try FieldDay(seed: 13)
      try day.capture(
        at: try FieldDay.place(48.2, 11.6), sampler: nil, picture: old, origin: origin)
      let report = try day.folder().verified()
      #expect(report.verdict == verdict, "\(report.findings)")
      #expect(
        report.findings.contains { $0.check == .exif && $0.message.contains("2019:04:30") })
    }
  }

  @Test("a record of another size than its picture, sealed anew: image, doubtful")
  func otherSize() throws {
    let entry = single
    expect(
      try day.resealed(entry, ["photo", "widthPixels"], .number(4000)), .doubtful, .image,
      about: entry.sealPath, says: "pixels")
  }

  // MARK: clocks

  @Test("the device's clock turned back between two records: times, doubtful")
  func clockTurnedBack() throws {
    let note = day.entries[2]
    expect(
      try day.resealed(note, ["time", "device"], .string("2026-05-11T23:00:00.000Z")), .doubtful,
      .times, about: note.sealPath, says: "turned back")
    // The records behind it are not accused as well.
    let report = try day.resealed(note, ["time", "device"], .string("2026-05-11T23:00:00.000Z"))
    #expect(report.findings.filter { $0.check == .times }.count == 1)
  }

  @Test("seconds between a shutter and its seal, or a clock set by the network, accuse nobody")
  func clockTolerance() throws {
    for (seconds, verdict) in [(-89.0, EvidenceVerdict.intact), (-91, .doubtful)] {
      var day = try FieldDay(seed: 10)
      day.note("one")
      // The next identifier is made a second later.
      day.now = day.now.advanced(bySeconds: seconds - 1)
      day.note("two")
      #expect(try day.folder().verified().verdict == verdict, "\(seconds) s")
    }
  }

  @Test("a clock turned back in small steps is noticed when the steps add up")
  func smallSteps() throws {
    var day = try FieldDay(seed: 11)
    day.note("one")
    for _ in 0..<3 {
      day.now = day.now.advanced(bySeconds: -60)
      day.note("and earlier")
    }
    expect(try day.folder().verified(), .doubtful, .times, about: day.entries[2].sealPath)
  }

  @Test("simulated records run under their log's clock and turn nothing back")
  func simulatedClock() throws {
    var day = try FieldDay(seed: 12)
    day.note("now")
    day.now = day.now.advanced(bySeconds: -1e6)
    try day.capture(
      at: try FieldDay.place(48.2, 11.6), sampler: nil, picture: FieldDay.pictures[0],
      isSimulated: true)
    day.now = day.now.advanced(bySeconds: 1.1e6)
    day.note("later")
    expectIntact(try day.folder().verified(), seals: 3)
  }

  @Test("the receiver's time off by a day and sealed again: times, doubtful")
  func gnssTimeOff() throws {
    for entry in [sampled, single] {
      let text = try #require(entry.record["time"]?["gnss"]?.text)
      let time = try #require(DeviceTime(rfc3339: text))
      for days in [-1.0, 1] {
        let other = time.advanced(bySeconds: days * 86_400).rfc3339
        expect(
          try day.resealed(entry, ["time", "gnss"], .string(other)), .doubtful, .times,
          about: entry.sealPath)
      }
      for value: JSONValue? in [nil, .string(""), .string("10:00:00.000")] {
        expect(
          try day.resealed(entry, ["time", "gnss"], value), .doubtful, .times, about: entry.sealPath
        )
      }
    }
  }

  @Test("an old raw window with a record to match, sealed by a clock of today: times, doubtful")
  func oldWindow() throws {
    // The whole capture is of May 12. Only the device's time says May 13, and the claimed
    // difference of the clocks is zero.
    let text = try #require(single.record["time"]?["device"]?.text)
    let late = try #require(DeviceTime(rfc3339: text)).advanced(bySeconds: 86_400)
    var forged = day
    forged.change(single.id, ["time", "device"], to: .string(late.rfc3339))
    forged.change(single.id, ["time", "deviceMinusGNSSSeconds"], to: .string("0.000"))
    forged.entries = [try #require(forged.entries.first { $0.id == single.id })]
    expect(
      try forged.folder().verified(), .doubtful, .times, about: single.sealPath,
      says: "differ by")
  }

  @Test("a difference of the clocks that is not theirs: times, doubtful")
  func wrongDifference() throws {
    expect(
      try day.resealed(single, ["time", "deviceMinusGNSSSeconds"], .string("7.000")), .doubtful,
      .times, about: single.sealPath)
    expect(
      try day.resealed(single, ["time", "device"], nil), .doubtful, .times, about: single.sealPath)
  }

  @Test("a receiver that never says the date is compared by the time of day")
  func withoutDate() throws {
    var day = try FieldDay(seed: 13)
    try day.capture(
      at: try FieldDay.place(-12.5, -77), sampler: try FieldDay.rules(4, .mean),
      picture: FieldDay.pictures[0], sends: { sentence, _ in sentence != "RMC" })
    let entry = day.entries[0]
    #expect(entry.record["time"]?["dateFrom"]?.text == "device")
    expectIntact(try day.folder().verified(), seals: 1)
    let text = try #require(entry.record["time"]?["device"]?.text)
    let late = try #require(DeviceTime(rfc3339: text)).advanced(bySeconds: 3600)
    day.change(entry.id, ["time", "device"], to: .string(late.rfc3339))
    expect(try day.folder().verified(), .doubtful, .times, about: entry.sealPath)
  }

  // MARK: members and files of each kind of record

  @Test("a capture sealed without its photo: file, doubtful, and the photo is unnamed")
  func captureWithoutFile() throws {
    var day = day
    let index = try #require(day.entries.firstIndex { $0.id == sampled.id })
    day.entries[index].file = nil
    var folder = try day.folder()
    expect(folder.verified(), .doubtful, .file, about: sampled.sealPath)
    folder[sampled.path] = sampled.file
    expect(folder.verified(), .incomplete, .unnamed, about: sampled.path)
    // A check of single photos does not vouch for the photo either.
    expect(folder.verified(.single), .doubtful, .file, about: sampled.sealPath)
  }

  @Test("a track sealed without its points: file, doubtful")
  func trackWithoutFile() throws {
    var day = day
    let index = try #require(day.entries.firstIndex { $0.kind == .track })
    day.entries[index].file = nil
    expect(try day.folder().verified(), .doubtful, .file, about: day.entries[index].sealPath)
  }

  @Test("a photo sealed as a note, which nobody checks as a photo: file, doubtful")
  func photoAsNote() throws {
    var day = try FieldDay(seed: 14)
    day.note("look")
    day.entries[0].file = FieldDay.pictures[0]
    expect(try day.folder().verified(), .doubtful, .file, about: day.entries[0].sealPath)
  }

  @Test("a photo sealed whose image data are not the record's: image, altered")
  func otherImage() throws {
    for file in [FieldDay.pictures[4], Array("no picture".utf8)] {
      var day = day
      let index = try #require(day.entries.firstIndex { $0.id == sampled.id })
      day.entries[index].file = file
      expect(try day.folder().verified(), .altered, .image, about: sampled.sealPath)
    }
  }

  @Test("the same identifier sealed twice: chain, doubtful")
  func identifierTwice() throws {
    var day = try FieldDay(seed: 15)
    day.note("one")
    day.note("two")
    day.entries[1].id = day.entries[0].id
    day.change(day.entries[0].id, ["note", "text"], to: .string("first"))
    day.entries[1].record = day.entries[1].record.setting(
      ["id"], to: .string(day.entries[0].id.description))
    var folder = MemoryFiles()
    for (number, file) in try day.sealFiles().enumerated() { folder["\(number).seal"] = file.bytes }
    expect(folder.verified(), .doubtful, .chain, about: "1.seal", says: "identifier")
  }

  // MARK: deletions

  @Test("a deletion that names another record, or none: the photo is missing, incomplete")
  func deletionOfAnother() throws {
    let deletion = try #require(day.entries.first { $0.kind == .deletion })
    let deleted = try #require(day.entries.first { $0.isDeleted })
    let changes: [([String], JSONValue?)] = [
      (["deletion", "record"], .string(String(repeating: "0", count: 64))),
      (["deletion", "record"], nil), (["deletion", "id"], .string(sampled.id.description)),
      (["deletion", "id"], nil), (["deletion"], nil),
      (["deletion", "record"], .string(Digest.hexadecimal(sampled.record.canonicalBytes))),
    ]
    for (path, value) in changes {
      let report = try day.resealed(deletion, path, value)
      expect(report, .incomplete, .deletion, about: deletion.sealPath)
      expect(report, .incomplete, .file, about: deleted.path)
    }
  }

  @Test("a deletion sealed before what it deletes, or with another key, counts for nothing")
  func deletionOutOfPlace() throws {
    let deleted = try #require(day.entries.firstIndex { $0.isDeleted })
    var early = day
    early.entries.swapAt(deleted, deleted + 1)
    let path = day.entries[deleted].path
    expect(try early.folder().verified(), .incomplete, .file, about: path)

    var other = try FieldDay(seed: 16)
    var folder = try day.folder()
    let victim = sampled
    other.entries.append(victim)
    other.delete(victim.id, reason: "not mine to delete")
    other.entries.removeFirst()
    folder.contents.merge(try other.folder().contents) { $1 }
    folder[victim.path] = nil
    expect(folder.verified(), .incomplete, .file, about: victim.path)
  }
}
