import Imports
import Inspection
import Office
import Store
import Sync
import TimeAndText
import Web

/// Plans, does and undoes acts on many tasks at once, each task by the rules for one.
package struct BulkService: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
  let review: Review
  let orders: Orders
  let people: People

  /// Creates the service of an office.
  package init(of office: OfficeServer) {
    (core, review, orders, people) = (office.core, office.review, office.orders, office.people)
  }

  /// The most steps of one transaction: other writers need not wait for all of an act.
  private static let stepsAtOnce = 50
}

// The plan.
extension BulkService {
  /// Plans an act: what will happen to each task, as it is now.
  /// - Parameter list: the address of the list from which the tasks were chosen.
  /// - Returns: the identifier of the plan.
  /// - Throws: `OfficeRefusal` for no task or more than `BulkAct.mostTasks`; `StoreError.unknown` for an
  ///   identifier that is no task of the agency.
  package func plan(
    _ kind: BulkAct.Kind, _ ids: [Identifier], list: String, by person: Person
  ) async throws -> Identifier {
    try OfficeRefusal.require(.officer, of: person.role)
    guard !ids.isEmpty else {
      throw OfficeRefusal(.ruleForbids, "select tasks in the list first")
    }
    guard ids.count <= BulkAct.mostTasks else {
      throw OfficeRefusal(
        .inputInvalid,
        "\(ids.count) tasks are more than can be changed at once: filter the list until it has at most"
          + " \(BulkAct.mostTasks)")
    }
    let now = clock.deviceTime
    let act = BulkAct(
      id: Identifier(at: now), kind: kind, officer: person.login, list: list, planned: now)
    let steps = try await kind == .accept ? acceptances(ids, person) : steps(kind, ids, person)
    try await database.write(in: person.agency) { session in
      try session.bulk.removePlans(before: now.advanced(bySeconds: -BulkAct.planSeconds))
      try session.bulk.insert(act, steps)
    }
    return act.id
  }

  private func acceptances(_ ids: [Identifier], _ person: Person) async throws -> [BulkStep] {
    try await review.candidates(ids, in: person.agency, for: person.role).map { candidate in
      BulkStep(
        task: candidate.task.id, transitions: candidate.task.history.count,
        revision: candidate.task.revision, examined: candidate.count.photos,
        shown: candidate.shown, state: candidate.obstacle == nil ? .planned : .left,
        words: candidate.obstacle?.words(for: candidate.task.state))
    }
  }

  private func steps(
    _ kind: BulkAct.Kind, _ ids: [Identifier], _ person: Person
  ) async throws -> [BulkStep] {
    try await database.read(in: person.agency) { session in
      try ids.map { id in
        let task = try session.tasks.task(id)
        let isPossible = kind.isPossible(from: task.state)
        let words: Wording = "it is \(word: task.state.title), and cannot be changed like this"
        return BulkStep(
          task: id, transitions: task.history.count, revision: task.revision,
          state: isPossible ? .planned : .left, words: isPossible ? nil : words)
      }
    }
  }

  /// Returns an act of this officer with the numbers of its steps.
  /// - Throws: `StoreError.unknown` for another officer's.
  package func act(
    _ id: Identifier, of person: Person
  ) async throws -> (act: BulkAct, counts: [BulkStep.State: Int]) {
    try await database.read(in: person.agency) { session in
      (try Self.own(id, person, session), try session.bulk.counts(ofAct: id))
    }
  }

  private static func own(
    _ id: Identifier, _ person: Person, _ session: any AgencyTransaction
  ) throws -> BulkAct {
    guard let act = try session.bulk.act(id), act.officer == person.login else {
      throw StoreError.unknown(what: "act", id: id.description)
    }
    return act
  }
}

// The doing.
extension BulkService {
  /// The words of an officer who does a planned act.
  package struct Order: Sendable {
    /// The reason, the inspector's login or the date in RFC 3339; nil for none.
    package var value: String?
    /// The reason that the history of a withdrawn task has; nil for none.
    package var reason: String?
    /// The tasks of the plan to which the act is not done.
    package var without: Set<Identifier>

    /// Creates the words of an officer.
    package init(value: String?, reason: String?, without: Set<Identifier> = []) {
      (self.value, self.reason, self.without) = (value, reason, without)
    }
  }

  /// Does a planned act, task after task. A refusal of one task does not stop the others. If the office
  /// ends meanwhile, the rest stays planned, and the same call goes on with it.
  /// - Throws: `OfficeRefusal` if the value is not one of the kind; `StoreError` if the storage cannot be
  ///   used.
  package func perform(_ id: Identifier, _ order: Order, by person: Person) async throws {
    try OfficeRefusal.require(.officer, of: person.role)
    let (known, counts) = try await act(id, of: person)
    guard counts[.planned] != nil else { return }
    // An act that was begun goes on as it began.
    try await requireUsable(
      known.done == nil ? order.value : known.value, for: known.kind, in: person.agency)
    let act = try await begin(id, order, by: person)
    try await forEachStep(ofAct: id, .planned, person) { step, session in
      try perform(act, order, &step, by: person, session)
      step.change = try session.bulk.newestChange(ofTask: step.task)
      step.state = .done
    } otherwise: {
      ($0.state, $0.words) = (.refused, $1)
    }
    try await hold(id, person)
  }

  /// Holds an act from its first step on, and leaves out the tasks that the officer took out.
  private func begin(
    _ id: Identifier, _ order: Order, by person: Person
  ) async throws -> BulkAct {
    try await database.write(in: person.agency) { session in
      var act = try Self.own(id, person, session)
      if act.done == nil {
        (act.value, act.done) = (order.value, clock.deviceTime)
        try leave(id, session) { order.without.contains($0) }
      }
      try session.bulk.save(act, heldUntil: held)
      return act
    }
  }

  /// Leaves out planned steps of an act.
  /// - Parameter isLeft: true for the tasks that are left out.
  private func leave(
    _ id: Identifier, _ session: any AgencyTransaction, where isLeft: (Identifier) -> Bool
  ) throws {
    let planned = try session.bulk.steps(ofAct: id, .planned, from: 0, limit: BulkAct.mostTasks)
    for (number, step) in planned where isLeft(step.task) {
      var step = step
      step.state = .left
      try session.bulk.save(step, number: number, ofAct: id)
    }
  }

  /// Holds a finished act for its whole time from now on.
  private func hold(_ id: Identifier, _ person: Person) async throws {
    try await database.write(in: person.agency) { session in
      try session.bulk.save(try Self.own(id, person, session), heldUntil: held)
    }
  }

  /// Calls `body` with each step of an act in one state, some in a transaction; each whole or not at
  /// all.
  /// - Parameter otherwise: called with a step that was refused, and the words of the refusal.
  private func forEachStep(
    ofAct id: Identifier, _ state: BulkStep.State, _ person: Person,
    _ body: (inout BulkStep, any AgencyTransaction) throws -> Void,
    otherwise refuse: (inout BulkStep, Wording) -> Void
  ) async throws {
    var number: Int? = 0
    while let next = number {
      number = try await database.write(in: person.agency) { session in
        let steps = try session.bulk.steps(ofAct: id, state, from: next, limit: Self.stepsAtOnce)
        for (number, known) in steps {
          var step = known
          do {
            try session.attempt { try body(&step, session) }
          } catch {
            step = known
            refuse(&step, try Self.words(of: error))
          }
          try session.bulk.save(step, number: number, ofAct: id)
        }
        return steps.last.map { $0.number + 1 }
      }
    }
  }

  /// Returns the words of a refusal, or of a task that cannot be read.
  /// - Throws: any error that stops the whole act.
  private static func words(of error: any Error) throws -> Wording {
    if case StoreError.damagedRow(let what) = error { return "it cannot be read: \(what)" }
    guard let refusal = OfficeRefusal(of: error), refusal.kind != .storeUnavailable else {
      throw error
    }
    return refusal.wording
  }

  private func requireUsable(
    _ value: String?, for kind: BulkAct.Kind, in agency: String
  ) async throws {
    switch kind {
    case .accept, .withdraw, .giveBack:
      if let action = kind.action, action.rule.needsReason, InspectionTask.isBlank(value) {
        throw InspectionError.reasonMissing(action: action)
      }
    case .reassign:
      let inspectors = try await people.activeInspectors(ofAgency: agency)
      guard let value, inspectors.contains(where: { $0.login == value }) else {
        throw OfficeRefusal(.inputInvalid, "choose the inspector who gets the tasks")
      }
    case .moveDue:
      guard let value, TaskOrder.due(value) != nil else {
        throw OfficeRefusal(.inputInvalid, "choose the day on which the tasks are due")
      }
    }
  }

  /// The time from which devices are told of something that is done now.
  private var held: DeviceTime { clock.deviceTime.advanced(bySeconds: BulkAct.heldSeconds) }

  /// Does an act to one task.
  private func perform(
    _ act: BulkAct, _ order: Order, _ step: inout BulkStep, by person: Person,
    _ session: any AgencyTransaction
  ) throws {
    switch act.kind {
    case .accept:
      try review.decide(
        .accept, on: step.task, by: person, reason: nil, seen: step.transitions,
        examined: step.examined, shown: step.shown, heldUntil: held, needsCleanPhotos: true,
        session)
    case .giveBack, .withdraw:
      try review.decide(
        act.kind == .withdraw ? .withdraw : .returnToInspector, on: step.task, by: person,
        reason: act.value, seen: step.transitions, heldUntil: held, session)
    case .reassign:
      try reassign(&step, to: act.value ?? "", reason: order.reason, by: person, session)
    case .moveDue:
      try moveDue(&step, to: act.value.flatMap(TaskOrder.due), by: person, session)
    }
  }

  private func reassign(
    _ step: inout BulkStep, to inspector: String, reason: String?, by person: Person,
    _ session: any AgencyTransaction
  ) throws {
    let task = try session.tasks.task(step.task)
    guard task.inspector != inspector else {
      throw OfficeRefusal(.ruleForbids, "\(inspector) already has it")
    }
    try review.decide(
      .withdraw, on: task.id, by: person, reason: reason, seen: step.transitions, heldUntil: held,
      session)
    let copy = try orders.order(task, of: inspector, by: person.login, session)
    step.copy = BulkStep.Copy(
      task: copy.id, change: try session.bulk.newestChange(ofTask: copy.id))
    try session.log.add(
      log(
        "task-handed-on", on: task.id.description, by: person.login, agency: person.agency,
        detail: inspector))
  }

  private func moveDue(
    _ step: inout BulkStep, to due: DeviceTime?, by person: Person,
    _ session: any AgencyTransaction
  ) throws {
    let before = try session.tasks.task(step.task)
    guard before.due != due else {
      throw OfficeRefusal(.ruleForbids, "it is already due on that day")
    }
    guard before.revision == step.revision else { throw Self.orderChanged(before) }
    try orders.changeOrder(of: before.id, by: person.login, session) { $0.due = due }
    step.dueBefore = before.due
  }

  private static func orderChanged(_ task: InspectionTask) -> OfficeRefusal {
    OfficeRefusal(
      .taskChanged,
      "its order has changed meanwhile and is now revision \(task.revision): look at the task again"
    )
  }
}

// The undoing.
extension BulkService {
  /// Undoes an act, task after task: each of which no device has heard. A task whose undoing is refused
  /// stays as it is; what is still planned is left out.
  package func undo(_ id: Identifier, by person: Person) async throws {
    try OfficeRefusal.require(.officer, of: person.role)
    let act = try await database.write(in: person.agency) { session in
      var act = try Self.own(id, person, session)
      guard act.done != nil else {
        throw OfficeRefusal(.ruleForbids, "it is not done yet: there is nothing to undo")
      }
      try leave(id, session) { _ in true }
      if act.undone == nil { act.undone = clock.deviceTime }
      try session.bulk.save(act, heldUntil: held)
      return act
    }
    try await forEachStep(ofAct: id, .done, person) { step, session in
      try undo(act, step, by: person, session)
      step.state = .undone
    } otherwise: {
      ($0.state, $0.words) = (.kept, $1)
    }
    try await database.write(in: person.agency) { session in
      try session.bulk.save(try Self.own(id, person, session), heldUntil: nil)
    }
  }

  private func undo(
    _ act: BulkAct, _ step: BulkStep, by person: Person, _ session: any AgencyTransaction
  ) throws {
    let task = try session.tasks.task(step.task)
    try requireUntold(task, step.change, session)
    guard act.kind != .moveDue else {
      guard task.revision == step.revision + 1 else { throw Self.orderChanged(task) }
      try orders.changeOrder(of: task.id, by: person.login, session) { $0.due = step.dueBefore }
      return
    }
    if let copy = step.copy { try takeBack(copy, for: task, by: person, session) }
    try review.undo(
      task.id, by: person, seen: step.transitions + 1,
      // No device has heard of it, so that there is no moment from which it could not be undone.
      until: held, session)
  }

  /// Withdraws the order of another inspector of which no device has heard; none ever will.
  private func takeBack(
    _ copy: BulkStep.Copy, for task: InspectionTask, by person: Person,
    _ session: any AgencyTransaction
  ) throws {
    let other = try session.tasks.task(copy.task)
    try requireUntold(other, copy.change, session)
    try orders.requireUntouched(other)
    guard try session.photos.list(.task(other.id)).isEmpty else {
      throw OfficeRefusal(
        .taskChanged, "the order of \(other.inspector) has photos meanwhile: it stays as it is")
    }
    try review.decide(.withdraw, on: other.id, by: person, reason: nil, seen: 0, session)
    try session.bulk.moveReference(from: other.id, to: task.id)
    try session.log.add(
      log(
        "order-taken-back", on: task.id.description, by: person.login, agency: person.agency,
        detail: other.inspector))
  }

  private func requireUntold(
    _ task: InspectionTask, _ change: Int?, _ session: any AgencyTransaction
  ) throws {
    guard let change, try session.bulk.told(toInspector: task.inspector) < change else {
      throw OfficeRefusal(
        .ruleForbids, "a device of \(task.inspector) has fetched it already: it stays as it is")
    }
  }
}
