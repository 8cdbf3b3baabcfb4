import FieldUnit
import Geodesy
import Guide
import Inspection
import Store
import TimeAndText
import Web

/// The photo points near the inspector: without a network, for all that came down with the tasks.
struct NearbyPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.photoPoints

  static let path = "/nearby"
  private static let radiusSetting = "nearby-metres"
  /// The number of cards on a page, with as many pictures as a handheld shows without waiting.
  private static let cardsPerPage = 60

  func add(to routes: inout Routes) {
    routes.get(PointStyle.asset.path) { request in PointStyle.asset.response(to: request) }
    routes.get(SubjectMap.script.path) { request in SubjectMap.script.response(to: request) }
    routes.get(Self.path) { request in try await reading(request) { try await nearby($0) } }
    routes.post(Self.path + "/radius") { request in
      try await reading(request) { try await setRadius($0) }
    }
    routes.post(Self.path + "/code") { request in
      try await reading(request) { try await find($0) }
    }
  }

  // MARK: the list

  private func radius(_ unit: InspectorUnit) throws -> Double {
    let kept = try unit.store.read(as: unit.person) {
      try $0.settings.value(of: Self.radiusSetting)
    }
    guard let metres = kept.flatMap(Double.init),
      PhotoPointRule.nearbyMetresAllowed.contains(metres)
    else { return PhotoPointRule.nearbyMetres }
    return metres
  }

  private func nearby(
    _ reader: Reader, refusal: String? = nil, code: String = ""
  ) async throws -> WebResponse {
    let metres = try radius(reader.unit)
    let here = await freshPlace()
    let isAll = here == nil || reader.request.query["show"] == "all"
    let all = try reader.unit.points.all()
    let count = all.count
    var found = all[...]
    if let here, !isAll {
      found = try reader.unit.points.near(here, metres: metres).map(\.point)[...]
    }
    let size = Self.cardsPerPage
    let (number, pages) = pageNumber(reader.request, of: found.count, each: size)
    let cards = try found.dropFirst((number - 1) * size).prefix(size)
      .map { try card($0, reader.unit, from: here) }
    let address = Self.path + (isAll ? "?show=all" : "")
    let notices = refusal.map { [PageFrame.Notice(kind: .error, text: $0)] } ?? []
    return page(
      t("Photo points nearby"), reader, current: "/photos", notices: notices,
      status: refusal == nil ? 200 : 422, styles: [PointStyle.asset.href],
      """
      <div class="heading"><h1>\(t("Photo points nearby"))</h1>\(count == 0 ? nil : "<span class=\"muted\">\(t("{1} of {2}", found.count, count))</span>" as HTML)</div>
      <p class="muted">\(place(here, metres, isAll: isAll))</p>
      <p class="actions list-actions nearby-actions"><a class="button primary" href="\(LabelPages.path)">\(t("Read a label"))</a><a class="button" href="\(Self.path)">\(t("Look again"))</a>\
      <a class="button" href="/map">\(t("On the map"))</a>\
      <a class="button" href="\(CameraAddress(makingFor: nil).href)">\(t("New photo point"))</a>\
      \(isAll ? nil : "<a class=\"button\" href=\"\(Self.path)?show=all\">\(t("All on this device"))</a>" as HTML)</p>
      \(cards.isEmpty ? empty(count, within: metres) : "<ul class=\"points\">\(cards)</ul>")\(pager(number, of: pages, address))
      \(forms(reader, metres, code))
      """)
  }

  private func place(_ here: Coordinate?, _ metres: Double, isAll: Bool) -> HTML {
    guard here != nil else {
      return .text(
        t("No recent position: here are all photo points of this device, the newest first."))
    }
    return isAll
      ? .text(t("All photo points of this device, the newest first."))
      : t.html(
        "Within {1} of where you were at {2}.", "\(t.form.distance(metres: metres))",
        t.time(server.clock.deviceTime))
  }

  private func empty(_ count: Int, within metres: Double) -> HTML {
    """
    <div class="empty"><p>\(count == 0 ? t("No photo points on this device yet.") : t("No photo point is within {1}. Set more metres under “How far around”.", t.form.distance(metres: metres)))</p>
    <p class="muted">\(t("Those near your tasks come from the office. You can make one yourself, here or of any photo of yours."))</p></div>
    """
  }

  private func card(
    _ point: PhotoPoint, _ unit: InspectorUnit, from here: Coordinate?
  ) throws -> HTML {
    let way = here.map { PointPages.way(to: point, from: $0) }
    let picture: HTML =
      try server.points.path(of: .reference, point, on: unit) == nil
      ? "<span class=\"point-missing\">\(t("Its picture is not here yet."))</span>"
      : "<img loading=\"lazy\" width=\"320\" height=\"240\" src=\"/points/\(point.id.description)/thumbnail.jpg\" alt=\"\">"
    let arrow: HTML? = way?.wind.map {
      "<span class=\"point-wind wind-\($0)\" aria-hidden=\"true\">↑</span> "
    }
    return """
      <li class="card point"><a href="/points/\(point.id.description)">\(picture)\
      <strong>\(point.title)</strong> <span class="muted">\
      \(way.map { "<span>\(arrow)\($0.text ?? t("you are there"))</span>" as HTML }) \
      \(point.parcel.map { "<span>\($0)</span>" as HTML })</span></a></li>
      """
  }

  private func forms(_ reader: Reader, _ metres: Double, _ code: String) -> HTML {
    """
    <section class="card"><h2>\(t("By its label"))</h2>
    <form class="fields" method="post" action="\(Self.path)/code">\(reader.request.formField)
    <label>\(t("Code on the label"))<input class="code-field" name="code" required maxlength="64" autocomplete="off"
    autocapitalize="characters" spellcheck="false" value="\(code)" placeholder="XXXX XXXX"></label>
    <p class="actions"><button class="button primary">\(t("Open it"))</button>
    <a class="button" href="\(LabelPages.path)">\(t("Read the QR code"))</a></p></form></section>
    <section class="card"><h2>\(t("How far around"))</h2>
    <form class="fields" method="post" action="\(Self.path)/radius">\(reader.request.formField)
    <label>\(t("Metres, {1} to {2}", Int(PhotoPointRule.nearbyMetresAllowed.lowerBound), Int(PhotoPointRule.nearbyMetresAllowed.upperBound)))<input name="metres" type="number" inputmode="numeric" required
    min="\(Int(PhotoPointRule.nearbyMetresAllowed.lowerBound))" max="\(Int(PhotoPointRule.nearbyMetresAllowed.upperBound))" value="\(Int(metres))"></label>
    <p class="actions"><button class="button">\(t("Save"))</button></p></form></section>
    """
  }

  // MARK: the forms

  private func setRadius(_ reader: Reader) async throws -> WebResponse {
    let form = try await reader.request.form()
    guard let metres = form["metres"].flatMap(Double.init),
      PhotoPointRule.nearbyMetresAllowed.contains(metres)
    else {
      return try await nearby(
        reader,
        refusal: t(
          "Give a distance of {1} to {2} m.", Int(PhotoPointRule.nearbyMetresAllowed.lowerBound),
          Int(PhotoPointRule.nearbyMetresAllowed.upperBound)))
    }
    try reader.unit.store.write(as: reader.unit.person) {
      try $0.settings.set(
        Self.radiusSetting,
        to: metres == PhotoPointRule.nearbyMetres ? nil : DecimalText.fixed(metres, places: 0))
    }
    return .redirect(Self.path)
  }

  /// Leads to the photo point of a label that was read or typed.
  private func find(_ reader: Reader) async throws -> WebResponse {
    let text = (try await reader.request.form())["code"] ?? ""
    do {
      return .redirect("/points/\(try reader.unit.points.point(named: text).id)")
    } catch StoreError.unknown {
      return try await nearby(reader, refusal: LabelPages.unknown(t), code: text)
    } catch FieldUnitError.malformedPhotoPoint {
      return try await nearby(reader, refusal: LabelPages.malformed(t), code: text)
    }
  }
}

/// The style of the pages of photo points.
enum PointStyle {
  static let asset = Asset(file: "/assets/points.css", [PackageResources.points_css])
}
