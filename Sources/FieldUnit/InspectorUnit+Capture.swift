import Evidence
import Foundation
import Geodesy
import Imagery
import Inspection
import Positioning
import Receivers
import Store
import Sync

extension InspectorUnit {
  /// Takes a photo: waits for gate and samples, counts down, exposes, seals, and makes it durable.
  /// Only when this returns is the photo captured.
  ///
  /// - Parameters:
  ///   - follower: the receiver; somebody has to run it meanwhile.
  ///   - progress: what happens on the way, for the page or the terminal.
  /// - Throws: `FieldUnitError.captureRefused` with the reasons; what else can fail.
  public func capture(
    _ request: CaptureRequest, with follower: ReceiverFollower,
    progress: @escaping @Sendable (CaptureSession.Step) -> Void = { _ in }
  ) async throws -> Photo {
    // What can be said at once is not said after a minute of standing still.
    try requireEditable(request.task)
    let terms = try terms(for: request)
    if case .imported(let path) = request.camera { _ = try AcceptedFrame(Camera.read(path)) }
    // A log tells of another place and time than what transmits here and now.
    let listens = terms.rules.flag(.surroundings) && !follower.source.isReplay
    let run = CaptureRun(
      follower: follower, clock: clock, request: request, terms: terms,
      radio: listens ? radio : nil,
      progress: progress)
    let exposure = try await run.exposure()
    // The picture is looked at while the radio answers.
    let frame = try AcceptedFrame(exposure.frame)
    let surroundings = await exposure.surroundings?.value
    // Close keeps nothing, also while the radio is waited for.
    try Task.checkCancellation()
    return try seal(exposure, frame, request, terms, surroundings: surroundings)
  }

  /// The agency's policy in force on this device; nil where none was fetched from the office that one is
  /// signed in at.
  public func policy() throws -> SignedPolicy? {
    try store.read(as: person) { try Self.policy($0) }
  }

  package static func policy(_ session: FieldSession) throws -> SignedPolicy? {
    guard let policy = try session.policy(), let signIn = try session.signIn(),
      policy.isSigned(under: try EvidenceCertificate(pem: signIn.authority))
    else { return nil }
    return policy
  }

  package var radio: any RadioListening { configuration.radio ?? MachineRadio(clock: clock) }

  private func requireEditable(_ id: Identifier?) throws {
    guard let id else { return }
    let task = try store.read(as: person) { try $0.task(id) }
    guard task.state.isEditable else { throw InspectionError.taskLocked(task.state) }
  }

  package func seal(
    _ exposure: Exposure, _ frame: AcceptedFrame, _ request: CaptureRequest,
    _ terms: CaptureTerms, surroundings: RadioSurroundings?
  ) throws -> Photo {
    let source = exposure.source
    let (frameDigest, picture) = (frame.digest, frame.picture)
    let standpoint = terms.sampler == nil ? nil : exposure.shutter.standpoint
    guard
      let position = PhotoPosition(
        asked: terms.sampler, standpoint: standpoint, fix: exposure.shutter.fix)
    else { throw FieldUnitError.rawWindowGone }
    let isSimulated =
      source.isReplay || configuration.isDemonstration || exposure.shutter.fix.isSimulated
    let context = context(source: "\(source)", isSimulated: isSimulated)
    let window = RawWindow(
      source: "\(source)", receiver: context.receiver, from: exposure.start.from,
      firstSample: exposure.start.firstStill, shutter: exposure.shutter.fix.time,
      cycleEnd: exposure.cycleEnd, gate: terms.gate, sampler: terms.sampler,
      chunks: exposure.chunks)
    let raw = try window.fileBytes()
    var origin = PhotoOrigin.camera
    if case .imported = request.camera { origin = .imported }
    var camera = CameraGeometry.assumed(
      widthPixels: picture.widthPixels, heightPixels: picture.heightPixels)
    if let page = exposure.page { camera.looksTowardsPerson = page.looksTowardsPerson }
    let photo = Photo(
      id: Identifier(at: exposure.deviceTime), agency: person.agency, inspector: person.login,
      task: request.task, origin: origin, gnssTime: exposure.shutter.fix.time,
      deviceTime: exposure.deviceTime, position: position, standpoint: standpoint,
      orientation: orientation(exposure, request.aim, at: position), camera: camera,
      fileDigest: frameDigest, bytes: exposure.frame.count, widthPixels: picture.widthPixels,
      heightPixels: picture.heightPixels, isSimulated: isSimulated)
    let embedding = try PhotoEmbedding(
      frame: exposure.frame, source: request.camera.source, certificate: try certificate())
    let kept = try sealer.seal(as: person, with: key) { session in
      var reference: TaskReference?
      var parcel: Parcel?
      if let id = request.task {
        let task = try session.task(id)
        guard task.state.isEditable else { throw InspectionError.taskLocked(task.state) }
        reference = TaskReference(task)
        parcel = task.parcel
      }
      // It may have been turned off since the gate opened.
      let now = try Self.rules(try Self.policy(session), for: request.task, in: session)
      let claims = CaptureClaims(
        photo: photo, frameDigest: frameDigest, frameBytes: exposure.frame.count,
        imageDigest: embedding.imageDigest, shutter: exposure.shutter, gate: terms.gate,
        sampler: terms.sampler, task: reference, fixAgeSeconds: exposure.fixAgeSeconds,
        sky: exposure.sky, embedded: embedding.claims,
        surroundings: now.flag(.surroundings)
          ? surroundings.map { ($0, exposure.shutterAt) } : nil,
        policy: terms.policy, making: exposure.page?.making)
      let record = Record.capture(claims, in: context)
      let file = try embedding.file(
        record: record, parcel: parcel, position: position, key: key)
      var stored = photo
      stored.fileDigest = Digest.hexadecimal(file)
      stored.bytes = file.count
      let sealing = Sealer.Sealing(
        shelf: .photos, kind: .capture, id: photo.id, record: record, file: file, raw: raw)
      return (sealing, stored)
    } after: { session, photo in
      try session.insert(photo)
      // The agency wants photos before their task is sent: then this one is on its way from now on.
      let rules = try Self.rules(try Self.policy(session), for: photo.task, in: session)
      if photo.task != nil, rules.flag(.deliverAhead) {
        let now = exposure.deviceTime
        try session.markSent(photo: photo.id, at: now)
        try session.insert(OutboxEntry(photo, queued: now, ahead: true))
      }
    }
    sealedPhotos.ring(kept.id)
    return kept
  }

  /// What the office that one is signed in at has made of this device's key; nil before the first time.
  package func certificate() throws -> EvidenceCertificate? {
    guard let signIn = try store.read(as: person, { try $0.signIn() }) else { return nil }
    let authority = try EvidenceCertificate(pem: signIn.authority)
    let path = folder.certificate(ofKey: key.publicKey.thumbprint, authority: authority)
    guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
    return try EvidenceCertificate.all(pem: String(decoding: bytes, as: UTF8.self)).first {
      $0.publicKey == key.publicKey
    }
  }
}

/// A frame that is a picture: hashed before anything else touches it, then looked at.
package struct AcceptedFrame {
  /// SHA-256 of its bytes.
  package let digest: String
  /// What it shows of itself.
  package let picture: JPEGPicture

  /// - Throws: `FieldUnitError.picture` for what cannot be decoded to its end.
  init(_ frame: [UInt8]) throws {
    digest = Digest.hexadecimal(frame)
    do {
      picture = try JPEGPicture.inspect(frame)
      try JPEGPicture.verifyDecodes(frame)
    } catch {
      throw FieldUnitError.picture("\(error)")
    }
  }
}
