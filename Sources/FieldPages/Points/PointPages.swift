import FieldUnit
import Geodesy
import Guide
import Inspection
import Positioning
import Store
import TimeAndText
import Web

/// The page of one photo point: the earlier picture, the way to its place, and the camera.
struct PointPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.photoPoints

  func add(to routes: inout Routes) {
    let one = "/points/{id}"
    routes.get(one) { request in
      try await reading(request) { try await show($0, try identifier(request)) }
    }
    for name in PhotoPoint.PictureKind.allCases {
      routes.get("\(one)/\(name.rawValue).jpg") { request in
        try await reading(request) { try picture(name, $0, try identifier(request)) }
      }
    }
    routes.get("\(one)/thumbnail.jpg") { request in
      try await reading(request) { try await thumbnail($0, try identifier(request)) }
    }
    routes.get("/live/points/{id}") { request in
      try await reading(request) { reader in
        let point = try reader.unit.points.point(try identifier(request))
        return .events(live(of: reader.unit) { await wayFragment(point) })
      }
    }
    PointMakingPages(server: server).add(to: &routes)
  }

  /// Returns the way from a place to a point.
  static func way(to point: PhotoPoint, from here: Coordinate) -> ParcelWay {
    let way = Geodesic.inverse(from: here, to: point.stand.coordinate)
    return ParcelWay(
      distanceMetres: way.distanceMetres,
      bearingDegrees: way.distanceMetres > 0 ? way.initialAzimuthDegrees : nil)
  }

  private func picture(
    _ name: PhotoPoint.PictureKind, _ reader: Reader, _ id: Identifier
  ) throws -> WebResponse {
    let point = try reader.unit.points.point(id)
    guard let path = try server.points.path(of: name, point, on: reader.unit) else {
      throw StoreError.unknown(what: "photo", id: "of this photo point")
    }
    return .file(
      path: path, mediaType: "image/jpeg", fileName: "\(id).jpg", isAttachment: false
    ).setting(header: "Cache-Control", to: "private, no-cache, must-revalidate")
  }

  /// Answers with the small picture for a list.
  private func thumbnail(_ reader: Reader, _ id: Identifier) async throws -> WebResponse {
    let point = try reader.unit.points.point(id)
    guard let path = try await server.points.thumbnail(of: point, on: reader.unit) else {
      throw StoreError.unknown(what: "photo", id: "of this photo point")
    }
    return .file(
      path: path, mediaType: "image/jpeg", isAttachment: false,
      eTag: "thumbnail-\(point.reference.digest)"
    ).setting(header: "Cache-Control", to: "private, no-cache, must-revalidate")
  }

  // MARK: the page

  /// Returns the way to a point, which changes as the inspector walks.
  private func wayFragment(_ point: PhotoPoint) async -> HTML {
    guard let here = await freshPlace() else {
      return "<p class=\"light light-warn\">\(t("No recent position: the way is not known."))</p>"
    }
    let way = Self.way(to: point, from: here)
    let here95 = await server.follower?.lastFix?.fix.horizontalUncertaintyMetres95
    let measure = RepeatMeasure(
      from: point.stand,
      to: RepeatMeasure.Stand(coordinate: here, uncertaintyMetres95: here95, orientation: nil))
    if RepeatTolerance(of: measure).isPlaceMet(measure) {
      return """
        <p class="point-way"><span class="point-arrow" aria-hidden="true">●</span><strong>\(t("you are there"))</strong> <span class="muted">\(t.decimal(measure.distanceMetres, places: 1)) m \(t("to the place of the earlier photo"))</span></p>
        """
    }
    let arrow: HTML? = way.wind.map {
      "<span class=\"point-arrow wind-\($0)\" aria-hidden=\"true\">↑</span>"
    }
    return """
      <p class="point-way">\(arrow)<strong>\(t("{1}, north is up", way.text ?? ""))</strong> <span class="muted">\(t("to the place of the earlier photo"))</span></p>
      """
  }

  private func show(_ reader: Reader, _ id: Identifier) async throws -> WebResponse {
    let point = try reader.unit.points.point(id)
    try reader.unit.store.write(as: reader.unit.person) {
      try $0.points.markUsed(id, at: server.clock.deviceTime)
    }
    let path = "/points/\(id)"
    func figure(_ name: PhotoPoint.PictureKind, _ words: String) throws -> HTML? {
      if name == .footing, point.footing == nil { return nil }
      guard try server.points.path(of: name, point, on: reader.unit) != nil else {
        return
          "<p class=\"notice notice-note\">\(words): \(t("Its picture is not here yet. It comes after the next delivery."))</p>"
      }
      return """
        <figure class="point-\(name.rawValue)"><a href="\(path)/\(name.rawValue).jpg"><img src="\(path)/\(name.rawValue).jpg" alt="\(words)"></a>
        <figcaption>\(words)</figcaption></figure>
        """
    }
    return page(
      point.title, reader, current: "/photos", styles: [PointStyle.asset.href],
      """
      <div class="heading"><h1>\(point.title)</h1></div>
      \(try figure(.reference, t("Earlier photo, {1}", Self.taken(point))))
      <div data-live="/live/points/\(id.description)" data-live-lost="\(t("This page is not up to date: the program does not answer."))">\(await wayFragment(point))</div>
      \(try again(reader, point))
      <p class="actions"><a class="button" href="/map?point=\(id.description)">\(t("Show on map"))</a>
      <a class="button" href="\(NearbyPages.path)">\(t("Photo points nearby"))</a></p>
      \(try figure(.footing, t("The ground under your feet")))
      <section class="card"><h2>\(t("Details"))</h2>\(HTML.facts(details(point)))</section>
      """)
  }

  /// Returns the buttons that lead to the camera: one for each task near the point or of its parcel
  /// that is still to be done, and one without a task.
  private func again(_ reader: Reader, _ point: PhotoPoint) throws -> HTML {
    let tasks = try reader.unit.tasks().filter { task in
      guard task.state.isEditable else { return false }
      if task.repeats?.points.contains(point.id) == true { return true }
      if task.parcel?.identifier == point.parcel, point.parcel != nil { return true }
      return task.parcel?.distanceMetres(to: point.stand.coordinate)
        .map { $0 <= TaskNeighbourhood.neighbourhoodMetres } ?? false
    }
    let query = "point=\(point.id)"
    // The tasks that ask for this view come first.
    func asks(_ task: InspectionTask) -> Bool { task.repeats?.points.contains(point.id) == true }
    let sorted = tasks.filter(asks) + tasks.filter { !asks($0) }
    let buttons = sorted.prefix(5).enumerated().map { number, task -> HTML in
      """
      <a class="button\(raw: number == 0 ? " primary" : "")" href="/camera?task=\(task.id.description)&amp;\(query)">\(t("Take this view again for \"{1}\"", task.name))</a>
      """
    }
    let alone: HTML = """
      <a class="button\(raw: buttons.isEmpty ? " primary" : "")" href="/camera?\(query)">\(t("Take this view again without a task"))</a>
      """
    return "<p class=\"actions\">\(buttons)\(alone)</p>"
  }

  private func details(_ point: PhotoPoint) -> [(String, HTML?)] {
    let azimuth = point.stand.orientation?.azimuthDegreesTrue.map {
      "\(t.decimal($0, places: 0))°"
    }
    let pose: HTML? =
      point.pose == .estimated
      ? .text(t("set on a map by an officer, not measured")) : nil
    return [
      (
        t("Code"),
        point.code.map { .text($0.spaced) }
          ?? .text(t("not yet: the office gives it after the next delivery"))
      ),
      (t("Parcel"), point.parcel.map(HTML.text)),
      (t("Place"), .text(accuracy(point.stand.uncertaintyMetres95))),
      (t("Azimuth"), .text(azimuth ?? t("not known"))), (t("Place and direction"), pose),
      (
        t("Taken"), point.isTimeOfDayKnown ? t.time(point.taken) : .text(Self.taken(point))
      ), (t("Made by"), .text(point.maker)),
    ]
  }
}
