import Positioning

/// The receiver's last bytes with their times of arrival, up to a limit. Raw windows are cut from
/// it. The ring survives a reconnection, because a window may span one.
public struct RawRing: Sendable {
  private var chunks: [RawChunk] = []
  private var head = 0
  private var size = 0
  private var firstNumber = 0
  private let limitBytes: Int

  /// Creates an empty ring.
  /// - Parameter limitBytes: The most bytes that are kept; the oldest chunks beyond them are dropped.
  public init(limitBytes: Int = 8 << 20) {
    self.limitBytes = limitBytes
  }

  /// Keeps a chunk. Chunks are numbered from 0 in the order in which they come.
  public mutating func append(_ chunk: RawChunk) {
    chunks.append(chunk)
    size += chunk.bytes.count
    while size > limitBytes, head < chunks.count - 1 {
      size -= chunks[head].bytes.count
      chunks[head].bytes = []
      head += 1
    }
    if head > 1024, head > chunks.count / 2 {
      chunks.removeFirst(head)
      firstNumber += head
      head = 0
    }
  }

  /// Returns the chunks from number `first` on; nil if some of them are gone, or not there yet.
  public func chunks(from first: Int) -> [RawChunk]? {
    let index = first - firstNumber
    guard index >= head, index <= chunks.count else { return nil }
    return Array(chunks[index...])
  }
}
