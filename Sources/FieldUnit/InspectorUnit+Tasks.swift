import Evidence
import Foundation
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

  /// Takes tasks over from a GeoJSON file: all of them, or none.
  /// - Throws: `TaskFileError`, `FieldUnitError.unreadable`.
  public func importTasks(fromFile path: String) throws -> [InspectionTask] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw FieldUnitError.unreadable(
        path: path,
        reason: FileManager.default.fileExists(atPath: path)
          ? "its rights do not allow it, or it is a folder" : "there is no such file")
    }
    return try importTasks(try TaskFile.orders(fromGeoJSON: data))
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
    try perform(.provide, on: id) { session, task, time in
      let photos = try session.photos(.task(id))
      let tracks = try session.tracks(.task(id))
      var bytes = photos.reduce(0) { $0 + $1.bytes }
      for photo in photos { try session.markSent(photo: photo.id, at: time) }
      for track in tracks {
        guard track.ended != nil else {
          throw FieldUnitError.trackNotFinished(track.id.description)
        }
        bytes += try session.fileBytes(ofTrack: track.id)
        try session.markSent(track: track.id, at: time)
      }
      try session.insert(
        OutboxEntry(id: task.id, kind: .task, task: task.id, bytes: bytes, queued: time))
    }
  }

  /// Takes a sent task back, as long as its batch has not begun.
  @discardableResult
  public func takeBackTask(_ id: Identifier) throws -> InspectionTask {
    try perform(.takeBack, on: id) { session, task, _ in
      try session.removeFromOutbox(task.id)
      for photo in try session.photos(.task(id)) { try session.markSent(photo: photo.id, at: nil) }
      for track in try session.tracks(.task(id)) { try session.markSent(track: track.id, at: nil) }
    }
  }

  /// Writes the inspector's note on a task.
  public func noteTask(_ id: Identifier, _ text: String) throws {
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
    also: (FieldSession, InspectionTask, DeviceTime) throws -> Void = { _, _, _ in }
  ) throws -> InspectionTask {
    let time = clock.deviceTime
    let transitionID = Identifier(at: time)
    let (_, task) = try sealer.seal(as: person, with: key) { session in
      var task = try session.task(id)
      let transition = try task.perform(
        action, by: person, id: transitionID, at: time,
        photos: try session.photos(.task(id)).count,
        // What was provided and waits no more was delivered.
        batchBegun: try session.outbox().first { $0.id == id }?.hasBegun ?? true)
      let record = Record.transition(transition, task: task, in: context())
      let sealing = Sealer.Sealing(
        shelf: .records, kind: .transition, id: transitionID, record: record)
      return (sealing, (transition, task))
    } after: { session, result in
      try session.save(result.0, of: result.1)
      try also(session, result.1, time)
    }
    return task
  }
}
