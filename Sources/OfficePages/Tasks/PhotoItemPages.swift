import Guide
import Inspection
import Office
import OfficeFrame
import Sync
import TimeAndText
import Web

/// Moves photos that name no item to the item that they show, on the page of their task.
struct PhotoItemPages: OfficePage {
  let office: OfficeServer
  let help = GuidePart.review

  /// The most characters of an item's wording in the list of items.
  private static let optionCharactersAtMost = 80

  func add(to routes: inout Routes) {
    routes.post("/photos/{id}/item") { request in
      try await reading(request) { try await move($0) }
    }
  }

  /// Returns the form at each photo that this reader may move.
  /// - Parameter photos: the whole photos of the task.
  func forms(
    _ task: InspectionTask, _ photos: [ReceivedPhoto], _ reader: Reader
  ) async throws -> [Identifier: HTML] {
    guard reader.role == .officer, task.state == .dataProvided else { return [:] }
    let items = try await office.database.read(in: reader.agency) { session in
      try TaskItemsRead(of: task, photos: photos, session)
    }
    guard let items else { return [:] }
    let shots = items.order.items.items.filter(\.takesPhotos)
    guard !shots.isEmpty else { return [:] }
    let fields: HTML = """
      \(reader.request.formField)<input type="hidden" name="seen" value="\(task.history.count)">
      <input type="hidden" name="shown" value="\(Review.mark(of: task, photos))">
      <input type="hidden" name="list" value="\(reader.request.query["list"] ?? "")">
      """
    return photos.reduce(into: [:]) { forms, received in
      let photo = received.photo
      guard PhotoMoveRule.refusal(of: photo, in: task.state, items.verdicts) == nil else { return }
      forms[photo.id] = form(received, shots, fields)
    }
  }

  private func form(_ received: ReceivedPhoto, _ shots: [OrderItem], _ fields: HTML) -> HTML {
    let options = shots.map { item -> HTML in
      let chosen: HTML? = item.name == received.item ? " selected" : nil
      return """
        <option value="\(item.name.description)"\(chosen)>\(Self.short(item.wording))</option>
        """
    }
    return """
      <form class="filter" method="post" action="/photos/\(received.photo.id.description)/item">\(fields)
      <label>\(t("For the item"))<select name="item"><option value="">\(t("the first open one"))</option>\(options)</select></label>
      <button class="button">\(t("Move the photo"))</button></form>
      """
  }

  private static func short(_ wording: String) -> String {
    wording.count > optionCharactersAtMost
      ? wording.prefix(optionCharactersAtMost - 1) + "…" : wording
  }

  private func move(_ reader: Reader) async throws -> WebResponse {
    try requireRole(.officer, reader)
    // Another agency's photo is not there, whatever the form says.
    let id = try await PhotoPages(office: office).photo(reader.request, reader).photo.id
    let form = try await reader.request.form()
    guard let seen = form["seen"].flatMap({ Int($0) }), let shown = form["shown"],
      let name = form.exact("item")
    else { throw OfficeRefusal(.inputInvalid, "the form is not complete: open the task again") }
    let target = ItemName(name)
    guard target != nil || name.isEmpty else {
      throw InspectionError.item(.unknown(String(name.prefix(ItemName.charactersAtMost))))
    }
    let task = try await office.review.move(
      photo: id, toItem: target, by: try reader.visitor.person(), seen: seen, shown: shown)
    let list = TaskListAddress(form["list"])
    let path = list?.path(to: task) ?? "/tasks/\(task)"
    return .redirect("\(path)\(list == nil ? "?" : "&")done=moved#photo-\(id)")
  }
}
