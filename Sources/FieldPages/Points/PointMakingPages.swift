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

/// The page that makes a photo point from a photo: its picture, the ground under the inspector's
/// feet, a name, and the thing that is photographed. Everything can be changed until the last
/// button.
struct PointMakingPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.photoPoints

  /// The most photos that are offered as the photo of the ground.
  private static let offeredAtMost = 6

  func add(to routes: inout Routes) {
    let one = "/photos/{id}/point"
    routes.get(one) { request in
      try await reading(request) { try form($0, try identifier(request)) }
    }
    routes.post(one) { request in
      try await reading(request) { try await make($0, try identifier(request)) }
    }
  }

  /// The setting that keeps the entries while the photo of the ground is taken.
  private static let draftSetting = "point-draft"

  /// The entries of the form, as the person wrote them.
  private struct Entries: Codable {
    /// The photo that the point is to be made of.
    var photo = ""
    var name = ""
    var footing = ""
    var latitude = ""
    var longitude = ""
  }

  private func form(
    _ reader: Reader, _ id: Identifier, _ entries: Entries? = nil, refusal: String? = nil
  ) throws -> WebResponse {
    let photo = try reader.unit.photo(id)
    var entries = entries ?? Entries()
    if refusal == nil {
      entries = try draft(of: id, reader) ?? entries
      if let footing = reader.request.query["footing"] { entries.footing = footing }
    }
    let title = t("Make a photo point")
    let here = photo.position.coordinate
    let data: [(String, String)] = [
      ("layers", json(server.baseMaps.layers(below: "/map/tiles"))),
      ("words", json(words)),
      ("place", json([here.longitudeDegrees, here.latitudeDegrees])),
      ("azimuth", photo.orientation?.azimuthDegreesTrue.map { "\($0)" } ?? ""),
      ("view", "\(photo.camera.horizontalDegrees)"),
    ]
    let attributes = data.map { name, value -> HTML in " data-\(name)=\"\(value)\"" }
    return page(
      title, reader, current: "/photos",
      notices: refusal.map { [PageFrame.Notice(kind: .error, text: $0)] } ?? [],
      status: refusal == nil ? 200 : 422,
      scripts: Leaflet.scripts + [PointStyle.pin.href],
      styles: Leaflet.styles + [FieldMapStyle.asset.href, PointStyle.asset.href],
      """
      <h1>\(title)</h1>
      <p>\(t("A photo point keeps this view, so that you or a colleague can take it again. The place stays where you stood."))</p>
      <form class="fields" method="post" action="/photos/\(id.description)/point">\(reader.request.formField)
      <input type="hidden" name="id" value="\(Identifier(at: server.clock.deviceTime).description)">
      <section class="card"><h2>\(t("1. The picture"))</h2>
      <img class="point-picture" src="/photos/\(id.description)/thumbnail.jpg" alt="\(t("Photo of {1}", Self.time(photo.deviceTime)))">
      <p class="muted">\(accuracy(photo.position.uncertaintyMetres95))\(photo.orientation?.azimuthDegreesTrue == nil ? " · \(t("Its direction is not known: the picture alone will lead back."))" : "")</p></section>
      <section class="card"><h2>\(t("2. The ground under your feet"))</h2>\(try footing(reader, photo, entries.footing))</section>
      <section class="card"><h2>\(t("3. Name, and what the photo shows"))</h2>
      <label>\(t("Name (may stay empty)"))<input name="name" maxlength="\(PhotoPointRule.nameCharactersAtMost)" value="\(entries.name)"></label>
      <div class="live-map subject-map" data-subject-map\(attributes) role="region" aria-label="\(t("Where it is"))" hidden></div>
      <p class="hint" data-subject-hint hidden>\(t("Tap the map at what you photographed. You can drag the pin."))</p>
      <label>\(t("Latitude of what the photo shows"))<input name="latitude" inputmode="decimal" value="\(entries.latitude)"></label>
      <label>\(t("Longitude of what the photo shows"))<input name="longitude" inputmode="decimal" value="\(entries.longitude)"></label></section>
      <p class="actions"><button class="button primary">\(t("Make the photo point"))</button>
      <a class="button" href="/photos/\(id.description)">\(t("Not now"))</a></p></form>
      """)
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
      <p class="actions"><button class="button" name="ground" value="yes" formnovalidate>\(t("Take a photo of the ground"))</button></p>
      <div class="point-choices">\(choice("", .text(t("none"))))\(photos)</div>
      """
  }

  /// Returns the entries that were kept while the photo of the ground was taken; nil if none were.
  private func draft(of id: Identifier, _ reader: Reader) throws -> Entries? {
    let kept = try reader.unit.store.read(as: reader.unit.person) {
      try $0.settings.value(of: Self.draftSetting)
    }
    // A draft of another photo, or of another version, is no draft of this one.
    guard let kept, let entries = try? JSONDecoder().decode(Entries.self, from: Data(kept.utf8)),
      entries.photo == id.description
    else { return nil }
    return entries
  }

  private func keep(_ entries: Entries?, _ reader: Reader) throws {
    let text = try entries.map { String(decoding: try WireJSON.bytes($0), as: UTF8.self) }
    try reader.unit.store.write(as: reader.unit.person) {
      try $0.settings.set(Self.draftSetting, to: text)
    }
  }

  /// Keeps the entries, and leads to the camera for the photo of the ground.
  private func takeGround(
    _ entries: Entries, of id: Identifier, _ reader: Reader
  ) throws -> WebResponse {
    try keep(entries, reader)
    let task = try reader.unit.photo(id).task.map { try reader.unit.task($0) }
    let query = task.flatMap { $0.state.isEditable ? "&task=\($0.id)" : nil }
    return .redirect("/camera?footing=\(id)\(query ?? "")")
  }

  private func make(_ reader: Reader, _ id: Identifier) async throws -> WebResponse {
    let form = try await reader.request.form()
    let entries = Entries(
      photo: id.description, name: form["name"] ?? "", footing: form["footing"] ?? "",
      latitude: form["latitude"] ?? "",
      longitude: form["longitude"] ?? "")
    if form["ground"] != nil { return try takeGround(entries, of: id, reader) }
    var subject: Coordinate?
    if !entries.latitude.isEmpty || !entries.longitude.isEmpty {
      guard let latitude = DecimalText.typed(entries.latitude),
        let longitude = DecimalText.typed(entries.longitude),
        let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
      else {
        return try self.form(
          reader, id, entries,
          refusal: t("Give both latitude and longitude in degrees, or neither."))
      }
      subject = place
    }
    do {
      let point = try reader.unit.points.make(
        form["id"].flatMap(Identifier.init(_:)), of: id, name: entries.name,
        footing: Identifier(entries.footing), subject: subject)
      try keep(nil, reader)
      Task { await server.deliverOnce() }
      return .redirect("/points/\(point.id)?done=point")
    } catch let error as InspectionError {
      return try self.form(reader, id, entries, refusal: t(error.wording))
    }
  }

  private func json(_ value: some Encodable) -> String {
    (try? WireJSON.bytes(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  private var words: [String: String] {
    [
      "base": t("Base map"), "noBase": t("No base map here. It comes with your tasks."),
      "noTiles": t(
        "{1} shows nothing here: this may be outside it, or it cannot be loaded.", "{1}"),
      "none": t("Without a base map"), "zoomIn": t("Zoom in"), "zoomOut": t("Zoom out"),
      "layers": t("Map layers"), "pin": t("What you photographed"),
      "you": t("Where the photo was taken"),
    ]
  }
}
