import Evidence
import Inspection
import Office
import Store
import Sync
import TimeAndText

/// The task of a photo, as far as the photo needs it.
struct PhotosTask {
  /// The task's identifier here; nil if it was not carried over, or is another agency's than the
  /// photo.
  let id: Identifier?
  /// The agency that has the task; nil if the task was not carried over.
  let agency: String?
  /// The decision made on the task here before its photo comes; nil if there is none.
  var decision: TaskState?
}

extension CarryOver {
  /// The number of photos in one transaction. The first of a new task's photos come in one
  /// transaction with it.
  static let photosAtOnce = 100

  /// Carries tasks over, each with its photos.
  func carryTasks(_ stage: DumpStage, _ folder: PictureFolder?) async throws {
    var types: [Int64: String] = [:]
    try await forEach(.taskType, of: stage, nil) { row in
      types[row.number] = row.name("name", charactersAtMost: 100)
    }
    let all = try stage.count(of: OlderTable.task.rawValue)
    var done = 0
    try await forEach(
      .task, of: stage, .tasks,
      unusable: { row in
        // Photos of such a task belong to their users.
        try await carryPhotos(of: row, PhotosTask(id: nil, agency: nil), nil, stage, folder)
        done += 1
      }
    ) { row in
      try report(.tasks, done, all)
      try await carry(row, types, stage, folder)
      done += 1
    }
    try report(.tasks, done, all)
  }

  private func carry(
    _ row: OlderRow, _ types: [Int64: String], _ stage: DumpStage, _ folder: PictureFolder?
  ) async throws {
    let shown = row.name("name", charactersAtMost: 200) ?? "task \(row.number)"
    if row.flag("flg_deleted") {
      count(.tasks) { $0.deleted += 1 }
      return try passOverPhotos(ofDeleted: row, shown, stage, folder)
    }
    let nowhere = PhotosTask(id: nil, agency: nil)
    guard let user = row.integer("user_id").flatMap({ users[$0] }) else {
      try leave(
        .userUnknown, .tasks, row, shown,
        why: "its user \(row.raw("user_id") ?? "") was not carried over")
      return try await carryPhotos(of: row, nowhere, nil, stage, folder)
    }
    let marks = [row.raw("date_created") ?? "", row.raw("name") ?? ""].filter { !$0.isEmpty }
    let older = OlderTask(status: row.text("status") ?? "", flags: try flags(of: row, stage))
    let reference = "\(options.source)-\(row.number)"
    let (known, other) = try await office.database.read(in: user.agency) { session in
      (
        try session.phones.carriedOver(.task, number: row.number, source: options.source),
        try session.tasks.task(withReference: "reference\n\(reference)")
      )
    }
    if let known, !isSame(known, marks) {
      try leave(
        .numberTaken, .tasks, row, shown,
        why: "another task \(row.number) was carried over from \(options.source) before")
      return try await carryPhotos(of: row, nowhere, nil, stage, folder)
    }
    if let id = known.flatMap({ Identifier($0.subject) }) ?? other {
      count(.tasks) { $0.here += 1 }
      // Each import repeats the remarks, because the report of the first one may be lost.
      if known != nil { try remark(row, older, shown, reference, user) }
      let decision = try await goOn(
        row, older, shown, id, reference, in: user.agency, isCarriedOver: known != nil)
      return try await carryPhotos(
        of: row, PhotosTask(id: id, agency: user.agency, decision: decision), nil, stage, folder)
    }
    try remark(row, older, shown, reference, user)
    try await carry(row, older, types, shown, marks, reference, user, stage, folder)
  }

  private func flags(
    of row: OlderRow, _ stage: DumpStage
  ) throws -> [(flag: Int64, timestamp: String)] {
    let rows = try stage.rows(
      of: OlderTable.taskFlag.rawValue, belongingTo: row.number, after: -1, limit: 1000)
    return try rows.map { staged in
      let flag = try OlderRow(staged)
      return (flag.integer("flag_id") ?? 0, flag.text("timestamp") ?? "")
    }
  }

  /// Reports the differences between a task here and there.
  private func remark(
    _ row: OlderRow, _ older: OlderTask, _ shown: String, _ reference: String, _ user: CarriedUser
  ) throws {
    try noteDamage(row, shown)
    if user.role != .inspector {
      try note(
        .officersTask, row, shown,
        why: "it is \(user.login)'s, who is an officer: nobody can go on with it on a device")
    }
    if row.name("name", charactersAtMost: 500) == nil {
      try note(.nameMissing, row, shown, why: "it had no name, and is called \"\(reference)\" here")
    }
    let times = zones[user.agency] ?? utc
    if row.time("date_created", times) == nil {
      try note(
        .timeUnreadable, row, shown,
        why:
          "date_created is \(row.text("date_created") ?? "missing"): it has the time of its last change"
      )
    }
    if row.time("task_due_date", times) == nil, let text = row.text("task_due_date"),
      !text.hasPrefix("0000")
    {
      try note(
        .timeUnreadable, row, shown, why: "task_due_date is \(text): it has no date here")
    }
    if let doubt = older.state.doubt { try note(doubt.remark, row, shown, why: doubt.why) }
  }

  /// Brings a task that is here to the state that it has reached there since, if only imports have
  /// worked on it here; otherwise it stays as it is.
  /// - Returns: the decision that an officer made on it here; nil if there is none.
  private func goOn(
    _ row: OlderRow, _ older: OlderTask, _ shown: String, _ id: Identifier, _ reference: String,
    in agency: String, isCarriedOver: Bool
  ) async throws -> TaskState? {
    var task = try await office.database.read(in: agency) { try $0.tasks.task(id) }
    let (state, before) = (older.state.state, task.state)
    let decision = task.state == .accepted || task.state == .declined ? task.state : nil
    let isUntouched = isCarriedOver && task.history.allSatisfy { $0.person.login == person }
    let noteThere = row.text("note").flatMap { $0 == task.note ? nil : $0 }
    guard before != state || (isUntouched && noteThere != nil) else {
      return isUntouched ? nil : decision
    }
    let actions = OlderTask.actions(from: before, to: state)
    guard isUntouched, let actions else {
      try note(
        .taskDiffers, row, shown,
        why: "it is \(before.rawValue) here, and would be \(state.rawValue) by the dump")
      return decision
    }
    try note(
      .taskWentOn, row, shown,
      why: before == state
        ? "it has another note there by now"
        : "it was \(before.rawValue) here, and is \(state.rawValue) now, as there")
    guard !options.isCheck else { return nil }
    let steps = try older.steps(
      of: &task, by: actions, facts: older.facts(reference, row),
      returned: row.text("text_returned"), declined: row.text("text_reason"), by: person, at: now)
    try await office.database.write(in: agency) { session in
      for step in steps { try session.tasks.save(step, of: task, revision: task.revision) }
      if let noteThere { try session.tasks.setNote(noteThere, of: id) }
      try session.log.add(
        office.log(
          "task-carried-over", on: id.description, by: person, agency: agency,
          detail: "\(reference), \(task.state.rawValue)"))
    }
    return nil
  }

  private func carry(
    _ row: OlderRow, _ older: OlderTask, _ types: [Int64: String], _ shown: String,
    _ marks: [String], _ reference: String, _ user: CarriedUser, _ stage: DumpStage,
    _ folder: PictureFolder?
  ) async throws {
    let times = zones[user.agency] ?? utc
    let name = row.name("name", charactersAtMost: 500)
    // The time of the last change, which phones have caused, is in UTC.
    let time = row.time("date_created", times) ?? row.time("timestamp", utc) ?? now
    let due = row.time("task_due_date", times)
    var task = InspectionTask(
      id: Identifier(at: time), agency: user.agency, inspector: user.login,
      name: name ?? reference, type: row.integer("type_id").flatMap { types[$0] },
      instructions: row.text("text"), created: time, due: due, note: row.text("note"))
    let steps = try older.steps(
      of: &task, by: OlderTask.actions(to: older.state.state), facts: older.facts(reference, row),
      returned: row.text("text_returned"),
      declined: row.text("text_reason"), by: person, at: now)
    let carried = CarriedOver(
      agency: user.agency, inspector: user.login, source: options.source, kind: .task,
      number: row.number, subject: task.id.description, marks: marks,
      facts: Self.facts(
        row,
        [
          "status", "created_id", "date_created", "task_due_date", "timestamp", "text_returned",
          "text_reason",
        ]), time: now)
    count(.tasks) { $0.carried += 1 }
    try await carryPhotos(
      of: row, PhotosTask(id: task.id, agency: user.agency),
      ArrivingTask(
        task: task, steps: steps, reference: "reference\n\(reference)", carried: carried),
      stage, folder)
  }

  /// Returns columns of a row as the dump has them, as a JSON object.
  static func facts(_ row: OlderRow, _ names: [String]) -> String {
    var facts: [String: JSONValue] = [:]
    for name in names { facts[name] = row.raw(name).map { .string($0) } }
    return String(decoding: JSONValue.object(facts).canonicalBytes, as: UTF8.self)
  }

  // MARK: a task and its photos

  /// A task that comes together with its first photos.
  struct ArrivingTask {
    let task: InspectionTask
    let steps: [TaskTransition]
    let reference: String
    let carried: CarriedOver
  }

  /// Keeps a task with its transitions, its reference and its number there.
  private func keep(_ arriving: ArrivingTask, _ session: any AgencyTransaction) throws {
    let task = arriving.task
    try session.tasks.insert(task)
    for step in arriving.steps { try session.tasks.save(step, of: task, revision: task.revision) }
    try session.tasks.keep(reference: arriving.reference, ofTask: task.id)
    try session.phones.insert(arriving.carried)
    try session.log.add(
      office.log(
        "task-carried-over", on: task.id.description, by: person, agency: task.agency,
        detail: "\(arriving.carried.reference), \(task.state.rawValue)"))
  }

  /// Carries a task's photos over. A new task comes together with the first of them.
  private func carryPhotos(
    of row: OlderRow, _ task: PhotosTask, _ arriving: ArrivingTask?, _ stage: DumpStage,
    _ folder: PictureFolder?
  ) async throws {
    var arriving = arriving
    var last: Int64 = -1
    while true {
      let rows =
        folder == nil
        ? []
        : try stage.rows(
          of: OlderTable.photo.rawValue, belongingTo: row.number, after: last,
          limit: Self.photosAtOnce)
      var photos: [PreparedPhoto] = []
      do {
        for staged in rows {
          guard let folder, let photo = try usable(OlderRow(staged), .photos) else { continue }
          if let prepared = try await prepare(photo, task, of: row.number, folder) {
            photos.append(prepared)
          }
        }
        if arriving != nil || !photos.isEmpty {
          try await keep(photos, in: task.agency) { session in
            if let arriving { try self.keep(arriving, session) }
          }
        }
      } catch {
        await forget(photos)
        throw error
      }
      arriving = nil
      guard let end = rows.last?.number else { return }
      last = end
    }
  }

  /// Counts or reports the photos of a task that was deleted there: they are deleted with it.
  private func passOverPhotos(
    ofDeleted row: OlderRow, _ shown: String, _ stage: DumpStage, _ folder: PictureFolder?
  ) throws {
    guard folder != nil else { return }
    var last: Int64 = -1
    while true {
      let rows = try stage.rows(
        of: OlderTable.photo.rawValue, belongingTo: row.number, after: last,
        limit: Self.photosAtOnce)
      guard let end = rows.last?.number else { return }
      for staged in rows {
        guard let photo = try usable(OlderRow(staged), .photos) else { continue }
        if photo.flag("flg_deleted") {
          count(.photos) { $0.deleted += 1 }
        } else {
          try leave(
            .taskDeleted, .photos, photo, "photo \(photo.number)",
            why: "its task \(row.number), \(shown), was deleted there")
        }
      }
      last = end
    }
  }
}
