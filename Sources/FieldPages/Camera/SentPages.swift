import FieldUnit
import Foundation
import Guide
import Inspection
import Store
import Sync
import TimeAndText
import Web

/// The page behind the camera's *Send*: how far the delivery has come, and which task is next.
struct SentPages: FieldPage {
  let server: FieldServer
  let help = GuidePart.outbox

  /// The thing that an address names.
  enum Thing: Sendable {
    case task(Identifier)
    case photo(Identifier)

    /// The address of the thing's own page.
    var page: String {
      switch self {
      case .task(let id): "/tasks/\(id)"
      case .photo(let id): "/photos/\(id)"
      }
    }

    /// The field that names the thing in an address here.
    var field: String {
      switch self {
      case .task(let id): "task=\(id)"
      case .photo(let id): "photo=\(id)"
      }
    }
  }

  func add(to routes: inout Routes) {
    routes.get("/camera/sent") { request in try await reading(request) { try await sent($0) } }
    routes.get("/live/camera/sent") { request in
      try await reading(request) { reader in
        let (unit, thing) = (reader.unit, try asked(reader.request))
        // A thing that is not on this device has no stream.
        _ = try state(of: thing, unit)
        let part = PacedPart()
        return .events(
          live(of: unit) {
            await part.html(at: server.clock.elapsed) { fragment(unit, thing) }
          })
      }
    }
  }

  /// Returns the address of the page about a photo that was sent, or about its task.
  static func address(of photo: Photo, _ task: InspectionTask?) -> String {
    "/camera/sent?" + (task.map { Thing.task($0.id) } ?? .photo(photo.id)).field
  }

  /// Returns the thing that the address names.
  /// - Throws: `FieldUnitError.malformedIdentifier`.
  private func asked(_ request: WebRequest) throws -> Thing {
    if let text = request.query["task"] { return .task(try InspectorUnit.identifier(text)) }
    return .photo(try InspectorUnit.identifier(request.query["photo"] ?? ""))
  }

  /// Returns how far the thing has come.
  /// - Throws: `StoreError.unknown` if there is no such thing.
  private func state(of thing: Thing, _ unit: InspectorUnit) throws -> SentState {
    switch thing {
    case .task(let id): try unit.sentState(ofTask: id)
    case .photo(let id): try unit.sentState(ofPhoto: id)
    }
  }

  /// Returns the thing's name, and the newest of its photos; nil if it has none.
  private func about(
    _ thing: Thing, _ unit: InspectorUnit
  ) throws -> (name: String, photo: Identifier?) {
    switch thing {
    case .task(let id):
      (try unit.task(id).name, try unit.photoIdentifiers(.task(id)).first)
    case .photo(let id):
      (t("Photo of {1}", Self.time(try unit.photo(id).deviceTime)), id)
    }
  }

  private func sent(_ reader: Reader) async throws -> WebResponse {
    let thing = try asked(reader.request)
    guard try state(of: thing, reader.unit) != .notSent else { return .redirect(thing.page) }
    let (name, photo) = try about(thing, reader.unit)
    let here = await freshPlace()
    let tasks = try reader.unit.taskListings().tasks
    let next = NextTasks.choose(
      tasks.map { TaskOrdering.Row($0, from: here) }
    ).first
    let following: HTML? = next.map { row in
      let way = row.way.map {
        $0.text.map { t("{1} to its parcel", $0) } ?? t("you are inside its parcel")
      }
      return """
        <h2>\(t("Next task"))</h2><div class="card task-row"><a class="task" href="/tasks/\(row.task.id.description)"><strong>\(row.task.name)</strong>
        <span class="muted">\(way)</span></a>\(cameraButton(row.task))</div>
        """
    }
    let picture: HTML? = photo.map {
      """
      <a href="\(thing.page)"><img src="/photos/\($0.description)/thumbnail.jpg" width="128" height="96" alt="\(t("The photo that was taken"))"></a>
      """
    }
    return page(
      t("Sent"), reader, current: "/camera", refreshSeconds: 3, styles: [CameraStyle.asset.href],
      """
      <section class="card sent-now">\(picture)<div><h1>\(t("Sent"))</h1><p><a href="\(thing.page)">\(name)</a></p></div></section>
      <section class="card" aria-label="\(t("Delivery"))" data-live="/live/camera/sent?\(thing.field)" data-live-lost="\(t("This page is not up to date: the program does not answer."))">\
      \(fragment(reader.unit, thing))</section>
      \(following)
      <p class="actions"><a class="button" href="/">\(t("Home"))</a><a class="button" href="/tasks">\(t("Tasks"))</a></p>
      """)
  }

  /// Returns the progress of the thing's delivery: taken back, not begun, under way, or done.
  func fragment(_ unit: InspectorUnit, _ thing: Thing) -> HTML {
    switch readable("a thing that was sent", { try state(of: thing, unit) }) {
    case nil:
      return "<p class=\"light light-warn\">\(t("not known"))</p>"
    case .notSent:
      return """
        <p class="light light-warn" role="status">\(t("It is no longer sent.")) <a href="\(thing.page)">\(t("Open it"))</a></p>
        """
    case .waiting: return waiting(unit)
    case .delivered:
      return """
        <p class="light light-good" role="status">\(t("Delivered: the office holds it and has signed for it."))</p>
        """
    }
  }

  private func waiting(_ unit: InspectorUnit) -> HTML {
    let status = server.deliveryStatus(of: unit.person)
    guard let progress = status.progress else {
      return """
        <p class="light light-warn" role="status">\(t("Waiting in the outbox. It is delivered by itself as soon as the office can be reached."))</p>
        <p>\(contact(status))</p>
        """
    }
    let share = Int(progress.share * 100)
    return """
      <p role="status"><strong>\(t("Delivering"))</strong>: \(progress.words.map { t($0) } ?? t("{1} of {2} files", progress.filesDone, progress.files))</p>
      <progress max="100" value="\("\(share)")">\(share) %</progress>
      """
  }
}
