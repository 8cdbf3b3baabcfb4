import Evidence
import Foundation
import Imports
import Inspection
import Judgement
import Store
import Sync
import TimeAndText

/// Takes the orders of officers.
package struct Orders: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
  let people: People
}

extension Orders {
  /// Adds the ordered tasks: all of them, or none.
  /// - Throws: `OfficeRefusal` with the first order that cannot be taken.
  @discardableResult
  public func addTasks(
    _ orders: [TaskOrder], in agency: String, by login: String
  ) async throws -> [InspectionTask] {
    let now = clock.deviceTime
    let inspectors = Set(try await people.activeInspectors(ofAgency: agency).map(\.login))
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
          parcel: try land(of: order, in: agency), repeats: order.repeats,
          sets: try order.sets()))
    }
    try await database.write(in: agency) { session in
      var templates = OrderTemplates(session)
      for task in tasks {
        try session.tasks.insert(task)
        try templates.keep(for: task)
        try session.log.add(
          log("task-ordered", on: task.id.description, by: login, agency: agency, detail: task.name)
        )
      }
    }
    return tasks
  }

  /// Returns the order's outline; without one, the outline of the agency's parcel of this
  /// identifier; nil if there is neither.
  private func land(of order: TaskOrder, in agency: String) async throws -> Parcel? {
    guard order.parcel == nil, let identifier = order.parcelIdentifier else { return order.parcel }
    return try await database.read(in: agency) { try $0.parcels.parcel(identifier) }?
      .declared.parcel
  }

  /// Changes the order of a task. The earlier order is kept, because work may have been done under
  /// it.
  ///
  /// - Parameter isSeen: returns true if the task, with the mark of its photos, is still the one
  ///   that the officer saw; nil if the caller does not say which one that was.
  /// - Throws: `OfficeRefusal`: task-changed if it is another one; unknown, rule-forbids,
  ///   input-invalid.
  @discardableResult
  public func changeOrder(
    of id: Identifier, in agency: String, by login: String,
    isSeen: ((InspectionTask, _ shown: String) -> Bool)? = nil,
    _ change: (inout InspectionTask) throws -> Void
  ) async throws -> InspectionTask {
    try await database.write(in: agency) { session in
      try changeOrder(of: id, by: login, isSeen: isSeen, session, change)
    }
  }

  /// Changes the order of a task in a transaction. See the function above.
  @discardableResult
  package func changeOrder(
    of id: Identifier, by login: String, isSeen: ((InspectionTask, _ shown: String) -> Bool)? = nil,
    _ session: any AgencyTransaction, _ change: (inout InspectionTask) throws -> Void
  ) throws -> InspectionTask {
    let before = try session.tasks.task(id)
    if let isSeen, !isSeen(before, Review.mark(of: before, try session.photos.list(.task(id)))) {
      throw OfficeRefusal(
        .taskChanged,
        "the task changed or got new photos after you opened it: its order is now revision"
          + " \(before.revision). Your change was not saved: look at the task again, then"
          + " change it")
    }
    guard before.state.isEditable else {
      throw OfficeRefusal(
        .ruleForbids,
        "the task is \(word: before.state.title): its order can no longer be changed")
    }
    var after = before
    try change(&after)
    guard !after.name.isEmpty else { throw OfficeRefusal(.inputInvalid, "a task needs a name") }
    try keepOrder(&after, inPlaceOf: before, by: login, session)
    return after
  }

  /// Keeps a changed order as the task's next revision.
  package func keepOrder(
    _ after: inout InspectionTask, inPlaceOf before: InspectionTask, by login: String,
    _ session: any AgencyTransaction
  ) throws {
    after.revision = before.revision + 1
    try session.tasks.replaceOrder(of: before, with: after, at: clock.deviceTime)
    // The items stay as they were ordered, whatever versions came since; another type has its own.
    if after.type != before.type {
      var templates = OrderTemplates(session)
      try templates.keep(for: after, insteadOf: before)
    }
    // The parcel may be another one: the places of the photos are checked again.
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
}

extension Orders {
  /// Orders the same of another inspector, in a transaction. The items are those of the order's own
  /// version, and the reference under which the task was ordered names the new one.
  /// - Returns: the new task.
  package func order(
    _ task: InspectionTask, of inspector: String, by login: String,
    _ session: any AgencyTransaction
  ) throws -> InspectionTask {
    let now = clock.deviceTime
    let copy = InspectionTask(
      id: Identifier(at: now), agency: task.agency, inspector: inspector, name: task.name,
      type: task.type, instructions: task.instructions, created: now, due: task.due,
      parcel: task.parcel, repeats: task.repeats, sets: task.sets, places: task.places,
      attachments: task.attachments)
    try session.tasks.insert(copy)
    if let items = try session.tasks.items(ofTasks: [task.id])[task.id] {
      try session.tasks.keep(template: (items.type, items.version), ofTask: copy)
    }
    try session.bulk.moveReference(from: task.id, to: copy.id)
    try session.log.add(
      log(
        "task-ordered", on: copy.id.description, by: login, agency: task.agency, detail: copy.name))
    return copy
  }

  /// Requires that nothing has happened to an order since it was made.
  package func requireUntouched(_ task: InspectionTask) throws(OfficeRefusal) {
    guard task.history.isEmpty, task.revision == 1 else {
      throw OfficeRefusal(
        .taskChanged, "the order of \(task.inspector) has changed meanwhile: it stays as it is")
    }
  }
}

/// Gives orders the newest version of their type's template, in one transaction.
struct OrderTemplates {
  private let session: any AgencyTransaction
  /// The numbers of the newest versions that were looked up; nil for a type without a template.
  private var versions: [String: Int?] = [:]

  init(_ session: any AgencyTransaction) { self.session = session }

  /// Keeps the version for an order.
  /// - Parameter before: the order that it replaces; nil for a new task.
  mutating func keep(for task: InspectionTask, insteadOf before: InspectionTask? = nil) throws {
    let version = try task.type.flatMap { try newest(ofType: $0) }
    if let type = task.type, let version {
      try session.tasks.keep(template: (type, version), ofTask: task)
    } else if let before, try session.tasks.items(ofTasks: [before.id])[before.id] != nil {
      try session.tasks.keep(template: nil, ofTask: task)
    }
  }

  private mutating func newest(ofType type: String) throws -> Int? {
    if let known = versions[type] { return known }
    let version = try session.templates.template(ofType: type, version: nil)?.version
    versions.updateValue(version, forKey: type)
    return version
  }
}
