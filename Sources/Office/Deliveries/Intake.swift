import Evidence
import Inspection
import Positioning
import Store
import Sync
import TimeAndText

/// Puts one batch into the database, inside one transaction. Changes that no longer count, because
/// the office has changed a task meanwhile, are kept and marked: the officer sees both versions. A
/// task that the office has decided is frozen: records that come for it are kept apart from it.
struct Intake {
  let batch: BatchMessage
  let person: Person
  let time: DeviceTime
  let session: any AgencyTransaction
  /// The measures of the batch's tracks, by identifier, without tracks whose points are not here or
  /// cannot be read.
  let measures: [Identifier: TrackMeasures]
  let log: (_ action: String, _ subject: String, _ detail: String?) -> LogEntry

  func run() throws {
    let chain = try keepLinks()
    let deletions = try deletions()
    var tasks: [Identifier: TaskState] = [:]
    for id in Set(batch.seals.compactMap(\.task)) {
      if try isOwn(.task(id)) {
        tasks[id] = try session.tasks.task(id).state
      } else {
        try session.log.add(
          log("task-unknown", id.description, "records came for a task that is not theirs"))
      }
    }
    // Photos and tracks come first, since transitions are judged by them.
    for seal in batch.seals {
      switch seal.seal.link.kind {
      case .capture: try takePhoto(seal, tasks, chain, deletions)
      case .track: try takeTrack(seal, tasks, deletions)
      case .around, .turn: try takeSet(seal, tasks, deletions)
      case .note, .transition, .deletion, .answer: break
      }
    }
    for seal in batch.seals {
      switch seal.seal.link.kind {
      case .note: try takeNote(seal, tasks)
      case .answer: try takeAnswer(seal, tasks)
      case .transition: try takeTransition(seal, tasks)
      case .capture, .track, .around, .turn, .deletion: break
      }
    }
  }

  /// A thing of the office that a record of the batch names.
  private enum Subject {
    case task(Identifier)
    case photo(Identifier)
  }

  /// Returns true if a thing exists and belongs to the inspector whose device sent the batch. This
  /// is the only test for all things that records name. A thing that cannot be read throws: the
  /// batch then gets no receipt, and the device comes again.
  private func isOwn(_ subject: Subject) throws -> Bool {
    let owner = try StoreError.found {
      switch subject {
      case .task(let id): try session.tasks.task(id).inspector
      case .photo(let id): try session.photos.photo(id).photo.inspector
      }
    }
    return owner == person.login
  }

  /// Returns the task that a record belongs to, or the frozen task that it came too late for, or
  /// neither.
  private func place(
    _ task: Identifier?, _ tasks: [Identifier: TaskState], of seal: SealFile
  ) throws -> (task: Identifier?, late: Identifier?) {
    guard let task, let state = tasks[task] else { return (nil, nil) }
    guard state.isFrozen else { return (task, nil) }
    try logLate(seal, task, state)
    return (nil, task)
  }

  private func logLate(_ seal: SealFile, _ task: Identifier, _ state: TaskState) throws {
    let link = seal.seal.link
    try session.log.add(
      log(
        "record-late", link.id.description,
        "\(link.kind == .answer ? "an" : "a") \(link.kind.rawValue) came for task \(task), which was \(state.rawValue) already"
      ))
  }

  func isKnown(photo id: Identifier) throws -> Bool {
    try StoreError.found { try session.photos.photo(id) } != nil
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

  /// Adds a photo without a verdict. Its bytes are examined after the receipt (`Examination`),
  /// because that takes long.
  private func takePhoto(
    _ seal: SealFile, _ tasks: [Identifier: TaskState], _ chain: [Identifier: [Finding]],
    _ deletions: [String: SealedDeletion]
  ) throws {
    if try isKnown(photo: seal.seal.link.id) { return }
    var photo = try seal.photo()
    let place = try place(photo.task, tasks, of: seal)
    photo.task = place.task
    photo.sent = time
    photo.delivered = time
    let deletion = deletions[seal.seal.link.record]
    let repetition = try repetition(of: seal)
    try session.photos.insert(
      ReceivedPhoto(
        photo: photo, verdict: nil, findings: chain[photo.id] ?? [],
        revision: seal.taskRevision, imageDigest: nil, deletedReason: deletion?.reason,
        deleted: deletion?.time, lateTask: place.late))
    // A photo that was deleted before it was sent repeats nothing.
    if let repetition, deletion == nil {
      try session.points.keep(
        ReceivedRepeat(photo: photo.id, taken: photo.deviceTime, claims: repetition))
    }
  }

  /// Returns the photo point that a photo repeats; nil if it repeats none. A part of the record that
  /// cannot be read is no reason to refuse a delivery: the log names it.
  private func repetition(of seal: SealFile) throws -> RepeatClaims? {
    do {
      return try seal.repetition()
    } catch {
      try session.log.add(log("repeat-malformed", seal.seal.link.id.description, "\(error)"))
      return nil
    }
  }

  private func takeTrack(
    _ seal: SealFile, _ tasks: [Identifier: TaskState], _ deletions: [String: SealedDeletion]
  ) throws {
    let id = seal.seal.link.id
    if try session.tracks.identifiers(.all).contains(id) { return }
    guard let name = seal.record["track"]?["name"]?.text,
      let started = seal.record["time"]?["started"]?.text.flatMap(DeviceTime.init(rfc3339:))
    else { throw OfficeRefusal(.batchMalformed, "the record of track \(id) lacks a member") }
    let place = try place(seal.task, tasks, of: seal)
    try session.tracks.insert(
      track: id, inspector: person.login, task: place.task, lateTask: place.late, name: name,
      started: started, at: time,
      deletedReason: deletions[seal.seal.link.record]?.reason, measures: measures[id])
  }

  private func takeSet(
    _ seal: SealFile, _ tasks: [Identifier: TaskState], _ deletions: [String: SealedDeletion]
  ) throws {
    if try session.sets.isKnown(set: seal.seal.link.id) { return }
    let place = try place(seal.task, tasks, of: seal)
    var head = try seal.listedSet()
    head.task = place.task
    try session.sets.insert(
      ReceivedSet(head: head, inspector: person.login, lateTask: place.late, delivered: time),
      deletedReason: deletions[seal.seal.link.record]?.reason)
  }

  private func takeNote(_ seal: SealFile, _ tasks: [Identifier: TaskState]) throws {
    let note = try seal.note()
    guard note.text.utf8.count <= NoteRule.maximumBytes else {
      throw OfficeRefusal(
        .batchMalformed,
        "note \(seal.seal.link.id) has more than \(NoteRule.maximumBytes) bytes: no note has")
    }
    if let photo = note.photo {
      guard try isOwn(.photo(photo)) else {
        return try session.log.add(
          log("note-foreign", photo.description, "a note came for a photo that is not theirs"))
      }
      let task = try session.photos.photo(photo).photo.task
      if try isLate(seal, note, task) { return }
      try session.photos.setNote(note.text, ofPhoto: photo)
    } else if let task = note.task, tasks[task] != nil {
      if try isLate(seal, note, task) { return }
      if let point = note.point {
        try session.points.keep(reason: note.text, forPoint: point, task: task)
      } else {
        try session.tasks.setNote(note.text, of: task)
      }
    }
  }

  /// Keeps an answer. The office keeps each word: the last one counts that came before its decision.
  private func takeAnswer(_ seal: SealFile, _ tasks: [Identifier: TaskState]) throws {
    let answer = try seal.answer()
    guard seal.recordBytes.count <= AnswerRule.recordBytesAtMost else {
      throw OfficeRefusal(
        .batchMalformed,
        "answer \(answer.id) has more than \(AnswerRule.recordBytesAtMost) bytes: no answer has")
    }
    guard let state = tasks[answer.task] else { return }
    if state.isFrozen { try logLate(seal, answer.task, state) }
    try session.answers.insert(
      ReceivedAnswer(answer, inspector: person.login, received: time, isLate: state.isFrozen))
  }

  /// Returns true if the office had decided a note's task before the note came; the note is then
  /// kept apart from the task.
  private func isLate(_ seal: SealFile, _ note: SealedNote, _ task: Identifier?) throws -> Bool {
    guard let task else { return false }
    let state = try session.tasks.task(task).state
    guard state.isFrozen else { return false }
    try logLate(seal, task, state)
    try session.tasks.insert(
      LateNote(
        id: seal.seal.link.id, inspector: person.login, task: task, photo: note.photo,
        text: note.text, received: time))
    return true
  }

  private func takeTransition(_ seal: SealFile, _ tasks: [Identifier: TaskState]) throws {
    let sealed = try seal.transition()
    guard tasks[sealed.task] != nil, try !session.tasks.knowsTransition(seal.seal.link.id) else {
      return
    }
    var task = try session.tasks.task(sealed.task)
    let done = sealed.transition
    let photos = try session.photos.list(.task(task.id)).count { $0.deletedReason == nil }
    do {
      let transition = try task.perform(
        done.action, by: person, id: done.id, at: done.time, reason: done.reason,
        contents: TaskContents(photos: photos),
        // The device checked the agency's requirements of its time before it sent, and sent records
        // stay sent.
        requirements: .none)
      try session.tasks.save(transition, of: task, revision: sealed.revision)
    } catch let error as InspectionError {
      try session.tasks.save(
        TransitionConflict(transition: done, reason: "\(error)"), of: task,
        revision: sealed.revision)
      try session.log.add(log("transition-conflict", task.id.description, "\(error)"))
    }
  }
}
