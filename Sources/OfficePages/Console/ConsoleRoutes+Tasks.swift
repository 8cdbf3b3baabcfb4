import Evidence
import Foundation
import Imports
import Inspection
import Office
import Positioning
import Store
import Sync
import Web

extension ConsoleRoutes {
  /// The parameters that filter tasks.
  static let filters = ["text", "state", "inspector", "type", "parcel", "due", "photos", "area"]

  func addTasks(to routes: inout Routes) {
    let tasks = Self.path + "/tasks"
    let one = tasks + "/{id}"
    routes.get(tasks, machine: true) { request in
      try await asking(request, query: Self.filters + ["sort"] + ConsoleQuery.paging) {
        try await list($0)
      }
    }
    routes.post(tasks, machine: true) { request in
      try await asking(request, [.officer]) { try await order($0) }
    }
    routes.get(one, machine: true) { request in
      try await asking(request) { asker in
        let (task, tag) = try await shown(try identifier(asker), in: asker.agency)
        return try json(task, tag: tag, request)
      }
    }
    routes.patch(one, machine: true) { request in
      try await asking(request, [.officer]) { try await changeOrder($0) }
    }
    routes.post(one + "/decisions", machine: true) { request in
      try await asking(request) { try await decide($0) }
    }
    routes.get(one + "/orders", machine: true) { request in
      try await asking(request) { asker in
        let id = try identifier(asker)
        return try json(
          ConsoleOrders(
            try await office.database.read(in: asker.agency) { session in
              _ = try session.tasks.task(id)
              return try session.tasks.earlierOrders(of: id)
            }))
      }
    }
    routes.get(one + "/conflicts", machine: true) { request in
      try await asking(request) { asker in
        let id = try identifier(asker)
        return try json(
          ConsoleConflicts(
            try await office.database.read(in: asker.agency) { session in
              _ = try session.tasks.task(id)
              return try session.tasks.conflicts(of: id)
            }))
      }
    }
    routes.get(one + "/late", machine: true) { request in
      try await asking(request) { asker in
        let id = try identifier(asker)
        return try json(
          ConsoleLate(
            try await office.database.read(in: asker.agency) { session in
              _ = try session.tasks.task(id)
              return try session.tasks.late(ofTask: id)
            }))
      }
    }
    routes.get(Self.path + "/inspectors", machine: true) { request in
      try await asking(request) { asker in
        let inspectors = try await office.accounts(ofAgency: asker.agency).filter {
          $0.role == .inspector && $0.disabled == nil
        }
        return try json(
          ConsoleInspectors(
            inspectors: inspectors.map {
              ConsoleInspectors.Inspector(login: $0.login, name: $0.name)
            }))
      }
    }
    routes.get(Self.path + "/task-types", machine: true) { request in
      try await asking(request) { asker in
        try json(
          ConsoleTaskTypes(
            types: try await office.database.read(in: asker.agency) { try $0.tasks.types() })
        )
      }
    }
  }

  /// Returns a task with the mark of its photos, both read at the same moment, and the version tag
  /// for that state.
  private func shown(
    _ id: Identifier, in agency: String
  ) async throws -> (task: ConsoleTask, tag: EntityTag) {
    let (task, mark) = try await office.database.read(in: agency) { session in
      let task = try session.tasks.task(id)
      return (task, OfficeServer.mark(of: task, try session.photos.list(.task(id))))
    }
    return (ConsoleTask(task, shown: mark), EntityTag(of: task, shown: mark))
  }

  // MARK: the list

  /// Returns the filter that a query describes.
  static func filter(_ query: ConsoleQuery) throws -> TaskFilter {
    TaskFilter(
      text: try query.text("text", upTo: 200), state: try query.word("state", TaskState.self),
      inspector: try query.text("inspector", upTo: 64), type: try query.text("type", upTo: 100),
      parcel: try query.text("parcel", upTo: 200), due: try query.word("due", TaskFilter.Due.self),
      photos: try query.word("photos", TaskFilter.Photos.self),
      area: try query["area"].map { text in
        guard let box = AddressText.box(text) else {
          throw OfficeRefusal(
            .inputInvalid, "the parameter \"area\" is no west,south,east,north in degrees")
        }
        return box
      })
  }

  private func list(_ asker: Asker) async throws -> WebResponse {
    let query = asker.query
    let filter = try Self.filter(query)
    let order = try Self.order(named: query["sort"])
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

  private static func order(named text: String?) throws -> TaskSorting {
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

  // MARK: orders

  private func order(_ asker: Asker) async throws -> WebResponse {
    let body = try await body(
      of: asker.request, ["name", "inspector", "type", "instructions", "due", "parcel"],
      limit: 1_048_576)
    // The order is read as if it came from a file of tasks: one set of rules for all ways in.
    var properties: [String: JSONValue] = [:]
    for (name, characters) in [
      ("name", 200), ("inspector", 64), ("type", 100), ("instructions", 5000), ("due", 64),
    ] {
      properties[name] = try body.text(name, upTo: characters).map { .string($0) }
    }
    var feature: [String: JSONValue] = ["type": .string("Feature")]
    if let parcel = try body.object("parcel", ["identifier", "geometry"]) {
      guard let geometry = parcel.value("geometry") else {
        throw OfficeRefusal(.inputInvalid, "\"parcel\" has no geometry, such as a GeoJSON Polygon")
      }
      properties["identifier"] = try parcel.text("identifier", upTo: 200).map { .string($0) }
      feature["geometry"] = geometry
    }
    feature["properties"] = .object(properties)
    let file = JSONValue.object([
      "type": .string("FeatureCollection"), "features": .array([.object(feature)]),
    ])
    let order: TaskOrder
    do {
      order = try TaskFile.orders(fromGeoJSON: Data(file.canonicalBytes))[0]
    } catch {
      throw OfficeRefusal(.inputInvalid, "\(error.reason)")
    }
    let tasks = try await office.addTasks([order], in: asker.agency, by: asker.login)
    let (task, tag) = try await shown(tasks[0].id, in: asker.agency)
    return try json(task, status: 201)
      .setting(header: "Location", to: "\(Self.path)/tasks/\(task.id)")
      .setting(header: "ETag", to: tag.field)
  }

  private func changeOrder(_ asker: Asker) async throws -> WebResponse {
    let id = try identifier(asker)
    _ = try await office.database.read(in: asker.agency) { try $0.tasks.task(id) }
    let condition = try EntityTag.condition(of: asker.request)
    let body = try await body(
      of: asker.request, ["name", "type", "instructions", "due"], isPatch: true)
    let name = try body.text("name", upTo: 200)
    let type = try body.text("type", upTo: 100)
    let instructions = try body.text("instructions", upTo: 5000)
    let due = try body.text("due", upTo: 64).map { text in
      guard let due = TaskOrder.due(text) else {
        throw OfficeRefusal(
          .inputInvalid, "\"due\" is neither a date (2026-06-30) nor a time with its offset")
      }
      return due
    }
    do {
      try await office.changeOrder(
        of: id, in: asker.agency, by: asker.login,
        isSeen: { EntityTag(of: $0, shown: $1).isMeant(by: condition) }
      ) { task in
        // RFC 7396: an absent member stays as it is, and `null` removes the value.
        if body.has("name") { task.name = name ?? "" }
        if body.has("type") { task.type = type }
        if body.has("instructions") { task.instructions = instructions }
        if body.has("due") { task.due = due }
      }
      let (task, tag) = try await shown(id, in: asker.agency)
      return try json(task).setting(header: "ETag", to: tag.field)
    } catch let refusal as OfficeRefusal where refusal.kind == .taskChanged {
      throw OfficeRefusal(.preconditionFailed, refusal.wording)
    }
  }

  // MARK: decisions

  private func decide(_ asker: Asker) async throws -> WebResponse {
    let id = try identifier(asker)
    _ = try await office.database.read(in: asker.agency) { try $0.tasks.task(id) }
    let body = try await body(of: asker.request, ["action", "reason", "seen", "examined", "shown"])
    let possible: [TaskAction] = [.accept, .returnToInspector, .decline, .withdraw, .reopen]
    guard let action = TaskAction(rawValue: try body.neededText("action", upTo: 64)),
      possible.contains(action)
    else {
      throw OfficeRefusal(
        .inputInvalid,
        "\"action\" is none of \(possible.map(\.rawValue).joined(separator: ", "))")
    }
    guard let seen = try body.number("seen", in: 0...1_000_000) else {
      throw OfficeRefusal(
        .inputInvalid, "\"seen\" is missing: how many steps the task had when it was looked at")
    }
    // A page always sends `shown`; a program that forgets it would decide on photos that it has not
    // seen.
    let isForPhotos = [.accept, .decline].contains(action)
    try await office.decide(
      action, on: id, by: try asker.visitor.person(), reason: try body.text("reason", upTo: 2000),
      seen: seen, examined: try body.number("examined", in: 0...1_000_000),
      shown: isForPhotos
        ? try body.neededText("shown", upTo: 64) : try body.text("shown", upTo: 64))
    let (task, tag) = try await shown(id, in: asker.agency)
    return try json(task).setting(header: "ETag", to: tag.field)
  }
}
