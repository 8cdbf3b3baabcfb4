import FieldUnit
import Guide
import Inspection
import Sync
import TimeAndText
import Web

/// The parts of the map that guide an inspector to a task's parcel. The card is over the map, so
/// that distance and arrow are in view together with the inspector and the parcel.
struct GuidePages: FieldPage {
  let server: FieldServer
  let help = GuidePart.guidance

  /// Returns the address of the map that guides to a task's parcel.
  static func address(_ task: InspectionTask) -> String { "/map?task=\(task.id)&guide=yes" }

  /// Returns the card with distance and direction; nil without a task to be guided to. It shows the
  /// place of now; the script keeps it up to date, and turns the arrow.
  func card(_ task: InspectionTask?, _ reader: Reader) async -> HTML? {
    guard let task else { return nil }
    let live = await MapPages(server: server).liveMap(reader.unit, task: task)
    let guidance = live.guidance
    let far: String =
      guidance.map { $0.distance ?? t("You are inside the parcel") } ?? "–"
    let turn = guidance == nil ? live.here.text : guidance?.direction ?? ""
    let how =
      guidance == nil
      ? t("The way is shown as soon as your position is known.")
      : guidance?.direction == nil ? "" : words["northUp"] ?? ""
    return """
      <section class="guide" data-guide data-task="\(task.id.description)" data-state="unknown" \
      data-words="\(json(words))" aria-label="\(t("Guide me there"))">
      <svg class="guide-rose" viewBox="0 0 100 100" aria-hidden="true"><circle cx="50" cy="50" r="45"/>\
      <g data-guide-north><path d="M50 2v9"/><text x="50" y="26" text-anchor="middle">\(t("N"))</text></g>\
      <path class="guide-arrow" data-guide-arrow d="M50 14 72 80 50 68 28 80Z"/>\
      <circle class="guide-there" cx="50" cy="50" r="16"/></svg>
      <div class="guide-words"><p class="guide-name">\(task.name)</p>
      <p class="guide-far" data-guide-far>\(far)</p>
      <p data-guide-turn>\(turn)</p>
      <p class="muted" data-guide-how>\(how)</p>
      <button type="button" class="button" data-guide-compass hidden>\(t("Use the compass"))</button></div></section>
      """
  }

  /// Returns the buttons of the guidance, before those of every map; nil without a task.
  func tools(_ task: InspectionTask?) -> HTML? {
    guard let task else { return nil }
    let camera: HTML? =
      task.state.isEditable
      ? "<a class=\"button primary\" href=\"/camera?task=\(task.id.description)\">\(t("Take a photo"))</a>"
      : nil
    return """
      <button type="button" class="button" data-both aria-pressed="true">\(t("Both in view"))</button>\(camera)\
      <a class="button" href="/map?task=\(task.id.description)">\(t("Stop guiding"))</a>
      """
  }

  /// Returns the line with the way to the parcel of the task that the map shows, and the button
  /// that guides there; nil while the card says the same.
  func way(to task: InspectionTask?, isGuided: Bool) -> HTML? {
    guard let task, task.parcel != nil, !isGuided else { return nil }
    return """
      <p class="map-way" data-way hidden></p>
      <p class="actions"><a class="button primary" href="\(Self.address(task))">\(t("Guide me there"))</a></p>
      """
  }

  private func json(_ words: [String: String]) -> String {
    (try? WireJSON.bytes(words)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  private var words: [String: String] {
    [
      "ahead": t("straight ahead"), "behind": t("behind you"), "right": t("{1}° to the right"),
      "left": t("{1}° to the left"), "there": t("You are inside the parcel"),
      "course": t("Arrow: your course"),
      "compass": t("Arrow: the compass"),
      "receiver": t("Arrow: the receiver's heading"),
      "northUp": t("North is up: your own direction is not known. Walk a few steps."),
      "unknown": t("The way is shown as soon as your position is known."),
    ]
  }
}
