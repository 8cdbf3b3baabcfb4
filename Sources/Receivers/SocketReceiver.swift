import NIOCore
import NIOPosix
import Positioning

/// A receiver behind a TCP socket: gpsd, or NMEA 0183 as it comes. It reconnects for ever.
struct SocketReceiver: Receiver {
  let source: ReceiverSource
  let host: String
  let port: Int
  /// Sent first on each connection.
  let greeting: [UInt8]
  let clock: any Timepiece

  private static let connectSeconds: Int64 = 5
  private static let longestPauseSeconds = 10.0

  func run(_ deliver: @Sendable (ReceiverEvent) async -> Void) async throws {
    var pause = 0.25
    while true {
      await deliver(.state(.connecting))
      let reason: String
      do {
        try await follow(deliver) { pause = 0.25 }
        reason = "the connection was closed"
      } catch let error as CancellationError {
        throw error
      } catch {
        reason = Self.words(error)
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
    _ deliver: @Sendable (ReceiverEvent) async -> Void, connected: () -> Void
  ) async throws {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(.seconds(Self.connectSeconds))
      .channelOption(.socketOption(.so_keepalive), value: 1)
      .connect(host: host, port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    try await channel.executeThenClose { inbound, outbound in
      connected()
      await deliver(.state(.listening))
      if !greeting.isEmpty { try await outbound.write(ByteBuffer(bytes: greeting)) }
      for try await buffer in inbound {
        await deliver(
          .bytes(RawChunk(arrival: clock.elapsed, bytes: Array(buffer.readableBytesView))))
      }
    }
  }

  private static func words(_ error: any Error) -> String {
    if let error = error as? NIOConnectionError {
      if let first = error.connectionErrors.first { return words(first.error) }
      return "the name \(error.host) is not known"
    }
    if let error = error as? IOError {
      switch error.errnoCode {
      case 111: return "nobody listens there"
      case 113, 101: return "the network does not lead there"
      case 104: return "the connection was reset"
      default: return error.description
      }
    }
    if case ChannelError.connectTimeout = error {
      return "no answer within \(connectSeconds) s"
    }
    return "\(error)"
  }
}
