import FieldUnit
import Guide
import Inspection
import Store
import Sync
import TimeAndText
import Web

/// The routes and the controls for recording a track.
struct RecordingPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.fieldTrack

  /// The answer to a button of the recording, for the script of the map.
  private struct RecordingAnswer: Encodable {
    /// The identifier of the sealed track; absent unless the recording has ended with one.
    var track: String?
  }

  func add(to routes: inout Routes) {
    routes.post("/tracks/record") { request in
      try await reading(request) { reader in
        let form = try await request.form()
        guard let follower = server.follower else { throw FieldUnitError.noReceiver }
        let task = try form["task"].map(InspectorUnit.identifier)
        try await server.prepareCorners(for: task, reader.unit)
        _ = try server.trackDesk.begin(
          name: form["name"].map { String($0.prefix(200)) }, task: task, of: reader.unit,
          with: follower)
        return try answer(reader, back: "/map" + (task.map { "?task=\($0)" } ?? ""))
      }
    }
    routes.post("/tracks/record/{control}") { request in
      try await reading(request) { reader in
        let person = reader.unit.person
        let back =
          try await request.form()["task"].flatMap { Identifier($0.lowercased()) }
          .map { "/map?task=\($0)" } ?? "/map"
        switch request.parameters["control"] {
        case "pause", "resume":
          // A press that is repeated, or comes from a page left open, does not undo the state
          // already asked for.
          let wanted = request.parameters["control"] == "pause"
          if server.trackDesk.recording(of: person)?.isPaused == wanted { break }
          try await server.trackDesk.take(.pauseOrResume, of: person)
        case "vertex": try await server.trackDesk.take(.vertex, of: person)
        case "centroid": try await server.trackDesk.take(.centroidVertex, of: person)
        case "delete-last": try await server.trackDesk.take(.deleteLast, of: person)
        case "stop":
          guard let track = try await server.trackDesk.finish(of: person).track else { break }
          return try answer(reader, back: "/map?track=\(track.id)&done=recorded", track: track)
        default: throw WebProblem.notFound
        }
        return try answer(reader, back: back)
      }
    }
  }

  /// Answers a form with a redirect to `back`, and the map's script, which stays on its page, with
  /// JSON.
  private func answer(_ reader: Reader, back: String, track: Track? = nil) throws -> WebResponse {
    reader.request.prefersJSON
      ? .json(try WireJSON.bytes(RecordingAnswer(track: track?.id.description)))
      : .redirect(back)
  }

  // MARK: parts of the page

  /// Returns the form that begins a recording and the controls of a running one. The page has both;
  /// the script shows the one that fits.
  func recordPanel(_ reader: Reader, task: InspectionTask?) async throws -> HTML {
    guard server.follower != nil else {
      return """
        \(try cutOff(reader))<p class="hint">\(t("No receiver: start the field unit with --gnss SOURCE."))</p>
        """
    }
    let recording = server.trackDesk.recording(of: reader.unit.person)
    let ended =
      recording == nil ? server.trackDesk.ending(of: reader.unit.person)?.words.map { t($0) } : nil
    return """
      \(try cutOff(reader))
      <p class="notice notice-warning" role="status" data-ended\(ended == nil ? " hidden" : "" as HTML)>\(ended)</p>
      <p class="notice notice-error" role="alert" data-failed hidden></p>
      <section class="map-record" aria-label="\(t("Record a track"))" data-idle\(recording == nil ? "" : " hidden" as HTML)>\(try beginForm(reader, task: task))</section>
      <section class="map-record" aria-label="\(t("The current track"))" data-recording\(recording == nil ? " hidden" : "" as HTML)>\(await controls(reader, recording, task: task))</section>
      """
  }

  private func beginForm(_ reader: Reader, task: InspectionTask?) throws -> HTML {
    let tasks = try reader.unit.tasks().filter(\.state.isEditable)
    let options = tasks.map { one -> HTML in
      "<option value=\"\(one.id.description)\"\(raw: one.id == task?.id ? " selected" : "")>\(one.name)</option>"
    }
    return """
      <details class="ask" id="record-track"><summary>\(t("Record a track"))</summary>
      <form class="fields" method="post" action="/tracks/record" data-control>\(reader.request.formField)
      <label>\(t("Name"))<input name="name" maxlength="200" autocomplete="off" placeholder="\(t("date and time of its start"))"></label>
      <label>\(t("Task"))<select name="task"><option value="">\(t("without a task"))</option>\(options)</select></label>
      <p class="actions"><button class="button primary">\(t("Start"))</button></p></form></details>
      """
  }

  private func controls(
    _ reader: Reader, _ recording: TrackDesk.Recording?, task: InspectionTask?
  ) async -> HTML {
    var words: [String: String] = [:]
    if let recording { words = await MapPages(server: server).words(of: recording) }
    func value(_ name: String) -> HTML {
      "<span data-value=\"\(name)\">\(words[name] ?? "")</span>"
    }
    let hidden: HTML? = task.map {
      "<input type=\"hidden\" name=\"task\" value=\"\($0.id.description)\">"
    }
    func button(
      _ control: String, _ label: String, style: String = "", isHidden: Bool = false
    ) -> HTML {
      """
      <form method="post" action="/tracks/record/\(control)" data-control="\(control)"\(isHidden ? " hidden" : "" as HTML)>\
      \(reader.request.formField)\(hidden)<button class="button \(style)">\(label)</button></form>
      """
    }
    let isPaused = recording?.isPaused ?? false
    return """
      <p class="map-numbers"><strong>\(value("state"))</strong> \(value("name"))<br>\
      \(value("points")) \(value("length")) \(value("area"))</p>
      <p class="notice notice-warning" role="status" data-value="refusal"\(words["refusal"] == nil ? " hidden" : "" as HTML)>\(words["refusal"] ?? "")</p>
      <div class="map-buttons">
      \(button("pause", t("Pause"), isHidden: isPaused))\(button("resume", t("Resume"), style: "primary", isHidden: !isPaused))
      \(button("vertex", t("Corner")))
      \(button("centroid", t("Corner from samples")))
      \(button("stop", t("Finish"), style: "primary"))
      </div>
      <p class="hint">\(value("samples"))</p>
      <details class="ask" id="delete-last"><summary>\(t("Delete the last point"))</summary>
      <p>\(t("Delete the last point? The track will show the gap."))</p>
      \(button("delete-last", t("Delete it"), style: "danger"))</details>
      """
  }

  /// Returns the tracks whose recording was cut off, each with a form to finish it: their points
  /// are kept and can be sealed. While another program of this device records, returns a note
  /// instead; empty if no track was cut off.
  func cutOff(_ reader: Reader) throws -> HTML {
    let own = server.trackDesk.recording(of: reader.unit.person)?.track.id
    let unfinished = try reader.unit.trackHeads().filter { $0.ended == nil && $0.id != own }
    guard !unfinished.isEmpty else { return "" }
    if own == nil, try reader.unit.isRecording() {
      return """
        <p class="notice notice-note" role="status">\(t("Another program on this device is recording a track."))</p>
        """
    }
    let forms = unfinished.map { track -> HTML in
      """
      <section class="notice notice-warning"><p>\(t("The recording of \"{1}\" was interrupted. Its points are saved.", track.name))</p>
      <form method="post" action="/tracks/\(track.id.description)/finish">\(reader.request.formField)
      <p class="actions"><button class="button">\(t("Finish the track"))</button></p></form></section>
      """
    }
    return HTML.joined(forms)
  }
}
