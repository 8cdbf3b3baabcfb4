import Inspection
import Positioning
import Receivers
import Store

extension FieldServer {
  /// How a capture that was begun on a page is getting on.
  package var captureStatus: CameraDesk.Status { cameraDesk.status }

  /// What is looked at before a photo is the gate that will hold for it: its agency's, for its task's
  /// type. A capture in progress is left alone.
  /// - Returns: the rules for the photo; nil where none can be taken.
  @discardableResult
  /// - Throws: `StoreError` where the rules cannot be read.
  package func prepareCamera(
    for task: Identifier?, _ unit: InspectorUnit
  ) async throws -> CaptureTerms? {
    let request = CaptureRequest(task: task, camera: .command([]), waitSeconds: 0)
    let terms: CaptureTerms
    do {
      terms = try unit.terms(for: request)
    } catch let error as StoreError {
      throw error
    } catch {
      return nil
    }
    if case .running = captureStatus { return terms }
    guard let follower else { return terms }
    let sampler = terms.sampler ?? SamplerPolicy()
    let (gate, taken) = (await follower.gatePolicy, await follower.samplerPolicy)
    if gate != terms.gate || taken != sampler {
      await follower.beginSamples(sampler, gate: terms.gate)
    }
    return terms
  }

  /// Whether a photo can be taken again in its place; no where that cannot be read.
  private func canRepeat(_ photo: Photo, _ unit: InspectorUnit) -> Bool {
    do {
      return try unit.photo(photo.id).sent == nil
    } catch {
      log.note("photo \(photo.id): \(error)")
      return false
    }
  }

  /// A corner of a track takes samples as its agency and the inspector want them. A capture in progress is
  /// left alone.
  package func prepareCorners(for task: Identifier?, _ unit: InspectorUnit) async throws {
    let sampler = try unit.cornerSampler(for: task)
    if case .running = captureStatus { return }
    guard let follower, await follower.samplerPolicy != sampler else { return }
    await follower.beginSamples(sampler)
  }

  /// Begins a capture, which goes on by itself; the pages show how it is getting on.
  ///
  /// - Parameter page: the page whose browser takes the picture; nil for the camera's command. A page's
  ///   shutter is available only while the gate is still and the samples are complete.
  /// - Throws: `FieldUnitError` with what stands in the way, `captureBusy` while another page takes one.
  package func beginCapture(
    for task: Identifier?, aim: CaptureRequest.Aim, page: String? = nil
  ) async throws {
    guard let follower else {
      throw FieldUnitError.captureRefused([
        GateRefusal(
          code: "no-receiver", wording: "there is no receiver: standpoint field --gnss SOURCE")
      ])
    }
    let pageCamera = page.map { _ in PageCamera(patienceSeconds: cameraDesk.limits.patienceSeconds)
    }
    guard let camera = pageCamera.map(Camera.page) ?? camera, let unit = try unit() else {
      throw FieldUnitError.camera("no camera command was given: standpoint field --camera COMMAND")
    }
    var request = CaptureRequest(task: task, camera: camera, waitSeconds: 180, aim: aim)
    request.aim.mayBeReceivers = true
    request.keepsSamples = page != nil
    let terms = try unit.terms(for: request)
    let wanted = terms.sampler?.samples ?? 0
    let running = CameraDesk.Running(
      task: task, name: try task.map { try unit.task($0).name }, page: page, camera: pageCamera)
    if let task, try !unit.task(task).state.takesPhotos {
      throw InspectionError.taskLocked(try unit.task(task).state)
    }
    // A press while one's own capture runs changes nothing; what came of the one before does not matter.
    var isRunning = false
    if case .running = cameraDesk.status { isRunning = true }
    if page != nil, !isRunning { try await requireStill(wanted, follower) }
    guard let number = try cameraDesk.begin(running) else { return }
    let desk = cameraDesk
    let run = Task {
      do {
        let photo = try await unit.capture(request, with: follower) { step in
          desk.update(number) { running in running.take(step, wanted: wanted) }
        }
        let canRepeat = self.canRepeat(photo, unit)
        let isKept = desk.end(
          number,
          .captured(CameraDesk.Captured(photo: photo, page: page, canRepeat: canRepeat)))
        guard isKept else {
          // Close keeps nothing, also where it came while the picture was being sealed.
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
        // That there is no photo is said by the page itself.
        let words = reasons.map(\.wording).joined(separator: "; ")
        desk.end(number, .refused(task: task, page: page, words: words))
      } catch {
        desk.end(number, .refused(task: task, page: page, words: "\(error)"))
      }
    }
    // Somebody may have closed it in this very moment.
    if !cameraDesk.update(number, { $0.run = run }) { run.cancel() }
  }

  /// The shutter is available only when the gate is still and the samples are complete.
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
  /// What the capture has come to.
  fileprivate mutating func take(_ step: CaptureSession.Step, wanted: Int) {
    if !isSealing { words = step.words(wanted: wanted) }
    secondsLeft = nil
    switch step {
    case .countdown(let left): secondsLeft = left
    case .shutter, .exposing, .held: isExposing = true
    case .waiting, .rejected, .gaveUp: break
    }
  }
}
