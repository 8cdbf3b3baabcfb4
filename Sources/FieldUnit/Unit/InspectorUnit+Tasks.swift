import Evidence
import Foundation
import Imports
import Inspection
import Positioning
import Store
import Sync
import TimeAndText

extension InspectorUnit {
  /// Returns the person's tasks in one state, the oldest first, without their history; nil means in all
  /// states.
  public func tasks(in state: TaskState? = nil) throws -> [InspectionTask] {
    try store.read(as: person) { try $0.tasks.listings(in: state) }
  }

  /// Returns one task.
  /// - Throws: `StoreError` if there is no such task.
  public func task(_ id: Identifier) throws -> InspectionTask {
    try store.read(as: person) { try $0.tasks.task(id) }
  }

  /// Returns the orders that the office has replaced, the oldest first.
  public func earlierOrders(of id: Identifier) throws -> [EarlierOrder] {
    try store.read(as: person) { try $0.tasks.earlierOrders(of: id) }
  }

  /// Returns the transitions of a task that the same inspector made on other devices.
  public func transitionsElsewhere(of id: Identifier) throws -> [TaskTransition] {
    try store.read(as: person) { try $0.tasks.transitionsElsewhere(of: id) }
  }

  /// Adds the tasks of a GeoJSON file: all of them, or none.
  /// - Throws: `TaskFileError`, `FieldUnitError.unreadable`.
  public func importTasks(fromFile path: String) throws -> [InspectionTask] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw FieldUnitError.unreadable(
        path: path,
        reason: FileManager.default.fileExists(atPath: path)
          ? "its permissions do not allow it, or it is a folder" : "there is no such file")
    }
    return try importTasks(try TaskFile.orders(from: data))
  }

  /// Adds orders as New tasks of this person. Orders for other inspectors are passed over.
  public func importTasks(_ orders: [TaskOrder]) throws -> [InspectionTask] {
    let now = clock.deviceTime
    let tasks = try orders.filter { $0.inspector == nil || $0.inspector == person.login }.map {
      InspectionTask(
        id: Identifier(at: now), agency: person.agency, inspector: person.login, name: $0.name,
        type: $0.type, instructions: $0.instructions, created: now, due: $0.due,
        parcel: $0.parcel, sets: try $0.sets())
    }
    try store.write(as: person) { session in
      for task in tasks { try session.tasks.insert(task) }
    }
    return tasks
  }

  /// Opens a New task. A task that is Open or Returned stays as it is.
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
      for photo in try session.photos.list(.task(id)) {
        if photo.sent != nil { continue }
        try session.photos.markSent(photo.id, at: time)
        try session.outbox.insert(OutboxEntry(photo, queued: time))
      }
      for track in try session.tracks.heads(.task(id)) {
        if track.sent != nil { continue }
        try session.tracks.markSent(track.id, at: time)
        try session.outbox.insert(try session.entry(for: track, queued: time))
      }
      for head in try session.sets.list(.task(id)) where head.sent == nil {
        try session.sets.markSent(head.id, at: time)
        try session.outbox.insert(try session.entry(for: head, queued: time))
      }
      try session.insertNotes(onTask: id, queued: time)
      try session.outbox.insert(
        OutboxEntry(
          id: task.id, kind: .task, task: task.id, digest: provided.record, bytes: provided.bytes,
          queued: time))
    }
  }

  /// Takes a sent task back, as long as its batch has not begun.
  @discardableResult
  public func takeBackTask(_ id: Identifier) throws -> InspectionTask {
    try perform(.takeBack, on: id) { session, _, _, _ in
      // Photos that were delivered ahead, or are on their way, are not taken back with their task.
      for entry in try session.outbox.list() where entry.whole == id && !entry.hasBegun {
        switch entry.kind {
        case .photo: try session.photos.markSent(entry.id, at: nil)
        case .track: try session.tracks.markSent(entry.id, at: nil)
        case .set: try session.sets.markSent(entry.id, at: nil)
        case .task, .note: break
        }
      }
      try session.outbox.remove(whole: id)
    }
  }

  /// Returns how far a task has come, read from one state of the store.
  /// - Throws: `StoreError` if there is no such task.
  package func sentState(ofTask id: Identifier) throws -> SentState {
    try store.read(as: person) { session in
      SentState(
        of: try session.tasks.task(id).state,
        isWaiting: !(try session.outbox.entries(ofWhole: id).isEmpty))
    }
  }

  /// Writes the inspector's note on a task, and seals it.
  public func noteTask(_ id: Identifier, _ text: String) throws {
    try NoteRule.require(text)
    let time = clock.deviceTime
    let noteID = Identifier(at: time)
    try sealer.seal(as: person, with: key) { session in
      let task = try session.tasks.task(id)
      guard task.state.isEditable else { throw InspectionError.taskLocked(task.state) }
      let record = Record.note(
        id: noteID, task: id, photo: nil, text: text, at: time, in: context())
      return (Sealer.Sealing(shelf: .records, kind: .note, id: noteID, record: record), ())
    } after: { session, _ in
      try session.tasks.setNote(text, of: id)
    }
  }

  /// Says why a photo point of a task is not photographed again, and seals it.
  public func excuse(_ point: Identifier, ofTask id: Identifier, _ text: String) throws {
    try NoteRule.require(text)
    guard !text.allSatisfy(\.isWhitespace) else { throw InspectionError.repeatsMissing(lacking: 1) }
    let time = clock.deviceTime
    let noteID = Identifier(at: time)
    try sealer.seal(as: person, with: key) { session in
      let task = try session.tasks.task(id)
      guard task.state.isEditable else { throw InspectionError.taskLocked(task.state) }
      guard task.repeats?.points.contains(point) == true else {
        throw InspectionError.photoPoint(.notNamed)
      }
      let record = Record.note(
        id: noteID, task: id, photo: nil, point: point, text: text, at: time, in: context())
      return (Sealer.Sealing(shelf: .records, kind: .note, id: noteID, record: record), ())
    } after: { session, _ in
      try session.points.keep(reason: text, forPoint: point, task: id)
    }
  }

  /// Performs a transition of a task. State, history, seal and the changes of `also` are one
  /// transaction.
  private func perform(
    _ action: TaskAction, on id: Identifier,
    also: (
      FieldSession, InspectionTask, DeviceTime, _ sealed: (record: String, bytes: Int)
    ) throws -> Void = { _, _, _, _ in }
  ) throws -> InspectionTask {
    let time = clock.deviceTime
    let transitionID = Identifier(at: time)
    let (_, task, _) = try sealer.seal(as: person, with: key) { session in
      var task = try session.tasks.task(id)
      let rules = try Self.rules(try Self.policy(session), for: id, in: session)
      let transition = try task.perform(
        action, by: person, id: transitionID, at: time, contents: try session.contents(of: task),
        requirements: rules.requirements(of: task),
        // A task that was provided and waits no more was delivered.
        batchBegun: try session.outbox.list().first { $0.id == id }?.hasBegun ?? true)
      let record = Record.transition(transition, task: task, in: context())
      let sealing = Sealer.Sealing(
        shelf: .records, kind: .transition, id: transitionID, record: record)
      return (sealing, (transition, task, record.canonicalBytes))
    } after: { session, result in
      try session.tasks.save(result.0, of: result.1)
      try also(session, result.1, time, (Digest.hexadecimal(result.2), result.2.count))
    }
    return task
  }
}

extension OutboxEntry {
  /// Creates the entry of a photo that is sent; it goes with its task, or alone.
  init(_ photo: Photo, queued time: DeviceTime, ahead: Bool = false) {
    self.init(
      id: photo.id, kind: .photo, task: photo.task, whole: ahead ? photo.id : nil,
      digest: photo.fileDigest, bytes: photo.bytes, queued: time)
  }
}

extension FieldSession {
  /// Returns the entry of a track that is sent; it goes with its task, or alone.
  package func entry(for track: Track, queued time: DeviceTime) throws -> OutboxEntry {
    OutboxEntry(
      id: track.id, kind: .track, task: track.task, digest: try chain.fileDigest(of: track.id),
      bytes: try tracks.fileBytes(of: track.id), queued: time)
  }

  /// Returns the entry of a set that is sent; it goes with its task, or alone.
  package func entry(for head: FrameSetHead, queued time: DeviceTime) throws -> OutboxEntry {
    OutboxEntry(
      id: head.id, kind: .set, task: head.task, digest: try chain.fileDigest(of: head.id),
      bytes: head.bytes ?? 0, queued: time)
  }

  /// Puts the notes on a task into the outbox; they go with the task.
  func insertNotes(onTask task: Identifier, queued time: DeviceTime) throws {
    for note in try chain.undeliveredNotes(onTask: task, photo: nil) {
      try outbox.insert(
        OutboxEntry(
          id: note.id, kind: .note, task: task, digest: note.digest, bytes: note.bytes, queued: time
        ))
    }
  }

  /// Puts the notes on a photo into the outbox; they go with the photo.
  func insertNotes(onPhoto photo: Photo, queued time: DeviceTime) throws {
    for note in try chain.undeliveredNotes(onTask: nil, photo: photo.id) {
      try outbox.insert(
        OutboxEntry(
          id: note.id, kind: .note, task: photo.task, whole: photo.id, digest: note.digest,
          bytes: note.bytes, queued: time))
    }
  }
}
