import Positioning
import Testing
import TimeAndText

@testable import Evidence
@testable import Verification

/// Links without their records, which a bundle for strangers holds so that no place is missing.
@Suite("Bare links")
struct BareLinkTests {
  private let day: FieldDay
  private let seals: [Seal]
  private let path: String
  /// The day's files without the second and the third record, whose links are bare.
  private var folder: MemoryFiles

  init() throws {
    day = try FieldDay.ordinary.get()
    seals = try day.sealFiles().map(\.seal)
    path = "links/\(day.key.publicKey.thumbprint).links"
    folder = try day.folder()
    for entry in day.entries[1...2] {
      for path in [entry.path, entry.rawPath, entry.sealPath] { folder[path] = nil }
    }
    folder[path] = LinkList.bytes(seals[1...2].map(\.jws))
    expectIntact(folder.verified(), seals: day.entries.count - 2)
  }

  private var next: String { day.entries[3].sealPath }

  @Test("a record taken away and its bare link left: chain, one note, and intact")
  func filled() throws {
    expect(
      folder.verified(), .intact, .chain, about: day.key.publicKey.thumbprint,
      says: "2 links belong to other work of this device; their records are not here")
    // A check of single photos does not judge places.
    #expect(!folder.verified(.single).findings.contains { $0.check == .chain })
    // The same links in a second file add no finding.
    var folder = folder
    folder["office/" + path] = folder[path]
    #expect(folder.verified().findings == self.folder.verified().findings)
  }

  @Test("a bare link whose record is here as well is nothing")
  func full() throws {
    var files = try day.folder()
    let findings = files.verified().findings
    files[path] = LinkList.bytes(seals.map(\.jws))
    #expect(files.verified().findings == findings)
  }

  @Test("a bare link dropped: chain, incomplete")
  func dropped() {
    var folder = folder
    folder[path] = LinkList.bytes([seals[1].jws])
    expect(folder.verified(), .incomplete, .chain, about: next, says: "place 3 is missing")
    folder[path] = LinkList.bytes([seals[2].jws])
    expect(folder.verified(), .incomplete, .chain, about: path, says: "place 2 is missing")
    folder[path] = nil
    expect(folder.verified(), .incomplete, .chain, about: next, says: "place 2–3 is missing")
  }

  @Test("a bare link forged: seal, altered")
  func forged() throws {
    var bytes = LinkList.bytes(seals[1...2].map(\.jws))
    let middle = seals[1].jws.utf8.count / 2
    bytes[middle] = bytes[middle] == 0x41 ? 0x42 : 0x41
    var folder = folder
    folder[path] = bytes
    let report = folder.verified()
    expect(report, .altered, .seal, about: path, says: "line 1")
    // The other line still counts.
    #expect(!report.findings.contains { $0.message.contains("place 3") })
    for text in [
      "x\n", "\n", seals[1].jws, seals[1].jws + "\r\n", seals[1].jws + "\n\n", "\u{0}\n",
    ] {
      folder[path] = Array(text.utf8)
      expect(folder.verified(), .altered, .seal, about: path)
    }
  }

  @Test("a file of nonsense is told in a few words, and quickly")
  func nonsense() {
    var folder = folder
    folder["links/n.links"] = [UInt8](repeating: 0x0A, count: 8 << 20)
    let report = folder.verified()
    expect(report, .altered, .seal, about: "links/n.links", says: "line 1")
    #expect(report.findings.count < 10)
  }

  @Test("a bare link of another key fills nothing")
  func otherKey() throws {
    var other = day
    other.key = SoftwareDeviceKey()
    for index in other.entries.indices {
      other.change(
        other.entries[index].id, ["device", "key"], to: .string(other.key.publicKey.thumbprint))
    }
    var folder = folder
    folder[path] = LinkList.bytes(try other.sealFiles().map(\.seal.jws))
    expect(folder.verified(), .incomplete, .chain, about: next, says: "place 2–3 is missing")
  }

  @Test("a bare link that does not continue the chain: chain, altered")
  func otherPredecessor() throws {
    // The key's holder made another third link, whose predecessor is missing.
    var link = seals[2].link
    link.previous = String(repeating: "0a", count: 32)
    var folder = folder
    folder[path] = LinkList.bytes([seals[1].jws, try Seal(link, with: day.key).jws])
    let report = folder.verified()
    expect(report, .altered, .chain, about: path, says: "does not continue")
    expect(report, .altered, .chain, about: next, says: "does not continue")
  }

  @Test("a bare link against a full one in the same place: chain, doubtful")
  func fork() throws {
    var branch = day
    branch.entries.removeLast(4)
    branch.note("written by a copy of the device")
    let forged = try #require(try branch.sealFiles().last?.seal)
    var folder = folder
    folder["links/zzzz.links"] = LinkList.bytes([forged.jws])
    expect(folder.verified(), .doubtful, .chain, about: "links/zzzz.links", says: "forks")
    // Two bare links in one place are a fork, too.
    var link = seals[1].link
    link.record = String(repeating: "0a", count: 32)
    folder["links/zzzz.links"] = LinkList.bytes([try Seal(link, with: day.key).jws])
    expect(folder.verified(), .doubtful, .chain, about: "links/zzzz.links", says: "forks")
  }

  @Test("a deletion of something whose link alone is here names nothing that is missing")
  func deletion() throws {
    let deleted = try #require(day.entries.firstIndex { $0.isDeleted })
    var files = try day.folder()
    files[day.entries[deleted].sealPath] = nil
    files[path] = LinkList.bytes([seals[deleted].jws])
    expectIntact(files.verified(), seals: day.entries.count - 1)
  }

  @Test("a list is read as it was written, and refused as a whole where one line is none")
  func list() throws {
    let bytes = LinkList.bytes(seals.map(\.jws))
    #expect(try LinkList.seals(bytes) == seals)
    #expect(try LinkList.seals([]) == [])
    #expect(LinkList.bytes([]) == [])
    let cases: [[UInt8]] = [
      Array(bytes.dropLast()), bytes + [0x0A], [0xFF, 0x0A], bytes + Array("a.b.c\n".utf8),
    ]
    for bytes in cases {
      #expect(throws: EvidenceError.self) { try LinkList.seals(bytes) }
    }
  }
}
