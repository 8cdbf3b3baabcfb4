import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A map service of the tests' own, over HTTP: it answers as it is told, also late, too much, or not at
/// all.
final class PlayedService: Sendable {
  /// An answer.
  enum Answer: Sendable {
    case tile
    case body(
      status: Int = 200, type: String = "image/png", [UInt8], headers: [(String, String)] = [])
    /// Nothing at all, for as long as the client waits.
    case silence
    /// A body without end.
    case endless
    /// The connection is cut before any answer.
    case cut
  }

  /// A request as it came.
  struct Request: Sendable {
    var uri: String
    var headers: HTTPHeaders
  }

  let port: Int
  private let channel: any Channel
  private let state: Mutex<State>

  private struct State {
    var answers: @Sendable (Request) -> Answer = { _ in .tile }
    var requests: [Request] = []
  }

  /// The head of a PNG of 256 by 256 pixels, and a letter by which tests tell tiles apart.
  static func picture(_ letter: Character = "a", size: UInt8 = 0) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 1, size, 0, 0, 1, size, 8, 2, 0, 0, 0] + Array(String(letter).utf8)
  }

  static func with<Value: Sendable>(
    _ body: @Sendable (PlayedService) async throws -> Value
  ) async throws -> Value {
    let service = try await PlayedService()
    do {
      let value = try await body(service)
      try await service.channel.close()
      return value
    } catch {
      try? await service.channel.close()
      throw error
    }
  }

  private init() async throws {
    let requests = Box()
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(Handler(requests))
        }
      }.bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
    state = Mutex(State())
    requests.service.withLock { $0 = self }
  }

  var origin: String { "http://127.0.0.1:\(port)" }
  var requests: [Request] { state.withLock { $0.requests } }
  func answer(_ body: @escaping @Sendable (Request) -> Answer) {
    state.withLock { $0.answers = body }
  }

  fileprivate func note(_ request: Request) -> Answer {
    state.withLock { state in
      state.requests.append(request)
      return state.answers
    }(request)
  }

  private final class Box: Sendable {
    let service = Mutex<PlayedService?>(nil)
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart
    private let box: Box
    private var request: Request?

    init(_ box: Box) { self.box = box }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head): request = Request(uri: head.uri, headers: head.headers)
      case .body: break
      case .end:
        guard let request, let service = box.service.withLock({ $0 }) else { return }
        answer(service.note(request), context)
      }
    }

    private func answer(_ answer: Answer, _ context: ChannelHandlerContext) {
      switch answer {
      case .silence: break
      case .cut: context.close(promise: nil)
      case .tile: self.answer(.body(PlayedService.picture()), context)
      case .body(let status, let type, let bytes, let headers):
        var head = HTTPHeaders([("Content-Type", type), ("Content-Length", "\(bytes.count)")])
        for (name, value) in headers { head.add(name: name, value: value) }
        write(head, status, context)
        context.write(
          wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      case .endless:
        write(HTTPHeaders([("Content-Type", "image/png")]), 200, context)
        more(context)
      }
    }

    private func write(_ headers: HTTPHeaders, _ status: Int, _ context: ChannelHandlerContext) {
      let head = HTTPResponseHead(
        version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: headers)
      context.write(wrapOutboundOut(.head(head)), promise: nil)
    }

    private func more(_ context: ChannelHandlerContext) {
      guard context.channel.isActive else { return }
      let piece = ByteBuffer(repeating: 7, count: 1 << 20)
      let promise = context.eventLoop.makePromise(of: Void.self)
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      promise.futureResult.whenSuccess {
        let (handler, context) = bound.value
        handler.more(context)
      }
      context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece))), promise: promise)
    }
  }
}
