import Evidence
import FieldUnit
import Imagery
import Inspection
import Positioning
import Receivers
import Store
import TimeAndText

/// Takes one set with one receiver: a standpoint, frames, a standpoint.
///
/// The receiver's news and the camera's frames come from outside; the run holds no frame in memory
/// once it is on the disk.
package actor SetRun {
  /// The sector of a frame, by which its files are found.
  private typealias Keeper = SectorKeeper<Int>

  private let unit: InspectorUnit
  private let follower: ReceiverFollower
  private let request: SetRequest
  private let terms: CaptureTerms
  private let sampler: SamplerPolicy
  private let progress: @Sendable (SetNews) -> Void
  private var phase: SetPhase
  private var session: CaptureSession
  private var last: JudgedFix?
  private var open: OpenSet?
  private var hold: OpenSetHold?
  private var startProof: ProofStart?
  private var keeper: Keeper
  private var kept: [Int: SetFrame]
  private var first: (attitude: PictureAttitude, milliseconds: Double)?
  /// The angle of the first frame after an interruption, degrees; 0 for a new set.
  private let firstDegrees: Double
  /// The time of the last frame before an interruption, seconds; 0 for a new set.
  private let firstSeconds: Double
  /// The reasons why the present standpoint is not complete, and its samples so far.
  private var waiting: (reasons: [GateReason], samples: Int) = ([], 0)
  private var way = WalkedWay()
  private var result: Result<FrameSetHead, any Error>?
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var listener: Int?

  /// Creates a run that has not begun.
  package init(
    unit: InspectorUnit, follower: ReceiverFollower, request: SetRequest,
    progress: @escaping @Sendable (SetNews) -> Void = { _ in }
  ) throws {
    try self.init(unit, follower, request, progress, open: nil, degrees: nil)
  }

  /// Creates a run that goes on with a set that was interrupted.
  /// - Parameter degrees: the angle at which its next frame is taken, degrees; nil for that of the
  ///   frame that was taken last. No sensor knows it: a browser that is opened again counts its
  ///   rotations anew.
  package init(
    resuming open: OpenSet, atDegrees degrees: Double? = nil, unit: InspectorUnit,
    follower: ReceiverFollower, waitSeconds: Double, source: (any SetFrameSource)? = nil,
    progress: @escaping @Sendable (SetNews) -> Void = { _ in }
  ) throws {
    let request = SetRequest(
      task: open.task, terms: open.terms, waitSeconds: waitSeconds, source: source)
    try self.init(unit, follower, request, progress, open: open, degrees: degrees)
  }

  private init(
    _ unit: InspectorUnit, _ follower: ReceiverFollower, _ request: SetRequest,
    _ progress: @escaping @Sendable (SetNews) -> Void, open: OpenSet?, degrees: Double?
  ) throws {
    if open != nil, !request.terms.kind.isWalked {
      throw InspectionError.frameSet(.turnInterrupted)
    }
    (self.unit, self.follower, self.request) = (unit, follower, request)
    self.progress = progress
    terms = try unit.terms(for: request)
    try terms.rules.require(follower.source)
    // Where no source gives the frames, a page's browser does.
    if request.source == nil, !terms.rules.flag(.browser) {
      throw InspectionError.policyForbids(.browser)
    }
    // A set begins and ends with samples, even where an agency takes photos of a single fix.
    let sampler = terms.sampler ?? SamplerPolicy()
    self.sampler = sampler
    session = Self.session(terms, sampler, request)
    self.open = open
    hold = try open?.hold()
    phase = open == nil ? .opening : .taking
    let kept = try open?.frames() ?? [:]
    var keeper = Keeper(
      ring: open?.ring ?? SectorRing(count: request.terms.sectors),
      weights: request.terms.weights)
    for (sector, frame) in kept {
      _ = keeper.offer(
        sector, frame.attitude,
        accelerationMetresPerSecondSquared: frame.accelerationMetresPerSecondSquared)
    }
    (self.kept, self.keeper) = (kept, keeper)
    let last = kept.values.max { $0.seconds < $1.seconds }
    firstDegrees = degrees ?? last?.attitude.angleDegrees ?? 0
    firstSeconds = last?.seconds ?? 0
  }

  private static func session(
    _ terms: CaptureTerms, _ sampler: SamplerPolicy, _ request: SetRequest
  ) -> CaptureSession {
    CaptureSession(
      gate: terms.gate, sampler: sampler, countdownSeconds: 0, waitSeconds: request.waitSeconds)
  }

  /// The state of the set.
  package var news: SetNews {
    SetNews(
      phase: phase, reasons: waiting.reasons, samples: waiting.samples,
      samplesWanted: sampler.samples, filled: keeper.filled, sectors: keeper.ring.count)
  }

  /// The state of the set, with what its page draws.
  package var view: SetRunView {
    SetRunView(
      news: news, held: keeper.sectors.map { $0?.quality.value }, firstDegrees: firstDegrees,
      way: way.points, origin: way.origin, declinationDegrees: declinationDegrees,
      uncertaintyMetres: last?.fix.horizontalUncertaintyMetres95)
  }

  /// The magnetic declination at the present place, degrees; nil if unknown.
  private var declinationDegrees: Double? {
    guard let fix = last?.fix, let here = fix.coordinate else { return nil }
    return InspectorUnit.declinationDegrees(
      at: here, ellipsoidalHeightMetres: fix.ellipsoidalHeightMetres, on: unit.clock.deviceTime)
  }

  /// The open set of a walk, which stays if the run ends without a seal; nil for a turn, and before
  /// the first standpoint.
  package var keptSet: Identifier? { request.terms.kind.isWalked ? open?.id : nil }

  // MARK: steps

  /// Waits for the first standpoint. The caller has to run the receiver's follower meanwhile.
  /// - Throws: `FieldUnitError.captureRefused` if the gate or the samples were not complete in time.
  package func begin() async throws {
    await follower.beginSamples(sampler, gate: terms.gate)
    await listen()
    await settled { $0 != .opening }
    if case .failure(let error) = result { throw error }
  }

  /// Ends a set that was interrupted as it is: waits for the last standpoint, and seals it.
  /// - Throws: the errors of `end`.
  package func finish() async throws -> FrameSetHead {
    // The frames end before the receiver is heard: a log that is played at any rate loses no epoch.
    await beginClosing()
    await listen()
    return try await end()
  }

  private func listen() async {
    listener = await follower.listen { event in await self.take(event) }
  }

  /// Ends the frames, waits for the last standpoint, and seals the set.
  /// - Throws: `FieldUnitError` with what is in the way; a walk then stays as an open set.
  package func end() async throws -> FrameSetHead {
    await beginClosing()
    await settled { $0 == .over }
    guard let result else { throw CancellationError() }
    return try result.get()
  }

  /// Takes a whole set from the request's own source of frames.
  /// - Throws: the errors of `begin` and `end`.
  package func take() async throws -> FrameSetHead {
    try await begin()
    await settled { $0 == .over }
    guard let result else { throw CancellationError() }
    return try result.get()
  }

  /// Ends the frames, without waiting for what follows.
  package func beginClosing() async {
    guard phase == .taking else { return }
    phase = .closing
    waiting = ([], 0)
    session = Self.session(terms, sampler, request)
    await follower.beginSamples(sampler, gate: terms.gate)
    progress(news)
  }

  /// Ends the set because of an error outside of it, or because nobody waits for it any more. A walk
  /// stays as an open set, to be gone on with or ended later; a turn is given up.
  package func giveUp(_ error: any Error) async { await finish(.failure(error)) }

  private func settled(_ isReached: (SetPhase) -> Bool) async {
    await withTaskCancellationHandler {
      while !isReached(phase), !Task.isCancelled {
        await withCheckedContinuation { waiters.append($0) }
      }
    } onCancel: {
      Task { await self.giveUp(CancellationError()) }
    }
  }

  private func wake() {
    let woken = waiters
    waiters = []
    for waiter in woken { waiter.resume() }
  }

  private func finish(_ new: Result<FrameSetHead, any Error>) async {
    guard phase != .over else { return }
    result = new
    phase = .over
    // The gate of a turn has to hold from its start to its end: nothing of it is left to go on with.
    // If its folder cannot be removed, the list of sets still shows it.
    if case .failure = new, !request.terms.kind.isWalked { try? open?.discard() }
    hold = nil
    progress(news)
    wake()
    if let listener { await follower.stopListening(listener) }
  }

  // MARK: the receiver

  private func take(_ event: FollowerEvent) async {
    guard phase != .over else { return }
    switch event {
    case .state(.ended): await receiverEnded()
    case .state: break
    case .changed(let source):
      await fail(
        GateRefusal(
          code: "receiver-changed", wording: "the receiver was changed to \(source): begin again"))
    case .positioning(.silence(let verdict)):
      last = nil
      await heed(verdict)
      if phase == .opening || phase == .closing {
        await heed(session.accept(silence: verdict))
      }
    case .positioning(.fix(let judged)):
      last = judged
      if phase == .taking || phase == .closing { way.add(judged.fix.coordinate) }
      await heed(judged.verdict)
      if phase == .opening || phase == .closing { await heed(session.accept(judged)) }
      if phase == .taking { await request.source?.frames(at: judged.arrival, for: self) }
    case .positioning(.gpsd): break
    }
  }

  /// Gives a turn up when its gate has closed.
  private func heed(_ verdict: GateVerdict) async {
    guard !request.terms.kind.isWalked, phase == .taking || phase == .closing,
      verdict.state != .still
    else { return }
    let reasons = verdict.reasons.map { GateRefusal(code: $0.code, wording: $0.wording) }
    await finish(.failure(FieldUnitError.captureRefused(reasons)))
  }

  private func heed(_ step: CaptureSession.Step) async {
    switch step {
    case .waiting(let reasons, let samples):
      waiting = (reasons, samples)
      progress(news)
    case .shutter(let judged): await standpointIsComplete(judged)
    case .rejected: session = Self.session(terms, sampler, request)
    case .gaveUp(let reasons):
      await finish(
        .failure(
          FieldUnitError.captureRefused(
            reasons.map { GateRefusal(code: $0.code, wording: $0.wording) })))
    case .countdown, .exposing, .held: break
    }
  }

  private func receiverEnded() async {
    switch phase {
    case .taking:
      await beginClosing()
      await receiverEnded()
    case .opening, .closing:
      await fail(GateRefusal(code: "log-ended", wording: "the log ended too early"))
    case .over: break
    }
  }

  private func fail(_ reason: GateRefusal) async {
    await finish(.failure(FieldUnitError.captureRefused([reason])))
  }

  private func standpointIsComplete(_ judged: JudgedFix) async {
    do {
      if phase == .opening {
        try await openSet(judged)
        phase = .taking
        waiting = ([], 0)
        progress(news)
        wake()
      } else {
        let head = try await seal(judged)
        await finish(.success(head))
      }
    } catch {
      await finish(.failure(error))
    }
  }

  // MARK: standpoints

  /// A standpoint and the raw window that proves it.
  private struct Proven {
    var stand: SealedStand
    var raw: [UInt8]
    var source: ReceiverSource
  }

  /// Returns the standpoint of a fix.
  /// - Parameter start: the beginning of a turn, from which on the window is kept; nil otherwise.
  private func proven(_ judged: JudgedFix, since start: ProofStart?) async throws -> Proven {
    guard let own = judged.sampling,
      let position = PhotoPosition(
        asked: sampler, standpoint: judged.standpoint, fix: judged.fix),
      let proof = await follower.proof(from: start ?? own)
    else { throw FieldUnitError.rawWindowGone }
    let now = unit.clock.deviceTime
    let window = RawWindow(
      source: "\(proof.source)", receiver: nil, from: (start ?? own).from,
      firstSample: own.firstStill, shutter: judged.fix.time, cycleEnd: proof.cycleEnd,
      gate: terms.gate, sampler: sampler, chunks: proof.chunks)
    let raw = try window.fileBytes()
    let claims = StandClaims(
      position: position, standpoint: judged.standpoint, shutter: judged, gate: terms.gate,
      sampler: sampler, gnssTime: judged.fix.time, deviceTime: now,
      fixAgeSeconds: unit.clock.elapsed.seconds(since: judged.arrival), sky: proof.sky)
    guard
      let stand = SealedStand(
        claims, source: "\(proof.source)", rawDigest: Digest.hexadecimal(raw))
    else {
      throw FieldUnitError.rawWindowGone
    }
    return Proven(stand: stand, raw: raw, source: proof.source)
  }

  private func openSet(_ judged: JudgedFix) async throws {
    let proven = try await proven(judged, since: nil)
    startProof = judged.sampling
    let isSimulated =
      proven.source.isReplay || unit.configuration.isDemonstration || judged.fix.isSimulated
    open = try unit.openSet(request, proven.stand, startRaw: proven.raw, isSimulated: isSimulated)
    hold = try open?.hold()
  }

  // MARK: frames

  /// Turns the ring of a turn on the spot that holds no frame yet.
  private func turnRing(to firstMiddleDegrees: Double) throws {
    guard !request.terms.kind.isWalked, kept.isEmpty else { return }
    let ring = SectorRing(count: request.terms.sectors, firstMiddleDegrees: firstMiddleDegrees)
    try open?.turn(to: ring)
    keeper = Keeper(ring: ring, weights: request.terms.weights)
  }

  /// Judges a frame, and keeps it durably if it is the best of its sector.
  /// - Throws: `FieldUnitError` if the set takes no frames now, or the frame is no picture;
  ///   `StoreError` if the disk refuses, for example because it is full: the set stays as it is.
  package func offer(_ offered: OfferedFrame) throws -> FrameAnswer {
    guard phase == .taking, open != nil else { throw FieldUnitError.exposureOver }
    guard
      let sample = AttitudeSample.at(
        milliseconds: offered.milliseconds, before: offered.before, after: offered.after),
      let picture = PictureAttitude(
        device: sample.rotation, screenDegrees: offered.screenDegrees)
    else { return .noSample }
    if first == nil, let middle = offered.firstMiddleDegrees { try turnRing(to: middle) }
    let reference = first ?? (picture, offered.milliseconds)
    guard
      let attitude = FrameAttitude(from: reference.attitude, to: picture)?
        .turned(byDegrees: firstDegrees).asRecorded
    else { return .poor }
    let acceleration = sample.asRecorded.accelerationMetresPerSecondSquared
    let (decision, quality) = keeper.decision(
      attitude, accelerationMetresPerSecondSquared: acceleration)
    switch decision {
    case .poor: return .poor
    case .notBetter:
      // The first good frame is what all others are compared with, even if an earlier one stays.
      first = reference
      return .notBetter
    case .filled(let sector), .better(let sector):
      let accepted = try AcceptedFrame(offered.picture)
      let frame = SetFrame(
        digest: accepted.digest, bytes: offered.picture.count,
        widthPixels: accepted.picture.widthPixels, heightPixels: accepted.picture.heightPixels,
        attitude: attitude, accelerationMetresPerSecondSquared: acceleration,
        quality: quality.value,
        seconds: firstSeconds + max(0, offered.milliseconds - reference.milliseconds) / 1000,
        place: last.flatMap { FramePlace($0.fix) }, isMoving: request.terms.kind.isWalked)
      try open?.keep(frame, offered.picture, inSector: sector, replacing: kept[sector])
      first = reference
      kept[sector] = frame
      _ = keeper.offer(sector, attitude, accelerationMetresPerSecondSquared: acceleration)
      progress(news)
      return .kept(sector: sector)
    }
  }

  // MARK: the seal

  private func seal(_ judged: JudgedFix) async throws -> FrameSetHead {
    guard let open else { throw FieldUnitError.exposureOver }
    let proven = try await proven(
      judged, since: request.terms.kind.isWalked ? nil : startProof)
    return try unit.seal(
      open, frames: keeper.ordered.compactMap { kept[$0.frame] }, end: proven.stand,
      endRaw: proven.raw, source: "\(proven.source)")
  }
}

/// The inspector's request for a set.
package struct SetRequest: Sendable {
  /// The task that the set is for; nil for a standalone set.
  package var task: Identifier?
  /// The terms of the set.
  package var terms: FrameSetTerms
  /// The time to wait for each standpoint, seconds of the receiver's time.
  package var waitSeconds: Double
  /// Gives frames in the receiver's own time; nil if they come from outside.
  package var source: (any SetFrameSource)?

  /// Creates a request.
  package init(
    task: Identifier?, terms: FrameSetTerms, waitSeconds: Double,
    source: (any SetFrameSource)? = nil
  ) {
    self.task = task
    self.terms = terms
    self.waitSeconds = waitSeconds
    self.source = source
  }
}

/// A source of frames that follows the receiver's time, such as a recorded walk.
package protocol SetFrameSource: Sendable {
  /// Offers the frames up to a moment to a run, and ends the frames after the last one.
  func frames(at moment: ElapsedTime, for run: SetRun) async
}
