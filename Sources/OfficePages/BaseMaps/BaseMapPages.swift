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

/// The page of the agency's base maps, for its administrators: what is there, what each looks like, and
/// how to add one.
struct BaseMapPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.baseMaps
  var layers: OfficeLayers { office.core.layers }

  func add(to routes: inout Routes) {
    routes.get("/base-maps") { request in
      try await governing(request) { try await list($0) }
    }
    routes.post("/base-maps") { request in
      try await governing(request) { reader in
        request.isUpload ? try await receive(reader) : try await addService(reader)
      }
    }
    routes.post("/base-maps/{name}/first") { request in
      try await changing(request) { name, reader in
        try layers.prefer(name, of: reader.agency)
        try await note("base-map-first", name, reader)
      }
    }
    routes.post("/base-maps/{name}/remove") { request in
      try await changing(request) { name, reader in
        try layers.remove(name, of: reader.agency)
        try await note("base-map-removed", name, reader)
      }
    }
    BaseMapSettingsPages(office: office).add(to: &routes)
  }

  private func changing(
    _ request: WebRequest, _ body: (String, Reader) async throws -> Void
  ) async throws -> WebResponse {
    try await governing(request) { reader in
      try await body(request.parameters["name"] ?? "", reader)
      return .redirect("/base-maps?done=saved")
    }
  }

  // MARK: adding

  private func addService(_ reader: Reader) async throws -> WebResponse {
    let form = try await reader.request.form()
    do {
      guard let kind = form["kind"].flatMap(MapService.Kind.init(rawValue:)) else {
        throw OfficeRefusal(.inputInvalid, "choose what kind of service this is")
      }
      let address = try ServiceAddress(form["address"] ?? "", kind: kind)
      var service = MapService(
        name: "", kind: kind, title: BaseMapForm.title(form), address: address.text)
      BaseMapForm.takeAccount(form, into: &service)
      service.attribution = BaseMapForm.attribution(form)
      service = try layers.add(service, to: reader.agency)
      try await note("base-map-added", service.name, reader, detail: address.host)
      let next = service.isComplete ? "tested=yes" : "layers=yes"
      return .redirect("/base-maps/\(service.name)?\(next)")
    } catch {
      guard let refusal = OfficeRefusal(of: error), refusal.kind == .inputInvalid else {
        throw error
      }
      return try await list(reader, refusal: refusal, given: form)
    }
  }

  private func receive(_ reader: Reader) async throws -> WebResponse {
    let id = Identifier(at: office.clock.deviceTime).description
    let path = try layers.arrivalPath(for: reader.agency, id: id)
    do {
      guard let name = try await arrive(path, reader) else {
        throw OfficeRefusal(.inputInvalid, "no file was chosen")
      }
      let layer = try await ImportShelf.reading.runInTurn {
        try layers.take(path, called: name, for: reader.agency)
      }
      try await note("base-map-added", layer.name, reader, detail: name)
      return .redirect("/base-maps?done=saved")
    } catch {
      try DurableFile.remove(path)
      if case WebProblem.tooLarge? = error as? WebProblem {
        throw OfficeRefusal(
          .fileTooLarge,
          "the file has more than \(OfficeLayers.archiveBytesAtMost >> 30) GB: use the command"
            + " standpoint office maps import on the office's machine")
      }
      guard let refusal = OfficeRefusal(of: error), refusal.kind == .inputInvalid else {
        throw error
      }
      return try await list(reader, refusal: refusal)
    }
  }

  /// Writes a file as it arrives.
  /// - Returns: the file's name; nil if none was chosen.
  private func arrive(_ path: String, _ reader: Reader) async throws -> String? {
    try office.core.requireDisk()
    guard
      FileManager.default.createFile(
        atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
      let handle = FileHandle(forWritingAtPath: path)
    else { throw StoreError.unwritable(path: path, reason: "the file cannot be written") }
    defer { try? handle.close() }
    // The wrapping around the file needs little room in the body.
    return try await reader.request.upload(limit: OfficeLayers.archiveBytesAtMost + 65_536) {
      try office.core.requireDisk()
      do {
        try handle.write(contentsOf: $0)
      } catch {
        throw StoreError.unwritable(path: path, reason: "the disk is full, or it has failed")
      }
    }
  }

  // MARK: the list

  private func list(
    _ reader: Reader, refusal: OfficeRefusal? = nil, given: WebForm? = nil
  ) async throws -> WebResponse {
    let all = try layers.layers(of: reader.agency)
    let middle = try await middle(of: reader.agency)
    let cards = all.enumerated().map { index, layer in
      card(layer, isFirst: index == 0, middle: middle, reader)
    }
    let unfinished = try layers.unfinished(of: reader.agency).map { service in
      """
      <li class="card base-map"><div><h2>\(service.title)</h2><p class="muted">\(service.kind.rawValue.uppercased()) · \(BaseMapForm.host(service))</p>
      <p class="light light-warn">\(t("Not in use yet: choose its layer."))</p>
      <p class="actions"><a class="button primary" href="/base-maps/\(service.name)?layers=yes">\(t("Choose a layer"))</a>\(removal(service.name, reader))</p></div></li>
      """ as HTML
    }
    let nothing: HTML? =
      cards.isEmpty && unfinished.isEmpty
      ? """
      <div class="empty"><p>\(t("No base map yet. Maps have an empty ground until you add one."))</p></div>
      """ : nil
    let notices =
      layers.broken(of: reader.agency).map {
        PageFrame.Notice(
          kind: .warning,
          text: t(
            "The file {1} cannot be used: it is damaged, or it is not an MBTiles archive with pictures (png, jpg, webp).",
            $0 + ".mbtiles"))
      }
      + (refusal.map { [PageFrame.Notice(kind: .error, text: t($0.wording))] } ?? [])
    return page(
      t("Base maps"), reader, current: "/base-maps", notices: notices,
      status: refusal?.kind.status ?? 200, styles: [BaseMapStyle.asset.href],
      """
      <h1>\(t("Base maps"))</h1>
      <p>\(t("People switch between these maps on each map. The first is shown at the beginning and printed in documents. Field units keep the parts around their tasks. All tiles come from this office, whatever their source."))</p>
      \(nothing)<ul class="plain base-maps">\(cards)\(unfinished)</ul>
      <div class="split base-map-forms">\(BaseMapForm.newService(t, reader, given))\(upload(reader))</div>
      """)
  }

  private func upload(_ reader: Reader) -> HTML {
    """
    <section class="card"><h2>\(t("Add a file"))</h2>
    <form class="fields" method="post" action="/base-maps" enctype="multipart/form-data">\(reader.request.formField)
    <label>\(t("MBTiles file"))<input type="file" name="file" required accept=".mbtiles"></label>
    <p class="hint">\(t("A file of map pictures (png, jpg or webp), at most {1} GB. It works without any network. On the office's machine you can also put files into the folder {2}.", OfficeLayers.archiveBytesAtMost >> 30, "office/maps"))</p>
    <p class="actions"><button class="button primary">\(t("Upload"))</button></p></form></section>
    """
  }

  private func card(
    _ layer: BaseLayer, isFirst: Bool, middle: Coordinate?, _ reader: Reader
  ) -> HTML {
    let place = OfficeLayers.sample(of: layer.zooms, near: middle)
    let kind: String
    var isOwn = true
    switch layer.source {
    case .archive(_, let isShared):
      isOwn = !isShared
      kind = isShared ? t("File for all agencies of this office") : t("File")
    case .service(let tiles):
      kind = "\(tiles.service.kind.rawValue.uppercased()) · \(BaseMapForm.host(tiles.service))"
    }
    let settings: HTML? =
      layer.service == nil
      ? nil : "<a class=\"button\" href=\"/base-maps/\(layer.name)\">\(t("Settings"))</a>"
    let first: HTML =
      isFirst
      ? "<strong>\(t("Shown first"))</strong>"
      : """
      <form method="post" action="/base-maps/\(layer.name)/first">\(reader.request.formField)<button class="button">\(t("Show first"))</button></form>
      """
    return """
      <li class="card base-map"><img src="/map/tiles/\(AddressText.escaped(layer.name))/\(place.zoom)/\(place.x)/\(place.y)" width="128" height="128" loading="lazy" alt="\(t("A tile of this map"))">
      <div><h2>\(layer.title)</h2><p class="muted">\(kind) · \(t("zoom {1} to {2}", layer.zooms.lowerBound, layer.zooms.upperBound))</p>
      <p>\(layer.attribution.map { "© \($0)" } ?? t("No attribution: its makers may require one."))</p>\(trouble(layer))
      <div class="actions">\(first)\(settings)\(isOwn ? removal(layer.name, reader) : nil)</div></div></li>
      """
  }

  private func trouble(_ layer: BaseLayer) -> HTML? {
    guard case .service(let tiles) = layer.source else { return nil }
    let kept: HTML? =
      tiles.service.isOffered
      ? nil : "<p class=\"muted\">\(t("Field units do not keep it."))</p>"
    guard let trouble = tiles.trouble else { return kept }
    return """
      \(kept)<p class="light light-bad">\(t(trouble.error.wording)) <span class="muted">\(Self.time(trouble.time))</span></p>
      """
  }

  private func removal(_ name: String, _ reader: Reader) -> HTML {
    """
    <details class="ask"><summary class="button quiet">\(t("Remove"))</summary>
    <form method="post" action="/base-maps/\(name)/remove">\(reader.request.formField)
    <p>\(t("Maps no longer show it. Field units remove it within a day."))</p>
    <button class="button danger">\(t("Remove this map"))</button></form></details>
    """
  }
}

/// The style of the pages of base maps.
enum BaseMapStyle {
  static let asset = Asset(file: "/assets/base-maps.css", [PackageResources.base_maps_css])
}
