import Evidence
import Foundation
import Imagery
import Inspection
import Positioning
import Receivers
import TestSupport
import Testing
import TimeAndText

@testable import BackupArchives
@testable import FieldPages
@testable import FieldUnit
@testable import Store
@testable import Upkeep

/// A backup is useful only if nothing is forgotten: it holds each kind of file, or leaves it out
/// for a reason.
@Suite("What a field unit's backup holds and what it leaves out", .timeLimit(.minutes(5)))
struct BackupKindsTests {
  private static let sealed = ["photos", "tracks", "records"].map { "field/\($0)" }
  private static let kept = Set(
    sealed + ["field/standpoint.sqlite"]
      + (DataFolder.backedUpFiles.union(DataFolder.backedUpFolders)).map { "field/\($0)" })

  /// Returns the kind of a path in a data directory: its first name, or its first two below
  /// `field/`.
  private static func kind(_ path: String) -> String {
    let parts = path.split(separator: "/").map(String.init)
    return parts.first == "field" && parts.count > 1 ? "field/\(parts[1])" : parts.first ?? ""
  }

  @Test("a kind is in one list only, and each reason says something")
  func lists() {
    #expect(Self.kept.isDisjoint(with: DataFolder.leftOut.keys))
    for (name, reason) in DataFolder.leftOut {
      #expect(reason.split(separator: " ").count >= 4, "\(name)")
      #expect(
        BackupLayout.field.name(ofEntry: name) == nil
          && BackupLayout.field.name(ofEntry: name + "/a") == nil, "\(name)")
    }
    for name in DataFolder.backedUpFiles {
      #expect(BackupLayout.field.name(ofEntry: "field/\(name)") == name)
    }
    for name in DataFolder.backedUpFolders {
      #expect(BackupLayout.field.name(ofEntry: "field/\(name)/a.b") == "\(name)/a.b")
      #expect(BackupLayout.field.name(ofEntry: "field/\(name)/a/b") == nil)
    }
  }

  @Test("every name in the data directory that the sources write is in one of the lists")
  func sources() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = root.appendingPathComponent("Sources/FieldUnit").path
    let walk = try #require(FileManager.default.enumerator(atPath: folder))
    var found: Set<String> = []
    for case let path as String in walk where path.hasSuffix(".swift") {
      let text = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
      for match in text.matches(of: /\broot(?: \+ "\/|\)\/)([a-z][a-z.-]*)/) {
        found.insert("field/\(match.1)")
      }
      for match in text.matches(of: /[dD]irectory\.appendingPathComponent\("([a-z][a-z.-]*)"\)/) {
        found.insert(String(match.1))
      }
      for match in text.matches(of: /static let thumbnails = "([a-z]+)"/) {
        found.insert("field/\(match.1)")
      }
    }
    found.remove("field")
    // The search itself works: it finds a name for each way of writing one.
    for name in ["field/keys", "field/thumbnails", "receiver", "field/certificates"] {
      #expect(found.contains(name), "\(name)")
    }
    for name in found {
      #expect(
        Self.kept.contains(name) || DataFolder.leftOut[name] != nil,
        "\(name): put it into DataFolder's list of what a backup holds, or of what it leaves out")
    }
  }

  /// Lays one photo over another one.
  private func compose(_ above: Photo, _ below: Photo, _ unit: InspectorUnit) throws {
    let (base, upper) = (
      try unit.composites.source(below.id), try unit.composites.source(above.id)
    )
    let (lower, higher) = (try base.size, try upper.size)
    let plan = CompositePlan(
      layingWidth: higher.width, height: higher.height, overWidth: lower.width,
      height: lower.height)
    _ = try unit.composites.make(nil, plan, below: base, above: upper)
  }

  @Test("what a working day leaves is in one of the lists, and receipts and office come back")
  func day() async throws {
    try await FieldSite.with { site in
      let data = site.server.configuration.dataDirectory
      _ = try await site.server.chooseOffice(site.address)
      try ChosenReceiver.choose(.tcp(host: "receiver.example", port: 2947), in: data)
      try await site.signIn()
      let unit = try #require(try site.server.unit())
      let photo = try await site.scene.capture(site.scene.request(samples: 4))
      let later = try await site.scene.capture(site.scene.request(samples: 4))
      try compose(photo, later, unit)
      _ = try await site.browser.get("/photos/\(photo.id)/thumbnail.jpg")
      try unit.sendPhotos([photo.id, later.id])
      for _ in 0..<1000 {
        if try unit.outbox().isEmpty { break }
        _ = try await site.browser.post("/deliver")
      }
      try #require(try unit.outbox().isEmpty)
      site.server.log.note("something")
      let walk = try #require(FileManager.default.enumerator(atPath: data.path))
      var kinds: Set<String> = []
      for case let path as String in walk where path != "field" { kinds.insert(Self.kind(path)) }
      for name in ["field/receipts", "field/office.choice", "field/log", "receiver"] {
        #expect(kinds.contains(name), "the day had \(name)")
      }
      for name in kinds {
        #expect(
          Self.kept.contains(name) || DataFolder.leftOut[name] != nil,
          "\(name): put it into DataFolder's list of what a backup holds, or of what it leaves out")
      }

      let file = site.scene.folder.appendingPathComponent("tablet.tar").path
      let outcome = try FieldBackup.write(
        data, to: file, software: "standpoint test", clock: site.scene.clock)
      #expect(outcome.differences.isEmpty, "\(outcome.differences)")
      let other = site.scene.folder.appendingPathComponent("new")
      #expect(try await FieldRestore.run(file, into: other).differences.isEmpty)
      func contents(_ data: URL, _ shelf: String) throws -> [String: Data] {
        let folder = data.appendingPathComponent("field/\(shelf)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return Dictionary(
          uniqueKeysWithValues: try names.map {
            ($0, try Data(contentsOf: folder.appendingPathComponent($0)))
          })
      }
      for shelf in DataFolder.backedUpFolders {
        let before = try contents(data, shelf)
        #expect(!before.isEmpty, "\(shelf)")
        #expect(try contents(other, shelf) == before, "\(shelf)")
      }
      #expect(try ChosenOffice.read(in: other) == ChosenOffice.read(in: data))
      #expect(try ChosenOffice.read(in: other)?.address == site.address)
      #expect(
        !FileManager.default.fileExists(atPath: other.appendingPathComponent("field/log").path))
    }
  }
}
