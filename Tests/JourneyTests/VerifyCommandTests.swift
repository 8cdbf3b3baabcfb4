import Foundation
import TestSupport
import Testing

/// Tests of `standpoint verify` as the recipient of a bundle uses it.
@Suite("The command verify")
struct VerifyCommandTests {
  private static let bundle = Repository.root.appendingPathComponent("Tests/Fixtures/day-0.1.zip")
  private static let fingerprint =
    "847175eb67c70e9b7d59f41a449de6a036d67776c14285c2bf9c1a6407c1909e"

  private func verify(_ arguments: String...) async throws -> Program.Outcome {
    try await Program.run(
      Program.standpoint, ["verify"] + arguments,
      environment: ["HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent"])
  }

  private func json(_ outcome: Program.Outcome) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
  }

  /// Unpacks the bundle into `folder`. Returns nil if there is no unzip.
  private func unpack(into folder: URL) async throws -> URL? {
    guard let unzip = Program.tool("unzip") else { return nil }
    let outcome = try await Program.run(unzip, ["-q", Self.bundle.path], folder: folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return folder
  }

  @Test("a bundle is known by what is in it, and told as JSON with keys and fingerprint")
  func bundle() async throws {
    try await withTemporaryDirectory { folder in
      let renamed = folder.appendingPathComponent("evidence.dat")
      try FileManager.default.copyItem(at: Self.bundle, to: renamed)
      for path in [Self.bundle.path, renamed.path] {
        let outcome = try await verify(path, "--format", "json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let answer = try json(outcome)
        #expect(answer["verdict"] as? String == "intact")
        #expect(answer["issuer"] as? String == "unknown")
        #expect(answer["issuerFingerprint"] as? String == Self.fingerprint)
        #expect(answer["checked"] as? Int == 8)
        #expect((answer["keys"] as? [String])?.count == 1)
        #expect(
          (answer["findings"] as? [[String: String]])?.allSatisfy { $0["severity"] == "note" }
            == true)
      }
      let words = try await verify(Self.bundle.path)
      #expect(words.output.contains("anybody can make"))
      #expect(words.output.contains(Self.fingerprint))
    }
  }

  @Test("with --trust only that authority's is status 0: by fingerprint and by certificate")
  func trust() async throws {
    try await withTemporaryDirectory { folder in
      let capitals = Self.fingerprint.uppercased()
      let trusted = try await verify(Self.bundle.path, "--trust", capitals, "--format", "json")
      #expect(trusted.status == 0, "\(trusted.errors)")
      #expect(try json(trusted)["issuer"] as? String == "trusted")
      let words = try await verify(Self.bundle.path, "--trust", capitals)
      #expect(words.output.contains("issuer trusted"))
      #expect(!words.output.contains("anybody can"))
      let stranger = try await verify(
        Self.bundle.path, "--trust", String(repeating: "0a", count: 32), "--format", "json")
      #expect(stranger.status == 1)
      #expect(try json(stranger)["issuer"] as? String == "unknown")
      // All bytes hold, and a receipt is not from the trusted authority's office.
      #expect(try json(stranger)["verdict"] as? String == "doubtful")

      guard let unpacked = try await unpack(into: folder) else { return }
      let both = try String(
        contentsOf: unpacked.appendingPathComponent("certificates/device.pem"), encoding: .utf8)
      let begin = "-----BEGIN CERTIFICATE-----"
      let parts = both.components(separatedBy: begin)
      #expect(parts.count == 3)
      let authority = folder.appendingPathComponent("authority.crt")
      try Data((begin + parts[2]).utf8).write(to: authority)
      #expect(try await verify(Self.bundle.path, "--trust", authority.path).status == 0)
      // A folder, a photo, and both together.
      let photos = unpacked.appendingPathComponent("photos")
      let photo = try #require(
        FileManager.default.enumerator(atPath: photos.path)?.compactMap { $0 as? String }
          .first { $0.hasSuffix(".jpg") })
      let file = photos.appendingPathComponent(photo).path
      for paths in [[unpacked.path], [file], [unpacked.path, file, Self.bundle.path]] {
        let outcome = try await Program.run(
          Program.standpoint, ["verify"] + paths + ["--trust", authority.path])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
      }
      try FileManager.default.removeItem(
        at: unpacked.appendingPathComponent("certificates/device.pem"))
      #expect(try await verify(file, "--trust", authority.path).status == 1)
      #expect(
        try await verify(Self.bundle.path, file, "--trust", authority.path).status == 1)
    }
  }

  @Test("a --trust or a file that is nothing of the kind: status 2 and one line")
  func nonsense() async throws {
    try await withTemporaryDirectory { folder in
      let text = folder.appendingPathComponent("text")
      try Data("nothing".utf8).write(to: text)
      let zip = folder.appendingPathComponent("x.zip")
      try Data("PK and nothing else".utf8).write(to: zip)
      for (arguments, words) in [
        ([Self.bundle.path, "--trust", "0a"], "--trust"),
        ([Self.bundle.path, "--trust", text.path], "--trust"),
        ([Self.bundle.path, "--trust", Self.bundle.path], "--trust"),
        ([Self.bundle.path, "--trust", folder.path], "--trust"),
        ([zip.path], "not a bundle"), ([text.path], "nothing sealed"),
      ] {
        let outcome = try await Program.run(Program.standpoint, ["verify"] + arguments)
        #expect(outcome.status == 2, "\(outcome.output)")
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
      }
    }
  }

  @Test("a photo taken out of an unpacked bundle, or put into it, is found")
  func changed() async throws {
    try await withTemporaryDirectory { folder in
      guard let unpacked = try await unpack(into: folder) else { return }
      let photos = unpacked.appendingPathComponent("photos")
      let photo = try #require(
        FileManager.default.enumerator(atPath: photos.path)?.compactMap { $0 as? String }
          .first { $0.hasSuffix(".jpg") })
      let file = photos.appendingPathComponent(photo)
      let added = photos.appendingPathComponent("another.jpg")
      try FileManager.default.copyItem(at: file, to: added)
      let more = try await verify(unpacked.path, "--trust", Self.fingerprint, "--format", "json")
      #expect(more.status == 1)
      #expect(try json(more)["verdict"] as? String == "incomplete")
      try FileManager.default.removeItem(at: added)
      // Hidden files and keys are no evidence.
      let keys = unpacked.appendingPathComponent("keys/more")
      try FileManager.default.createDirectory(at: keys, withIntermediateDirectories: true)
      for path in ["keys/a.jpg", "keys/more/b.jpg", ".c.jpg"] {
        try FileManager.default.copyItem(at: file, to: unpacked.appendingPathComponent(path))
      }
      #expect(try await verify(unpacked.path, "--trust", Self.fingerprint).status == 0)
      try FileManager.default.removeItem(at: file)
      #expect(try await verify(unpacked.path, "--trust", Self.fingerprint).status == 1)
    }
  }
}
