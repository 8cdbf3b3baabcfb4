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

/// The pages of areas that an inspector keeps for the time without a network: what is in view on the map
/// is chosen, with its size, and fetched from the office in the background.
struct OfflinePages: FieldPage {
  let server: FieldServer
  let help = GuidePart.offlineArea
  private var shelf: MapShelf { server.maps }

  static let path = "/map/offline"

  func add(to routes: inout Routes) {
    routes.get(Self.path) { request in
      try await reading(request) { try page($0, Wish(box: request.query["box"])) }
    }
    routes.post(Self.path) { request in
      try await reading(request) { reader in try await choose(reader) }
    }
    routes.get("/live/offline") { request in
      try await reading(request) { reader in
        let (unit, field) = (reader.unit, reader.request.formField)
        let part = PacedPart()
        return .events(
          live(of: unit) { await part.html(at: server.clock.elapsed) { liveList(field) } })
      }
    }
    for action in ["stop", "continue", "delete"] {
      routes.post("\(Self.path)/{id}/\(action)") { request in
        try await reading(request) { reader in
          let id = try identifier(request)
          if action == "delete" {
            try shelf.delete(id, tasks: MapShelf.boxes(of: try reader.unit.tasks()))
          } else {
            try shelf.stop(id, action == "stop")
          }
          server.bringMapsAsked()
          return .redirect(Self.path)
        }
      }
    }
  }

  // MARK: choosing

  /// The area that the form offers, with the values that were entered before it was refused.
  private struct Wish {
    /// The box as it is written in the form; nil for no form.
    var box: String?
    var title = ""
    /// The finest zoom that was chosen; nil for the first that is possible.
    var finest: Int?
    /// The names of the maps that were chosen; nil for all.
    var maps: Set<String>?
  }

  private func choose(_ reader: Reader) async throws -> WebResponse {
    let form = try await reader.request.form()
    guard let box = Self.box(form["box"]) else { return .redirect(Self.path) }
    let offered = Set(try shelf.offered().map(\.name))
    let chosen = Set(form.all("map")).intersection(offered)
    let finest = Int(form["finest"] ?? "")
    do {
      let area = try OfflineArea(
        id: Identifier(at: server.clock.deviceTime), title: title(form["title"]), box: box,
        finest: finest ?? 0, maps: chosen == offered ? [] : chosen)
      try shelf.add(area)
    } catch let error as OfflineAreaError {
      let wish = Wish(
        box: form["box"], title: form["title"] ?? "", finest: finest, maps: chosen)
      return try page(reader, wish, refusal: error)
    }
    server.bringMapsAsked()
    return .redirect(Self.path)
  }

  private func title(_ given: String?) -> String {
    let words = (given ?? "").trimmingCharacters(in: .whitespaces)
    return words.isEmpty ? t("Area of {1}", server.clock.deviceTime.date.iso8601) : words
  }

  /// Reads a box written as `west,south,east,north` in degrees; nil for any other text.
  static func box(_ text: String?) -> CoordinateBox? {
    guard let text, text.utf8.count <= 120 else { return nil }
    let sides = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard sides.count == 4, let west = sides[0], let south = sides[1], let east = sides[2],
      let north = sides[3]
    else { return nil }
    // A view may reach over the edge of the map, and around the world.
    guard east - west < 360 else { return nil }
    return CoordinateBox(
      westDegrees: Coordinate.wrapped(longitudeDegrees: west), southDegrees: max(-85, south),
      eastDegrees: Coordinate.wrapped(longitudeDegrees: east), northDegrees: min(85, north))
  }

  // MARK: the page

  private func page(
    _ reader: Reader, _ wish: Wish, refusal: OfflineAreaError? = nil
  ) throws -> WebResponse {
    let lost = t("This page is not up to date: the program does not answer.")
    let notices = [
      refusal.map { PageFrame.Notice(kind: .error, text: t($0.wording)) },
      shelf.trouble.map {
        PageFrame.Notice(kind: .warning, text: t("The office's maps do not come: {1}", t($0)))
      },
    ].compactMap(\.self)
    return page(
      t("Offline maps"), reader, current: "/map", notices: notices,
      status: refusal == nil ? 200 : 422, styles: [FieldMapStyle.asset.href],
      """
      <p><a href="/map">\(t("Map"))</a></p><h1>\(t("Offline maps"))</h1>
      <p>\(t("The maps around your tasks come by themselves. Here you keep further areas for the time without a network."))</p>
      \(try chooser(reader.request.formField, wish))
      <div data-live="/live/offline" data-live-lost="\(lost)">\(try list(reader.request.formField))</div>
      """)
  }

  /// Returns the form for the area in view on the map; without one, the way to it.
  private func chooser(_ formField: HTML, _ wish: Wish) throws -> HTML {
    let offered = try shelf.offered()
    guard !offered.isEmpty else {
      return """
        <p class="empty">\(t("This device knows no map of your office yet: it asks after the next delivery."))</p>
        """
    }
    guard let text = wish.box, let box = Self.box(text) else {
      return """
        <p class="actions"><a class="button primary" href="/map">\(t("Choose an area on the map"))</a></p>
        """
    }
    let (details, canKeep) = try details(of: box, wish)
    let maps: HTML? =
      offered.count < 2
      ? nil
      : """
      <fieldset><legend>\(t("Maps"))</legend>\(offered.map { map in
        """
        <label class="choice"><input type="checkbox" name="map" value="\(map.name)"\(wish.maps?.contains(map.name) != false ? " checked" as HTML : nil)>\(map.title)</label>
        """ as HTML
      })</fieldset>
      """
    return """
      <section class="card"><h2>\(t("Keep the area in view"))</h2>
      <form class="fields" method="post" action="\(Self.path)">\(formField)
      <input type="hidden" name="box" value="\(text)">
      <label>\(t("Name"))<input name="title" value="\(wish.title)" maxlength="\(OfflineArea.titleCharactersAtMost)" autocomplete="off" placeholder="\(title(nil))"></label>
      <fieldset><legend>\(t("Detail"))</legend><ul class="offline-choices">\(details)</ul></fieldset>\(maps)
      <p class="actions"><button class="button primary"\(canKeep ? nil : " disabled" as HTML)>\(t("Keep this area"))</button>
      <a class="button" href="/map">\(t("Cancel"))</a></p></form></section>
      """
  }

  /// Returns the choice of the detail, and if any detail is possible: those for which the area is
  /// too large cannot be chosen.
  private func details(
    of box: CoordinateBox, _ wish: Wish
  ) throws -> (list: [HTML], canKeep: Bool) {
    let details = try [
      (14, t("Overview: roads and villages")), (17, t("Fields: parcels and paths")),
      (20, t("Every detail, as far as the map has it")),
    ].map { finest, words in
      (finest: finest, words: words, extent: try extent(of: box, finest))
    }
    let possible = details.filter { $0.extent != nil }.map(\.finest)
    let chosen = possible.first { $0 == wish.finest } ?? possible.first
    let list = details.map { finest, words, extent -> HTML in
      guard let extent else {
        return """
          <li><label class="choice"><input type="radio" name="finest" value="\(finest)" disabled><span>\(words)<span class="muted">\(t("too large: zoom in on the map"))</span></span></label></li>
          """
      }
      let size =
        extent.isComplete
        ? t("is here already")
        : t("at most about {1}, {2} tiles", Self.size(extent.bytesToCome), extent.tilesToCome)
      return """
        <li><label class="choice"><input type="radio" name="finest" value="\(finest)" required\(finest == chosen ? " checked" as HTML : nil)><span>\(words)<span class="muted">\(size)</span></span></label></li>
        """
    }
    return (list, chosen != nil)
  }

  /// Returns the extent of an area that may be chosen; nil if it is too large.
  private func extent(of box: CoordinateBox, _ finest: Int) throws -> MapShelf.Extent? {
    do {
      return try shelf.extent(
        of: OfflineArea(
          id: Identifier(at: server.clock.deviceTime), title: "", box: box, finest: finest,
          maps: []))
    } catch is OfflineAreaError {
      return nil
    }
  }

  /// Returns the chosen areas as their stream shows them. If they cannot be read, it says so.
  func liveList(_ formField: HTML) -> HTML {
    readable("offline areas") { try list(formField) }
      ?? "<p class=\"light light-bad\">\(t("The areas cannot be read: the log says why."))</p>"
  }

  /// Returns the chosen areas with their progress.
  private func list(_ formField: HTML) throws -> HTML {
    let areas = try shelf.areas()
    guard !areas.isEmpty else {
      return "<p class=\"muted\">\(t("You keep no further areas yet."))</p>"
    }
    let rows = try areas.map { area -> HTML in
      let extent = try shelf.extent(of: area)
      func button(_ action: String, _ words: String) -> HTML {
        """
        <form method="post" action="\(Self.path)/\(area.id.description)/\(action)">\(formField)<button class="button">\(words)<span class="unseen"> \(area.title)</span></button></form>
        """
      }
      let words =
        extent.isComplete
        ? t("Here, with every tile that the office has")
        : area.isStopped
          ? t("Stopped: {1} of {2} parts are here", extent.cellsHere, extent.cells)
          : t(
            "{1} of {2} parts are here, at most about {3} to come", extent.cellsHere, extent.cells,
            Self.size(extent.bytesToCome))
      let light = extent.isComplete ? "good" : "warn"
      let pace: HTML? =
        extent.isComplete
        ? nil : area.isStopped ? button("continue", t("Continue")) : button("stop", t("Stop"))
      return """
        <li class="card"><h2>\(area.title)</h2><p class="light light-\(light)">\(words)</p>
        <progress max="\(max(1, extent.cells))" value="\(extent.cellsHere)" aria-label="\(t("Progress"))"></progress>
        <div class="map-buttons">\(pace)\(button("delete", t("Delete")))</div></li>
        """
    }
    return "<h2>\(t("Areas on this device"))</h2><ul class=\"plain offline-areas\">\(rows)</ul>"
  }
}
