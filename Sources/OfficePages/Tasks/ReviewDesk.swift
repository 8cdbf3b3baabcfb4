import Evidence
import Guide
import Inspection
import Office
import OfficeFrame
import Sync
import TimeAndText
import Web

/// The upper part of a task's page, on which an officer decides: one photo at a time at full height,
/// the strip of all photos, the map, the checks with the failed ones first, and the decision.
///
/// Without a script all photos follow each other; the script shows one, and moves between them.
struct ReviewDesk: OfficePage {
  let office: OfficeServer
  let help = GuidePart.review

  static let scripts = [
    Asset(file: "/assets/review.js", [PackageResources.review_js]),
    Asset(file: "/assets/photo-mark.js", [PackageResources.photo_mark_js]),
  ]
  static let style = Asset(file: "/assets/review.css", [PackageResources.review_css])

  func add(to routes: inout Routes) {
    for asset in Self.scripts + [Self.style] {
      routes.get(asset.path) { request in asset.response(to: request) }
    }
  }

  /// The parts that the task's page gives to the desk.
  struct Parts {
    /// The way to the list and to the tasks beside this one.
    var way: HTML?
    /// Warnings about the task as a whole.
    var warnings: HTML?
    /// The form of the decision.
    var decision: HTML
    /// The map of the task.
    var map: HTML
  }

  /// Returns the desk for a task with at least one photo.
  func html(
    _ task: InspectionTask, _ photos: [ReceivedPhoto], _ reader: PageReader, _ parts: Parts
  ) async throws -> HTML {
    let pages = PhotoPages(office: office)
    let forms = try await PhotoItemPages(office: office).forms(task, photos, reader)
    let facts = try await pages.cardFacts(of: photos, reader).with(forms)
    let cards = try await HTML.each(photos.enumerated()) { index, received in
      try await pages.photoCard(
        received, number: index + 1, reader, facts: facts, isOfTask: true)
    }
    let instructions: HTML? = task.instructions.map {
      "<p class=\"desk-order\" tabindex=\"0\">\($0)</p>"
    }
    let first = photos.first?.photo.id.description ?? ""
    let second = photos.dropFirst().first?.photo.id.description
    let compare: HTML? = second.map { second in
      """
      <a class="button" data-compare="/tasks/\(task.id.description)/compare" data-key="c"
      href="/tasks/\(task.id.description)/compare?left=\(first)&right=\(second)">\(t("Compare side by side"))</a>
      """
    }
    return """
      <div class="desk" data-desk>
      <div class="desk-head">\(parts.way)
      <div class="heading"><h1>\(task.name)</h1>\(state(task.state))\(verdict(photos))</div>
      \(parts.warnings)\(instructions)</div>
      <div class="desk-photos">\(cards)</div>
      <nav class="desk-strip" aria-label="\(t("Photos of this task"))">\(strip(photos))
      <p class="actions desk-tools"><button class="button" type="button" data-view data-key="f" hidden>\(t("Fill the screen"))</button>\(compare)
      <button class="button quiet keys" type="button" data-keys data-key="?" hidden>\(t("Keys"))</button></p></nav>
      <div class="desk-map">\(parts.map)</div>
      <div class="desk-decision">\(parts.decision)</div>
      \(keys)</div>
      """
  }

  /// Returns all photos as small pictures, each with its number and with a mark if a check speaks
  /// against it.
  private func strip(_ photos: [ReceivedPhoto]) -> HTML {
    let items = photos.enumerated().map { index, received -> HTML in
      let id = received.photo.id.description
      let (mark, words) = standing(of: received)
      return """
        <li><a class="\(mark)" href="#photo-\(id)"><img loading="lazy" alt="" width="120" height="90"
        src="/photos/\(id)/thumbnail.jpg"><span>\(index + 1)</span><span class="unseen">, \(words)</span></a></li>
        """
    }
    return "<ol>\(items)</ol>"
  }

  /// Returns the class and the words for the standing of a photo: fit, doubtful, or not checked yet.
  private func standing(of received: ReceivedPhoto) -> (String, String) {
    guard let verdict = received.verdict else { return ("is-waiting", t("being checked")) }
    let suitability = Suitability(received.photo, checks: received.checks)
    guard verdict == .intact, suitability.isSuitable else { return ("is-bad", t("look at it")) }
    return ("is-good", t("suitable"))
  }

  // MARK: the verdict in a line

  /// Returns what the checks of all photos say together: how many photos, what speaks against some
  /// of them, and how many checks passed.
  private func verdict(_ photos: [ReceivedPhoto]) -> HTML {
    let examined = photos.filter { $0.verdict != nil }
    let passed = examined.reduce(0) { sum, received in
      sum + received.checks.count { $0.outcome == .agrees }
    }
    var parts: [HTML] = [
      "<span>\(photos.count == 1 ? t("1 photo") : t("{1} photos", photos.count))</span>"
    ]
    parts += objections(to: examined).map { words, photo in
      "<a class=\"light light-bad\" href=\"#photo-\(photo.description)\">\(words)</a>"
    }
    if examined.count < photos.count {
      parts.append(
        "<span class=\"light light-warn\">\(t("{1} being checked", photos.count - examined.count))</span>"
      )
    }
    parts.append("<span class=\"light light-good\">\(t("{1} checks passed", passed))</span>")
    return "<p class=\"verdict-line\">\(parts)</p>"
  }

  /// Returns each objection in words, with the number of photos it concerns, and the first of them.
  private func objections(to photos: [ReceivedPhoto]) -> [(words: String, photo: Identifier)] {
    var found: [(String, Identifier)] = []
    for verdict in [EvidenceVerdict.altered, .incomplete, .doubtful] {
      let those = photos.filter { $0.verdict == verdict }
      guard let first = those.first else { continue }
      found.append(
        ("\(t("evidence {1}", t(verdict.rawValue))) (\(those.count))", first.photo.id))
    }
    for reason in Suitability.Reason.allCases {
      let those = photos.filter {
        Suitability($0.photo, checks: $0.checks).reasons.contains(reason)
      }
      guard let first = those.first else { continue }
      found.append((words(for: reason, those), first.photo.id))
    }
    return found
  }

  private func words(for reason: Suitability.Reason, _ photos: [ReceivedPhoto]) -> String {
    let distances = photos.compactMap { received in
      received.checks.first { $0.name == .parcel }?[.distanceMetres]
    }
    guard reason == .outside, let furthest = distances.max() else {
      return "\(t(reason.wording)) (\(photos.count))"
    }
    return t(
      "{1} outside the parcel by {2} m", photos.count, t.decimal(furthest, places: 0))
  }

  /// Returns the question that is asked before a task is accepted although a check contradicts one
  /// of its photos; nil if none does.
  func question(_ photos: [ReceivedPhoto]) -> String? {
    let found = objections(to: photos.filter { $0.verdict != nil })
    guard !found.isEmpty else { return nil }
    return t("{1}. Accept anyway?", found.map(\.words).joined(separator: ", "))
  }

  // MARK: the keys

  private var keys: HTML {
    let rows: [(String, String)] = [
      ("← →", t("Previous or next photo")), ("a", t("Accept")), ("r", t("Return, with a reason")),
      ("d", t("Decline, with a reason")), ("Ctrl+Enter", t("Send the reason")),
      ("z", t("Undo, for 10 seconds")), ("c", t("Compare side by side")),
      ("f", t("Fill the screen; + and − zoom")),
      ("j, k", t("Next or previous task")), ("u", t("Back to the list")), ("?", t("Keys")),
    ]
    let items = rows.map { "<dt><kbd>\($0.0)</kbd></dt><dd>\($0.1)</dd>" as HTML }
    return """
      <dialog class="desk-keys" aria-label="\(t("Keys"))"><h2>\(t("Keys"))</h2><dl class="facts">\(items)</dl>
      <form method="dialog"><button class="button">\(t("Close"))</button></form></dialog>
      <dialog class="viewer" aria-label="\(t("Photo"))"><div class="viewer-stage"><img alt=""></div>
      <form method="dialog"><button class="button" type="button" data-zoom="in" aria-label="\(t("Zoom in"))">+</button>
      <button class="button" type="button" data-zoom="out" aria-label="\(t("Zoom out"))">−</button>
      <button class="button">\(t("Close"))</button></form></dialog>
      """
  }
}
