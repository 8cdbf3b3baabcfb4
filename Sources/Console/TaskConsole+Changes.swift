import Evidence
import Foundation
import Imports
import Inspection
import Office
import TimeAndText
import Web

// Orders, changes of orders, and decisions.
extension TaskConsole {
  // MARK: orders

  func order(_ asker: Asker) async throws -> WebResponse {
    let body = try await body(
      of: asker.request,
      ["name", "inspector", "type", "instructions", "due", "around", "turn", "parcel"],
      limit: 1_048_576)
    let order = try Self.order(from: body)
    let tasks = try await office.orders.addTasks([order], in: asker.agency, by: asker.login)
    let (task, tag) = try await shown(tasks[0].id, in: asker.agency)
    return try json(task, status: 201)
      .setting(header: "Location", to: "\(Self.path)/tasks/\(task.id)")
      .setting(header: "ETag", to: tag.field)
  }

  /// Returns the order that was sent. It is read as if it came from a file of tasks: one set of
  /// rules for all ways in.
  private static func order(from body: ConsoleBody) throws -> TaskOrder {
    var properties: [String: JSONValue] = [:]
    for (name, characters) in [
      ("name", 200), ("inspector", 64), ("type", 100), ("instructions", 5000), ("due", 64),
    ] {
      properties[name] = try body.text(name, upTo: characters).map { .string($0) }
    }
    for name in ["around", "turn"] {
      properties[name] = try body.number(name, in: Self.setSectors).map { .string("\($0)") }
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
    do {
      return try TaskFile.orders(fromGeoJSON: Data(file.canonicalBytes))[0]
    } catch {
      throw OfficeRefusal(.inputInvalid, "\(error.reason)")
    }
  }

  /// The numbers of pictures that a set may have; 0 asks for none. The order says which of them its
  /// kind can have.
  private static let setSectors = 0...FrameSetTerms.aroundSectors.upperBound

  func changeOrder(_ asker: Asker) async throws -> WebResponse {
    let id = try identifier(asker)
    _ = try await office.database.read(in: asker.agency) { try $0.tasks.task(id) }
    let condition = try EntityTag.condition(of: asker.request)
    let body = try await body(
      of: asker.request, ["name", "type", "instructions", "due", "around", "turn"], isPatch: true)
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
    let around = try body.number("around", in: Self.setSectors)
    let turn = try body.number("turn", in: Self.setSectors)
    do {
      // A set that its kind cannot have is refused before anything is read.
      _ = try OrderedSets.none.with(.around, around).with(.turn, turn)
    } catch {
      throw OfficeRefusal(.inputInvalid, error.wording)
    }
    do {
      try await office.orders.changeOrder(
        of: id, in: asker.agency, by: asker.login,
        isSeen: { EntityTag(of: $0, shown: $1).isMeant(by: condition) }
      ) { task in
        // RFC 7396: an absent member stays as it is, and `null` removes the value.
        if body.has("name") { task.name = name ?? "" }
        if body.has("type") { task.type = type }
        if body.has("instructions") { task.instructions = instructions }
        if body.has("due") { task.due = due }
        if body.has("around") { task.sets = try task.sets.with(.around, around) }
        if body.has("turn") { task.sets = try task.sets.with(.turn, turn) }
      }
      let (task, tag) = try await shown(id, in: asker.agency)
      return try json(task).setting(header: "ETag", to: tag.field)
    } catch let refusal as OfficeRefusal where refusal.kind == .taskChanged {
      throw OfficeRefusal(.preconditionFailed, refusal.wording)
    }
  }

  // MARK: decisions

  func decide(_ asker: Asker) async throws -> WebResponse {
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
        .inputInvalid,
        "\"seen\" is missing: the number of steps that the task had when you opened it")
    }
    // A page always sends `shown`; a program that forgets it would decide on photos that it has not
    // seen.
    let isForPhotos = [.accept, .decline].contains(action)
    try await office.review.decide(
      action, on: id, by: try asker.visitor.person(), reason: try body.text("reason", upTo: 2000),
      seen: seen, examined: try body.number("examined", in: 0...1_000_000),
      shown: isForPhotos
        ? try body.neededText("shown", upTo: 64) : try body.text("shown", upTo: 64))
    let (task, tag) = try await shown(id, in: asker.agency)
    return try json(task).setting(header: "ETag", to: tag.field)
  }
}
