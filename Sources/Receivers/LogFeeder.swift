import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Positioning
import TimeAndText

/// Plays a log to all clients of its port, as a receiver would. In demonstrations and tests it
/// feeds a real gpsd.
///
/// Each piece is played only on request, so that a demonstration can wait for a slow step.
public actor LogFeeder {
  /// The port on which the feeder listens, on this machine only.
  public nonisolated let port: Int
  private let timeline: LogTimeline
  private let clock: ReplayClock
  private let listening: any Channel
  private let connections: ConnectionList
  private var next = 0

  /// Creates a feeder that listens on a free port of the loopback interface.
  /// - Throws: `ReceiverError.unreachable`, or an error of the socket.
  public static func make(timeline: LogTimeline, clock: ReplayClock) async throws -> LogFeeder {
    let connections = ConnectionList()
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { connections.add(channel) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    guard let port = channel.localAddress?.port else {
      throw ReceiverError.unreachable(source: "the log's feeder", reason: "it got no port")
    }
    return LogFeeder(
      port: port, timeline: timeline, clock: clock, listening: channel, connections: connections)
  }

  private init(
    port: Int, timeline: LogTimeline, clock: ReplayClock, listening: any Channel,
    connections: ConnectionList
  ) {
    self.port = port
    self.timeline = timeline
    self.clock = clock
    self.listening = listening
    self.connections = connections
  }

  /// True if the whole log was played.
  public var isOver: Bool { next >= timeline.pieces.count }

  /// The number of clients now.
  public nonisolated var listenerCount: Int { connections.count }

  /// The time of the next piece in the log, seconds; nil at the end.
  public var nextSeconds: Double? { isOver ? nil : timeline.pieces[next].seconds }

  /// Plays the next piece when its time has come by the clock, and moves the clock to it.
  /// - Returns: The time of the piece in the log, seconds; nil if the log is over.
  public func playNext() async throws -> Double? {
    guard !isOver else { return nil }
    let piece = timeline.pieces[next]
    let moment = ElapsedTime(milliseconds: Int64((piece.seconds * 1000).rounded()))
    let before = next > 0 ? timeline.pieces[next - 1].seconds : 0
    // Holes of more than 10 s in a log are skipped, because nothing happens in them.
    if clock.rate.isFinite, piece.seconds - before <= 10 {
      try await clock.sleep(until: moment)
    }
    next += 1
    let limit = next < timeline.pieces.count ? timeline.pieces[next].seconds : piece.seconds
    clock.advance(
      to: moment, limit: ElapsedTime(milliseconds: Int64((limit * 1000).rounded())))
    await connections.send(piece.bytes)
    return piece.seconds
  }

  /// Plays bytes that are not in the log: those of a receiver that goes on after the log's end.
  public func play(_ bytes: [UInt8]) async {
    await connections.send(bytes)
  }

  /// Closes all connections and the port.
  public func close() async {
    try? await listening.close().get()
    await connections.closeAll()
  }
}

/// The connected clients. NIO's event loops add and remove them, and the feeder sends.
private final class ConnectionList: Sendable {
  private let channels = NIOLockedValueBox<[ObjectIdentifier: any Channel]>([:])

  var count: Int { channels.withLockedValue { $0.count } }

  func add(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    channels.withLockedValue { $0[id] = channel }
    channel.closeFuture.whenComplete { [channels] _ in
      channels.withLockedValue { $0[id] = nil }
    }
  }

  func send(_ bytes: [UInt8]) async {
    for channel in channels.withLockedValue({ Array($0.values) }) {
      // The future of a closed connection removes it.
      try? await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }
  }

  func closeAll() async {
    for channel in channels.withLockedValue({ Array($0.values) }) {
      try? await channel.close().get()
    }
  }
}
