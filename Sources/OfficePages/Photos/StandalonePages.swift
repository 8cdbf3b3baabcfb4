import Foundation
import Guide
import Inspection
import Office
import OfficeFrame
import Store
import Sync
import TimeAndText
import Web

/// The page of a photo that came without a task: giving it to a task, and hiding it.
struct StandalonePages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.photosWithoutTask

  private static let tasksToChooseFrom = 200

  func single(
    _ received: ReceivedPhoto, _ reader: Reader, refusal: OfficeRefusal? = nil
  ) async throws -> WebResponse {
    let turn = [90, 180, 270].first { "\($0)" == reader.request.query["turn"] } ?? 0
    let work: HTML? = reader.own == nil ? try await work(on: received, reader) : nil
    let pages = PhotoPages(office: office)
    let card = try await pages.photoCard(
      received, number: 1, reader, facts: try await pages.cardFacts(of: [received], reader),
      turn: turn)
    let body = work.map { "<div class=\"split\"><div>\(card)</div><div>\($0)</div></div>" } ?? card
    let title = t("Photo of {1}", t.moment(received.photo.deviceTime))
    return page(
      title, reader, current: "/photos",
      notices: refusal.map { [PageFrame.Notice(kind: .error, text: t($0.wording))] } ?? [],
      status: refusal?.kind.status ?? 200,
      """
      \(way(from: received.photo, turn: turn))
      <h1>\(title)</h1>\(remarks(on: received))
      \(body)
      """)
  }

  /// Returns the links from a photo to the list, to its next turn, and to its exports.
  private func way(from photo: Photo, turn: Int) -> HTML {
    let address = Self.address(of: photo)
    return """
      <nav class="way" aria-label="\(t("Review"))"><a class="button quiet" href="/photos" data-key="u">\(t("Photos without a task"))</a>
      <a class="button" href="\(address)?turn=\((turn + 90) % 360)" data-key="t">\(t("Turn the picture"))</a>
      <a class="button" href="\(address)/photo.pdf">PDF</a>
      \(ExportPages.links("\(address)/photo"))</nav>
      """
  }

  /// Returns the notices that a photo came late and that it is hidden; empty if it is neither.
  private func remarks(on received: ReceivedPhoto) -> HTML {
    let cameLate: HTML? = received.lateTask.map {
      """
      <p class="notice notice-warning">\(t("It arrived after its task was decided, and was not part of the decision."))
      <a href="/tasks/\($0.description)">\(t("Task"))</a></p>
      """
    }
    let hidden: HTML? = received.hidden.map {
      "<p class=\"notice notice-note\">\(t.html("An officer hid it on {1}.", t.time($0)))</p>"
    }
    return "\(cameLate)\(hidden)"
  }

  private static func address(of photo: Photo) -> String { "/photos/\(photo.id.description)" }

  // MARK: the officers' work

  /// Returns the forms that give a photo to a task, hide it and show it.
  private func work(on received: ReceivedPhoto, _ reader: Reader) async throws -> HTML {
    let tasks = try await tasks(for: received, reader)
    let isWhole = received.deletedReason == nil
    let assign = received.hidden == nil && isWhole ? assignment(of: received, tasks, reader) : nil
    let hide = isWhole ? hiding(of: received, reader) : nil
    return """
      <section class="card"><h2>\(t("Actions"))</h2>\(assign)\(hide)</section>
      """
  }

  /// Returns the tasks that a photo can be given to.
  private func tasks(
    for received: ReceivedPhoto, _ reader: Reader
  ) async throws -> [TaskName] {
    try await office.database.read(in: reader.agency) { session -> [TaskName] in
      let tasks = try session.tasks.undecidedTasks(
        ofInspector: received.photo.inspector, limit: Self.tasksToChooseFrom)
      // A photo that came late is evidence for the task that its record names, or for none.
      guard let late = received.lateTask else { return tasks }
      return tasks.filter { $0.id == late }
    }
  }

  private func assignment(
    of received: ReceivedPhoto, _ tasks: [TaskName], _ reader: Reader
  ) -> HTML {
    let photo = received.photo
    guard !tasks.isEmpty else {
      let reason =
        received.lateTask == nil
        ? t("{1} has no undecided tasks.", photo.inspector)
        : t("You can assign it to its task once an administrator has reopened the task.")
      return "<p class=\"muted\">\(reason)</p>"
    }
    let options = tasks.map { task in
      """
      <option value="\(task.id.description)">\(task.name) (\(t(task.state.title)))</option>
      """ as HTML
    }
    return """
      <form class="fields" method="post" action="\(Self.address(of: photo))/assign">\(reader.request.formField)
      <label>\(t("Assign to a task of {1}", photo.inspector))<select name="task" required>
      <option value="">\(t("Select a task"))</option>\(options)</select></label>
      <p class="hint">\(t("This does not change the sealed record. The task shows who assigned the photo, and when."))</p>
      <p class="actions"><button class="button primary">\(t("Assign to the task"))</button></p></form>
      """
  }

  private func hiding(of received: ReceivedPhoto, _ reader: Reader) -> HTML {
    let isHidden = received.hidden != nil
    return """
      <form method="post" action="\(Self.address(of: received.photo))/\(isHidden ? "show" : "hide")">\(reader.request.formField)
      <p class="actions"><button class="button">\(isHidden ? t("Show again") : t("Hide"))</button>
      <span class="hint">\(t("Hidden photos are kept unchanged, but do not show in lists and on maps."))</span></p></form>
      """
  }

  /// The actions of officers on a photo.
  enum Action: String, CaseIterable {
    case assign, unassign, hide, show
  }

  func handle(_ action: Action, _ reader: Reader) async throws -> WebResponse {
    let received = try await PhotoPages(office: office).photo(reader.request, reader)
    let (id, login) = (received.photo.id, reader.visitor.account.login)
    let form = try await reader.request.form()
    do {
      switch action {
      case .assign:
        guard let task = form["task"].flatMap(Identifier.init(_:)) else {
          throw OfficeRefusal(.inputInvalid, "select a task first")
        }
        try await office.review.assign(photo: id, toTask: task, in: reader.agency, by: login)
        return .redirect("/tasks/\(task)?done=assigned#photo-\(id)")
      case .unassign:
        try await office.review.unassign(photo: id, in: reader.agency, by: login)
        return .redirect("/photos/\(id)?done=unassigned")
      case .hide:
        try await office.review.setHidden(true, photo: id, in: reader.agency, by: login)
        return .redirect("/photos?done=hidden")
      case .show:
        try await office.review.setHidden(false, photo: id, in: reader.agency, by: login)
        return .redirect("/photos/\(id)?done=shown")
      }
    } catch {
      guard let refusal = OfficeRefusal(of: error), refusal.kind != .unknown,
        received.photo.task == nil
      else { throw error }
      return try await single(received, reader, refusal: refusal)
    }
  }
}
