import Foundation
import Geodesy
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

/// Attacks of somebody who has the key as well and seals the changes again, so that all bytes hold.
@Suite("Attacks with the key")
struct ForgeryTests {
  private var day: FieldDay

  init() throws {
    day = try FieldDay.ordinary.get()
    expectIntact(try day.folder().verified(), seals: day.entries.count)
    // A second sealing changes nothing.
    expectIntact(try day.folder().verified(), seals: day.entries.count)
  }

  private var sampled: FieldDay.Sealed { day.captures[0] }
  private var single: FieldDay.Sealed { day.captures[1] }

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
      // 17 mm to the north or 11 mm to the east, or a centimetre, or a hundredth of a sample.
      let isAngle = path.last?.hasSuffix("Degrees") == true
      let new = isAngle ? JSONValue.degrees(old + 1.5e-7) : .metres(old + 0.01)
      expect(
        try day.resealed(sampled, path, new), .doubtful, .standpoint, about: sampled.sealPath)
      expect(
        try day.resealed(sampled, path, nil), .doubtful, .standpoint, about: sampled.sealPath)
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
        try day.resealed(sampled, path, value), .doubtful, .standpoint, about: sampled.sealPath)
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
      expect(try day.resealed(single, path, value), .doubtful, .standpoint, about: single.sealPath)
    }
  }

  @Test("a change that no record can show is not noticed: 0.1 mm")
  func tooSmall() throws {
    let old = try #require(sampled.record["position"]?["latitudeDegrees"]?.measured)
    expectIntact(
      try day.resealed(sampled, ["position", "latitudeDegrees"], .degrees(old + 1e-9)),
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
      // A second link on the same branch is a second fork.
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

  @Test("two devices with one key: chain, doubtful, wherever each of them went on")
  func clonedDevice() throws {
    var clone = day
    _ = try clone.capture(
      at: try FieldDay.place(48.3, 11.7), sampler: nil, picture: FieldDay.pictures[3])
    var original = day
    original.note("written on the device itself")
    original.note("and once more")
    var folder = try original.folder()
    for (path, bytes) in try clone.folder().contents where folder[path] == nil {
      folder[path] = bytes
    }
    let report = folder.verified()
    #expect(report.verdict == .doubtful, "\(report.findings)")
    let forks = report.findings.filter { $0.check == .chain && $0.severity == .doubtful }
    #expect(forks.contains { $0.message.contains("forks") })
  }

  @Test("a chain that goes on from a restored backup: chain, doubtful, where it parts")
  func restoredBackup() throws {
    // The office holds the links that were sealed after the backup; the device has lost them.
    var backup = day
    backup.entries.removeLast(2)
    backup.note("after the restore")
    var folder = try day.folder()
    for (path, bytes) in try backup.folder().contents where folder[path] == nil {
      folder[path] = bytes
    }
    let report = folder.verified()
    #expect(report.verdict == .doubtful, "\(report.findings)")
    #expect(
      report.findings.contains {
        $0.check == .chain && $0.message.contains("place \(day.entries.count - 1)")
      }, "\(report.findings)")
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
    // Link and record name the other key: they make another chain, and both chains have gaps.
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

  /// Returns sentences whose latitude is moved by a minute, with right checksums.
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
    expect(report, .doubtful, .rawWindow, about: single.sealPath, says: "the same raw window")
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
    expect(report, .doubtful, .standpoint, about: sampled.sealPath, says: "receiver was moving")
  }
}
