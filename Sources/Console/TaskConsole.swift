import Inspection
import Office
import Store
import Sync
import TimeAndText
import Web

/// The tasks, what officers decide on them, and the choices that an order has.
struct TaskConsole: ConsoleGroup {
  let office: OfficeServer

  func add(to routes: inout Routes) {
    let tasks = Self.path + "/tasks"
    let one = tasks + "/{id}"
    routes.get(tasks, machine: true) { request in
      try await asking(request, query: ConsoleQuery.filters + ["sort"] + ConsoleQuery.paging) {
        try await list($0)
      }
    }
    routes.post(tasks, machine: true) { request in
      try await asking(request, [.officer]) { try await order($0) }
    }
    routes.get(one, machine: true) { request in
      try await asking(request) { try await show($0) }
    }
    routes.patch(one, machine: true) { request in
      try await asking(request, [.officer]) { try await changeOrder($0) }
    }
    routes.post(one + "/decisions", machine: true) { request in
      try await asking(request) { try await decide($0) }
    }
    routes.get(one + "/orders", machine: true) { request in
      try await asking(request) { try await earlierOrders($0) }
    }
    routes.get(one + "/conflicts", machine: true) { request in
      try await asking(request) { try await conflicts($0) }
    }
    routes.get(one + "/late", machine: true) { request in
      try await asking(request) { try await late($0) }
    }
    routes.get(Self.path + "/inspectors", machine: true) { request in
      try await asking(request) { try await inspectors($0) }
    }
    routes.get(Self.path + "/task-types", machine: true) { request in
      try await asking(request) { try await types($0) }
    }
  }

  // MARK: the list

  private func list(_ asker: Asker) async throws -> WebResponse {
    let query = asker.query
    let filter = try query.taskFilter()
    let order = try Self.sorting(named: query["sort"])
    // A cursor is valid for one order only. Another filter selects other tasks in the same order,
    // so the cursor stays valid.
    let name = "tasks\(order.isDescending ? "-" : "+")\(order.column.rawValue)"
    let place = try query.place(in: name, keys: order.keyCount)
    let limit = try query.limit()
    let now = office.clock.deviceTime
    let (page, counts) = try await office.database.read(in: asker.agency) { session in
      let page = try session.tasks.page(filter, order, at: now, after: place, limit: limit)
      return (page, try session.photos.counts(of: page.tasks.map(\.id)))
    }
    return try json(
      ConsoleTaskList(
        tasks: page.tasks.map { ConsoleTaskRow($0, counts[$0.id] ?? PhotoCount(), at: now) },
        next: page.next.map { ListCursor.text($0, in: name) }))
  }

  private static func sorting(named text: String?) throws -> TaskSorting {
    guard let text else { return TaskSorting() }
    let isDescending = text.hasPrefix("-")
    guard let column = TaskSorting.Column(rawValue: String(text.dropFirst(isDescending ? 1 : 0)))
    else {
      throw OfficeRefusal(
        .inputInvalid,
        "the parameter \"sort\" is none of "
          + "\(TaskSorting.Column.allCases.map(\.rawValue).joined(separator: ", "))"
          + ", nor one of them behind a minus")
    }
    return TaskSorting(column, isDescending: isDescending)
  }

  // MARK: one task

  private func show(_ asker: Asker) async throws -> WebResponse {
    let (task, tag) = try await shown(try identifier(asker), in: asker.agency)
    return try json(task, tag: tag, asker.request)
  }

  /// Returns a task with the mark of its photos, both read at the same moment, and the version tag
  /// for that state.
  func shown(
    _ id: Identifier, in agency: String
  ) async throws -> (task: ConsoleTask, tag: EntityTag) {
    let (task, mark) = try await office.database.read(in: agency) { session in
      let task = try session.tasks.task(id)
      return (task, Review.mark(of: task, try session.photos.list(.task(id))))
    }
    return (ConsoleTask(task, shown: mark), EntityTag(of: task, shown: mark))
  }

  private func earlierOrders(_ asker: Asker) async throws -> WebResponse {
    let id = try identifier(asker)
    return try json(
      ConsoleOrders(
        try await office.database.read(in: asker.agency) { session in
          _ = try session.tasks.task(id)
          return try session.tasks.earlierOrders(of: id)
        }))
  }

  private func conflicts(_ asker: Asker) async throws -> WebResponse {
    let id = try identifier(asker)
    return try json(
      ConsoleConflicts(
        try await office.database.read(in: asker.agency) { session in
          _ = try session.tasks.task(id)
          return try session.tasks.conflicts(of: id)
        }))
  }

  private func late(_ asker: Asker) async throws -> WebResponse {
    let id = try identifier(asker)
    return try json(
      ConsoleLate(
        try await office.database.read(in: asker.agency) { session in
          _ = try session.tasks.task(id)
          return try session.tasks.late(ofTask: id)
        }))
  }

  // MARK: the choices of an order

  private func inspectors(_ asker: Asker) async throws -> WebResponse {
    let inspectors = try await office.people.activeInspectors(ofAgency: asker.agency)
    return try json(
      ConsoleInspectors(
        inspectors: inspectors.map {
          ConsoleInspectors.Inspector(login: $0.login, name: $0.name)
        }))
  }

  private func types(_ asker: Asker) async throws -> WebResponse {
    try json(
      ConsoleTaskTypes(
        types: try await office.database.read(in: asker.agency) { try $0.tasks.types() }))
  }
}
