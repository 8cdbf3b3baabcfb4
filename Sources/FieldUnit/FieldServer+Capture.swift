import Inspection
import Positioning
import Receivers
import Store
import TimeAndText

extension FieldServer {
  /// The progress of a capture that was begun on a page.
  package var captureStatus: CameraDesk.Status { cameraDesk.status }

  /// Makes the receiver's gate and samples follow the rules for the next photo: those of its agency
  /// for its task's type. A capture in progress is left alone.
  /// - Returns: the rules for the photo, or the reason why no photo can be taken.
  /// - Throws: `StoreError` if the rules cannot be read.
  @discardableResult
  package func prepareCamera(
    for task: Identifier?, _ unit: InspectorUnit
  ) async throws -> Result<CaptureTerms, InspectionError> {
    let request = CaptureRequest(task: task, camera: .command([]), waitSeconds: 0)
    let terms: CaptureTerms
    do {
      terms = try unit.terms(for: request, isCameraOpen: true)
      if let follower { try terms.rules.require(follower.source) }
    } catch let refusal as InspectionError {
      return .failure(refusal)
    }
    if case .running = captureStatus { return .success(terms) }
    guard let follower else { return .success(terms) }
    let sampler = terms.sampler ?? SamplerPolicy()
    let (gate, taken) = (await follower.gatePolicy, await follower.samplerPolicy)
    if gate != terms.gate || taken != sampler {
      await follower.beginSamples(sampler, gate: terms.gate)
    }
    return .success(terms)
  }

  /// Returns true if a photo can be taken again in its place; false if that cannot be read.
  private func canRepeat(_ photo: Photo, _ unit: InspectorUnit) -> Bool {
    do {
      return try unit.photo(photo.id).sent == nil
    } catch {
      log.note("photo \(photo.id): \(error)")
      return false
    }
  }

  /// Makes the receiver take samples for a corner of a track as the agency and the inspector want
  /// them. A capture in progress is left alone.
  package func prepareCorners(for task: Identifier?, _ unit: InspectorUnit) async throws {
    let sampler = try unit.cornerSampler(for: task)
    if case .running = captureStatus { return }
    guard let follower, await follower.samplerPolicy != sampler else { return }
    await follower.beginSamples(sampler)
  }

  /// Begins a capture, which then runs by itself; the pages show its progress.
  ///
  /// - Parameter page: the page whose browser takes the picture; nil for the camera's command. A
  ///   page's shutter is available only while the gate is still and the samples are complete.
  /// - Parameter item: the item of the task's order that the photo is for; nil for none.
  /// - Parameter repeats: the photo point that the photo repeats; nil for none.
  /// - Throws: `FieldUnitError` with the obstacle, `captureBusy` while another page takes a photo.
  package func beginCapture(
    for task: Identifier?, aim: CaptureRequest.Aim, page: String? = nil,
    item: String? = nil, repeats: RepeatAim? = nil
  ) async throws {
    guard let follower else {
      throw FieldUnitError.captureRefused([
        GateRefusal(
          code: "no-receiver", wording: "there is no receiver: standpoint field --gnss SOURCE")
      ])
    }
    let ofPage = try page.map { _ in try pageCamera(for: task) }
    guard let camera = ofPage.map(Camera.page) ?? camera, let unit = try unit() else {
      throw FieldUnitError.camera("no camera command was given: standpoint field --camera COMMAND")
    }
    var request = CaptureRequest(task: task, camera: camera, waitSeconds: 180, aim: aim)
    request.aim.mayBeReceivers = true
    request.keepsSamples = page != nil
    request.item = item
    request.repeats = repeats
    let terms = try unit.terms(for: request)
    let wanted = terms.sampler?.samples ?? 0
    let running = CameraDesk.Running(
      task: task, name: try task.map { try unit.task($0).name }, page: page, camera: ofPage)
    if let state = try task.map({ try unit.task($0).state }), !state.isEditable {
      throw InspectionError.taskLocked(state)
    }
    // Pressing again during the page's own capture changes nothing, so it needs no open gate.
    var isRunning = false
    if case .running = cameraDesk.status { isRunning = true }
    if page != nil, !isRunning { try await requireStill(wanted, follower) }
    // The shutter opens a New task: to look through the camera decides nothing.
    if let task, !isRunning { try unit.openTask(task) }
    guard let number = try cameraDesk.begin(running) else { return }
    let run = Task { await self.perform(request, page: page, number, terms, unit, follower) }
    // The camera may have been closed before the desk knew the task that runs.
    if !cameraDesk.update(number, { $0.run = run }) { run.cancel() }
  }

  private func pageCamera(for task: Identifier?) throws -> PageCamera {
    let rules = try unit()?.rules(for: task) ?? CaptureRules()
    return PageCamera(
      limits: cameraDesk.limits, delaySeconds: rules.number(.frameDelaySeconds),
      machine: cameraDesk.machine)
  }

  /// Takes the photo of a capture that was begun, and tells the desk the result.
  /// - Parameter number: the number under which the desk knows the capture.
  private func perform(
    _ request: CaptureRequest, page: String?, _ number: Int, _ terms: CaptureTerms,
    _ unit: InspectorUnit, _ follower: ReceiverFollower
  ) async {
    let desk = cameraDesk
    let (task, wanted) = (request.task, terms.sampler?.samples ?? 0)
    do {
      let photo = try await unit.capture(request, with: follower) { step in
        desk.update(number) { running in running.take(step, wanted: wanted) }
      }
      let canRepeat = canRepeat(photo, unit)
      let isKept = desk.end(
        number,
        .captured(CameraDesk.Captured(photo: photo, page: page, canRepeat: canRepeat)))
      guard isKept else {
        // Closing the camera keeps nothing, even if it happens while the picture is being sealed.
        do {
          try unit.deletePhoto(photo.id, reason: "closed while it was sealed")
        } catch {
          log.note("a photo that nobody waited for stays: \(error)")
        }
        return
      }
      // The next photo has samples of its own.
      await follower.beginSamples(terms.sampler ?? SamplerPolicy(), gate: terms.gate)
    } catch is CancellationError {
      desk.end(number, .none)
    } catch FieldUnitError.captureRefused(let reasons) {
      // The page itself says that there is no photo.
      let words = reasons.map(\.wording).joined(separator: "; ")
      desk.end(number, .refused(task: task, page: page, words: words))
    } catch {
      desk.end(number, .refused(task: task, page: page, words: "\(error)"))
    }
  }

  /// Requires that the gate is still and the samples are complete, as for a page's shutter.
  /// - Throws: `FieldUnitError.captureRefused` with the reasons.
  private func requireStill(_ wanted: Int, _ follower: ReceiverFollower) async throws {
    let judged = await follower.lastFix
    let age = judged.map { clock.elapsed.seconds(since: $0.arrival) } ?? 0
    var reasons = judged?.verdict.reasons ?? [.noFix]
    if age > configuration.gate.maximumAgeSeconds { reasons = [.stale(ageSeconds: age)] }
    guard reasons.isEmpty else {
      throw FieldUnitError.captureRefused(
        reasons.map { GateRefusal(code: $0.code, wording: $0.wording) })
    }
    let samples = judged?.samples ?? 0
    guard samples >= wanted else {
      throw FieldUnitError.captureRefused([
        GateRefusal(code: "samples", wording: "samples \(samples)/\(wanted)")
      ])
    }
  }
}

extension CameraDesk.Running {
  /// Updates the words and the countdown from a step of the capture.
  fileprivate mutating func take(_ step: CaptureSession.Step, wanted: Int) {
    if !isSealing { words = step.words(wanted: wanted) }
    if case .held = step { isSending = true }
    secondsLeft = nil
    switch step {
    case .countdown(let left): secondsLeft = left
    case .shutter, .exposing, .held: isExposing = true
    case .waiting, .rejected, .gaveUp: break
    }
  }
}
