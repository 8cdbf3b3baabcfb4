import Evidence
import Foundation
import Geodesy
import Inspection
import TimeAndText
import Web

/// The parts of the pages that show sets. Both programs show them.
package struct SetParts: Sendable {
  /// The path of the list.
  package static let path = "/sets"
  /// The number of sets on a page of the list.
  static let rowsPerPage = 50
  /// The script that turns a set.
  package static let script = Asset(
    file: "/assets/set-viewer.js", [PackageResources.set_viewer_js])
  /// The style of the pages.
  package static let style = Asset(
    file: "/assets/set-viewer.css", [PackageResources.set_viewer_css])

  let t: Texts

  /// Creates the parts in a language.
  package init(t: Texts) { self.t = t }

  /// Returns the name of a kind of set.
  package func title(_ kind: FrameSetKind) -> String {
    switch kind {
    case .around: t("Walk round a thing")
    case .turn: t("Turn on the spot")
    }
  }

  /// Returns the words for a set that a task needs.
  package func words(_ needed: NeededSet) -> String {
    switch needed.kind {
    case .around: t("a walk round a thing with {1} pictures", needed.sectors)
    case .turn: t("a turn on the spot with {1} views", needed.sectors)
    }
  }

  /// Returns the words for the sets that an order asks for; nil if it asks for none.
  package func words(_ ordered: OrderedSets) -> HTML? {
    ordered == .none ? nil : .text(ordered.list.map(words).joined(separator: ", "))
  }

  // MARK: list

  /// Returns the sets as a list, or words that say how one is made.
  /// - Parameter newAddress: the address of the page that begins a new set; nil if none begins here.
  package func list(
    _ sets: [(head: FrameSetHead, words: String)], _ pager: Pager, newAddress: String?
  ) -> HTML {
    let new = newAddress.map { address -> HTML in
      "<p class=\"actions\"><a class=\"button primary\" href=\"\(address)\">\(t("New set"))</a></p>"
    }
    guard !sets.isEmpty else {
      return """
        \(new)<div class="empty"><p>\(t("No sets of pictures yet."))</p>
        <p>\(t("A set shows a thing from all sides, or the view all round from one place: many pictures, sealed as one."))</p></div>
        """
    }
    return """
      \(new)<ul class="set-list">\(sets.map { row($0.head, $0.words) })</ul>\(pager.links(t) { "\(Self.path)?page=\($0)" })
      """
  }

  private func row(_ head: FrameSetHead, _ words: String) -> HTML {
    """
    <li><a href="\(Self.path)/\(head.id.description)"><strong>\(title(head.kind))</strong> \(t.moment(head.started))</a>
    <span>\(filled(head.filled, of: head.sectors))</span>\(head.isComplete ? nil : badge(t("incomplete")))\(head.isSimulated ? badge(t("simulated")) : nil)
    <span class="muted">\(words)</span></li>
    """
  }

  /// Returns links to sets, for the page of their task.
  package func links(_ sets: [FrameSetHead]) -> HTML {
    .joined(
      sets.map { head in
        """
        <a href="\(Self.path)/\(head.id.description)">\(title(head.kind))</a> (\(filled(head.filled, of: head.sectors)))
        """
      }, separator: ", ")
  }

  /// Returns the part of a task's page that leads to its sets; nil if there is none.
  package func card(_ sets: [FrameSetHead]) -> HTML? {
    sets.isEmpty
      ? nil
      : "<section class=\"card\"><h2>\(t("Sets of pictures"))</h2><p>\(links(sets))</p></section>"
  }

  private func badge(_ words: String) -> HTML { "<span class=\"badge\">\(words)</span>" }

  private func filled(_ filled: Int, of sectors: Int) -> String {
    t("{1} of {2} sectors", "\(filled)", "\(sectors)")
  }

  // MARK: one set

  /// Returns a set: what it lacks, the viewer, its facts and all of its pictures.
  package func whole(
    _ set: FrameSet, task: String?, inspector: String, actions: HTML?
  ) -> HTML {
    let summary = set.summary
    let notices = summary.shortcomings.map { words -> HTML in
      "<p class=\"notice notice-warning\">\(t(words))</p>"
    }
    return """
      \(notices)
      <section class="set-viewer" data-set="\(frames(set))" data-set-words="\(words)">
      <figure class="set-stage"><canvas data-set-stage tabindex="0" role="img" aria-label="\(t("Pictures of the set. The arrow keys turn it."))" width="640" height="480" hidden></canvas>
      <img src="\(address(1, set))" alt="\(t("Picture {1}", "1"))" data-set-first></figure>
      <div class="set-turn">\(ring(set))
      <p class="set-angle" data-set-angle aria-live="polite"></p></div>
      <label class="set-slider" data-set-slider hidden>\(t("Angle"))<input type="range" min="0" max="359" step="1" value="0"></label>
      </section>
      <dl class="facts">\(facts(set, summary, task, inspector))</dl>
      <p class="actions"><a class="button" href="\(Self.path)/\(set.id.description)/set.pdf">PDF</a> <a class="button" href="\(Self.path)/\(set.id.description)/around.json">\(t("Download {1}", AroundDocument.fileName))</a> <a class="button" href="\(Self.path)/\(set.id.description)/around.zip">\(t("Download {1}", "around.zip"))</a></p>\(actions)
      <details class="set-sheet" open><summary>\(t("All pictures"))</summary><ol>\(sheet(set))</ol></details>
      """
  }

  /// The words of the script, as JSON: the page's language decides them.
  private var words: String {
    let object = JSONValue.object([
      "at": .string(t("{1}°")), "nearest": .string(t("{1}°, nearest {2}°")),
      "loading": .string(t("{1} of {2} pictures loaded")),
      "failed": .string(t("{1} pictures cannot be loaded: reload the page")),
    ])
    return String(decoding: object.canonicalBytes, as: UTF8.self)
  }

  private func frames(_ set: FrameSet) -> String {
    let frames = set.frames.enumerated().map { index, frame in
      JSONValue.object([
        "angle": .number(frame.attitude.angleDegrees), "src": .string(address(index + 1, set)),
      ])
    }
    return String(decoding: JSONValue.array(frames).canonicalBytes, as: UTF8.self)
  }

  private func address(_ number: Int, _ set: FrameSet) -> String {
    "\(Self.path)/\(set.id)/frames/\(SealedPart.digits(number)).jpg?digest=\(set.frames[number - 1].digest)"
  }

  private func sheet(_ set: FrameSet) -> [HTML] {
    set.frames.enumerated().map { index, frame in
      let angle = [
        view(frame, of: set), t("{1}°", t.decimal(frame.attitude.angleDegrees, places: 0)),
      ].compactMap(\.self).joined(separator: " ")
      return """
        <li><a href="\(address(index + 1, set))"><img src="\(address(index + 1, set))" width="\(frame.widthPixels)" height="\(frame.heightPixels)" loading="lazy" alt="\(t("Picture {1}", "\(index + 1)"))"><span>\(angle)</span></a></li>
        """
    }
  }

  /// Returns the point of the compass to which a view of a turn looks; nil if no compass was heard, and
  /// for a walk.
  private func view(_ frame: SetFrame, of set: FrameSet) -> String? {
    guard let degrees = set.compassDegrees(ofAngle: frame.attitude.angleDegrees) else { return nil }
    return [
      0: t("N"), 45: t("NE"), 90: t("E"), 135: t("SE"), 180: t("S"), 225: t("SW"), 270: t("W"),
      315: t("NW"),
    ][degrees]
  }

  private func facts(
    _ set: FrameSet, _ summary: FrameSetSummary, _ task: String?, _ inspector: String
  ) -> HTML {
    var rows: [(String, String)] = []
    if let task { rows.append((t("Task"), task)) }
    rows.append((t("Inspector"), inspector))
    rows.append((t("Started"), t.moment(set.start.deviceTime)))
    rows.append((t("Ended"), t.moment(set.end.deviceTime)))
    rows.append((t("Sectors"), filled(summary.filled, of: summary.sectors)))
    if !summary.missingDegrees.isEmpty {
      let angles = summary.missingDegrees.map { t("{1}°", t.decimal($0, places: 0)) }
      rows.append((t("Missing"), angles.joined(separator: " ")))
    }
    rows.append((t("Start"), place(set.start)))
    rows.append((t("End"), place(set.end)))
    if let walked = summary.walked {
      rows.append(
        (t("From the end to the start"), t("{1} m", t.decimal(walked.closingMetres, places: 1))))
      if let covered = walked.coveredDegrees {
        rows.append(
          (t("Seen from its middle, the way covers"), t("{1}°", t.decimal(abs(covered), places: 0)))
        )
      }
    }
    return "\(rows.map { row -> HTML in "<div><dt>\(row.0)</dt><dd>\(row.1)</dd></div>" })"
  }

  private func place(_ stand: SetStand) -> String {
    let place = stand.position.coordinate
    let text =
      t.decimal(place.latitudeDegrees, places: 6) + " "
      + t.decimal(place.longitudeDegrees, places: 6)
    return stand.position.uncertaintyMetres95.map {
      t("{1} ± {2} m", text, t.decimal($0, places: 1))
    } ?? text
  }

  // MARK: the ring

  /// Returns the ring: a segment for each sector, grey where no picture is; 0° is at the top, and
  /// angles grow clockwise as seen from above.
  private func ring(_ set: FrameSet) -> HTML {
    ring(
      set.ring,
      held: Set(set.frames.map { set.ring.sector(ofDegrees: $0.attitude.angleDegrees) }))
  }

  /// Returns the ring of a set: a segment for each sector, in their order.
  /// - Parameter held: the sectors that hold a picture.
  package func ring(_ ring: SectorRing, held: Set<Int>) -> HTML {
    let segments = (0..<ring.count).map { sector -> HTML in
      let middle = ring.middleDegrees(ofSector: sector)
      let half = ring.widthDegrees / 2
      let gap = min(1, half / 4)
      let path = Self.segment(from: middle - half + gap, to: middle + half - gap)
      return "<path class=\"\(held.contains(sector) ? "is-held" : "is-missing")\" d=\"\(path)\"/>"
    }
    let words = t("{1} of {2} sectors", "\(held.count)", "\(ring.count)")
    return """
      <svg class="set-ring" viewBox="-100 -100 200 200" role="img" aria-label="\(words)">\(segments)<path class="set-start" d="M0 -70L5 -60H-5Z"/><g data-set-needle><path class="set-needle" d="M0 -58V-20"/></g></svg>
      """
  }

  private static func segment(from: Double, to: Double) -> String {
    func point(_ degrees: Double, _ radius: Double) -> String {
      let angle = degrees * .pi / 180
      return DecimalText.fixed(radius * sin(angle), places: 2) + " "
        + DecimalText.fixed(-radius * cos(angle), places: 2)
    }
    return
      "M\(point(from, 94))A94 94 0 0 1 \(point(to, 94))L\(point(to, 76))A76 76 0 0 0 \(point(from, 76))Z"
  }
}
