import Evidence
import FieldUnit
import Foundation
import Guide
import Inspection
import MapLayers
import Store
import Sync
import TimeAndText
import Web

/// The map page, its live data and the tiles of its base maps.
struct MapPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.fieldMap

  func add(to routes: inout Routes) {
    for asset in [
      FieldMapScript.asset, FieldMapStyle.asset, GuideScript.asset, CompassScript.asset,
    ] {
      routes.get(asset.path) { request in asset.response(to: request) }
    }
    routes.get("/assets/leaflet/{name...}") { request in try Leaflet.file(request) }
    routes.get("/map") { request in try await reading(request) { try await map($0) } }
    routes.get("/map/view.json") { request in
      try await reading(request) { reader in
        .json(try WireJSON.bytes(try mapView(reader.unit)))
      }
    }
    routes.get("/map/parcels.json") { request in
      try await reading(request) { reader in
        .json(
          try server.neighbours.list(of: reader.unit.person)
            ?? WireJSON.bytes(ParcelListMessage()))
      }
    }
    routes.get("/live/map") { request in
      try await reading(request) { reader in
        .events(mapEvents(reader.unit, task: try asked("task", reader, reader.unit.task)))
      }
    }
    routes.get("/map/tiles/{name}/{zoom}/{x}/{y}") { request in
      try await reading(request) { _ in
        let numbers = ["zoom", "x", "y"].compactMap { request.parameters[$0].flatMap { Int($0) } }
        guard numbers.count == 3, let name = request.parameters["name"],
          let archive = server.baseMaps.archive(name),
          let tile = try archive.tile(zoom: numbers[0], x: numbers[1], y: numbers[2])
        else { throw WebProblem.notFound }
        return .bytes(Array(tile), mediaType: archive.mediaType)
          .setting(header: "Cache-Control", to: "private, max-age=3600")
      }
    }
    EarlierPhotoPages(server: server).add(to: &routes)
    RecordingPages(server: server).add(to: &routes)
    OfflinePages(server: server).add(to: &routes)
  }

  /// Returns the inspector's own tasks, photos and tracks for the map.
  func mapView(_ unit: InspectorUnit) throws -> FieldMapView {
    let tasks = try unit.tasks()
    let names = Dictionary(tasks.map { ($0.id, $0.name) }) { first, _ in first }
    return FieldMapView(
      tasks: tasks.compactMap { FieldMapView.mark($0, stateTitle: t($0.state.title)) },
      photos: try unit.photos().map { photo in
        FieldMapView.mark(photo, taskName: photo.task.flatMap { names[$0] })
      },
      tracks: try unit.tracks().map(FieldMapView.mark),
      points: try unit.points.all().map { point in
        FieldMapView.mark(
          point,
          hasPicture: try server.points.path(of: .reference, point, on: unit) != nil)
      })
  }

  /// Returns the thing that the address asks the map to move to; nil if it asks for nothing, or for
  /// a thing that is not on this device.
  private func asked<Thing>(
    _ name: String, _ reader: Reader, _ find: (Identifier) throws -> Thing
  ) throws -> Thing? {
    guard let text = reader.request.query[name], let id = Identifier(text.lowercased()) else {
      return nil
    }
    do {
      return try find(id)
    } catch StoreError.unknown {
      return nil
    }
  }

  private func map(_ reader: Reader) async throws -> WebResponse {
    let task = try asked("task", reader, reader.unit.task)
    let photo = try asked("photo", reader, reader.unit.photo)
    let track = try asked("track", reader, reader.unit.track)
    let point = try asked("point", reader, reader.unit.points.point(_:))
    let focus: [String: String?] = [
      "task": task?.id.description, "photo": photo?.id.description,
      "track": track?.id.description, "point": point?.id.description,
    ]
    let isMissing = focus.contains { reader.request.query[$0.key] != nil && $0.value == nil }
    let broken = server.baseMaps.broken()
    // A notice names each broken base map once; the list below keeps naming it.
    var notices = server.baseMaps.untold(of: broken).map {
      PageFrame.Notice(kind: .warning, text: brokenWords($0))
    }
    if isMissing {
      notices.append(
        PageFrame.Notice(kind: .warning, text: t("This is not on this device.")))
    }
    let wantsGuide = reader.request.query["guide"] == "yes"
    let guided = wantsGuide && task?.parcel != nil ? task : nil
    if wantsGuide, task != nil, guided == nil {
      notices.append(
        PageFrame.Notice(
          kind: .warning, text: t("This task has no parcel: there is no place to guide you to.")))
    }
    let preferences = try reader.unit.settings()
    let line = await here()
    let data: [(String, String)] = [
      ("source", "/map/view.json"), ("parcels", "/map/parcels.json"),
      ("earlier", EarlierPhotoPages.path),
      ("events", "/live/map" + (task.map { "?task=\($0.id)" } ?? "")),
      ("layers", json(server.baseMaps.layers(below: "/map/tiles"))), ("words", json(mapWords)),
      ("focus", json(focus.compactMapValues(\.self))),
      ("follows", preferences.mapFollows && focus.allSatisfy { $0.value == nil } ? "yes" : "no"),
      ("tones", preferences.tonesOnPoint ? "yes" : "no"),
    ]
    let attributes = data.map { name, value -> HTML in " data-\(name)=\"\(value)\"" }
    return page(
      t("Map"), reader, current: "/map", notices: notices,
      refreshSeconds: server.trackDesk.recording(of: reader.unit.person) != nil ? 5 : nil,
      scripts: Leaflet.scripts + [FieldMapScript.asset.href],
      styles: Leaflet.styles + [FieldMapStyle.asset.href],
      """
      <h1 class="unseen">\(t("Map"))</h1>
      <div class="map-page">\(await GuidePages(server: server).card(guided, reader))
      <div class="live-map field-map" data-field-map\(attributes) role="region" aria-label="\(t("Map"))">\
      <noscript><p class="map-note">\(t("The map needs JavaScript. Everything on it is in the list below."))</p></noscript></div>
      <div class="map-panel" data-map-panel>
      <p class="map-here light light-\(line.light)" data-here>\(line.text)</p>
      \(GuidePages(server: server).way(to: task, isGuided: guided != nil))
      <p class="map-tools" data-map-tools hidden>\(GuidePages(server: server).tools(guided))<button type="button" class="button" data-follow aria-pressed="false">\(t("Follow me"))</button>
      <button type="button" class="button" data-everything>\(t("Show all"))</button>
      <a class="button" href="\(OfflinePages.path)" data-view>\(t("Offline maps"))</a></p>
      \(try await RecordingPages(server: server).recordPanel(reader, task: task))
      \(EarlierPhotoPages(server: server).yearsPanel)
      \(try list(reader, broken: broken))
      </div></div>
      """)
  }

  private func brokenWords(_ name: String) -> String {
    t(
      "The base map {1} cannot be used: it is damaged, or it is not an MBTiles archive with pictures (png, jpg, webp). Copy it there again, or remove it.",
      name)
  }

  private func json(_ value: some Encodable) -> String {
    (try? WireJSON.bytes(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  // MARK: the map as a list

  /// The largest number of each kind in the list; the pages of tasks, photos and tracks have all of
  /// them.
  private static let listedAtMost = 30

  /// Returns the things on the map as a list, for people who cannot see a map.
  private func list(_ reader: Reader, broken: [String]) throws -> HTML {
    let tasks = try reader.unit.tasks().filter { $0.parcel != nil }
    let photos = try reader.unit.photos().reversed()
    let tracks = try reader.unit.trackHeads().reversed()
    let points = try reader.unit.points.all()
    func group(_ title: String, _ rows: [HTML], of count: Int, _ all: String) -> HTML? {
      guard count > 0 else { return nil }
      let more: HTML? =
        count > rows.count ? "<p><a href=\"\(all)\">\(t("All {1}", count))</a></p>" : nil
      return "<h3>\(title)</h3><ul class=\"plain map-rows\">\(rows)</ul>\(more)"
    }
    func row(_ name: HTML, _ page: String, _ moves: String) -> HTML {
      """
      <li><a class="button quiet" href="/map?\(moves)"><span class="unseen">\(t("Show on map")) </span>\(name)</a>
      <a class="button quiet" href="\(page)">\(t("Open it"))<span class="unseen"> \(name)</span></a></li>
      """
    }
    let groups = [
      group(
        t("Parcels"),
        tasks.prefix(Self.listedAtMost).map {
          row("\(state($0.state)) \($0.name)", "/tasks/\($0.id)", "task=\($0.id)")
        }, of: tasks.count, "/tasks"),
      group(
        t("Photos"),
        photos.prefix(Self.listedAtMost).map {
          row(t.time($0.deviceTime), "/photos/\($0.id)", "photo=\($0.id)")
        }, of: photos.count, "/photos"),
      group(
        t("Photo points"),
        points.prefix(Self.listedAtMost).map {
          row(.text($0.title), "/points/\($0.id)", "point=\($0.id)")
        }, of: points.count, "/nearby?show=all"),
      EarlierPhotoPages(server: server).list(of: reader.unit.person, limit: Self.listedAtMost),
      group(
        t("Tracks"),
        tracks.prefix(Self.listedAtMost).map {
          row(
            "\($0.name) <code class=\"muted\">\($0.id.description)</code>", "/tracks/\($0.id)",
            "track=\($0.id)")
        }, of: tracks.count, "/tracks"),
    ].compactMap(\.self)
    let bases =
      server.baseMaps.all().map { "<li>\($0.title)</li>" as HTML }
      + broken.map { "<li>\(brokenWords($0))</li>" as HTML }
    return """
      <details class="map-list"><summary>\(t("As a list"))</summary>
      \(groups.isEmpty ? ["<p class=\"muted\">\(t("Nothing to show here."))</p>"] : groups)
      <h3>\(t("Base maps"))</h3>\(bases.isEmpty
        ? "<p class=\"muted\">\(t("None on this device: the map shows a grid of degrees. Put files NAME.mbtiles in the folder {1}.", server.baseMaps.folder))</p>" as HTML
        : "<ul>\(bases)</ul>")</details>
      """
  }

  private var mapWords: [String: String] {
    [
      "base": t("Base map"), "noBase": t("No base map here. It comes with your tasks."),
      "noTiles": t(
        "{1} shows nothing here: this may be outside it, or it cannot be loaded.", "{1}"),
      "none": t("Without a base map"), "zoomIn": t("Zoom in"), "zoomOut": t("Zoom out"),
      "layers": t("Map layers"),
      "noMap": t(
        "The map cannot be shown: the Debian package libjs-leaflet is missing on this device. The list below works without it."
      ),
      "lost": t("This page is not up to date: the program does not answer."),
      "noData": t("The map's data could not be loaded."), "parcels": t("Parcels"),
      "taskPhotos": t("Photos of tasks"), "ownPhotos": t("Photos without a task"),
      "photoPoints": t("Photo points"), "earlierPhotos": t("Earlier photos"),
      "earlierPhoto": t("Earlier photo"), "noPicture": t("Its picture has not come yet."),
      "moreEarlier": t("{1} more earlier photos here, at the office", "{1}"),
      "years": t("Years of the photos"), "firstYear": t("From year"), "lastYear": t("To year"),
      "allYears": t("All years"), "photosOfYears": t("{1}: {2} photos here", "{1}", "{2}"),
      "tracks": t("Tracks"), "neighbours": t("Neighbouring parcels"), "photo": t("Photo"),
      "open": t("Open it"),
      "guide": t("Guide me there"), "shoot": t("Take a photo"), "azimuth": t("Azimuth"),
      "angle": t("Angle"),
      "sent": t("sent"), "notSent": t("not sent"), "points": t("Points"), "point": t("Point"),
      "you": t("You are here"), "old": t("Your last position, not where you are now"),
      "recorded": t("recorded"), "vertex": t("corner"),
      "centroid-vertex": t("corner from samples"), "gap": t("After a gap"),
      "no-fix": t("no position"), "silence": t("the receiver said nothing"),
      "paused": t("paused"), "interrupted": t("the program was not running"),
      "deleted": t("deleted by the inspector"), "failed": t("That did not work"),
      "emptyMap": t("Nothing to show here."),
    ]
  }
}
