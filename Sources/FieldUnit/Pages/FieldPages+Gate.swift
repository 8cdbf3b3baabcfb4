import Foundation
import Geodesy
import Inspection
import Positioning
import Receivers
import Web

extension FieldPages {
  func addGate(to routes: inout Routes) {
    routes.get("/gate") { request in try await reading(request) { try await gate($0) } }
    routes.get("/live/gate") { request in
      try await reading(request) { _ in
        .events(
          live { await gateFragment(task: request.query["task"].flatMap(Identifier.init(_:))) })
      }
    }
    routes.get("/live/numbers") { request in
      try await reading(request) { _ in .events(live { await numbersFragment() }) }
    }
    routes.get("/live/light") { request in
      try await reading(request) { _ in .events(live { await lightFragment() }) }
    }
    routes.post("/capture") { request in
      try await reading(request) { reader in
        let form = try await request.form()
        let task = form["task"].flatMap(Identifier.init(_:))
        var aim = CaptureRequest.Aim()
        if let text = form["heading"] {
          guard let heading = Double(text), (0...360).contains(heading) else {
            throw FieldUnitError.camera("a heading is 0 to 360 degrees")
          }
          aim.headingDegreesTrue = heading
        }
        try server.beginCapture(for: task, aim: aim)
        return .redirect("/gate" + (task.map { "?task=\($0)" } ?? ""))
      }
    }
    routes.post("/capture/cancel") { request in
      try await reading(request) { _ in
        server.cancelCapture()
        let task = try await request.form()["task"].flatMap(Identifier.init(_:))
        return .redirect(task.map { "/tasks/\($0)" } ?? "/gate")
      }
    }
  }

  private func gate(_ reader: Reader) async throws -> WebResponse {
    let id = reader.request.query["task"].flatMap(Identifier.init(_:))
    let task = try id.map { try reader.unit.task($0) }
    await server.prepareGate(for: task?.id, reader.unit)
    let address = id.map { "/live/gate?task=\($0)" } ?? "/live/gate"
    let title = task.map { t("Photo for \"{1}\"", $0.name) } ?? t("Gate")
    return page(
      title, reader, current: "/gate", refreshSeconds: 2,
      """
      <h1>\(title)</h1>
      <div data-live="\(address)" data-live-lost="\(t("This page is not up to date: the program does not answer."))">\
      \(await gateFragment(task: id))</div>
      \(controls(task, reader))
      <div data-live="/live/numbers">\(await numbersFragment())</div>
      """)
  }

  private func controls(_ task: InspectionTask?, _ reader: Reader) -> HTML {
    guard server.camera != nil else {
      return """
        <p class="hint">\(t("To take photos from this page, start the field unit with --camera COMMAND; from a terminal: standpoint capture."))</p>
        """
    }
    if let task, !task.state.isEditable || task.state == .new {
      return
        "<p class=\"notice notice-note\">\(t("Photos are taken for open tasks; this one is {1}.", t(task.state.title)))</p>"
    }
    let hidden: HTML? = task.map {
      "<input type=\"hidden\" name=\"task\" value=\"\($0.id.description)\">"
    }
    return """
      <form class="fields" method="post" action="/capture">\(reader.request.formField)\(hidden)
      <label>\(t("Azimuth of the lens, degrees from true north (may stay empty)"))<input name="heading" inputmode="decimal"></label>
      <p class="actions"><button class="button primary" data-key="Enter">\(t("Take a photo"))</button></p></form>
      <form method="post" action="/capture/cancel">\(reader.request.formField)\(hidden)
      <p class="actions"><button class="button quiet">\(t("Close"))</button></p></form>
      """
  }

  // MARK: live parts

  /// What a fragment shows now, and again after each second.
  func live(_ fragment: @escaping @Sendable () async -> HTML) -> AsyncStream<HTML> {
    let first = Flag()
    // The stream is read long after its request was answered: it keeps the words of whoever asked.
    let texts = Texts.current
    return AsyncStream(unfolding: {
      // The page's clock, not the receiver's: a frozen receiver must be seen to be frozen.
      if first.isSet { try? await Task.sleep(for: .seconds(1)) }
      first.set()
      return Task.isCancelled ? nil : await Texts.$current.withValue(texts) { await fragment() }
    })
  }

  /// The gate, readable at arm's length.
  func gateFragment(task: Identifier?) async -> HTML {
    guard let follower = server.follower else {
      return
        "<section class=\"gate gate-refused\"><p>\(t("No receiver: start the field unit with --gnss SOURCE."))</p></section>"
    }
    let state = await follower.state
    guard let judged = await follower.lastFix else {
      return
        "<section class=\"gate gate-refused\"><p>\(t("No fix yet")): \(t(state.wording))</p></section>\(capture())"
    }
    let age = server.clock.elapsed.seconds(since: judged.arrival)
    // A stale fix is never shown as fresh.
    let isStale = age > server.configuration.gate.maximumAgeSeconds
    let verdict = isStale ? .refused : judged.verdict.state
    let word =
      switch verdict {
      case .still: t("Standing still")
      case .settling: t("Settling")
      case .moving: t("Moving")
      case .refused: t("Not usable")
      }
    let reasons = isStale ? [GateReason.stale(ageSeconds: age)] : judged.verdict.reasons
    let why = reasons.map { "<span>\(t($0.wording))</span>" as HTML }
    return """
      <section class="gate gate-\(verdict.rawValue)"><strong>\(word)</strong>\(why)</section>
      \(capture())
      """
  }

  /// The numbers behind it.
  func numbersFragment() async -> HTML {
    guard let follower = server.follower, let judged = await follower.lastFix else { return "" }
    let state = await follower.state
    let age = server.clock.elapsed.seconds(since: judged.arrival)
    let isStale = age > server.configuration.gate.maximumAgeSeconds
    let wanted = await follower.samplerPolicy.samples
    let fix = judged.fix
    func degrees(_ value: Double?) -> HTML {
      value.map { .text("\(DecimalText.fixed($0, places: 7))°") } ?? .text(t("not known"))
    }
    func metres(_ value: Double?, _ prefix: String = "") -> HTML {
      value.map { .text("\(prefix)\(DecimalText.fixed($0, places: 1)) m") } ?? .text(t("not known"))
    }
    let samples = isStale ? 0 : judged.samples
    return """
      <section class="card"><label class="samples">\(t("Samples {1} of {2}", samples, wanted))
      <progress class="meter" max="\(wanted)" value="\(min(samples, wanted))"></progress></label>
      \(HTML.facts([
        (t("Latitude"), degrees(fix.coordinate?.latitudeDegrees)),
        (t("Longitude"), degrees(fix.coordinate?.longitudeDegrees)),
        (t("Height above the ellipsoid"), metres(fix.ellipsoidalHeightMetres)),
        (t("Accuracy (95 %)"), metres(fix.horizontalUncertaintyMetres95, "± ")),
        (t("Speed"), judged.verdict.statistics.map { .text("\(DecimalText.fixed($0.speedMetresPerSecond, places: 2)) m/s") }),
        (t("Satellites used"), fix.satellitesUsed.map { .text("\($0)") }),
        (t("Age of the fix"), .text("\(DecimalText.fixed(age, places: 1)) s")),
        (t("Receiver"), .text("\(follower.source): \(t(state.wording))")),
      ]))\(centroid(judged))</section>
      """
  }

  /// The centroid's own panel.
  private func centroid(_ judged: JudgedFix) -> HTML? {
    judged.standpoint.map { standpoint in
      """
      <h2>\(t("Centroid"))</h2>\(HTML.facts([
        (t("Latitude"), .text("\(DecimalText.fixed(standpoint.coordinate.latitudeDegrees, places: 7))°")),
        (t("Longitude"), .text("\(DecimalText.fixed(standpoint.coordinate.longitudeDegrees, places: 7))°")),
        (t("Uncertainty (95 %)"), standpoint.uncertaintyMetres95.map { .text("± \(DecimalText.fixed($0, places: 1)) m") }),
        (t("Samples"), .text("\(standpoint.samples), \(t("worth")) \(DecimalText.fixed(standpoint.effectiveSamples, places: 1))")),
      ]))
      """
    }
  }

  private func capture() -> HTML {
    switch server.captureStatus {
    case .none: ""
    case .running(_, let words, _):
      "<section class=\"notice notice-note\" role=\"status\"><p><strong>\(t("Capturing"))</strong>: \(t(words))</p></section>"
    case .captured(let photo):
      """
      <section class="notice notice-success" role="status"><p><strong>\(t("Captured"))</strong>, ± \
      \(photo.position.uncertaintyMetres95.map { DecimalText.fixed($0, places: 1) } ?? "?") m</p>
      <p><a class="button" href="\(photo.task.map { "/tasks/\($0)" } ?? "/photos")">\(t("Look at it"))</a></p></section>
      """
    case .refused(_, let words):
      "<section class=\"notice notice-error\" role=\"alert\"><p><strong>\(t("No photo"))</strong>: \(t(words))</p></section>"
    }
  }

  /// The receiver in one line.
  func lightFragment() async -> HTML {
    guard let follower = server.follower else {
      return "<p class=\"light light-bad\">\(t("No receiver"))</p>"
    }
    let state = await follower.state
    guard let judged = await follower.lastFix else {
      return "<p class=\"light light-warn\">\(t("Receiver")): \(t(state.wording))</p>"
    }
    let age = server.clock.elapsed.seconds(since: judged.arrival)
    if age > server.configuration.gate.maximumAgeSeconds {
      return """
        <p class="light light-bad">\(t("No fix for {1} s", DecimalText.fixed(age, places: 0))): \(t(state.wording))</p>
        """
    }
    let accuracy = judged.fix.horizontalUncertaintyMetres95.map {
      "± \(DecimalText.fixed($0, places: 1)) m"
    }
    return "<p class=\"light light-good\">\(t("Position")) \(accuracy ?? "")</p>"
  }
}

/// A yes that is said once.
private final class Flag: @unchecked Sendable {
  // Guarded by the lock.
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
