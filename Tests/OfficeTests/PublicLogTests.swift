import Evidence
import Foundation
import OfficeScenes
import Positioning
import Store
import TestSupport
import Testing
import TimeAndText
import Transparency

@testable import LogPublishing
@testable import Office

@Suite("The office's log for strangers", .timeLimit(.minutes(5)))
struct PublicLogTests {
  private func grow(_ office: OfficeServer, by count: Int) async throws {
    let core = office.core
    try await office.database.writeRegistry { registry in
      for number in 0..<count {
        try registry.log(
          core.log("checkpoint-test", on: "\(number)", by: "test", agency: nil, detail: "x"))
      }
    }
  }

  private func leaves(_ office: OfficeServer) async throws -> [TreeHash] {
    try await office.database.readRegistry { registry in
      var leaves: [TreeHash] = []
      try registry.forEachLogDigest(from: 1) { leaves.append(try #require(LogTree.leaf($0))) }
      return leaves
    }
  }

  private func hashes(_ proof: String) throws -> (
    first: String, hashes: [TreeHash], note: SignedNote
  ) {
    let gap = try #require(proof.firstRange(of: "\n\n"))
    let lines = proof[..<gap.lowerBound].split(separator: "\n")
      .filter { $0 != "c2sp.org/tlog-proof@v1" }
    return (
      String(try #require(lines.first)),
      try lines.dropFirst().map { try #require(TreeHash(base64: $0)) },
      try SignedNote(String(proof[gap.upperBound...]))
    )
  }

  @Test("checkpoints and proofs of a log over three levels of tiles are those of the whole tree")
  func proofs() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let log = PublicLog(core: scene.office.core)
      var random = SeededGenerator(seed: 33)
      // 65,536 entries complete a tile of the second level.
      for count in [1, 254, 300, 65_300] {
        try await grow(scene.office, by: count)
        let note = try #require(try await log.makeCheckpoint())
        #expect(try await log.makeCheckpoint() == note, "without a new entry it is the same")
        #expect(try note.answer(of: log.key()) == .signed(at: nil))
      }
      let leaves = try await leaves(scene.office)
      var edge = TreeEdge()
      var roots: [TreeHash] = [.ofNothing]
      for leaf in leaves {
        edge.append(leaf)
        roots.append(edge.root)
      }
      let sizes = try log.sizes()
      #expect(sizes.count == 4 && sizes.last == leaves.count && leaves.count > 65_536)
      for size in sizes {
        let checkpoint = try Checkpoint(text: try log.checkpoint(size: size).text)
        #expect(checkpoint.size == size && checkpoint.root == roots[size])
        for _ in 0..<8 {
          let entry = Int.random(in: 1...size, using: &random)
          let proof = try hashes(try await log.proof(ofEntry: entry, size: size))
          #expect(proof.first == "index \(entry - 1)")
          #expect(
            TreeProof.includes(
              leaves[entry - 1], at: entry - 1, in: roots[size], size: size, proof: proof.hashes))
          let earlier = Int.random(in: 1...size, using: &random)
          let grown = try hashes(try await log.proof(from: earlier, to: size))
          #expect(
            TreeProof.extends(
              roots[earlier], size: earlier, to: roots[size], size: size, proof: grown.hashes))
        }
      }
      try await tiles(log, leaves.count)
    }
  }

  @Test(
    "a program that knows the RFC alone agrees, and notices what was changed",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func independent() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let log = PublicLog(core: scene.office.core)
      for count in [300, 500] {
        try await grow(scene.office, by: count)
        try await log.makeCheckpoint()
      }
      try await checkWithPython(scene.office, log, folder)
    }
  }

  /// The tiles are a copy: whoever removes them gets the same ones, and a damaged one is told.
  private func tiles(_ log: PublicLog, _ size: Int) async throws {
    let above = try #require(try log.shelf.path(level: 1, number: 0))
    let before = try DurableFile.read(above)
    #expect(before.count == 8192 && above.hasSuffix("/log/tile/1/000"))
    let proof = try await log.proof(ofEntry: 300)
    for name in ["tile", "tiles"] {
      try FileManager.default.removeItem(atPath: log.shelf.folder + "/" + name)
    }
    #expect(try await log.proof(ofEntry: 300) == proof)
    #expect(try DurableFile.read(above) == before)
    let tile = try #require(try log.shelf.path(level: 0, number: 1))
    let good = try DurableFile.read(tile)
    try DurableFile.replace(tile, with: good.dropLast())
    await #expect(throws: StoreError.self) { _ = try await log.proof(ofEntry: 300) }
    try DurableFile.replace(tile, with: good)
  }

  private func checkWithPython(
    _ office: OfficeServer, _ log: PublicLog, _ folder: URL
  ) async throws {
    func file(_ name: String, _ text: String) throws -> String {
      let path = folder.appendingPathComponent(name).path
      try Data(text.utf8).write(to: URL(filePath: path))
      return path
    }
    var lines = ""
    try await office.operation.exportLog { lines += String(decoding: $0, as: UTF8.self) }
    let exported = try file("office.log", lines)
    let size = try #require(try log.sizes().last)
    let first = try log.sizes()[0]
    let key = try log.key().text
    let note = try log.checkpoint(size: size).note
    let early = try file("early", try log.checkpoint(size: first).note)
    let entry = try file("entry", try await log.proof(ofEntry: 700))
    let grown = try file("grown", try await log.proof(from: first))
    let changed = try file(
      "changed.log", lines.replacing("\"subject\":\"5\"", with: "\"subject\":\"6\""))
    for (words, isRight) in [
      (["log", exported, try file("note", note)], true), (["entry", exported, entry], true),
      (["grown", early, grown], true), (["log", changed, try file("note", note)], false),
      (
        ["log", exported, try file("bad", note.replacing("\n\(size)\n", with: "\n\(size - 1)\n"))],
        false
      ),
      (["grown", try file("note", note), grown], false),
    ] {
      let run = try await PythonTools.run("Log/check_log.py", [key] + words)
      #expect(run.status == (isRight ? 0 : 1), "\(words): \(run.output)\(run.errors)")
    }
  }

  @Test("a log that was rewritten, or that is older than its checkpoints, is not signed")
  func rewritten() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let log = PublicLog(core: scene.office.core)
      try await grow(scene.office, by: 20)
      let note = try #require(try await log.makeCheckpoint())
      let size = try #require(try log.sizes().last)
      // The office's past, said otherwise: signed by the office's own key.
      let key = folder.appendingPathComponent("office-data/office/keys/log.key").path
      let signer = try NoteSigner(
        privateText: String(decoding: try DurableFile.read(key), as: UTF8.self)
          .trimmingCharacters(in: .newlines))
      for other in [
        Checkpoint(origin: signer.key.name, size: size, root: .ofNothing),
        Checkpoint(origin: signer.key.name, size: size + 100, root: .ofNothing),
      ] {
        let forged = try SignedNote(
          text: other.text, signedBy: signer, at: DeviceTime(millisecondsSince1970: 0))
        try log.shelf.keep(forged, size: other.size)
        try await grow(scene.office, by: 1)
        await #expect(throws: OfficeRefusal.self) { _ = try await log.makeCheckpoint() }
        await #expect(throws: OfficeRefusal.self) {
          _ = try await log.proof(ofEntry: 3, size: other.size)
        }
        try FileManager.default.removeItem(atPath: "\(log.shelf.folder)/checkpoints/\(other.size)")
        try log.shelf.keep(note, size: size)
      }
      #expect(try await log.makeCheckpoint() != nil)
      for (entry, asked) in [(size + 1, size), (0, size), (3, 999)] {
        await #expect(throws: OfficeRefusal.self, "\(entry) of \(asked)") {
          _ = try await log.proof(ofEntry: entry, size: asked)
        }
      }
      await #expect(throws: OfficeRefusal.self) { _ = try await log.proof(from: size + 9) }
    }
  }

  @Test("anybody fetches key, checkpoints and proofs, and nothing of an entry")
  func routes() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let log = PublicLog(core: scene.office.core)
      try await withSite(scene.office) { site in
        #expect(try await site.send("GET", "/checkpoint").status == 404)
        #expect(try await site.send("GET", "/checkpoints").body == "")
        let first = try #require(try await log.makeCheckpoint())
        let size = try #require(try log.sizes().first)
        try await self.grow(scene.office, by: 3)
        let second = try #require(try await log.makeCheckpoint())
        #expect(try await site.send("GET", "/checkpoint").body == second.note)
        #expect(
          try await site.send("GET", "/checkpoints").body
            == "/checkpoints/\(size)\n/checkpoints/\(size + 3)\n")
        #expect(try await site.send("GET", "/checkpoints/\(size)").body == first.note)
        #expect(try await site.send("GET", "/checkpoints/key").body == log.key().text + "\n")
        let grown = try await site.send("GET", "/checkpoints/\(size + 3)/from/\(size)").body
        #expect(try await grown == log.proof(from: size) && !grown.contains("checkpoint-test"))
        for path in [
          "7000", "0", "-1", "x", "\(size)/from/0", "\(size)/from/\(size + 1)", "..%2Fkeys",
        ] {
          let answer = try await site.send("GET", "/checkpoints/\(path)")
          #expect(answer.status == 404, "\(path): \(answer.status)")
        }
      }
    }
  }
}
