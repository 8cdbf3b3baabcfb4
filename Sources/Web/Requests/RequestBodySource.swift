import Hummingbird
import HummingbirdCore
import NIOCore

/// The body of one request, read once and in order by the first that needs it: the check of a
/// form's token, the handler, or the end of the request, which throws the unread rest away.
actor RequestBodySource {
  private var iterator: RequestBody.AsyncIterator
  private var isReading = false
  private var kept: [UInt8]?
  private(set) var isFinished: Bool
  /// The number of bytes that came so far.
  private(set) var received = 0

  init(_ body: RequestBody, isEmpty: Bool) {
    iterator = body.makeAsyncIterator()
    isFinished = isEmpty
  }

  /// Reads the next piece; nil at the end.
  /// - Throws: `WebProblem.malformedRequest` if the body breaks off or breaks the rules.
  func next() async throws -> [UInt8]? {
    try await nextBuffer().map { Array($0.readableBytesView) }
  }

  /// Reads the next piece as it came; nil at the end.
  /// - Throws: `WebProblem.malformedRequest` if the body breaks off or breaks the rules.
  func nextBuffer() async throws -> ByteBuffer? {
    guard !isFinished else { return nil }
    // The connection has one reader. A second one is a handler's mistake, and must not be a crash.
    guard !isReading else { throw WebProblem.internal }
    isReading = true
    defer { isReading = false }
    var local = iterator
    do {
      let buffer = try await local.next(isolation: self)
      iterator = local
      guard let buffer else {
        isFinished = true
        return nil
      }
      received += buffer.readableBytes
      return buffer
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      isFinished = true
      throw WebProblem.malformedRequest
    }
  }

  /// Reads the whole body and keeps it, so that it can be asked for again.
  /// - Throws: `WebProblem.tooLarge` as soon as the body is longer than `limit` bytes.
  func collect(limit: Int) async throws -> [UInt8] {
    if let kept {
      guard kept.count <= limit else { throw WebProblem.tooLarge }
      return kept
    }
    // Pieces have been taken out already: the rest is not the body.
    guard received == 0 else { throw WebProblem.internal }
    var bytes: [UInt8] = []
    while let piece = try await next() {
      guard bytes.count + piece.count <= limit else { throw WebProblem.tooLarge }
      bytes += piece
    }
    kept = bytes
    return bytes
  }

  /// The whole body if it was collected; otherwise nil.
  var collected: [UInt8]? { kept }

  /// Reads the rest and throws it away, up to `bytesAtMost` bytes and for `secondsAtMost` seconds;
  /// returns true if the end was reached.
  ///
  /// No piece is copied here. The optimizer frees a copy that is never read before the bytes are in
  /// it, and a stranger's bytes are then in freed memory (decision 19).
  func drain(bytesAtMost: Int, secondsAtMost: Int) async -> Bool {
    let end = received + bytesAtMost
    let deadline = ContinuousClock.now + .seconds(secondsAtMost)
    while received <= end, ContinuousClock.now < deadline {
      do {
        guard try await nextBuffer() != nil else { return true }
      } catch {
        return isFinished
      }
    }
    return false
  }
}
