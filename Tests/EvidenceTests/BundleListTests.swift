import Foundation
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

@Suite("The list of a bundle's files")
struct BundleListTests {
  private let certified: CertifiedDay
  private let listed: MemoryFiles
  private let made = DeviceTime(millisecondsSince1970: 1_778_666_543_210)

  init() throws {
    certified = try CertifiedDay.ordinary.get()
    listed = try Self.listed(certified, try certified.folder(), made)
  }

  /// Returns the files of a bundle with the office's list, as if they were unpacked.
  private static func listed(
    _ certified: CertifiedDay, _ files: MemoryFiles, _ made: DeviceTime,
    unreceipted: [String] = [], revoked: [String] = [], signer: SoftwareDeviceKey? = nil,
    certificate: EvidenceCertificate? = nil
  ) throws -> MemoryFiles {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("evidence.zip").path
      try EvidenceBundle.write(
        files.contents.map { .init(path: $0.key, content: .bytes($0.value)) }, made: made,
        toFile: path,
        statement: CertifiedDay.signing(
          unreceipted: unreceipted, revoked: revoked, made: made,
          key: signer ?? certified.officeKey, certificate: certificate ?? certified.office))
      let archive = try EvidenceArchive(path: path)
      var unpacked = MemoryFiles()
      for name in archive.allPaths { unpacked[name] = try archive.bytes(of: name) }
      return unpacked
    }
  }

  private var photo: FieldDay.Sealed { certified.day.captures[0] }

  @Test("an untouched bundle says of what it is the evidence, and who has receipts")
  func whole() throws {
    let report = listed.verified(trust: certified.trust)
    expectIntact(report, seals: certified.day.entries.count)
    expect(report, .intact, .list, about: BundleList.statementPath, says: "North field")
    #expect(report.witnesses.seals == certified.day.entries.count)
    #expect(report.witnesses.first == certified.receipt.received)
    #expect(report.findings.filter { $0.check == .unnamed } == [])
  }

  @Test("the list is what sha256sum writes, and comes back as it was")
  func form() throws {
    let list = BundleList([
      "b/two.jpg": Digest.hexadecimal([2]), "a one.txt": Digest.hexadecimal([1]),
    ])
    #expect(
      String(decoding: list.bytes, as: UTF8.self) == """
        \(Digest.hexadecimal([1]))  a one.txt
        \(Digest.hexadecimal([2]))  b/two.jpg

        """)
    #expect(try BundleList(list.bytes) == list)
    let first = "\(Digest.hexadecimal([1]))  a\n"
    for bad in [
      "x", "\(first)\(first)", String(first.dropLast()), first + "\n",
      "\(Digest.hexadecimal([1])) a\n", "\(Digest.hexadecimal([1]))  ../a\n",
    ] {
      #expect(throws: EvidenceError.self, "\(bad)") { try BundleList(Array(bad.utf8)) }
    }
  }

  @Test("a file taken out of a listed bundle: list, incomplete")
  func takenOut() throws {
    for path in listed.paths
    where path != BundleList.path && path != BundleList.statementPath {
      var files = listed
      files[path] = nil
      let report = files.verified(trust: certified.trust)
      #expect(report.verdict >= .incomplete, "\(path)")
      #expect(
        report.findings.contains { $0.check == .list && $0.subject == path }, "\(path)")
    }
  }

  @Test("a file put into a listed bundle: list, incomplete")
  func putIn() {
    for path in [
      "note.txt", "photos/.hidden.jpg", "photos/ab/more.png", "keys/authority.pem", "inner.zip",
      "receipts/other.receipt.bak", ".DS_Store",
    ] {
      var files = listed
      files[path] = [0x50, 0x4B, 3, 4]
      let report = Verifier.verify(
        Selected(files: files), scope: .whole, trust: certified.trust)
      expect(report, .incomplete, .list, about: path, says: "put in")
      #expect(report.findings.filter { $0.check == .unnamed && $0.severity == .note } == [])
    }
    // Systems leave hidden files in a folder.
    var unpacked = listed
    unpacked["photos/.DS_Store"] = [1]
    expect(
      unpacked.verified(trust: certified.trust), .intact, .list, about: "photos/.DS_Store",
      says: "put in")
  }

  @Test("a list in a folder of an archive says nothing of the whole archive")
  func nested() throws {
    var files = try certified.folder()
    for path in listed.paths { files["inner/\(path)"] = listed[path] }
    let report = Verifier.verify(Selected(files: files), scope: .whole)
    expect(
      report, .incomplete, .list, about: "inner/" + BundleList.statementPath, says: "at the top")
    let ofAll = report.findings.filter { $0.subject == BundleList.statementPath }
    #expect(ofAll.map(\.check) == [.list])
    #expect(ofAll.map(\.severity) == [.note])
  }

  @Test("a file of a listed bundle changed: list, altered")
  func changed() {
    for path in listed.paths where path != BundleList.statementPath {
      var files = listed
      files.flip(path, at: (files[path]?.count ?? 2) / 2)
      let report = files.verified(trust: certified.trust)
      #expect(report.verdict == .altered, "\(path): \(report.findings)")
      #expect(report.findings.contains { $0.subject == path }, "\(path)")
    }
  }

  @Test("the statement over the list changed: list, altered")
  func statementChanged() throws {
    var files = listed
    files.flip(BundleList.statementPath, at: 400)
    expect(files.verified(), .altered, .list, about: BundleList.statementPath)
    // The second signature that anybody can make of the first, and other line ends.
    let text = String(decoding: try #require(listed[BundleList.statementPath]), as: UTF8.self)
    let parts = text.dropLast().split(separator: ".")
    let signature = try #require(Base64URL.bytes(parts[2]))
    let twin = try #require(ECDSATwin.other(signature))
    for other in [
      "\(parts[0]).\(parts[1]).\(Base64URL.text(twin))\n", String(text.dropLast()),
      text + "\n", text + "x", text.replacing("\n", with: "\r\n"),
    ] {
      files = listed
      files[BundleList.statementPath] = Array(other.utf8)
      expect(files.verified(), .altered, .list, about: BundleList.statementPath)
    }
  }

  @Test("the list or its statement alone taken out: list, incomplete")
  func half() throws {
    var files = listed
    files[BundleList.path] = nil
    expect(files.verified(), .incomplete, .list, about: BundleList.path)
    files = listed
    files[BundleList.statementPath] = nil
    expect(
      Verifier.verify(Selected(files: files), scope: .whole), .incomplete, .list,
      about: BundleList.statementPath)
    expect(files.verified(), .incomplete, .list, about: BundleList.statementPath)
    var inner = MemoryFiles()
    for path in files.paths { inner["inner/\(path)"] = files[path] }
    expect(inner.verified(), .incomplete, .list, about: "inner/" + BundleList.statementPath)
  }

  @Test("a bundle without a list: list, intact")
  func without() throws {
    var files = listed
    files[BundleList.path] = nil
    files[BundleList.statementPath] = nil
    files[Evidence.Bundle.readmePath] = Array(BundleReadme.text(made: made, isListed: false).utf8)
    expect(files.verified(), .intact, .list, about: BundleList.statementPath, says: "left out")
    let report = Verifier.verify(Selected(files: files), scope: .whole)
    expect(report, .intact, .list, about: BundleList.statementPath, says: "left out")
    expect(report, .intact, .unnamed, about: Evidence.Bundle.readmePath, says: "nobody sealed")
  }

  @Test("a list taken out of a bundle whose README speaks of it: list, incomplete")
  func promised() throws {
    var files = listed
    files[BundleList.path] = nil
    files[BundleList.statementPath] = nil
    files[Evidence.Bundle.readmePath] = Array(BundleReadme.text(made: made, isListed: true).utf8)
    expect(
      files.verified(), .incomplete, .list, about: BundleList.statementPath, says: "README says")
  }

  @Test("a bundle moved below a folder of its archive: list, incomplete")
  func moved() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("evidence.zip").path
      try EvidenceBundle.write(
        listed.contents.map { .init(path: "moved/" + $0.key, content: .bytes($0.value)) },
        made: made, toFile: path)
      let packed = Verifier.verify(try EvidenceArchive(path: path), scope: .whole)
      expect(
        packed, .incomplete, .list, about: "moved/" + BundleList.statementPath, says: "at the top")
    }
    // In a folder of the reader's own, bundles may lie where they like.
    var unpacked = MemoryFiles()
    for (path, bytes) in listed.contents { unpacked["moved/" + path] = bytes }
    #expect(unpacked.verified(trust: certified.trust).verdict == .intact)
  }

  @Test("a README that cannot be read is no README without a list: list, incomplete")
  func unreadableReadme() throws {
    var files = listed
    files[BundleList.path] = nil
    files[BundleList.statementPath] = nil
    files.unreadable = [Evidence.Bundle.readmePath]
    expect(
      files.verified(), .incomplete, .list, about: BundleList.statementPath, says: "cannot be read")
  }

  @Test("a list that another authority's office has signed: list, doubtful")
  func stranger() throws {
    let other = try Authority.make(name: "Example Agency", at: CertifiedDay.enrolled)
    let key = SoftwareDeviceKey()
    let files = try Self.listed(
      certified, try certified.folder(), made, signer: key,
      certificate: try other.certifyOffice(key.publicKey, at: CertifiedDay.enrolled))
    expect(
      files.verified(trust: certified.trust), .doubtful, .list, about: BundleList.statementPath)
  }

  @Test("a receipt left out before the list was signed: receipt, doubtful")
  func dishonest() throws {
    let files = try Self.listed(certified, try certified.folder(receipts: []), made)
    expect(files.verified(), .doubtful, .receipt, about: photo.sealPath, says: "list")
    let honest = try Self.listed(
      certified, try certified.folder(receipts: []), made,
      unreceipted: try certified.day.sealFiles().map(\.seal.link.record))
    let report = honest.verified(trust: certified.trust)
    expectIntact(report, seals: certified.day.entries.count)
    #expect(report.witnesses == Verifier.Witnesses())
  }

  @Test("a revocation left out of a listed bundle: revoked, incomplete")
  func revocation() throws {
    let key = certified.day.key.publicKey.thumbprint
    let files = try Self.listed(certified, try certified.folder(), made, revoked: [key])
    expect(files.verified(), .incomplete, .revoked, about: BundleList.statementPath, says: key)
  }

  @Test("a statement with a member of the wrong type is refused")
  func members() throws {
    let payload = JSONValue.object([
      "schema": .string(BundleStatement.schema), "agency": .string("example"),
      "files": .string("3"),
    ])
    let jws = try OfficeStatement.sign(
      payload, with: certified.officeKey, certificate: certified.office,
      else: EvidenceError.malformedList)
    #expect(throws: EvidenceError.self) { try BundleStatement(jws: jws) }
  }

  /// Files that a person chose from more.
  private struct Selected: EvidenceFiles {
    let files: MemoryFiles
    let isSelection = true
    var paths: [String] { files.paths.filter(EvidencePath.mayBeEvidence) }
    var allPaths: [String] { files.paths }
    func bytes(of path: String) throws -> [UInt8] { try files.bytes(of: path) }
  }
}
