import Evidence
import FieldUnit
import Foundation
import Guide
import Inspection
import Positioning
import Store
import Sync
import TimeAndText
import Web

/// The pages of the inspector's tracks: the list, one track, and the changes of it.
struct TrackPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.fieldTrack

  private static let tracksPerPage = 20

  func add(to routes: inout Routes) {
    let one = "/tracks/{id}"
    routes.get("/tracks") { request in try await reading(request) { try tracks($0) } }
    routes.get(one) { request in
      try await reading(request) { try show(track: try identifier(request), $0) }
    }
    routes.get(one + "/points.json") { request in
      try await reading(request) { try points($0, try identifier(request)) }
    }
    routes.post("/tracks/send") { request in try await reading(request) { try sendAll($0) } }
    routes.post(one + "/send") { request in
      try await reading(request) { try send($0, try identifier(request)) }
    }
    routes.post(one + "/finish") { request in
      try await reading(request) { try finish($0, try identifier(request)) }
    }
    routes.post(one + "/delete") { request in
      try await reading(request) { try await delete($0, try identifier(request)) }
    }
  }

  // MARK: the list

  private func tracks(_ reader: Reader) throws -> WebResponse {
    let heads = Array(try reader.unit.trackHeads().reversed())
    let (number, pages) = pageNumber(reader.request, of: heads.count, each: Self.tracksPerPage)
    let unsent = heads.filter { $0.sent == nil && $0.ended != nil && $0.task == nil }.count
    let sendAll: HTML? =
      unsent == 0
      ? nil
      : """
      <form method="post" action="/tracks/send">\(reader.request.formField)
      <button class="button" data-confirm="\(t("Send {1} tracks?", unsent))">\(t("Send all {1} unsent", unsent))</button></form>
      """
    let names = Dictionary(try reader.unit.tasks().map { ($0.id, $0.name) }) { first, _ in first }
    let cards = try heads.dropFirst((number - 1) * Self.tracksPerPage).prefix(Self.tracksPerPage)
      .map { head in
        card(try reader.unit.track(head.id), task: head.task.flatMap { names[$0] }, reader)
      }
    let empty: HTML = """
      <div class="empty"><p>\(t("No tracks yet."))</p>
      <p class="muted">\(t("Record a track on the map: a path, or the outline of a piece of land."))</p>
      <p class="actions"><a class="button" href="/map">\(t("Open map"))</a></p></div>
      """
    return page(
      t("Tracks"), reader, current: "/tracks", styles: [FieldMapStyle.asset.href],
      """
      <h1>\(t("Tracks"))</h1>\(try RecordingPages(server: server).cutOff(reader))
      <div class="actions list-actions"><a class="button primary" href="/map">\(t("Record on the map"))</a>\(sendAll)</div>
      \(cards.isEmpty ? empty : HTML.joined(cards))\(pager(number, of: pages, "/tracks"))
      """)
  }

  private func card(_ track: Track, task: String?, _ reader: Reader) -> HTML {
    let measures = track.measures
    let numbers = [
      length(measures), area(measures), count(points: measures.points), delivery(track), task,
    ].compactMap(\.self).map { "<span>\($0)</span>" as HTML }
    return """
      <a class="card task" href="/tracks/\(track.id.description)"><strong>\(track.name)</strong>
      <span class="muted"><span>\(span(track))</span></span>
      <span class="muted">\(numbers)</span></a>
      """
  }

  // MARK: one track

  private func show(track id: Identifier, _ reader: Reader) throws -> WebResponse {
    let track = try reader.unit.track(id)
    let measures = track.measures
    let task = try track.task.map { try reader.unit.task($0) }
    let isRecorded = server.trackDesk.recording(of: reader.unit.person)?.track.id == id
    let gaps = zip(track.points, track.points.dropFirst()).compactMap { before, after in
      after.gapBefore.map { gap -> HTML in
        let seconds = max(0, after.time.seconds(since: before.time))
        return """
          <li>\(after.time.timeOfDay.prefix(8).description) UTC: \(words(of: gap)), \(t.decimal(seconds, places: 0)) s</li>
          """
      }
    }
    // A gap before each point would make a page too long to read: it lists 100 gaps at most.
    let holes: HTML =
      gaps.isEmpty
      ? "<p class=\"muted\">\(t("None: nothing is missing between its points."))</p>"
      : """
      <ul>\(Array(gaps.prefix(100)))</ul>\(gaps.count > 100 ? "<p class=\"muted\">\(t("and {1} more", gaps.count - 100))</p>" as HTML : nil)
      """
    func corners(_ kind: TrackPoint.Kind) -> Int { track.points.filter { $0.kind == kind }.count }
    return page(
      track.name, reader, current: "/tracks", styles: [FieldMapStyle.asset.href],
      """
      <h1>\(track.name)</h1>\(isRecorded
        ? "<p class=\"notice notice-note\">\(t("Recording now: the buttons are on the map."))</p>" as HTML : nil)
      <div class="actions"><a class="button primary" href="/map?track=\(id.description)">\(t("Show on map"))</a></div>
      <section class="card">\(HTML.facts([
        (t("Start"), t.time(track.started)),
        (t("End"), track.ended.map(t.time) ?? .text(t("not finished"))),
        (t("Task"), task.map { "<a href=\"/tasks/\($0.id.description)\">\($0.name)</a>" }),
        (t("Length"), .text(length(measures))), (t("Area"), .text(area(measures) ?? t("not known"))),
        (t("Points"), .text("\(measures.points)")),
        (t("Corners"), .text(t("{1} by hand, {2} from samples", corners(.vertex), corners(.centroidVertex)))),
        (t("Origin"), track.isSimulated ? .text(t("simulated")) : nil),
        (t("Delivery"), .text(delivery(track))),
        (t("Identifier"), "<code class=\"digest\">\(id.description)</code>"),
      ]))</section>
      <section class="card"><h2>\(t("Gaps"))</h2>\(holes)</section>
      \(ExportPages(server: server).exportLinks("/tracks/\(id.description)/track"))
      \(try isRecorded ? "" : changes(track, task: task, reader))
      """)
  }

  private func changes(
    _ track: Track, task: InspectionTask?, _ reader: Reader
  ) throws -> HTML {
    guard track.sent == nil else {
      return "<p class=\"hint\">\(t("You sent it: you can no longer change or delete it."))</p>"
    }
    if let task, !task.state.isEditable { return "" }
    let id = track.id.description
    let first: HTML?
    if track.ended == nil {
      first = """
        <form method="post" action="/tracks/\(id)/finish">\(reader.request.formField)
        <p>\(t("The recording was interrupted. Its points are saved."))</p>
        <p class="actions"><button class="button primary">\(t("Finish the track"))</button></p></form>
        """
    } else if task == nil {
      first = """
        <form method="post" action="/tracks/\(id)/send">\(reader.request.formField)
        <p class="actions"><button class="button primary">\(t("Send"))</button></p></form>
        """
    } else {
      first = "<p class=\"hint\">\(t("It is sent with its task."))</p>"
    }
    return """
      <section class="card">\(first)
      <details><summary>\(t("Delete"))</summary><form class="fields" method="post" action="/tracks/\(id)/delete">\(reader.request.formField)
      <p>\(t("This permanently removes its points from this device. The record of a finished track stays, is delivered, and says that the track was deleted and why."))</p>
      <label>\(t("Reason"))<input name="reason" maxlength="200"></label>
      <p class="actions"><button class="button danger">\(t("Delete"))</button></p></form></details></section>
      """
  }

  private func points(_ reader: Reader, _ id: Identifier) throws -> WebResponse {
    if let recording = server.trackDesk.recording(of: reader.unit.person),
      recording.track.id == id
    {
      return .json(
        try WireJSON.bytes(
          TrackPointsView(
            points: recording.points.map(TrackPointsView.mark), deletions: recording.deletions)))
    }
    let points = try reader.unit.track(id).points
    return .json(try WireJSON.bytes(TrackPointsView(points: points.map(TrackPointsView.mark))))
  }

  // MARK: changes

  private func sendAll(_ reader: Reader) throws -> WebResponse {
    let ids = try reader.unit.trackHeads(.standalone)
      .filter { $0.sent == nil && $0.ended != nil }.map(\.id)
    try reader.unit.sendTracks(ids)
    return .redirect("/tracks?done=queued")
  }

  private func send(_ reader: Reader, _ id: Identifier) throws -> WebResponse {
    try reader.unit.sendTracks([id])
    return .redirect("/tracks/\(id)?done=queued")
  }

  private func finish(_ reader: Reader, _ id: Identifier) throws -> WebResponse {
    // The hold fails while a recording runs: only the program that records a track may finish it.
    let hold = try reader.unit.holdRecording()
    defer { hold.release() }
    guard try reader.unit.finishTrack(id, source: nil) != nil else {
      return .redirect("/tracks?done=track-empty")
    }
    return .redirect("/tracks/\(id)?done=recorded")
  }

  private func delete(_ reader: Reader, _ id: Identifier) async throws -> WebResponse {
    let track = try reader.unit.track(id)
    let reason = try await reader.request.form()["reason"] ?? "deleted by the inspector"
    if track.ended == nil, try reader.unit.isRecording() {
      throw FieldUnitError.trackNotFinished(track.id.description)
    }
    try reader.unit.deleteTrack(track.id, reason: String(reason.prefix(200)))
    return .redirect("/tracks?done=deleted")
  }

  // MARK: words

  private func delivery(_ track: Track) -> String {
    if track.delivered != nil { return "✓ " + t("delivered") }
    if track.sent != nil { return "↑ " + t("sent, waiting") }
    return track.ended == nil ? "◐ " + t("not finished") : "○ " + t("not sent")
  }

  /// Returns the times of a track's start and end; the end without its date if that is the same.
  private func span(_ track: Track) -> HTML {
    let start = t.time(track.started)
    guard let end = track.ended else { return start }
    return "\(start) – \(end.date == track.started.date ? t.clock(of: end) : t.time(end))"
  }

  private func words(of gap: TrackPoint.Gap) -> String {
    switch gap {
    case .noFix: t("no position")
    case .silence: t("the receiver said nothing")
    case .paused: t("paused")
    case .interrupted: t("the program was not running")
    case .deleted: t("deleted by the inspector")
    }
  }
}
