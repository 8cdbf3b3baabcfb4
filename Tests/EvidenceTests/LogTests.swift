import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

@Suite("The office's log as a file")
struct LogTests {
  private let certified: CertifiedDay
  private static let path = "office.log"

  init() throws { certified = try CertifiedDay.ordinary.get() }

  private func lines(_ count: Int) throws -> [[UInt8]] {
    var export = LogExport()
    let time = certified.day.now
    var lines = (0..<count).map { number in
      export.line(
        of: LogEntry(
          agency: number == 0 ? nil : "example", time: time.advanced(bySeconds: Double(number)),
          person: "anna", action: "person-added", subject: "login \(number)",
          detail: number % 2 == 0 ? "line\nend" : nil))
    }
    lines.append(
      try export.end(at: time, signedWith: certified.officeKey, certificate: certified.office))
    return lines
  }

  private func verified(_ lines: [[UInt8]]) throws -> VerificationReport {
    var files = try certified.folder()
    files[Self.path] = Array(lines.joined())
    return files.verified(trust: certified.trust)
  }

  @Test("an untouched log is intact, and how long it is is told; an empty one, too")
  func untouched() throws {
    for count in [0, 1, 12] {
      let report = try verified(try lines(count))
      expect(report, .intact, .log, about: Self.path, says: "\(count) entries")
      #expect(report.checked == certified.day.entries.count && report.logs == 1)
    }
  }

  @Test("another program's log in a folder is none of the verifier's business")
  func others() throws {
    var files = try certified.folder()
    files["camera.log"] = Array("2026-05-12 started\n".utf8)
    files["empty.log"] = []
    // A damaged line does not make the log another program's.
    for (name, place) in [("first", 0), ("last", 3)] {
      var lines = try lines(3)
      lines[place][2] ^= 1
      var damaged = try certified.folder()
      damaged["\(name).log"] = Array(lines.joined())
      expect(
        damaged.verified(trust: certified.trust), .altered, .log, about: "\(name).log")
    }
    expectIntact(files.verified(trust: certified.trust), seals: certified.day.entries.count)
    var alone = MemoryFiles()
    alone["camera.log"] = files["camera.log"]
    expect(alone.verified(trust: nil, .single), .altered, .log, about: "camera.log")
  }

  @Test("a log alone is judged by the authority that is named")
  func alone() throws {
    var files = MemoryFiles()
    files[Self.path] = Array(try lines(3).joined())
    let report = files.verified(trust: certified.trust, .single)
    #expect(report.verdict == .intact && report.issuer == .trusted && report.checked == 0)
    #expect(report.issuerFingerprint == certified.authority.certificate.fingerprint)
    let stranger = try Authority.make(name: "office", at: certified.day.now).certificate
    #expect(files.verified(trust: .certificate(stranger), .single).issuer == .unknown)
    #expect(files.verified(trust: nil, .single).verdict == .intact)
  }

  @Test("an entry of the office's log changed, taken out, put in or moved: log, altered")
  func changed() throws {
    let whole = try lines(6)
    var changed = whole
    let place = try #require(changed[2].firstRange(of: Array("anna".utf8)))
    changed[2].replaceSubrange(place, with: Array("otto".utf8))
    var spaced = whole
    spaced[2].insert(0x20, at: 1)
    for lines in [
      changed, spaced, Array(whole[0..<3] + whole[4...]), whole[0..<1] + whole,
      [whole[1], whole[0]] + whole[2...], Array(whole.dropLast()),
      Array(whole.dropLast(2)) + [whole[6]],
      try lines(5).dropLast() + [whole[6]],
    ] as [[[UInt8]]] {
      expect(try verified(lines), .altered, .log, about: Self.path)
    }
    // The last case is cut off within the signature.
    expect(
      try verified(whole.dropLast() + [Array(whole[6].dropLast(4))]), .altered, .log,
      about: Self.path, says: "incomplete")
  }

  @Test("an office's log that another authority's office has signed: log, doubtful")
  func stranger() throws {
    let elsewhere = try Authority.make(name: "office", at: certified.day.now)
    let key = SoftwareDeviceKey()
    var export = LogExport()
    let entry = LogEntry(
      agency: nil, time: certified.day.now, person: "x", action: "x", subject: "x")
    let lines = [
      export.line(of: entry),
      try export.end(
        at: certified.day.now, signedWith: key,
        certificate: try elsewhere.certifyOffice(key.publicKey, at: certified.day.now)),
    ]
    expect(try verified(lines), .doubtful, .log, about: Self.path)
  }
}
