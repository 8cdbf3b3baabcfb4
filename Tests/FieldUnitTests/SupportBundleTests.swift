import Evidence
import Foundation
import Inspection
import NIOHTTP1
import Positioning
import Receivers
import Store
import TestSupport
import Testing
import TimeAndText

@testable import FieldPages
@testable import FieldUnit
@testable import Upkeep

@Suite("The support bundle and the log", .timeLimit(.minutes(5)))
struct SupportBundleTests {
  private static let clock = ReplayClock(
    start: DeviceTime(millisecondsSince1970: 0), rate: .infinity)

  /// Returns every file of a bundle by its name.
  private func unpacked(_ bytes: [UInt8], in folder: URL) throws -> [String: [UInt8]] {
    let path = folder.appendingPathComponent("support.zip").path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let archive = try EvidenceArchive(path: path)
    return try Dictionary(
      uniqueKeysWithValues: archive.paths.map { ($0, try archive.bytes(of: $0)) })
  }

  @Test("no byte of a key, secret, token, photo or name is in it, however it got into the log")
  func secrets() async throws {
    try await FieldSite.with { site in
      try await site.signIn()
      let photo = try await site.scene.capture(site.scene.request())
      let token = String(repeating: "t", count: 43)
      let keys = site.scene.data + "/field/keys"
      let files = try FileManager.default.contentsOfDirectory(atPath: keys)
      #expect(files.contains("forms.secret") && files.contains { $0.hasSuffix(".pem") })
      var secrets: [[UInt8]] = [Array(token.utf8), Array(FakeOffice.password.utf8)]
      for file in files {
        let data = try #require(FileManager.default.contents(atPath: keys + "/" + file))
        // Random bytes may contain a `<`, which the page would show escaped.
        let text = String(decoding: data, as: UTF8.self).replacing("<", with: ".")
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("-----") }
        secrets.append(Array(data))
        secrets.append(Array(data.base64EncodedString().prefix(40).utf8))
        if file.hasSuffix(".pem") { secrets += lines.map { Array($0.utf8) } }
        // No code of ours logs keys, but the words of an error might contain one.
        site.server.log.note("key \(data.base64EncodedString())")
        site.server.log.note("key \(text)")
      }
      site.server.log.note("Authorization: Bearer \(token)")
      site.server.log.note("Ines (ines) at \(NSHomeDirectory())/x: a fine day in the mines")
      site.server.log.note("eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0")
      let page = try await site.browser.get("/about/support")
      #expect(page.status == 200)
      let answer = try await site.browser.get("/about/support.zip")
      #expect(answer.status == 200 && answer.type == "application/zip")
      #expect(answer.headers.first(name: "Content-Disposition")?.hasPrefix("attachment") == true)
      let parts = try unpacked(answer.bytes, in: site.scene.folder)
      #expect(
        Set(parts.keys) == [
          "README.txt", "log/field.log", "program.txt", "receiver.txt", "settings.txt",
          "storage.txt", "work.txt",
        ])
      let unit = try #require(try site.server.unit())
      let picture = Array(try DurableFile.read(unit.path(ofPhoto: photo.id))[200..<400])
      for (name, bytes) in parts.merging(
        ["page": page.bytes, "zip": answer.bytes], uniquingKeysWith: { $1 })
      {
        let data = Data(bytes)
        for secret in secrets + [picture] {
          #expect(data.range(of: Data(secret)) == nil, "\(name) holds a secret")
        }
      }
      let log = String(decoding: try #require(parts["log/field.log"]), as: UTF8.self)
      #expect(log.contains("[name] ([name]) at ~/x: a fine day in the mines"))
      #expect(log.contains("[secret]") && log.contains("Bearer"))
      let everything = parts.values.map { String(decoding: $0, as: UTF8.self) }.joined()
      #expect(!everything.contains("ines (") && !everything.contains("eyJ"))
      #expect(!everything.contains("49.08"), "a position")
      #expect(everything.contains("photos: 1") && everything.contains("standpoint test"))
      // The page names the parts of the ZIP.
      for name in parts.keys where name != "README.txt" {
        #expect(page.body.contains("\(name),"), "\(name) is not said")
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: site.scene.data + "/field/staging")
          .allSatisfy { !$0.contains("support") }, "nothing of it stays")
      let about = try await site.browser.get("/about").body
      #expect(about.contains("GPL-3.0-or-later") && about.contains("field/keys"))
    }
  }

  @Test("a bundle is made where nothing can be read, and a part with a secret in it is left out")
  func damaged() throws {
    try withTemporaryDirectory { folder in
      let configuration = FieldUnitConfiguration(
        dataDirectory: folder, person: FieldScene.person,
        software: "standpoint test, the key is 0123456789abcdef.")
      let clock = Self.clock
      try DurableFile.makeFolder(folder.path + "/field/keys")
      try DurableFile.write(
        Array("not a database".utf8), to: folder.path + "/field/standpoint.sqlite")
      try DurableFile.write(
        Array("0123456789abcdef".utf8), to: folder.path + "/field/keys/x.secret")
      // Each line of this secret is too short to be replaced: only the part as a whole shows it.
      try DurableFile.write(
        Array("qwertzuiop\nasdfgh".utf8), to: folder.path + "/field/keys/y.secret")
      FieldLog(dataDirectory: folder, clock: clock).note("the key is 0123456789abcdef.")
      let bundle = SupportBundle(
        configuration: configuration, clock: clock, office: nil,
        camera: .command(["cam", "--token=a"]),
        receiver: ["before", "qwertzuiop", "asdfgh", "behind"], delivery: nil)
      let text = bundle.parts.map(\.text).joined()
      let texts = Dictionary(uniqueKeysWithValues: bundle.parts.map { ($0.path, $0.text) })
      #expect(texts["receiver.txt"] == "left out: it held a secret")
      // Without the database the names to remove from the log are unknown: the log stays out, with
      // a reason.
      #expect(texts["log/field.log"]?.hasPrefix("left out: the database cannot be read") == true)
      #expect(texts["log/field.log"]?.contains("look through it") == true)
      #expect(texts.values.count { $0.contains("left out") } == 2, "the others are there")
      #expect(!text.contains("qwertzuiop") && !text.contains("asdfgh"))
      #expect(texts["program.txt"]?.contains("the key is [secret].") == true)
      #expect(text.contains("the database cannot be read"))
      #expect(text.contains("the command cam") && !text.contains("--token"))
      let path = folder.path + "/out.zip"
      try bundle.write(to: path)
      #expect(try DurableFile.read(path).count > 100)
      for (name, bytes) in try unpacked(try DurableFile.read(path), in: folder) {
        for secret in ["qwertzuiop", "asdfgh", "0123456789abcdef"] {
          #expect(Data(bytes).range(of: Data(secret.utf8)) == nil, "\(name) holds \(secret)")
        }
      }
      var secrets = SupportSecrets(dataDirectory: folder, people: nil)
      #expect(secrets.isLeaked(in: Array("a0123456789abcdefb".utf8)))
      #expect(secrets.isLeaked(in: Array("MDEyMzQ1Njc4OWFiY2RlZg".utf8)))
      #expect(!secrets.isLeaked(in: Array("0123456789abcde".utf8)))
      secrets = SupportSecrets(dataDirectory: folder.appendingPathComponent("none"), people: nil)
      #expect(
        secrets.redacted("plain words, 0190a5c0-7d2e-7cc3-98c4-dc0c0c07398f")
          == "plain words, 0190a5c0-7d2e-7cc3-98c4-dc0c0c07398f")
    }
  }

  @Test(
    "user and password of an address that somebody gave are not in it, in whatever shape",
    arguments: [
      ("https://ines:pa55word@office.example:8480", "https://[secret]@office.example:8480"),
      ("https://ines:pa55@word/x@office.example", "https://[secret]@office.example"),
      ("https://ines:pa55 word@office.example", "https://[secret]@office.example"),
      ("https://pa55word@office.example", "https://[secret]@office.example"),
      ("ines:pa55word@office.example", "[secret]@office.example"),
      ("//ines:pa55word@office.example", "[secret]@office.example"),
      ("https://office.example/path", "https://office.example/path"),
    ])
  func credentials(office: String, shown: String) throws {
    try withTemporaryDirectory { folder in
      let configuration = FieldUnitConfiguration(
        dataDirectory: folder, person: FieldScene.person, software: "standpoint test")
      try ChosenOffice(
        address: "https://office.example", fingerprint: String(repeating: "0", count: 64),
        certificate: nil
      ).keep(in: Self.prepared(folder))
      let log = FieldLog(dataDirectory: folder, clock: Self.clock)
      if !office.contains("pa55 word") {
        log.note("cannot reach \(office): the network")
      }
      let bundle = SupportBundle(
        configuration: configuration, clock: Self.clock, office: office, camera: nil, receiver: [],
        delivery: office.contains("pa55 word") ? nil : "\(office) could not be reached")
      let settings = try #require(bundle.parts.first { $0.path == "settings.txt" }).text
      #expect(settings.contains("default office: \(shown)\n"), "\(settings)")
      #expect(settings.contains("selected office: https://office.example\n"))
      for part in bundle.parts {
        #expect(!part.text.contains("pa55"), "\(part.path)")
        #expect(!part.text.contains("word@"), "\(part.path)")
      }
      #expect(
        SupportSecrets(dataDirectory: folder, people: nil).redacted(
          "ask help@office.example at 9:30")
          == "ask help@office.example at 9:30")
    }
  }

  private static func prepared(_ folder: URL) throws -> URL {
    try DataFolder(dataDirectory: folder).prepare()
    return folder
  }

  @Test("the log is bounded by two files, keeps the newest, and has one line for each note")
  func log() throws {
    try withTemporaryDirectory { folder in
      let log = FieldLog(dataDirectory: folder, clock: Self.clock)
      for number in 0..<4000 {
        log.note("\(number)\n\u{1B}[2Jforged " + String(repeating: "x", count: 200))
      }
      log.note(String(repeating: "y", count: 100_000))
      log.note("the last")
      log.note("the last")
      let (new, old) = FieldLog.paths(in: folder.path + "/field/log")
      let (newer, older) = (try DurableFile.read(new), try DurableFile.read(old))
      #expect(newer.count <= FieldLog.bytesOfFile && older.count <= FieldLog.bytesOfFile)
      #expect(older.count > FieldLog.bytesOfFile / 2)
      let text = String(decoding: newer, as: UTF8.self)
      let lines = text.split(separator: "\n")
      #expect(lines.last?.hasSuffix(" the last") == true)
      #expect(lines.count { $0.hasSuffix(" the last") } == 1)
      #expect(!text.contains("\u{1B}") && lines.allSatisfy { $0.hasPrefix("1970-01-01T") })
      #expect(lines.allSatisfy { $0.count < 2100 })
      // A log that cannot be written does no harm.
      FieldLog(dataDirectory: URL(fileURLWithPath: new), clock: Self.clock).note("x")
    }
  }

  @Test(
    "where the database cannot be read the log stays out: nobody's name could be taken out of it")
  func unreadableDatabase() async throws {
    try await FieldSite.with { site in
      try await site.signIn()
      site.server.log.note("Ines (ines) was here")
      let configuration = site.scene.unit.configuration
      func bundle() -> SupportBundle {
        SupportBundle(
          configuration: configuration, clock: Self.clock, office: nil, camera: nil, receiver: [],
          delivery: nil)
      }
      func log() throws -> String {
        try #require(bundle().parts.first { $0.path == "log/field.log" }).text
      }
      let before = try log()
      #expect(before.contains("[name]") && !before.contains("Ines"))
      let database = DataFolder(dataDirectory: configuration.dataDirectory).database
      for ending in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: database + ending)
      }
      try Data(repeating: 7, count: 8192).write(to: URL(fileURLWithPath: database))
      #expect(try log().hasPrefix("left out: the database cannot be read"))
      #expect(!bundle().parts.contains { $0.text.contains("Ines") || $0.text.contains("(ines)") })
    }
  }
}
