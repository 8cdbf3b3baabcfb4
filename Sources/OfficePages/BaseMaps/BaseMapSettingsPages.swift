import Foundation
import Geodesy
import Guide
import Inspection
import MapLayers
import Office
import OfficeFrame
import Store
import Sync
import TimeAndText
import Web

/// The page of one map service: its address and password, its layer, and how it looks.
struct BaseMapSettingsPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.baseMaps
  private var layers: OfficeLayers { office.core.layers }

  func add(to routes: inout Routes) {
    let style = BaseMapStyle.asset
    routes.get(style.path) { request in style.response(to: request) }
    routes.get("/base-maps/{name}") { request in
      try await governing(request) { reader in
        let service = try layers.service(request.parameters["name"] ?? "", of: reader.agency)
        if request.query["tested"] != nil, service.isComplete {
          return try await settings(service, reader, notice: await test(service, reader))
        }
        return try await settings(
          service, reader, listsLayers: request.query["layers"] != nil || !service.isComplete)
      }
    }
    routes.post("/base-maps/{name}") { request in
      try await governing(request) { reader in
        let name = request.parameters["name"] ?? ""
        let service = try layers.service(name, of: reader.agency)
        let form = try await request.form()
        do {
          try await save(service, form, reader)
          return .redirect("/base-maps/\(name)?tested=yes")
        } catch {
          guard let refusal = OfficeRefusal(of: error),
            [.inputInvalid, .mapUnavailable].contains(refusal.kind)
          else { throw error }
          return try await settings(
            try layers.service(name, of: reader.agency), reader,
            notice: PageFrame.Notice(kind: .error, text: t(refusal.wording)), status: 422)
        }
      }
    }
  }

  // MARK: saving

  private func save(_ service: MapService, _ form: WebForm, _ reader: Reader) async throws {
    var draft = service
    let address = try ServiceAddress(form["address"] ?? service.address, kind: service.kind)
    let isMoved = address.text != service.address
    draft.move(to: address)
    draft.title = BaseMapForm.title(form)
    if draft.title.isEmpty { draft.title = address.host }
    draft.attribution = BaseMapForm.attribution(form)
    draft.isOffered = form["offered"] == "yes"
    BaseMapForm.takeAccount(form, into: &draft)
    try BaseMapForm.takeZooms(form, into: &draft)
    // Address and password are kept also if the service cannot be asked just now.
    let kept = draft
    try layers.change(service.name, of: reader.agency) { $0 = kept }
    try await note("base-map-changed", service.name, reader, detail: address.host)
    let layer = form["layer"] ?? service.layer ?? ""
    let mediaType = form["mediaType"] ?? service.mediaType
    guard service.kind != .xyz, !layer.isEmpty,
      isMoved || !draft.isComplete || layer != service.layer || mediaType != service.mediaType
    else { return }
    let capabilities = try await layers.fetcher.capabilities(of: draft)
    try draft.choose(layer, style: service.style, mediaType: mediaType, from: capabilities)
    let chosen = draft
    try layers.change(service.name, of: reader.agency) { $0 = chosen }
  }

  private func test(_ service: MapService, _ reader: Reader) async throws -> PageFrame.Notice {
    do {
      let tile = try await layers.test(
        service, of: reader.agency, near: try await middle(of: reader.agency))
      return tile == nil
        ? PageFrame.Notice(
          kind: .warning, text: t("The service answers, and has no picture of your agency's area."))
        : PageFrame.Notice(kind: .success, text: t("The service works."))
    } catch {
      guard let refusal = OfficeRefusal(of: error), refusal.kind != .storeUnavailable else {
        throw error
      }
      return PageFrame.Notice(kind: .warning, text: t("Saved, but: {1}", t(refusal.wording)))
    }
  }

  // MARK: the page

  private func settings(
    _ service: MapService, _ reader: Reader, listsLayers: Bool = false,
    notice: PageFrame.Notice? = nil, status: Int = 200
  ) async throws -> WebResponse {
    var notices = [notice].compactMap(\.self)
    var capabilities: ServiceCapabilities?
    if listsLayers, service.kind != .xyz {
      do {
        capabilities = try await layers.fetcher.capabilities(of: service)
      } catch {
        notices.append(PageFrame.Notice(kind: .error, text: t(error.wording)))
      }
    }
    let place = OfficeLayers.sample(of: service.zooms, near: try await middle(of: reader.agency))
    let sample: HTML? =
      service.isComplete
      ? """
      <img src="/map/tiles/\(service.name)/\(place.zoom)/\(place.x)/\(place.y)" width="256" height="256" alt="\(t("A tile of this map"))">
      """ : nil
    let test: HTML? =
      service.isComplete
      ? "<a class=\"button\" href=\"/base-maps/\(service.name)?tested=yes\">\(t("Test now"))</a>"
      : nil
    return page(
      "\(t("Base map")): \(service.title)", reader, current: "/base-maps", notices: notices,
      status: status,
      styles: [BaseMapStyle.asset.href],
      """
      <p><a href="/base-maps">\(t("Base maps"))</a></p><h1>\(service.title)</h1>
      <div class="base-map-settings"><section class="card">
      <form class="fields" method="post" action="/base-maps/\(service.name)">\(reader.request.formField)
      \(layer(service, capabilities))
      <label>\(t("Title"))<input name="title" maxlength="200" autocomplete="off" value="\(service.title)"></label>
      <label>\(t("Attribution"))<input name="attribution" maxlength="1000" autocomplete="off" value="\(service.attribution ?? "")" aria-describedby="hint-attribution"></label>
      <p class="hint" id="hint-attribution">\(t("Shown on each map and in documents: the words that the map's makers ask for."))</p>
      \(zooms(service))
      <label>\(t("Address"))<input name="address" inputmode="url" required maxlength="2000" autocomplete="off" spellcheck="false" value="\(service.address)"></label>
      \(BaseMapForm.account(t, user: service.user, hasPassword: service.password != nil))
      <label class="choice"><input type="checkbox" name="offered" value="yes"\(service.isOffered ? " checked" as HTML : nil)>\(t("Field units may keep parts of this map"))</label>
      <p class="hint">\(t("Clear this if the map's terms do not allow copies on devices."))</p>
      <p class="actions"><button class="button primary">\(t("Save"))</button>\(test)</p></form></section>
      <div>\(sample)</div></div>
      """)
  }

  private func layer(_ service: MapService, _ capabilities: ServiceCapabilities?) -> HTML? {
    guard service.kind != .xyz else { return nil }
    guard let capabilities else {
      return service.layer.map { name in
        """
        <p>\(t("Layer: {1}", name)) · <a href="/base-maps/\(service.name)?layers=yes">\(t("Choose another layer"))</a></p>
        """
      }
    }
    let options = capabilities.layers.map { layer in
      """
      <option value="\(layer.name)"\(layer.name == service.layer ? " selected" as HTML : nil)>\(layer.title == layer.name ? layer.name : "\(layer.title) (\(layer.name))")</option>
      """ as HTML
    }
    let formats = Set(capabilities.layers.flatMap(\.mediaTypes)).sorted().map { type in
      """
      <option value="\(type)"\(type == service.mediaType ? " selected" as HTML : nil)>\(type)</option>
      """ as HTML
    }
    return """
      <label>\(t("Layer"))<select name="layer" required><option value="">\(t("Choose a layer"))</option>\(options)</select></label>
      <p class="hint">\(t("{1} layers can be used; {2} others are not in Web Mercator.", capabilities.layers.count, capabilities.unusable))</p>
      <label>\(t("Kind of pictures"))<select name="mediaType">\(formats)</select></label>
      <p class="hint">\(t("image/jpeg is smaller for aerial photos, image/png sharper for maps."))</p>
      """
  }

  private func zooms(_ service: MapService) -> HTML {
    """
    <div class="base-map-zooms"><label>\(t("From zoom"))<input name="leastZoom" type="number" min="0" max="22" required value="\(service.zooms.lowerBound)"></label>
    <label>\(t("To zoom"))<input name="mostZoom" type="number" min="0" max="22" required value="\(service.zooms.upperBound)"></label></div>
    """
  }
}

extension OfficePage {
  /// Returns the middle of the agency's parcels, tasks and photos; nil if it has none yet.
  func middle(of agency: String) async throws -> Coordinate? {
    let (parcels, extent) = try await office.database.read(in: agency) { session in
      (
        try session.parcels.neighbourhood(),
        try session.map.extent(nil, at: office.clock.deviceTime)
      )
    }
    if let parcels {
      return Coordinate(
        latitudeDegrees: (parcels.south + parcels.north) / 2,
        longitudeDegrees: (parcels.west + parcels.east) / 2)
    }
    guard let extent, !extent.crossesAntimeridian else { return nil }
    return Coordinate(
      latitudeDegrees: (extent.southDegrees + extent.northDegrees) / 2,
      longitudeDegrees: (extent.westDegrees + extent.eastDegrees) / 2)
  }
}
