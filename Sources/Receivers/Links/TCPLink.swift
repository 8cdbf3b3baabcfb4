import Glibc
import NIOCore
import NIOPosix
import TimeAndText

/// A receiver that is reached over a TCP socket: gpsd, or plain NMEA 0183.
struct TCPLink: ReceiverLink {
  let host: String
  let port: Int
  let greeting: [UInt8]

  private static let connectSeconds: Int64 = 5

  func open(
    _ prepare: @escaping @Sendable (any Channel) throws -> ReceiverChannel
  ) async throws -> ReceiverChannel {
    do {
      return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connectTimeout(.seconds(Self.connectSeconds))
        .channelOption(.socketOption(.so_keepalive), value: 1)
        .connect(host: host, port: port) { channel in
          channel.eventLoop.makeCompletedFuture { try prepare(channel) }
        }
    } catch let error as NIOConnectionError {
      guard let first = error.connectionErrors.first else {
        throw LinkFailure("the name \(error.host) is not known")
      }
      throw Self.isLate(first.error) ? Self.lateness : first.error
    } catch  where Self.isLate(error) {
      throw Self.lateness
    }
  }

  private static let lateness = LinkFailure("no answer within \(connectSeconds) s")

  private static func isLate(_ error: any Error) -> Bool {
    if case ChannelError.connectTimeout = error { return true }
    return false
  }

  func words(errno code: CInt) -> Wording? {
    switch code {
    case ECONNREFUSED: "nothing is listening there"
    case EHOSTUNREACH, ENETUNREACH: "the network has no route to it"
    default: nil
    }
  }
}
