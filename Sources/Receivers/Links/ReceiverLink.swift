import Glibc
import NIOCore
import NIOPosix
import Positioning

/// A connection's bytes.
typealias ReceiverChannel = NIOAsyncChannel<ByteBuffer, ByteBuffer>

/// One way to a live receiver. It opens a connection; following it, and coming back, is the same for
/// all of them.
protocol ReceiverLink: Sendable {
  /// Sent first on each connection.
  var greeting: [UInt8] { get }

  /// Opens a connection within a deadline of its own. `prepare` is called with the channel, on its
  /// event loop, before its first byte is read.
  /// - Throws: `LinkFailure`, or an error with an error number.
  func open(
    _ prepare: @escaping @Sendable (any Channel) throws -> ReceiverChannel
  ) async throws -> ReceiverChannel

  /// What an error number means on this way, for the inspector; nil where it means the same on all.
  func words(errno code: CInt) -> Wording?
}

/// Why a connection was not opened, or ended: words for the inspector.
struct LinkFailure: Error, Hashable {
  let reason: Wording

  init(_ reason: Wording) {
    self.reason = reason
  }
}

/// Follows a live receiver: connects, hands on what comes, and reconnects for ever.
struct FollowedReceiver<Link: ReceiverLink>: Receiver {
  let source: ReceiverSource
  let link: Link
  let clock: any Timepiece
  /// A connection on which nothing comes for so long is given up: the other end may be gone without
  /// having said so.
  var silenceSeconds: Double

  private static var shortestPauseSeconds: Double { 0.25 }
  private static var longestPauseSeconds: Double { 3 }

  func run(_ deliver: @Sendable (ReceiverEvent) async -> Void) async throws {
    var pause = Self.shortestPauseSeconds
    while true {
      await deliver(.state(.connecting))
      var reason: Wording = "the connection was closed"
      do {
        try await follow(deliver) { pause = Self.shortestPauseSeconds }
      } catch let error as CancellationError {
        throw error
      } catch {
        reason = words(error)
      }
      try Task.checkCancellation()
      // Jitter, so that many field units do not come back in step.
      let seconds = pause * Double.random(in: 0.8...1.2)
      await deliver(.state(.lost(reason: reason, nextTrySeconds: seconds)))
      try await clock.sleep(until: clock.elapsed.advanced(bySeconds: seconds))
      pause = min(pause * 2, Self.longestPauseSeconds)
    }
  }

  private func follow(
    _ deliver: @Sendable (ReceiverEvent) async -> Void, heard: () -> Void
  ) async throws {
    let limit = silenceSeconds
    let channel = try await link.open { channel in
      try channel.pipeline.syncOperations.addHandlers([
        IdleStateHandler(readTimeout: .milliseconds(Int64(limit * 1000))),
        SilenceHandler(seconds: limit),
      ])
      return try ReceiverChannel(wrappingChannelSynchronously: channel)
    }
    try await channel.executeThenClose { inbound, outbound in
      await deliver(.state(.listening))
      if !link.greeting.isEmpty { try await outbound.write(ByteBuffer(bytes: link.greeting)) }
      for try await buffer in inbound {
        // A peer that lets everybody in and says nothing is not tried again in a hurry.
        heard()
        await deliver(
          .bytes(RawChunk(arrival: clock.elapsed, bytes: Array(buffer.readableBytesView))))
      }
    }
  }

  private func words(_ error: any Error) -> Wording {
    switch error {
    case let failure as LinkFailure: failure.reason
    case let error as IOError:
      link.words(errno: error.errnoCode) ?? Self.common(error.errnoCode)
    default: Wording(verbatim: "\(error)")
    }
  }

  private static func common(_ code: CInt) -> Wording {
    switch code {
    case ECONNRESET, EPIPE: "the connection was reset"
    case ECONNABORTED: "the connection was broken off on this side"
    case ETIMEDOUT: "no answer"
    case EIO, ENXIO, ENODEV: "the device is gone"
    case EMFILE, ENFILE: "this machine has too many files open"
    default: Wording(verbatim: String(cString: strerror(code)))
    }
  }
}

/// Ends a connection on which nothing comes.
private final class SilenceHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let seconds: Double

  init(seconds: Double) {
    self.seconds = seconds
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event is IdleStateHandler.IdleStateEvent else {
      context.fireUserInboundEventTriggered(event)
      return
    }
    context.fireErrorCaught(
      LinkFailure("nothing came for \(DecimalText.fixed(seconds, places: seconds < 1 ? 1 : 0)) s"))
    context.close(promise: nil)
  }
}
