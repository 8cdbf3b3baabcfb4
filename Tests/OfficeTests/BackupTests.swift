import Evidence
import FieldUnit
import Foundation
import GRDB
import Inspection
import OfficeScenes
import Positioning
import Receivers
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import BackupArchives
@testable import Office
@testable import OfficePages
@testable import Store

@Suite("Backup and restore", .timeLimit(.minutes(5)))
struct BackupTests {
  /// Makes an office that has received photos, a note and a deletion, with a revoked device and two
  /// agencies.
  private func filled(_ folder: URL) async throws -> (scene: OfficeScene, unit: InspectorUnit) {
    let scene = try await OfficeScene(folder)
    _ = try await scene.order()
    let (unit, task) = try await scene.working(photos: 2)
    try unit.noteTask(task.id, "wet at the edge")
    let gone = try await scene.capture(unit, task.id, 7)
    try unit.deletePhoto(gone.id, reason: "blurred")
    try unit.provideTask(task.id)
    _ = try await unit.delivery.deliver(over: scene.link)
    _ = try await scene.order("Southern", for: "sven", in: "south")
    let (south, other) = try await scene.working(login: "sven", on: "south")
    try south.provideTask(other.id)
    _ = try await south.delivery.deliver(over: scene.link)
    let device = try #require(
      try await scene.office.database.read(in: "south") { try $0.devices.devices(of: "sven") }.first
    )
    try await scene.office.devices.revokeDevice(
      withKey: device.key, in: "south", reason: "lost", by: "sara")
    return (scene, unit)
  }

  private func configuration(_ folder: URL) -> OfficeConfiguration {
    var configuration = OfficeConfiguration(dataDirectory: folder, software: "standpoint test")
    configuration.log = { _ in }
    return configuration
  }

  private func restore(
    _ backup: URL, to folder: URL, _ clock: any Timepiece
  ) async throws -> RestoreOutcome {
    try await OfficeRestore.run(backup.path, configuration: configuration(folder), clock: clock)
  }

  private func entries(_ folder: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  /// Returns the names and digests of all files that last.
  private func contents(_ office: OfficeServer) throws -> [String: String] {
    var contents: [String: String] = [:]
    for name in try office.photos.names()
    where name.contains("/") && !name.hasSuffix("metrics.token")
      && !name.hasPrefix("tpm-makers")
    {
      contents[name] = Digest.hexadecimal(try #require(try office.photos.bytes(of: name)))
    }
    return contents
  }

  @Test("an office comes back from its backup with every file, row, number of a row and key")
  func wholeWay() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, unit) = try await filled(folder)
      // Makers of TPMs name their files as they like; a backup has them under their digests.
      let makers = scene.office.core.configuration.folder.appendingPathComponent("tpm-makers")
      try FileManager.default.createDirectory(
        at: makers.appendingPathComponent("folder"), withIntermediateDirectories: true)
      for name in ["A maker (TM), root.CRT", "the same.pem", ".hidden"] {
        try Data("a root".utf8).write(to: makers.appendingPathComponent(name))
      }
      try scene.office.core.photos.write(
        Array("a word".utf8), as: EvidenceName.attestation(ofKey: "key"))
      let backup = folder.appendingPathComponent("backup.tar")
      let outcome = try await scene.office.operation.backup(to: backup.path)
      #expect(outcome.differences.isEmpty && outcome.files > 15)
      let mode =
        try FileManager.default.attributesOfItem(atPath: backup.path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      #expect(!entries(folder).contains { $0.contains(".part") })

      // A photo that comes after the backup is not in it, and is sent again later.
      let later = try await scene.capture(unit, nil, 9)
      try unit.sendPhotos([later.id])
      #expect(try await unit.delivery.deliver(over: scene.link).waiting == 0)

      let data = folder.appendingPathComponent("restored")
      let restored = try await restore(backup, to: data, scene.clock)
      #expect(restored.differences.isEmpty, "\(restored.differences)")
      #expect(restored.fingerprint == scene.office.fingerprint)
      #expect(entries(data) == ["office"])
      let office = try await OfficeServer.make(
        configuration: configuration(data), clock: scene.clock)
      var expected = try contents(scene.office)
      let found = try contents(office)
      for name in expected.keys where name.contains("\(later.id)") { expected[name] = nil }
      #expect(
        entries(data.appendingPathComponent("office/tpm-makers"))
          == ["\(Digest.hexadecimal(Array("a root".utf8))).pem"])
      for (name, digest) in found { #expect(expected[name] == digest, "\(name)") }
      for kind in [
        "photos/", "records/", "keys/", "certificates/", "revocations/", "receipts/",
        "enrolments/", "attestations/",
      ] {
        #expect(found.keys.contains { $0.hasPrefix(kind) }, "\(kind)")
      }
      for name in expected.keys
      where ["photos", "records", "keys", "enrolments"].contains(name.prefix { $0 != "/" }) {
        #expect(found[name] != nil, "\(name)")
      }
      func rows(_ folder: URL) throws -> [String] {
        let queue = try DatabaseQueue(
          path: folder.appendingPathComponent("office/standpoint.sqlite").path)
        defer { try? queue.close() }
        return try queue.read {
          try String.fetchAll(
            $0, sql: "SELECT rowid || ' ' || id FROM photo WHERE id <> ? ORDER BY rowid",
            arguments: ["\(later.id)"])
        }
      }
      let before = try rows(folder.appendingPathComponent("office-data"))
      #expect(try rows(data) == before && before.count >= 3)

      // The field unit finds out by itself, and sends what the restored office does not have.
      let link = LocalLink(office)
      await #expect(throws: StoreError.self) {
        try await office.database.read(in: "north") { try $0.photos.photo(later.id) }
      }
      scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: 90_000), limit: nil)
      _ = try await unit.delivery.deliver(over: link)
      #expect(
        try await office.database.read(in: "north") { try $0.photos.photo(later.id) }.photo.id
          == later.id
      )
      #expect(try await office.operation.differences().isEmpty)
    }
  }

  @Test("any tar opens it, and sha256sum agrees with its list")
  func otherReaders() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, _) = try await filled(folder)
      let backup = folder.appendingPathComponent("backup.tar")
      _ = try await scene.office.operation.backup(to: backup.path)
      let place = folder.appendingPathComponent("unpacked")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
      let outcome = try await Program.run(
        "/bin/sh", ["-c", "tar -xf \"$1\" && sha256sum -c --quiet MANIFEST", "sh", backup.path],
        folder: place)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(entries(place) == ["BACKUP", "MANIFEST", "office"])
      let note = try String(contentsOf: place.appendingPathComponent("BACKUP"), encoding: .utf8)
      #expect(note.contains("fingerprint \(scene.office.fingerprint)"))
      #expect(!entries(place.appendingPathComponent("office/keys")).contains("metrics.token"))
    }
  }

  @Test("files that are missing or damaged are said by backup and restore; the rest is there")
  func damagedOffice() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, unit) = try await filled(folder)
      let photos = try unit.photos().filter { $0.delivered != nil }
      try #require(photos.count == 2)
      let names = photos.map { EvidenceName.file(.capture, $0.id) }
      let paths = try names.map { try #require(scene.office.photos.path(of: $0)) }
      try FileManager.default.removeItem(atPath: paths[0])
      try Data("damaged".utf8).write(to: URL(fileURLWithPath: paths[1]))
      let backup = folder.appendingPathComponent("backup.tar")
      let outcome = try await scene.office.operation.backup(to: backup.path)
      #expect(
        Set(outcome.differences) == [
          "\(names[0]): it is missing", "\(names[1]): its bytes are not those that were sealed",
        ])
      let restored = try await restore(
        backup, to: folder.appendingPathComponent("restored"), scene.clock)
      #expect(Set(restored.differences.map(\.subject)) == Set(names))
    }
  }

  /// Restores, and expects that the input is called invalid and that nothing is left behind.
  private func expectRefusal(
    _ bytes: [UInt8], _ folder: URL, _ clock: any Timepiece, _ words: String,
    containing: String = ""
  ) async throws {
    let backup = folder.appendingPathComponent("hostile.tar")
    try Data(bytes).write(to: backup)
    let data = folder.appendingPathComponent("target")
    let error = await #expect(throws: OfficeRefusal.self, "\(words)") {
      try await restore(backup, to: data, clock)
    }
    #expect(error?.kind == .inputInvalid, "\(words): \(String(describing: error))")
    #expect(
      containing.isEmpty || error?.detail.contains(containing) == true,
      "\(words): \(error?.detail ?? "")")
    #expect(entries(data).isEmpty, "\(words): \(entries(data))")
  }

  @Test("one that was cut off or changed anywhere is refused, and leaves nothing")
  func changed() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, _) = try await filled(folder)
      let path = folder.appendingPathComponent("backup.tar").path
      _ = try await scene.office.operation.backup(to: path)
      let whole = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      try await forEachSeed(0..<12) { seed, generator in
        var changed = whole
        let place = Int.random(in: 0..<whole.count, using: &generator)
        changed[place] ^= UInt8.random(in: 1...255, using: &generator)
        try await expectRefusal(changed, folder, scene.clock, "seed \(seed), byte \(place)")
        let cut = Array(whole.prefix(Int.random(in: 0..<whole.count, using: &generator)))
        try await expectRefusal(cut, folder, scene.clock, "seed \(seed), \(cut.count) bytes")
      }
      for (bytes, words) in [
        (whole + [0], "a byte behind it"), (whole + whole, "twice"), ([], "nothing"),
        (Array("PK\u{3}\u{4} a bundle".utf8), "another file"),
        (Array(repeating: 0, count: 4096), "zeros"),
      ] {
        try await expectRefusal(bytes, folder, scene.clock, words)
      }
      // The whole backup can still be restored.
      #expect(
        try await restore(
          URL(fileURLWithPath: path), to: folder.appendingPathComponent("target"), scene.clock
        ).differences.isEmpty)
    }
  }

  /// Makes an archive with a proper note and list and with the given files.
  private func archive(
    _ folder: URL, note: String = BackupLayout.office.title, _ files: [(String, String)]
  ) throws -> [UInt8] {
    let path = folder.appendingPathComponent("made.tar").path
    let writer = try BackupWriter(path: path, time: 1_780_000_000)
    try writer.add(Array("\(note)\n".utf8), as: BackupLayout.note)
    for (name, text) in files { try writer.add(Array(text.utf8), as: name) }
    try writer.finish(listAs: BackupLayout.list)
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test("names that lead elsewhere, come twice or belong to no office are refused by name")
  func hostileNames() async throws {
    try await withTemporaryDirectory { folder in
      let clock = ReplayClock(
        start: try #require(DeviceTime(rfc3339: "2026-06-01T09:30:00Z")), rate: .infinity)
      for name in [
        "../evil", "/tmp/evil", "office/../evil", "office/photos/../../evil", "office/keys/..",
        "office/incoming/x", "office/surplus", "surplus", "office/photos/ab/\u{1B}[2J",
      ] {
        try await expectRefusal(
          try archive(folder, [(name, "x")]), folder, clock, name,
          containing: "nothing that belongs to an office")
      }
      #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("evil").path))
      let twice = ("office/photos/ab/x.jpg", "x")
      try await expectRefusal(
        try archive(folder, [twice, twice]), folder, clock, "twice", containing: "twice")
      try await expectRefusal(
        try archive(folder, [("office/standpoint.sqlite", "x")]), folder, clock, "no keys",
        containing: "it lacks keys/authority.crt")
      let noDatabase = [("office/standpoint.sqlite", String(repeating: "x", count: 4096))]
      try await expectRefusal(
        try archive(
          folder, noDatabase + BackupLayout.officeKeys.map { ("office/keys/\($0)", "x") }),
        folder, clock, "no database", containing: "its database: it is not an SQLite database")
      try await expectRefusal(
        try archive(folder, []), folder, clock, "empty", containing: "it lacks standpoint.sqlite")
      try await expectRefusal(
        try archive(folder, note: "standpoint office backup 2", []), folder, clock, "newer",
        containing: "another form")
    }
  }

  @Test(
    "a file that the list does not name is refused, and so is one that it names and is not there")
  func surplus() async throws {
    try await withTemporaryDirectory { folder in
      let clock = ReplayClock(
        start: try #require(DeviceTime(rfc3339: "2026-06-01T09:30:00Z")), rate: .infinity)
      let whole = try archive(folder, [("office/photos/ab/x.jpg", "x")])
      let entry = Array(whole[1024..<2048])
      try #require(ArchiveHeader(Array(entry[..<512]))?.name == "office/photos/ab/x.jpg")
      let extra =
        try #require(ArchiveHeader(name: "office/photos/ab/y.jpg", size: 0, time: 1).bytes)
      try await expectRefusal(
        Array(whole[..<2048]) + extra + Array(whole[2048...]), folder, clock, "surplus",
        containing: "its list names other files")
      try await expectRefusal(
        Array(whole[..<1024]) + Array(whole[2048...]), folder, clock, "missing",
        containing: "its list names other files")
      var other = whole
      other[1536] = UInt8(ascii: "y")
      try await expectRefusal(
        other, folder, clock, "changed",
        containing: "office/photos/ab/x.jpg is not what was backed up")
    }
  }

  @Test("where an office is already nothing is restored, and nothing of it is touched")
  func occupied() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, _) = try await filled(folder)
      let backup = folder.appendingPathComponent("backup.tar")
      _ = try await scene.office.operation.backup(to: backup.path)
      let before = try contents(scene.office)
      let data = folder.appendingPathComponent("office-data")
      let error = await #expect(throws: OfficeRefusal.self) {
        try await restore(backup, to: data, scene.clock)
      }
      #expect(error?.kind == .inputInvalid && error?.detail.contains("already") == true)
      #expect(try contents(scene.office) == before)
      let missing = await #expect(throws: OfficeRefusal.self) {
        try await restore(
          folder.appendingPathComponent("absent.tar"), to: folder.appendingPathComponent("new"),
          scene.clock)
      }
      #expect(missing?.kind == .inputInvalid)
    }
  }

  @Test("a backup that cannot be written leaves the one before it, and a disk too small is said")
  func unwritable() async throws {
    try await withTemporaryDirectory { folder in
      let (scene, _) = try await filled(folder)
      await #expect(throws: StoreError.self) {
        try await scene.office.operation.backup(
          to: folder.appendingPathComponent("absent/backup.tar").path)
      }
      let backup = folder.appendingPathComponent("backup.tar")
      // An earlier backup that was killed has left these.
      for end in [".part", ".list.part", ".sqlite.part"] {
        try Data("left over".utf8).write(to: URL(fileURLWithPath: backup.path + end))
      }
      _ = try await scene.office.operation.backup(to: backup.path)
      #expect(entries(folder).filter { $0.hasPrefix("backup.tar") } == ["backup.tar"])
      var configuration = configuration(folder.appendingPathComponent("small"))
      configuration.freeSpace = PlannedSpace(1000)
      await #expect(throws: StoreError.self) {
        try await OfficeRestore.run(backup.path, configuration: configuration, clock: scene.clock)
      }
      #expect(entries(folder.appendingPathComponent("small")).isEmpty)
    }
  }
}
