import Evidence
import FieldUnit
import Foundation
import Inspection
import OfficeScenes
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Verification

@testable import Office
@testable import OfficePages

@Suite("Office and verifier say the same of the same data")
struct SameWordsTests {
  /// Returns the words of both on clocks and raw windows, in the order of the photos.
  private func words(
    _ scene: OfficeScene, of photos: [Identifier]
  ) async throws -> (office: [[String]], verifier: [[String]]) {
    func isCompared(_ finding: Finding) -> Bool {
      [.times, .rawWindow].contains(finding.check)
    }
    let office = try await scene.office.database.read(in: "north") { session in
      try photos.map { id in
        try session.photos.photo(id).findings.filter(isCompared).map(\.message).sorted()
      }
    }
    let folder = scene.folder.appendingPathComponent("office-data/office").path
    let report = Verifier.verify(try EvidenceFolder(folder: folder), scope: .whole)
    let verifier = photos.map { id in
      report.findings.filter { isCompared($0) && $0.subject.contains(id.description) }
        .map(\.message).sorted()
    }
    return (office, verifier)
  }

  /// Delivers one photo from a device, and returns a forger who holds its key.
  private func forger(
    _ scene: OfficeScene, _ login: String, on device: String, _ number: Int
  ) async throws -> Forger {
    let unit = try await scene.unit(login, on: device)
    let photo = try await scene.capture(unit, nil, number)
    try unit.sendPhotos([photo.id])
    _ = try await unit.delivery.deliver(over: scene.link)
    return try await Forger(scene, device: device, after: photo.id)
  }

  @Test("a clock that went back a year, and small steps that add up")
  func clock() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      var forger = try await forger(scene, "ines", on: "tablet", 1)
      let now = try #require(forger.model.deviceTime)
      var ids: [Identifier] = []
      for seconds: Double in [0, -60, -120, -86_400 * 365, 10] {
        ids.append(
          try forger.capture(record: { $0.setTime(now.advanced(bySeconds: seconds)) }))
        // Each record comes in a batch of its own: the office remembers how far the clock was.
        try await forger.deliver()
      }
      let said = try await words(scene, of: ids)
      #expect(said.office == said.verifier)
      let turned = said.office.map { $0.contains { $0.contains("turned back") } }
      #expect(turned == [false, false, true, true, false])
    }
  }

  @Test("a raw window once more, packed and divided in another way, by the same device")
  func sameDevice() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      var forger = try await forger(scene, "ines", on: "tablet", 1)
      let now = scene.clock.deviceTime
      let (first, second) = (Identifier(at: now), Identifier(at: now.advanced(bySeconds: 5)))
      try forger.capture(first)
      try forger.capture(second, window: { $0.chunks = $0.chunks.flatMap(Self.halves) })
      try await forger.deliver()
      let said = try await words(scene, of: [first, second])
      #expect(said.office == said.verifier)
      #expect(!said.office[0].contains { $0.contains("the same raw window as") })
      #expect(said.office[1].contains { isReuse($0, of: first) })
    }
  }

  @Test(
    "a raw window of another device, whichever of the two comes first", arguments: [true, false])
  func otherDevice(isInOrder: Bool) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      var ines = try await forger(scene, "ines", on: "tablet", 1)
      // The same walk gives another photo of the same seconds.
      var igor = try await forger(scene, "igor", on: "other", 1)
      let now = scene.clock.deviceTime
      let (early, late) = (Identifier(at: now), Identifier(at: now.advanced(bySeconds: 5)))
      try ines.capture(isInOrder ? early : late)
      try igor.capture(isInOrder ? late : early)
      try await ines.deliver()
      try await igor.deliver()
      let said = try await words(scene, of: [early, late])
      #expect(said.office == said.verifier)
      #expect(!said.office[0].contains { $0.contains("the same raw window as") })
      #expect(said.office[1].contains { isReuse($0, of: early) })
      let verdict = try await scene.office.database.read(in: "north") {
        try $0.photos.photo(late).verdict
      }
      #expect(verdict == .doubtful)
    }
  }

  private func isReuse(_ words: String, of photo: Identifier) -> Bool {
    words.contains("the same raw window as") && words.contains("\(photo)")
  }

  private static func halves(_ chunk: RawChunk) -> [RawChunk] {
    let middle = chunk.bytes.count / 2
    return [Array(chunk.bytes[..<middle]), Array(chunk.bytes[middle...])].map {
      RawChunk(arrival: chunk.arrival, bytes: $0)
    }
  }
}

extension JSONValue {
  fileprivate mutating func setTime(_ time: DeviceTime) {
    guard case .object(var members) = self, case .object(var times)? = members["time"] else {
      return
    }
    times["device"] = .string(time.rfc3339)
    members["time"] = .object(times)
    self = .object(members)
  }
}
