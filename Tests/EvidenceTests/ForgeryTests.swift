import Foundation
import Geodesy
import Inspection
import Positioning
import TestSupport
import Testing

@testable import Evidence

/// Attacks of somebody who has the key as well, and seals again what was changed: all bytes hold.
@Suite("Attacks with the key")
struct ForgeryTests {
  private var day: FieldDay

  init() throws {
    day = try FieldDay.ordinary.get()
    expectIntact(try day.folder().verified(), seals: day.entries.count)
    // Sealed a second time nothing changes.
    expectIntact(try day.folder().verified(), seals: day.entries.count)
  }

  private var sampled: FieldDay.Sealed { day.captures[0] }
  private var single: FieldDay.Sealed { day.captures[1] }

  /// The verdict after one member of a record was changed and the whole chain sealed again.
  private func resealed(
    _ entry: FieldDay.Sealed, _ path: [String], _ value: JSONValue?
  ) throws -> VerificationReport {
    var day = day
    day.change(entry.id, path, to: value)
    return try day.folder().verified()
  }

  @Test("each number of the standpoint changed and sealed again: standpoint, doubtful")
  func standpointChanged() throws {
    let paths: [[String]] = [
      ["position", "latitudeDegrees"], ["position", "longitudeDegrees"],
      ["position", "standpoint", "innermostLayer", "latitudeDegrees"],
      ["position", "standpoint", "mean", "longitudeDegrees"],
      ["position", "standpoint", "median", "latitudeDegrees"],
      ["position", "standpoint", "effectiveSamples"],
      ["position", "standpoint", "spreadMetres"],
      ["position", "standpoint", "uncertaintyMetres95"],
      ["position", "uncertaintyMetres95"], ["position", "ellipsoidalHeightMetres"],
      ["position", "meanSeaLevelHeightMetres"], ["position", "fix", "latitudeDegrees"],
      ["position", "fix", "horizontalUncertaintyMetres95"],
      ["gate", "statistics", "speedMetresPerSecond"],
      ["gate", "statistics", "speedUpperMetresPerSecond95"],
    ]
    for path in paths {
      let old = try #require(path.reduce(sampled.record) { $0?[$1] }?.measured)
      // 11 mm to the north or east, or a centimetre, or a hundredth of a sample.
      let isAngle = path.last?.hasSuffix("Degrees") == true
      let new = isAngle ? JSONValue.degrees(old + 1.5e-7) : .metres(old + 0.01)
      expect(
        try resealed(sampled, path, new), .doubtful, .standpoint, about: sampled.sealPath)
      expect(
        try resealed(sampled, path, nil), .doubtful, .standpoint, about: sampled.sealPath)
    }
  }

  @Test("each count and word of the standpoint changed and sealed again: standpoint, doubtful")
  func standpointWordsChanged() throws {
    let changes: [([String], JSONValue?)] = [
      (["position", "standpoint", "samples"], .integer(21)),
      (["position", "standpoint", "layers"], .integer(99)),
      (["position", "standpoint", "method"], .string("mean")),
      (["position", "standpoint", "hull"], .array([])),
      (["position", "standpoint", "firstTime"], .string("2026-05-12T06:00:00.000Z")),
      (["position", "standpoint"], nil), (["position", "method"], .string("fix")),
      (["position", "fix"], nil), (["position"], nil), (["gate", "verdict"], .string("moving")),
      (["gate", "statistics", "fixes"], .integer(70)), (["gate", "sampler"], nil),
      (["gate", "limits", "speedLimitMetresPerSecond"], .string("0.100")),
      (["gate", "limits", "setBy"], .string("office")), (["gate"], nil),
    ]
    for (path, value) in changes {
      expect(
        try resealed(sampled, path, value), .doubtful, .standpoint, about: sampled.sealPath)
    }
  }

  @Test("a single fix moved, or dressed as a standpoint: standpoint, doubtful")
  func fixChanged() throws {
    let changes: [([String], JSONValue?)] = [
      (["position", "latitudeDegrees"], .degrees(48.3)),
      (["position", "uncertaintyMetres95"], .metres(0.02)),
      (["position", "method"], .string("innermost-layer")),
      (["position", "standpoint"], sampled.record["position"]?["standpoint"]),
      (["gate", "sampler"], sampled.record["gate"]?["sampler"]),
    ]
    for (path, value) in changes {
      expect(try resealed(single, path, value), .doubtful, .standpoint, about: single.sealPath)
    }
  }

  @Test("a change that no record can show is not noticed: 0.1 mm")
  func tooSmall() throws {
    let old = try #require(sampled.record["position"]?["latitudeDegrees"]?.measured)
    expectIntact(
      try resealed(sampled, ["position", "latitudeDegrees"], .degrees(old + 1e-9)),
      seals: day.entries.count)
  }

  @Test("a record sealed again alone: chain, altered, at the link after it")
  func resealedAlone() throws {
    var changed = day
    changed.change(sampled.id, ["photo", "heightPixels"], to: .integer(241))
    var folder = try day.folder()
    folder[sampled.sealPath] = try changed.folder()[sampled.sealPath]
    expect(folder.verified(), .altered, .chain, about: day.entries[2].sealPath)
  }

  @Test("a fork, two links in one place: chain, doubtful, whichever comes first")
  func fork() throws {
    for name in ["aa.seal", "zz.seal"] {
      var folder = try day.folder()
      var branch = day
      branch.entries.removeLast(4)
      branch.note("written by a copy of the device")
      let forged = branch.entries[branch.entries.count - 1]
      folder[name] = try branch.folder()[forged.sealPath]
      // One more on the same branch continues it, and is a second fork.
      branch.note("and another one")
      let second = branch.entries[branch.entries.count - 1]
      folder["b" + name] = try branch.folder()[second.sealPath]
      let report = folder.verified()
      #expect(report.verdict == .doubtful, "\(report.findings)")
      let forks = report.findings.filter { $0.check == .chain && $0.severity == .doubtful }
      #expect(forks.count == 2, "\(report.findings)")
      #expect(forks.allSatisfy { $0.message.contains("forks") })
    }
  }

  @Test("a link inserted into the chain without sealing what follows: chain, doubtful")
  func inserted() throws {
    var folder = try day.folder()
    var other = day
    other.entries.removeLast(3)
    _ = try other.capture(
      at: try FieldDay.place(48.2, 11.6), sampler: nil, picture: FieldDay.pictures[4])
    let inserted = other.entries[other.entries.count - 1]
    let made = try other.folder()
    for path in [inserted.path, inserted.rawPath, inserted.sealPath] { folder[path] = made[path] }
    let report = folder.verified()
    #expect(report.verdict == .doubtful)
    #expect(report.findings.contains { $0.check == .chain && $0.message.contains("forks") })
  }

  @Test("one link signed with another key: seal altered, or a chain with gaps")
  func otherKey() throws {
    let other = SoftwareDeviceKey()
    let files = try day.sealFiles()
    let old = files[1].seal
    var folder = try day.folder()
    // The link still names the first key.
    folder[sampled.sealPath] =
      SealFile(record: files[1].record, seal: try Seal(old.link, with: other))
      .bytes
    expect(folder.verified(), .altered, .seal, about: sampled.sealPath)
    // The link names the key that signs, the record does not.
    var link = old.link
    link.key = other.publicKey.thumbprint
    folder[sampled.sealPath] =
      SealFile(record: files[1].record, seal: try Seal(link, with: other)).bytes
    expect(folder.verified(), .altered, .seal, about: sampled.sealPath)
    // Everything names the other key: then it is another chain, and both have gaps.
    let record = files[1].record.setting(["device", "key"], to: .string(link.key))
    link.record = Digest.hexadecimal(record.canonicalBytes)
    folder[sampled.sealPath] = SealFile(record: record, seal: try Seal(link, with: other)).bytes
    let report = folder.verified()
    expect(report, .incomplete, .chain, about: sampled.sealPath, says: "place 1 is missing")
    expect(
      report, .incomplete, .chain, about: day.entries[2].sealPath, says: "place 2 is missing")
    #expect(report.keys.count == 2)
  }

  @Test("a whole day made again under another key: intact, and only the key's name differs")
  func madeAgain() throws {
    var other = day
    other.key = SoftwareDeviceKey()
    for entry in day.entries {
      other.change(entry.id, ["device", "key"], to: .string(other.key.publicKey.thumbprint))
    }
    // Deletions name a record by its digest.
    let deleted = try #require(other.entries.first { $0.isDeleted })
    let deletion = try #require(other.entries.first { $0.kind == .deletion })
    other.change(
      deletion.id, ["deletion", "record"],
      to: .string(Digest.hexadecimal(deleted.record.canonicalBytes)))
    let report = try other.folder().verified()
    expectIntact(report, seals: day.entries.count)
    #expect(report.keys == [other.key.publicKey.thumbprint])
    #expect(report.keys != [day.key.publicKey.thumbprint])
  }

  @Test("two devices in one folder are two chains")
  func twoDevices() throws {
    var other = try FieldDay(seed: 77)
    try other.capture(
      at: try FieldDay.place(-33.9, 18.4), sampler: try FieldDay.rules(3, .mean),
      picture: FieldDay.pictures[4])
    other.note("from another device")
    var folder = try day.folder()
    folder.contents.merge(try other.folder().contents) { $1 }
    let report = folder.verified()
    expectIntact(report, seals: day.entries.count + 2)
    #expect(report.keys.count == 2)
  }

  // MARK: the raw window

  private func withWindow(
    _ entry: FieldDay.Sealed, _ change: (inout RawWindow) throws -> Void
  ) throws -> VerificationReport {
    var day = day
    let index = try #require(day.entries.firstIndex { $0.id == entry.id })
    var window = try RawWindow(fileBytes: try #require(entry.raw))
    try change(&window)
    day.entries[index].raw = try window.fileBytes()
    return try day.folder().verified()
  }

  @Test("the raw window sealed again with other bytes of the receiver: standpoint, doubtful")
  func windowChanged() throws {
    for entry in [sampled, single] {
      let report = try withWindow(entry) { window in
        for index in window.chunks.indices {
          let text = String(decoding: window.chunks[index].bytes, as: UTF8.self)
          window.chunks[index].bytes = Self.moved(text)
        }
      }
      expect(report, .doubtful, .standpoint, about: entry.sealPath)
    }
  }

  /// Sentences with their latitude moved by a minute, and right checksums.
  private static func moved(_ text: String) -> [UInt8] {
    text.split(separator: "\r\n", omittingEmptySubsequences: true).flatMap { line -> [UInt8] in
      let body = line.dropFirst().prefix { $0 != "*" }.replacing(",4812.", with: ",4813.")
      let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
      return Array("$\(body)*\(sum.count == 1 ? "0" : "")\(sum)\r\n".utf8)
    }
  }

  @Test("a raw window of noise, cut, or of nothing, sealed again: doubtful")
  func windowOfNoise() throws {
    for (check, change) in [
      (Finding.Check.times, { $0.chunks = [] }),
      (.times, { $0.chunks.removeLast(3) }),
      (.standpoint, { $0.chunks.removeFirst($0.chunks.count / 2) }),
      (
        .times,
        { window in for index in window.chunks.indices { window.chunks[index].bytes = [7] } }
      ),
      (.standpoint, { $0.gate.windowSeconds = 30 }),
      (.standpoint, { $0.sampler = nil }),
      (.standpoint, { $0.sampler?.method = .mean }),
      (.rawWindow, { $0.source = "tcp://elsewhere:1" }),
    ] as [(Finding.Check, (inout RawWindow) -> Void)] {
      let report = try withWindow(sampled) { change(&$0) }
      expect(report, .doubtful, check, about: sampled.sealPath)
    }
  }

  @Test("a raw window that nobody can read, sealed again: raw window, doubtful")
  func windowUnreadable() throws {
    for raw: [UInt8] in [[], [1, 2, 3], try Gzip.compress(Array("{}\n".utf8))] {
      var day = day
      let index = try #require(day.entries.firstIndex { $0.id == sampled.id })
      day.entries[index].raw = raw
      expect(try day.folder().verified(), .doubtful, .rawWindow, about: sampled.sealPath)
    }
  }

  @Test("another capture's raw window sealed with this one: raw window and times, doubtful")
  func windowOfAnother() throws {
    var day = day
    let index = try #require(day.entries.firstIndex { $0.id == single.id })
    day.entries[index].raw = sampled.raw
    let report = try day.folder().verified()
    expect(report, .doubtful, .rawWindow, about: single.sealPath, says: "is that of")
    expect(report, .doubtful, .times, about: single.sealPath)
  }

  @Test("no raw window sealed at all: raw window, doubtful")
  func noWindow() throws {
    var day = day
    let index = try #require(day.entries.firstIndex { $0.id == sampled.id })
    day.entries[index].raw = nil
    expect(try day.folder().verified(), .doubtful, .rawWindow, about: sampled.sealPath)
  }

  @Test("a receiver that moved between the samples and the shutter: standpoint, doubtful")
  func movedMeanwhile() throws {
    let report = try withWindow(sampled) { window in
      let last = window.chunks.count - 2
      let text = String(decoding: window.chunks[last].bytes, as: UTF8.self)
      window.chunks[last].bytes = Self.moved(text)
    }
    expect(report, .doubtful, .standpoint, about: sampled.sealPath, says: "did not stand still")
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

  @Test("an import that was sealed once, and then as taken by the camera: reused, doubtful")
  func importDressedAsCapture() throws {
    var day = try FieldDay(seed: 9)
    let here = try FieldDay.place(48.2, 11.6)
    try day.capture(at: here, sampler: nil, picture: FieldDay.pictures[0], origin: .imported)
    try day.capture(at: here, sampler: nil, picture: FieldDay.pictures[0])
    expect(try day.folder().verified(), .doubtful, .reused, about: day.entries[1].sealPath)
  }

  // MARK: clocks

  @Test("the device's clock turned back between two records: times, doubtful")
  func clockTurnedBack() throws {
    let note = day.entries[2]
    expect(
      try resealed(note, ["time", "device"], .string("2026-05-11T23:00:00.000Z")), .doubtful,
      .times, about: note.sealPath, says: "turned back")
    // What follows is not accused as well.
    let report = try resealed(note, ["time", "device"], .string("2026-05-11T23:00:00.000Z"))
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
          try resealed(entry, ["time", "gnss"], .string(other)), .doubtful, .times,
          about: entry.sealPath)
      }
      for value: JSONValue? in [nil, .string(""), .string("10:00:00.000")] {
        expect(
          try resealed(entry, ["time", "gnss"], value), .doubtful, .times, about: entry.sealPath)
      }
    }
  }

  @Test("an old raw window with a record to match, sealed by a clock of today: times, doubtful")
  func oldWindow() throws {
    // Everything about the capture is of May 12; only the device's time says the day after, and the
    // claimed difference says nothing is wrong.
    let text = try #require(single.record["time"]?["device"]?.text)
    let late = try #require(DeviceTime(rfc3339: text)).advanced(bySeconds: 86_400)
    var forged = day
    forged.change(single.id, ["time", "device"], to: .string(late.rfc3339))
    forged.change(single.id, ["time", "deviceMinusGNSSSeconds"], to: .string("0.000"))
    forged.entries = [try #require(forged.entries.first { $0.id == single.id })]
    expect(
      try forged.folder().verified(), .doubtful, .times, about: single.sealPath,
      says: "disagree about the time")
  }

  @Test("a difference of the clocks that is not theirs: times, doubtful")
  func wrongDifference() throws {
    expect(
      try resealed(single, ["time", "deviceMinusGNSSSeconds"], .string("7.000")), .doubtful,
      .times, about: single.sealPath)
    expect(
      try resealed(single, ["time", "device"], nil), .doubtful, .times, about: single.sealPath)
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

  // MARK: what a record of its kind must and must not have

  @Test("a capture sealed without its photo: file, doubtful, and the photo is unnamed")
  func captureWithoutFile() throws {
    var day = day
    let index = try #require(day.entries.firstIndex { $0.id == sampled.id })
    day.entries[index].file = nil
    var folder = try day.folder()
    expect(folder.verified(), .doubtful, .file, about: sampled.sealPath)
    folder[sampled.path] = sampled.file
    expect(folder.verified(), .incomplete, .unnamed, about: sampled.path)
    // A single photo beside such a seal is not vouched for either.
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
      let report = try resealed(deletion, path, value)
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
