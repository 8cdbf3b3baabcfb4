import TimeAndText

/// A fix with the gate's verdict and the samples so far.
public struct JudgedFix: Hashable, Sendable {
  /// The receiver's fix.
  public var fix: Fix
  /// The gate's verdict on the fix.
  public var verdict: GateVerdict
  /// Number of samples kept so far, this fix included if it was kept.
  public var samples: Int
  /// The standpoint of the samples; nil until there are enough of them.
  public var standpoint: Standpoint?
  /// Time at which the bytes that completed the fix arrived.
  public var arrival: ElapsedTime
  /// The beginning of the bytes that prove this verdict; nil unless the gate is open.
  public var window: ProofStart?
  /// The beginning of the bytes that prove the samples; nil without samples.
  public var sampling: ProofStart?
  /// The limits by which the fix was judged.
  public var gatePolicy = GatePolicy()
  /// The rules by which its samples were taken.
  public var samplerPolicy = SamplerPolicy()
}

/// The beginning of the bytes that have to be kept to judge a fix again.
public struct ProofStart: Hashable, Sendable {
  /// Time of the first fix in the gate's window.
  public var from: GNSSTime
  /// Time of the first fix that is proven: the judged fix itself, or the first sample.
  public var firstStill: GNSSTime
  /// Number of the first chunk that is needed; the pipeline counts chunks from 0.
  public var firstChunk: Int
}

/// An event that the pipeline reports to its caller.
public enum PositioningEvent: Sendable {
  /// An epoch was judged.
  case fix(JudgedFix)
  /// No fix has come for too long; the gate has closed and the samples are gone.
  case silence(GateVerdict)
  /// An event about gpsd itself.
  case gpsd(DecodedEvent)
}

/// The whole computation from bytes to a standpoint, without a clock, a file or a socket.
///
/// The field unit feeds it from a receiver, the verifier from a raw window: the decoder, gate and
/// sampler are identical, so that equal bytes give equal standpoints.
public struct PositioningPipeline {
  private var decoder: FixDecoder
  private var gate: StandstillGate
  /// The samples so far.
  public private(set) var sampler: CentroidSampler
  private var lastArrival: ElapsedTime?
  /// Time at which the last bytes of any content arrived.
  private var lastBytes: ElapsedTime?
  private var isSilent = false
  private var chunk = -1
  /// The chunk in which the sentence that is unfinished now begins at the earliest.
  private var lineChunk = 0
  /// The chunk in which the epoch that is reported next began at the earliest.
  private var epochChunk = 0
  /// The last epochs with the chunk in which each began: more than the window of a gate can hold.
  private var recent: [(time: GNSSTime, firstChunk: Int)] = []
  /// Number of epochs before a window that belong to its proof: one may be torn at the start of the
  /// bytes, two more are needed to know the receiver's rhythm.
  private static let epochsOfIntroduction = 3
  private var sampling: ProofStart?
  private var standpoint: Standpoint?
  /// Time before which fixes are skipped: if a raw window begins within an epoch, that torn epoch
  /// does not count.
  private var ignoredBefore: GNSSTime?
  /// Time before which no samples are taken: if sampling was restarted while the gate stayed open,
  /// a recomputation has to begin with the same sample.
  private var samplesFrom: GNSSTime?

  /// Creates a pipeline with a closed gate and no samples.
  /// - Parameters:
  ///   - gate: the limits of standing still.
  ///   - sampler: the number of samples and the method.
  ///   - cycleEnd: the receiver's rhythm, learned from an earlier part of the stream; nil if not
  ///     known.
  ///   - leads: true if the receiver was known to begin its epochs with sentences without a time;
  ///     nil if nothing was known.
  ///   - from: the time before which fixes are skipped; nil to skip none.
  ///   - samplesFrom: the time before which no sample is taken; nil for no such limit.
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

  /// Counts of the stream's content so far.
  public var counts: StreamCounts { decoder.counts }
  /// The receiver's rhythm; nil until known.
  public var cycleEnd: CycleEnd? { decoder.cycleEnd }
  /// The satellites of the last complete series of sentences, or of gpsd's last SKY.
  public var sky: [Satellite] { decoder.sky }
  /// A number that grows each time the receiver tells satellites anew.
  public var skyCount: Int { decoder.skyCount }
  /// The constellations and signals heard from the receiver so far.
  public var capability: ReceiverCapability { decoder.capability }
  /// The limits in force.
  public var gatePolicy: GatePolicy { gate.policy }

  /// The rules for the samples in force.
  public var samplerPolicy: SamplerPolicy { sampler.policy }

  /// Takes the bytes of one read with their arrival time, and calls `body` for each event, in
  /// order.
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

  /// Begins again with a closed gate and without samples: the verdicts so far rest on sentences
  /// that were assigned to the wrong epochs, and bytes that are now read differently could not
  /// prove them.
  private mutating func beginAnew() {
    gate = StandstillGate(policy: gate.policy)
    sampler.discard()
    sampling = nil
    standpoint = nil
    recent.removeAll(keepingCapacity: true)
  }

  /// Takes the time that passes without bytes: silence closes the gate.
  public mutating func notice(_ now: ElapsedTime, _ body: (PositioningEvent) -> Void) {
    guard let lastArrival, !isSilent,
      let verdict = gate.expire(ageSeconds: now.seconds(since: lastArrival))
    else { return }
    isSilent = true
    sampler.discard()
    body(.silence(verdict))
  }

  /// Judges the last epoch and drops unfinished bytes in the decoder, because the stream has ended
  /// or broken off.
  public mutating func finish(
    at arrival: ElapsedTime, _ body: (PositioningEvent) -> Void
  ) {
    var events: [DecodedEvent] = []
    decoder.finish { events.append($0) }
    // The events come from the last bytes, and are as old as those.
    for event in events { conclude(event, min(arrival, lastBytes ?? arrival), body) }
    notice(arrival, body)
  }

  /// Discards the samples and takes new ones while the gate stays open, for another photo.
  public mutating func restartSamples() {
    sampler.discard()
    standpoint = nil
  }

  /// Sets other rules for the samples, and other limits for the gate. If the limits differ, the
  /// gate begins a new window, because fixes judged by other limits prove nothing.
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
    // An epoch that was reported twice began with its first report.
    while index > 0, recent[index - 1].time == from { index -= 1 }
    index = max(0, index - Self.epochsOfIntroduction)
    return ProofStart(from: from, firstStill: time, firstChunk: recent[index].firstChunk)
  }
}
