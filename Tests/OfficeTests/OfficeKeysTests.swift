import Foundation
import OfficeScenes
import Positioning
import Receivers
import Store
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages

@Suite("The office's own keys")
struct OfficeKeysTests {
  static let names = [
    "authority.crt", "authority.key", "receipts.key", "receipts.crt", "forms.secret",
  ]

  private static func clock() throws -> ReplayClock {
    ReplayClock(start: try #require(DeviceTime(rfc3339: "2026-06-01T09:30:00Z")), rate: .infinity)
  }

  @Test("are made once, at the first start, and stay")
  func made() async throws {
    try await withTemporaryDirectory { folder in
      let clock = try Self.clock()
      let first = try await OfficeScene.office(folder, clock).fingerprint
      #expect(try await OfficeScene.office(folder, clock).fingerprint == first)
    }
  }

  @Test(
    "one that is lost is asked for, and never replaced by another",
    arguments: OfficeKeysTests.names)
  func lost(_ name: String) async throws {
    try await withTemporaryDirectory { folder in
      let clock = try Self.clock()
      _ = try await OfficeScene.office(folder, clock)
      let keys = folder.appendingPathComponent("office-data/office/keys")
      let lost = keys.appendingPathComponent(name)
      let kept = folder.appendingPathComponent("kept")
      func others() throws -> [Data?] {
        try Self.names.filter { $0 != name }.map {
          try Data(contentsOf: keys.appendingPathComponent($0))
        }
      }
      let before = try others()
      try FileManager.default.moveItem(at: lost, to: kept)
      await #expect(throws: StoreError.self) { try await OfficeScene.office(folder, clock) }
      #expect(!FileManager.default.fileExists(atPath: lost.path))
      #expect(try others() == before)
      try FileManager.default.moveItem(at: kept, to: lost)
      _ = try await OfficeScene.office(folder, clock)
    }
  }
}
