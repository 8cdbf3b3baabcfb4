import Foundation
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

/// Old evidence must verify for ever: this bundle is committed, and never made again.
@Suite("Evidence of earlier versions")
struct EarlierEvidenceTests {
  private static let path = Repository.root.appendingPathComponent("Tests/Fixtures/day-0.1.zip")
  private static let fingerprint =
    "847175eb67c70e9b7d59f41a449de6a036d67776c14285c2bf9c1a6407c1909e"

  /// Makes the bundle of a new version, with `STANDPOINT_UPDATE=1` where there is none.
  private static func make() throws -> String {
    let certified = try CertifiedDay()
    let seals = try certified.day.sealFiles().map(\.seal)
    let note = certified.day.entries[2]
    var files = try certified.folder()
    files[note.sealPath] = nil
    files["links/\(certified.day.key.publicKey.thumbprint).links"] = LinkList.bytes([seals[2].jws])
    try FileManager.default.createDirectory(
      at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
    try EvidenceBundle.write(
      files.contents.map { .init(path: $0.key, content: .bytes($0.value)) },
      made: certified.day.now, toFile: path.path)
    return certified.authority.certificate.fingerprint
  }

  @Test("a bundle that version 0.1 made is intact, and its issuer trusted")
  func day() throws {
    if ProcessInfo.processInfo.environment["STANDPOINT_UPDATE"] == "1",
      !FileManager.default.fileExists(atPath: Self.path.path)
    {
      Issue.record("made, with the authority \(try Self.make())")
    }
    let archive = try EvidenceArchive(path: Self.path.path)
    let report = Verifier.verify(archive, scope: .whole, trust: try Trust(Self.fingerprint))
    expectIntact(report, seals: 8)
    #expect(report.issuer == .trusted)
    #expect(report.findings.contains { $0.message.contains("1 link belongs to other work") })
    #expect(report.findings.contains { $0.check == .deletion })
  }
}
