import Positioning
import TestSupport
import Testing
import TimeAndText
import Transparency

@testable import Evidence
@testable import Verification

@Suite("Checkpoints that somebody has kept")
struct KeptCheckpointTests {
  private let certified: CertifiedDay
  private static let path = "office.log"

  init() throws { certified = try CertifiedDay.ordinary.get() }

  private var origin: String {
    "standpoint.office/\(certified.authority.certificate.fingerprint.prefix(32))/1700"
  }

  /// Returns an exported log whose entries say `words` from the tenth on.
  private func log(
    _ count: Int, saying words: String = "login", origin: String? = nil
  ) throws -> [UInt8] {
    var export = LogExport()
    let lines = (0..<count).map { number in
      export.line(
        of: LogEntry(
          agency: "example", time: certified.day.now, person: "anna", action: "person-added",
          subject: number < 9 ? "login \(number)" : "\(words) \(number)"))
    }
    let end = try export.end(
      at: certified.day.now, origin: origin ?? self.origin, signedWith: certified.officeKey,
      certificate: certified.office)
    return Array((lines + [end]).joined())
  }

  /// Returns the checkpoint of a log's first entries, as the office signs it.
  private func checkpoint(
    _ size: Int, of log: [UInt8], under authority: String? = nil
  ) throws -> KeptCheckpoint {
    var edge = TreeEdge()
    for line in log.split(separator: 0x0A).prefix(size) {
      edge.append(try #require(TreeHash.leaf(ofHexadecimal: Digest.hexadecimal(line))))
    }
    let office = authority ?? certified.authority.certificate.fingerprint
    let signer = try NoteSigner(name: "standpoint.office/\(office.prefix(32))/1700", kind: .log)
    let text = Checkpoint(origin: signer.key.name, size: size, root: edge.root).text
    let note = try SignedNote(text: text, signedBy: signer, at: certified.day.now)
    return try KeptCheckpoint(name: "kept", bytes: Array(note.note.utf8))
  }

  private func verified(
    _ log: [UInt8], _ kept: [KeptCheckpoint]
  ) throws -> VerificationReport {
    var files = try certified.folder()
    files[Self.path] = log
    return Verifier.verify(files, scope: .whole, trust: certified.trust, checkpoints: kept)
  }

  @Test("a log that begins with each of them is intact, and says so of each")
  func grown() throws {
    let whole = try log(20)
    let kept = try [20, 1, 13, 8].map { try checkpoint($0, of: whole) }
    let report = try verified(whole, kept)
    #expect(report.verdict == .intact, "\(report.findings)")
    for size in [1, 8, 13, 20] {
      expect(report, .intact, .log, about: Self.path, says: "its first \(size) entries are those")
    }
  }

  @Test("a log rewritten behind a kept checkpoint: log, altered")
  func rewritten() throws {
    let kept = try checkpoint(15, of: try log(20))
    let other = try log(20, saying: "somebody else")
    expect(
      try verified(other, [kept]), .altered, .log, about: Self.path, says: "was rewritten")
    #expect(try verified(other, [checkpoint(9, of: try log(20))]).verdict == .intact)
    // An office that was restored from a backup says so by a new name.
    let restored = try log(20, saying: "somebody else", origin: origin + "1")
    expect(
      try verified(restored, [kept]), .doubtful, .log, about: Self.path, says: "restored")
  }

  @Test("a log cut off before a kept checkpoint: log, altered")
  func cutOff() throws {
    let kept = try checkpoint(15, of: try log(20))
    expect(
      try verified(try log(14), [kept]), .altered, .log, about: Self.path, says: "rewritten")
  }

  @Test("a checkpoint of another office says nothing of this log")
  func stranger() throws {
    let kept = try checkpoint(
      5, of: try log(7, saying: "x"), under: String(repeating: "0", count: 64))
    let report = try verified(try log(20), [kept])
    expect(report, .intact, .log, about: Self.path, says: "another office's")
    #expect(report.comparedCheckpoints == [])
    #expect(
      try verified(try log(20), [checkpoint(5, of: try log(20))]).comparedCheckpoints == ["kept"])
  }

  @Test("bytes that are no checkpoint are refused")
  func nonsense() {
    for text in ["", "x", "a\n1\nAAAA\n\n\u{2014} a AAAA\n", "<html>"] {
      #expect(throws: NoteProblem.self) {
        try KeptCheckpoint(name: "kept", bytes: Array(text.utf8))
      }
    }
  }
}
