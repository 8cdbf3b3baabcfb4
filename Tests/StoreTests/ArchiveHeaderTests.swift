import Foundation
import TestSupport
import Testing

@testable import BackupArchives
@testable import Store

@Suite("Heads of files in a backup")
struct ArchiveHeaderTests {
  private static func name(_ count: Int) -> String {
    "office/links/" + String(repeating: "k", count: count - 13)
  }

  @Test(
    "a head reads back as it was written, on both sides of each limit",
    arguments: [
      ("BACKUP", 0), ("office/standpoint.sqlite", 1), (name(100), 511), (name(101), 512),
      (name(113), 513), ("office/x", (1 << 33) - 1), ("office/x", 1 << 33), ("office/x", 1 << 50),
    ])
  func roundTrip(name: String, size: Int) throws {
    let header = ArchiveHeader(name: name, size: size, time: 1_780_000_000)
    let bytes = try #require(header.bytes)
    #expect(bytes.count == 512)
    #expect(ArchiveHeader(bytes) == header)
  }

  @Test("what does not fit has no head")
  func tooLong() {
    #expect(ArchiveHeader(name: String(repeating: "a", count: 101), size: 0, time: 0).bytes == nil)
    #expect(ArchiveHeader(name: "", size: 0, time: 0).bytes == nil)
    #expect(ArchiveHeader(name: "a\0b", size: 0, time: 0).bytes == nil)
    #expect(ArchiveHeader(name: "a", size: -1, time: 0).bytes == nil)
    #expect(ArchiveHeader(name: "a", size: 0, time: -1).bytes == nil)
    #expect(ArchiveHeader(name: "a", size: 0, time: .max).bytes == nil)
  }

  @Test("no head but the one that this program writes is one: not with any byte changed")
  func onlyOurs() throws {
    let bytes = try #require(
      ArchiveHeader(name: Self.name(113), size: 700, time: 1_780_000_000).bytes)
    forEachSeed(0..<400) { seed, generator in
      var changed = bytes
      let place = Int.random(in: 0..<512, using: &generator)
      changed[place] ^= UInt8.random(in: 1...255, using: &generator)
      // The checksum is mended, too, as an attacker would mend it.
      var sum = 0
      for index in 0..<512 { sum += (148..<156).contains(index) ? 32 : Int(changed[index]) }
      if !(148..<156).contains(place) {
        let digits = String(sum, radix: 8)
        let text = String(repeating: "0", count: 6 - digits.count) + digits
        changed.replaceSubrange(148..<154, with: text.utf8)
      }
      guard let read = ArchiveHeader(changed) else { return }
      // A head with another name, size or time may be read, but only as it is written, and as a
      // plain file's.
      #expect(read.bytes == changed && changed[156] == UInt8(ascii: "0"), "seed \(seed)")
    }
    for type in "1235gxLK" {
      var changed = bytes
      changed[156] = type.asciiValue ?? 0
      #expect(ArchiveHeader(changed) == nil, "type \(type)")
    }
    #expect(ArchiveHeader(Array(repeating: 0, count: 512)) == nil)
    #expect(ArchiveHeader(Array(bytes.dropLast())) == nil)
  }
}
