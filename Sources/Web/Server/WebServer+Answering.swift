import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

extension WebServer {
  /// The most bytes of an unread body that are read and thrown away, 16 MiB. Closing a connection
  /// while its other end still sends resets it, and a reset can overtake the answer. A body as
  /// large as a photo is read to its end; a larger one is not.
  private static let unwantedBytesAtMost = 16 << 20
  /// The most seconds of that reading: a slow sender must not hold its place for longer.
  private static let unwantedSecondsAtMost = 20

  func respond(
    to incoming: Request, _ writer: consuming ResponseWriter, _ channel: any Channel,
    _ setting: Exchange.Setting
  ) async throws {
    var recording = RequestRecording(for: onRequest)
    var exchange = Exchange(
      incoming, remoteAddress: channel.remoteAddress?.ipAddress, setting: setting)
    var response: WebResponse
    var place = AdmissionPlace(in: requests)
    defer { place.leave() }
    let expectsContinue = exchange.request.headers["expect"] != nil
    var hasContinued = false
    if place.isHeld {
      if exchange.isWorthItsBody() {
        hasContinued = true
        try await writer.writeInformationalHead(HTTPResponse(status: .continue))
      }
      response = await exchange.answer()
    } else {
      response = await exchange.answer(to: WebProblem.busy)
    }

    var holdsStream = false
    if case .events = response.body, exchange.method != "HEAD" {
      holdsStream = eventStreams.enter()
      if holdsStream {
        // From here on the request only waits; it must not keep others from being answered.
        place.leave()
      } else {
        response = await exchange.answer(to: WebProblem.busy)
      }
    }
    defer { if holdsStream { eventStreams.leave() } }

    // Also records an answer whose client left before it was sent.
    defer { recording.finish(exchange, status: response.status) }
    let kept = response.kept
    defer { withExtendedLifetime(kept) {} }
    let body: ResponseBody
    (response, body) = await prepare(response, for: exchange, channel)
    // An endless answer has no end to be measured: it is recorded at its beginning.
    if holdsStream { recording.finish(exchange, status: response.status) }
    let isUnread = await !exchange.request.source.isFinished
    let head = Self.head(
      of: response, contentLength: body.contentLength, for: exchange, isLast: isUnread)
    try await writer.write(response: head, body: exchange.method == "HEAD" ? .init() : body)
    guard isUnread else { return }
    // Without the rest of the body the connection cannot carry another request.
    if !expectsContinue || hasContinued {
      // The request is answered: reading the rest of its body must not keep others from being answered.
      place.leave()
      _ = await exchange.request.source.drain(
        bytesAtMost: Self.unwantedBytesAtMost, secondsAtMost: Self.unwantedSecondsAtMost)
    }
    try? await channel.close(mode: .output)
    try? await channel.close()
  }

  /// Returns the head of an answer.
  /// - Parameters:
  ///   - contentLength: the number of the body's bytes; nil if it is not known beforehand.
  ///   - isLast: true if the connection ends after this answer.
  private static func head(
    of response: WebResponse, contentLength: Int?, for exchange: Exchange, isLast: Bool
  ) -> HTTPResponse {
    var head = HTTPResponse(status: .init(code: response.status), headerFields: [:])
    for field in exchange.fields(of: response) {
      guard let name = HTTPField.Name(field.name) else { continue }
      head.headerFields.append(HTTPField(name: name, value: field.value))
    }
    head.headerFields[.date] = HTTPDate.text(Date())
    head.headerFields[.server] = HeaderText.line(exchange.setting.configuration.serverName)
    if isLast { head.headerFields[.connection] = "close" }
    if let contentLength, response.status != 204, response.status != 304 {
      head.headerFields[.contentLength] = String(contentLength)
    }
    return head
  }

  /// Returns the body as the server library writes it. If it cannot be written, the answer becomes
  /// a problem.
  private func prepare(_ response: WebResponse, for exchange: Exchange, _ channel: any Channel)
    async
    -> (WebResponse, ResponseBody)
  {
    switch response.body {
    case .none: return (response, ResponseBody())
    case .page(let html): return (response, ResponseBody(byteBuffer: ByteBuffer(string: html.text)))
    case .bytes(let bytes):
      return (response, ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    case .problem(let problem):
      return (
        response, ResponseBody(byteBuffer: ByteBuffer(bytes: exchange.named(problem).json))
      )
    case .events(let events):
      // The head of an endless answer has no length, and chunks would follow it.
      if exchange.method == "HEAD" { return (response, ResponseBody()) }
      let stream = EventWriter(
        events: events, heartbeatSeconds: exchange.setting.configuration.heartbeatSeconds)
      return (
        response,
        ResponseBody { writer in
          try await stream.write(to: &writer)
          try await writer.finish(nil)
        }
      )
    case .file(let path):
      let eTag = response.headers.first { $0.name == "ETag" }?.value
      if let eTag, let known = exchange.request.headers["if-none-match"],
        known.split(separator: ",").contains(where: { $0.filter { $0 != " " } == eTag })
      {
        return (response.with(status: 304), ResponseBody())
      }
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      // A symbolic link is followed: only its target matters.
      let type = attributes?[.type] as? FileAttributeType
      let context = BasicRequestContext(
        source: ApplicationRequestContextSource(channel: channel, logger: logger))
      guard type == .typeRegular || type == .typeSymbolicLink,
        let body = try? await FileIO().loadFile(path: path, context: context)
      else {
        let problem = await exchange.answer(to: WebProblem.notFound)
        return await prepare(problem, for: exchange, channel)
      }
      return (response, body)
    }
  }
}

/// The record of a request that is being answered, which is handed over once.
private struct RequestRecording {
  private let onRequest: (@Sendable (RequestRecord) -> Void)?
  private let began = Date()
  private let start = ContinuousClock.now
  private var isFinished = false

  init(for onRequest: (@Sendable (RequestRecord) -> Void)?) {
    self.onRequest = onRequest
  }

  /// Hands the record over; does nothing the second time, or if nobody wants it.
  mutating func finish(_ exchange: Exchange, status: Int) {
    guard let onRequest, !isFinished else { return }
    isFinished = true
    onRequest(
      RequestRecord(
        id: exchange.request.id, began: began, method: exchange.method, route: exchange.route,
        path: exchange.shownPath, status: status,
        seconds: (ContinuousClock.now - start) / .seconds(1),
        remoteAddress: exchange.request.remoteAddress))
  }
}
