import Inspection
import Office
import Positioning
import Store
import Sync
import Testing
import TimeAndText

@Suite("The contract of enrolled devices", .timeLimit(.minutes(2)))
struct DeviceContract {
  private func device(
    _ key: String, of inspector: String = "ines", after seconds: Double = 0
  ) -> EnrolledDevice {
    EnrolledDevice(
      key: key, inspector: inspector, device: "tablet", certificate: "PEM of \(key)",
      software: key == "a" ? nil : "standpoint 1", enrolled: Samples.time(seconds))
  }

  @Test(
    "devices are the newest first, then by key, of one inspector or of all of the agency",
    arguments: OfficeEngines.all)
  func lists(engine: OfficeEngine) async throws {
    let (old, twin, other) = (device("b"), device("a"), device("c", of: "ivan"))
    let (new, southern) = (device("d", after: 9), device("e", of: "sara", after: 99))
    try await engine.withOffice { database in
      try await database.write(in: "north") { session in
        #expect(try session.devices.devices(of: nil).isEmpty)
        for device in [new, other, old, twin] { try session.devices.insert(device) }
      }
      try await database.write(in: "south") { try $0.devices.insert(southern) }
      try await database.read(in: "north") { session throws -> Void in
        #expect(try session.devices.devices(of: nil) == [new, twin, old, other])
        #expect(try session.devices.devices(of: "ines") == [new, twin, old])
        #expect(try session.devices.devices(of: "sara").isEmpty)
        #expect(try session.devices.device(withKey: "c") == other)
        #expect(try session.devices.device(withKey: "e") == nil, "another agency's")
        #expect(try session.devices.device(withKey: "C") == nil)
      }
    }
  }

  @Test("a key is enrolled once in the whole office", arguments: OfficeEngines.all)
  func duplicates(engine: OfficeEngine) async throws {
    let first = device("k")
    let (second, southern) = (device("k", of: "ivan", after: 5), device("k", of: "sara"))
    try await engine.withOffice { database in
      try await database.write(in: "north") { try $0.devices.insert(first) }
      await #expect(throws: StoreError.self) {
        try await database.write(in: "north") { try $0.devices.insert(second) }
      }
      await #expect(throws: StoreError.self) {
        try await database.write(in: "south") { try $0.devices.insert(southern) }
      }
      #expect(try await database.read(in: "north") { try $0.devices.devices(of: nil) } == [first])
      #expect(try await database.read(in: "south") { try $0.devices.devices(of: nil) }.isEmpty)
    }
  }

  @Test(
    "a device signs out and in again, and is barred with time and reason, by its own agency alone",
    arguments: OfficeEngines.all)
  func states(engine: OfficeEngine) async throws {
    let (enrolled, bystander) = (device("k"), device("l"))
    try await engine.withOffice { database in
      try await database.write(in: "north") { session in
        try session.devices.insert(enrolled)
        try session.devices.insert(bystander)
      }
      func state() async throws -> EnrolledDevice? {
        try await database.read(in: "north") { try $0.devices.device(withKey: "k") }
      }
      do {
        try await database.write(in: "south") { session in
          try session.devices.setSignedOut(Samples.time(1), deviceWithKey: "k")
          try session.devices.revokeDevice(withKey: "k", at: Samples.time(1), reason: "not theirs")
        }
      } catch is StoreError {}
      #expect(try await state() == enrolled)
      try await database.write(in: "north") {
        try $0.devices.setSignedOut(Samples.time(2), deviceWithKey: "k")
      }
      #expect(try await state()?.signedOut == Samples.time(2))
      try await database.write(in: "north") {
        try $0.devices.setSignedOut(nil, deviceWithKey: "k")
      }
      #expect(try await state() == enrolled)
      for (seconds, reason) in [(3.0, "lost"), (4.0, "found")] {
        try await database.write(in: "north") {
          try $0.devices.revokeDevice(withKey: "k", at: Samples.time(seconds), reason: reason)
        }
        let barred = try await state()
        #expect(barred?.revoked == Samples.time(3), "the first time counts")
        #expect(barred?.revokedReason == "lost")
      }
      #expect(
        try await database.read(in: "north") { try $0.devices.device(withKey: "l") } == bystander)
    }
  }
}
