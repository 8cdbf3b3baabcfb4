import Evidence
import Foundation
import Imports
import Inspection
import Judgement
import Positioning
import Store
import Sync

/// What an officer sees of a task.
public struct TaskView: Sendable {
  /// The task as it stands.
  public var task: InspectionTask
  /// Its photos, those deleted before they were sent among them.
  public var photos: [ReceivedPhoto]
  /// Its tracks.
  public var tracks: [Track]
  /// Orders that later ones have replaced.
  public var earlierOrders: [EarlierOrder]
  /// What the device did and what could not count any more.
  public var conflicts: [TransitionConflict]
  /// What came when the office had decided upon it already.
  public var late: LateRecords
}

extension OfficeServer {
  /// The agency's tasks.
  public func tasks(
    in agency: String, _ filter: TaskFilter = TaskFilter(), _ order: TaskSorting = TaskSorting(),
    limit: Int = 100_000, offset: Int = 0
  ) async throws -> [InspectionTask] {
    try await database.read(in: agency) {
      try $0.tasks.page(filter, order, at: clock.deviceTime, limit: limit, offset: offset)
    }
  }

  /// More tasks than this do not travel in one answer.
  private static let tasksInAnswer = 500

  /// An inspector's tasks that changed since a cursor, as the field unit asks for them.
  public func tasks(for visitor: Visitor, since cursor: String? = nil) async throws
    -> TaskListMessage
  {
    let person = try visitor.person()
    return try await database.read(in: person.agency) { session in
      let page = try session.tasks.changedTasks(
        ofInspector: person.login, since: cursor, limit: Self.tasksInAnswer)
      return TaskListMessage(
        tasks: page.tasks.map(TaskMessage.init), policy: try session.policies.current()?.jws,
        cursor: page.cursor, hasMore: page.hasMore ? true : nil,
        head: try visitor.key.flatMap { try session.chains.chainHead(ofKey: $0) })
    }
  }

  /// One task with all that belongs to it.
  /// - Parameter inspector: whose it must be; nil for any of the agency.
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

  /// A track that was delivered: what its record and its file of points say; nil when either is not
  /// here.
  package func track(_ id: Identifier, _ session: any ReadingTransaction) throws -> Track? {
    if let track = try addedTrack(id, session) { return track }
    guard let seal = try session.seals.seal(of: id, .track),
      let file = try photos.bytes(of: EvidenceName.file(.track, id))
    else { return nil }
    return try? seal.track(file: file)
  }

  /// Adds tasks as they were ordered: all of them, or none.
  /// - Throws: `OfficeRefusal` with the first order that cannot be taken.
  @discardableResult
  public func addTasks(
    _ orders: [TaskOrder], in agency: String, by login: String
  ) async throws -> [InspectionTask] {
    let now = clock.deviceTime
    let inspectors = Set(
      try await accounts(ofAgency: agency).filter { $0.role == .inspector && $0.disabled == nil }
        .map(\.login))
    var tasks: [InspectionTask] = []
    for (index, order) in orders.enumerated() {
      func wrong(_ words: Wording) -> OfficeRefusal {
        OfficeRefusal(
          .inputInvalid, orders.count == 1 ? words : "feature \(index + 1): \(words)")
      }
      guard let inspector = order.inspector else { throw wrong("it names no inspector") }
      guard inspectors.contains(inspector) else {
        throw wrong("there is no inspector \(inspector) in \(agency)")
      }
      await tasks.append(
        InspectionTask(
          id: Identifier(at: now), agency: agency, inspector: inspector, name: order.name,
          type: order.type, instructions: order.instructions, created: now, due: order.due,
          parcel: try land(of: order, in: agency)))
    }
    try await database.write(in: agency) { session in
      for task in tasks {
        try session.tasks.insert(task)
        try session.log.add(
          log("task-ordered", on: task.id.description, by: login, agency: agency, detail: task.name)
        )
      }
    }
    return tasks
  }

  /// The order's outline; without one that of the agency's parcel of this identifier.
  private func land(of order: TaskOrder, in agency: String) async throws -> Parcel? {
    guard order.parcel == nil, let identifier = order.parcelIdentifier else { return order.parcel }
    return try await parcel(identifier, in: agency)?.declared.parcel
  }

  /// Who was quicker than whoever decides.
  private static func lastStep(of task: InspectionTask) -> Wording {
    guard let step = task.history.last else { return "it has no history any more" }
    return "\(step.person.login) has \(word: step.action.participle) it at \(step.time.rfc3339)"
  }

  /// Words the order of a task anew. The one before it is kept: work may have been done under it.
  ///
  /// - Parameter isSeen: whether the task, with the mark of its photos, is still the one that was looked at;
  ///   nil where nobody says which that was.
  /// - Throws: `OfficeRefusal` (task-changed) when it is not.
  @discardableResult
  public func changeOrder(
    of id: Identifier, in agency: String, by login: String,
    isSeen: ((InspectionTask, _ shown: String) -> Bool)? = nil,
    _ change: (inout InspectionTask) -> Void
  ) async throws -> InspectionTask {
    try await database.write(in: agency) { session in
      let before = try session.tasks.task(id)
      if let isSeen, !isSeen(before, Self.mark(of: before, try session.photos.list(.task(id)))) {
        throw OfficeRefusal(
          .taskChanged,
          "the task was changed after you looked at it, or photos came to it: its order is of revision"
            + " \(before.revision) now. Yours was not kept: look again, then change it")
      }
      guard before.state.isEditable else {
        throw OfficeRefusal(
          .ruleForbids,
          "the task is \(word: before.state.title): its order cannot be changed any more")
      }
      var after = before
      change(&after)
      guard !after.name.isEmpty else { throw OfficeRefusal(.inputInvalid, "a task needs a name") }
      try keepOrder(&after, inPlaceOf: before, by: login, session)
      return after
    }
  }

  /// Keeps a changed order as the task's next revision.
  func keepOrder(
    _ after: inout InspectionTask, inPlaceOf before: InspectionTask, by login: String,
    _ session: any AgencyTransaction
  ) throws {
    after.revision = before.revision + 1
    try session.tasks.replaceOrder(of: before, with: after, at: clock.deviceTime)
    // The parcel may be another one: where its photos were taken is judged anew.
    for received in try session.photos.list(.task(after.id)) {
      try session.checks.keep(
        PlaceChecks(photo: received.photo, revision: received.revision, task: after).checks(),
        ofPhoto: received.photo.id)
    }
    try session.log.add(
      log(
        "order-changed", on: after.id.description, by: login, agency: session.agency,
        detail: "revision \(after.revision)"))
  }

  /// Decides upon a task, by the table.
  ///
  /// - Parameter seen: how many transitions the task had when it was looked at: what was decided upon
  ///   is what was seen, or nothing is.
  /// - Parameter examined: how many of its photos had been checked then; nil where nobody was shown them.
  /// - Parameter shown: the mark of the photos that were shown (`mark(of:_:)`); nil where nobody was shown
  ///   them. Who accepts or declines does so for these photos and no others.
  /// - Parameter needsCleanPhotos: whether it is done among others, without a look at each: only where
  ///   there are photos and nothing contradicts them.
  /// - Throws: `OfficeRefusal` (task-changed) with who was quicker; `InspectionError`.
  @discardableResult
  public func decide(
    _ action: TaskAction, on id: Identifier, by person: Person, reason: String?, seen: Int,
    examined: Int? = nil, shown: String? = nil, needsCleanPhotos: Bool = false
  ) async throws -> InspectionTask {
    let now = clock.deviceTime
    return try await database.write(in: person.agency) { session in
      var task = try session.tasks.task(id)
      guard task.history.count == seen else {
        throw OfficeRefusal(
          .taskChanged,
          "\(Self.lastStep(of: task)), after you opened this page; it is"
            + " \(word: task.state.title) now. Your decision was not made: look again, then decide")
      }
      let photos = try session.photos.list(.task(id)).filter { $0.deletedReason == nil }
      let isForPhotos = TransitionRule.table.contains {
        $0.action == action && $0.guard == .isChecked
      }
      if isForPhotos, let shown, shown != Self.mark(of: task, photos) {
        throw OfficeRefusal(
          .taskChanged,
          "a photo came to the task or left it, or a note was written, after you looked at it. Your decision was not made:"
            + " look again, then decide")
      }
      if needsCleanPhotos, try session.photos.counts(of: [id])[id]?.isClean != true {
        throw OfficeRefusal(
          .taskChanged,
          "what the checks found of its photos has changed meanwhile: look at it by itself")
      }
      let checked = photos.count { $0.verdict != nil }
      let transition = try task.perform(
        action, by: person, id: Identifier(at: now), at: now, reason: reason,
        photos: photos.count, unchecked: photos.count - min(checked, max(0, examined ?? checked)))
      try session.tasks.save(transition, of: task, revision: task.revision)
      try session.log.add(
        log(
          "task-\(transition.to.rawValue)", on: id.description, by: person.login,
          agency: person.agency, detail: transition.reason))
      return task
    }
  }

  /// What a page showed of a task: the same for the same whole photos and notes, another for any others.
  package static func mark(of task: InspectionTask, _ photos: [ReceivedPhoto]) -> String {
    let shown = photos.filter { $0.deletedReason == nil }.sorted { $0.photo.id < $1.photo.id }
    let texts =
      [task.note ?? ""] + shown.flatMap { [$0.photo.id.description, $0.photo.note ?? ""] }
    // A digest of each, so that no text can stand for the next one's beginning.
    let digests = texts.map { Digest.hexadecimal(Array($0.utf8)) }
    return String(Digest.hexadecimal(Array(digests.joined().utf8)).prefix(16))
  }
}
