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
  struct Answer {
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
    // The administrator has named this address, and no other.
    configuration.redirectConfiguration = .disallow
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    let result: Result<Answer, any Error>
    do {
      let response = try await client.execute(request, timeout: .seconds(Self.answerSeconds))
      var body = try await response.body.collect(upTo: answerBytesAtMost)
      result = .success(
        Answer(
          status: Int(response.status.code),
          type: response.headers.first(name: "Content-Type") ?? "",
          bytes: body.readBytes(length: body.readableBytes) ?? []))
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
