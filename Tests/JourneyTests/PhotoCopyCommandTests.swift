import Foundation
import TestSupport
import Testing

@Suite("office photos")
struct PhotoCopyCommandTests {
  private static func run(
    _ arguments: [String], _ folder: URL, _ environment: [String: String] = [:]
  ) async throws -> Program.Outcome {
    let own = ["HOME": folder.path, "AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""]
    return try await Program.run(
      Program.standpoint,
      ["office", "photos"] + arguments + ["--data", folder.appendingPathComponent("data").path],
      environment: own.merging(environment) { $1 })
  }

  @Test("an address, a key and a store that cannot be used are told in one line, and no key is")
  func refusals() async throws {
    try await withTemporaryDirectory { folder in
      _ = try await Program.run(
        Program.standpoint,
        ["office", "agency", "add", "north", "--data", folder.appendingPathComponent("data").path])
      let key = ["AWS_ACCESS_KEY_ID": "inspectionkey", "AWS_SECRET_ACCESS_KEY": "hunter2"]
      for (address, environment, status, words) in [
        ("photos", key, 2, "looks like s3://"), ("s3://a:hunter2@photos", key, 2, "no credentials"),
        ("s3://photos?endpoint=http://store.lan", key, 2, "plain=yes"),
        ("s3://photos", [:], 2, "AWS_ACCESS_KEY_ID"),
        ("s3://photos?endpoint=http://127.0.0.1:1", key, 3, "nothing answers at 127.0.0.1:1"),
      ] as [(String, [String: String], Int32, String)] {
        let outcome = try await Self.run(["copy", "--to", address], folder, environment)
        #expect(outcome.status == status, "\(outcome)")
        #expect(outcome.errors.contains(words), "\(outcome)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome)")
        #expect(!outcome.errors.contains("hunter2"))
      }
    }
  }

  @Test(
    "an office's files go into an object store and come back",
    .enabled(if: ObjectServer.areHere, PythonTools.absence))
  func bothWays() async throws {
    try await withTemporaryDirectory { folder in
      let stores = folder.appendingPathComponent("stores")
      try FileManager.default.createDirectory(at: stores, withIntermediateDirectories: true)
      let server = try await ObjectServer(.rclone, in: stores)
      let keys = folder.appendingPathComponent(".aws")
      try FileManager.default.createDirectory(at: keys, withIntermediateDirectories: true)
      let file = keys.appendingPathComponent("credentials").path
      let text =
        "[default]\naws_access_key_id = \(ObjectServer.identifier)\naws_secret_access_key = \(ObjectServer.secret)\n"
      #expect(
        FileManager.default.createFile(
          atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: 0o644]))
      let open = try await Self.run(["copy", "--to", server.address], folder)
      #expect(open.status == 2 && open.errors.contains("chmod 600"), "\(open)")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      let typo = try await Self.run(["copy", "--to", server.address], folder)
      #expect(typo.status == 2 && typo.errors.contains("there is no office in"), "\(typo)")
      _ = try await Program.run(
        Program.standpoint,
        ["office", "agency", "add", "north", "--data", folder.appendingPathComponent("data").path])
      let photo = folder.appendingPathComponent("data/office/photos/0a/1.jpg")
      try FileManager.default.createDirectory(
        at: photo.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("a photo".utf8).write(to: photo)
      let copy = try await Self.run(["copy", "--to", server.address, "--format", "json"], folder)
      #expect(copy.status == 0, "\(copy)")
      #expect(copy.output.contains("\"complaints\":0,\"copied\":1,"), "\(copy)")
      try FileManager.default.removeItem(at: photo)
      let fetch = try await Self.run(["fetch", "--from", server.address], folder)
      #expect(fetch.status == 0, "\(fetch)")
      #expect(fetch.output.contains("1 brought back"), "\(fetch)")
      let check = try await Self.run(["fetch", "--check", "--from", server.address], folder)
      #expect(check.status == 0 && check.output.contains("read"), "\(check)")
      #expect(try String(contentsOf: photo, encoding: .utf8) == "a photo")
    }
  }
}
