/// A fix with all that was concluded from it.
public struct JudgedFix: Hashable, Sendable {
  /// The receiver's fix.
  public var fix: Fix
  /// What the gate says of it.
  public var verdict: GateVerdict
  /// Samples kept so far, this one included when it was kept.
  public var samples: Int
  /// The samples' result once there are enough of them; nil before.
  public var standpoint: Standpoint?
  /// When its last byte arrived.
  public var arrival: ElapsedTime
  /// Where the proof of this fix's verdict begins; nil unless the gate is open.
  public var window: ProofStart?
  /// Where the proof of the samples begins; nil without samples.
  public var sampling: ProofStart?
  /// The limits that it was judged by.
  public var gatePolicy = GatePolicy()
  /// The rules that its samples were taken by.
  public var samplerPolicy = SamplerPolicy()
}

/// From where on a receiver's bytes have to be kept, to judge again what was judged.
public struct ProofStart: Hashable, Sendable {
  /// Time of the first fix in the gate's window.
  public var from: GNSSTime
  /// Time of the first fix for which the gate was open.
  public var firstStill: GNSSTime
  /// Number of the first chunk that is needed, counted from 0 by the pipeline.
  public var firstChunk: Int
}

/// What the pipeline tells the one who feeds it.
public enum PositioningEvent: Sendable {
  /// An epoch, judged.
  case fix(JudgedFix)
  /// There has been no fix for too long; the gate has closed and the samples are gone.
  case silence(GateVerdict)
  /// Something that gpsd said of itself.
  case gpsd(DecodedEvent)
}

/// The whole way from bytes to a standpoint, without a clock, a file or a socket.
///
/// The field unit feeds it from a receiver, the verifier from a raw window: the same decoder, gate
/// and sampler, so that the same bytes give the same standpoint.
public struct PositioningPipeline {
  private var decoder: FixDecoder
  private var gate: StandstillGate
  /// The samples so far.
  public private(set) var sampler: CentroidSampler
  private var lastArrival: ElapsedTime?
  /// When the last bytes came, whatever they were.
  private var lastBytes: ElapsedTime?
  private var isSilent = false
  private var chunk = -1
  /// No sentence that is unfinished now begins in a chunk before this one.
  private var lineChunk = 0
  /// Where the epoch that is told next began at the earliest.
  private var epochChunk = 0
  /// The last epochs with the chunk that each began in, more than a gate's window can hold.
  private var recent: [(time: GNSSTime, firstChunk: Int)] = []
  /// Epochs before a window that belong to its proof: one may be torn where the bytes begin, two
  /// more are needed to know the receiver's rhythm.
  private static let epochsOfIntroduction = 3
  private var sampling: ProofStart?
  private var standpoint: Standpoint?
  /// Fixes before this time are passed over: where a raw window begins within an epoch, the torn
  /// one does not count.
  private var ignoredBefore: GNSSTime?
  /// Samples are not taken before this time: where samples were begun anew while the gate stayed
  /// open, a recomputation has to begin with the same one.
  private var samplesFrom: GNSSTime?

  /// - Parameters:
  ///   - gate: the limits of standing still.
  ///   - sampler: how many samples, by which method.
  ///   - cycleEnd: what an earlier part of the stream taught about the receiver's rhythm.
  ///   - leads: whether the receiver was known to begin its epochs with what carries no time; nil where
  ///     nothing was known.
  ///   - from: fixes before this time are passed over.
  ///   - samplesFrom: no sample is taken before this time.
  public init(
    gate: GatePolicy = GatePolicy(), sampler: SamplerPolicy = SamplerPolicy(),
    cycleEnd: CycleEnd? = nil, leads: Bool? = nil, from: GNSSTime? = nil,
    samplesFrom: GNSSTime? = nil
  ) {
    decoder = FixDecoder(cycleEnd: cycleEnd, leads: leads)
    self.gate = StandstillGate(policy: gate)
    self.sampler = CentroidSampler(policy: sampler)
    ignoredBefore = from
    self.samplesFrom = samplesFrom
  }

  /// What the stream has held so far.
  public var counts: StreamCounts { decoder.counts }
  /// The receiver's rhythm; nil until known.
  public var cycleEnd: CycleEnd? { decoder.cycleEnd }
  /// The satellites of the last complete telling.
  public var sky: [Satellite] { decoder.sky }
  /// What the receiver has shown that it can hear.
  public var capability: ReceiverCapability { decoder.capability }
  /// The limits in force.
  public var gatePolicy: GatePolicy { gate.policy }

  /// The rules for the samples in force.
  public var samplerPolicy: SamplerPolicy { sampler.policy }

  /// Takes what one read returned, and when. `body` is called for each event, in order.
  public mutating func accept(
    _ bytes: [UInt8], at arrival: ElapsedTime, _ body: (PositioningEvent) -> Void
  ) {
    chunk += 1
    notice(arrival, body)
    lastBytes = arrival
    var events: [DecodedEvent] = []
    let led = decoder.leads
    decoder.accept(bytes) { events.append($0) }
    for event in events { conclude(event, arrival, body) }
    if decoder.unfinishedByteCount <= bytes.count { lineChunk = chunk }
    if decoder.leads != led { beginAnew() }
  }

  /// What has been judged so far rests on sentences that were given to the wrong epochs, and could
  /// not be proven by bytes that are read otherwise.
  private mutating func beginAnew() {
    gate = StandstillGate(policy: gate.policy)
    sampler.discard()
    sampling = nil
    standpoint = nil
    recent.removeAll(keepingCapacity: true)
  }

  /// Time passes without bytes: silence closes the gate.
  public mutating func notice(_ now: ElapsedTime, _ body: (PositioningEvent) -> Void) {
    guard let lastArrival, !isSilent,
      let verdict = gate.expire(ageSeconds: now.seconds(since: lastArrival))
    else { return }
    isSilent = true
    sampler.discard()
    body(.silence(verdict))
  }

  /// The stream has ended, or broken off: the last epoch is judged, and what is unfinished in the
  /// decoder is forgotten.
  public mutating func finish(
    at arrival: ElapsedTime, _ body: (PositioningEvent) -> Void
  ) {
    var events: [DecodedEvent] = []
    decoder.finish { events.append($0) }
    // What is concluded now came with the last bytes, and is as old as they are.
    for event in events { conclude(event, min(arrival, lastBytes ?? arrival), body) }
    notice(arrival, body)
  }

  /// The samples are forgotten, and taken anew while the gate stays open: a new photo.
  public mutating func restartSamples() {
    sampler.discard()
    standpoint = nil
  }

  /// Other rules for the samples from now on, and other limits for the gate: where they differ it begins
  /// a new window, since what was judged by others proves nothing.
  public mutating func use(_ policy: SamplerPolicy, gate limits: GatePolicy? = nil) {
    if let limits, limits != gate.policy {
      gate = StandstillGate(policy: limits)
      sampling = nil
    }
    sampler = CentroidSampler(policy: policy)
    standpoint = nil
  }

  private mutating func conclude(
    _ event: DecodedEvent, _ arrival: ElapsedTime, _ body: (PositioningEvent) -> Void
  ) {
    guard case .fix(let fix) = event else {
      body(.gpsd(event))
      return
    }
    let firstChunk = epochChunk
    epochChunk = lineChunk
    if let from = ignoredBefore {
      guard fix.time.seconds(since: from) >= 0 else { return }
      ignoredBefore = nil
    }
    lastArrival = arrival
    isSilent = false
    let verdict = gate.accept(fix)
    if let start = samplesFrom, fix.time.seconds(since: start) >= 0 { samplesFrom = nil }
    let firstBefore = sampler.firstTime
    if samplesFrom == nil { sampler.accept(fix, verdict: verdict) }
    if sampler.firstTime != firstBefore { standpoint = nil }
    remember(fix.time, firstChunk: firstChunk)
    let window = proofStart(verdict, at: fix.time)
    if sampler.count == 0 {
      sampling = nil
    } else if sampler.firstTime == fix.time {
      sampling = window
    }
    if !sampler.isComplete {
      standpoint = nil
    } else if standpoint == nil {
      standpoint = sampler.standpoint()
    }
    body(
      .fix(
        JudgedFix(
          fix: fix, verdict: verdict, samples: sampler.count, standpoint: standpoint,
          arrival: arrival, window: window, sampling: sampling, gatePolicy: gate.policy,
          samplerPolicy: sampler.policy)))
  }

  private mutating func remember(_ time: GNSSTime, firstChunk: Int) {
    recent.append((time, firstChunk))
    if recent.count > 8192 { recent.removeFirst(4096) }
  }

  private func proofStart(_ verdict: GateVerdict, at time: GNSSTime) -> ProofStart? {
    guard verdict.state == .still, let from = verdict.statistics?.firstTime,
      var index = recent.lastIndex(where: { $0.time == from })
    else { return nil }
    // An epoch told twice began with its first telling.
    while index > 0, recent[index - 1].time == from { index -= 1 }
    index = max(0, index - Self.epochsOfIntroduction)
    return ProofStart(from: from, firstStill: time, firstChunk: recent[index].firstChunk)
  }
}
