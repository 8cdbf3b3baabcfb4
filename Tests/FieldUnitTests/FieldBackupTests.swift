import Evidence
import Foundation
import Imports
import Inspection
import Positioning
import Sync
import TestSupport
import Testing
import TimeAndText
import Verification

@testable import BackupArchives
@testable import FieldPages
@testable import FieldUnit
@testable import Store
@testable import Upkeep

@Suite("Backup and restore of a field unit", .timeLimit(.minutes(5)))
struct FieldBackupTests {
  private static let otto = Person(agency: "south", login: "otto", role: .inspector)

  /// Returns a device with a photo of a task and one without, a note, a deletion, a track, and a
  /// task of another inspector.
  private func filled(_ folder: URL) async throws -> (scene: FieldScene, photos: [Photo]) {
    let scene = try FieldScene(folder, legs: [.stand(seconds: 60)])
    let task = try #require(try scene.tasks().first)
    try scene.unit.openTask(task.id)
    let photos = [
      try await scene.capture(scene.request(task: task.id, samples: 4)),
      try await scene.capture(scene.request(samples: 4)),
    ]
    try scene.unit.noteTask(task.id, "wet at the edge")
    let gone = try await scene.capture(scene.request(samples: 4))
    try scene.unit.deletePhoto(gone.id, reason: "blurred")
    let follower = try scene.follower()
    let unit = scene.unit
    let recording = Task {
      try await unit.recordTrack(name: "Round", task: nil, with: follower, seconds: 20)
    }
    while await follower.listenerCount == 0 { await Task.yield() }
    try await follower.run()
    _ = try await recording.value
    let other = try FieldScene.unit(folder, clock: scene.clock, person: Self.otto)
    _ = try other.importTasks(
      try TaskFile.orders(
        fromGeoJSON: Data(
          #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"His"},"geometry":null}]}"#
            .utf8)))
    return (scene, photos)
  }

  private func backup(_ scene: FieldScene, to url: URL) throws -> FieldBackup.Outcome {
    try FieldBackup.write(
      URL(fileURLWithPath: scene.data), to: url.path, software: "standpoint test",
      clock: scene.clock)
  }

  private func entries(_ folder: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  private func unit(_ data: URL, _ scene: FieldScene, _ person: Person) throws -> InspectorUnit {
    var configuration = FieldUnitConfiguration(
      dataDirectory: data, person: person, software: "standpoint test")
    configuration.gate.allowsSimulated = true
    return try InspectorUnit.make(configuration: configuration, clock: scene.clock)
  }

  @Test("a device comes back with everything of everybody, its keys and an intact chain")
  func wholeWay() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, photos) = try await filled(folder)
      try scene.unit.set(.samples, to: "40")
      let file = folder.appendingPathComponent("tablet.tar")
      let outcome = try backup(scene, to: file)
      #expect(outcome.differences.isEmpty, "\(outcome.differences)")
      let mode =
        try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      #expect(entries(folder).filter { $0.hasPrefix("tablet") } == ["tablet.tar"])
      // The backup does not hold this later photo.
      let later = try await scene.capture(scene.request(samples: 4))

      let data = folder.appendingPathComponent("new")
      let restored = try await FieldRestore.run(file.path, into: data)
      #expect(restored.differences.isEmpty, "\(restored.differences)")
      #expect(restored.files == outcome.files - 1, "all but the note")
      #expect(restored.made?.hasPrefix("2026-06-01T") == true)
      #expect(entries(data) == ["field"])
      let unit = try unit(data, scene, FieldScene.person)
      #expect(try unit.photos().map(\.id) == photos.map(\.id))
      #expect(try unit.tracks().map(\.name) == ["Round"])
      #expect(try unit.settings()[own: .samples] == .number(40))
      #expect(!FileManager.default.fileExists(atPath: unit.path(ofPhoto: later.id)))
      #expect(unit.key.publicKey.thumbprint == scene.unit.key.publicKey.thumbprint)
      let keys = data.appendingPathComponent("field/keys")
      for name in entries(keys) {
        let mode =
          try FileManager.default.attributesOfItem(
            atPath: keys.appendingPathComponent(name).path)[.posixPermissions] as? Int
        #expect(mode == 0o600, "\(name)")
      }
      let report = Verifier.verify(try EvidenceFolder(folder: data.path), scope: .whole)
      #expect(report.verdict == .intact)
      let other = try self.unit(data, scene, Self.otto)
      #expect(try other.tasks().map(\.name) == ["His"], "another inspector's data, too")
      #expect(try other.photos().isEmpty)
      // Both inspectors compare at the next delivery, because the office may have more than the
      // backup.
      #expect(try unit.delivery.lastReconciliation()?.millisecondsSince1970 == 0)
      #expect(try other.delivery.lastReconciliation()?.millisecondsSince1970 == 0)
      #expect(try scene.unit.delivery.lastReconciliation() == nil, "and nobody on the old device")
    }
  }

  @Test("any tar opens it, and sha256sum agrees with its list")
  func otherReaders() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, _) = try await filled(folder)
      let file = folder.appendingPathComponent("tablet.tar")
      _ = try backup(scene, to: file)
      let place = folder.appendingPathComponent("unpacked")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
      let outcome = try await Program.run(
        "/bin/sh", ["-c", "tar -xf \"$1\" && sha256sum -c --quiet MANIFEST", "sh", file.path],
        folder: place)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(entries(place) == ["BACKUP", "MANIFEST", "field"])
    }
  }

  @Test("it is made while somebody goes on capturing and deleting, and each one restores intact")
  func whileWriting() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, _) = try await filled(folder)
      let capturing = Task {
        for _ in 0..<4 { _ = try await scene.capture(scene.request(samples: 4)) }
      }
      for number in 0..<4 {
        let file = folder.appendingPathComponent("tablet-\(number).tar")
        #expect(try backup(scene, to: file).differences.isEmpty)
        let data = folder.appendingPathComponent("new-\(number)")
        #expect(try await FieldRestore.run(file.path, into: data).differences.isEmpty)
        let report = Verifier.verify(try EvidenceFolder(folder: data.path), scope: .whole)
        #expect(report.verdict == .intact, "\(number)")
        await Task.yield()
      }
      try await capturing.value
    }
  }

  @Test("what was sealed and not yet moved when the program was killed is in the backup")
  func staged() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, photos) = try await filled(folder)
      let placed = scene.unit.path(ofPhoto: photos[1].id)
      let name = (placed as NSString).lastPathComponent
      try FileManager.default.moveItem(
        atPath: placed, toPath: "\(scene.data)/field/staging/\(name)")
      let file = folder.appendingPathComponent("tablet.tar")
      #expect(try backup(scene, to: file).differences.isEmpty)
      let data = folder.appendingPathComponent("new")
      #expect(try await FieldRestore.run(file.path, into: data).differences.isEmpty)
      let unit = try unit(data, scene, FieldScene.person)
      #expect(FileManager.default.fileExists(atPath: unit.path(ofPhoto: photos[1].id)))
    }
  }

  @Test("files that are missing or damaged are said by backup and restore; the rest is there")
  func damagedDevice() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, photos) = try await filled(folder)
      let paths = photos.map { scene.unit.path(ofPhoto: $0.id) }
      try FileManager.default.removeItem(atPath: paths[0])
      try Data("damaged".utf8).write(to: URL(fileURLWithPath: paths[1]))
      let file = folder.appendingPathComponent("tablet.tar")
      let names = photos.map { "photos/\($0.id.folder)/\($0.id).jpg" }
      let expected: Set = [
        "\(names[0]): it is missing", "\(names[1]): its bytes are not those that were sealed",
      ]
      #expect(Set(try backup(scene, to: file).differences) == expected)
      let data = folder.appendingPathComponent("new")
      #expect(Set(try await FieldRestore.run(file.path, into: data).differences) == expected)
    }
  }

  @Test("one that was cut off, changed, or is something else is refused, and leaves nothing")
  func changed() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, _) = try await filled(folder)
      let file = folder.appendingPathComponent("tablet.tar")
      _ = try backup(scene, to: file)
      let whole = Array(try Data(contentsOf: file))
      let hostile = folder.appendingPathComponent("hostile.tar")
      let data = folder.appendingPathComponent("new")
      func expectRefusal(_ bytes: [UInt8], _ words: String) async throws {
        try Data(bytes).write(to: hostile)
        let error = await #expect(throws: StoreError.self, "\(words)") {
          try await FieldRestore.run(hostile.path, into: data)
        }
        #expect(error?.code == "backup-unusable", "\(words): \(String(describing: error))")
        #expect(entries(data).isEmpty, "\(words): \(entries(data))")
      }
      try await forEachSeed(0..<12) { seed, generator in
        var changed = whole
        let place = Int.random(in: 0..<whole.count, using: &generator)
        changed[place] ^= UInt8.random(in: 1...255, using: &generator)
        try await expectRefusal(changed, "seed \(seed), byte \(place)")
        let cut = Array(whole.prefix(Int.random(in: 0..<whole.count, using: &generator)))
        try await expectRefusal(cut, "seed \(seed), \(cut.count) bytes")
      }
      try await expectRefusal([], "nothing")
      try await expectRefusal(Array(repeating: 0, count: 4096), "zeros")
      let path = folder.appendingPathComponent("made.tar").path
      func made(_ title: String, _ files: [(String, [UInt8])]) throws -> [UInt8] {
        let writer = try BackupWriter(path: path, time: 1)
        try writer.add(Array("\(title)\n".utf8), as: BackupLayout.note)
        for (name, bytes) in files { try writer.add(bytes, as: name) }
        try writer.finish(listAs: BackupLayout.list)
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      }
      try await expectRefusal(try made("standpoint office backup 1", []), "an office's")
      try await expectRefusal(try made(BackupLayout.field.title, []), "no database")
      for name in ["field/../evil", "/tmp/evil", "field/lock", "office/keys/a", "field/staging/a"] {
        try await expectRefusal(try made(BackupLayout.field.title, [(name, [1])]), name)
      }
      // A backup with the database alone lacks the keys of its records.
      let copy = folder.appendingPathComponent("copy.sqlite").path
      try scene.unit.store.copy(to: copy)
      try await expectRefusal(
        try made(
          BackupLayout.field.title,
          [("field/standpoint.sqlite", Array(try Data(contentsOf: URL(fileURLWithPath: copy))))]),
        "no keys")
      // The whole backup is still good.
      #expect(try await FieldRestore.run(file.path, into: data).differences.isEmpty)
    }
  }

  @Test("where a field unit is already nothing is restored; where none is nothing is backed up")
  func occupied() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, photos) = try await filled(folder)
      let file = folder.appendingPathComponent("tablet.tar")
      _ = try backup(scene, to: file)
      let error = await #expect(throws: StoreError.self) {
        try await FieldRestore.run(file.path, into: URL(fileURLWithPath: scene.data))
      }
      #expect(error?.code == "backup-unusable" && "\(error as Any)".contains("already"))
      #expect(try scene.unit.photos().map(\.id) == photos.map(\.id))
      let before = try Data(contentsOf: file)
      let none = #expect(throws: FieldUnitError.self) {
        try FieldBackup.write(
          folder.appendingPathComponent("none"), to: file.path, software: "standpoint test",
          clock: scene.clock)
      }
      #expect(none?.code == "file-unreadable")
      #expect(try Data(contentsOf: file) == before, "the one before is as it was")
      #expect(throws: StoreError.self) {
        try backup(scene, to: folder.appendingPathComponent("absent/tablet.tar"))
      }
    }
  }
}
