import Foundation
import NIOCore
import NIOPosix

/// A gpsd of one's own, for demonstrations and tests: on a port of its own, fed over TCP, and ended
/// with its owner.
public final class GpsdProcess: @unchecked Sendable {
  // `Process` is used by the one who started it only.
  private let process: Process
  /// The port on which it answers.
  public let port: Int

  private init(process: Process, port: Int) {
    self.process = process
    self.port = port
  }

  /// Starts a gpsd that reads from `tcp://127.0.0.1:feedPort`, and waits until it answers.
  /// - Parameter port: its own port; nil for a free one.
  /// - Throws: `ReceiverError.unreachable` when there is no gpsd, or its port is in use.
  public static func start(feedPort: Int, port: Int? = nil) async throws -> GpsdProcess {
    let ownPort = try await freePort(port)
    guard
      let program = ["/usr/sbin/gpsd", "/usr/local/sbin/gpsd", "/usr/bin/gpsd"].first(
        where: FileManager.default.isExecutableFile(atPath:))
    else {
      throw ReceiverError.unreachable(
        source: "gpsd", reason: "it is not installed (apt-get install gpsd)")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["-N", "-S", "\(ownPort)", "tcp://127.0.0.1:\(feedPort)"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let gpsd = GpsdProcess(process: process, port: ownPort)
    for _ in 0..<100 {
      guard process.isRunning else { break }
      if await answers(port: ownPort) { return gpsd }
      try await Task.sleep(for: .milliseconds(50))
    }
    gpsd.stop()
    throw ReceiverError.unreachable(
      source: "gpsd://127.0.0.1:\(ownPort)", reason: "the gpsd started for it does not answer")
  }

  /// Ends it. It was started with the signals of one of this program's threads, SIGTERM may be
  /// blocked in it, and it has nothing to save.
  public func stop() {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// Ends it, and returns when it is gone.
  public func stopped() async {
    stop()
    while process.isRunning { try? await Task.sleep(for: .milliseconds(2)) }
  }

  deinit { stop() }

  private static func freePort(_ wanted: Int?) async throws -> Int {
    do {
      let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        // As gpsd itself does: connections that have ended on this port do not keep it.
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .bind(host: "127.0.0.1", port: wanted ?? 0).get()
      let port = channel.localAddress?.port
      try await channel.close().get()
      if let port { return port }
    } catch {
      throw ReceiverError.unreachable(
        source: "gpsd's own port \(wanted ?? 0)",
        reason: "the port is in use; leave --gpsd-port out to have a free one chosen")
    }
    throw ReceiverError.unreachable(source: "gpsd", reason: "there is no free port")
  }

  private static func answers(port: Int) async -> Bool {
    guard
      let channel = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connect(host: "127.0.0.1", port: port).get()
    else { return false }
    try? await channel.close().get()
    return true
  }
}
