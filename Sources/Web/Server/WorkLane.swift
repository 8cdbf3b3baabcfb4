import Glibc
import NIOPosix
import Synchronization

/// A few threads of their own for slow work: databases, disks, large files. No other answer waits
/// for this work, since the threads that all requests share stay free.
///
/// A lane is a task executor: code that runs in it stays on its threads until it suspends.
public final class WorkLane: TaskExecutor {
  private struct Waiter {
    let id: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Gate {
    var free: Int
    var nextID = 0
    var waiting: [Waiter] = []
  }

  /// The number of threads, and of bodies of `runInTurn` that run at once.
  public let width: Int
  private let threads: NIOThreadPool
  private let gate: Mutex<Gate>

  /// Starts the threads; they end with the lane.
  /// - Parameters:
  ///   - width: the number of threads, at least 1.
  ///   - niceness: how much a lane of one thread gives way to others, 0 (not at all) ... 19. At 10
  ///     it gets a tenth of a processor that others want.
  public init(width: Int, niceness: Int32 = 0) {
    precondition(niceness == 0 || width == 1, "one job reaches one thread")
    self.width = width
    threads = NIOThreadPool(numberOfThreads: width)
    gate = Mutex(Gate(free: width))
    threads.start()
    if niceness > 0 {
      threads.submit { _ in
        // In Linux the priority is the thread's. If it may not be changed, the thread is an ordinary one.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
      }
    }
  }

  deinit {
    threads.shutdownGracefully { _ in }
  }

  /// Runs a job on one of the threads.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // A pool that is shut down still calls this closure: without its job the caller would wait
    // without end.
    threads.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Runs work that never suspends, on one of the threads.
  public func run<Value>(_ body: () throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(self) { try body() }
  }

  /// Runs work that may suspend on the threads. Calls of `run` in it begin at once: they are on
  /// these threads already.
  public func near<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(self) { try await body() }
  }

  /// Runs work that may suspend, at most `width` at once; the others wait in their order, without a thread.
  /// - Throws: `CancellationError` if the task is cancelled while it waits.
  public func runInTurn<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await enter()
    defer { leave() }
    return try await withTaskExecutorPreference(self) { try await body() }
  }

  private func enter() async throws {
    let id = gate.withLock { gate in
      gate.nextID += 1
      return gate.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer: Result<Void, any Error>? = gate.withLock { gate in
          // The handler below runs before this code if the task was cancelled earlier.
          if Task.isCancelled { return .failure(CancellationError()) }
          guard gate.free == 0 else {
            gate.free -= 1
            return .success(())
          }
          gate.waiting.append(Waiter(id: id, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let waiter: Waiter? = gate.withLock { gate in
        if let place = gate.waiting.firstIndex(where: { $0.id == id }) {
          return gate.waiting.remove(at: place)
        }
        return nil
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  private func leave() {
    let next: Waiter? = gate.withLock { gate in
      guard !gate.waiting.isEmpty else {
        gate.free += 1
        return nil
      }
      return gate.waiting.removeFirst()
    }
    next?.continuation.resume()
  }
}
