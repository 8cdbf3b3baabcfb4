import Inspection
import Positioning
import TestSupport
import Testing

@Suite("The pieces of a frame")
struct FramePiecesTests {
  private static let digest = String(repeating: "0a", count: 32)

  @Test("pieces in any overlap give the frame, and what is here counts once")
  func overlapping() throws {
    var random = SeededGenerator(seed: 32)
    for _ in 0..<200 {
      let frame = (0..<Int.random(in: 1...500, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      var pieces = try #require(
        FramePieces(bytes: frame.count, digest: Self.digest, limit: 1 << 20))
      while !pieces.areComplete {
        let start = Int.random(in: 0...pieces.received.count, using: &random)
        let end = Int.random(in: start...frame.count, using: &random)
        try pieces.take(Array(frame[start..<end]), at: start)
        #expect(pieces.received.elementsEqual(frame[..<max(pieces.received.count, end)]))
      }
      #expect(pieces.received == frame)
    }
  }

  @Test("a gap, a piece beyond the end, and other bytes change nothing")
  func faults() throws {
    var pieces = try #require(FramePieces(bytes: 4, digest: Self.digest, limit: 4))
    try pieces.take([1, 2], at: 0)
    #expect(throws: FramePieces.Fault.gap) { try pieces.take([4], at: 3) }
    #expect(throws: FramePieces.Fault.gap) { try pieces.take([1], at: -1) }
    #expect(throws: FramePieces.Fault.gap) { try pieces.take([], at: .max) }
    #expect(throws: FramePieces.Fault.gap) { try pieces.take([], at: .min) }
    #expect(throws: FramePieces.Fault.tooLong) { try pieces.take([2, 3, 4, 5], at: 1) }
    #expect(throws: FramePieces.Fault.other) { try pieces.take([9, 3], at: 1) }
    #expect(pieces.received == [1, 2] && !pieces.areComplete)
    try pieces.take([2, 3, 4], at: 1)
    #expect(pieces.received == [1, 2, 3, 4] && pieces.areComplete)
  }

  @Test("sizes and digests that are none make no frame")
  func malformed() {
    for bytes in [0, -1, .min, 5, .max] {
      #expect(FramePieces(bytes: bytes, digest: Self.digest, limit: 4) == nil)
    }
    for digest in ["", "0a", String(repeating: "0A", count: 32), String(repeating: "é", count: 32)]
    {
      #expect(FramePieces(bytes: 1, digest: digest, limit: 4) == nil)
    }
  }
}
