import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TimeAndText

/// Somebody outside who could not be asked.
package struct OutsideFailure: Error, Hashable, Sendable, Worded {
  /// The message for people.
  package let wording: Wording

  /// Creates a failure.
  package init(_ wording: Wording) { self.wording = wording }
}

/// A question to somebody outside, of whom the office expects a small answer within half a minute.
struct SmallRequest {
  /// The time for an answer, seconds. Nothing waits for it but the loop that asks.
  private static let answerSeconds: Int64 = 30

  /// An answer.
  struct Answer: Sendable {
    var status: Int
    var type: String
    var bytes: [UInt8]
  }

  var url: String
  /// The bytes that are posted, and their type; nil to fetch.
  var body: (bytes: [UInt8], type: String)?
  var answerBytesAtMost: Int

  /// Asks.
  /// - Throws: `OutsideFailure` if nobody answers in time.
  func send() async throws -> Answer {
    var request = HTTPClientRequest(url: url)
    if let body {
      request.method = .POST
      request.headers.add(name: "Content-Type", value: body.type)
      request.body = .bytes(ByteBuffer(bytes: body.bytes))
    }
    var configuration = HTTPClient.Configuration()
    configuration.timeout = HTTPClient.Configuration.Timeout(
      connect: .seconds(10), read: .seconds(Self.answerSeconds))
    // This address was named by the administrator, or by a certificate for which the administrator's vouch.
    configuration.redirectConfiguration = .disallow
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    let result: Result<Answer, any Error>
    do {
      result = .success(try await Self.inTime(fetch(request, with: client)))
    } catch {
      result = .failure(error)
    }
    try? await client.shutdown()
    do {
      return try result.get()
    } catch {
      throw failure(error)
    }
  }

  private func fetch(_ request: HTTPClientRequest, with client: HTTPClient) -> Fetching {
    let limit = answerBytesAtMost
    return {
      let response = try await client.execute(request, timeout: .seconds(Self.answerSeconds))
      var body = try await response.body.collect(upTo: limit)
      return Answer(
        status: Int(response.status.code),
        type: response.headers.first(name: "Content-Type") ?? "",
        bytes: body.readBytes(length: body.readableBytes) ?? [])
    }
  }

  private typealias Fetching = @Sendable () async throws -> Answer

  /// Ends a fetch that takes too long: the client's own limit ends with the head of the answer, and somebody could
  /// send a byte each second for ever.
  private static func inTime(_ fetch: @escaping Fetching) async throws -> Answer {
    try await withThrowingTaskGroup(of: Answer.self) { group in
      group.addTask { try await fetch() }
      group.addTask {
        try await Task.sleep(for: .seconds(answerSeconds))
        throw HTTPClientError.deadlineExceeded
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw HTTPClientError.deadlineExceeded }
      return first
    }
  }

  private func failure(_ error: any Error) -> any Error {
    switch error {
    case is CancellationError: error
    case is NIOTooManyBytesError:
      OutsideFailure("its answer is larger than \(answerBytesAtMost >> 10) KiB")
    case let error as HTTPClientError
    where [.readTimeout, .deadlineExceeded].contains(error):
      OutsideFailure("it has not answered within \(Int(Self.answerSeconds)) seconds")
    default: OutsideFailure("there is no network, or nothing answers there")
    }
  }
}
