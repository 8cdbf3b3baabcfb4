import Evidence
import Foundation
import Geodesy
import Guide
import Imports
import Inspection
import Office
import OfficeFrame
import Store
import Sync
import TimeAndText
import Web

/// The pages for ordering a task and changing an order.
struct OrderPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.newTask

  private static let inspectorsAtMost = 200

  /// Returns the page of a new task; with the parcel that the address names, if it names one.
  func newTask(_ reader: Reader) async throws -> WebResponse {
    let inspectors = try await office.people.activeInspectors(ofAgency: reader.agency)
    let parcel = reader.request.query["parcel"].flatMap { $0.utf8.count <= 200 ? $0 : nil }
    var given = parcel.map { ["identifier": $0] } ?? [:]
    // The button of a photo point leads here: its name, parcel and code are filled in.
    if let id = reader.request.query["point"].flatMap(Identifier.init(_:)) {
      let point = try await office.points.point(id, in: reader.agency)
      given["name"] = t("Again: {1}", point.title)
      given["points"] = point.code?.spaced ?? point.id.description
      // A parcel that came with an order may be in no register: its outline comes from that order.
      if let identifier = point.parcel {
        if try await office.places.parcel(identifier, in: reader.agency) != nil {
          given["identifier"] = identifier
        } else {
          given["outline"] = try await outline(ofOrderOf: point)
        }
      }
    }
    return try await newTask(
      reader, given,
      // A single inspector is chosen at once: there is nothing to choose.
      inspectors: inspectors.count == 1 ? [inspectors[0].login] : [])
  }

  /// Returns the outline of the parcel for which a point's reference photo was ordered, as GeoJSON;
  /// nil if its task has none.
  private func outline(ofOrderOf point: PhotoPoint) async throws -> String? {
    let task = try await office.database.read(in: point.agency) { session in
      try StoreError.found { try session.photos.photo(point.reference.photo).photo.task }?
        .map { try session.tasks.task($0) }
    }
    guard let parcel = task?.parcel, parcel.rings.count == 1 else { return nil }
    let corners = parcel.rings[0].map { [$0.longitudeDegrees, $0.latitudeDegrees] }
    return String(decoding: try WireJSON.bytes(corners), as: UTF8.self)
  }

  private func newTask(
    _ reader: Reader, _ given: [String: String], inspectors chosen: [String],
    refusal: OfficeRefusal? = nil
  ) async throws -> WebResponse {
    let inspectors = try await office.people.activeInspectors(ofAgency: reader.agency)
    let form = orderForm(
      reader, nil, given, people: people(inspectors, chosen),
      refusal: refusal.map { t($0.wording) })
    let map = try await MapPages(office: office).pickMap(reader, identifier: given["identifier"])
    return page(
      t("New task"), reader, current: "/tasks", status: refusal?.kind.status ?? 200,
      scripts: MapPages.outlineScripts, styles: MapPages.styles,
      "<div class=\"split\"><div>\(form)</div><div>\(map)</div></div>")
  }

  /// Returns the choice of inspectors: if several are chosen, each gets a task of their own.
  private func people(_ inspectors: [Account], _ chosen: [String]) -> HTML {
    guard !inspectors.isEmpty else {
      return """
        <p class="notice notice-warning">\(t("No inspectors yet. An administrator can add them."))</p>
        """
    }
    let boxes = inspectors.map { account in
      """
      <label class="choice"><input type="checkbox" name="inspector" value="\(account.login)"\
      \(raw: chosen.contains(account.login) ? " checked" : "")> \(account.title)</label>
      """ as HTML
    }
    return """
      <fieldset class="people"><legend>\(t("Inspectors"))</legend>\(boxes)
      <p class="hint">\(t("Each inspector gets a separate task."))</p></fieldset>
      """
  }

  /// Returns the form of an order.
  /// - Parameters:
  ///   - task: the task whose order is changed; nil for a new one.
  ///   - given: the values written before, by field.
  ///   - codes: the codes of the photo points that the order names.
  ///   - people: the choice of inspectors for a new task.
  ///   - refusal: the words of the refusal that is shown; nil for none.
  func orderForm(
    _ reader: Reader, _ task: InspectionTask?, _ given: [String: String],
    codes: [Identifier: String] = [:], people: HTML? = nil, refusal: String? = nil
  ) -> HTML {
    func value(_ name: String, _ known: String?) -> String { given[name] ?? known ?? "" }
    let parcel: HTML? =
      task == nil
      ? """
      <label>\(t("Parcel identifier"))<input name="identifier" maxlength="200" value="\(value("identifier", nil))"></label>
      <p class="hint">\(t("A parcel in the register; the task takes its outline. You can also tap it on the map."))</p>
      <label>\(t("Parcel outline"))<textarea name="outline" rows="4"
      placeholder="[[16.6386, 49.0837], [16.6395, 49.0838], …]">\(value("outline", nil))</textarea></label>
      <p class="hint">\(t("For land that is not in the register: draw it on the map, or paste GeoJSON."))
      \(t("Longitude comes before latitude, in degrees."))
      <a href="/tasks/import">\(t("Many tasks at once, from a file"))</a></p>
      """ : nil
    let action = task.map { "/tasks/\($0.id)/order" } ?? "/tasks"
    return """
      <section class="card"><h1>\(task == nil ? t("New task") : t("Change the order"))</h1>
      \(refusal.map { "<p class=\"notice notice-error\" role=\"alert\">\($0)</p>" as HTML })
      <form class="fields" method="post" action="\(action)">\(reader.request.formField)
      <label>\(t("Name"))<input name="name" required maxlength="200" value="\(value("name", task?.name))"></label>
      \(people)
      <label>\(t("Type"))<input name="type" maxlength="100" value="\(value("type", task?.type))"></label>
      <p class="hint"><a href="/templates">\(t("Templates"))</a>: \(t("what tasks of a type are asked for"))</p>
      <label>\(t("Instructions"))<textarea name="instructions" rows="4" maxlength="5000">\(value("instructions", task?.instructions))</textarea></label>
      <label>\(t("Due"))<input name="due" type="date" value="\(value("due", task?.due?.date.iso8601))"></label>
      <label>\(t("Photo points to photograph again"))<textarea name="points" rows="2" maxlength="2000" placeholder="XXXX XXXX">\(value("points", task?.repeats.map { wish in wish.points.map { codes[$0] ?? $0.description }.joined(separator: "\n") }))</textarea></label>
      <p class="hint">\(t("The codes on their labels, one on a line or with commas between. The task is sent only with a photo of each, or a reason why not."))</p>
      <label class="choice"><input type="checkbox" name="strict" value="yes"\(raw: (given["strict"] ?? (task?.repeats?.isStrict == true ? "yes" : "")) == "yes" ? " checked" : "")> \(t("Refuse photos that miss the place (by 2 m, or the ± if that is more) or the direction (by 3°)"))</label>
      \(sets(value("around", task?.sets.aroundSectors.map(String.init)), value("turn", task?.sets.turnViews.map(String.init))))
      \(parcel)
      <p class="actions"><button class="button primary">\(task == nil ? t("Order the task") : t("Save"))</button>
      <a class="button quiet" href="\(task.map { "/tasks/\($0.id)" } ?? "/tasks")">\(t("Cancel"))</a></p>
      </form></section>
      """
  }

  /// Returns the choice of the sets that the order asks for.
  private func sets(_ around: String, _ turn: String) -> HTML {
    let range = FrameSetTerms.aroundSectors
    let views = FrameSetTerms.turnSectors.map { views -> HTML in
      let mark: HTML = turn == "\(views)" ? " selected" : ""
      return "<option\(mark) value=\"\(views)\">\(t("{1} views", views))</option>"
    }
    return """
      <fieldset><legend>\(t("Sets of pictures"))</legend>
      <label>\(t("Pictures round the thing"))<input type="number" name="around" min="\(range.lowerBound)" max="\(range.upperBound)" inputmode="numeric" value="\(around)"></label>
      <label>\(t("Turn on the spot"))<select name="turn"><option value="">\(t("not asked for"))</option>\(views)</select></label>
      <p class="hint">\(t("Leave the number empty if you need no walk round a thing; 72 is usual. The task is sent only with a complete set."))</p></fieldset>
      """
  }

  /// Returns the sets that the form asks for.
  private static func sets(_ given: [String: String]) throws -> OrderedSets {
    func number(_ name: String) throws -> Int? {
      guard let text = given[name]?.trimmingCharacters(in: .whitespaces), !text.isEmpty
      else { return nil }
      guard let number = Int(text) else {
        throw OfficeRefusal(
          .inputInvalid,
          "\"\(text)\" is not a number of pictures: give a whole number, or leave it empty")
      }
      return number == 0 ? nil : number
    }
    do {
      return try OrderedSets(aroundSectors: number("around"), turnViews: number("turn"))
    } catch let refusal as FrameSetRefusal {
      throw OfficeRefusal(.inputInvalid, refusal.wording)
    }
  }

  /// Orders the task of the form, once for each of the chosen inspectors; all of these tasks, or
  /// none.
  func order(_ reader: Reader) async throws -> WebResponse {
    let form = try await reader.request.form()
    let names = [
      "name", "type", "instructions", "due", "identifier", "outline", "points", "strict", "around",
      "turn",
    ]
    var given: [String: String] = [:]
    for name in names { given[name] = form[name] }
    var chosen: [String] = []
    for login in form.all("inspector") where !chosen.contains(login) { chosen.append(login) }
    do {
      var order = try Self.order(from: given)
      order.repeats = try await wish(given, reader)
      let sets = try Self.sets(given)
      (order.aroundSectors, order.turnViews) = (sets.aroundSectors, sets.turnViews)
      let tasks = try await office.orders.addTasks(
        try orders(order, for: chosen, reader), in: reader.agency,
        by: reader.visitor.account.login)
      return .redirect(
        tasks.count == 1 ? "/tasks/\(tasks[0].id)?done=ordered" : "/tasks?done=orderedEach")
    } catch {
      guard let refusal = OfficeRefusal(of: error) else { throw error }
      return try await newTask(reader, given, inspectors: chosen, refusal: refusal)
    }
  }

  /// Returns the photo points that the form names; nil if it names none.
  /// - Parameter kept: those that the order named before.
  private func wish(
    _ given: [String: String], keeping kept: [Identifier] = [], _ reader: Reader
  ) async throws -> RepeatWish? {
    let points = try await office.points.points(
      named: given["points"] ?? "", keeping: kept, in: reader.agency)
    return points.isEmpty
      ? nil : RepeatWish(points: points.map(\.id), isStrict: given["strict"] == "yes")
  }

  /// Returns the codes of the photo points that a task's order names.
  func codes(of task: InspectionTask) async throws -> [Identifier: String] {
    guard let wish = task.repeats else { return [:] }
    return try await office.database.read(in: task.agency) { session in
      try wish.points.reduce(into: [:]) { codes, id in
        codes[id] = try session.points.point(id)?.code?.spaced
      }
    }
  }

  /// Returns the order once for each inspector.
  private func orders(
    _ order: TaskOrder, for logins: [String], _ reader: Reader
  ) async throws -> [TaskOrder] {
    guard !logins.isEmpty else {
      throw OfficeRefusal(.inputInvalid, "the task has no inspector: choose at least one")
    }
    guard logins.count <= Self.inspectorsAtMost else {
      throw OfficeRefusal(
        .inputInvalid,
        "choose at most \(Self.inspectorsAtMost) inspectors at once: order the tasks in several steps"
      )
    }
    let known = Set(
      try await office.people.activeInspectors(ofAgency: reader.agency).map(\.login))
    if let stranger = logins.first(where: { !known.contains($0) }) {
      throw OfficeRefusal(
        .inputInvalid, "there is no inspector \(stranger) in \(reader.agency) who may sign in")
    }
    // An identifier without an outline must be a parcel of the register; otherwise it is a typing
    // error.
    if order.parcel == nil, let identifier = order.parcelIdentifier,
      try await office.places.parcel(identifier, in: reader.agency) == nil
    {
      throw OfficeRefusal(
        .inputInvalid,
        "the register of \(reader.agency) has no parcel \(identifier): enter an existing"
          + " identifier or an outline, or leave both empty")
    }
    return logins.map { login in
      var own = order
      own.inspector = login
      return own
    }
  }

  /// Reads the form as if it came from a file of tasks: one set of rules for both.
  static func order(from given: [String: String]) throws -> TaskOrder {
    var properties: [String: JSONValue] = [:]
    for name in ["name", "type", "instructions", "due", "identifier"] {
      properties[name] = given[name].map { .string($0) }
    }
    var feature: [String: JSONValue] = [
      "type": .string("Feature"), "properties": .object(properties),
    ]
    if let outline = given["outline"] {
      let corners: JSONValue
      do {
        corners = try JSONValue(parsing: Array(outline.utf8))
      } catch {
        throw OfficeRefusal(.inputInvalid, "write the parcel outline as [[lon, lat], …]")
      }
      feature["geometry"] = try geometry(of: corners)
    }
    let file = JSONValue.object([
      "type": .string("FeatureCollection"), "features": .array([.object(feature)]),
    ])
    do {
      return try TaskFile.orders(fromGeoJSON: Data(file.canonicalBytes))[0]
    } catch {
      throw OfficeRefusal(.inputInvalid, "\(error.reason)")
    }
  }

  /// Returns the geometry that a text in the form means: a feature's, the geometry itself, a
  /// polygon's coordinates, or one ring of them.
  /// - Throws: `OfficeRefusal` for a collection of several features, of which only one could become
  ///   the parcel of the task.
  private static func geometry(of outline: JSONValue) throws -> JSONValue {
    let features = outline["features"]?.elements ?? []
    guard features.count <= 1 else {
      throw OfficeRefusal(
        .inputInvalid,
        "the outline has \(features.count) features, and a task has one parcel: import the file to"
          + " make a task of each")
    }
    let feature = features.first ?? outline
    let geometry = feature["geometry"] ?? feature
    guard geometry["type"] == nil else { return geometry }
    let isNested = outline.elements?.first?.elements?.first?.elements != nil
    return .object([
      "type": .string("Polygon"), "coordinates": isNested ? outline : .array([outline]),
    ])
  }

  /// Changes a task's order as the form says.
  func changeOrder(_ reader: Reader, _ id: Identifier) async throws -> WebResponse {
    let form = try await reader.request.form()
    let names = [
      "name", "type", "instructions", "due", "points", "strict", "around", "turn",
    ]
    let given = Dictionary(uniqueKeysWithValues: names.map { ($0, form[$0] ?? "") })
    do {
      let due = try form["due"].map { text in
        guard let due = TaskOrder.due(text) else {
          throw OfficeRefusal(.inputInvalid, "\"\(text)\" is not a date such as 2026-06-30")
        }
        return due
      }
      let sets = try Self.sets(given)
      let before = try await office.review.view(of: id, in: reader.agency).task
      let wish = try await wish(given, keeping: before.repeats?.points ?? [], reader)
      try await office.orders.changeOrder(
        of: id, in: reader.agency, by: reader.visitor.account.login
      ) {
        task in
        task.name = form["name"] ?? ""
        task.type = form["type"]
        task.instructions = form["instructions"]
        task.due = due
        task.repeats = wish
        task.sets = sets
      }
      return .redirect("/tasks/\(id)?done=changed")
    } catch {
      guard let refusal = OfficeRefusal(of: error), refusal.kind != .unknown else { throw error }
      let task = try await office.review.view(of: id, in: reader.agency).task
      return page(
        t("Change the order"), reader, current: "/tasks", help: .changeOrder,
        status: refusal.kind.status,
        orderForm(
          reader, task, given, codes: try await codes(of: task), refusal: t(refusal.wording)))
    }
  }
}
