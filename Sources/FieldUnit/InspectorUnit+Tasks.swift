import Evidence
import Foundation
import Imports
import Inspection
import Positioning
import Store
import Sync

extension InspectorUnit {
  /// The person's tasks, in one state or in all.
  public func tasks(in state: TaskState? = nil) throws -> [InspectionTask] {
    try store.read(as: person) { try $0.tasks(in: state) }
  }

  /// One task.
  public func task(_ id: Identifier) throws -> InspectionTask {
    try store.read(as: person) { try $0.task(id) }
  }

  /// The orders that the office has replaced, the oldest first.
  public func earlierOrders(of id: Identifier) throws -> [EarlierOrder] {
    try store.read(as: person) { try $0.earlierOrders(of: id) }
  }

  /// What the same inspector has done with it on other devices.
  public func transitionsElsewhere(of id: Identifier) throws -> [TaskTransition] {
    try store.read(as: person) { try $0.transitionsElsewhere(of: id) }
  }

  /// Takes tasks over from a GeoJSON file: all of them, or none.
  /// - Throws: `TaskFileError`, `FieldUnitError.unreadable`.
  public func importTasks(fromFile path: String) throws -> [InspectionTask] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw FieldUnitError.unreadable(
        path: path,
        reason: FileManager.default.fileExists(atPath: path)
          ? "its rights do not allow it, or it is a folder" : "there is no such file")
    }
    return try importTasks(try TaskFile.orders(from: data))
  }

  /// Takes orders over as New tasks of this person. Orders for somebody else are passed over.
  public func importTasks(_ orders: [TaskOrder]) throws -> [InspectionTask] {
    let now = clock.deviceTime
    let tasks = orders.filter { $0.inspector == nil || $0.inspector == person.login }.map {
      InspectionTask(
        id: Identifier(at: now), agency: person.agency, inspector: person.login, name: $0.name,
        type: $0.type, instructions: $0.instructions, created: now, due: $0.due,
        parcel: $0.parcel)
    }
    try store.write(as: person) { session in
      for task in tasks { try session.insert(task) }
    }
    return tasks
  }

  /// Opens a New task. One that is open already stays as it is.
  @discardableResult
  public func openTask(_ id: Identifier) throws -> InspectionTask {
    let task = try task(id)
    if task.state == .open || task.state == .returned { return task }
    return try perform(.open, on: id)
  }

  /// Sends a task: it becomes DataProvided, is locked, and waits in the outbox.
  @discardableResult
  public func provideTask(_ id: Identifier) throws -> InspectionTask {
    try perform(.provide, on: id) { session, task, time, provided in
      for photo in try session.photos(.task(id)) {
        if photo.sent != nil { continue }
        try session.markSent(photo: photo.id, at: time)
        try session.insert(OutboxEntry(photo, queued: time))
      }
      for track in try session.tracks(.task(id)) {
        guard track.ended != nil else {
          throw FieldUnitError.trackNotFinished(track.id.description)
        }
        if track.sent != nil { continue }
        try session.markSent(track: track.id, at: time)
        try session.insert(try session.entry(for: track, queued: time))
      }
      try session.insertNotes(onTask: id, queued: time)
      try session.insert(
        OutboxEntry(
          id: task.id, kind: .task, task: task.id, digest: provided.record, bytes: provided.bytes,
          queued: time))
    }
  }

  /// Takes a sent task back, as long as its batch has not begun.
  @discardableResult
  public func takeBackTask(_ id: Identifier) throws -> InspectionTask {
    try perform(.takeBack, on: id) { session, _, _, _ in
      // What was delivered ahead, or is on its way so, is not taken back with its task.
      for entry in try session.outbox() where entry.whole == id && !entry.hasBegun {
        switch entry.kind {
        case .photo: try session.markSent(photo: entry.id, at: nil)
        case .track: try session.markSent(track: entry.id, at: nil)
        case .task, .note: break
        }
      }
      try session.removeFromOutbox(whole: id)
    }
  }

  /// Writes the inspector's note on a task.
  public func noteTask(_ id: Identifier, _ text: String) throws {
    try NoteRule.require(text)
    let time = clock.deviceTime
    let noteID = Identifier(at: time)
    try sealer.seal(as: person, with: key) { session in
      let task = try session.task(id)
      guard task.state.isEditable else { throw InspectionError.taskLocked(task.state) }
      let record = Record.note(
        id: noteID, task: id, photo: nil, text: text, at: time, in: context())
      return (Sealer.Sealing(shelf: .records, kind: .note, id: noteID, record: record), ())
    } after: { session, _ in
      try session.setNote(text, of: id)
    }
  }

  /// Brings a task one step on. State, history, seal and what `also` changes are one transaction.
  private func perform(
    _ action: TaskAction, on id: Identifier,
    also: (
      FieldSession, InspectionTask, DeviceTime, _ sealed: (record: String, bytes: Int)
    ) throws -> Void = { _, _, _, _ in }
  ) throws -> InspectionTask {
    let time = clock.deviceTime
    let transitionID = Identifier(at: time)
    let (_, task, _) = try sealer.seal(as: person, with: key) { session in
      var task = try session.task(id)
      let rules = try Self.rules(try Self.policy(session), for: id, in: session)
      let transition = try task.perform(
        action, by: person, id: transitionID, at: time,
        photos: try session.photos(.task(id)).count,
        tracks: try session.tracks(.task(id)).count { $0.ended != nil },
        requirements: rules.requirements,
        // What was provided and waits no more was delivered.
        batchBegun: try session.outbox().first { $0.id == id }?.hasBegun ?? true)
      let record = Record.transition(transition, task: task, in: context())
      let sealing = Sealer.Sealing(
        shelf: .records, kind: .transition, id: transitionID, record: record)
      return (sealing, (transition, task, record.canonicalBytes))
    } after: { session, result in
      try session.save(result.0, of: result.1)
      try also(session, result.1, time, (Digest.hexadecimal(result.2), result.2.count))
    }
    return task
  }
}

extension OutboxEntry {
  /// A photo that is sent; it goes with its task, or alone.
  init(_ photo: Photo, queued time: DeviceTime, ahead: Bool = false) {
    self.init(
      id: photo.id, kind: .photo, task: photo.task, whole: ahead ? photo.id : nil,
      digest: photo.fileDigest, bytes: photo.bytes, queued: time)
  }
}

extension FieldSession {
  /// A track that is sent; it goes with its task, or alone.
  package func entry(for track: Track, queued time: DeviceTime) throws -> OutboxEntry {
    OutboxEntry(
      id: track.id, kind: .track, task: track.task, digest: try fileDigest(of: track.id),
      bytes: try fileBytes(ofTrack: track.id), queued: time)
  }

  /// The notes on a task, which go with it.
  func insertNotes(onTask task: Identifier, queued time: DeviceTime) throws {
    for note in try undeliveredNotes(onTask: task, photo: nil) {
      try insert(
        OutboxEntry(
          id: note.id, kind: .note, task: task, digest: note.digest, bytes: note.bytes, queued: time
        ))
    }
  }

  /// The notes on a photo, which go with it.
  func insertNotes(onPhoto photo: Photo, queued time: DeviceTime) throws {
    for note in try undeliveredNotes(onTask: nil, photo: photo.id) {
      try insert(
        OutboxEntry(
          id: note.id, kind: .note, task: photo.task, whole: photo.id, digest: note.digest,
          bytes: note.bytes, queued: time))
    }
  }
}
