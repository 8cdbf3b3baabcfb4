import Evidence
import FieldUnit
import Foundation
import Geodesy
import Inspection
import Positioning
import SetViewing
import TimeAndText
import Web

/// The state of a set that is being taken, as its page's script needs it.
struct SetCameraState: Encodable, Sendable {
  /// The steps, as the script tells them apart.
  enum Stage: String, Encodable, Sendable {
    /// Nothing is going on.
    case idle
    /// This page's set waits for its first standpoint, takes frames, or waits for its last one.
    case opening, taking, closing
    /// The set is sealed.
    case sealed
    /// Nothing was sealed, for the reasons that the page shows.
    case refused
    /// Another page takes a set.
    case elsewhere
  }

  var stage = Stage.idle
  /// The name under which frames are handed; nil unless this page takes them.
  var number: String?
  /// The number of samples of the standpoint so far, and of those it needs.
  var samples = 0, samplesWanted = 0
  /// The quality of each sector's frame; null for an empty sector.
  var held: [Double?] = []
  /// The angle of the first frame of this page, degrees.
  var firstDegrees = 0.0
  /// The places of the walk, metres east and north of its start.
  var way: [[Double]] = []
  /// The latitude and the longitude of that start, degrees; nil until there is one.
  var origin: [Double]?
  /// The radius round the present place that holds the true one with 95 %, metres; nil if unknown.
  var uncertaintyMetres: Double?
  /// The magnetic declination, degrees, positive eastwards; nil if unknown.
  var declinationDegrees: Double?
  /// The address of the set that was sealed, or of those that were interrupted.
  var next: String?

  /// The state as JSON. Its keys are sorted, so that equal states have equal texts.
  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // JSON cannot hold a number that is not finite: a state with such a number is sent empty.
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}

/// The parts of the page that takes a set, and of the page that leads to it.
struct SetCameraParts: Sendable {
  static let judge = Asset(file: "/assets/set-judge.js", [PackageResources.set_judge_js])
  static let way = Asset(file: "/assets/set-way.js", [PackageResources.set_way_js])
  static let script = Asset(
    file: "/assets/set-camera.js", [PackageResources.set_camera_js], linking: [judge, way])
  static let style = Asset(file: "/assets/set-camera.css", [PackageResources.set_camera_css])

  let t: Texts

  // MARK: the beginning

  /// Returns the choice of a kind of set, and the sets that were interrupted.
  func start(
    task: InspectionTask?, needed: [NeededSet], open: [OpenSet], isBusy: Bool,
    _ request: WebRequest
  ) throws -> HTML {
    func wanted(_ kind: FrameSetKind) -> Int {
      needed.first { $0.kind == kind }?.sectors ?? kind.usualSectors
    }
    let hidden = task.map { task -> HTML in
      "<input type=\"hidden\" name=\"task\" value=\"\(task.id.description)\">"
    }
    let name = task.map { task -> HTML in
      "<p class=\"muted\">\(t("For the task {1}.", task.name))</p>"
    }
    let busy: HTML? =
      isBusy
      ? """
      <div class="notice notice-warning"><p>\(t("Another page is taking a set."))</p><form method="post" action="/sets/run/close">\(request.formField)<button class="button">\(t("Interrupt it"))</button></form></div>
      """ : nil
    let range = FrameSetTerms.aroundSectors
    let views = FrameSetTerms.turnSectors.map { views -> HTML in
      "<option\(raw: views == wanted(.turn) ? " selected" : "")>\(views)</option>"
    }
    return """
      \(busy)\(name)
      <section class="card set-choice"><h2>\(t("Walk round a thing"))</h2>
      <p>\(t("For a heap, a tree, a machine, a shed: you walk round it and keep the camera on it. It shows all of its sides."))</p>
      <form class="fields" action="/sets/camera"><input type="hidden" name="kind" value="around">\(hidden)
      <label>\(t("Pictures round the thing"))<input type="number" name="sectors" min="\(range.lowerBound)" max="\(range.upperBound)" value="\(wanted(.around))" required inputmode="numeric"></label>
      <p class="actions"><button class="button primary">\(t("To the camera"))</button></p></form></section>
      <section class="card set-choice"><h2>\(t("Turn on the spot"))</h2>
      <p>\(t("For a place: you stand still and turn once. It shows the view all round."))</p>
      <form class="fields" action="/sets/camera"><input type="hidden" name="kind" value="turn">\(hidden)
      <label>\(t("Views"))<select name="sectors">\(views)</select></label>
      <p class="actions"><button class="button primary">\(t("To the camera"))</button></p></form></section>
      \(try interrupted(open, request))
      """
  }

  private func interrupted(_ open: [OpenSet], _ request: WebRequest) throws -> HTML? {
    guard !open.isEmpty else { return nil }
    let rows = try open.map { open -> HTML in
      let held = try open.frames()
      let words = t("{1} of {2} sectors", "\(held.count)", "\(open.ring.count)")
      let onward: HTML? =
        open.terms.kind.isWalked
        ? """
        <a class="button primary" href="/sets/camera?open=\(open.id.description)">\(t("Go on, or end it"))</a>
        """ : nil
      return """
        <li><strong>\(SetParts(t: t).title(open.terms.kind))</strong> \(t.moment(open.start.stand.deviceTime)) <span>\(words)</span>
        <p class="actions">\(onward)</p>
        <form method="post" action="/sets/open/\(open.id.description)/discard" data-confirm="\(t("Throw away the pictures of this set? They were never sealed."))">\(request.formField)<button class="button quiet">\(t("Throw away"))</button></form></li>
        """
    }
    return """
      <section class="card"><h2>\(t("Interrupted sets"))</h2><ul class="set-list">\(rows)</ul></section>
      """
  }

  // MARK: the camera

  /// Returns the page that takes a set. Without a script it says how else sets are taken.
  func camera(
    _ wish: SetWish, _ terms: FrameSetTerms, ring: SectorRing, held: Set<Int>, layers: String,
    page: String,
    _ request: WebRequest
  ) -> HTML {
    let isWalked = terms.kind.isWalked
    let how =
      wish.open != nil
      ? t("Stand where you took the last picture, with the camera on the thing, and press Begin.")
      : isWalked
        ? t(
          "Stand still, with the camera on the thing, and press Begin. Then walk round it, and end where you began."
        )
        : t(
          "Stand still and press Begin. Then turn on the spot, and stay where you are to the end.")
    let weights = terms.weights
    let numbers = """
      {"acceleration":\(weights.acceleration),"angle":\(weights.angle),"pitch":\(weights.pitch),"roll":\(weights.roll)}
      """
    return """
      <div class="set-camera" data-set-camera data-page="\(page)" data-token="\(request.formToken)" data-query="\(wish.query)" \
      data-sectors="\(ring.count)" data-first-middle="\("\(ring.firstMiddleDegrees)")" data-weights="\(numbers)" data-walked="\(isWalked ? "yes" : "")" data-layers="\(layers)" data-words="\(words(isWalked))">
      <p class="set-how" data-part="how">\(how)</p>
      <p class="notice notice-warning" data-part="plain">\(t("This page needs a browser that runs scripts. From a terminal: standpoint around capture."))</p>
      <p class="notice notice-warning" role="status" data-part="note" hidden></p>
      <div class="set-live" data-live="/live/sets?page=\(page)" data-live-lost="\(t("This page is not up to date: the program does not answer."))"></div>
      <div class="set-taking">
      <div class="set-view"><video data-part="video" playsinline muted autoplay aria-label="\(t("Live picture"))"></video>
      <p class="set-hint" data-part="hint" aria-live="polite"></p></div>
      <div class="set-seen"><figure>\(SetParts(t: t).ring(ring, held: held))<figcaption data-part="filled">\(t("{1} of {2} sectors", "\(held.count)", "\(ring.count)"))</figcaption></figure>
      <figure\(raw: isWalked ? "" : " hidden")><svg class="set-way" viewBox="-100 -100 200 200" role="img" aria-label="\(t("The way that you walked, north at the top"))"><g data-part="tiles"></g><circle class="set-way-doubt" data-part="doubt" r="0"/><polyline class="set-way-edge" data-part="edge" points=""/><polyline data-part="way" points=""/><circle class="set-way-start" r="5" data-part="start"/><circle class="set-way-here" r="7" data-part="here"/></svg><figcaption><span data-part="scale">\(t("Your way"))</span> <small data-part="attribution"></small></figcaption></figure></div></div>
      <div class="set-bar"><a class="button quiet" href="/sets/new\(wish.task.map { "?task=\($0)" } ?? "")" data-part="leave">\(t("Back"))</a>
      <button type="button" class="button quiet" data-part="stop" hidden>\(t("Interrupt"))</button>
      <button type="button" class="button" data-part="sensors" hidden>\(t("Allow motion sensors"))</button>
      <button type="button" class="button primary" data-part="begin" data-key="Enter" hidden>\(t("Begin"))</button>
      <button type="button" class="button primary" data-part="end" data-key="Enter" hidden>\(t("End the set"))</button></div>
      </div>
      """
  }

  /// The words of the script, as JSON: the page's language decides them.
  private func words(_ isWalked: Bool) -> String {
    let words = [
      "filled": t("{1} of {2} sectors", "{1}", "{2}"),
      "sensors": t("The motion sensors say nothing: no picture can be taken."),
      "here": isWalked ? t("Go on slowly") : t("Turn on slowly"),
      "left": isWalked ? t("Step left: {1}°", "{1}") : t("Turn left: {1}°", "{1}"),
      "right": isWalked ? t("Step right: {1}°", "{1}") : t("Turn right: {1}°", "{1}"),
      "slower": t("Slower"), "level": t("Hold the device level"),
      "up": t("Tilt the lens up"), "down": t("Tilt the lens down"),
      "whole": isWalked
        ? t("Nothing is missing. Go to where you began, and end the set.")
        : t("Nothing is missing. End the set."),
      "scale": t("Your way: {1} m across", "{1}"),
      "begin": isWalked
        ? t("Begin with the first picture: hold the device still") : t("Hold the device still"),
      "insecure": t(
        "The browser gives no camera to this address: open the page at https, or on this device at http://localhost."
      ),
      "refused": t("The camera is not allowed for this page: allow it in the browser's settings."),
      "failed": t("The camera does not start: {1}", "{1}"),
      "noAnswer": t("The program does not answer."),
      "lost": t("A picture did not arrive: {1}", "{1}"),
      "incomplete": t(
        "{1} of {2} sectors are still empty. End the set all the same?", "{1}", "{2}"),
      "giveUp": t("A turn that is interrupted is thrown away. Interrupt it?"),
    ]
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(words)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  // MARK: the live part

  /// Returns the part of the page that changes while a set is taken.
  func live(_ status: SetDesk.Status, page: String) async -> HTML {
    var state = SetCameraState()
    var shown: HTML = .empty
    switch status {
    case .none: break
    case .running(let running) where running.page != page:
      state.stage = .elsewhere
      shown =
        "<p class=\"notice notice-warning\">\(t("Another page is taking a set. You can begin here when it is done."))</p>"
    case .running(let running):
      let view = await running.run.view
      state = SetCameraState(view, number: running.number)
      shown = gate(view) ?? .empty
    case .sealed(let running, let head) where running.page == page:
      state.stage = .sealed
      state.next = SetParts.path + "/\(head.id)"
      shown = "<p class=\"notice notice-success\">\(t("The set is sealed."))</p>"
    case .refused(let running, let words, let kept) where running.page == page:
      state.stage = .refused
      state.next = kept == nil ? nil : SetParts.path + "/new"
      let onward = kept.map { _ -> HTML in
        """
        <p>\(t("Its pictures are kept.")) <a href="/sets/new">\(t("Go on, or end it"))</a></p>
        """
      }
      shown = """
        <div class="notice notice-error" role="alert"><p><strong>\(t("The set is not ended"))</strong>: \(t(words))</p>\(onward)</div>
        """
    case .sealed, .refused: break
    }
    return "\(shown)<div hidden data-set-state=\"\(state.text)\"></div>"
  }

  private func gate(_ view: SetRunView) -> HTML? {
    let news = view.news
    guard news.phase != .over else { return nil }
    let (title, isGood): (String, Bool) =
      switch news.phase {
      case .opening, .closing:
        news.samples > 0 ? (t("Standing still"), true) : (t("Stand still"), false)
      case .taking, .over: (t("Pictures are taken"), true)
      }
    let samples: HTML? =
      news.phase == .taking
      ? nil
      : """
      <label class="samples">\(t("Samples {1} of {2}", news.samples, news.samplesWanted))<progress class="meter" max="\(news.samplesWanted)" value="\(min(news.samples, news.samplesWanted))"></progress></label>
      """
    let step =
      switch news.phase {
      case .opening: t("The place where you begin")
      case .closing: t("The place where you end")
      case .taking, .over: ""
      }
    return """
      <section class="gate gate-\(isGood ? "still" : "settling")"><strong>\(title)</strong><span>\(step)</span>\(news.reasons.map { "<span>\(t($0.wording))</span>" as HTML })\(samples)</section>
      """
  }
}

extension SetCameraState {
  /// Creates the state of a set that this page takes.
  fileprivate init(_ view: SetRunView, number: String) {
    stage =
      switch view.news.phase {
      case .opening: .opening
      case .taking: .taking
      case .closing, .over: .closing
      }
    self.number = stage == .taking ? number : nil
    (samples, samplesWanted) = (view.news.samples, view.news.samplesWanted)
    held = view.held
    firstDegrees = view.firstDegrees
    way = view.way.map { [$0.eastMetres, $0.northMetres].map { ($0 * 100).rounded() / 100 } }
    origin = view.origin.map { [$0.latitudeDegrees, $0.longitudeDegrees] }
    uncertaintyMetres = view.uncertaintyMetres
    declinationDegrees = view.declinationDegrees.map { ($0 * 100).rounded() / 100 }
  }
}
