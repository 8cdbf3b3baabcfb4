import Evidence
import Foundation
import KeyTokens
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import BackupArchives
@testable import FieldPages
@testable import FieldUnit
@testable import Store
@testable import Upkeep

@Suite("A backup takes an earlier one's place only when it was verified", .timeLimit(.minutes(5)))
struct FieldBackupKeysTests {
  private func backup(_ scene: FieldScene, to file: URL) throws {
    _ = try FieldBackup.write(
      URL(fileURLWithPath: scene.data), to: file.path, software: "standpoint test",
      clock: scene.clock)
  }

  private func entries(_ folder: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  @Test("without a whole key nothing is backed up, and the backup before is as it was")
  func damagedKeys() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder, legs: [.stand(seconds: 60)])
      _ = try await scene.capture(scene.request(samples: 4))
      let file = folder.appendingPathComponent("tablet.tar")
      try backup(scene, to: file)
      let before = try Data(contentsOf: file)
      let thumbprint = scene.unit.key.publicKey.thumbprint
      let key = URL(fileURLWithPath: KeyFolder(path: scene.data + "/field/keys").file(thumbprint))
      let whole = try Data(contentsOf: key)
      let others: [(String, Data?)] = [
        ("missing", nil), ("empty", Data()), ("cut off", whole.prefix(whole.count / 2)),
        ("no text", Data([0xFF, 0xFE, 0x00])), ("another's", Data(SoftwareDeviceKey().pem.utf8)),
      ]
      for (words, bytes) in others {
        try? FileManager.default.removeItem(at: key)
        try bytes?.write(to: key)
        let error = #expect(throws: FieldUnitError.self, "\(words)") {
          try backup(scene, to: file)
        }
        #expect(error?.code == "file-unreadable", "\(words)")
        #expect(try Data(contentsOf: file) == before, "\(words): the one before is as it was")
        #expect(entries(folder).filter { $0.hasPrefix("tablet") } == ["tablet.tar"], "\(words)")
      }
      // The backup before can still be restored, with its key.
      let data = folder.appendingPathComponent("new")
      #expect(try await FieldRestore.run(file.path, into: data).differences.isEmpty)
      #expect(
        try Data(contentsOf: data.appendingPathComponent("field/keys/\(thumbprint).pem")) == whole)
      // With the key in its place again the next backup is made.
      try whole.write(to: key)
      _ = try await scene.capture(scene.request(samples: 4))
      try backup(scene, to: file)
      #expect(try Data(contentsOf: file) != before)
    }
  }

  @Test(
    "where there is no room nothing is restored, nothing is left, and it says how much is needed")
  func noRoom() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder, legs: [.stand(seconds: 60)])
      _ = try await scene.capture(scene.request(samples: 4))
      let file = folder.appendingPathComponent("tablet.tar")
      try backup(scene, to: file)
      let size = try #require(
        try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int)
      let new = folder.appendingPathComponent("new")
      let empty = folder.appendingPathComponent("empty")
      try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: false)
      try FileManager.default.createDirectory(
        at: empty.appendingPathComponent("restoring"), withIntermediateDirectories: false)
      for free in [0, 1000, size - 1, size, -5] {
        for data in [new, empty] {
          var seen = 0
          let error = await #expect(throws: StoreError.self, "\(free)") {
            try await FieldRestore.run(
              file.path, into: data, freeBytes: { _ in free },
              progress: { files, _ in seen = files })
          }
          #expect(error?.code == "data-unwritable", "\(free)")
          let words = "\(error?.wording.description ?? "")"
          #expect(
            words.contains("no room for a field unit") && words.contains("Nothing was written"))
          #expect(words.contains("\(max(0, free) >> 20) MiB are free"), "\(words)")
          #expect(!words.contains("\u{20}0 MiB are needed"), "\(words)")
          #expect(seen == 0, "it was looked at before")
          #expect(entries(data).isEmpty, "\(free): \(entries(data))")
        }
        #expect(
          !FileManager.default.fileExists(atPath: new.path), "what was not there is not there")
        #expect(FileManager.default.fileExists(atPath: empty.path))
      }
      // With the room that was asked for the restore succeeds; an unknown room is no reason to
      // refuse.
      #expect(
        try await FieldRestore.run(file.path, into: new, freeBytes: { _ in 2 * size + (5 << 20) })
          .differences.isEmpty)
      #expect(
        try await FieldRestore.run(file.path, into: empty, freeBytes: { _ in nil }).differences
          .isEmpty)
    }
  }

  @Test("what cannot be read back as it was written does not take the place of anything")
  func readBack() async throws {
    try withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("tablet.tar")
      try Data("the one before".utf8).write(to: file)
      func write(_ names: [String], spoil: (String) throws -> Void) throws {
        let writer = try BackupWriter(path: file.path, time: 1)
        do {
          try writer.add(Array("\(BackupLayout.field.title)\n".utf8), as: BackupLayout.note)
          for name in names { try writer.add(Array(repeating: 7, count: 2000), as: name) }
          try writer.finish(listAs: BackupLayout.list) { part in
            try spoil(part)
            try Backup.requireReadable(part, as: .field, path: file.path)
          }
        } catch {
          writer.abandon()
          throw error
        }
      }
      func expectRefusal(
        _ words: String, _ names: [String], spoil: (String) throws -> Void = { _ in }
      ) throws {
        let error = #expect(throws: StoreError.self, "\(words)") {
          try write(names, spoil: spoil)
        }
        #expect(error?.code == "data-unwritable", "\(words)")
        #expect(try Data(contentsOf: file) == Data("the one before".utf8), "\(words)")
        #expect(entries(folder) == ["tablet.tar"], "\(words)")
      }
      let good = ["field/keys/a.pem", "field/standpoint.sqlite"]
      try expectRefusal("no database", ["field/keys/a.pem"])
      try expectRefusal("a name that no restore takes", good + ["field/lock"])
      for (words, place) in [("a key's byte", 1600), ("the database's byte", 4200)] {
        try expectRefusal(words, good) { part in
          let handle = try #require(FileHandle(forUpdatingAtPath: part))
          defer { try? handle.close() }
          try handle.seek(toOffset: UInt64(place))
          try handle.write(contentsOf: Data([9]))
        }
      }
      try expectRefusal("cut off", good) { part in
        try (Data(contentsOf: URL(fileURLWithPath: part)).dropLast(700))
          .write(to: URL(fileURLWithPath: part))
      }
      try write(good) { _ in }
      #expect(try Data(contentsOf: file) != Data("the one before".utf8))
    }
  }
}
