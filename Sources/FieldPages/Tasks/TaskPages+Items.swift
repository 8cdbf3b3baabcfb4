import FieldUnit
import Foundation
import Geodesy
import Inspection
import ItemViewing
import Store
import Sync
import TimeAndText
import Web

// The items of a task: the list that the inspector works through, and the answers to it.
extension TaskPages {
  static let answers = Asset(file: "/assets/answers.js", [PackageResources.answers_js])

  func addItems(to routes: inout Routes) {
    routes.get(Self.answers.path) { request in Self.answers.response(to: request) }
    routes.post("/tasks/{id}/items/{item}") { request in
      try await reading(request) { reader in
        let id = try identifier(request)
        let form = try await reader.request.form()
        return try await answer(
          reader, to: request.parameters["item"] ?? "", ofTask: id, form)
      }
    }
  }

  /// Keeps an answer, and shows the item that comes next. The page shows an answer that is refused
  /// once more, with the reason.
  private func answer(
    _ reader: Reader, to item: String, ofTask id: Identifier, _ form: WebForm
  ) async throws -> WebResponse {
    let written = form.all("value")
    let photos = form.all("photo").compactMap(Identifier.init(_:))
    do {
      try reader.unit.answer(
        form["reason"].map(WrittenAnswer.notPossible) ?? .fields(written),
        to: item, ofTask: id, photos: photos)
    } catch InspectionError.item(let refusal) {
      return try await show(
        reader, id,
        fault: ItemChecklist.Fault(
          item: item, words: t(refusal.wording), written: written, photos: photos))
    }
    let next = try reader.unit.taskItems(of: id).flatMap {
      ItemChecklist.next(after: ItemName(item), $0.standing)
    }
    return .redirect(
      next.map { "/tasks/\(id)?item=\($0.description)#item-\($0.description)" }
        ?? "/tasks/\(id)?done=answered#items")
  }

  /// Returns the items of a task as a list to work through; nil if its order asks for none.
  func checklist(
    _ task: InspectionTask, _ items: TaskItems?, _ photos: [Photo], _ reader: Reader,
    _ fault: ItemChecklist.Fault?, from here: Coordinate?
  ) -> HTML? {
    guard let items else { return nil }
    return ItemChecklist(
      t: t, order: items.order.items, answers: items.answers.mapValues(\.answer),
      restsOn: items.answers.mapValues(\.photos), standing: items.standing,
      photos: photos.enumerated().map {
        ItemChecklist.Photo($1, number: $0 + 1)
      },
      task: task.id, taken: items.given.photos, verdicts: items.verdicts.last,
      changed: items.changed,
      formField: task.state.isEditable ? reader.request.formField : nil,
      examples: TaskFiles.examples(
        of: task.id, items.order.items.exampleDigests, on: reader.unit)
    ).card(
      chosen: reader.request.query["item"].flatMap(ItemName.init(_:)), fault: fault,
      from: here)
  }
}
