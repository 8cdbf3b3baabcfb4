import Evidence
import Foundation
import Inspection
import OfficeScenes
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages
@testable import Predecessor
@testable import Web

/// Dumps that are hostile, contradictory or incomplete: refused in words, and never half carried
/// over.
@Suite("What cannot be carried over", .timeLimit(.minutes(5)))
struct CarryOverRefusalTests {
  private func withOffices(
    _ body: (OfficeScene, inout OlderOffice) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder, adding: PredecessorService.whereNoPhoneIsServed)
      var older = try OlderOffice(folder)
      try await body(scene, &older)
    }
  }

  /// Returns the words with which an import refuses to begin; nothing of the dump is here then.
  private func refusal(
    _ older: OlderOffice, _ scene: OfficeScene, _ change: (inout CarryOverOptions) -> Void
  ) async throws -> String {
    var options = older.options
    change(&options)
    do {
      try await older.carryOver(to: scene.office, options)
      Issue.record("it was carried over")
      return ""
    } catch let refusal as OfficeRefusal {
      #expect(try await scene.office.people.agencies().count == 2)
      #expect(try await scene.office.people.accounts().count == 7)
      return "\(refusal)"
    }
  }

  @Test("what has to be decided first is asked for before anything is carried over")
  func decisions() async throws {
    try await withOffices { scene, older in
      func said(_ change: (inout CarryOverOptions) -> Void) async throws -> String {
        try await refusal(older, scene, change)
      }
      #expect(try await said { $0.zone = nil }.contains("--zone"))
      #expect(try await said { $0.zone = "Mars" }.contains("not a time zone"))
      #expect(try await said { $0.photos = nil }.contains("--photos"))
      #expect(try await said { $0.photos = "/nonexistent" }.contains("cannot be read"))
      #expect(try await said { $0.parcelsAgency = nil }.contains("--agency"))
      #expect(try await said { $0.parcelsAgency = "east" }.contains("no agency east"))
      #expect(try await said { $0.joins = ["2": "east"] }.contains("no agency east"))
      #expect(try await said { $0.joins = ["9": "north"] }.contains("9 in the dump"))
      #expect(try await said { $0.source = "a b" }.contains("source"))
      // An agency of the dump is not taken for one of the same name here, unless `--join` says so.
      older.change("pa", 2, ["name": "North"])
      try older.write()
      #expect(try await said { _ in }.contains("--join 2=north"))
    }
  }

  @Test("a dump that is cut off, of several databases, or of something else leaves nothing here")
  func dumps() async throws {
    try await withOffices { scene, older in
      func said(_ text: String) async throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: older.dump.path))
        return try await refusal(older, scene) { _ in }
      }
      let whole = older.text
      #expect(try await said(String(whole.dropLast(30))).contains("cut off"))
      #expect(try await said(String(whole.prefix(whole.count / 2))).contains("cut off"))
      #expect(try await said("CREATE TABLE `x` (`id` int);").contains("no rows of an EGNSS4CAP"))
      #expect(
        try await said("USE `one`;\n" + whole + "USE `two`;\n" + whole).contains(
          "choose one with --database, of one, two"))
      #expect(try await said("hello there").contains("dump.sql: line 1"))
      try Data(("USE `one`;\n" + whole).utf8).write(to: URL(fileURLWithPath: older.dump.path))
      #expect(
        try await refusal(older, scene) { $0.database = "other" }.contains("database other"))
      // Only the named database of two is read; the server's own tables are none of it.
      try Data(
        ("USE `one`;\n" + whole + "USE `two`;\nINSERT INTO pa (id,name) VALUES (5,'x');\n"
          + "USE `mysql`;\nINSERT INTO user (id,login) VALUES (99,'root');\n"
          + "-- Dump completed\n").utf8
      ).write(to: URL(fileURLWithPath: older.dump.path))
      var options = older.options
      options.database = "one"
      let (summary, _) = try await older.carryOver(to: scene.office, options)
      #expect(summary.counts[.users]?.rows == 7 && summary.counts[.agencies]?.rows == 3)
      #expect(
        try FileManager.default.contentsOfDirectory(
          atPath: scene.office.configuration.folder.appendingPathComponent("staging").path
        ).filter { $0.hasSuffix(".sqlite") } == [])
    }
  }

  @Test("another office's database under the same name is noticed")
  func otherSource() async throws {
    try await withOffices { scene, older in
      try await older.carryOver(to: scene.office)
      older.change("pa", 2, ["name": "Elsewhere", "timestamp": "2011-01-01 00:00:00"])
      try older.write()
      do {
        try await older.carryOver(to: scene.office)
        Issue.record("it was taken for the same")
      } catch let refusal as OfficeRefusal {
        #expect("\(refusal)".contains("--source"))
      }
      // The task and the photo are others than those under the same numbers before.
      older.change("pa", 2, ["name": "Agentura Západ"])
      older.change("task", 19, ["name": "Other", "date_created": "2011-01-01 00:00:00"])
      older.change("photo", 103, ["digest": "abc", "created": "2011-01-01 00:00:00"])
      try older.write()
      let (_, lines) = try await older.carryOver(to: scene.office)
      #expect(
        lines.filter { $0.remark == .numberTaken }.map { "\($0.table) \($0.number ?? 0)" } == [
          "task 19", "photo 103",
        ])
    }
  }

  @Test("no name in a dump leads out of the folder of pictures, nor does a link")
  func places() async throws {
    try await withOffices { scene, older in
      let outside = older.folder.appendingPathComponent("outside")
      try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
      let secret = try OfficeScene.picture(50)
      try Data(secret).write(to: outside.appendingPathComponent("secret.jpeg"))
      let columns = older.rows.first { $0.table == "photo" }?.columns.joined(separator: " ") ?? ""
      let hostile: [(path: String?, file: String)] = [
        ("../outside/", "secret.jpeg"), ("photos/../../outside", "secret.jpeg"),
        (outside.path + "/", "secret.jpeg"), (nil, "../outside/secret.jpeg"),
        ("linked/", "secret.jpeg"), ("2/11", "linked.jpeg"), ("2/11", "pipe"), ("2", "11"),
        ("2/11", "empty"), ("2/11/x\0y", "secret.jpeg"), ("", "/"),
      ]
      older.add(
        "photo", columns,
        hostile.enumerated().map { index, place in
          OlderOffice.photo(130 + index, path: place.path, file: place.file)
        })
      try older.put([], at: "2/11/empty")
      let photos = URL(fileURLWithPath: older.photos)
      try FileManager.default.createSymbolicLink(
        at: photos.appendingPathComponent("linked"), withDestinationURL: outside)
      try FileManager.default.createSymbolicLink(
        at: photos.appendingPathComponent("2/11/linked.jpeg"),
        withDestinationURL: outside.appendingPathComponent("secret.jpeg"))
      #expect(mkfifo(photos.appendingPathComponent("2/11/pipe").path, 0o600) == 0)
      try older.write()
      let (_, lines) = try await older.carryOver(to: scene.office)
      for index in hostile.indices {
        let line = try #require(
          lines.first { $0.table == "photo" && $0.number == Int64(130 + index) })
        #expect([.pictureMissing, .pictureUnusable].contains(line.remark), "\(hostile[index])")
        if [4, 5].contains(index) { #expect(line.why.contains("link"), "\(line.why)") }
      }
      let digest = Digest.hexadecimal(secret)
      for name in try scene.office.photos.names() {
        #expect(try scene.office.photos.bytes(of: name).map { Digest.hexadecimal($0) } != digest)
      }
    }
  }

  @Test("where there is no more room it ends with whole things, and goes on when there is")
  func noRoom() async throws {
    try await withOffices { scene, older in
      let store = try #require(scene.office.database as? SQLiteOfficeDatabase).store
      try await older.carryOver(to: scene.office) { progress in
        // The people are there, and now their agency has room for no more than two pictures.
        if progress.phase == .tasks, progress.done == 0 {
          try store.write(in: "agentura-zapad") { (session: AgencySession) in
            try session.deliveries.setQuota(bytes: 2500)
          }
        }
      } expecting: { error in
        #expect((error as? OfficeRefusal)?.kind == .quotaFull)
      }
      #expect(try await scene.office.operation.differences().isEmpty)
      try await scene.office.room.setQuota(bytes: nil, of: "agentura-zapad", by: "test")
      try await older.carryOver(to: scene.office)
      let last = try await older.carryOver(to: scene.office)
      #expect(last.summary.counts[.photos]?.here == 5)
      #expect(try await scene.office.operation.differences().isEmpty)
    }
  }

  @Test("two imports at once are one too many")
  func atOnce() async throws {
    try await withOffices { scene, older in
      let folder = scene.office.configuration.folder.appendingPathComponent("staging").path
      try DurableFile.makeFolder(folder)
      let lock = try #require(try FileLock(folder + "/carry-over.lock"))
      #expect(try await refusal(older, scene) { _ in }.contains("is running"))
      lock.release()
      try await older.carryOver(to: scene.office)
    }
  }

  @Test(
    "texts that are no Unicode, too long or full of controls neither stop it nor pass as they are")
  func texts() async throws {
    try await withOffices { scene, older in
      older.change("task", 19, ["name": "a\u{1B}[31m\u{202E}b\0c", "text": "x\0y"])
      older.change("task", 24, ["name": nil, "date_created": "0000-00-00 00:00:00"])
      older.change("user", 12, ["name": "Ol\u{202E}da"])
      var bytes = Array(older.text.utf8)
      // The letter is one of another character set.
      let place = try #require(bytes.firstRange(of: Array("Photograph; it".utf8)))
      bytes[place.lowerBound] = 0xE9
      try Data(bytes).write(to: URL(fileURLWithPath: older.dump.path))
      let (_, lines) = try await older.carryOver(to: scene.office)
      let tasks = try await scene.office.review.tasks(in: "agentura-zapad")
      #expect(tasks.contains { $0.name == "a [31mbc" && $0.instructions == "xy" })
      #expect(tasks.contains { $0.name == "EGNSS4CAP-24" })
      #expect(try await scene.office.people.accounts().first { $0.login == "olda" }?.name == "Olda")
      #expect(lines.contains { $0.remark == .textDamaged && $0.table == "task" })
      #expect(lines.contains { $0.remark == .nameMissing && $0.number == 24 })
      #expect(lines.contains { $0.remark == .timeUnreadable && $0.number == 24 })
    }
  }

  @Test("the report is whole, its owner's only, and nothing in it is a formula")
  func report() throws {
    try withTemporaryDirectory { folder in
      let lines = [
        CarryOverLine(.pictureMissing, "photo", 7, what: "=1+1, \"x\"", why: "there is\nno file"),
        CarryOverLine(.columnsLeftOut, "user", nil, what: "a", why: "b"),
      ]
      for (name, expected) in [
        (
          "report.csv",
          "table,number,outcome,code,what,why,advice\r\n"
            + "photo,7,left,picture-missing,\"'=1+1, \"\"x\"\"\",\"there is\nno file\",\"put the file in its place"
            + " below the folder, then run the import again\"\r\n"
            + "user,,changed,columns-left-out,a,b,nothing; they have no place here\r\n"
        ),
        (
          "report.jsonl",
          "{\"advice\":\"put the file in its place below the folder, then run the import again\","
            + "\"code\":\"picture-missing\",\"number\":\"7\",\"outcome\":\"left\",\"table\":\"photo\","
            + "\"what\":\"=1+1, \\\"x\\\"\",\"why\":\"there is\\nno file\"}\n"
            + "{\"advice\":\"nothing; they have no place here\",\"code\":\"columns-left-out\","
            + "\"outcome\":\"changed\",\"table\":\"user\",\"what\":\"a\",\"why\":\"b\"}\n"
        ),
      ] {
        let path = folder.appendingPathComponent(name).path
        let file = try CarryOverReportFile(path)
        for line in lines { try file.add(line) }
        #expect(!FileManager.default.fileExists(atPath: path))
        try file.finish()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == expected)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
      }
      _ = try CarryOverReportFile(folder.appendingPathComponent("never").path)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
          == ["report.csv", "report.jsonl"])
    }
  }

  @Test("each case of the report is in the list of problems, and has its advice")
  func listed() throws {
    let text = try String(
      contentsOf: Repository.root.appendingPathComponent("docs/problems.md"), encoding: .utf8)
    for remark in CarryOverRemark.allCases {
      #expect(
        text.contains("| `\(remark.rawValue)` | \(remark.outcome.rawValue) |"), "\(remark.rawValue)"
      )
      #expect(!remark.advice.isEmpty)
    }
  }

  @Test("a status of the older office is one of ours, or waits for a decision")
  func states() throws {
    func state(_ status: String, _ flags: [Int64] = []) -> (TaskState, CarryOverRemark?) {
      let task = OlderTask(status: status, flags: flags.map { ($0, "t") })
      return (task.state.state, task.state.doubt?.remark)
    }
    #expect(state("new") == (.new, nil) && state("open", [1]) == (.open, nil))
    #expect(state("data checked", [3, 1]) == (.accepted, nil))
    #expect(state("closed", [2]) == (.declined, nil))
    #expect(state("data checked", [1, 2]) == (.declined, .decisionsContradict))
    #expect(state("data checked", [3]) == (.dataProvided, .decisionMissing))
    #expect(state("", []) == (.dataProvided, .decisionMissing))
    for target in TaskState.allCases {
      let actions = OlderTask.actions(to: target)
      var now = TaskState.new
      for action in actions {
        #expect(action.rule.from.contains(now))
        now = try #require(action.rule.to)
      }
      #expect(now == target || target == .withdrawn)
    }
  }
}

extension OlderOffice {
  /// Carries everything over, and expects an error.
  fileprivate func carryOver(
    to office: OfficeServer, progress: @escaping (CarryOverProgress) throws -> Void,
    expecting check: (any Error) throws -> Void
  ) async throws {
    do {
      try await carryOver(to: office, nil, progress: progress)
      Issue.record("it was carried over")
    } catch {
      try check(error)
    }
  }
}
