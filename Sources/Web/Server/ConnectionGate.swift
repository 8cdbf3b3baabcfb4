import NIOCore
import Synchronization

/// Counts the open connections of each address, so that no single address uses up all of them.
final class ConnectionCounts: Sendable {
  private struct Count {
    /// The number of open connections.
    var open = 0
    /// The number of open connections that have not asked for anything yet.
    var silent = 0
  }

  private let openAtMost: Int
  private let silentAtMost: Int
  private let counts = Mutex<[String: Count]>([:])

  init(openAtMost: Int, silentAtMost: Int) {
    self.openAtMost = openAtMost
    self.silentAtMost = silentAtMost
  }

  /// Returns true if a new connection of the address may stay; `leave` must follow then.
  func enter(_ address: String) -> Bool {
    counts.withLock { counts in
      var count = counts[address] ?? Count()
      guard count.open < openAtMost, count.silent < silentAtMost else { return false }
      count.open += 1
      count.silent += 1
      counts[address] = count
      return true
    }
  }

  /// Notes that a connection has sent its first whole request head.
  func asked(_ address: String) {
    counts.withLock { $0[address]?.silent -= 1 }
  }

  /// Notes that a connection has closed.
  func leave(_ address: String, hasAsked: Bool) {
    counts.withLock { counts in
      guard var count = counts[address] else { return }
      count.open -= 1
      if !hasAsked { count.silent -= 1 }
      counts[address] = count.open > 0 ? count : nil
    }
  }

  /// The number of addresses with a connection; for tests.
  var addresses: Int { counts.withLock { $0.count } }
}

/// Closes a connection that does not ask for anything in time, and each connection beyond the
/// limits of its address.
///
/// Without this gate, 800 connections that send half a head each would keep all other clients
/// waiting for a minute. The deadline counts from the connection's beginning, however often a byte
/// of its head drips in; it covers the TLS handshake, too. After the first head the idle limit of
/// the server library takes over.
final class ConnectionGate: ChannelInboundHandler, RemovableChannelHandler {
  // The decoder comes before this handler: the first thing that arrives is the first whole head.
  typealias InboundIn = NIOAny
  typealias InboundOut = NIOAny

  private let counts: ConnectionCounts
  private let headSeconds: Double
  private var address: String?
  private var hasAsked = false
  private var deadline: Scheduled<Void>?

  init(counts: ConnectionCounts, headSeconds: Double) {
    self.counts = counts
    self.headSeconds = headSeconds
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { begin(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    begin(context)
    context.fireChannelActive()
  }

  private func begin(_ context: ChannelHandlerContext) {
    guard address == nil, deadline == nil else { return }
    let address = context.remoteAddress?.ipAddress ?? "unknown"
    guard counts.enter(address) else { return context.close(promise: nil) }
    self.address = address
    deadline = context.eventLoop.assumeIsolated().scheduleTask(
      in: .milliseconds(Int64(headSeconds * 1000))
    ) {
      context.close(promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if !hasAsked {
      hasAsked = true
      deadline?.cancel()
      if let address { counts.asked(address) }
    }
    context.fireChannelRead(data)
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  private func end() {
    deadline?.cancel()
    guard let address else { return }
    self.address = nil
    counts.leave(address, hasAsked: hasAsked)
  }
}
