import Foundation
import NIOCore
import NIOPosix
import Subprocess
import Synchronization
import SystemPackage

/// A private gpsd for demonstrations and tests: it has its own port, is fed over TCP, and ends with
/// its owner.
public final class GpsdProcess: Sendable {
  private let child: Child
  /// The port on which this gpsd answers.
  public let port: Int

  private init(_ child: Child, port: Int) {
    self.child = child
    self.port = port
  }

  /// Starts a gpsd that reads from `tcp://127.0.0.1:feedPort`, and waits until it answers.
  /// - Parameter port: The port on which gpsd shall answer; nil for a free one.
  /// - Throws: `ReceiverError.unreachable` if gpsd is not installed, its port is in use, or it does
  ///   not answer.
  public static func start(feedPort: Int, port: Int? = nil) async throws -> GpsdProcess {
    let ownPort = try await freePort(port)
    guard
      let program = ["/usr/sbin/gpsd", "/usr/local/sbin/gpsd", "/usr/bin/gpsd"].first(
        where: FileManager.default.isExecutableFile(atPath:))
    else {
      throw ReceiverError.unreachable(
        source: "gpsd", reason: "it is not installed (apt-get install gpsd)")
    }
    let gpsd = GpsdProcess(
      Child(program, ["-N", "-S", "\(ownPort)", "tcp://127.0.0.1:\(feedPort)"]), port: ownPort)
    for _ in 0..<100 {
      guard !gpsd.child.isOver else { break }
      if await answers(port: ownPort) { return gpsd }
      try await Task.sleep(for: .milliseconds(50))
    }
    gpsd.stop()
    throw ReceiverError.unreachable(
      source: "gpsd://127.0.0.1:\(ownPort)", reason: "the gpsd started for it does not answer")
  }

  /// Ends gpsd at once; it has nothing to save.
  public func stop() { child.kill() }

  /// Ends gpsd, and returns when the process is gone.
  public func stopped() async {
    stop()
    await child.ended()
  }

  deinit { stop() }

  private static func freePort(_ wanted: Int?) async throws -> Int {
    do {
      let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        // As in gpsd itself, old connections on this port do not block it.
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

/// A process whose output is discarded.
private final class Child: Sendable {
  private struct State {
    var identifier: pid_t?
    var isOver = false
  }

  private let state: SharedState
  private let running: Task<Void, Never>

  private final class SharedState: Sendable {
    let value = Mutex(State())
  }

  init(_ program: String, _ arguments: [String]) {
    let state = SharedState()
    self.state = state
    running = Task {
      _ = try? await Subprocess.run(
        .path(FilePath(program)), arguments: Arguments(arguments), input: .none,
        output: .discarded, error: .discarded
      ) { execution in
        state.value.withLock { $0.identifier = execution.processIdentifier.value }
      }
      state.value.withLock { $0.isOver = true }
    }
  }

  /// True if the process has ended, or could not be started.
  var isOver: Bool { state.value.withLock { $0.isOver } }

  func ended() async { await running.value }

  /// Kills the process at once, since this program may end in the next moment. A process that has
  /// not started yet is cancelled.
  func kill() {
    state.value.withLock { state in
      if let identifier = state.identifier, !state.isOver { _ = Glibc.kill(identifier, SIGKILL) }
    }
    running.cancel()
  }
}
