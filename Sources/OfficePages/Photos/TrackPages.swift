import Exports
import Geodesy
import Guide
import Inspection
import Office
import OfficeFrame
import Positioning
import Store
import Sync
import TimeAndText
import Web

/// The page of the delivered tracks.
struct TrackPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.officeTracks

  private static let tracksPerPage = 50

  func add(to routes: inout Routes) {
    routes.get("/tracks") { request in
      try await reading(request, own: true) { try await tracks($0) }
    }
    routes.get("/tracks/{id}/track.kml") { request in
      try await reading(request, own: true) { reader in
        try await ExportPages(office: office).file(
          .tracks([try identifier(request)]), as: .kml, "track", reader)
      }
    }
    for isHidden in [true, false] {
      routes.post("/tracks/{id}/\(isHidden ? "hide" : "show")") { request in
        try await reading(request) { reader in
          try await office.review.setHidden(
            isHidden, track: try identifier(request), in: reader.agency,
            by: reader.visitor.account.login)
          return .redirect(isHidden ? "/tracks?done=hidden" : "/tracks?done=shown")
        }
      }
    }
  }

  private func tracks(_ reader: Reader) async throws -> WebResponse {
    let asked = StandaloneListAddress(reader.request.query)
    let (isHidden, inspector) = (asked.isHidden, asked.inspector)
    let (rows, number, pages, count) = try await office.database.read(
      in: reader.agency, ofInspector: reader.own
    ) { session in
      let count = try session.tracks.count(isHidden: isHidden, inspector: inspector)
      let (number, pages) = asked.pages(of: count, each: Self.tracksPerPage)
      let rows = try session.tracks.page(
        isHidden: isHidden, inspector: inspector, limit: Self.tracksPerPage,
        offset: (number - 1) * Self.tracksPerPage)
      return (rows, number, pages, count)
    }
    var items: [HTML] = []
    for row in rows {
      let track = try await office.review.track(row.id, in: reader.agency, ofInspector: reader.own)
      items.append(self.row(row, track, reader))
    }
    let table: HTML =
      rows.isEmpty
      ? "<div class=\"empty\"><p>\(isHidden ? t("Nothing is hidden.") : t("Nothing has arrived yet."))</p></div>"
      : """
      <table class="list"><thead><tr><th scope="col">\(t("Track"))</th><th scope="col">\(t("Inspector"))</th>
      <th scope="col">\(t("Task"))</th><th scope="col">\(t("Started"))</th>
      <th scope="col" class="number">\(t("Points"))</th><th scope="col" class="number">\(t("Length"))</th>
      <th scope="col" class="number">\(t("Area"))</th>
      <th scope="col"><span class="unseen">\(t("Actions"))</span></th></tr></thead>
      <tbody>\(items)</tbody></table>
      """
    return page(
      t("Tracks"), reader, current: "/tracks",
      """
      <h1>\(t("Tracks"))</h1>
      \(try await hiddenFilter("/tracks", asked, reader))
      <p class="muted">\(count == 1 ? t("1 track") : t("{1} tracks", count))</p>
      \(table)\(pager(number, of: pages) { "/tracks?\(asked.query(page: $0))" })
      """)
  }

  /// Returns a row of the table of tracks.
  private func row(_ row: ReceivedTrack, _ track: Track?, _ reader: Reader) -> HTML {
    let measures = track?.measures
    let action = row.hidden == nil ? "hide" : "show"
    let button: HTML? =
      row.task == nil && reader.own == nil
      ? """
      <form method="post" action="/tracks/\(row.id.description)/\(action)">\(reader.request.formField)
      <button class="button quiet">\(row.hidden == nil ? t("Hide") : t("Show again"))</button></form>
      """ : nil
    let task: HTML? = row.task.map {
      "<a href=\"/tasks/\($0.description)\">\(t("Task"))</a>"
    }
    let place: HTML? = (reader.own == nil ? track.flatMap(MapPages.area) : nil).map {
      "<a class=\"button quiet\" href=\"/map?at=\(AddressText.text($0))&amp;track=\(row.id.description)\">\(t("On the map"))</a>"
    }
    let cameLate: HTML? = row.lateTask.map {
      "<br><a href=\"/tasks/\($0.description)\">\(t("arrived after its task was decided"))</a>"
    }
    let unsealed = MapPages(office: office).unsealed(track).map { "<br>\($0)" as HTML }
    func metres(_ value: Double?, _ unit: String) -> HTML {
      value.map { .text("\(t.decimal($0, places: 0)) \(unit)") } ?? "—"
    }
    return """
      <tr><td data-label="\(t("Track"))">\(row.name)\(unsealed)\(cameLate)</td>
      <td data-label="\(t("Inspector"))">\(row.inspector)</td>
      <td data-label="\(t("Task"))">\(task ?? "—")</td>
      <td data-label="\(t("Started"))">\(t.time(row.started))</td>
      <td class="number" data-label="\(t("Points"))">\(measures.map { "\($0.points)" } ?? t("missing"))</td>
      <td class="number" data-label="\(t("Length"))">\(metres(measures?.lengthMetres, "m"))</td>
      <td class="number" data-label="\(t("Area"))">\(metres(measures?.areaSquareMetres, "m²"))</td>
      <td class="actions">\(ExportPages.links("/tracks/\(row.id.description)/track", style: "button quiet"))\(place)\(button)</td></tr>
      """
  }
}
