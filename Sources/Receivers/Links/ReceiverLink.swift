import Glibc
import NIOCore
import NIOPosix
import Positioning
import TimeAndText

/// The channel that carries a connection's bytes.
typealias ReceiverChannel = NIOAsyncChannel<ByteBuffer, ByteBuffer>

/// One way to a live receiver. A link only opens a connection; following and reconnecting are the
/// same for all links.
protocol ReceiverLink: Sendable {
  /// The bytes that are sent first on each connection.
  var greeting: [UInt8] { get }

  /// Opens a connection within the link's own deadline. `prepare` is called with the channel, on
  /// its event loop, before the first byte is read.
  /// - Throws: `LinkFailure`, or an error with an error number.
  func open(
    _ prepare: @escaping @Sendable (any Channel) throws -> ReceiverChannel
  ) async throws -> ReceiverChannel

  /// Returns the meaning of an error number on this link, for the inspector; nil if the number
  /// means the same on all links.
  func words(errno code: CInt) -> Wording?
}

/// The reason why a connection was not opened, or ended, in words for the inspector.
struct LinkFailure: Error, Hashable {
  let reason: Wording

  init(_ reason: Wording) {
    self.reason = reason
  }
}

/// A follower of a live receiver: it connects, passes the bytes on, and reconnects after every loss.
struct FollowedReceiver<Link: ReceiverLink>: Receiver {
  let source: ReceiverSource
  let link: Link
  let clock: any Timepiece
  /// The time without bytes after which a connection is given up, seconds: the other end may be
  /// gone without a sign.
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
      // Jitter keeps many field units from coming back at the same moments.
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
        // The pause is reset only here, so that a peer that accepts connections but sends nothing
        // is not retried in a hurry.
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
    case ECONNABORTED: "the connection was closed on this side"
    case ETIMEDOUT: "no answer"
    case EIO, ENXIO, ENODEV: "the device is disconnected"
    case EMFILE, ENFILE: "this machine has too many files open"
    default: Wording(verbatim: String(cString: strerror(code)))
    }
  }
}

/// A handler that ends a connection on which no bytes come.
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
      LinkFailure("nothing came for \(decimal: seconds, places: seconds < 1 ? 1 : 0) s"))
    context.close(promise: nil)
  }
}
