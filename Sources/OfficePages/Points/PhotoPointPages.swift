import Foundation
import Geodesy
import Guide
import Inspection
import MapLayers
import Matching
import Office
import OfficeFrame
import Store
import Sync
import TimeAndText
import Web

/// The pages of photo points: their list, one point with its series, two photos of a series beside
/// each other, and the making of a point from a photo.
struct PhotoPointPages: OfficePage {
  let office: OfficeServer
  let matcher: PictureMatcher
  let help = GuidePart.officePoints

  static let style = Asset(file: "/assets/points.css", [PackageResources.points_css])

  func add(to routes: inout Routes) {
    for asset in [Self.style, SubjectMap.script] {
      routes.get(asset.path) { request in asset.response(to: request) }
    }
    PhotoPointListPages(office: office).add(to: &routes)
    ArchivePages(office: office).add(to: &routes)
    routes.get("/points/{id}/reference.jpg") { request in
      try await reading(request) { reader in
        let picture = try await office.points.picture(
          .reference, of: try identifier(request), in: reader.agency)
        return .bytes(
          picture.bytes, mediaType: "image/jpeg", fileName: nil, isAttachment: false
        ).setting(header: "Cache-Control", to: "private, max-age=86400")
      }
    }
    routes.get("/points/{id}") { request in
      try await reading(request) { try await show(try identifier(request), $0) }
    }
    routes.post("/points/{id}") { request in
      try await reading(request) { try await change(try identifier(request), $0) }
    }
    routes.post("/points/{id}/withdrawal") { request in
      try await reading(request) { try await withdraw(try identifier(request), $0) }
    }
    routes.get("/points/{id}/compare") { request in
      try await reading(request) { try await compare(try identifier(request), $0) }
    }
    routes.post("/photos/{id}/point") { request in
      try await reading(request) { try await make(of: try identifier(request), $0) }
    }
  }

  /// Makes a photo point of a photo.
  private func make(of photo: Identifier, _ reader: Reader) async throws -> WebResponse {
    let form = try await reader.request.form()
    let now = office.clock.deviceTime
    let point = try await office.points.make(
      PhotoPointOrder(
        id: form["id"].flatMap(Identifier.init(_:)) ?? Identifier(at: now), photo: photo,
        name: form["name"], made: now),
      by: reader.visitor.account.login, own: nil, in: reader.agency)
    return .redirect("/points/\(point.id)?done=point")
  }

  // MARK: one point

  /// Returns the page of a point.
  /// - Parameter entries: the entries that were refused; nil for those of the point as it is.
  private func show(
    _ id: Identifier, _ reader: Reader, entries: PhotoPointEntries? = nil,
    refusal: OfficeRefusal? = nil
  ) async throws -> WebResponse {
    let series = try await office.points.series(of: id, in: reader.agency)
    let people = try await office.people.accounts(ofAgency: reader.agency)
    let names = Dictionary(people.map { ($0.login, $0.title) }) { $1 }
    let point = series.point
    let code: HTML? = point.code.map { "<code class=\"point-code\">\($0.spaced)</code>" }
    let shown = PhotoPointSeries(
      office: office, series: series, names: names, canCompare: await !matcher.isUnavailable)
    return page(
      t("Photo point {1}", point.title), reader, current: "/points",
      status: refusal?.kind.status ?? 200, scripts: Leaflet.scripts + [SubjectMap.script.href],
      styles: MapPages.styles + [Self.style.href],
      """
      <nav class="way" aria-label="\(t("Photo points"))"><a class="button quiet" href="/points" data-key="u">\(t("Back to the list"))</a></nav>
      <div class="heading"><h1>\(point.title)</h1>\(code)
      <div class="actions"><form method="post" action="/points/labels">\(reader.request.formField)
      <input type="hidden" name="point" value="\(id.description)">
      <button class="button" name="do" value="pdf">\(t("Print the label"))</button></form>
      \(point.withdrawn == nil ? "<a class=\"button\" href=\"/tasks/new?point=\(id.description)\">\(t("Order a repeat"))</a>" as HTML : nil)</div></div>
      \(point.withdrawn.map { "<p class=\"notice notice-warning\">\(t.html("This photo point was withdrawn at {1}: devices no longer get it, and no order names it. Its series stays.", t.time($0)))</p>" as HTML })
      <div class="split"><div>
      <section class="card"><h2>\(t("Place and direction"))</h2>\(facts(of: point, names))</section>
      \(shown.html)
      </div><div>
      \(try form(of: point, entries ?? PhotoPointEntries(of: point), refusal, reader))\(footing(of: point))\(withdrawal(of: point, reader))
      </div></div>
      """)
  }

  private func facts(of point: PhotoPoint, _ names: [String: String]) -> HTML {
    let (stand, place) = (point.stand, point.stand.coordinate)
    let uncertainty =
      stand.uncertaintyMetres95.map { "± \(t.decimal($0, places: 1)) m (95 %)" }
      ?? t("± not known")
    let onMap: HTML? = Self.map(round: place).map {
      " <a class=\"button quiet\" href=\"\($0)\">\(t("On the map"))</a>"
    }
    let azimuth = stand.orientation?.azimuthDegreesTrue.map { "\(t.decimal($0, places: 1))°" }
    let estimated: HTML? =
      point.pose == .estimated
      ? """
      <p class="notice notice-warning">\(t("Place and direction are estimated: an officer set them on a map, and no receiver measured them."))</p>
      """ : nil
    let position: HTML = "\(words(of: place)), \(uncertainty)\(onMap)"
    let list = HTML.facts([
      (t("Position"), position),
      (t("Azimuth"), .text(azimuth ?? t("not known"))),
      (
        t("Parcel"),
        point.parcel.map {
          "<a href=\"/tasks?parcel=\(AddressText.escaped($0))\">\($0)</a>"
        }
      ),
      (t("Place of what the photo shows"), point.subject.map { subject($0, of: point) }),
      (t("Made by"), .text(names[point.maker] ?? point.maker)),
      (t("Made on"), t.time(point.made)),
    ])
    return "\(estimated)\(list)"
  }

  /// Returns the place of the thing in the photo, with its distance from the camera. A pin that the
  /// photo cannot show is named.
  private func subject(_ place: Coordinate, of point: PhotoPoint) -> HTML {
    let sight = SubjectSight(from: point.stand, camera: point.camera, to: place)
    let doubt: HTML? =
      sight.isInPicture == false
      ? " <span class=\"not-met\">\(t("not in the direction of the lens"))</span>" : nil
    return "\(words(of: place)), \(t.form.distance(metres: sight.distanceMetres))\(doubt)"
  }

  private func words(of place: Coordinate) -> String {
    "\(t.decimal(place.latitudeDegrees, places: 7))°, "
      + "\(t.decimal(place.longitudeDegrees, places: 7))°"
  }

  /// Returns the address of the map of a place with some 50 m around it.
  private static func map(round place: Coordinate) -> String? {
    let marginDegrees = 0.0005
    func longitude(_ degrees: Double) -> Double { Coordinate.wrapped(longitudeDegrees: degrees) }
    let box = CoordinateBox(
      westDegrees: longitude(place.longitudeDegrees - marginDegrees),
      southDegrees: max(-90, place.latitudeDegrees - marginDegrees),
      eastDegrees: longitude(place.longitudeDegrees + marginDegrees),
      northDegrees: min(90, place.latitudeDegrees + marginDegrees))
    return box.map { "/map?at=\(AddressText.text($0))" }
  }

  /// Returns the photo of the ground under the inspector's feet; nil if there is none.
  private func footing(of point: PhotoPoint) -> HTML? {
    point.footing.map { footing in
      let address = "/photos/\(footing.photo.description)"
      let words = t("The ground under the inspector's feet")
      return """
        <figure class="photo point-footing"><a href="\(address)"><img loading="lazy" src="\(address)/preview.jpg" alt="\(words)"></a>
        <figcaption>\(words)</figcaption></figure>
        """
    }
  }

  private func form(
    of point: PhotoPoint, _ entries: PhotoPointEntries, _ refusal: OfficeRefusal?,
    _ reader: Reader
  ) throws -> HTML {
    let place = point.stand.coordinate
    let map = SubjectMap(
      layers: try office.core.layers.facts(of: reader.agency, below: "/map/tiles"),
      camera: SubjectMap.Place(
        latitudeDegrees: place.latitudeDegrees, longitudeDegrees: place.longitudeDegrees),
      azimuthDegrees: point.stand.orientation?.azimuthDegreesTrue,
      viewDegrees: point.camera.horizontalDegrees)
    return """
      <section class="card"><h2>\(t("Change the photo point"))</h2>
      \(refusal.map { "<p class=\"notice notice-error\" role=\"alert\">\(t($0.wording))</p>" as HTML })
      <form class="fields" method="post" action="/points/\(point.id.description)">\(reader.request.formField)
      <label>\(t("Name (may stay empty)"))<input name="name" maxlength="\(PhotoPointRule.nameCharactersAtMost)" autocomplete="off" value="\(entries.name)"></label>
      <label>\(t("Parcel identifier"))<input name="parcel" maxlength="\(PhotoPointRule.parcelCharactersAtMost)" autocomplete="off" value="\(entries.parcel)"></label>
      \(map.html(t))
      <label>\(t("Latitude of what the photo shows"))<input name="latitude" inputmode="decimal" autocomplete="off" value="\(entries.latitude)"></label>
      <label>\(t("Longitude of what the photo shows"))<input name="longitude" inputmode="decimal" autocomplete="off" value="\(entries.longitude)"></label>
      <p class="hint">\(t("The place of the thing in the picture, in degrees such as 49.0837. Leave both fields empty if nobody knows it."))</p>
      <p class="actions"><button class="button primary">\(t("Save"))</button></p>
      <p class="hint">\(t("Reference photo, place and direction stay as they are: make another point to change them."))</p></form></section>
      """
  }

  /// Returns the button that withdraws the point, or brings it back: no question is asked before,
  /// since each undoes the other.
  private func withdrawal(of point: PhotoPoint, _ reader: Reader) -> HTML {
    let isWithdrawn = point.withdrawn != nil
    return """
      <section class="card"><h2>\(isWithdrawn ? t("Bring it back") : t("Withdraw it"))</h2>
      <form method="post" action="/points/\(point.id.description)/withdrawal">\(reader.request.formField)
      <p>\(isWithdrawn ? t("Devices with tasks near it get it again after their next delivery.") : t("For a photo point made by mistake, or one that nobody needs any more. Devices no longer get it; its series stays, and tasks that name it keep it. You can bring it back."))</p>
      <p class="actions"><button class="button" name="do" value="\(isWithdrawn ? "bring-back" : "withdraw")">\(isWithdrawn ? t("Bring it back") : t("Withdraw it"))</button></p></form></section>
      """
  }

  private func withdraw(_ id: Identifier, _ reader: Reader) async throws -> WebResponse {
    _ = try await office.points.point(id, in: reader.agency)
    let asked = try await reader.request.form()["do"]
    guard let asked, ["withdraw", "bring-back"].contains(asked) else {
      throw OfficeRefusal(
        .inputInvalid, "say whether to withdraw the photo point or to bring it back")
    }
    let isWithdrawn = asked == "withdraw"
    try await office.points.set(
      isWithdrawn: isWithdrawn, id, by: reader.visitor.account.login, in: reader.agency)
    return .redirect("/points/\(id)?done=\(isWithdrawn ? "pointWithdrawn" : "pointBack")")
  }

  /// Changes name, parcel and subject as the form says.
  private func change(_ id: Identifier, _ reader: Reader) async throws -> WebResponse {
    let entries = PhotoPointEntries(try await reader.request.form())
    do {
      try await office.points.change(
        id, name: entries.name, parcel: entries.parcel, subject: try entries.subject(),
        by: reader.visitor.account.login, in: reader.agency)
      return .redirect("/points/\(id)?done=pointSaved")
    } catch {
      guard let refusal = OfficeRefusal(of: error), refusal.kind != .unknown else { throw error }
      // The entries stay in the form.
      return try await show(id, reader, entries: entries, refusal: refusal)
    }
  }

  // MARK: two photos of a series

  private func compare(_ id: Identifier, _ reader: Reader) async throws -> WebResponse {
    let series = try await office.points.series(of: id, in: reader.agency)
    if series.point.pose == .estimated { return try compareWithArchive(series, reader) }
    let sides = sides(of: series)
    guard sides.count > 1 else {
      throw OfficeRefusal(
        .ruleForbids, "you need two photos to compare; the photo point has \(sides.count)")
    }
    func asked(_ name: String, _ otherwise: Int) throws -> Int {
      guard let wanted = reader.request.query[name] else { return otherwise }
      guard let index = sides.firstIndex(where: { $0.photo.id.description == wanted }) else {
        throw OfficeRefusal(.unknown, "this photo point has no such photo in its series")
      }
      return index
    }
    let chosen = [try asked("left", 0), try asked("right", sides.count - 1)]
    // The reference comes before its repeats, whatever the clocks say.
    let (earlier, later) = (sides[chosen.min() ?? 0], sides[chosen.max() ?? 0])
    let pair = PhotoPair(office: office, matcher: matcher)
    let address = "/points/\(id)"
    return page(
      t("Compare two photos of {1}", series.point.title), reader, current: "/points",
      scripts: [PicturePair.script.href], styles: [PicturePair.style.href],
      """
      <nav class="way" aria-label="\(t("Series"))"><a class="button quiet" href="\(address)" data-key="u">\(t("Back to the photo point"))</a>\(composeLink(earlier.photo.id, later.photo.id))</nav>
      <h1>\(series.point.title)</h1>
      \(pair.choice(of: sides, chosen: chosen, address: "\(address)/compare"))
      \(try await pair.html(earlier, later))
      """)
  }

  /// Returns the archive picture beside one of its repeats. The numbers stand with the series.
  private func compareWithArchive(
    _ series: PhotoSeries, _ reader: Reader
  ) throws -> WebResponse {
    let wanted = reader.request.query["right"]
    let found = series.repeats.firstIndex { $0.photo.photo.id.description == wanted }
    guard let index = wanted == nil ? series.repeats.indices.last : found else {
      throw OfficeRefusal(.unknown, "this photo point has no such photo in its series")
    }
    let (point, photo) = (series.point, series.repeats[index].photo.photo)
    let address = "/points/\(point.id)"
    let pair = PicturePair.html(
      [
        PicturePair.Side(
          caption: "\(t("Archive picture")), \(t.form.day(point.taken.date))",
          address: "\(address)/reference.jpg", whole: "\(address)/reference.jpg"),
        PicturePair.Side(
          caption: "\(t("Repeat {1}", index + 1)), \(t.moment(photo.deviceTime))",
          address: "/photos/\(photo.id)/preview.jpg", whole: "/photos/\(photo.id)/photo.jpg"),
      ], title: t("Both photos"), share: t("Share of the later photo"), t)
    return page(
      t("Compare two photos of {1}", point.title), reader, current: "/points",
      scripts: [PicturePair.script.href], styles: [PicturePair.style.href],
      """
      <nav class="way" aria-label="\(t("Series"))"><a class="button quiet" href="\(address)" data-key="u">\(t("Back to the photo point"))</a>\(composeLink(point.reference.photo, photo.id))</nav>
      <h1>\(point.title)</h1>\(pair)
      """)
  }

  /// Returns the link that lays one photo over another one.
  private func composeLink(_ one: Identifier, _ other: Identifier) -> HTML {
    """
    <a class="button quiet" href="/compose?with=\(one.description)&amp;photo=\(other.description)&amp;match=yes">\(t("Then and now"))</a>
    """
  }

  /// Returns the photos of a series in their order.
  private func sides(of series: PhotoSeries) -> [PhotoPair.Side] {
    var sides: [PhotoPair.Side] = []
    if let reference = series.reference {
      var side = PhotoPair.Side(reference.photo, title: t("Reference photo"))
      side.stand = series.point.stand
      sides.append(side)
    }
    for (index, one) in series.repeats.enumerated() {
      sides.append(PhotoPair.Side(one.photo.photo, title: t("Repeat {1}", index + 1)))
    }
    return sides
  }
}
