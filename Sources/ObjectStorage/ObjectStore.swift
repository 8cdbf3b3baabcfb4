import AsyncHTTPClient
import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import TimeAndText

/// A bucket of an S3-compatible object store.
///
/// Nothing relies on conditional writes: some stores answer 501 to them, others ignore them. What is named by its
/// digest can be stored twice without harm.
public final class ObjectStore: Sendable {
  /// Objects that are larger travel in parts of this size, bytes.
  static let partBytes = 16 << 20
  /// The most bytes of an answer that is not an object.
  private static let answerBytesAtMost = 4 << 20
  private static let connectSeconds: Int64 = 10
  /// The most parts of a list that have no key and yet go on.
  private static let emptyPartsAtMost = 1000
  /// The longest time for one request, seconds; what is sent may take longer, at the least rate.
  private static let requestSeconds = 600
  private static let leastBytesASecond = 8 << 10

  /// The place of the objects.
  public let address: ObjectAddress
  private let signer: RequestSigner
  private let pace: RetryPace
  private let keysInPart: Int
  private let now: @Sendable () -> DeviceTime
  private let client: HTTPClient

  /// Creates a store; nothing is asked yet.
  /// - Parameter now: returns this machine's time.
  public convenience init(
    _ address: ObjectAddress, credentials: ObjectCredentials,
    now: @escaping @Sendable () -> DeviceTime
  ) {
    self.init(address, credentials, RetryPace(), keysInPart: 1000, now)
  }

  init(
    _ address: ObjectAddress, _ credentials: ObjectCredentials, _ pace: RetryPace,
    keysInPart: Int, _ now: @escaping @Sendable () -> DeviceTime
  ) {
    self.address = address
    self.pace = pace
    self.keysInPart = keysInPart
    self.now = now
    signer = RequestSigner(credentials: credentials, region: address.region)
    var configuration = HTTPClient.Configuration()
    // Its limit for a silent answer would begin while bytes are still being sent: `send` has one of its own.
    configuration.timeout = HTTPClient.Configuration.Timeout(
      connect: .seconds(Self.connectSeconds), read: nil)
    // A signature counts for one address.
    configuration.redirectConfiguration = .disallow
    configuration.httpVersion = .http1Only
    configuration.connectionPool.retryConnectionEstablishment = false
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  deinit {
    // The client must be shut down even if the owner forgot to call `close`.
    let client = client
    Task.detached { try? await client.shutdown() }
  }

  /// Closes the connections; nothing can be asked afterwards.
  public func close() async { try? await client.shutdown() }

  // MARK: objects

  /// Stores bytes under a key; the store has confirmed them when this returns.
  /// - Throws: `ObjectFailure`.
  public func put(_ bytes: consuming [UInt8], as key: String) async throws {
    // Without a key it is the bucket that is asked for.
    precondition(!key.isEmpty)
    if bytes.count > Self.partBytes { return try await putInParts(bytes, as: key) }
    // The caller's copy ends here: eight files travel at a time, and one copy of each is enough.
    let body = ByteBuffer(bytes: bytes)
    bytes = []
    // A store that checks what it gets refuses bytes that are not those of the key.
    let answer = try await answer(
      Question(method: .PUT, key: key, body: body, digest: ObjectKey.digest(ofKey: key)), [200])
    // A web server may answer 200 to anything.
    guard answer.headers.contains(name: "etag") else {
      throw ObjectFailure(
        .notAStore, "what answers at \(address.host) is no object store: it confirms no object")
    }
  }

  /// Returns an object's bytes; nil if there is none.
  /// - Parameter range: the part that is asked for; nil for all of it.
  /// - Throws: `ObjectFailure`; `otherBytes` if the key names a digest and the whole object has another.
  public func bytes(of key: String, range: Range<Int>? = nil, atMost limit: Int) async throws
    -> [UInt8]?
  {
    var question = Question(method: .GET, key: key)
    if let range {
      guard !range.isEmpty else { return [] }
      question.headers = [("range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")]
    }
    let wanted: Set = range == nil ? [200] : [200, 206]
    guard let answer = try await found(question, wanted, atMost: limit) else { return nil }
    let bytes = Array(answer.body.readableBytesView)
    if let range {
      // Some stores send a part with 200, and some may send all.
      let isPart = answer.status == 206 || answer.headers.contains(name: "content-range")
      return isPart ? bytes : Array(bytes.dropFirst(range.lowerBound).prefix(range.count))
    }
    if let digest = ObjectKey.digest(ofKey: key),
      ObjectText.hexadecimal(SHA256.hash(data: bytes)) != digest
    {
      throw ObjectFailure(
        .otherBytes, "the object store gives other bytes for \(key) than it was given")
    }
    return bytes
  }

  /// Returns the number of an object's bytes; nil if there is none.
  /// - Throws: `ObjectFailure`.
  public func length(of key: String) async throws -> Int? {
    guard let answer = try await found(Question(method: .HEAD, key: key), [200]) else { return nil }
    return answer.headers.first(name: "content-length").flatMap { Int($0) }
  }

  /// Removes an object; one that is not there is no failure.
  /// - Throws: `ObjectFailure`.
  public func remove(_ key: String) async throws {
    precondition(!key.isEmpty)
    _ = try await found(Question(method: .DELETE, key: key), [200, 204])
  }

  /// Calls `body` with each key that begins with some words, in the order of their bytes, and the number of
  /// its object's bytes.
  /// - Throws: `ObjectFailure`, also for a list that goes round in circles; what `body` throws.
  public func forEachKey(
    beginning words: String, _ body: (_ key: String, _ bytes: Int) throws -> Void
  ) async throws {
    var next: String?
    var last: String?
    var emptyParts = 0
    repeat {
      var query = [
        (name: "list-type", value: "2"), ("prefix", address.prefix + words),
        ("encoding-type", "url"), ("max-keys", String(keysInPart)),
      ]
      if let next { query.append(("continuation-token", next)) }
      let answer = try await answer(Question(method: .GET, query: query), [200])
      let page = try KeyList.page(Array(answer.body.readableBytesView), below: address)
      for (key, bytes) in page.objects where key.hasPrefix(words) {
        // Each page goes on behind the one before, so there is an end.
        guard last.map({ $0.utf8.lexicographicallyPrecedes(key.utf8) }) ?? true else {
          throw ObjectFailure(
            .notAStore, "what answers at \(address.host) gives a list that has no order")
        }
        last = key
        try body(key, bytes)
      }
      emptyParts = page.objects.isEmpty ? emptyParts + 1 : 0
      guard
        !page.isMore
          || page.next != nil && page.next != next && emptyParts < Self.emptyPartsAtMost
      else {
        throw ObjectFailure(
          .notAStore, "what answers at \(address.host) gives a list that does not end")
      }
      next = page.isMore ? page.next : nil
    } while next != nil
  }

  /// Returns an address from which everybody can fetch an object for a while.
  /// - Parameter seconds: how long, 7 days at most.
  public func presigned(_ key: String, seconds: Int) -> String {
    let query = signer.presigned(
      path: address.path(key), host: address.requestHost, seconds: min(max(seconds, 1), 604_800),
      at: now())
    return address.url(key, query: query)
  }

  // MARK: parts

  private func putInParts(_ bytes: [UInt8], as key: String) async throws {
    let begun = try await answer(
      Question(method: .POST, key: key, query: [("uploads", "")]), [200])
    guard let upload = StoreAnswer.members(Array(begun.body.readableBytesView))["UploadId"] else {
      throw ObjectFailure(.refused, "the object store begins no upload in parts")
    }
    do {
      var tags: [String] = []
      for start in stride(from: 0, to: bytes.count, by: Self.partBytes) {
        let part = bytes[start..<min(start + Self.partBytes, bytes.count)]
        let query = [(name: "partNumber", value: String(tags.count + 1)), ("uploadId", upload)]
        let answer = try await answer(
          Question(method: .PUT, key: key, query: query, body: ByteBuffer(bytes: part)), [200])
        guard let tag = answer.headers.first(name: "etag") else {
          throw ObjectFailure(.refused, "the object store confirms no part")
        }
        tags.append(tag)
      }
      try await complete(key, upload, tags, bytes: bytes.count)
    } catch {
      // Parts that nobody puts together cost money until somebody removes them. A task of its own: this one may
      // be cancelled already.
      let question = Question(method: .DELETE, key: key, query: [("uploadId", upload)])
      await Task { _ = try? await self.answer(question, [200, 204, 404]) }.value
      throw error
    }
  }

  private func complete(
    _ key: String, _ upload: String, _ tags: [String], bytes: Int
  ) async throws {
    let list = Array(KeyList.completion(tags).utf8)
    let question = Question(
      method: .POST, key: key, query: [("uploadId", upload)], body: ByteBuffer(bytes: list))
    var failures = 0
    while true {
      let failure: ObjectFailure
      var isPassing = false
      do {
        let done = try await answer(question, [200])
        // A store may say 200, work on it, and then say in the body that it failed.
        let said = StoreAnswer(
          status: 200, headers: { _ in nil }, body: Array(done.body.readableBytesView))
        let members = StoreAnswer.members(Array(done.body.readableBytesView))
        if members["ETag"] != nil, said.code == nil { return }
        failure = ObjectFailure(.unavailable, "the object store did not put the parts together")
        isPassing = said.isPassing
      } catch let refusal as ObjectFailure {
        failure = refusal
      }
      // The answer to an earlier try may have been lost, and the object be there.
      if try await length(of: key) == bytes { return }
      failures += 1
      guard isPassing, failures < pace.tries else { throw failure }
      let seconds = pace.pauseSeconds(
        after: failures, asked: nil, chance: Double.random(in: 0...1))
      try await Task.sleep(for: .seconds(seconds))
    }
  }

  // MARK: requests

  private struct Question: Sendable {
    var method: HTTPMethod
    var key: String?
    var query: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []
    var body: ByteBuffer?
    /// The SHA-256 of the body in hexadecimal, if the caller knows it.
    var digest: String?
  }

  private static func digest(of body: ByteBuffer) -> String {
    var hash = SHA256()
    body.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
    return ObjectText.hexadecimal(hash.finalize())
  }

  private struct Answer: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var body: ByteBuffer
  }

  /// Asks for something that may be absent.
  private func found(
    _ question: Question, _ wanted: Set<Int>, atMost limit: Int = answerBytesAtMost
  ) async throws -> Answer? {
    let answer = try await answer(question, wanted.union([404]), atMost: limit)
    guard answer.status == 404 else { return answer }
    // A HEAD has no body in which a store could say what is absent.
    guard question.method != .HEAD else { return nil }
    let body = Array(answer.body.readableBytesView)
    let said = StoreAnswer(
      status: 404, headers: { answer.headers.first(name: $0) }, body: body)
    if said.code == "NoSuchBucket" || said.code == nil && said.type.contains("html") {
      throw said.failure(address, at: now())
    }
    return nil
  }

  /// Asks until the store answers as wanted, refuses for good, or all tries are over.
  private func answer(
    _ question: Question, _ wanted: Set<Int>, atMost limit: Int = answerBytesAtMost
  ) async throws -> Answer {
    let digest = question.digest ?? question.body.map(Self.digest) ?? RequestSigner.digestOfNothing
    var failures = 0
    while true {
      let failed: (failure: ObjectFailure, asked: Double?)
      switch try await attempt(question, digest, wanted, limit) {
      case .answered(let answer): return answer
      case .failed(let failure, let asked): failed = (failure, asked)
      }
      failures += 1
      guard failures < pace.tries else { throw failed.failure }
      let seconds = pace.pauseSeconds(
        after: failures, asked: failed.asked, chance: Double.random(in: 0...1))
      try await Task.sleep(for: .seconds(seconds))
    }
  }

  private enum Attempt {
    case answered(Answer)
    /// It may go well later, behind the pause for which the store asks, seconds.
    case failed(ObjectFailure, asked: Double?)
  }

  /// Asks once.
  /// - Throws: `ObjectFailure` if it will not go well later either.
  private func attempt(
    _ question: Question, _ digest: String, _ wanted: Set<Int>, _ limit: Int
  ) async throws -> Attempt {
    let answer: Answer
    do {
      answer = try await send(question, digest, limit)
    } catch is CancellationError {
      throw CancellationError()
    } catch is NIOTooManyBytesError {
      throw ObjectFailure(.refused, "the object store answers with more than \(limit) bytes")
    } catch {
      return .failed(Self.silence(error, address), asked: nil)
    }
    if wanted.contains(answer.status) { return .answered(answer) }
    let said = StoreAnswer(
      status: answer.status, headers: { answer.headers.first(name: $0) },
      body: Array(answer.body.readableBytesView))
    let failure = said.failure(address, at: now())
    guard said.isPassing else { throw failure }
    return .failed(
      failure, asked: answer.headers.first(name: "retry-after").flatMap { Double($0) })
  }

  /// Sends a request, and gives up when the whole answer does not come in time: the client's own limit ends with
  /// the answer's head, and somebody could send a byte a minute for ever.
  private func send(
    _ question: Question, _ digest: String, _ limit: Int
  ) async throws -> Answer {
    let sent = question.body?.readableBytes ?? 0
    let seconds = Self.requestSeconds + sent / Self.leastBytesASecond
    return try await withThrowingTaskGroup(of: Answer.self) { group in
      group.addTask { try await self.exchange(question, digest, limit) }
      group.addTask {
        try await Task.sleep(for: .seconds(seconds))
        throw HTTPClientError.deadlineExceeded
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }

  private func exchange(
    _ question: Question, _ digest: String, _ limit: Int
  ) async throws -> Answer {
    let signed = signer.headers(
      for: RequestSigner.Request(
        method: question.method.rawValue, path: address.path(question.key),
        query: question.query, host: address.requestHost, headers: question.headers,
        digest: digest),
      at: now())
    var request = HTTPClientRequest(url: address.url(question.key, query: question.query))
    request.method = question.method
    for (name, value) in signed { request.headers.add(name: name, value: value) }
    request.headers.replaceOrAdd(name: "host", value: address.requestHost)
    if let body = question.body { request.body = .bytes(body) }
    let response = try await client.execute(request, deadline: .distantFuture)
    // The length of a HEAD's answer is that of bytes that do not come.
    let body =
      question.method == .HEAD ? ByteBuffer() : try await response.body.collect(upTo: limit)
    return Answer(status: Int(response.status.code), headers: response.headers, body: body)
  }

  private static func silence(_ error: any Error, _ address: ObjectAddress) -> ObjectFailure {
    let late: [HTTPClientError] = [.readTimeout, .deadlineExceeded, .connectTimeout]
    if let error = error as? HTTPClientError, late.contains(error) {
      return ObjectFailure(
        .unavailable, "the object store at \(address.host) does not answer in time")
    }
    return ObjectFailure(
      .unavailable,
      "nothing answers at \(address.host): is the endpoint right, and the network there?"
    )
  }
}
