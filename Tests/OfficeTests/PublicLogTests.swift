import Evidence
import Foundation
import GRDB
import OfficeScenes
import Positioning
import Receivers
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
      try registry.forEachLogDigest(from: 1) { _, digest in
        leaves.append(try #require(TreeHash.leaf(ofHexadecimal: digest)))
      }
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

  @Test("checkpoints and proofs of a log over three levels of files are those of the whole tree")
  func proofs() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let log = PublicLog(core: scene.office.core)
      var random = SeededGenerator(seed: 33)
      // 65,536 entries are the first hash of the third file.
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
      try await copies(log, leaves.count)
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

  /// The hashes are a copy: whoever removes them gets the same ones, remains of a crash are not taken for hashes,
  /// those of another log neither, and damage is told.
  private func copies(_ log: PublicLog, _ size: Int) async throws {
    let above = log.shelf.path(level: 1)
    let before = try DurableFile.read(above)
    #expect(before.count == size / 256 * 32)
    #expect(try DurableFile.read(log.shelf.path(level: 2)).count == 32)
    let proof = try await log.proof(ofEntry: 300)
    try FileManager.default.removeItem(atPath: log.shelf.folder + "/hashes")
    #expect(try await log.proof(ofEntry: 300) == proof)
    #expect(try DurableFile.read(above) == before)
    let leaves = try DurableFile.read(log.shelf.path(level: 0))
    // A crash: more was written than the size says.
    try DurableFile.append([7, 7, 7], to: above)
    try log.shelf.keep(size: 300)
    #expect(try await log.proof(ofEntry: 300) == proof)
    #expect(try DurableFile.read(above) == before)
    // Another database in the same place: its last entry is another one.
    var other = leaves
    other[other.count - 5] ^= 1
    try DurableFile.replace(log.shelf.path(level: 0), with: other)
    #expect(try await log.proof(ofEntry: 300) == proof)
    #expect(try DurableFile.read(log.shelf.path(level: 0)) == leaves)
    // Damage: strangers are told, and whoever signs or proves at the office mends it.
    let last = try await log.proof(ofEntry: size)
    for (path, bytes) in [(above, before.dropLast()), (log.shelf.folder + "/hashes/size", [0x78])] {
      try DurableFile.replace(path, with: Array(bytes))
      await #expect(throws: StoreError.self) {
        _ = try await log.proof(ofEntry: size, mends: false)
      }
      #expect(try await log.proof(ofEntry: size) == last)
      #expect(try DurableFile.read(above) == before)
    }
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
    try await PublicLog(core: office.core).export { lines += String(decoding: $0, as: UTF8.self) }
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

  /// Changes rows of the log as somebody does who owns the machine.
  private func change(_ folder: URL, _ sql: String) throws {
    let path = folder.appendingPathComponent("office-data/office/standpoint.sqlite").path
    let database = try DatabaseQueue(path: path)
    try database.write { database in
      for name in ["log_is_never_changed", "log_is_never_deleted"] {
        try database.execute(sql: "DROP TRIGGER IF EXISTS \(name)")
      }
      try database.execute(sql: sql)
    }
    try database.close()
  }

  @Test(
    "a log that was rewritten, cut off or has a gap is not signed, with the copy of its hashes or without",
    arguments: [
      ("UPDATE log SET digest = substr(digest, 2) || 'a' WHERE number >= 100", true),
      ("DELETE FROM log WHERE number > 400", true), ("DELETE FROM log WHERE number = 50", false),
      ("UPDATE log SET digest = 'x' WHERE number = 700", false),
    ])
  func rewritten(sql: String, isNoticedWithCopy: Bool) async throws {
    for hasCopy in [true, false] where isNoticedWithCopy || !hasCopy {
      try await withTemporaryDirectory { folder in
        let scene = try await OfficeScene(folder)
        let log = PublicLog(core: scene.office.core)
        try await grow(scene.office, by: 1000)
        let note = try #require(try await log.makeCheckpoint())
        let size = try #require(try log.sizes().last)
        try change(folder, sql)
        if !hasCopy {
          try FileManager.default.removeItem(atPath: log.shelf.folder + "/hashes")
        }
        try await grow(scene.office, by: 1)
        for _ in 0..<2 {
          await #expect(throws: OfficeRefusal.self, "\(hasCopy)") {
            _ = try await log.makeCheckpoint()
          }
        }
        #expect(try log.lastCheckpoint() == note && log.sizes() == [size])
      }
    }
  }

  @Test("a new key begins a new log, and what the old one signed is not in its way")
  func newKey() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let log = PublicLog(core: scene.office.core)
      try await grow(scene.office, by: 20)
      let note = try #require(try await log.makeCheckpoint())
      let key = folder.appendingPathComponent("office-data/office/keys/log.key").path
      let signer = try NoteSigner(
        privateText: String(decoding: try DurableFile.read(key), as: UTF8.self)
          .trimmingCharacters(in: .newlines))
      let size = try #require(try log.sizes().last)
      // Checkpoints that the log's key has signed, of another log.
      for other in [size, size + 100] {
        let text = Checkpoint(origin: signer.key.name, size: other, root: .ofNothing).text
        let forged = try SignedNote(text: text, signedBy: signer, at: scene.clock.deviceTime)
        try log.shelf.keep(forged, size: other, by: signer.key)
        try await grow(scene.office, by: 1)
        await #expect(throws: OfficeRefusal.self) { _ = try await log.makeCheckpoint() }
        await #expect(throws: OfficeRefusal.self) {
          _ = try await log.proof(ofEntry: 3, size: other)
        }
        try log.shelf.keep(note, size: size, by: signer.key)
      }
      try FileManager.default.removeItem(atPath: key)
      scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: 2), limit: nil)
      let new = try #require(try await log.makeCheckpoint())
      #expect(try log.key().name != signer.key.name && log.sizes() == [size + 2])
      #expect(try new.answer(of: log.key()) == .signed(at: nil))
      for (entry, asked) in [(size + 10, size + 2), (0, size + 2), (3, 999)] {
        await #expect(throws: OfficeRefusal.self, "\(entry) of \(asked)") {
          _ = try await log.proof(ofEntry: entry, size: asked)
        }
      }
      await #expect(throws: OfficeRefusal.self) { _ = try await log.proof(from: size + 9) }
    }
  }

  @Test("a checkpoint is due after a day, and at once if the last one is from the future")
  func due() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let log = PublicLog(core: scene.office.core)
      try await grow(scene.office, by: 2)
      #expect(try log.isDue(at: scene.clock.deviceTime))
      try await log.makeCheckpoint()
      let key = try log.key()
      let size = try #require(try log.sizes().last)
      let age = try #require(
        try log.shelf.age(ofSize: size, by: key, at: DeviceTime(millisecondsSince1970: 0)))
      let written = DeviceTime(millisecondsSince1970: Int64(-age * 1000))
      for (seconds, isDue) in [
        (0.0, false), (10, false), (86_000, false), (86_500, true), (-86_400 * 300, true),
      ] {
        #expect(try log.isDue(at: written.advanced(bySeconds: seconds)) == isDue, "\(seconds)")
      }
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
        let entry = try await site.send("GET", "/checkpoints/\(size)/entry/1").body
        #expect(try await entry == log.proof(ofEntry: 1, size: size))
        let grown = try await site.send("GET", "/checkpoints/\(size + 3)/from/\(size)").body
        #expect(try await grown == log.proof(from: size) && !grown.contains("checkpoint-test"))
        for path in [
          "7000", "0", "-1", "x", "\(size)/from/0", "\(size)/from/\(size + 1)",
          "\(size)/entry/\(size + 1)",
          "\(size)/entry/x", "..%2Fkeys",
        ] {
          let answer = try await site.send("GET", "/checkpoints/\(path)")
          #expect(answer.status == 404, "\(path): \(answer.status)")
        }
      }
    }
  }
}
