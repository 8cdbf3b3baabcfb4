import Evidence
import Foundation
import Positioning
import Receivers
import Synchronization

/// What the follower tells those who listen.
public enum FollowerEvent: Sendable {
  /// The connection has changed.
  case state(ReceiverState)
  /// The inspector has chosen another receiver: what was heard so far is of no use any more.
  case changed(to: ReceiverSource)
  /// A fix was judged, the receiver has fallen silent, or gpsd said something of itself.
  case positioning(PositioningEvent)
}

/// Follows the one receiver that serves everything, keeps its raw bytes, and judges its fixes.
///
/// Listeners are awaited one after the other: a replay waits for them, so that a step that takes
/// wall time changes nothing in its story.
public actor ReceiverFollower {
  /// Which receiver it is.
  public nonisolated var source: ReceiverSource { chosen.withLock { $0.source } }
  /// What its connection is doing.
  public private(set) var state = ReceiverState.connecting
  /// The last judged fix; nil before the first.
  public private(set) var lastFix: JudgedFix?
  private let chosen: Mutex<any Receiver>
  /// The run of the receiver that is followed now; another one is begun where it was changed.
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
  /// When this receiver was last heard to hear what a good position comes from.
  public nonisolated let reception = ReceptionMemory()
  /// Sentences of the receiver that every listener has done with.
  public private(set) var settledSentences = 0

  /// A follower that has not begun.
  public init(
    receiver: any Receiver, clock: any Timepiece, gate: GatePolicy, sampler: SamplerPolicy
  ) {
    chosen = Mutex(receiver)
    self.clock = clock
    pipeline = PositioningPipeline(gate: gate, sampler: sampler)
  }

  /// What the stream has held so far.
  public var counts: StreamCounts { pipeline.counts }
  /// Sentences of the receiver that have been heard, whether or not every listener has done with them.
  public var heardSentences: Int { pipeline.counts.sentences }
  /// How many listen.
  public var listenerCount: Int { listeners.count + surveys.count }
  /// How many have begun to listen since the follower was made, whether or not they still do.
  public var listenersSoFar: Int { nextListener }
  /// The satellites as last heard.
  public var sky: [Satellite] { pipeline.sky }
  /// What the receiver has shown that it can hear.
  public var capability: ReceiverCapability { pipeline.capability }

  /// Follows the receiver until the surrounding task is cancelled, or to a log's end.
  /// - Throws: `ReceiverError` for what will not mend itself.
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

  /// Follows whatever receiver is chosen until the surrounding task is cancelled: after what will not
  /// mend itself, and after a log's end, the next one that is chosen.
  /// - Parameter report: is told what will not mend itself.
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

  /// Follows another receiver from now on. Nothing that was heard of the one before is carried over:
  /// gate and samples begin anew, and a capture in progress is told.
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

  /// Adds a listener; the number takes it away again. One who comes after a log's end is told so.
  public func listen(
    _ listener: @escaping @Sendable (FollowerEvent) async -> Void
  ) async -> Int {
    nextListener += 1
    let number = nextListener
    listeners[number] = listener
    if state == .ended { await listener(.state(.ended)) }
    return number
  }

  /// Takes a listener away.
  public func stopListening(_ number: Int) {
    listeners[number] = nil
  }

  /// Has somebody told whenever there is something new to look at here. Nobody waits for watchers, and they
  /// are no listeners: they are the pages that somebody has open.
  public func watch(_ watcher: @escaping @Sendable () -> Void) -> Int {
    nextWatcher += 1
    watchers[nextWatcher] = watcher
    return nextWatcher
  }

  /// Takes a watcher away.
  public func stopWatching(_ number: Int) { watchers[number] = nil }

  private func wakeWatchers() {
    for watcher in watchers.values { watcher() }
  }

  /// Listens for so long beside everything else, and says whether the receiver will do.
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
        // A log's own time stands still at its end: nothing more is coming.
        while await self.state != .ended { try await Task.sleep(for: .milliseconds(50)) }
      }
      try await group.next()
      group.cancelAll()
    }
    return surveys[number]?.finish() ?? ReceiverSurvey.nothing
  }

  /// Samples are taken anew, by the given rules: a new photo is begun. Where other limits are to hold
  /// than do, the gate begins anew, too.
  public func beginSamples(_ policy: SamplerPolicy, gate: GatePolicy? = nil) {
    pipeline.use(policy, gate: gate)
  }

  /// How samples are taken just now.
  public var samplerPolicy: SamplerPolicy { pipeline.samplerPolicy }
  /// The gate's limits in force.
  public var gatePolicy: GatePolicy { pipeline.gatePolicy }

  /// The receiver's bytes that prove a standpoint, up to now; nil when they are gone already.
  public func proof(
    from start: ProofStart
  ) -> (chunks: [RawChunk], cycleEnd: CycleEnd?, source: ReceiverSource)? {
    ring.chunks(from: start.firstChunk).map { ($0, pipeline.cycleEnd, source) }
  }

  /// Whoever plays a log into the receiver says that it is over.
  public func replayEnded() async {
    let now = clock.elapsed
    await tell { pipeline, tell in pipeline.finish(at: now, tell) }
    await change(.ended)
  }

  private func take(_ event: ReceiverEvent, of number: Int) async {
    // A last word of the receiver before.
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
      // What is unfinished in the decoder will not be finished by another connection.
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

  /// What a fix says of the connection.
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
      // While a listener was awaited another receiver may have been chosen.
      guard number == changes else { return }
      switch event {
      case .fix(let judged):
        lastFix = judged
        // Before the listeners, one of whom may write to a slow disk.
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
