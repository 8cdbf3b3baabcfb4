import Foundation
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Evidence

@Suite("gzip")
struct GzipTests {
  private static let zcat = Program.tool("zcat")

  @Test("what was compressed is unpacked to the same bytes, and the same bytes give the same file")
  func roundTrip() throws {
    try forEachSeed(0..<60) { seed, random in
      let count = [0, 1, 65_535, 65_536, 65_537, 200_000][Int(seed % 6)]
      let isNoise = seed % 2 == 0
      let bytes = (0..<count).map { index in
        isNoise ? UInt8.random(in: 0...255, using: &random) : UInt8(index % 7)
      }
      let file = try Gzip.compress(bytes)
      #expect(try Gzip.compress(bytes) == file, "seed \(seed)")
      #expect(try Gzip.decompress(file, limit: count) == bytes, "seed \(seed)")
    }
  }

  @Test("zcat and gunzip read it", .enabled(if: zcat != nil, "zcat is not installed"))
  func othersReadIt() async throws {
    let zcat = try #require(Self.zcat)
    let gunzip = try #require(Program.tool("gunzip"))
    let text = (0..<5000).map { "line \($0)\n" }.joined()
    try await withTemporaryDirectory { folder in
      let file = folder.appendingPathComponent("window.raw.gz")
      try Data(try Gzip.compress(Array(text.utf8))).write(to: file)
      let test = try await Program.run(gunzip, ["-t", file.path])
      #expect(test.status == 0)
      let outcome = try await Program.run(zcat, [file.path])
      #expect(outcome.status == 0)
      #expect(outcome.output == text)
    }
  }

  @Test("a file cut off at any byte is refused")
  func truncated() throws {
    let file = try Gzip.compress((0..<400).map { UInt8($0 * $0 % 251) })
    for length in file.indices {
      #expect(throws: EvidenceError.self, "\(length) bytes") {
        try Gzip.decompress(Array(file[..<length]), limit: 1 << 20)
      }
    }
  }

  @Test("bytes after the end are refused, a second member among them")
  func trailing() throws {
    let file = try Gzip.compress(Array("window".utf8))
    for rest in [[0], [0x1F], file] {
      #expect(throws: EvidenceError.compression("there is more data after it")) {
        try Gzip.decompress(file + rest, limit: 1 << 20)
      }
    }
  }

  @Test("a small file that unpacks to more than the limit is refused")
  func bomb() throws {
    let limit = 1 << 20
    let full = try Gzip.compress([UInt8](repeating: 0, count: limit))
    #expect(try Gzip.decompress(full, limit: limit).count == limit)
    let bomb = try Gzip.compress([UInt8](repeating: 0, count: limit + 1))
    #expect(bomb.count < 2000)
    #expect(throws: EvidenceError.compression("it unpacks to more than \(limit) bytes")) {
      try Gzip.decompress(bomb, limit: limit)
    }
  }

  @Test("changed bytes are refused or give what was there, and hostile ones never trap")
  func hostile() throws {
    let bytes = Array("$GNGGA,120000.00,4812.0000000,N,01136.0000000,E,1,11,0.90\r\n".utf8)
    let file = try Gzip.compress(bytes)
    forEachSeed(0..<1500) { seed, random in
      var changed = file
      if seed % 3 == 0 {
        changed = (0..<Int.random(in: 0...80, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
        if changed.count > 3 { changed.replaceSubrange(0..<3, with: [0x1F, 0x8B, 8]) }
      } else {
        changed[Int.random(in: 0..<changed.count, using: &random)] ^=
          1 << UInt8.random(in: 0...7, using: &random)
      }
      guard let read = try? Gzip.decompress(changed, limit: 1 << 20) else { return }
      // Only bits of the header may change without an error, and they carry no content.
      #expect(read == bytes, "seed \(seed)")
    }
  }
}
