import Inspection
import Office
import Store
import Sync
import TimeAndText

extension PhoneScripts {
  /// The most tasks of an inspector in one answer; the newest are sent.
  private static let tasksAtMost = 2000
  /// The most photos without a task in one answer.
  private static let unassignedAtMost = 5000

  /// Answers comm_tasks.
  func tasks(_ form: PHPForm, _ caller: PhoneCaller) async throws -> PHPJSON {
    let user = try await user(form, caller)
    // Numbers are drawn when a thing is listed for the first time, and the office keeps what it has told;
    // later lists only read.
    if let list = try await office.database.read(
      in: caller.agency, { try tasks(of: user.login, caller, $0, isFirst: false) })
    {
      return list
    }
    let list = try await office.database.write(in: caller.agency) {
      try tasks(of: user.login, caller, $0, isFirst: true)
    }
    return list ?? Self.ok([("tasks", .array([]))])
  }

  /// Lists an inspector's tasks by status, and then by the time at which they were created.
  /// - Parameter isFirst: true if the list may have news: numbers are drawn, and what is told is kept.
  /// - Returns: the answer; nil if it has news, and `isFirst` is false.
  private func tasks(
    of login: String, _ caller: PhoneCaller, _ session: any AgencyTransaction, isFirst: Bool
  ) throws -> PHPJSON? {
    let now = office.clock.deviceTime
    let tellable = try session.bulk.newestTellable(toInspector: login, at: now)
    if try session.bulk.told(toInspector: login) < tellable {
      guard isFirst else { return nil }
      try session.bulk.tell(login, through: tellable)
    }
    let held = try session.bulk.heldCopies(at: now)
    var filter = TaskFilter()
    filter.inspector = login
    let found = try session.tasks.page(
      filter, TaskSorting(.created, isDescending: true), at: now, limit: Self.tasksAtMost, offset: 0
    ).filter { !held.contains($0.id) }.map { try asTold($0, session) }
    let sorted = found.compactMap { task in PhoneStatus(task.state).map { (task, $0) } }.sorted {
      ($0.1.rank, $0.0.created, $0.0.id) < ($1.1.rank, $1.0.created, $1.0.id)
    }
    let texts = try texts(of: sorted.map(\.0), session)
    let numbers = try session.phones.phoneTaskNumbers(ofInspector: login)
    let photosOfTasks = try session.phones.phonePhotos(ofTasksOf: login)
    func number(_ kind: PhoneNumberKind, _ id: Identifier, _ known: Int64?) throws -> Int64? {
      try known ?? (isFirst ? session.phones.makePhoneNumber(kind, of: id.description) : nil)
    }
    var list: [PHPJSON] = []
    for (task, status) in sorted {
      guard let id = try number(.task, task.id, numbers[task.id]) else { return nil }
      var photos: [PHPJSON] = []
      for photo in photosOfTasks[task.id] ?? [] {
        guard let id = try number(.photo, photo.id, photo.number) else { return nil }
        photos.append(.text("\(id)"))
      }
      list.append(
        .object([
          ("id", .text("\(id)")), ("status", .text(status.word)), ("name", .text(task.name)),
          ("text", .optional(texts[task.id] ?? task.instructions)),
          ("text_returned", .optional(task.returnReason)),
          ("date_created", .text(caller.times.text(task.created))),
          // The iOS app crashes on a null here, so a task without a date gets one in the far
          // future.
          ("task_due_date", .text(task.due.map(caller.times.text) ?? "2099-12-31 23:59:59")),
          ("note", .optional(task.note)), ("number_of_photos", .count(photos.count)),
          ("flag_valid", .text(task.state == .accepted ? "1" : "0")),
          ("flag_invalid", .text(task.state == .declined ? "1" : "0")),
          ("photos_ids", .array(photos)),
        ]))
    }
    return Self.ok([("tasks", .array(list))])
  }

  /// Returns a task as phones are told of it: without a decision that an officer can still undo.
  private func asTold(
    _ task: InspectionTask, _ session: any AgencyTransaction
  ) throws -> InspectionTask {
    var told = task
    if let last = task.history.last, let until = try session.tasks.heldUntil(last.id),
      until > office.clock.deviceTime
    {
      told.state = last.from
    }
    return told
  }

  /// Answers comm_unassigned.
  func unassigned(_ form: PHPForm, _ caller: PhoneCaller) async throws -> PHPJSON {
    let user = try await user(form, caller)
    func photos(_ session: any AgencyTransaction) throws -> [NumberedPhoto] {
      try session.phones.phonePhotosWithoutTask(
        ofInspector: user.login, limit: Self.unassignedAtMost)
    }
    var numbers = try await office.database.read(in: caller.agency) { try photos($0).map(\.number) }
    // Numbers are drawn when a photo is listed for the first time; later lists only read.
    if numbers.contains(nil) {
      numbers = try await office.database.write(in: caller.agency) { session in
        try photos(session).map {
          try $0.number ?? session.phones.makePhoneNumber(.photo, of: $0.id.description)
        }
      }
    }
    return Self.ok([("photos_ids", .array(numbers.compactMap(\.self).map { .text("\($0)") }))])
  }

  // MARK: status

  /// Answers comm_status. The iOS app names no user here: the task's inspector must have logged in
  /// from the same network.
  func status(_ form: PHPForm, _ caller: PhoneCaller) async throws -> PHPJSON {
    let (task, login) = try await task(form["task_id"], caller)
    try await requireOwner(login, form, caller)
    try await setStatus(form["status"], note: form["note"], of: task, login, caller)
    return Self.ok()
  }

  /// Finds the task that a number names, and its inspector's login.
  /// - Throws: `PhoneRefusal.unknownTask`.
  func task(_ text: String, _ caller: PhoneCaller) async throws -> (id: Identifier, login: String) {
    try await office.database.read(in: caller.agency) { session in
      guard let number = Self.number(text),
        let id = try session.phones.phoneSubject(.task, number: number).flatMap(
          Identifier.init(_:)),
        let task = try StoreError.found({ try session.tasks.task(id) })
      else { throw PhoneRefusal.unknownTask }
      return (id, task.inspector)
    }
  }

  /// Brings a task to a status. If the task has that status already, or a later one, nothing is
  /// done: a phone whose answer was lost asks again.
  func setStatus(
    _ word: String, note: String, of id: Identifier, _ login: String, _ caller: PhoneCaller
  ) async throws {
    guard let target = PhoneStatus(rawValue: word) else { throw PhoneRefusal.statusRefused }
    try await office.database.write(in: caller.agency) { session in
      var task = try session.tasks.task(id)
      guard task.inspector == login, let now = PhoneStatus(task.state) else {
        throw PhoneRefusal.unknownTask
      }
      if now == target { return }
      let person = Person(agency: caller.agency, login: login, role: .inspector)
      let time = office.clock.deviceTime
      func perform(_ action: TaskAction, photos: Int) throws {
        let transition = try task.perform(
          action, by: person, id: Identifier(at: time), at: time,
          contents: TaskContents(photos: photos))
        try session.tasks.save(transition, of: task, revision: task.revision)
        try session.log.add(
          office.log(
            "phone-\(action.rawValue)", on: id.description, by: login, agency: caller.agency))
      }
      switch target {
      case .open:
        if now == .new { try perform(.open, photos: 0) }
      case .provided:
        guard [.new, .open, .returned].contains(now) else { return }
        let photos = try session.photos.list(.task(id)).count { $0.deletedReason == nil }
        guard photos > 0 else { throw PhoneRefusal.noPhotos }
        // The iOS app does not tell that it has opened a task.
        if now == .new { try perform(.open, photos: photos) }
        if !note.isEmpty {
          try session.tasks.setNote(note, of: id)
          task.note = note
        }
        try perform(.provide, photos: photos)
      case .new, .returned, .checked: throw PhoneRefusal.statusRefused
      }
    }
    office.core.arrivals.announce()
  }
}

/// The status of a task in the apps' words. The apps crash on any other word.
enum PhoneStatus: String {
  case new
  case open
  case returned
  case provided = "data provided"
  case checked = "data checked"

  /// Creates the status of a state; nil for a withdrawn task, which the apps are not told of: to
  /// them it is deleted.
  init?(_ state: TaskState) {
    switch state {
    case .new: self = .new
    case .open: self = .open
    case .returned: self = .returned
    case .dataProvided: self = .provided
    case .accepted, .declined: self = .checked
    case .withdrawn: return nil
    }
  }

  var word: String { rawValue }

  /// The place of the status in the list of tasks.
  var rank: Int {
    switch self {
    case .new: 0
    case .open: 1
    case .returned: 2
    case .provided: 3
    case .checked: 4
    }
  }
}
