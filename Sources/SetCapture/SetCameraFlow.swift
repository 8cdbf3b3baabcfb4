import FieldUnit
import Inspection
import MapLayers
import SetViewing
import Sync
import TimeAndText
import Web

/// The things that the field unit's pages give to those that take sets: the sign-in, the frame of a page,
/// live parts, and answers for scripts.
package protocol SetCameraHouse: Sendable {
  /// The field unit.
  var server: FieldServer { get }
  /// The texts in the language of the current request.
  var t: Texts { get }
  /// Answers with a page for the signed-in inspector.
  func page(
    for request: WebRequest, _ make: (InspectorUnit) async throws -> SetPage
  ) async throws -> WebResponse
  /// Does what a form asks for, and answers with another page: `work` returns its address.
  func form(
    _ request: WebRequest, _ work: (InspectorUnit) async throws -> String
  ) async throws -> WebResponse
  /// Answers a script; a refusal becomes JSON with its code and its words.
  func script(
    _ request: WebRequest, _ work: (InspectorUnit) async throws -> [String: String]
  ) async throws -> WebResponse
  /// Answers with a part of a page that follows the receiver.
  func part(
    for request: WebRequest, _ make: @escaping @Sendable (InspectorUnit) async -> HTML
  ) async throws -> WebResponse
}

/// The pages that take sets with the browser's camera.
package struct SetCameraFlow<House: SetCameraHouse>: Sendable {
  private let house: House
  private let desk: SetDesk

  /// Creates the pages in a house.
  package init(_ house: House, desk: SetDesk) { (self.house, self.desk) = (house, desk) }

  private var t: Texts { house.t }
  private var parts: SetCameraParts { SetCameraParts(t: t) }

  /// Adds all addresses of the pages.
  package func add(to routes: inout Routes) {
    for asset in [
      SetCameraParts.judge, SetCameraParts.way, SetCameraParts.script, SetCameraParts.style,
    ] {
      routes.get(asset.path) { request in asset.response(to: request) }
    }
    routes.get("/sets/new") { request in
      try await house.page(for: request) { unit in
        await desk.interruptIfLeft(unit.person)
        return try start(unit, request)
      }
    }
    routes.get("/sets/camera") { request in
      try await house.page(for: request) { try await camera($0, request) }
    }
    routes.get("/live/sets") { request in
      let page = Self.pageName(request.query["page"]) ?? ""
      return try await house.part(for: request) { unit in
        desk.hear(page: page, unit.person)
        await desk.interruptIfLeft(unit.person)
        return await parts.live(desk.status(for: unit.person), page: page)
      }
    }
    routes.post("/sets/open/{id}/discard") { request in
      try await house.form(request) { unit in
        let id = try InspectorUnit.identifier(request.parameters["id"] ?? "")
        try unit.openSet(id).discardUnlessHeld()
        return "/sets/new"
      }
    }
    routes.post("/sets/{id}/send") { request in
      try await house.form(request) { unit in
        let id = try InspectorUnit.identifier(request.parameters["id"] ?? "")
        try unit.sendSets([id])
        await house.server.deliverForPage(patienceSeconds: 0)
        return "/sets/\(id)?done=queued"
      }
    }
    routes.post("/sets/{id}/delete") { request in
      try await house.form(request) { unit in
        let id = try InspectorUnit.identifier(request.parameters["id"] ?? "")
        try unit.deleteSet(id, reason: try await request.form()["reason"] ?? "")
        return "/sets?done=deleted"
      }
    }
    addRun(to: &routes)
  }

  /// Adds the addresses of the set that is being taken.
  private func addRun(to routes: inout Routes) {
    routes.post("/sets/run") { request in
      try await house.script(request) { unit in
        let form = try await request.form()
        guard let page = Self.pageName(form["page"]) else { throw FieldUnitError.exposureOver }
        try desk.begin(try SetWish { form[$0] }, page: page, unit, on: house.server)
        return [:]
      }
    }
    routes.post("/sets/run/frame") { request in
      try await house.script(request) { try await takeFrame(request, $0) }
    }
    routes.post("/sets/run/end") { request in
      try await house.script(request) { unit in
        await desk.end(page: try await request.form()["page"] ?? "", unit.person)
        return [:]
      }
    }
    routes.post("/sets/run/close") { request in
      try await house.form(request) { unit in
        let page = Self.pageName(try await request.form()["page"])
        await desk.interrupt(page: page, unit.person)
        return "/sets/new"
      }
    }
  }

  /// Returns the page's own name, made when the page was served; nil if the text is no such name
  /// (16 to 64 bytes).
  private static func pageName(_ text: String?) -> String? {
    text.flatMap { (16...64).contains($0.utf8.count) ? $0 : nil }
  }

  // MARK: pages

  private func start(_ unit: InspectorUnit, _ request: WebRequest) throws -> SetPage {
    let task = try request.query["task"].flatMap(Identifier.init(_:)).map(unit.task)
    var isBusy = false
    if case .running = desk.status(for: unit.person) { isBusy = true }
    return SetPage(
      title: t("A set of pictures"),
      content: try parts.start(
        task: task, needed: try task.map { try unit.requirements(of: $0.id).sets } ?? [],
        open: isBusy ? [] : try unit.openSets(), isBusy: isBusy, request),
      styles: [SetCameraParts.style.href])
  }

  private func camera(_ unit: InspectorUnit, _ request: WebRequest) async throws -> SetPage {
    let wish = try SetWish { request.query[$0] }
    let open = try wish.open.map(unit.openSet)
    let ring = open?.ring ?? SectorRing(count: wish.terms.sectors)
    let held = Set(try open?.frames().keys.map(\.self) ?? [])
    let terms = open?.terms ?? wish.terms
    let layers = try WireJSON.bytes(house.server.baseMaps.layers(below: "/map/tiles"))
    return SetPage(
      title: SetParts(t: t).title(terms.kind),
      content: parts.camera(
        wish, terms, ring: ring, held: held, layers: String(decoding: layers, as: UTF8.self),
        page: Token.make(), request),
      scripts: [SetCameraParts.script.href], styles: [SetCameraParts.style.href])
  }

  // MARK: frames

  /// Takes a frame of the page's camera, and answers with what became of it.
  private func takeFrame(
    _ request: WebRequest, _ unit: InspectorUnit
  ) async throws -> [String: String] {
    let number = request.query["number"] ?? ""
    // A picture that no set waits for is refused before its bytes are read.
    guard desk.isTaking(number, unit.person) else { throw FieldUnitError.exposureOver }
    guard request.header("content-type") == "image/jpeg" else {
      throw FieldUnitError.picture("it is not a JPEG")
    }
    let limit = SetDesk.frameBytesAtMost
    let bytes: [UInt8]
    do {
      bytes = try await request.bytes(limit: limit)
    } catch WebProblem.tooLarge {
      throw FieldUnitError.picture("it is larger than \(limit >> 20) MiB")
    }
    let frame = try FrameWords.frame(request.header("x-frame-words"), bytes)
    let answer = try await desk.offer(frame, number: number, unit.person)
    switch answer {
    case .kept(let sector): return ["answer": "kept", "sector": "\(sector)"]
    case .noSample: return ["answer": "noSample"]
    case .poor: return ["answer": "poor"]
    case .notBetter: return ["answer": "notBetter"]
    }
  }
}
