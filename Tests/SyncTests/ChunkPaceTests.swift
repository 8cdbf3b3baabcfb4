import Sync
import Testing

@Suite("How much travels in one request")
struct ChunkPaceTests {
  @Test("a quick network carries more and more at once, and 2.5 MiB at most")
  func quick() {
    var pace = ChunkPace()
    var sizes = [pace.chunkBytes]
    for _ in 0..<8 {
      pace.sent(bytes: pace.chunkBytes, seconds: 0.01)
      sizes.append(pace.chunkBytes)
    }
    #expect(sizes.prefix(3) == [262_144, 524_288, 1_048_576])
    #expect(sizes.last == 2_621_440)
  }

  @Test("a slow network carries two seconds' worth at once, and 64 KiB at least")
  func slow() {
    var pace = ChunkPace()
    pace.sent(bytes: pace.chunkBytes, seconds: 4)
    #expect(pace.chunkBytes == 131_072)
    for _ in 0..<3 { pace.sent(bytes: pace.chunkBytes, seconds: 60) }
    #expect(pace.chunkBytes == 65_536)
  }

  @Test("a network that has become slow is noticed by photos that are shorter than a chunk")
  func slower() {
    var pace = ChunkPace()
    for _ in 0..<5 { pace.sent(bytes: pace.chunkBytes, seconds: 0.01) }
    pace.sent(bytes: 2_000_000, seconds: 20)
    #expect(pace.chunkBytes == 200_000)
  }

  @Test("what does not arrive halves it; the short end of a file says nothing of the network")
  func cut() {
    var pace = ChunkPace()
    pace.failed()
    #expect(pace.chunkBytes == 131_072)
    pace.sent(bytes: 500, seconds: 0.000_1)
    pace.sent(bytes: pace.chunkBytes, seconds: 0)
    pace.sent(bytes: pace.chunkBytes, seconds: .nan)
    #expect(pace.chunkBytes == 131_072)
  }
}
