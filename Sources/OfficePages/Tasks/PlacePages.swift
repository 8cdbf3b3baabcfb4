import Evidence
import Foundation
import Geodesy
import Guide
import Imports
import Inspection
import ItemViewing
import Office
import OfficeFrame
import Store
import TimeAndText
import Web

/// The page on which an officer adds sections and further parcels to an order: drawn on the map, made by
/// a line over a parcel, or taken from the register.
struct PlacePages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.sections

  func add(to routes: inout Routes) {
    routes.get("/tasks/{id}/places") { request in
      try await reading(request) { reader in
        try requireRole(.officer, reader)
        return try await show(reader, try identifier(request), [:])
      }
    }
    routes.post("/tasks/{id}/places") { request in
      try await reading(request) { reader in
        try requireRole(.officer, reader)
        return try await change(reader, try identifier(request))
      }
    }
  }

  // MARK: the page

  private func show(
    _ reader: Reader, _ id: Identifier, _ given: [String: String], refusal: OfficeRefusal? = nil
  ) async throws -> WebResponse {
    let view = try await office.review.view(of: id, in: reader.agency)
    let task = view.task
    let items = try await office.database.read(in: reader.agency) {
      try $0.tasks.items(ofTasks: [id])[id]?.items
    }
    let wanted = (items?.unknownStations(in: task) ?? []).compactMap(LandParts(t: t).words)
    let hint: HTML? =
      wanted.isEmpty
      ? nil
      : "<p class=\"notice notice-note\">\(t("The items ask for photos in: {1}.", wanted.joined(separator: ", ")))</p>"
    let map = try await MapPages(office: office).placesMap(view, reader)
    return page(
      t("Sections and further parcels"), reader, current: "/tasks",
      notices: refusal.map { [PageFrame.Notice(kind: .error, text: t($0.wording))] } ?? [],
      status: refusal?.kind.status ?? 200, scripts: MapPages.outlineScripts,
      styles: MapPages.styles,
      """
      <nav class="way" aria-label="\(t("Tasks"))"><a class="button quiet" href="/tasks/\(id.description)" data-key="u">\(t("Back to the task"))</a></nav>
      <div class="split"><div><section class="card"><h1>\(t("Sections and further parcels"))</h1>
      <p>\(t("{1}: items can ask for photos in each of them.", task.name))</p>\(hint)\(list(task, reader))</section>
      \(task.state.isEditable ? forms(task, given, reader) : "<p class=\"notice notice-note\">\(t("The order can no longer be changed."))</p>")</div>
      <div>\(map)</div></div>
      """)
  }

  private func list(_ task: InspectionTask, _ reader: Reader) -> HTML {
    guard !task.places.list.isEmpty else {
      return "<p class=\"muted\">\(t("None yet."))</p>"
    }
    let rows = task.places.list.map { place -> HTML in
      let remove: HTML? =
        task.state.isEditable
        ? """
        <form method="post" action="/tasks/\(task.id.description)/places">\(reader.request.formField)\(seen(task))
        <input type="hidden" name="kind" value="\(place.kind.rawValue)"><input type="hidden" name="name" value="\(place.name)">
        <button class="button quiet" name="do" value="remove" aria-label="\(t("Remove {1}", place.name))">\(t("Remove"))</button></form>
        """ : nil
      return "<li class=\"place-row\">\(LandParts(t: t).words(place)) \(remove)</li>"
    }
    return "<ul>\(rows)</ul>"
  }

  private func seen(_ task: InspectionTask) -> HTML {
    "<input type=\"hidden\" name=\"revision\" value=\"\(String(task.revision))\">"
  }

  private func forms(
    _ task: InspectionTask, _ given: [String: String], _ reader: Reader
  ) -> HTML {
    let action = "/tasks/\(task.id.description)/places"
    let choice: HTML? =
      task.parcels.count > 1
      ? """
      <label>\(t("Parcel that the line divides"))<select name="of">\(task.parcels.map {
        "<option value=\"\($0.identifier)\"\(raw: given["of"] == $0.identifier ? " selected" : "")>\($0.identifier)</option>" as HTML
      })</select></label>
      """ : nil
    let divide: HTML? =
      task.parcels.isEmpty
      ? nil
      : """
      <button class="button" name="do" value="divide">\(t("Divide the parcel along the line"))</button>
      """
    return """
      <section class="card"><h2>\(t("Add a section"))</h2>
      <form class="fields" method="post" action="\(action)">\(reader.request.formField)\(seen(task))
      <label>\(t("Name of the section"))<input name="name" maxlength="\(String(OrderedPlaces.nameCharactersAtMost))" required value="\(given["name"] ?? "")"></label>
      <label>\(t("Outline, or line over the parcel"))<textarea name="outline" rows="4" required placeholder="[[16.6386, 49.0837], [16.6395, 49.0838], …]">\(given["outline"] ?? "")</textarea></label>
      <p class="hint">\(t("Draw it on the map, or paste GeoJSON."))
      \(t("Longitude comes before latitude, in degrees."))</p>\(choice)
      <p class="actions"><button class="button primary" name="do" value="section">\(t("Add the section"))</button>\(divide)</p></form></section>
      <section class="card"><h2>\(t("Add a parcel"))</h2>
      <form class="fields" method="post" action="\(action)">\(reader.request.formField)\(seen(task))
      <label>\(t("Parcel identifier"))<input name="identifier" maxlength="\(String(OrderedPlaces.nameCharactersAtMost))" required value="\(given["identifier"] ?? "")"></label>
      <p class="hint">\(t("A parcel in the register; the order takes its outline."))</p>
      <p class="actions"><button class="button" name="do" value="parcel">\(t("Add the parcel"))</button></p></form></section>
      """
  }

  // MARK: changes

  /// The most bytes of a form: an outline of as many corners as one may have.
  private static let bytesAtMost = 1 << 20

  private func change(_ reader: Reader, _ id: Identifier) async throws -> WebResponse {
    let form = try await reader.request.form(limit: Self.bytesAtMost)
    var given: [String: String] = [:]
    for name in ["do", "name", "outline", "of", "kind", "identifier", "revision"] {
      given[name] = form[name]
    }
    do {
      let added = try await addition(given, in: reader.agency)
      try await office.orders.changeOrder(
        of: id, in: reader.agency, by: reader.visitor.account.login,
        isSeen: { task, _ in given["revision"] == String(task.revision) },
        { task in
          do throws(PlaceFault) {
            try Self.change(&task, given, added)
          } catch {
            throw OfficeRefusal(.inputInvalid, error.wording)
          }
        })
      return .redirect("/tasks/\(id)/places")
    } catch {
      guard let refusal = OfficeRefusal(of: error), refusal.kind != .unknown else { throw error }
      return try await show(reader, id, given, refusal: refusal)
    }
  }

  /// The addition that a form asks for.
  private enum Addition {
    case land(OrderedPlace)
    case line([Coordinate])
  }

  /// Reads the addition of a form; nil for one that removes.
  private func addition(
    _ given: [String: String], in agency: String
  ) async throws -> Addition? {
    switch given["do"] {
    case "section":
      let order = try OrderPages.order(from: [
        "name": "section", "identifier": "section", "outline": given["outline"] ?? "",
      ])
      return .land(
        OrderedPlace(.section, name: Self.trimmed(given["name"]), rings: order.parcel?.rings ?? []))
    case "divide": return .line(try Self.line(given["outline"] ?? ""))
    case "parcel":
      let identifier = Self.trimmed(given["identifier"])
      guard let known = try await office.places.parcel(identifier, in: agency) else {
        throw OfficeRefusal(
          .inputInvalid,
          "the register of \(agency) has no parcel \(identifier): check its identifier")
      }
      return .land(
        OrderedPlace(.parcel, name: known.identifier, rings: known.declared.parcel.rings))
    case "remove": return nil
    default: throw OfficeRefusal(.inputInvalid, "the form is not complete: open the page again")
    }
  }

  private static func change(
    _ task: inout InspectionTask, _ given: [String: String], _ addition: Addition?
  ) throws(PlaceFault) {
    switch addition {
    case .land(let place): try task.add(place)
    case .line(let line):
      try task.divide(parcel: given["of"], by: line, named: trimmed(given["name"]))
    case nil:
      guard let kind = OrderedPlace.Kind(rawValue: given["kind"] ?? "") else { return }
      task.places = task.places.without(kind, given["name"] ?? "")
    }
  }

  private static func trimmed(_ text: String?) -> String {
    (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Reads the places of a line, longitude before latitude.
  private static func line(_ text: String) throws -> [Coordinate] {
    let wrong = OfficeRefusal(.inputInvalid, "write the line as [[lon, lat], …]")
    let corners: JSONValue
    do {
      corners = try JSONValue(parsing: Array(text.utf8))
    } catch {
      throw wrong
    }
    // A GeoJSON line is one, too.
    let line = corners["geometry"] ?? corners
    return try ((line["coordinates"] ?? line).elements ?? []).map { corner in
      guard let sides = corner.elements, sides.count == 2,
        case .number(let longitude) = sides[0], case .number(let latitude) = sides[1],
        let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
      else { throw wrong }
      return place
    }
  }
}
