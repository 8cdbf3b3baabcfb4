import Evidence
import Foundation
import Imports
import Inspection
import Judgement
import OfficeKeyring
import Store
import Sync
import TimeAndText

/// A task with everything that an officer sees of it.
public struct TaskView: Sendable {
  /// The task in its present state.
  public var task: InspectionTask
  /// The task's photos, with those deleted before they were sent.
  public var photos: [ReceivedPhoto]
  /// The task's tracks.
  public var tracks: [Track]
  /// The orders that later ones have replaced.
  public var earlierOrders: [EarlierOrder]
  /// The device's transitions that could not be made any more.
  public var conflicts: [TransitionConflict]
  /// The records that came after the office had decided the task.
  public var late: LateRecords
}

/// Shows tasks with their photos and tracks, and decides them.
package struct Review: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
  /// The added services, which show the tracks that they took.
  let services: [any AddedService]
}

extension Review {
  /// Returns the agency's tasks.
  public func tasks(
    in agency: String, _ filter: TaskFilter = TaskFilter(), _ order: TaskSorting = TaskSorting(),
    limit: Int = 100_000, offset: Int = 0
  ) async throws -> [InspectionTask] {
    try await database.read(in: agency) {
      try $0.tasks.page(filter, order, at: clock.deviceTime, limit: limit, offset: offset)
    }
  }

  /// The greatest number of tasks in one answer.
  private static let tasksInAnswer = 500

  /// Returns an inspector's tasks that changed since a cursor, as the answer to a field unit.
  public func tasks(for visitor: Visitor, since cursor: String? = nil) async throws
    -> TaskListMessage
  {
    let person = try visitor.person()
    let (message, newest) = try await database.read(in: person.agency) { session in
      (
        try news(of: person, visitor, since: cursor, session),
        try session.bulk.newestChange(ofInspector: person.login)
      )
    }
    guard !message.tasks.isEmpty else { return message }
    // An act on many tasks can be undone while no device has heard of it: the office keeps what it tells
    // before it tells it, and reads again if something has changed meanwhile.
    return try await database.write(in: person.agency) { session in
      let isSame = try session.bulk.newestChange(ofInspector: person.login) == newest
      let told = isSame ? message : try news(of: person, visitor, since: cursor, session)
      if let cursor = told.cursor { try session.bulk.tell(person.login, upTo: cursor) }
      return told
    }
  }

  /// Returns the answer to a field unit.
  private func news(
    of person: Person, _ visitor: Visitor, since cursor: String?, _ session: any AgencyTransaction
  ) throws -> TaskListMessage {
    let page = try session.tasks.changedTasks(
      ofInspector: person.login, since: cursor, at: clock.deviceTime, limit: Self.tasksInAnswer)
    let items = try session.tasks.items(ofTasks: page.tasks.map(\.id))
    let verdicts = try session.answers.verdicts(ofDecisions: page.tasks.flatMap(\.returns))
    let ring = core.keys.ring
    return TaskListMessage(
      tasks: page.tasks.map { task in
        TaskMessage(
          task, items: items[task.id],
          verdicts: ItemVerdicts(returns: task.returns.map { verdicts[$0] ?? [] }))
      },
      policy: try session.policies.current()?.jws,
      cursor: page.cursor, hasMore: page.hasMore ? true : nil,
      head: try visitor.key.flatMap { try session.chains.chainHead(ofKey: $0) },
      challenge: try visitor.key.map {
        try CaptureChallenge(
          key: $0, issued: clock.deviceTime, signedWith: ring.receiptKey,
          certificate: ring.receiptCertificate
        ).jws
      })
  }

  /// Returns one task with everything that belongs to it.
  /// - Parameter inspector: the login that the task must belong to; nil for any of the agency.
  public func view(
    of id: Identifier, in agency: String, ofInspector inspector: String? = nil
  ) async throws -> TaskView {
    try await database.read(in: agency, ofInspector: inspector) { session in
      TaskView(
        task: try session.tasks.task(id), photos: try session.photos.list(.task(id)),
        tracks: try session.tracks.identifiers(.task(id)).compactMap { try track($0, session) },
        earlierOrders: try session.tasks.earlierOrders(of: id),
        conflicts: try session.tasks.conflicts(of: id),
        late: try session.tasks.late(ofTask: id))
    }
  }

  /// Returns a delivered track, from its record and its file of points; nil if either is not here
  /// or cannot be read.
  package func track(_ id: Identifier, _ session: any ReadingTransaction) throws -> Track? {
    if let track = try services.track(id, session) { return track }
    guard let seal = try session.seals.seal(of: id, .track),
      let file = try photos.bytes(of: EvidenceName.file(.track, id))
    else { return nil }
    return try? seal.track(file: file)
  }

  /// Returns the words about the last transition, for an officer whose decision came after it.
  static func lastStep(of task: InspectionTask) -> Wording {
    guard let step = task.history.last else { return "its history is missing" }
    return "\(step.person.login) has \(word: step.action.participle) it at \(step.time.rfc3339)"
  }

  /// Decides a task, by the table of transitions.
  ///
  /// - Parameter seen: the number of transitions that the task had when the officer saw it: if
  ///   there are more by now, nothing is decided.
  /// - Parameter examined: the number of its photos that had been checked then; nil if the photos
  ///   were not shown.
  /// - Parameter shown: the mark of the photos that were shown (`mark(of:_:)`); nil if they were
  ///   not. An officer accepts or declines for these photos and no others.
  /// - Parameter isUndoable: true if the officer can undo it for `TransitionRule.undoSeconds`;
  ///   devices are told of it after that time.
  /// - Parameter needsCleanPhotos: true if the task is accepted together with others, without a
  ///   look at each: then it must have photos, all checked and none contradicted.
  /// - Parameter returning: the items that the officer returns by themselves; the task's reason names
  ///   them all.
  /// - Throws: `OfficeRefusal` (task-changed) with the last transition; `InspectionError`.
  @discardableResult
  public func decide(
    _ action: TaskAction, on id: Identifier, by person: Person, reason: String?, seen: Int,
    examined: Int? = nil, shown: String? = nil, isUndoable: Bool = false,
    needsCleanPhotos: Bool = false, returning: ItemReturns = .none
  ) async throws -> InspectionTask {
    try await database.write(in: person.agency) { session in
      try decide(
        action, on: id, by: person, reason: reason, seen: seen, examined: examined, shown: shown,
        heldUntil: isUndoable && person.role == .officer
          ? clock.deviceTime.advanced(bySeconds: TransitionRule.undoSeconds) : nil,
        needsCleanPhotos: needsCleanPhotos, returning: returning, session)
    }
  }

  /// Decides a task in a transaction. See the function above.
  /// - Parameter heldUntil: the time from which devices are told of it; nil for at once.
  @discardableResult
  package func decide(
    _ action: TaskAction, on id: Identifier, by person: Person, reason: String?, seen: Int,
    examined: Int? = nil, shown: String? = nil, heldUntil: DeviceTime? = nil,
    needsCleanPhotos: Bool = false, returning: ItemReturns = .none,
    _ session: any AgencyTransaction
  ) throws -> InspectionTask {
    let now = clock.deviceTime
    var task = try session.tasks.task(id)
    guard task.history.count == seen else {
      throw OfficeRefusal(
        .taskChanged,
        "\(Self.lastStep(of: task)), after you opened this page; it is \(word: task.state.title)"
          + " now. Your decision was not saved: look again, then decide")
    }
    let photos = try session.photos.list(.task(id)).filter { $0.deletedReason == nil }
    let isForPhotos = TransitionRule.table.contains {
      $0.action == action && $0.guard == .isChecked
    }
    if isForPhotos, let shown, shown != Self.mark(of: task, photos) {
      throw OfficeRefusal(
        .taskChanged,
        "after you opened the task, a photo was added, removed or moved, or a note was written. Your"
          + " decision was not saved: look again, then decide")
    }
    if needsCleanPhotos { try requireClean(task, photos, session) }
    let checked = photos.count { $0.verdict != nil }
    let decision = try decision(
      action, on: task, reason: reason, returning: returning, photos: photos, session)
    let transition = try task.perform(
      action, by: person, id: Identifier(at: now), at: now, reason: decision.reason,
      contents: TaskContents(photos: photos.count),
      unchecked: photos.count - min(checked, max(0, examined ?? checked)))
    try session.tasks.save(
      transition, of: task, revision: task.revision, heldUntil: heldUntil)
    try session.answers.insert(decision.verdicts, ofTask: id, decision: transition.id)
    try session.log.add(
      log(
        "task-\(transition.to.rawValue)", on: id.description, by: person.login,
        agency: person.agency, detail: transition.reason))
    return task
  }

  /// Returns the mark of the photos that a page showed of a task. It is the same for the same whole
  /// photos and notes, each at the item to which an officer moved it, and differs for any others.
  package static func mark(of task: InspectionTask, _ photos: [ReceivedPhoto]) -> String {
    let shown = photos.filter { $0.deletedReason == nil }.sorted { $0.photo.id < $1.photo.id }
    var texts = [task.note ?? ""]
    for one in shown {
      texts += [one.photo.id.description, one.photo.note ?? "", one.officeItem?.description ?? ""]
    }
    // A digest of each text: otherwise the end of one text could be moved to the beginning of the
    // next.
    let digests = texts.map { Digest.hexadecimal(Array($0.utf8)) }
    return String(Digest.hexadecimal(Array(digests.joined().utf8)).prefix(16))
  }
}
