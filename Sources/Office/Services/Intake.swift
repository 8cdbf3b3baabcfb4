import Evidence
import Inspection
import Positioning
import Store
import Sync

/// Puts one batch into the database, inside one transaction. What cannot count any more, because the
/// office has changed a task meanwhile, is kept and marked: both versions are there for the officer.
struct Intake {
  let batch: BatchMessage
  let person: Person
  let time: DeviceTime
  let session: any AgencyTransaction
  let log: (_ action: String, _ subject: String, _ detail: String?) -> LogEntry

  func run() throws {
    let chain = try keepLinks()
    let deletions = try deletions()
    var tasks: Set<Identifier> = []
    for id in Set(batch.seals.compactMap(\.task)) {
      if try isOwn(.task(id)) {
        tasks.insert(id)
      } else {
        try session.log(
          log("task-unknown", id.description, "records came for a task that is not theirs"))
      }
    }
    // What a transition is judged by must be there before it.
    for seal in batch.seals {
      switch seal.seal.link.kind {
      case .capture: try takePhoto(seal, tasks, chain, deletions)
      case .track: try takeTrack(seal, tasks, deletions)
      case .note, .transition, .deletion: break
      }
    }
    for seal in batch.seals {
      switch seal.seal.link.kind {
      case .note: try takeNote(seal, tasks)
      case .transition: try takeTransition(seal, tasks)
      case .capture, .track, .deletion: break
      }
    }
  }

  /// A thing of the office's that a record of the batch names.
  private enum Subject {
    case task(Identifier)
    case photo(Identifier)
  }

  /// Whether a thing is there and belongs to the inspector whose device sent the batch: the one place that says so for
  /// whatever a record names. What cannot be read is neither: nothing is receipted then, and the device comes again.
  private func isOwn(_ subject: Subject) throws -> Bool {
    do {
      switch subject {
      case .task(let id): return try session.task(id).inspector == person.login
      case .photo(let id): return try session.photo(id).photo.inspector == person.login
      }
    } catch StoreError.unknown {
      return false
    }
  }

  private func isKnown(photo id: Identifier) throws -> Bool {
    do {
      _ = try session.photo(id)
      return true
    } catch StoreError.unknown {
      return false
    }
  }

  private func deletions() throws -> [String: SealedDeletion] {
    var deletions: [String: SealedDeletion] = [:]
    for seal in batch.seals where seal.seal.link.kind == .deletion {
      let deletion = try seal.deletion()
      deletions[deletion.record] = deletion
    }
    return deletions
  }

  // MARK: records

  /// What takes long, the look at its bytes, comes after the receipt (`Examination`).
  private func takePhoto(
    _ seal: SealFile, _ tasks: Set<Identifier>, _ chain: [Identifier: Finding],
    _ deletions: [String: SealedDeletion]
  ) throws {
    if try isKnown(photo: seal.seal.link.id) { return }
    var photo = try seal.photo()
    if let task = photo.task, !tasks.contains(task) { photo.task = nil }
    photo.sent = time
    photo.delivered = time
    let deletion = deletions[seal.seal.link.record]
    try session.insert(
      ReceivedPhoto(
        photo: photo, verdict: nil, findings: chain[photo.id].map { [$0] } ?? [],
        revision: seal.taskRevision, imageDigest: nil, deletedReason: deletion?.reason,
        deleted: deletion?.time))
  }

  private func takeTrack(
    _ seal: SealFile, _ tasks: Set<Identifier>, _ deletions: [String: SealedDeletion]
  ) throws {
    let id = seal.seal.link.id
    if try session.tracks(.all).contains(id) { return }
    guard let name = seal.record["track"]?["name"]?.text,
      let started = seal.record["time"]?["started"]?.text.flatMap(DeviceTime.init(rfc3339:))
    else { throw OfficeRefusal(.batchMalformed, "the record of track \(id) lacks a member") }
    try session.insert(
      track: id, inspector: person.login, task: seal.task.flatMap { tasks.contains($0) ? $0 : nil },
      name: name, started: started, at: time,
      deletedReason: deletions[seal.seal.link.record]?.reason)
  }

  private func takeNote(_ seal: SealFile, _ tasks: Set<Identifier>) throws {
    let note = try seal.note()
    if let photo = note.photo {
      guard try isOwn(.photo(photo)) else {
        return try session.log(
          log("note-foreign", photo.description, "a note came for a photo that is not theirs"))
      }
      try session.setNote(note.text, ofPhoto: photo)
    } else if let task = note.task, tasks.contains(task) {
      try session.setNote(note.text, of: task)
    }
  }

  private func takeTransition(_ seal: SealFile, _ tasks: Set<Identifier>) throws {
    let sealed = try seal.transition()
    guard tasks.contains(sealed.task), try !session.knowsTransition(seal.seal.link.id) else {
      return
    }
    var task = try session.task(sealed.task)
    let done = sealed.transition
    let photos = try session.photos(.task(task.id)).count { $0.deletedReason == nil }
    do {
      let transition = try task.perform(
        done.action, by: person, id: done.id, at: done.time, reason: done.reason, photos: photos,
        // What the agency asked for then, the device has asked for: what was sent stays sent.
        requirements: .none)
      try session.save(transition, of: task, revision: sealed.revision)
    } catch let error as InspectionError {
      try session.save(
        TransitionConflict(transition: done, reason: "\(error)"), of: task,
        revision: sealed.revision)
      try session.log(log("transition-conflict", task.id.description, "\(error)"))
    }
  }
}
