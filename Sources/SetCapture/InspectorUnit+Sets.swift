import Evidence
import FieldUnit
import Foundation
import Imagery
import Inspection
import Store
import Sync
import TimeAndText

extension InspectorUnit {
  /// Returns the person's sets, the oldest first.
  package func sets(_ selection: Selection = .all) throws -> [FrameSetHead] {
    try store.read(as: person) { try $0.sets.list(selection) }
  }

  /// Returns the head of one set.
  /// - Throws: `StoreError` if there is no such set.
  package func setHead(_ id: Identifier) throws -> FrameSetHead {
    try store.read(as: person) { try $0.sets.head(id) }
  }

  /// Returns a set with its frames.
  /// - Throws: `StoreError` if there is no such set; `FieldUnitError.setRemoved` if its bytes have
  ///   left this device.
  package func frameSet(_ id: Identifier) throws -> FrameSet {
    try frameSet(setHead(id))
  }

  /// Returns a set with its frames, of which the head is known.
  /// - Throws: `FieldUnitError.setRemoved` if its bytes have left this device.
  package func frameSet(_ head: FrameSetHead) throws -> FrameSet {
    if head.removed != nil { throw FieldUnitError.setRemoved(head.id) }
    let path = path(ofSet: head)
    let seal = try SealFile(try DurableFile.read(path + ".seal"))
    var set = try seal.frameSet(list: try DurableFile.read(path))
    (set.sent, set.delivered) = (head.sent, head.delivered)
    return set
  }

  /// Returns the SHA-256 of a set's sealed record.
  /// - Throws: `StoreError` if there is no such set.
  package func recordDigest(ofSet id: Identifier) throws -> String {
    try store.read(as: person) { try $0.recordDigest(ofSet: id) }
  }

  /// Returns the path of a frame of a set.
  /// - Parameter number: the frame's number, from 1.
  package func path(ofFrame number: Int, of head: FrameSetHead) -> String {
    folder.part(.frame(number), of: head.id, RecordKind(head.kind))
  }

  /// Returns the path of a set's list of frames; its seal is beside it.
  package func path(ofSet head: FrameSetHead) -> String {
    folder.part(.file, of: head.id, RecordKind(head.kind))
  }

  /// Returns the sets that were interrupted, the oldest first.
  package func openSets() throws -> [OpenSet] {
    try OpenSet.all(of: person, in: folder).filter { open in
      let isSealed = try store.read(as: person) { try $0.device.kind(ofSealed: open.id) } != nil
      // A crash came between the seal and the removal of the folder.
      if isSealed { try open.discard() }
      return !isSealed
    }
  }

  /// Returns one set that was interrupted.
  /// - Throws: `StoreError.unknown` if there is none.
  package func openSet(_ id: Identifier) throws -> OpenSet {
    guard let open = try openSets().first(where: { $0.id == id }) else {
      throw StoreError.unknown(what: "interrupted set", id: id.description)
    }
    return open
  }

  /// Returns the rules under which a set would be taken now: those of a photo.
  func terms(for request: SetRequest) throws -> CaptureTerms {
    if let id = request.task {
      let state = try task(id).state
      guard state.isEditable else { throw InspectionError.taskLocked(state) }
    }
    return try terms(
      for: CaptureRequest(
        task: request.task, camera: .command([]), countdownSeconds: 0,
        waitSeconds: request.waitSeconds), isCameraOpen: true)
  }

  /// Begins a set at its first standpoint: from now on it is on the disk.
  package func openSet(
    _ request: SetRequest, _ start: SealedStand, startRaw: [UInt8], isSimulated: Bool
  ) throws -> OpenSet {
    // The first photo of a New task opens it, and so does a set.
    if let id = request.task, try task(id).state == .new { try openTask(id) }
    return try OpenSet(
      id: Identifier(at: clock.deviceTime), task: request.task, terms: request.terms,
      ring: SectorRing(count: request.terms.sectors), start: start, startRaw: startRaw,
      isSimulated: isSimulated, of: person, in: folder)
  }

  /// Seals an open set, and makes it durable. Its folder is removed after that.
  /// - Parameter frames: its frames in the order of their files.
  package func seal(
    _ open: OpenSet, frames: [SetFrame], end: SealedStand, endRaw: [UInt8], source: String
  ) throws -> FrameSetHead {
    guard let pixels = frames.first else {
      throw FieldUnitError.captureRefused([
        GateRefusal(code: "no-frame", wording: "no picture was good enough to be kept")
      ])
    }
    let set = FrameSet(
      id: open.id, agency: person.agency, inspector: person.login, task: open.task,
      terms: open.terms, ring: open.ring, start: open.start.stand, end: end.stand, frames: frames,
      isSimulated: open.isSimulated)
    let kind = RecordKind(open.terms.kind)
    let list = FrameList.bytes(frames, of: open.id)
    let bytes = list.count + endRaw.count + frames.reduce(0) { $0 + $1.bytes }
    let head = FrameSetHead(set, bytes: bytes)
    let context = context(source: source, isSimulated: open.isSimulated)
    try sealer.seal(as: person, with: key) { session in
      let task = try Self.editableTask(open.task, in: session)
      let claims = FrameSetClaims(
        set: set, start: open.start, end: end,
        camera: CameraGeometry.assumed(
          widthPixels: pixels.widthPixels, heightPixels: pixels.heightPixels),
        task: task.map(TaskReference.init), policy: try Self.policy(session))
      var sealing = Sealer.Sealing(
        shelf: .sets, kind: kind, id: open.id, record: Record.frameSet(claims, in: context),
        file: list)
      sealing.parts = [
        (.startRaw, .stored(open.startRawPath)), (.endRaw, .bytes(endRaw)),
      ]
      for (index, frame) in frames.enumerated() {
        let sector = open.ring.sector(ofDegrees: frame.attitude.angleDegrees)
        sealing.parts.append(
          (.frame(index + 1), .stored(open.path(of: frame, inSector: sector))))
      }
      return (sealing, ())
    } after: { session, _ in
      try session.sets.insert(head)
    }
    try open.discard()
    return head
  }

  /// Puts standalone sets into the outbox. Sets of a task go with their task.
  package func sendSets(_ ids: [Identifier]) throws {
    let time = clock.deviceTime
    try store.write(as: person) { session in
      for id in ids {
        let head = try session.sets.head(id)
        if head.sent != nil { continue }
        guard head.task == nil else { throw SendError.belongsToTask(what: "set", id: id) }
        try session.sets.markSent(id, at: time)
        try session.outbox.insert(try session.entry(for: head, queued: time))
      }
    }
  }

  /// Deletes a set that was not sent: its bytes go, its record stays, and the deletion is sealed.
  package func deleteSet(_ id: Identifier, reason: String) throws {
    try delete(id, reason: reason) { session in
      let head = try session.sets.head(id)
      try head.requireDeletable()
      _ = try Self.editableTask(head.task, in: session)
    } mark: { session, time in
      try session.sets.markDeleted(id, at: time, reason: reason)
    }
    try removeFiles(ofSet: id)
  }
}

extension FieldSession {
  /// Returns the SHA-256 of a set's sealed record.
  /// - Throws: `StoreError` if there is no such set.
  package func recordDigest(ofSet id: Identifier) throws -> String {
    guard let digest = try chain.recordDigest(of: id) else {
      throw StoreError.unknown(what: "set", id: id.description)
    }
    return digest
  }
}
