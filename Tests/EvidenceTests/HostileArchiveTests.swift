import Foundation
import TestSupport
import Testing

@testable import Evidence

/// Archives that an attacker has made.
@Suite("Hostile archives")
struct HostileArchiveTests {
  private func open(
    _ bytes: [UInt8], _ limits: EvidenceArchive.Limits = .init()
  ) throws -> EvidenceArchive {
    try withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("x.zip")
      try Data(bytes).write(to: file)
      return try EvidenceArchive(path: file.path, limits: limits)
    }
  }

  private func open(_ entries: RawZip.Entry...) throws -> EvidenceArchive {
    try open(RawZip(entries: entries).bytes)
  }

  @Test("an honest archive of the same make is read")
  func honest() throws {
    let archive = try open(.init("photos/ab/x.jpg", [7, 8]), .init("é.txt"), .init("photos/", []))
    #expect(archive.paths == ["photos/ab/x.jpg", "é.txt"])
    #expect(try archive.bytes(of: "photos/ab/x.jpg") == [7, 8])
    #expect(throws: EvidenceError.self) { try archive.bytes(of: "elsewhere") }
  }

  @Test("an archive with a comment is refused: other programs may find another archive in it")
  func comment() throws {
    let whole = RawZip(entries: [.init("a.txt")]).bytes
    let inner = RawZip(entries: [.init("b.txt")]).bytes
    for comment in [Array("hello".utf8), inner] {
      let length = [UInt8(comment.count & 0xFF), UInt8(comment.count >> 8)]
      let bytes = Array(whole.dropLast(2)) + length + comment
      #expect(throws: EvidenceError.self) { try open(bytes) }
      #expect(try open(bytes, .init(mayHaveComment: true)).paths == ["a.txt"])
    }
  }

  @Test(
    "names that lead out of a folder, or mean something to some system, are refused",
    arguments: [
      "/etc/passwd", "../x", "a/../../x", "a/..", "..", ".", "./a", "a/./b", "a//b", "", "a\\b",
      "..\\x", "C:/x", "c:x", "a\nb", "a\u{1}b", "/", "../", "a/../",
      String(repeating: "x", count: 1025),
    ])
  func names(name: String) {
    #expect(throws: EvidenceError.self) {
      try open(.init("good"), .init(name, name.hasSuffix("/") ? [] : [1]))
    }
  }

  @Test("a name that is no UTF-8, or holds a NUL, is refused or cut to a good one")
  func rawNames() throws {
    var entry = RawZip.Entry("x")
    entry.name = [0xFF, 0xFE]
    #expect(throws: EvidenceError.self) { try open(entry) }
    entry.name = Array("good\0/../../x".utf8)
    if let archive = try? open(entry) { #expect(archive.paths == ["good"]) }
  }

  @Test("a name that comes twice is refused")
  func twice() {
    #expect(throws: EvidenceError.malformedBundle("a name comes twice")) {
      try open(.init("a/b", [1]), .init("c"), .init("a/b", [2]))
    }
  }

  @Test("encrypted entries, other methods of packing and symbolic links are refused")
  func kinds() {
    var entry = RawZip.Entry("a")
    entry.flags |= 1
    #expect(throws: EvidenceError.malformedBundle("a is encrypted")) { try open(entry) }
    entry = RawZip.Entry("a")
    entry.method = 12
    #expect(throws: EvidenceError.malformedBundle("a is packed with method 12")) {
      try open(entry)
    }
    entry = RawZip.Entry("a", Array("/etc/passwd".utf8))
    entry.mode = 0o120_777
    #expect(throws: EvidenceError.malformedBundle("a is a symbolic link")) { try open(entry) }
  }

  @Test("an entry that says another size than it has is refused, or damaged when it is read")
  func sizes() throws {
    for claimed: UInt32 in [0, 1, 2, 4, 1000] {
      var entry = RawZip.Entry("a")
      entry.claimedSize = claimed
      guard let archive = try? open(entry) else { continue }
      #expect(throws: EvidenceError.self, "\(claimed)") { try archive.bytes(of: "a") }
    }
  }

  @Test("an entry whose checksum is wrong is damaged")
  func checksum() throws {
    var entry = RawZip.Entry("a")
    entry.claimedChecksum = 1
    let archive = try open(entry)
    #expect(throws: EvidenceError.self) { try archive.bytes(of: "a") }
  }

  @Test("a ZIP bomb is refused before a byte of it is unpacked")
  func bombs() throws {
    // One entry that claims more than any photo has.
    var entry = RawZip.Entry("a")
    entry.method = 8
    entry.claimedSize = 300 << 20
    #expect(throws: EvidenceError.self) { try open(entry) }
    // Many entries that claim 100 MiB each.
    entry.claimedSize = 100 << 20
    var entries = (0..<20).map { number in
      var copy = entry
      copy.name = Array("a\(number)".utf8)
      return copy
    }
    #expect(throws: EvidenceError.self) { try open(RawZip(entries: entries).bytes) }
    // Many entries that share the bytes of one.
    for index in entries.indices.dropFirst() { entries[index].sharesBytes = true }
    #expect(throws: EvidenceError.self) { try open(RawZip(entries: entries).bytes) }
  }

  @Test("a deflated entry that unpacks to more than it says ends where it said")
  func longer() throws {
    let zeros = try Gzip.compress([UInt8](repeating: 0, count: 1 << 20))
    var entry = RawZip.Entry("a", Array(zeros[10..<(zeros.count - 8)]))
    entry.method = 8
    entry.claimedSize = 100
    guard let archive = try? open(entry) else { return }
    #expect(throws: EvidenceError.self) { try archive.bytes(of: "a") }
  }

  @Test("number, size and sum have their limits, on both sides of each")
  func limits() throws {
    let bytes = RawZip(entries: [.init("a", [1, 2]), .init("b", [3, 4, 5])]).bytes
    func limits(_ change: (inout EvidenceArchive.Limits) -> Void) -> EvidenceArchive.Limits {
      var limits = EvidenceArchive.Limits()
      change(&limits)
      return limits
    }
    for (good, bad) in [
      (limits { $0.entries = 2 }, limits { $0.entries = 1 }),
      (limits { $0.entryBytes = 3 }, limits { $0.entryBytes = 2 }),
      (limits { $0.totalBytes = 5 }, limits { $0.totalBytes = 4 }),
      (
        limits { ($0.ratio, $0.freeBytes) = (0, 5) }, limits { ($0.ratio, $0.freeBytes) = (0, 4) }
      ),
      (limits { ($0.ratio, $0.freeBytes) = (1, 0) }, limits { ($0.ratio, $0.freeBytes) = (0, 0) }),
    ] {
      #expect(try open(bytes, good).paths == ["a", "b"])
      #expect(throws: EvidenceError.self) { try open(bytes, bad) }
    }
  }

  @Test("what is no ZIP, cut or changed anywhere never traps")
  func damaged() throws {
    let bytes = RawZip(entries: [.init("a", [1, 2]), .init("b/c", [3, 4, 5])]).bytes
    #expect(throws: EvidenceError.self) { try EvidenceArchive(path: "/nonexistent/x.zip") }
    #expect(throws: EvidenceError.self) { try EvidenceArchive(path: "/tmp") }
    for text in ["", "PK", "no archive at all"] {
      #expect(throws: EvidenceError.self) { try open(Array(text.utf8)) }
    }
    for count in 0..<bytes.count {
      #expect(throws: EvidenceError.self, "\(count)") { try open(Array(bytes[..<count])) }
    }
    forEachSeed(0..<400) { _, random in
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        changed[Int.random(in: bytes.indices, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      guard let archive = try? open(changed) else { return }
      for path in archive.paths { _ = try? archive.bytes(of: path) }
    }
  }

  @Test("hidden files and keys in an archive are no evidence, as in a folder")
  func hidden() throws {
    let archive = try open(
      .init("keys/authority.pem"), .init("office/keys/a/b.key"), .init("__MACOSX/photos/._x.jpg"),
      .init(".git/x.seal"), .init("a/.hidden/x.jpg"), .init("keys"), .init("x.seal"))
    #expect(archive.paths == ["keys", "x.seal"])
  }
}
