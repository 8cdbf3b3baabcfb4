import Evidence
import Foundation
import Inspection
import Positioning
import Store
import Sync
import TimeAndText

extension InspectorUnit {
  /// Returns the person's photos, the oldest first.
  public func photos(_ selection: Selection = .all) throws -> [Photo] {
    try store.read(as: person) { try $0.photos.list(selection) }
  }

  /// Returns one photo.
  /// - Throws: `StoreError` if there is no such photo.
  public func photo(_ id: Identifier) throws -> Photo {
    try store.read(as: person) { try $0.photos.photo(id) }
  }

  /// Returns the path of a photo's file.
  public func path(ofPhoto id: Identifier) -> String { folder.file(.photos, id) }

  /// Writes the inspector's note on a photo that was not sent yet, and seals it.
  public func notePhoto(_ id: Identifier, _ text: String) throws {
    try NoteRule.require(text)
    let time = clock.deviceTime
    let noteID = Identifier(at: time)
    try sealer.seal(as: person, with: key) { session in
      let photo = try session.photos.photo(id)
      if photo.sent != nil { throw InspectionError.alreadySent(what: "photo") }
      let record = Record.note(
        id: noteID, task: photo.task, photo: id, text: text, at: time, in: context())
      return (Sealer.Sealing(shelf: .records, kind: .note, id: noteID, record: record), ())
    } after: { session, _ in
      try session.photos.setNote(text, of: id)
    }
  }

  /// Deletes a photo that was not sent: its bytes go, its record stays, and the deletion is sealed.
  public func deletePhoto(_ id: Identifier, reason: String) throws {
    try delete(id, reason: reason) { session in
      let photo = try session.photos.photo(id)
      try photo.requireDeletable()
      if let task = photo.task, !(try session.tasks.task(task).state.isEditable) {
        throw InspectionError.taskLocked(try session.tasks.task(task).state)
      }
    } mark: { session, time in
      try session.photos.markDeleted(id, at: time, reason: reason)
      try session.points.forget(photo: id)
    }
    try removeFiles(ofPhoto: id)
  }

  /// Puts standalone photos into the outbox. Photos of a task go with their task.
  public func sendPhotos(_ ids: [Identifier]) throws {
    let time = clock.deviceTime
    try store.write(as: person) { session in
      for id in ids {
        let photo = try session.photos.photo(id)
        if photo.sent != nil { continue }
        guard photo.task == nil else { throw SendError.belongsToTask(what: "photo", id: id) }
        try session.photos.markSent(id, at: time)
        try session.outbox.insert(OutboxEntry(photo, queued: time))
        try session.insertNotes(onPhoto: photo, queued: time)
      }
    }
  }

  /// Returns how far a photo has come, read from one state of the store.
  /// - Throws: `StoreError` if there is no such photo.
  package func sentState(ofPhoto id: Identifier) throws -> SentState {
    try store.read(as: person) { session in
      SentState(
        of: try session.photos.photo(id),
        isWaiting: !(try session.outbox.entries(ofWhole: id).isEmpty))
    }
  }

  /// Returns the entries that wait to be delivered.
  public func outbox() throws -> [OutboxEntry] {
    try store.read(as: person) { try $0.outbox.list() }
  }

  /// Seals a deletion, and calls `mark` in the same transaction.
  /// - Throws: `StoreError.unknown` if no such record is sealed; the errors of `check` and `mark`.
  package func delete(
    _ id: Identifier, reason: String, check: (FieldSession) throws -> Void,
    mark: (FieldSession, DeviceTime) throws -> Void
  ) throws {
    let time = clock.deviceTime
    let deletionID = Identifier(at: time)
    try sealer.seal(as: person, with: key) { session in
      try check(session)
      guard let digest = try session.chain.recordDigest(of: id) else {
        throw StoreError.unknown(what: "sealed record", id: id.description)
      }
      let record = Record.deletion(
        id: deletionID, of: id, recordDigest: digest, reason: reason, at: time, in: context())
      let sealing = Sealer.Sealing(
        shelf: .records, kind: .deletion, id: deletionID, record: record)
      return (sealing, ())
    } after: { session, _ in
      try mark(session, time)
    }
  }
}

/// The error of sending something that cannot be sent on its own.
public enum SendError: Error, Hashable, Sendable, Worded {
  /// The photo or track goes with its task.
  case belongsToTask(what: String, id: Identifier)

  /// The stable code of the error, for programs.
  public var code: String { "belongs-to-task" }

  /// The message for people: what happened, and what to do next.
  public var wording: Wording {
    switch self {
    case .belongsToTask(let what, let id):
      "\(word: what) \(id) belongs to a task and is sent with it: use task provide"
    }
  }
}
