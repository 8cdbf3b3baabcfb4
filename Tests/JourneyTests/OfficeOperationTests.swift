import Foundation
import TestSupport
import Testing

/// Tests of backup, restore, quotas and phones as an administrator types them.
@Suite("Looking after the office from a terminal")
struct OfficeOperationTests {
  private func run(_ arguments: [String], data: URL) async throws -> Program.Outcome {
    try await Program.run(
      Program.standpoint, ["office"] + arguments,
      environment: [
        "HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent", "STANDPOINT_DATA": data.path,
      ])
  }

  @Test("an office is backed up, restored elsewhere, and is the same one; twice is refused")
  func backup() async throws {
    try await withTemporaryDirectory { folder in
      let (data, other) = (
        folder.appendingPathComponent("data"), folder.appendingPathComponent("other")
      )
      #expect(try await run(["agency", "add", "north"], data: data).status == 0)
      let file = folder.appendingPathComponent("office.tar").path
      let backup = try await run(["backup", file, "--format", "json"], data: data)
      #expect(backup.status == 0 && backup.errors == "", "\(backup.errors)")
      #expect(backup.output.contains("\"differences\":0"))
      let restored = try await run(["restore", file], data: other)
      #expect(restored.status == 0 && restored.errors == "", "\(restored.errors)")
      #expect(restored.output.contains("fingerprint "))
      #expect(try await run(["agency", "list"], data: other).output == "north  north\n")
      #expect(try await run(["check"], data: other).status == 0)
      let again = try await run(["restore", file], data: other)
      #expect(again.status == 2 && again.errors.contains("already"))
      let none = try await run(
        ["restore", folder.path], data: folder.appendingPathComponent("third"))
      #expect(none.status == 2)
    }
  }

  @Test("a quota is shown and changed; what is none is refused")
  func quota() async throws {
    try await withTemporaryDirectory { folder in
      #expect(try await run(["agency", "add", "north"], data: folder).status == 0)
      #expect(
        try await run(["agency", "quota", "north"], data: folder).output
          == "north: 0 bytes delivered, quota none\n")
      let set = try await run(
        ["agency", "quota", "north", "--bytes", "5000", "--format", "json"], data: folder)
      #expect(set.output == "{\"agency\":\"north\",\"quotaBytes\":5000,\"storedBytes\":0}\n")
      let none = try await run(["agency", "quota", "north", "--bytes", "none"], data: folder)
      #expect(none.output == "north: 0 bytes delivered, quota none\n")
      for bytes in ["-1", "many", "99999999999999999999"] {
        let refused = try await run(["agency", "quota", "north", "--bytes=\(bytes)"], data: folder)
        #expect(refused.status == 2 && refused.output == "", "\(bytes)")
      }
      #expect(try await run(["agency", "quota", "south"], data: folder).status == 2)
    }
  }

  @Test("phones are let in with a zone that somebody chose, and each app's address is said once")
  func phones() async throws {
    try await withTemporaryDirectory { folder in
      #expect(try await run(["agency", "add", "north"], data: folder).status == 0)
      let phones = ["agency", "phones", "north"]
      let address = "--address=north-secret-address-1"
      let silent = try await run(phones + [address], data: folder)
      #expect(silent.status == 2 && silent.output == "" && silent.errors.contains("--zone"))
      #expect(try await run(phones, data: folder).output == "north: no phones\n")
      let set = try await run(phones + [address, "--zone", "Europe/Prague"], data: folder)
      #expect(set.status == 0, "\(set.errors)")
      for words in [
        "EGNSS4CAP: https://THIS-OFFICE/north-secret-address-1/ws/\n",
        "EGNSS4ALL: https://THIS-OFFICE/north-secret-address-1/\n",
        "zone Europe/Prague\n",
      ] {
        #expect(set.output.contains(words), "\(set.output)")
      }
      // Earlier choices stay: the command need not name the zone again.
      let more = try await run(phones + ["--login-hours", "5"], data: folder)
      #expect(more.status == 0 && more.output.contains("5 h, zone Europe/Prague"))
      #expect(!more.output.contains("secret-address-1"))
    }
  }
}
