import Hummingbird
import HummingbirdCore
import NIOCore

/// The body of one request, read once and in order, by whoever comes first: the check of a form's
/// token, the handler, or the end of the request that throws away what nobody wanted.
actor RequestBodySource {
  private var iterator: RequestBody.AsyncIterator
  private var isReading = false
  private var kept: [UInt8]?
  private(set) var isFinished: Bool
  /// Bytes that came so far.
  private(set) var received = 0

  init(_ body: RequestBody, isEmpty: Bool) {
    iterator = body.makeAsyncIterator()
    isFinished = isEmpty
  }

  /// The next piece; nil at the end.
  /// - Throws: `WebProblem.malformedRequest` when the body breaks off or breaks the rules.
  func next() async throws -> [UInt8]? {
    try await nextBuffer().map { Array($0.readableBytesView) }
  }

  /// The next piece as it came; nil at the end.
  /// - Throws: `WebProblem.malformedRequest` when the body breaks off or breaks the rules.
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

  /// All of it. Kept, so that it can be asked for again.
  /// - Throws: `WebProblem.tooLarge` as soon as it is clear.
  func collect(limit: Int) async throws -> [UInt8] {
    if let kept {
      guard kept.count <= limit else { throw WebProblem.tooLarge }
      return kept
    }
    // Somebody has already taken pieces out: what is left is not the body.
    guard received == 0 else { throw WebProblem.internal }
    var bytes: [UInt8] = []
    while let piece = try await next() {
      guard bytes.count + piece.count <= limit else { throw WebProblem.tooLarge }
      bytes += piece
    }
    kept = bytes
    return bytes
  }

  /// What was collected, if anything was.
  var collected: [UInt8]? { kept }

  /// Reads on and throws away, up to so many bytes and for so many seconds; true when the end was reached.
  ///
  /// No piece is copied here. A copy that nobody reads is freed by the optimizer before the bytes are in it, and a
  /// stranger's bytes then lie in freed memory (decision 19).
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
