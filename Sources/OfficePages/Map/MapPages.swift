import Foundation
import Geodesy
import Guide
import Inspection
import MapLayers
import Office
import OfficeFrame
import Positioning
import Store
import Sync
import TimeAndText
import Web

/// The map page, and the maps on other pages.
struct MapPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.officeMap

  static let scripts = Leaflet.scripts + [MapScript.asset.href]
  /// The scripts of a map on which an outline is drawn.
  static let outlineScripts = Leaflet.scripts + [OutlineScript.asset.href, MapScript.asset.href]
  static let styles = Leaflet.styles + [MapStyle.asset.href]

  func add(to routes: inout Routes) {
    for asset in [MapScript.asset, MapStyle.asset, OutlineScript.asset] {
      routes.get(asset.path) { request in asset.response(to: request) }
    }
    routes.get("/assets/leaflet/{name...}") { request in try Leaflet.file(request) }
    routes.get("/map") { request in try await reading(request) { try await map($0) } }
    routes.get("/map/view.json") { request in
      try await reading(request) { try await view($0) }
    }
    routes.get("/map/parcels.json") { request in
      try await reading(request) { reader in
        if let identifier = request.query["identifier"] {
          return await .json(
            try office.places.parcelView(ofParcel: identifier, in: reader.agency).bytes)
        }
        guard let box = AddressText.box(request.query["box"]) else {
          throw OfficeRefusal(
            .inputInvalid,
            "parcels are asked for as box=west,south,east,north, in degrees, or as identifier=…")
        }
        return await .json(try office.places.parcelView(in: box, of: reader.agency).bytes)
      }
    }
    routes.get("/tasks/{id}/map.json") { request in
      try await reading(request, own: true) { reader in
        await .json(
          try WireJSON.bytes(
            try office.places.mapView(
              ofTask: try identifier(request), in: reader.agency, ofInspector: reader.own)))
      }
    }
    routes.get("/map/tiles/{name}/{zoom}/{x}/{y}") { request in
      try await reading(request, own: true) { reader in
        let numbers = ["zoom", "x", "y"].compactMap { request.parameters[$0].flatMap { Int($0) } }
        guard numbers.count == 3, let name = request.parameters["name"],
          let layer = try office.core.layers.layer(name, of: reader.agency),
          let place = TileExtract.Place(checking: numbers),
          let tile = try await layer.tile(at: place)
        else { throw OfficeRefusal(.unknown, "this base map has no such tile") }
        return .bytes(tile.bytes, mediaType: tile.mediaType)
          .setting(header: "Cache-Control", to: "private, max-age=86400")
      }
    }
  }

  /// Returns the contents of a part of the map.
  private func view(_ reader: Reader) async throws -> WebResponse {
    let query = reader.request.query
    guard let box = AddressText.box(query["box"]), let zoom = query["zoom"].flatMap({ Int($0) })
    else {
      throw OfficeRefusal(
        .inputInvalid, "a view is asked for as box=west,south,east,north&zoom=0…22, in degrees")
    }
    guard let years = Places.Years(query["years"]) else {
      throw OfficeRefusal(
        .inputInvalid, "years are asked for as years=2019-2024, or as years=all")
    }
    let filter = TaskListAddress(query).filter
    var view = try await office.places.mapView(
      in: box, zoom: zoom, filter == TaskFilter() ? nil : filter, years: years, of: reader.agency)
    if let track = try await askedTrack(reader) {
      view.tracks = MapView.marks(track, TrackCourse.seen(track.points, in: box))
    }
    return .json(try WireJSON.bytes(view))
  }

  private func map(_ reader: Reader) async throws -> WebResponse {
    let asked = TaskListAddress(reader.request.query)
    let isFiltered = asked.filter != TaskFilter()
    let note: HTML? =
      isFiltered
      ? """
      <p class="muted">\(t("Only tasks that match the list's filter."))
      <a href="/map">\(t("Show all"))</a> · <a href="/tasks?\(asked.query())">\(t("As a list"))</a></p>
      """ : nil
    let track = try await askedTrack(reader)
    let drawn: HTML? = track.map { track in
      """
      <p>\(t("The dashed line is the track {1} of {2}.", track.name, track.inspector)) \(unsealed(track).map { "(\($0))" as HTML })
      <a href="/tracks">\(t("Tracks"))</a></p>
      """
    }
    return page(
      t("Map"), reader, current: "/map", scripts: MapPages.scripts, styles: MapPages.styles,
      """
      <div class="heading"><h1>\(t("Map"))</h1></div>\(note)\(drawn)
      \(try await liveMap(reader, asked, isTall: true, track: track))
      """)
  }

  /// Returns the track that the address asks for; nil if it asks for none.
  /// - Throws: `StoreError.unknown` if the agency has no such track.
  private func askedTrack(_ reader: Reader) async throws -> Track? {
    guard let id = reader.request.query["track"].flatMap(Identifier.init(_:)) else { return nil }
    return try await office.review.track(id, in: reader.agency)
  }

  /// Returns the remark that no device key has sealed a track; nil for a track of a field unit.
  func unsealed(_ track: Track?) -> HTML? {
    track?.origin == .egnss4cap
      ? "<span class=\"muted\">\(t("from a phone, not sealed"))</span>" : nil
  }

  /// The number of tasks from which on the map beside a list opens on everything, as it does beside an
  /// empty list: where so many lie is not looked up for each page.
  private static let tasksLookedUpAtMost = 2000

  /// Returns the map of the tasks in a list, or of everything.
  /// - Parameter count: the number of tasks in the list, if it is known.
  func liveMap(
    _ reader: Reader, _ asked: TaskListAddress, isTall: Bool, track: Track? = nil,
    count: Int? = nil
  ) async throws -> HTML {
    let opensOnAll = count.map { !(1...Self.tasksLookedUpAtMost).contains($0) } ?? false
    var extent =
      AddressText.box(reader.request.query["at"]) ?? asked.filter.area
      ?? track.flatMap(Self.area)
    var years: YearSpan?
    (extent, years) = try await office.database.read(in: reader.agency) { session in
      let years = isTall ? try session.map.years() : nil
      if let extent { return (extent, years) }
      let filter = opensOnAll || asked.filter == TaskFilter() ? nil : asked.filter
      return (try session.map.extent(filter, at: office.clock.deviceTime), years)
    }
    var query = asked
    query.page = 1
    let of = track.map { "track=\($0.id)&" } ?? ""
    var frame = MapFrame(source: "/map/view.json?\(of)\(query.query())", list: query.query())
    frame.isTall = isTall
    // Photos of one year need no choice of years.
    if let years, years.first < years.last { frame.years = years }
    frame.register = try await register(reader, isShown: reader.request.path == "/map")
    frame.box = extent.map(AddressText.text) ?? frame.register?.box ?? ""
    return try html(frame, reader)
  }

  /// Returns the map of a task; without a script the drawing `sketch` takes its place. The page
  /// carries what the map shows: another request would keep an officer waiting at each task.
  func taskMap(_ view: TaskView, _ reader: Reader, sketch: HTML) async throws -> HTML {
    var frame = MapFrame(source: "/tasks/\(view.task.id)/map.json")
    frame.view = Places.mapView(of: view)
    // Only officers and administrators see the register.
    if reader.own == nil { frame.register = try await register(reader, isShown: false) }
    frame.fallback = sketch
    return try html(frame, reader)
  }

  /// Returns the map of photos without a task; a pressed photo is ticked in the list beside it.
  func photosMap(_ source: String, _ reader: Reader) async throws -> HTML {
    var frame = MapFrame(source: source)
    frame.isTall = true
    frame.picksPhotos = true
    frame.register = try await register(reader, isShown: false)
    return try html(frame, reader)
  }

  /// Returns the map for the page of a new task: a pressed parcel goes into the form's field, and an
  /// outline can be drawn.
  /// - Parameter identifier: the identifier in the field already; nil if it is empty.
  func pickMap(_ reader: Reader, identifier: String?) async throws -> HTML {
    let register = try await register(reader, isShown: true)
    var frame = MapFrame(source: "")
    frame.isTall = true
    frame.register = register
    frame.field = "identifier"
    frame.outline = "outline"
    let (known, extent) = try await office.database.read(in: reader.agency) { session in
      (
        try identifier.flatMap { try session.parcels.outline($0) },
        register == nil ? try session.map.extent(nil, at: office.clock.deviceTime) : nil
      )
    }
    frame.box =
      known.map { AddressText.text($0.box) } ?? register?.box ?? extent.map(AddressText.text) ?? ""
    frame.scriptless = t(
      "The map needs JavaScript; you can also enter the parcel's identifier.")
    return try html(frame, reader)
  }

  /// Returns the map on which sections of a task's land are drawn into the form's field.
  func placesMap(_ view: TaskView, _ reader: Reader) async throws -> HTML {
    var frame = MapFrame(source: "/tasks/\(view.task.id)/map.json")
    frame.view = Places.mapView(of: view)
    frame.isTall = true
    frame.register = try await register(reader, isShown: false)
    frame.outline = "outline"
    frame.scriptless = t("The map needs JavaScript; you can also enter the corners.")
    return try html(frame, reader)
  }

  /// Returns the map on which the place of an archive picture is set.
  func pinMap(_ reader: Reader) async throws -> HTML {
    let layers = try office.core.layers.facts(of: reader.agency, below: "/map/tiles")
    let (land, extent) = try await office.database.read(in: reader.agency) { session in
      (
        try session.parcels.neighbourhood(),
        try session.map.extent(nil, at: office.clock.deviceTime)
      )
    }
    func json(_ value: some Encodable) -> String {
      (try? WireJSON.bytes(value)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }
    let words = mapWords(hasRegister: false, adds: false)
      .merging(["stood": t("Where the camera stood")]) { $1 }
    let box = extent.map(AddressText.text) ?? land.map { AddressText.text($0) } ?? ""
    return """
      <div class="live-map tall" data-pin-map data-box="\(box)" data-layers="\(json(layers))" data-words="\(json(words))" \
      role="region" aria-label="\(t("Map"))"><noscript><p class="muted">\(t("The map needs JavaScript; you can also enter the numbers."))</p></noscript></div>
      """
  }

  /// Returns the register as a further layer of the map; nil if the agency has none.
  private func register(_ reader: Reader, isShown: Bool) async throws -> MapFrame.Register? {
    try await office.database.read(in: reader.agency) { try $0.parcels.neighbourhood() }.map {
      MapFrame.Register(
        isShown: isShown, canOrder: reader.role == .officer, box: AddressText.text($0))
    }
  }

  /// The settings of one map.
  private struct MapFrame {
    /// The register of parcels, as a further layer.
    struct Register {
      /// True if it is drawn at once, and not only on demand.
      var isShown: Bool
      /// True if the reader may order a task for a parcel.
      var canOrder: Bool
      /// A box around some of its parcels: west,south,east,north in degrees.
      var box: String
    }

    /// The address of the data that the script shows; empty for a map that shows parcels only.
    var source: String
    /// The data, if the page carries it.
    var view: MapView?
    /// The query of the list next to the map; nil for a map without a list.
    var list: String?
    var box = ""
    var isTall = false
    /// The years among which a person chooses; nil without a choice.
    var years: YearSpan?
    /// True if a pressed photo is ticked in a list beside the map.
    var picksPhotos = false
    var register: Register?
    /// The form's field for the identifier of a pressed parcel; nil without a form.
    var field: String?
    /// The form's field for the corners of a drawn outline; nil if none can be drawn.
    var outline: String?
    var fallback: HTML = ""
    var scriptless: String?

    init(source: String, list: String? = nil) {
      self.source = source
      self.list = list
    }
  }

  private func html(_ frame: MapFrame, _ reader: Reader) throws -> HTML {
    let layers = try office.core.layers.facts(of: reader.agency, below: "/map/tiles")
    let adds = reader.role == .administrator
    func json(_ value: some Encodable) -> String {
      (try? WireJSON.bytes(value)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }
    let parcels: HTML? = frame.register.map { register in
      """
       data-parcels="/map/parcels.json" data-shows-parcels="\(register.isShown ? "yes" : "no")"
      data-orders="\(register.canOrder ? "yes" : "no")" data-pick="\(frame.field ?? "")"
      """
    }
    let scriptless =
      frame.scriptless ?? t("The map needs JavaScript; the list works without it.")
    var words = mapWords(hasRegister: frame.register != nil, adds: adds)
    if frame.outline != nil { words.merge(outlineWords) { $1 } }
    if frame.years != nil { words.merge(yearWords) { $1 } }
    let outline: HTML? = frame.outline.map { " data-outline=\"\($0)\"" }
    let years: HTML? = frame.years.map { " data-years=\"\($0.description)\"" }
    return """
      <div class="live-map\(frame.isTall ? " tall" : "")" data-map data-source="\(frame.source)"\(frame.view.map { " data-view=\"\(json($0))\"" as HTML }) data-box="\(frame.box)"
      data-list="\(frame.list ?? "")" data-has-list="\(frame.list == nil ? "no" : "yes")" data-layers="\(json(layers))" data-words="\(json(words))"\(adds ? " data-add-base=\"/base-maps\"" as HTML : nil)\(outline)\(years) data-states="\(json(Self.states.map { $0.merging(["title": t($0["title"] ?? "")]) { $1 } }))"\(frame.picksPhotos ? " data-picks-photos" as HTML : nil)\(parcels)
      role="region" aria-label="\(t("Map"))">\(frame.fallback)<noscript><p class="muted">\(scriptless)</p></noscript></div>
      """
  }

  /// The states of tasks with their signs, for the marks and the legend.
  private static let states = TaskState.allCases.map {
    ["state": $0.rawValue, "sign": $0.sign, "title": $0.title]
  }

  private var yearWords: [String: String] {
    [
      "years": t("Years of the photos"), "firstYear": t("From year"), "lastYear": t("To year"),
      "allYears": t("All years"), "photosOfYears": t("{1}: {2} photos here", "{1}", "{2}"),
      "noneOfYears": t("No photo of these years here."),
    ]
  }

  private var outlineWords: [String: String] {
    [
      "outline": t("Outline of the task"), "draw": t("Draw the outline"),
      "close": t("Close the outline"), "undo": t("Undo the last corner"), "clear": t("Clear"),
      "corner": t("Corner {1}"), "corners": t("{1} of at least 3 corners."),
      "cornersAndArea": t("{1} corners, about {2} ha."),
      "firstCorner": t(
        "Click the corners one after the other. On the keyboard: the arrows move the map, Enter sets a corner at its centre, Backspace undoes the last one."
      ),
      "drawing": t("Click the first corner or press Escape to close the outline."),
      "notDrawn": t(
        "This outline cannot be drawn here: only a single one without holes can. The text stays as it is."
      ),
    ]
  }

  private func mapWords(hasRegister: Bool, adds: Bool) -> [String: String] {
    [
      "base": t("Base map"), "addBase": t("Add one"),
      "noBase": adds
        ? t("No base map yet.") : t("No base map yet. An administrator can add one."),
      "noTiles": t(
        "{1} shows nothing here: this may be outside it, or it cannot be loaded.", "{1}"),
      "photos": t("photos"), "tasks": t("tasks"), "photo": t("Photo"), "task": t("Task"),
      "open": t("Open it"), "none": t("Without a base map"),
      "lost": t("The map's data could not be loaded."),
      "empty": hasRegister ? t("No photo and no task here.") : t("Nothing to show here."),
      "area": t("Draw an area to find its tasks"),
      "legend": t("Legend"), "pickView": t("Select the photos in this view"),
      "view": t("Tasks in this view"), "drawing": t("Draw a rectangle. Press Escape to cancel."),
      "zoomIn": t("Zoom in"), "zoomOut": t("Zoom out"), "layers": t("Map layers"),
      "parcels": t("Parcels of the register"), "parcelTasks": t("Tasks of this parcel"),
      "parcelOrder": t("Order a task here"), "chosen": t("Selected:"),
      "tooWide": t("There are too many parcels to draw here: zoom in to see them."),
      "phone": t("from a phone, not sealed"),
      "noParcel": t("There is no parcel with this identifier in the register."),
      "noMap": t(
        "The map cannot be shown: the Debian package libjs-leaflet is missing on the office's machine."
      ),
    ]
  }

  /// Returns a box around a track, with a margin of 0.0005°; nil if it has no point.
  static func area(of track: Track) -> CoordinateBox? {
    let places = track.points.map(\.coordinate)
    let (longitudes, latitudes) = (places.map(\.longitudeDegrees), places.map(\.latitudeDegrees))
    guard let west = longitudes.min(), let east = longitudes.max(), let south = latitudes.min(),
      let north = latitudes.max()
    else { return nil }
    // A track that crosses the antimeridian has its points at both ends of the world.
    let crosses = east - west > 180
    let edges =
      crosses
      ? (
        longitudes.filter { $0 > 0 }.min() ?? west, longitudes.filter { $0 <= 0 }.max() ?? east
      ) : (west, east)
    let margin = 0.0005
    return CoordinateBox(
      westDegrees: max(-180, edges.0 - margin), southDegrees: max(-90, south - margin),
      eastDegrees: min(180, edges.1 + margin), northDegrees: min(90, north + margin))
  }
}
