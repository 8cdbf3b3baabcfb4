import Evidence
import Foundation
import Geodesy
import Imagery
import Inspection
import Positioning
import Receivers
import Store
import Sync
import TimeAndText

extension InspectorUnit {
  /// Returns the rules under which a photo would be taken now.
  ///
  /// - Throws: `StoreError.unknown` if there is no such task; `InspectionError.policyForbids` for a
  ///   photo without a task, or a way of taking it, that the agency does not allow.
  /// - Parameter isCameraOpen: true if the way of taking the picture is not chosen yet: then every way
  ///   passes.
  public func terms(
    for request: CaptureRequest, isCameraOpen: Bool = false
  ) throws -> CaptureTerms {
    try store.read(as: person) { session in
      let policy = try Self.policy(session)
      let rules = try Self.rules(policy, for: request.task, in: session)
      let forbidding = rules.forbidding(
        withoutTask: request.task == nil, way: isCameraOpen ? nil : request.camera.way)
      if let rule = forbidding.first {
        throw InspectionError.policyForbids(rule)
      }
      return CaptureTerms(
        policy, rules, on: configuration, own: try Self.settings(session).ownRules,
        sampling: request.sampling,
        countdownSeconds: request.countdownSeconds)
    }
  }

  /// Returns the agency's rules for a task's type, or for photos and tracks without a task.
  public func rules(for task: Identifier?) throws -> CaptureRules {
    try store.read(as: person) { try Self.rules(try Self.policy($0), for: task, in: $0) }
  }

  /// Returns the contents that a task must have before it is sent, by the agency's rules and by its
  /// own order.
  public func requirements(of task: Identifier) throws -> TaskRequirements {
    try store.read(as: person) { session in
      try Self.rules(try Self.policy(session), for: task, in: session)
        .requirements(of: session.tasks.task(task))
    }
  }

  /// Returns the things that a task holds, as they are counted before it is sent.
  public func contents(of task: Identifier) throws -> TaskContents {
    try store.read(as: person) { try $0.contents(of: $0.tasks.task(task)) }
  }

  package static func rules(
    _ policy: SignedPolicy?, for task: Identifier?, in session: FieldSession
  ) throws -> CaptureRules {
    let type = try task.flatMap { try session.tasks.task($0).type }
    return policy?.policy.rules(forType: type) ?? CaptureRules()
  }

  /// Takes a photo: waits for gate and samples, counts down, exposes, seals, and makes it durable.
  /// The photo is captured only when this returns.
  ///
  /// - Parameters:
  ///   - follower: the receiver; the caller has to run it meanwhile.
  ///   - progress: called with each step, for the page or the terminal.
  /// - Throws: `FieldUnitError.captureRefused` with the reasons; other errors of the camera, the
  ///   disk or the rules.
  public func capture(
    _ request: CaptureRequest, with follower: ReceiverFollower,
    progress: @escaping @Sendable (CaptureSession.Step) -> Void = { _ in }
  ) async throws -> Photo {
    // A refusal that is certain from the start should not come after a minute of standing still.
    try requireEditable(request.task)
    let item = try wantedShot(request)
    let terms = try terms(for: request)
    try terms.rules.require(follower.source)
    if case .imported(let path) = request.camera { _ = try AcceptedFrame(Camera.read(path)) }
    // A log was recorded at another place and time than the radio surroundings of here and now.
    let listens = terms.rules.flag(.surroundings) && !follower.source.isReplay
    let run = CaptureRun(
      follower: follower, clock: clock, request: request, terms: terms,
      radio: listens ? radio : nil,
      progress: progress)
    let exposure = try await run.exposure()
    // The picture is checked while the radio answers.
    let frame = try AcceptedFrame(exposure.frame)
    let comparison = await request.repeats?.compare(exposure.frame)
    let surroundings = await exposure.surroundings?.value
    // Closing the camera keeps nothing, even while the radio is waited for.
    try Task.checkCancellation()
    // The first photo of a New task opens it, as pressing *Open* does.
    if let id = request.task, try task(id).state == .new { try openTask(id) }
    return try seal(
      exposure, frame, request, terms, item: item, surroundings: surroundings,
      comparison: comparison)
  }

  /// Returns the agency's policy in force on this device; nil if none was fetched from the office
  /// at which the inspector is signed in.
  public func policy() throws -> SignedPolicy? {
    try store.read(as: person) { try Self.policy($0) }
  }

  package static func policy(_ session: FieldSession) throws -> SignedPolicy? {
    guard let policy = try session.settings.policy(), let signIn = try session.signIns.own(),
      policy.isSigned(under: try EvidenceCertificate(pem: signIn.authority))
    else { return nil }
    return policy
  }

  package var radio: any RadioListening { configuration.radio ?? MachineRadio(clock: clock) }

  /// Returns the item that a photo is asked for; nil for none.
  /// - Throws: `InspectionError.item` if the order has no such item, or if it takes no photo now.
  private func wantedShot(_ request: CaptureRequest) throws -> OrderItem? {
    guard let name = request.item, let task = request.task else { return nil }
    return try store.read(as: person) {
      try TaskItems(ofTask: task, $0).shot(named: name)
    }
  }

  private func requireEditable(_ id: Identifier?) throws {
    guard let id else { return }
    let task = try store.read(as: person) { try $0.tasks.task(id) }
    guard task.state.isEditable else { throw InspectionError.taskLocked(task.state) }
  }

  package func seal(
    _ exposure: Exposure, _ frame: AcceptedFrame, _ request: CaptureRequest,
    _ terms: CaptureTerms, item: OrderItem? = nil, surroundings: RadioSurroundings?,
    comparison: PictureComparison? = nil
  ) throws -> Photo {
    let source = exposure.source
    let (frameDigest, picture) = (frame.digest, frame.picture)
    let place = try exposure.place(terms)
    let position = place.position
    let isSimulated =
      source.isReplay || configuration.isDemonstration || exposure.shutter.fix.isSimulated
    let context = context(source: "\(source)", isSimulated: isSimulated)
    let raw = try exposure.rawWindow(receiver: context.receiver, terms).fileBytes()
    var origin = PhotoOrigin.camera
    if case .imported = request.camera { origin = .imported }
    let photo = Photo(
      id: Identifier(at: exposure.deviceTime), agency: person.agency, inspector: person.login,
      task: request.task, item: item?.name, origin: origin, gnssTime: exposure.shutter.fix.time,
      deviceTime: exposure.deviceTime, position: position, standpoint: place.standpoint,
      orientation: orientation(exposure, request.aim, at: position),
      camera: exposure.camera(of: picture), fileDigest: frameDigest, bytes: exposure.frame.count,
      widthPixels: picture.widthPixels, heightPixels: picture.heightPixels,
      isSimulated: isSimulated)
    let bare = place.atAntenna(photo)
    let repetition = request.repeats?.claims(of: bare, comparison)
    let embedding = try PhotoEmbedding(
      frame: exposure.frame, source: request.camera.source, certificate: try certificate())
    let kept = try sealer.seal(as: person, with: key) { session in
      let task = try Self.editableTask(request.task, in: session)
      try Self.requireMet(repetition, for: task)
      try Self.requireMet(item, by: bare)
      // The agency may have turned the radio surroundings off since the gate opened.
      let now = try Self.rules(try Self.policy(session), for: request.task, in: session)
      let claims = CaptureClaims(
        photo: photo, frameDigest: frameDigest, frameBytes: exposure.frame.count,
        imageDigest: embedding.imageDigest, shutter: exposure.shutter, gate: terms.gate,
        sampler: terms.sampler, task: task.map(TaskReference.init),
        fixAgeSeconds: exposure.fixAgeSeconds, sky: exposure.sky, embedded: embedding.claims,
        surroundings: now.flag(.surroundings)
          ? surroundings.map { ($0, exposure.shutterAt) } : nil,
        policy: terms.policy, making: exposure.page?.making, repetition: repetition,
        frame: exposure.frameClaims(request.camera))
      let record = Record.capture(claims, in: context)
      let file = try embedding.file(
        record: record, parcel: task?.parcel, position: position, key: key)
      var stored = photo
      stored.fileDigest = Digest.hexadecimal(file)
      stored.bytes = file.count
      let sealing = Sealer.Sealing(
        shelf: .photos, kind: .capture, id: photo.id, record: record, file: file, raw: raw)
      return (sealing, stored)
    } after: { session, photo in
      try session.photos.insert(photo)
      if let repetition { try session.points.keep(repetition, ofPhoto: photo.id) }
      try Self.queueAhead(photo, at: exposure.deviceTime, in: session)
    }
    sealedPhotos.ring(kept.id)
    return kept
  }

  /// Requires that a repeat meets place and attitude, where its task makes them conditions. An
  /// attitude that no sensor tells is no fault.
  /// - Throws: `FieldUnitError.captureRefused` with the numbers.
  private static func requireMet(_ claims: RepeatClaims?, for task: InspectionTask?) throws {
    guard let claims, let wish = task?.repeats, wish.isStrict, wish.points.contains(claims.point)
    else { return }
    var reasons: [GateRefusal] = []
    if !claims.isPlaceMet {
      reasons.append(
        GateRefusal(
          code: "repeat-place",
          wording:
            "the camera stood \(decimal: claims.distanceMetres, places: 1) m from the earlier place, and the task allows \(decimal: claims.toleranceMetres, places: 1) m: go nearer"
        ))
    }
    if claims.isAttitudeMet == false {
      reasons.append(
        GateRefusal(
          code: "repeat-attitude",
          wording:
            "the camera was turned \(decimal: claims.angleDegrees ?? 0, places: 1)° from the earlier view, and the task allows \(decimal: RepeatTolerance.usualDegrees, places: 0)°: turn it as the camera page says"
        ))
    }
    if !reasons.isEmpty { throw FieldUnitError.captureRefused(reasons) }
  }

  /// Requires that a photo meets the place and the direction that an item makes conditions.
  /// - Throws: `FieldUnitError.captureRefused` with the numbers.
  private static func requireMet(_ item: OrderItem?, by photo: Photo) throws {
    guard let shot = item?.shot, shot.isStrict else { return }
    let misses = shot.misses(photo)
    guard misses.isEmpty else {
      throw FieldUnitError.captureRefused(
        misses.map { GateRefusal(code: $0.code, wording: $0.wording) })
    }
  }

  /// Returns the task of a photo in its present state; nil for a photo without a task.
  /// - Throws: `InspectionError.taskLocked`.
  package static func editableTask(
    _ id: Identifier?, in session: FieldSession
  ) throws -> InspectionTask? {
    guard let id else { return nil }
    let task = try session.tasks.task(id)
    guard task.state.isEditable else { throw InspectionError.taskLocked(task.state) }
    return task
  }

  /// Puts a task's photo into the outbox at once if the agency wants photos before their task is sent.
  private static func queueAhead(
    _ photo: Photo, at now: DeviceTime, in session: FieldSession
  ) throws {
    let rules = try Self.rules(try Self.policy(session), for: photo.task, in: session)
    if photo.task != nil, rules.flag(.deliverAhead) {
      try session.photos.markSent(photo.id, at: now)
      try session.outbox.insert(OutboxEntry(photo, queued: now, ahead: true))
    }
  }

  /// Returns the certificate of this device's key by the office at which the inspector is signed
  /// in; nil before the first sign-in.
  package func certificate() throws -> EvidenceCertificate? {
    guard let signIn = try store.read(as: person, { try $0.signIns.own() }) else { return nil }
    let authority = try EvidenceCertificate(pem: signIn.authority)
    let path = folder.certificate(ofKey: key.publicKey.thumbprint, authority: authority)
    guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
    return try EvidenceCertificate.all(pem: String(decoding: bytes, as: UTF8.self)).first {
      $0.publicKey == key.publicKey
    }
  }
}

extension Exposure {
  /// The place of an exposure: where the antenna was, and the same for the lens.
  fileprivate struct Place {
    /// The standpoint; nil for the position of a single fix.
    var standpoint: Standpoint?
    /// The antenna's position.
    var antenna: PhotoPosition
    /// The position with the distance of the lens in its uncertainty.
    var position: PhotoPosition

    /// Returns the photo as if its lens had been at the antenna: a lens away from it makes no condition
    /// easier to meet.
    func atAntenna(_ photo: Photo) -> Photo {
      var bare = photo
      bare.position = antenna
      return bare
    }
  }

  /// Returns the place of the exposure.
  /// - Throws: `FieldUnitError.rawWindowGone` without a position; `captureRefused` if the distance of the
  ///   lens makes it less certain than the gate allows.
  fileprivate func place(_ terms: CaptureTerms) throws -> Place {
    let standpoint = terms.sampler == nil ? nil : shutter.standpoint
    guard
      let antenna = PhotoPosition(
        asked: terms.sampler, standpoint: standpoint, fix: shutter.fix)
    else { throw FieldUnitError.rawWindowGone }
    let lens = page?.lens ?? .none
    let position = antenna.widened(by: lens)
    let most = terms.gate.maximumUncertaintyMetres95
    if lens != .none, let uncertainty = position.uncertaintyMetres95, uncertainty > most {
      throw FieldUnitError.captureRefused([
        GateRefusal(
          code: "lens",
          wording:
            "with the distance to the lens the position is ± \(decimal: uncertainty, places: 1) m, and \(decimal: most, places: 1) m are allowed: hold the phone at the antenna, and set the distance on the page Phones"
        )
      ])
    }
    return Place(standpoint: standpoint, antenna: antenna, position: position)
  }

  /// Returns the raw window that proves the place.
  /// - Parameter receiver: the receiver's name; nil if it is not known.
  fileprivate func rawWindow(receiver: String?, _ terms: CaptureTerms) -> RawWindow {
    RawWindow(
      source: "\(source)", receiver: receiver, from: start.from, firstSample: start.firstStill,
      shutter: shutter.fix.time, cycleEnd: cycleEnd, gate: terms.gate, sampler: terms.sampler,
      chunks: chunks)
  }

  /// Returns the claims about a frame that a page took; nil for another camera's.
  fileprivate func frameClaims(_ camera: Camera) -> FrameClaims? {
    guard case .page(let source) = camera, let page, let timing = page.timing else { return nil }
    return FrameClaims(
      timing: timing, limitSeconds: source.delaySeconds, phone: page.phone, lens: page.lens)
  }

  /// Returns the assumed geometry of the camera, with what the page said about its direction.
  fileprivate func camera(of picture: JPEGPicture) -> CameraGeometry {
    var camera = CameraGeometry.assumed(
      widthPixels: picture.widthPixels, heightPixels: picture.heightPixels)
    if let page { camera.looksTowardsPerson = page.looksTowardsPerson }
    return camera
  }
}

/// A frame that is a picture: its digest is taken first, then it is decoded as a check.
package struct AcceptedFrame {
  /// The SHA-256 of the frame's bytes.
  package let digest: String
  /// The picture's properties, read from the JPEG.
  package let picture: JPEGPicture

  /// Creates a frame from a JPEG's bytes.
  /// - Throws: `FieldUnitError.picture` if the frame cannot be decoded to its end.
  package init(_ frame: [UInt8]) throws {
    digest = Digest.hexadecimal(frame)
    do {
      picture = try JPEGPicture.inspect(frame)
      try JPEGPicture.verifyDecodes(frame)
    } catch {
      throw FieldUnitError.picture("\(error)")
    }
    guard CompositeReading(frame) == nil else {
      throw FieldUnitError.picture("it is a composite of two photos, not a photograph")
    }
  }
}
