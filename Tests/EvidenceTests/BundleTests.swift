import Foundation
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

typealias EvidenceBundle = Evidence.Bundle

@Suite("Bundles")
struct BundleTests {
  private let certified: CertifiedDay
  private let folder: MemoryFiles
  private let made = DeviceTime(millisecondsSince1970: 1_778_666_543_210)

  init() throws {
    certified = try CertifiedDay.ordinary.get()
    folder = try certified.folder()
  }

  private var photo: FieldDay.Sealed { certified.day.captures[0] }

  private func entries(_ files: MemoryFiles) -> [EvidenceBundle.Entry] {
    files.contents.map { .init(path: $0.key, content: .bytes($0.value)) }
  }

  /// Returns the report on a bundle of some files.
  private func bundled(_ files: MemoryFiles, _ trust: Trust? = nil) throws -> VerificationReport {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("evidence.zip").path
      try EvidenceBundle.write(entries(files), made: made, toFile: path)
      return Verifier.verify(try EvidenceArchive(path: path), scope: .whole, trust: trust)
    }
  }

  @Test("a bundle verifies like the folder that it was made of")
  func same() throws {
    let report = try bundled(folder, certified.trust)
    expectIntact(report, seals: certified.day.entries.count)
    #expect(report.issuer == .trusted)
    // A bundle without a list says so, and that nobody sealed its README.
    let others: Set<Finding.Check> = [.list, .unnamed]
    var same = report
    same.findings.removeAll { others.contains($0.check) }
    #expect(same == folder.verified(trust: certified.trust))
  }

  @Test("a photo or its seal removed from a bundle: file or unnamed, incomplete")
  func removed() throws {
    var files = folder
    files[photo.path] = nil
    expect(try bundled(files), .incomplete, .file, about: photo.path)
    files = folder
    files[photo.rawPath] = nil
    expect(try bundled(files), .incomplete, .rawWindow, about: photo.rawPath)
    files = folder
    files[photo.sealPath] = nil
    expect(try bundled(files), .incomplete, .unnamed, about: photo.path)
  }

  @Test("a photo or its seal changed in a bundle: file or seal, altered")
  func changed() throws {
    var files = folder
    files.flip(photo.path, at: 900)
    expect(try bundled(files), .altered, .file, about: photo.path)
    files = folder
    files.flip(photo.sealPath, at: 300)
    expect(try bundled(files), .altered, .seal, about: photo.sealPath)
  }

  @Test("a bundle of earlier work is whole, although the office's receipt knows of later work")
  func selection() throws {
    var files = folder
    for entry in certified.day.entries.suffix(2) {
      for path in [entry.path, entry.rawPath, entry.sealPath] { files[path] = nil }
    }
    #expect(files.verified().verdict == .incomplete)
    let report = try bundled(files, certified.trust)
    expectIntact(report, seals: certified.day.entries.count - 2)
    #expect(report.issuer == .trusted)
    expect(report, .intact, .receipt, about: CertifiedDay.receiptPath, says: "ends at")
  }

  @Test("a photo added to a bundle: unnamed, incomplete")
  func added() throws {
    var files = folder
    files["photos/ab/another.jpg"] = FieldDay.pictures[4]
    expect(try bundled(files), .incomplete, .unnamed, about: "photos/ab/another.jpg")
  }

  @Test("a byte of the archive changed: altered, or no bundle any more")
  func flipped() throws {
    try withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("evidence.zip")
      try EvidenceBundle.write(entries(self.folder), made: made, toFile: file.path)
      let bytes = Array(try Data(contentsOf: file))
      // The photo is stored without compression, so that its bytes are found in the ZIP.
      let jpeg = try #require(photo.file)
      let middle = Array(jpeg[(jpeg.count / 2)..<(jpeg.count / 2 + 40)])
      let start = try #require(
        bytes.indices.first { bytes[$0] == middle[0] && bytes[$0...].starts(with: middle) })
      var changed = bytes
      changed[start] ^= 1
      try Data(changed).write(to: file)
      let report = Verifier.verify(try EvidenceArchive(path: file.path), scope: .whole)
      expect(report, .altered, .file, about: photo.path)
      forEachSeed(0..<60) { seed, random in
        changed = bytes
        changed[Int.random(in: bytes.indices, using: &random)] ^= 0x10
        guard (try? Data(changed).write(to: file)) != nil,
          let archive = try? EvidenceArchive(path: file.path)
        else { return }
        // No seal covers the times and the README; all else that changes must be noticed.
        let all = self.folder.paths.allSatisfy {
          (try? archive.bytes(of: $0)) == self.folder.contents[$0]
        }
        #expect(
          all || Verifier.verify(archive, scope: .whole).verdict > .doubtful, "seed \(seed)")
      }
    }
  }

  @Test(
    "equal entries give equal bytes, whatever their order, their files' times and the time zone")
  func deterministic() throws {
    try withTemporaryDirectory { folder in
      let first = folder.appendingPathComponent("a.zip")
      let second = folder.appendingPathComponent("b.zip")
      try EvidenceBundle.write(
        entries(self.folder).sorted { $0.path < $1.path }, made: made, toFile: first.path)
      var others: [EvidenceBundle.Entry] = []
      for (number, entry) in entries(self.folder).sorted(by: { $0.path > $1.path }).enumerated() {
        guard case .bytes(let bytes) = entry.content else { continue }
        let file = folder.appendingPathComponent("\(number)")
        try Data(bytes).write(to: file)
        try FileManager.default.setAttributes(
          [
            .modificationDate: Date(timeIntervalSince1970: 1e9 + Double(number)),
            .posixPermissions: 0o600,
          ],
          ofItemAtPath: file.path)
        others.append(.init(path: entry.path, content: .file(path: file.path)))
      }
      try EvidenceBundle.write(others, made: made, toFile: second.path)
      let bytes = try Data(contentsOf: first)
      #expect(try Data(contentsOf: second) == bytes)
      let later = made.advanced(bySeconds: 60)
      try EvidenceBundle.write(others, made: later, toFile: second.path)
      #expect(try Data(contentsOf: second) != bytes)
    }
  }

  @Test("a bundle is its owner's only")
  func rights() throws {
    try withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("evidence.zip")
      try EvidenceBundle.write(entries(self.folder), made: made, toFile: file.path)
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test("a bundle is there whole or not at all, and replaces an earlier one only then")
  func whole() throws {
    try withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("evidence.zip")
      try Data("an earlier one".utf8).write(to: file)
      let good = EvidenceBundle.Entry(path: "a.txt", content: .bytes([1]))
      for bad: EvidenceBundle.Entry in [
        .init(path: "b", content: .file(path: folder.path + "/absent")),
        .init(path: "b", content: .file(path: folder.path)),
        .init(path: "../b", content: .bytes([])), .init(path: "/b", content: .bytes([])),
        .init(path: "a.txt", content: .bytes([])), .init(path: "README.txt", content: .bytes([])),
      ] {
        #expect(throws: EvidenceError.self, "\(bad.path)") {
          try EvidenceBundle.write([good, bad], made: made, toFile: file.path)
        }
        #expect(try Data(contentsOf: file) == Data("an earlier one".utf8))
        #expect(
          try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["evidence.zip"])
      }
      #expect(throws: EvidenceError.self) {
        try EvidenceBundle.write([good], made: made, toFile: folder.path + "/absent/evidence.zip")
      }
      // A folder is in the bundle's place: nothing is left beside it.
      let occupied = folder.appendingPathComponent("evidence.zip.d")
      try FileManager.default.createDirectory(
        at: occupied.appendingPathComponent("x"), withIntermediateDirectories: true)
      #expect(throws: EvidenceError.self) {
        try EvidenceBundle.write([good], made: made, toFile: occupied.path)
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
          == ["evidence.zip", "evidence.zip.d"])
      try FileManager.default.removeItem(at: occupied)
      try EvidenceBundle.write([good], made: made, toFile: file.path)
      #expect(try EvidenceArchive(path: file.path).paths == ["README.txt", "a.txt"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["evidence.zip"])
    }
  }

  @Test("progress is told, and never beyond the end")
  func progress() throws {
    try withTemporaryDirectory { folder in
      var told: [(Int, Int)] = []
      try EvidenceBundle.write(
        entries(self.folder), made: made, toFile: folder.path + "/x.zip",
        progress: { told.append(($0, $1)) })
      let count = self.folder.paths.count + 1
      #expect(told.last?.0 == count)
      #expect(told.allSatisfy { $0.0 <= count && $0.1 == count })
      #expect(told.map(\.0) == told.map(\.0).sorted())
    }
  }

  // MARK: independent readers

  private static let script = """
    import json, sys, zipfile
    with zipfile.ZipFile(sys.argv[1]) as archive:
        assert archive.testzip() is None
        print(json.dumps([[i.filename, i.date_time, i.compress_type, i.external_attr >> 16,
                           i.create_system, i.flag_bits & 1, len(i.extra)]
                          for i in archive.infolist()]))
    """

  @Test("python and unzip read a bundle: times of its making, photos stored, text deflated")
  func independently() async throws {
    let python = try #require(Program.tool("python3"))
    try await withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("evidence.zip").path
      try EvidenceBundle.write(entries(self.folder), made: made, toFile: path)
      // The times do not depend on the machine's time zone.
      let outcome = try await Program.run(
        python, ["-c", Self.script, path], environment: ["TZ": "Asia/Kathmandu"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let list = try #require(try JSONValue(parsing: Array(outcome.output.utf8)).elements)
      let names = list.compactMap { $0.elements?.first?.text }
      #expect(names == ["README.txt"] + self.folder.paths.sorted())
      for entry in list.compactMap(\.elements) {
        let name = entry[0].text ?? ""
        // The time is 2026-05-13T10:02:23.210Z, and ZIP counts in steps of two seconds.
        #expect(entry[1].elements?.compactMap(\.wholeNumber) == [2026, 5, 13, 10, 2, 22])
        let isStored = name.hasSuffix(".jpg") || name.hasSuffix(".raw")
        #expect(entry[2].wholeNumber == (isStored ? 0 : 8), "\(name)")
        #expect(entry[3].wholeNumber == 0o100_644)
        #expect(entry[4].wholeNumber == 3)
        #expect(entry[5].wholeNumber == 0)
        #expect(entry[6].wholeNumber == 0)
      }
      if let unzip = Program.tool("unzip") {
        let tested = try await Program.run(unzip, ["-t", path])
        #expect(tested.status == 0, "\(tested.output)")
        #expect(tested.output.contains("No errors detected"))
      }
    }
  }

  @Test(
    "what the README says gives what it says, with unzip, sha256sum, jq and openssl",
    .enabled(
      if: ["unzip", "sha256sum", "jq", "openssl", "bash"].allSatisfy { Program.tool($0) != nil },
      "unzip, sha256sum, jq or openssl is not installed"))
  func byHand() async throws {
    let unzip = try #require(Program.tool("unzip"))
    let bash = try #require(Program.tool("bash"))
    try await withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("evidence.zip").path
      var files = self.folder
      files["certificates/a.pem"] = Array(certified.device.pem.utf8)
      files["certificates/authority.pem"] = Array(certified.authority.certificate.pem.utf8)
      try EvidenceBundle.write(
        entries(files), made: made, toFile: path,
        statement: CertifiedDay.signing(
          made: made, key: certified.officeKey, certificate: certified.office))
      #expect(try await Program.run(unzip, ["-q", path], folder: folder).status == 0)
      let readme = try String(
        contentsOf: folder.appendingPathComponent("README.txt"), encoding: .utf8)
      // The commands of the README, with its placeholders filled in.
      var commands = readme.split(separator: "\n").map { $0.drop { $0 == " " } }
        .filter { $0.hasPrefix("sha256sum") || $0.hasPrefix("jq") || $0.hasPrefix("openssl") }
        // This bundle has no stamps: the tests of the office have.
        .filter { !$0.hasPrefix("openssl ts") }
        .map(String.init)
      #expect(commands.count == 8)
      commands = commands.map {
        $0.replacing("photos/ab/ID", with: String(photo.path.dropLast(4)))
          .replacing("certificates/NAME.pem", with: "certificates/a.pem")
          .replacing("AUTHORITY.pem", with: "certificates/authority.pem")
          // The test's certificates begin at a fixed time.
          .replacing("openssl verify", with: "openssl verify -attime 1800000000")
      }
      var outputs: [String] = []
      for command in commands {
        let outcome = try await Program.run(bash, ["-c", command], folder: folder)
        #expect(outcome.status == 0, "\(command): \(outcome.errors)")
        outputs.append(outcome.output)
      }
      let seals = try certified.day.sealFiles().map(\.seal)
      let seal = try #require(seals.first { $0.link.id == photo.id })
      #expect(outputs[0].contains(try #require(seal.link.file)))
      #expect(outputs[0].contains(try #require(seal.link.raw)))
      #expect(outputs[1].hasPrefix(seal.link.record))
      #expect(outputs[2].hasPrefix(seal.digest))
      #expect(seals.contains { $0.link.previous == seal.digest })
      #expect(outputs[3].contains("BEGIN PUBLIC KEY"))
      #expect(outputs[4].contains("OK"))
      let shown = outputs[5].lowercased().replacing(":", with: "")
      #expect(shown.contains(certified.authority.certificate.fingerprint))
    }
  }

  @Test("times before 1980 and after 2107 are the nearest that a ZIP can write")
  func oddTimes() throws {
    for (text, date, time) in [
      ("1970-01-01T00:00:00Z", 0x0021, 0), ("1980-01-01T00:00:00Z", 0x0021, 0),
      ("2107-12-31T23:59:59Z", 0xFF9F, 0xBF7D), ("2108-01-01T00:00:00Z", 0xFF9F, 0),
    ] {
      let zip = ZipTime(try #require(DeviceTime(rfc3339: text)))
      #expect(zip.date == UInt16(date), "\(text)")
      #expect(zip.time == UInt16(time), "\(text)")
    }
  }
}
