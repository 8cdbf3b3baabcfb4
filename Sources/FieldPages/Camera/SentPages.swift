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

  /// The thing that was sent.
  private struct Sent: Sendable {
    var id: Identifier
    var name: String
    /// The address of the thing's own page.
    var page: String
    /// True if it was sent, and not taken back since.
    var isSent: Bool
    /// The newest of its photos; nil if it has none.
    var photo: Identifier?
    /// The field of this page's own address.
    var field: String
  }

  func add(to routes: inout Routes) {
    routes.get("/camera/sent") { request in try await reading(request) { try await sent($0) } }
    routes.get("/live/camera/sent") { request in
      try await reading(request) { reader in
        let (unit, id) = (reader.unit, try thing(reader).id)
        return .events(live(of: unit) { fragment(unit, id) })
      }
    }
  }

  /// Returns the address of the page about a photo that was sent, or about its task.
  static func address(of photo: Photo, _ task: InspectionTask?) -> String {
    "/camera/sent?" + (task.map { "task=\($0.id)" } ?? "photo=\(photo.id)")
  }

  /// Returns the thing that the address names.
  /// - Throws: `StoreError.unknown`, `FieldUnitError.malformedIdentifier`.
  private func thing(_ reader: Reader) throws -> Sent {
    if let text = reader.request.query["task"] {
      let task = try reader.unit.task(try InspectorUnit.identifier(text))
      return Sent(
        id: task.id, name: task.name, page: "/tasks/\(task.id)", isSent: !task.state.isEditable,
        photo: try reader.unit.photoIdentifiers(.task(task.id)).first, field: "task=\(task.id)")
    }
    let photo = try reader.unit.photo(
      try InspectorUnit.identifier(reader.request.query["photo"] ?? ""))
    return Sent(
      id: photo.id, name: t("Photo of {1}", Self.time(photo.deviceTime)),
      page: "/photos/\(photo.id)", isSent: photo.sent != nil, photo: photo.id,
      field: "photo=\(photo.id)")
  }

  private func sent(_ reader: Reader) async throws -> WebResponse {
    let thing = try thing(reader)
    guard thing.isSent else { return .redirect(thing.page) }
    let here = await freshPlace()
    let tasks = try reader.unit.taskListings().tasks
    let next = NextTasks.choose(
      tasks.map { TaskOrdering.Row(task: $0, way: ParcelWay(to: $0.parcel, from: here)) }
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
    let picture: HTML? = thing.photo.map {
      """
      <a href="\(thing.page)"><img src="/photos/\($0.description)/thumbnail.jpg" width="128" height="96" alt="\(t("The photo that was taken"))"></a>
      """
    }
    return page(
      t("Sent"), reader, current: "/camera", refreshSeconds: 3, styles: [CameraStyle.asset.href],
      """
      <section class="card sent-now">\(picture)<div><h1>\(t("Sent"))</h1><p><a href="\(thing.page)">\(thing.name)</a></p></div></section>
      <section class="card" aria-label="\(t("Delivery"))" data-live="/live/camera/sent?\(thing.field)" data-live-lost="\(t("This page is not up to date: the program does not answer."))">\
      \(fragment(reader.unit, thing.id))</section>
      \(following)
      <p class="actions"><a class="button" href="/">\(t("Home"))</a><a class="button" href="/tasks">\(t("Tasks"))</a></p>
      """)
  }

  /// Returns the progress of the thing's delivery: not begun, under way, or done.
  func fragment(_ unit: InspectorUnit, _ id: Identifier) -> HTML {
    guard let waiting = readable("the outbox", { try unit.outbox().filter { $0.whole == id } })
    else {
      return "<p class=\"light light-warn\">\(t("not known"))</p>"
    }
    guard !waiting.isEmpty else {
      return """
        <p class="light light-good" role="status">\(t("Delivered: the office holds it and has signed for it."))</p>
        """
    }
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
