import Foundation
import TestSupport
import Testing

/// Tests of settings, backup and restore as an inspector types them.
@Suite("Looking after a field unit from a terminal")
struct FieldOperationTests {
  private func run(_ arguments: [String], data: URL) async throws -> Program.Outcome {
    try await Program.run(
      Program.standpoint, arguments,
      environment: [
        "HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent", "STANDPOINT_DATA": data.path,
      ])
  }

  @Test("settings are listed, set, said and reset; what cannot be is refused with its status")
  func settings() async throws {
    try await withTemporaryDirectory { data in
      let list = try await run(["settings"], data: data)
      #expect(list.status == 0 && list.errors == "", "\(list.errors)")
      #expect(list.output.contains("samples 20\n"))
      #expect(list.output.contains("removeDeliveredAfterDays never\n"))
      #expect(try await run(["settings", "set", "samples", "40"], data: data).status == 0)
      #expect(try await run(["settings", "get", "samples"], data: data).output == "40\n")
      let json = try await run(["settings", "list", "--format", "json"], data: data)
      let lines = json.output.split(separator: "\n")
      #expect(lines.count == 14)
      let samples = try #require(lines.first { $0.contains("\"samples\"") })
      for member in [
        "\"value\":\"40\"", "\"own\":\"40\"", "\"default\":\"20\"", "\"values\":\"1 to 500\"",
        "\"group\":\"capture\"",
      ] {
        #expect(samples.contains(member), "\(samples)")
      }
      let malformed = try await run(["settings", "set", "samples", "0"], data: data)
      #expect(malformed.status == 2 && malformed.errors.contains("1 to 500"))
      let loose = try await run(["settings", "set", "windowSeconds", "5"], data: data)
      #expect(loose.status == 1 && loose.errors.contains("only be stricter"), "\(loose.errors)")
      #expect(try await run(["settings", "set", "odd", "1"], data: data).status == 2)
      #expect(try await run(["settings", "reset", "samples"], data: data).status == 0)
      #expect(try await run(["settings", "get", "samples"], data: data).output == "20\n")
      #expect(try await run(["settings", "set", "mapFollows", "off"], data: data).status == 0)
      #expect(try await run(["settings", "reset"], data: data).status == 0)
      #expect(try await run(["settings"], data: data).output == list.output)
    }
  }

  @Test("a field unit is backed up and restored elsewhere; twice, or from nothing, is refused")
  func backup() async throws {
    try await withTemporaryDirectory { folder in
      let (data, other) = (
        folder.appendingPathComponent("data"), folder.appendingPathComponent("other")
      )
      let file = folder.appendingPathComponent("tablet.tar").path
      let none = try await run(["backup", file], data: data)
      #expect(none.status == 2 && none.errors.contains("there is no field unit"))
      #expect(!FileManager.default.fileExists(atPath: data.path), "and none was made")
      #expect(try await run(["settings", "set", "samples", "40"], data: data).status == 0)
      let backup = try await run(["backup", file, "--format", "json"], data: data)
      #expect(backup.status == 0 && backup.output.contains("\"differences\":0"))
      #expect(backup.errors.contains("can pose as this device"))
      let restored = try await run(["restore", file], data: other)
      #expect(restored.status == 0, "\(restored.errors)")
      #expect(restored.errors.contains("standpoint reconcile"))
      #expect(try await run(["settings", "get", "samples"], data: other).output == "40\n")
      let again = try await run(["restore", file], data: other)
      #expect(again.status == 2 && again.errors.contains("already"))
      let third = folder.appendingPathComponent("third")
      #expect(try await run(["restore", folder.path], data: third).status == 2)
      #expect(!FileManager.default.fileExists(atPath: third.appendingPathComponent("field").path))
    }
  }
}
