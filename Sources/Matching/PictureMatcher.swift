import Foundation
import Inspection
import Subprocess
import SystemPackage

// A picture may come from anybody, and libraries that read pictures have had holes. So the program
// itself never decodes what it compares: a worker does, which is the same executable under a hidden
// word, without files, network and more than a gigabyte of memory. The worker starts with the first
// comparison and ends after a minute without one, so that a device at rest pays nothing for it.

/// Compares pictures in a process of their own, one comparison after the other.
public actor PictureMatcher {
  /// The times of a worker.
  public struct Patience: Sendable {
    /// The longest time for one comparison, the worker's start included.
    public var comparison: Duration
    /// The time without a comparison after which the worker ends.
    public var rest: Duration

    /// Creates the times.
    public init(comparison: Duration = .seconds(10), rest: Duration = .seconds(60)) {
      self.comparison = comparison
      self.rest = rest
    }
  }

  /// A picture that later ones are compared with.
  public struct Earlier: Sendable {
    /// The name by which the worker is known to have it already: the digest of its bytes.
    public var digest: String
    /// The picture, a JPEG.
    public var bytes: [UInt8]

    /// Names a picture.
    public init(digest: String, bytes: [UInt8]) {
      self.digest = digest
      self.bytes = bytes
    }
  }

  private struct Job {
    /// The time at which it was asked for: who waited too long is not served any more.
    var asked: ContinuousClock.Instant
    var earlier: Earlier
    var later: [UInt8]
    var answer: CheckedContinuation<Result<PictureComparison, MatchingError>, Never>
  }

  /// The most comparisons that wait: each holds two pictures.
  public static let mostWaiting = 8

  private let program: String?
  private let arguments: [String]
  private let patience: Patience
  private var waiting: [Job] = []
  /// The comparison that the worker is at.
  private var current: Job?
  private var serving: Task<Void, Never>?
  private var atRest: CheckedContinuation<Job?, Never>?
  private var restNumber = 0
  private var isOver = false
  /// True if the last comparison found that pictures cannot be compared here at all, for want of the
  /// library.
  public private(set) var isUnavailable = false

  /// Creates a matcher; no process is started yet.
  /// - Parameters:
  ///   - program: The path of the executable; nil for none, and then nothing can be compared.
  ///   - arguments: The arguments that make it a worker.
  public init(
    program: String?, arguments: [String] = ["match-pictures"], patience: Patience = .init()
  ) {
    self.program = program
    self.arguments = arguments
    self.patience = patience
  }

  /// Creates the matcher whose worker is the running executable: for the executable alone, since any
  /// other one does not know the arguments.
  public static func ofThisProgram(patience: Patience = .init()) -> PictureMatcher {
    PictureMatcher(program: "/proc/self/exe", patience: patience)
  }

  /// Compares a later picture with an earlier one.
  /// - Throws: `MatchingError`.
  public func compare(
    _ earlier: Earlier, with later: [UInt8]
  ) async throws(MatchingError) -> PictureComparison {
    for (which, count) in [
      (MatchingError.Which.earlier, earlier.bytes.count), (.later, later.count),
    ] where count > MatchingWire.mostBytes {
      throw .tooLarge(which, bytes: count)
    }
    guard program != nil else {
      isUnavailable = true
      throw .unavailable(reason: "no program compares pictures here")
    }
    guard !isOver else { throw .ended }
    guard waiting.count < Self.mostWaiting else { throw .busy }
    let result = await withCheckedContinuation { answer in
      take(Job(asked: .now, earlier: earlier, later: later, answer: answer))
    }
    if case .failure(.unavailable) = result { isUnavailable = true } else { isUnavailable = false }
    return try result.get()
  }

  private func take(_ job: Job) {
    if let atRest {
      self.atRest = nil
      atRest.resume(returning: job)
      return
    }
    waiting.append(job)
    guard serving == nil else { return }
    serving = Task { await serve() }
  }

  /// Runs one worker after the other, as long as there is something to compare.
  private func serve() async {
    while !waiting.isEmpty { await runWorker() }
    serving = nil
  }

  /// Returns when no worker runs.
  func ended() async { await serving?.value }

  /// Ends the matcher: its program is about to end. Returns when no worker runs.
  public func end() async {
    isOver = true
    let late = waiting
    waiting = []
    for job in late { job.answer.resume(returning: .failure(.ended)) }
    if let atRest {
      self.atRest = nil
      atRest.resume(returning: nil)
    }
    await ended()
  }

  /// Returns the next comparison; nil if none came for the time of rest.
  private func next() async -> Job? {
    while !waiting.isEmpty {
      let job = waiting.removeFirst()
      guard job.asked.duration(to: .now) > patience.comparison else { return job }
      job.answer.resume(returning: .failure(.tookTooLong))
    }
    restNumber += 1
    let number = restNumber
    let rest = patience.rest
    let alarm = Task {
      try await Task.sleep(for: rest)
      self.endRest(number)
    }
    defer { alarm.cancel() }
    return await withCheckedContinuation { atRest = $0 }
  }

  private func endRest(_ number: Int) {
    guard number == restNumber, let atRest else { return }
    self.atRest = nil
    atRest.resume(returning: nil)
  }

  /// Runs one worker until it has rested, or until a comparison fails in a way that ends it.
  private func runWorker() async {
    var fault = MatchingError.ended
    let program = program ?? ""
    do {
      // The worker's words about its library go where this program's own faults go.
      fault =
        try await Subprocess.run(
          .path(FilePath(program)), arguments: Arguments(arguments), input: .inputWriter,
          output: .sequence, error: .currentStandardError
        ) { worker in
          await self.answerJobs(
            by: worker.standardInputWriter, worker.standardOutput,
            of: worker.processIdentifier.value)
        }.closureResult
    } catch {
      // The fault of a worker that ended is told already, or it was none.
      if current == nil, !waiting.isEmpty {
        current = waiting.removeFirst()
        fault = .unavailable(reason: "\(program) cannot be started: \(error)")
      }
    }
    if case .unavailable("") = fault {
      fault = .unavailable(reason: MatchingLibrary.absence(beside: program))
    }
    let job = current
    current = nil
    job?.answer.resume(returning: .failure(fault))
  }

  /// Answers comparisons by a worker until one of them ends it, which stays `current`, or until it
  /// has rested; returns the fault.
  private func answerJobs(
    by writer: StandardInputWriter, _ output: SubprocessOutputSequence, of process: pid_t
  ) async -> MatchingError {
    // A worker that was taken over might not end at the end of its input.
    defer { kill(process, SIGKILL) }
    var pipe = MatchingPipe(writer, output.makeAsyncIterator())
    var known: String?
    while let job = await next() {
      current = job
      let alarm = Alarm(after: patience.comparison) { kill(process, SIGKILL) }
      let outcome = await pipe.compare(job.earlier, with: job.later, known: known)
      let isLate = alarm.end()
      switch outcome {
      case .success: known = job.earlier.digest
      case .failure(.unreadable(let which)): known = which == .earlier ? nil : job.earlier.digest
      case .failure(let fault): return isLate ? .tookTooLong : fault
      }
      current = nil
      job.answer.resume(returning: outcome)
      // The alarm has ended the worker although the answer came in time.
      if isLate { break }
    }
    return .ended
  }
}
