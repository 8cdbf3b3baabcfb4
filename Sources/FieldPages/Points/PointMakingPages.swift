import FieldUnit
import Foundation
import Geodesy
import Guide
import Inspection
import MapLayers
import Store
import Sync
import TimeAndText
import Web

/// The pages that make a photo point, in four steps: the picture, the ground under the inspector's
/// feet, the name with the thing that is photographed, and a summary. The camera takes the first
/// two. Each step can be gone back to, and nothing is made before the last button.
struct PointMakingPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.photoPoints

  /// The number of steps.
  static let steps = 4
  /// The most photos that are offered as the photo of the ground.
  private static let offeredAtMost = 6

  func add(to routes: inout Routes) {
    let one = "/photos/{id}/point"
    routes.get(one) { request in
      try await reading(request) { reader in
        let id = try identifier(request)
        var entries = try PointDraft.kept(for: id, reader) ?? PointDraft(photo: id)
        if let footing = request.query["footing"] { entries.footing = footing }
        return try form(reader, id, entries)
      }
    }
    routes.post(one) { request in
      try await reading(request) { try await goOn($0, try identifier(request)) }
    }
    let summary = PointSummary(server: server)
    routes.get(one + "/summary") { request in
      try await reading(request) { reader in
        let id = try identifier(request)
        guard let draft = try PointDraft.kept(for: id, reader), draft.isPlaceComplete else {
          return .redirect("/photos/\(id)/point")
        }
        return try summary.page(reader, id, draft)
      }
    }
    routes.post(one + "/summary") { request in
      try await reading(request) { reader in
        let (id, form) = (try identifier(request), try await request.form())
        let draft = PointDraft(form, photo: id)
        guard draft.isPlaceComplete else { return try self.form(reader, id, draft, Self.halfPlace) }
        do {
          return .redirect("/points/\(try summary.make(reader, id, draft).id)?done=point")
        } catch let error as InspectionError {
          return try self.form(reader, id, draft, error.wording)
        }
      }
    }
  }

  private static let halfPlace: Wording = "Give both latitude and longitude in degrees, or neither."

  // MARK: name and pin

  // Enter in a field presses the form's first button, also a hidden one: that one goes on.

  /// Returns the third step, with what the first two have brought.
  private func form(
    _ reader: Reader, _ id: Identifier, _ draft: PointDraft, _ refusal: Wording? = nil
  ) throws -> WebResponse {
    let photo = try reader.unit.photo(id)
    let point = draft.point ?? Identifier(at: server.clock.deviceTime)
    let title = t("Make a photo point")
    return page(
      title, reader, current: "/photos",
      notices: refusal.map { [PageFrame.Notice(kind: .error, text: t($0))] } ?? [],
      status: refusal == nil ? 200 : 422,
      scripts: Leaflet.scripts + [SubjectMap.script.href],
      styles: Leaflet.styles + [FieldMapStyle.asset.href, PointStyle.asset.href],
      """
      <div class="heading"><h1>\(title)</h1><span class="muted">\(t("Step {1} of {2}", 3, Self.steps))</span></div>
      <p>\(t("A photo point keeps this view, so that you or a colleague can take it again. The place stays where you stood."))</p>
      <form class="fields" method="post" action="/photos/\(id.description)/point">\(reader.request.formField)
      <input type="hidden" name="id" value="\(point.description)">
      <button hidden></button>
      <section class="card"><h2>\(t("1. The picture"))</h2>\(Self.picture(photo, t))
      <p class="actions"><button class="button" name="go" value="picture" formnovalidate>\(t("Take another picture"))</button></p></section>
      <section class="card"><h2>\(t("2. The ground under your feet"))</h2>\(try footing(reader, photo, draft.footing))</section>
      <section class="card"><h2>\(t("3. Name, and what the photo shows"))</h2>
      <label>\(t("Name (may stay empty)"))<input name="name" maxlength="\(PhotoPointRule.nameCharactersAtMost)" value="\(draft.name)"></label>
      \(map(of: photo).html(t))
      <label>\(t("Latitude of what the photo shows"))<input name="latitude" inputmode="decimal" value="\(draft.latitude)"></label>
      <label>\(t("Longitude of what the photo shows"))<input name="longitude" inputmode="decimal" value="\(draft.longitude)"></label></section>
      <p class="actions"><button class="button primary">\(t("Go on"))</button>
      <a class="button" href="/photos/\(id.description)">\(t("Not now"))</a></p></form>
      """)
  }

  /// Returns the picture with what is known of its place and direction.
  static func picture(_ photo: Photo, _ t: Texts) -> HTML {
    let unknown: HTML? =
      photo.orientation?.azimuthDegreesTrue == nil
      ? " · \(t("Its direction is not known: the picture alone will lead back."))" : nil
    return """
      <img class="point-picture" src="/photos/\(photo.id.description)/thumbnail.jpg" alt="\(t("Photo of {1}", time(photo.deviceTime)))">
      <p class="muted">\(photo.position.uncertaintyMetres95.map { "± \(t.decimal($0, places: 1)) m" } ?? t("± not known"))\(unknown)</p>
      """
  }

  /// Returns the map round the place of a photo.
  func map(of photo: Photo) -> SubjectMap {
    let here = photo.position.coordinate
    return SubjectMap(
      layers: server.baseMaps.layers(below: "/map/tiles"),
      camera: SubjectMap.Place(
        latitudeDegrees: here.latitudeDegrees, longitudeDegrees: here.longitudeDegrees),
      azimuthDegrees: photo.orientation?.azimuthDegreesTrue,
      viewDegrees: photo.camera.horizontalDegrees)
  }

  private func footing(_ reader: Reader, _ photo: Photo, _ chosen: String) throws -> HTML {
    let removed = try reader.unit.delivery.removedPhotos()
    let others = try reader.unit.photos(photo.task.map { .task($0) } ?? .standalone)
      .filter { $0.id != photo.id && removed[$0.id] == nil && $0.origin == .camera }
      .sorted {
        abs($0.deviceTime.gnssTime.seconds(since: photo.deviceTime.gnssTime))
          < abs($1.deviceTime.gnssTime.seconds(since: photo.deviceTime.gnssTime))
      }
    let chosen = others.contains { $0.id.description == chosen } ? chosen : ""
    func choice(_ value: String, _ content: HTML) -> HTML {
      """
      <label class="choice"><input type="radio" name="footing" value="\(value)"\(raw: value == chosen ? " checked" : "")> \(content)</label>
      """
    }
    // The one that was just taken is among them, however long ago the picture was.
    let offered =
      others.filter { $0.id.description == chosen }
      + others.filter { $0.id.description != chosen }.prefix(Self.offeredAtMost)
    let photos = offered.map { one in
      choice(
        one.id.description,
        """
        <img src="/photos/\(one.id.description)/thumbnail.jpg" alt=""> \(t.time(one.deviceTime))
        """)
    }
    return """
      <p class="muted">\(t("It helps the next person to find this spot again, to within a step."))</p>
      <p class="actions"><button class="button" name="go" value="ground" formnovalidate>\(t("Take a photo of the ground"))</button></p>
      <div class="point-choices">\(choice("", .text(t("none"))))\(photos)</div>
      """
  }

  // MARK: the way

  /// Keeps the entries, and leads to the summary, or back to one of the first two steps.
  private func goOn(_ reader: Reader, _ id: Identifier) async throws -> WebResponse {
    let form = try await reader.request.form()
    let draft = PointDraft(form, photo: id)
    switch form["go"] {
    case "ground":
      try draft.keep(reader)
      return .redirect(try CameraAddress(footing: id, task: openTask(of: id, reader)).href)
    case "picture":
      try draft.waiting.keep(reader)
      return .redirect(try CameraAddress(makingFor: openTask(of: id, reader)).href)
    default: break
    }
    do {
      _ = try PhotoPointRule.name(draft.name)
    } catch {
      return try self.form(reader, id, draft, error.wording)
    }
    guard draft.isPlaceComplete else { return try self.form(reader, id, draft, Self.halfPlace) }
    try draft.keep(reader)
    return .redirect("/photos/\(id)/point/summary")
  }

  /// Returns the task of a photo if photos may still be taken for it.
  private func openTask(of id: Identifier, _ reader: Reader) throws -> Identifier? {
    let task = try reader.unit.photo(id).task.map { try reader.unit.task($0) }
    return task.flatMap { $0.state.isEditable ? $0.id : nil }
  }
}
