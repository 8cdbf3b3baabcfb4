import NIOCore

/// Limits the bytes that a connection holds before the program reads them.
///
/// Each piece of a connection's bytes is in memory until it is asked for, ten pieces at a time: at
/// their usual size of 64 KB, 500 waiting senders take 300 MB.
final class ReceiveBuffer: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  /// The size of the largest piece in bytes, 8 KiB.
  private static let pieceBytes = 8 << 10
  private let systemBytes: Int?

  /// Creates the handler.
  /// - Parameter systemBytes: see `WebConfiguration.receiveBufferBytes`.
  init(systemBytes: Int?) { self.systemBytes = systemBytes }

  func handlerAdded(context: ChannelHandlerContext) {
    guard let options = context.channel.syncOptions else { return }
    // A channel without this option, such as that of a test, does not need the limits.
    try? options.setOption(
      .recvAllocator,
      value: AdaptiveRecvByteBufferAllocator(
        minimum: 1 << 10, initial: 2 << 10, maximum: Self.pieceBytes))
    if let systemBytes {
      try? options.setOption(.socketOption(.so_rcvbuf), value: .init(systemBytes))
    }
  }
}
