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

  func add(to routes: inout Routes) {
    routes.get(PointStyle.asset.path) { request in PointStyle.asset.response(to: request) }
    routes.get(PointStyle.pin.path) { request in PointStyle.pin.response(to: request) }
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
    let found: [(point: PhotoPoint, metres: Double?)] =
      if let here, !isAll {
        try reader.unit.points.near(here, metres: metres).map { ($0.point, $0.metres) }
      } else {
        try reader.unit.points.all().prefix(PhotoPointRule.nearbyAtMost).map { ($0, nil) }
      }
    let cards = try found.map { try card($0.point, reader.unit, from: here) }
    let count = try reader.unit.points.all().count
    let notices = refusal.map { [PageFrame.Notice(kind: .error, text: $0)] } ?? []
    return page(
      t("Photo points nearby"), reader, current: "/photos", notices: notices,
      status: refusal == nil ? 200 : 422, styles: [PointStyle.asset.href],
      """
      <div class="heading"><h1>\(t("Photo points nearby"))</h1>\(count == 0 ? nil : "<span class=\"muted\">\(t("{1} of {2}", found.count, count))</span>" as HTML)</div>
      <p class="muted">\(place(here, metres, isAll: isAll))</p>
      <p class="actions list-actions nearby-actions"><a class="button primary" href="\(LabelPages.path)">\(t("Read a label"))</a><a class="button" href="\(Self.path)">\(t("Look again"))</a>\
      <a class="button" href="/map">\(t("On the map"))</a>\
      \(isAll ? nil : "<a class=\"button\" href=\"\(Self.path)?show=all\">\(t("All on this device"))</a>" as HTML)</p>
      \(cards.isEmpty ? empty(count, within: metres) : "<ul class=\"points\">\(cards)</ul>")
      \(forms(reader, metres, code))
      """)
  }

  private func place(_ here: Coordinate?, _ metres: Double, isAll: Bool) -> HTML {
    guard here != nil else {
      return .text(
        t(
          "No recent position: here are the newest photo points of this device, at most {1}.",
          PhotoPointRule.nearbyAtMost))
    }
    return isAll
      ? .text(
        t("The newest photo points of this device, at most {1}.", PhotoPointRule.nearbyAtMost))
      : t.html(
        "Within {1} of where you were at {2}.", "\(t.form.distance(metres: metres))",
        t.time(server.clock.deviceTime))
  }

  private func empty(_ count: Int, within metres: Double) -> HTML {
    """
    <div class="empty"><p>\(count == 0 ? t("No photo points on this device yet.") : t("No photo point is within {1}. Set more metres under “How far around”.", t.form.distance(metres: metres)))</p>
    <p class="muted">\(t("Those near your tasks come from the office. You can make one yourself: take a photo, open it, and choose \"Make a photo point\"."))</p></div>
    """
  }

  private func card(
    _ point: PhotoPoint, _ unit: InspectorUnit, from here: Coordinate?
  ) throws -> HTML {
    let way = here.map { PointPages.way(to: point, from: $0) }
    let picture: HTML =
      try server.points.path(of: .reference, point, on: unit) == nil
      ? "<span class=\"point-missing\">\(t("Its picture is not here yet."))</span>"
      : "<img loading=\"lazy\" src=\"/points/\(point.id.description)/reference.jpg\" alt=\"\">"
    return """
      <li class="card point"><a href="/points/\(point.id.description)">\(picture)\
      <strong>\(point.title)</strong> <span class="muted">\
      \(way.map { "<span>\($0.text ?? t("you are there"))</span>" as HTML }) \
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

/// The style and the script of the pages of photo points.
enum PointStyle {
  static let asset = Asset(file: "/assets/points.css", [PackageResources.points_css])
  /// The pin of the subject on a map.
  static let pin = Asset(
    file: "/assets/subject-pin.js", [MapGround.script, PackageResources.subject_pin_js])
}
