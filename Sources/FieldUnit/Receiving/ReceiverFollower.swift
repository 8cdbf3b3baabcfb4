import Evidence
import Foundation
import Positioning
import Receivers
import Synchronization
import TimeAndText

/// The news that a follower tells its listeners.
public enum FollowerEvent: Sendable {
  /// The connection has changed.
  case state(ReceiverState)
  /// The inspector has chosen another receiver: everything heard so far is of no use any more.
  case changed(to: ReceiverSource)
  /// A fix was judged, the receiver has fallen silent, or gpsd said something about itself.
  case positioning(PositioningEvent)
}

/// Follows the one receiver that serves everything, keeps its raw bytes, and judges its fixes.
///
/// Listeners are awaited one after the other: a replay waits for them, so that a step that takes
/// real time does not change the replay.
public actor ReceiverFollower {
  /// The source of the receiver that is followed.
  public nonisolated var source: ReceiverSource { chosen.withLock { $0.source } }
  /// The state of the connection.
  public private(set) var state = ReceiverState.connecting
  /// The last judged fix; nil before the first.
  public private(set) var lastFix: JudgedFix?
  private let chosen: Mutex<any Receiver>
  /// The run of the receiver that is followed now; nil before the first. A change of the receiver
  /// begins another run.
  private var following: Task<Void, any Error>?
  private var changes = 0
  private let clock: any Timepiece
  private var pipeline: PositioningPipeline
  private var ring = RawRing()
  private var listeners: [Int: @Sendable (FollowerEvent) async -> Void] = [:]
  private var nextListener = 0
  private var watchers: [Int: @Sendable () -> Void] = [:]
  private var nextWatcher = 0
  private var surveys: [Int: ReceiverSurvey] = [:]
  private var failure: ReceiverError?
  /// The times at which this receiver last heard the signals that make a good position.
  public nonisolated let reception = ReceptionMemory()
  /// The number of the receiver's sentences that every listener has dealt with.
  public private(set) var settledSentences = 0

  /// Creates a follower that has not begun.
  public init(
    receiver: any Receiver, clock: any Timepiece, gate: GatePolicy, sampler: SamplerPolicy
  ) {
    chosen = Mutex(receiver)
    self.clock = clock
    pipeline = PositioningPipeline(gate: gate, sampler: sampler)
  }

  /// The counts of the stream so far.
  public var counts: StreamCounts { pipeline.counts }
  /// The number of the receiver's sentences that were heard, including those that listeners still
  /// deal with.
  public var heardSentences: Int { pipeline.counts.sentences }
  /// The number of listeners, surveys included.
  public var listenerCount: Int { listeners.count + surveys.count }
  /// The number of listeners and surveys since the follower was made, including those that have
  /// left.
  public var listenersSoFar: Int { nextListener }
  /// The satellites as last heard.
  public var sky: [Satellite] { pipeline.sky }
  /// The receiver's constellations and signals heard so far.
  public var capability: ReceiverCapability { pipeline.capability }

  /// Follows the receiver until the surrounding task is cancelled, or to the end of a log.
  /// - Throws: `ReceiverError` for errors that last.
  public func run() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await self.follow() }
      group.addTask { [clock] in
        while true {
          try await clock.sleep(until: clock.elapsed.advanced(bySeconds: 0.5))
          try await self.lookForSilence()
        }
      }
      try await group.next()
      group.cancelAll()
    }
    if let failure { throw failure }
  }

  /// Follows the chosen receiver, and after a change the next one.
  private func follow() async throws {
    while true {
      let change = changes
      let receiver = chosen.withLock { $0 }
      let run = Task { try await receiver.run { event in await self.take(event, of: change) } }
      following = run
      do {
        try await withTaskCancellationHandler {
          try await run.value
        } onCancel: {
          run.cancel()
        }
        if change == changes { return }
      } catch {
        try Task.checkCancellation()
        if change == changes { throw error }
      }
    }
  }

  /// Follows whichever receiver is chosen until the surrounding task is cancelled. After a lasting
  /// error, and after a log's end, it waits for the next choice.
  /// - Parameter report: called with each lasting error.
  public func runThroughChanges(_ report: @Sendable (ReceiverError) -> Void) async throws {
    while true {
      let number = changes
      do {
        try await run()
      } catch let error as ReceiverError {
        report(error)
        if number == changes { await change(.failed(reason: "\(error)")) }
      }
      while number == changes {
        try await Task.sleep(for: .milliseconds(200))
      }
    }
  }

  /// Follows another receiver from now on. Nothing that was heard from the earlier one is carried
  /// over: gate and samples begin again, and a capture in progress is told.
  public func change(to receiver: any Receiver) async {
    chosen.withLock { $0 = receiver }
    changes += 1
    failure = nil
    lastFix = nil
    reception.forget()
    pipeline = PositioningPipeline(gate: pipeline.gatePolicy, sampler: pipeline.samplerPolicy)
    ring = RawRing()
    settledSentences = 0
    following?.cancel()
    surveys.removeAll()
    state = .connecting
    wakeWatchers()
    for number in listeners.keys.sorted() {
      await listeners[number]?(.changed(to: receiver.source))
    }
  }

  /// Adds a listener; the returned number removes it again. A listener that comes after a log's end
  /// is told so.
  public func listen(
    _ listener: @escaping @Sendable (FollowerEvent) async -> Void
  ) async -> Int {
    nextListener += 1
    let number = nextListener
    listeners[number] = listener
    if state == .ended { await listener(.state(.ended)) }
    return number
  }

  /// Removes a listener.
  public func stopListening(_ number: Int) {
    listeners[number] = nil
  }

  /// Adds a watcher that is called whenever there is something new to see. Watchers are the open
  /// pages; unlike listeners, they are not waited for.
  public func watch(_ watcher: @escaping @Sendable () -> Void) -> Int {
    nextWatcher += 1
    watchers[nextWatcher] = watcher
    return nextWatcher
  }

  /// Removes a watcher.
  public func stopWatching(_ number: Int) { watchers[number] = nil }

  private func wakeWatchers() {
    for watcher in watchers.values { watcher() }
  }

  /// Listens for some seconds without disturbing anything else, and returns whether the receiver is
  /// suitable.
  public func survey(seconds: Double) async throws -> ReceiverSurvey.Outcome {
    nextListener += 1
    let number = nextListener
    surveys[number] = ReceiverSurvey(
      seconds: seconds, allowsSimulated: pipeline.gatePolicy.allowsSimulated,
      isOneOfSeveral: source.namesDevice)
    defer { surveys[number] = nil }
    let deadline = clock.elapsed.advanced(bySeconds: seconds)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [clock] in try await clock.sleep(until: deadline) }
      group.addTask {
        // The time of a log stands still at its end, and nothing more comes.
        while await self.state != .ended { try await Task.sleep(for: .milliseconds(50)) }
      }
      try await group.next()
      group.cancelAll()
    }
    return surveys[number]?.finish() ?? ReceiverSurvey.nothing
  }

  /// Begins new samples by the given rules, because a new photo is begun. If the gate's limits
  /// change, the gate begins again, too.
  public func beginSamples(_ policy: SamplerPolicy, gate: GatePolicy? = nil) {
    pipeline.use(policy, gate: gate)
  }

  /// The rules by which samples are taken just now.
  public var samplerPolicy: SamplerPolicy { pipeline.samplerPolicy }
  /// The gate's limits in force.
  public var gatePolicy: GatePolicy { pipeline.gatePolicy }

  /// Returns the receiver's bytes that prove a standpoint, up to now; nil if they are no longer
  /// kept.
  public func proof(
    from start: ProofStart
  ) -> (chunks: [RawChunk], cycleEnd: CycleEnd?, source: ReceiverSource, sky: [Satellite])? {
    ring.chunks(from: start.firstChunk).map { ($0, pipeline.cycleEnd, source, pipeline.sky) }
  }

  /// Notes that the log which is played into the receiver is over.
  public func replayEnded() async {
    let now = clock.elapsed
    await tell { pipeline, tell in pipeline.finish(at: now, tell) }
    await change(.ended)
  }

  private func take(_ event: ReceiverEvent, of number: Int) async {
    // An event of the earlier receiver may still arrive after a change.
    guard number == changes else { return }
    switch event {
    case .bytes(let chunk):
      ring.append(chunk)
      for number in surveys.keys { surveys[number]?.accept(chunk.bytes) }
      await tell { pipeline, tell in pipeline.accept(chunk.bytes, at: chunk.arrival, tell) }
      settledSentences = pipeline.counts.sentences
    case .state(let new):
      if new == .listening || new == state {
        await change(new)
        return
      }
      // The decoder's unfinished sentence will not be completed by another connection.
      if state.isConnected {
        let now = clock.elapsed
        await tell { pipeline, tell in pipeline.finish(at: now, tell) }
      }
      await change(new)
    }
  }

  private func change(_ new: ReceiverState) async {
    state = new
    wakeWatchers()
    for listener in listeners.values { await listener(.state(new)) }
  }

  /// Updates the state of the connection from a fix.
  private func note(_ fix: Fix) async {
    guard state.isConnected else { return }
    let new = fix.coordinate == nil ? ReceiverState.listening : .fixing
    if new != state { await change(new) }
  }

  private func lookForSilence() async throws {
    if let failure { throw failure }
    let now = clock.elapsed
    await tell { pipeline, tell in pipeline.notice(now, tell) }
  }

  private func tell(
    _ work: (inout PositioningPipeline, (PositioningEvent) -> Void) -> Void
  ) async {
    var events: [PositioningEvent] = []
    let number = changes
    work(&pipeline) { events.append($0) }
    for event in events {
      // Another receiver may have been chosen while a listener was awaited.
      guard number == changes else { return }
      switch event {
      case .fix(let judged):
        lastFix = judged
        // Watchers come before the listeners, because a listener may write to a slow disk.
        wakeWatchers()
        reception.note(of: source, at: clock) { pipeline.sky }
        await note(judged.fix)
      case .gpsd(let words): heed(words)
      case .silence:
        wakeWatchers()
        if state.isConnected, let last = lastFix?.fix.time { await change(.silent(since: last)) }
      }
      for listener in listeners.keys.sorted() where number == changes {
        await listeners[listener]?(.positioning(event))
      }
    }
  }

  private func heed(_ event: DecodedEvent) {
    switch event {
    case .gpsdVersion(let release, let major) where major != 3:
      failure = .gpsdVersion(release: release, protocolMajor: major)
    case .gpsdDevices(let paths):
      if case .gpsd(_, _, nil) = source, paths.count > 1 {
        failure = .severalReceivers(source: "\(source)", devices: paths)
      }
    case .gpsdRefusal(let words): failure = .gpsdRefusal(words)
    default: break
    }
  }
}
