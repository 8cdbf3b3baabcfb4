import NIOCore

/// Keeps small what a connection holds of what nobody has read yet.
///
/// Each of a connection's pieces lies in memory until it is asked for, ten of them at a time: as they come, of 64 KB,
/// they are 300 MB of 500 senders that wait.
final class ReceiveBuffer: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  /// The largest piece.
  private static let pieceBytes = 8 << 10
  private let systemBytes: Int?

  /// - Parameter systemBytes: see `WebConfiguration.receiveBufferBytes`.
  init(systemBytes: Int?) { self.systemBytes = systemBytes }

  func handlerAdded(context: ChannelHandlerContext) {
    guard let options = context.channel.syncOptions else { return }
    // A channel that has no such option, as that of a test, has no such trouble.
    try? options.setOption(
      .recvAllocator,
      value: AdaptiveRecvByteBufferAllocator(
        minimum: 1 << 10, initial: 2 << 10, maximum: Self.pieceBytes))
    if let systemBytes {
      try? options.setOption(.socketOption(.so_rcvbuf), value: .init(systemBytes))
    }
  }
}
