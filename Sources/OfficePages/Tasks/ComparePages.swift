import Evidence
import Foundation
import Geodesy
import Guide
import Inspection
import Matching
import Office
import Store
import Sync
import TimeAndText
import Web

/// Two photos of a task: side by side or over each other, and in numbers how well the later one
/// repeats the earlier one.
struct ComparePages: OfficePage {
  let office: OfficeServer
  let matcher: PictureMatcher
  let help = GuidePart.review

  static let script = Asset(file: "/assets/compare.js", [PackageResources.compare_js])
  static let style = Asset(file: "/assets/compare.css", [PackageResources.compare_css])

  func add(to routes: inout Routes) {
    for asset in [Self.script, Self.style] {
      routes.get(asset.path) { request in asset.response(to: request) }
    }
    routes.get("/tasks/{id}/compare") { request in
      try await reading(request) { try await compare($0, try identifier(request)) }
    }
  }

  /// A photo on the page.
  private struct Side {
    var received: ReceivedPhoto
    /// The photo's number in its task, from 1.
    var number: Int
    var photo: Photo { received.photo }
  }

  private func compare(_ reader: Reader, _ id: Identifier) async throws -> WebResponse {
    let view = try await office.review.view(of: id, in: reader.agency)
    let whole = view.photos.filter { $0.deletedReason == nil }
    func asked(_ name: String, _ otherwise: Int) -> Int? {
      let wanted = reader.request.query[name]
      return whole.firstIndex { $0.photo.id.description == wanted }
        ?? (whole.indices.contains(otherwise) ? otherwise : nil)
    }
    guard let left = asked("left", 0), let right = asked("right", 1) else {
      throw OfficeRefusal(
        .ruleForbids, "you need two photos to compare; the task has \(whole.count)")
    }
    let sides = [left, right].map { Side(received: whole[$0], number: $0 + 1) }
      .sorted { $0.photo.deviceTime < $1.photo.deviceTime }
    let pages = PhotoPages(office: office)
    let seals = try await pages.seals(of: sides.map(\.received), reader)
    let cards = try await HTML.each(sides) {
      try await pages.photoCard($0.received, number: $0.number, reader, seals: seals)
    }
    return page(
      t("Compare two photos"), reader, current: "/tasks", help: .review,
      scripts: [Self.script.href], styles: [Self.style.href],
      """
      <nav class="way" aria-label="\(t("Review"))"><a class="button quiet" href="/tasks/\(id.description)" data-key="u">\(t("Back to the task"))</a></nav>
      <h1>\(view.task.name)</h1>
      \(SelectionPages(office: office).comparison(view.task, whole, chosen: [left, right]))
      \(pair(sides))\(try await facts(sides[0], sides[1]))
      <div class="compare">\(cards)</div>
      """)
  }

  /// Returns both pictures. Without a script they stand side by side.
  private func pair(_ sides: [Side]) -> HTML {
    let figures = sides.map { side -> HTML in
      let address = "/photos/\(side.photo.id.description)"
      let caption = "\(t("Photo {1}", side.number)), \(t.moment(side.photo.deviceTime))"
      return """
        <figure><div class="pair-frame" tabindex="0" role="group" aria-label="\(caption)"><img src="\(address)/preview.jpg" data-whole="\(address)/photo.jpg" alt="\(caption)"></div>
        <figcaption>\(caption)</figcaption></figure>
        """
    }
    func mode(_ name: String, _ words: String, _ key: String, isFirst: Bool = false) -> HTML {
      """
      <button type="button" class="button quiet" data-mode="\(name)" data-key="\(key)" aria-pressed="\(isFirst ? "true" : "false")">\(words)</button>
      """
    }
    return """
      <section class="pair" data-pair data-shown="side" aria-label="\(t("Both photos"))">
      <div class="pair-tools" data-pair-tools hidden>\(mode("side", t("Side by side"), "1", isFirst: true))\
      \(mode("wipe", t("Wipe"), "2"))\(mode("over", t("One over the other"), "3"))
      <label data-pair-share hidden>\(t("Share of the later photo"))<input type="range" min="0" max="100" value="50"></label>
      <label>\(t("Zoom"))<input type="range" min="1" max="8" step="0.5" value="1" data-pair-zoom></label></div>
      <div class="pair-pictures">\(figures)</div></section>
      """
  }

  // MARK: the numbers

  private func facts(_ earlier: Side, _ later: Side) async throws -> HTML {
    var rows: [(name: String, value: HTML)] = [
      (t("Time between"), "\(between(earlier.photo, later.photo))")
    ]
    if let from = RepeatMeasure.Stand(of: earlier.photo),
      let to = RepeatMeasure.Stand(of: later.photo)
    {
      rows += measured(RepeatMeasure(from: from, to: to))
    }
    rows.append((t("Picture displaced by"), try await displacement(earlier, later)))
    let list = rows.map { "<dt>\($0.name)</dt><dd>\($0.value)</dd>" as HTML }
    return """
      <section class="card" aria-label="\(t("How well the later photo repeats the earlier one"))"><h2>\(t("How well the later photo repeats the earlier one"))</h2>
      <dl class="facts">\(list)</dl>
      <p class="hint">\(t("The displacement helps you to judge. It proves nothing: a camera also takes a photo of a print."))</p></section>
      """
  }

  private func measured(_ measure: RepeatMeasure) -> [(name: String, value: HTML)] {
    let tolerance = RepeatTolerance(of: measure)
    func degrees(_ value: Double) -> String { "\(t.decimal(value, places: 1))°" }
    func side(_ value: Double?, _ more: String, _ less: String) -> String? {
      value.map { "\(degrees(abs($0))) \($0 >= 0 ? more : less)" }
    }
    let radius = measure.distanceUncertaintyMetres95.map { " ± \(t.decimal($0, places: 1))" }
    let met: HTML = " <span class=\"met\">\(t("met"))</span>"
    var rows: [(String, HTML)] = [
      (
        t("Distance"),
        "\(t.decimal(measure.distanceMetres, places: 1))\(radius) m\(tolerance.isPlaceMet(measure) ? met : nil)"
      )
    ]
    let parts = [
      side(measure.rollDegrees, t("to the left"), t("to the right")),
      side(measure.pitchDegrees, t("higher"), t("lower")),
      side(measure.yawDegrees, t("anti-clockwise"), t("clockwise")),
    ].compactMap(\.self)
    if let angle = measure.angleDegrees {
      rows.append(
        (
          t("Angle"),
          "\(degrees(angle))\(tolerance.isAttitudeMet(measure) == true ? met : nil)"
        ))
    }
    rows.append(
      (
        t("The camera looked"),
        parts.isEmpty ? "\(t("not known"))" : "\(parts.joined(separator: ", "))"
      ))
    return rows
  }

  /// Returns how far the picture is displaced, by the two files as they were delivered.
  private func displacement(_ earlier: Side, _ later: Side) async throws -> HTML {
    func bytes(_ side: Side) throws -> [UInt8]? {
      try office.photos.bytes(of: EvidenceName.file(.capture, side.photo.id))
    }
    guard let one = try bytes(earlier), let other = try bytes(later) else {
      return "\(t("A file is missing."))"
    }
    do {
      let comparison = try await matcher.compare(
        PictureMatcher.Earlier(digest: earlier.photo.fileDigest, bytes: one), with: other)
      guard let displacement = comparison.displacementPercent else {
        return "\(t("The pictures cannot be compared ({1} matches).", comparison.inliers))"
      }
      return
        "\(t("{1} % of the frame ({2} features agree)", t.decimal(displacement, places: 1), comparison.inliers))"
    } catch .unavailable(let reason) {
      office.configuration.log("pictures cannot be compared: \(reason)")
      return
        "\(t("This server cannot compare pictures: its administrator finds the reason in the log."))"
    } catch {
      return "\(t("The pictures could not be read or compared in time."))"
    }
  }

  private func between(_ earlier: Photo, _ later: Photo) -> String {
    let seconds =
      (later.deviceTime.millisecondsSince1970 - earlier.deviceTime.millisecondsSince1970) / 1000
    return switch seconds {
    case (2 * 86_400)...: t("{1} days", seconds / 86_400)
    case (2 * 3600)...: t("{1} hours", seconds / 3600)
    case 120...: t("{1} minutes", seconds / 60)
    default: "\(seconds) s"
    }
  }
}
