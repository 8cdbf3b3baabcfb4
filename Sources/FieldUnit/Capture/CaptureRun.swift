import Foundation
import Inspection
import Positioning
import Receivers
import TimeAndText

/// The result of the shutter: the frame, the fix it belongs to, and the bytes that prove the fix.
package struct Exposure: Sendable {
  package var frame: [UInt8]
  package var shutter: JudgedFix
  package var start: ProofStart
  package var chunks: [RawChunk]
  package var cycleEnd: CycleEnd?
  /// The receiver that sent these bytes.
  package var source: ReceiverSource
  package var sky: [Satellite]
  package var deviceTime: DeviceTime
  var fixAgeSeconds: Double
  /// The elapsed time at which the shutter fell.
  var shutterAt: ElapsedTime
  /// The radio surroundings of the device, which are not waited for while the gate has to hold; nil
  /// if the radio is not listened to.
  package var surroundings: Task<RadioSurroundings, Never>?
  /// The frame with the page's words about it; nil if no page took the picture.
  package var page: HandedFrame?

  /// Creates an exposure.
  package init(
    frame: [UInt8], shutter: JudgedFix, start: ProofStart, chunks: [RawChunk],
    cycleEnd: CycleEnd?, source: ReceiverSource, sky: [Satellite], deviceTime: DeviceTime,
    fixAgeSeconds: Double, shutterAt: ElapsedTime,
    surroundings: Task<RadioSurroundings, Never>?, page: HandedFrame? = nil
  ) {
    (self.frame, self.shutter, self.start) = (frame, shutter, start)
    (self.chunks, self.cycleEnd, self.source) = (chunks, cycleEnd, source)
    (self.sky, self.deviceTime, self.fixAgeSeconds) = (sky, deviceTime, fixAgeSeconds)
    (self.shutterAt, self.surroundings, self.page) = (shutterAt, surroundings, page)
  }
}

/// One capture with one receiver: carries out the decisions of `CaptureSession`.
actor CaptureRun {
  private let follower: ReceiverFollower
  private let clock: any Timepiece
  private let request: CaptureRequest
  private let terms: CaptureTerms
  private let radio: SurroundingsListener?
  private let progress: @Sendable (CaptureSession.Step) -> Void
  private var session: CaptureSession
  private var result: Result<Exposure, any Error>?
  private var waiter: CheckedContinuation<Exposure, any Error>?
  private var isBroken = false

  init(
    follower: ReceiverFollower, clock: any Timepiece, request: CaptureRequest,
    terms: CaptureTerms, radio: (any RadioListening)?,
    progress: @escaping @Sendable (CaptureSession.Step) -> Void
  ) {
    self.follower = follower
    self.clock = clock
    self.request = request
    self.terms = terms
    self.radio = radio.map(SurroundingsListener.init(radio:))
    self.progress = progress
    session = CaptureSession(
      gate: terms.gate, sampler: terms.sampler, countdownSeconds: terms.countdownSeconds,
      waitSeconds: request.waitSeconds)
  }

  /// Waits for the shutter. The caller has to run the receiver's follower meanwhile.
  /// - Throws: `FieldUnitError`, `CancellationError`.
  func exposure() async throws -> Exposure {
    let sampler = terms.sampler ?? SamplerPolicy()
    let (gate, taken) = (await follower.gatePolicy, await follower.samplerPolicy)
    if !request.keepsSamples || gate != terms.gate || taken != sampler {
      await follower.beginSamples(sampler, gate: terms.gate)
    }
    let listener = await follower.listen { event in await self.take(event) }
    // A replay has no time of its own to wait for; a live receiver that never says anything is
    // given up by the machine's clock.
    let deadline = Task {
      try await clock.sleep(until: clock.elapsed.advanced(bySeconds: request.waitSeconds + 1))
      while true {
        giveUpIfWaiting()
        try await clock.sleep(until: clock.elapsed.advanced(bySeconds: 1))
      }
    }
    defer { deadline.cancel() }
    do {
      let exposure = try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { waiter in
          if let result { waiter.resume(with: result) } else { self.waiter = waiter }
        }
      } onCancel: {
        Task { await self.end(.failure(CancellationError())) }
      }
      await follower.stopListening(listener)
      return exposure
    } catch {
      await follower.stopListening(listener)
      throw error
    }
  }

  /// Ends the capture, because the receiver will say nothing more.
  func receiverEnded() {
    end(.failure(refusal(session.reasons, otherwise: "the log ended too early")))
  }

  private var isExposing = false

  private func giveUpIfWaiting() {
    guard !isExposing, result == nil, let last = lastEventAt,
      clock.elapsed.seconds(since: last) > 2
    else {
      if lastEventAt == nil, !isExposing { end(.failure(refusal([.noFix]))) }
      return
    }
    end(.failure(refusal(session.reasons)))
  }

  private var lastEventAt: ElapsedTime?
  private var wasStill = false
  private var isCounting = false
  private var samples = 0

  private func take(_ event: FollowerEvent) async {
    guard result == nil, !isHeld else { return }
    let step: CaptureSession.Step
    switch event {
    case .state(.ended):
      if !isExposing { receiverEnded() }
      return
    case .positioning(.fix(let judged)):
      lastEventAt = clock.elapsed
      samples = judged.samples
      if !session.isJudgedByItsRules(judged) {
        // Another page has asked for its own rules: from the next epoch on, this photo's rules hold
        // again.
        await follower.beginSamples(terms.sampler ?? SamplerPolicy(), gate: terms.gate)
      }
      step = session.accept(judged)
      let isStill = judged.verdict.state == .still
      if isStill, !wasStill { await radio?.lookAround() }
      wasStill = isStill
    case .positioning(.silence(let verdict)):
      step = session.accept(silence: verdict)
      wasStill = false
    case .changed(let source):
      // A change ends the capture even while the camera works, because the proof came from another
      // receiver.
      isBroken = true
      end(.failure(Self.changed(to: source)))
      return
    default: return
    }
    if case .shutter(let judged) = step, case .page(let source) = request.camera {
      // Before any page learns of it.
      source.ask(fixAgeSeconds: clock.elapsed.seconds(since: judged.arrival))
    }
    progress(step)
    if case .countdown = step, !isCounting {
      // Taking samples can last minutes: so Wi-Fi looks around once more just before the shutter.
      await radio?.lookAround()
      isCounting = true
    }
    switch step {
    case .shutter(let judged): await expose(judged)
    case .held:
      isHeld = true
      if let waiting { end(.success(waiting)) }
    case .rejected(let reasons):
      isBroken = true
      end(
        .failure(
          refusal(
            reasons, otherwise: "the camera was opened for another photo meanwhile: begin again")))
    case .gaveUp(let reasons):
      end(.failure(refusal(reasons, otherwise: tooFewSamples)))
    default: break
    }
  }

  private func expose(_ judged: JudgedFix) async {
    isExposing = true
    guard let start = terms.sampler == nil ? judged.window : judged.sampling else {
      end(.failure(FieldUnitError.rawWindowGone))
      return
    }
    // The proof is the bytes that had arrived when the shutter fell; the times below are of the
    // same moment.
    guard let proof = await follower.proof(from: start) else {
      end(.failure(FieldUnitError.rawWindowGone))
      return
    }
    let deviceTime = clock.deviceTime
    let shutterAt = clock.elapsed
    let surroundings = radio.map { radio in Task { await radio.atShutter() } }
    let age = clock.elapsed.seconds(since: judged.arrival)
    let camera = request.camera
    let frame = Task { try await camera.expose() }
    frameTask = frame
    let finish = Task {
      do {
        let bytes = try await frame.value
        var page: HandedFrame?
        if case .page(let source) = camera { page = source.given }
        self.frameIsIn(
          Exposure(
            frame: bytes, shutter: judged, start: start, chunks: proof.chunks,
            cycleEnd: proof.cycleEnd, source: proof.source, sky: proof.sky, deviceTime: deviceTime,
            fixAgeSeconds: age, shutterAt: shutterAt, surroundings: surroundings, page: page))
      } catch {
        self.end(.failure(error))
      }
    }
    let made = Task {
      if case .page(let source) = camera { await source.made() } else { _ = try? await frame.value }
      self.frameIsMade()
    }
    // A replay stands still while the camera works; a live receiver goes on, and must stay still.
    if clock is ReplayClock {
      await made.value
      await finish.value
    }
  }

  /// The exposure whose frame is in, until the next fix says that the gate has held until it was made;
  /// nil before.
  private var waiting: Exposure?
  /// True once that fix has come.
  private var isHeld = false
  private var frameTask: Task<[UInt8], any Error>?

  private func frameIsIn(_ exposure: Exposure) {
    guard !isBroken else { return }
    waiting = exposure
    if isHeld { end(.success(exposure)) }
  }

  private func frameIsMade() {
    guard !isBroken, result == nil else { return }
    session.frameIsIn()
    // A replay has stood still meanwhile.
    if clock is ReplayClock {
      isHeld = true
      progress(.held)
      if let waiting { end(.success(waiting)) }
    }
  }

  private func end(_ new: Result<Exposure, any Error>) {
    guard result == nil else { return }
    result = new
    // A camera that is still at work would be of no use, and in the way of the next capture.
    if case .failure = new { frameTask?.cancel() }
    waiter?.resume(with: new)
    waiter = nil
  }

  private var tooFewSamples: Wording {
    "only \(samples) of \(terms.sampler?.samples ?? 0) samples in \(decimal: request.waitSeconds, places: 0) s"
  }

  private static func changed(to source: ReceiverSource) -> FieldUnitError {
    .captureRefused([
      GateRefusal(
        code: "receiver-changed", wording: "the receiver was changed to \(source): begin again")
    ])
  }

  private func refusal(
    _ reasons: [GateReason], otherwise: Wording = "no fix"
  ) -> FieldUnitError {
    let refusals = reasons.map { GateRefusal(code: $0.code, wording: $0.wording) }
    return .captureRefused(
      refusals.isEmpty ? [GateRefusal(code: "samples", wording: otherwise)] : refusals)
  }
}
