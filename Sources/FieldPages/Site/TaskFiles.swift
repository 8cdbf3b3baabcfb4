import FieldUnit
import Inspection
import ItemViewing
import Store
import Web

/// The files that a task brings: its attachments, and the example pictures of its items.
struct TaskFiles {
  /// Answers with a file that the task names.
  static func answer(
    _ id: Identifier, _ digest: String, on unit: InspectorUnit
  ) throws -> WebResponse {
    let task = try unit.task(id)
    let items = try unit.taskItems(of: id)?.order.items
    guard task.fileDigests(items).contains(digest),
      let path = OrderFileShelf.path(ofFile: digest, on: unit)
    else { throw StoreError.unknown(what: "file", id: "of this task") }
    let file = task.attachments.file(digest: digest)
    return .file(
      path: path, mediaType: (file?.kind ?? .jpeg).mediaType, fileName: file?.name,
      isAttachment: false, eTag: digest)
  }

  /// Returns the place of the example pictures of a task, and those that are not here yet.
  static func examples(
    of id: Identifier, _ digests: [String], on unit: InspectorUnit
  ) -> ItemParts.Examples {
    ItemParts.Examples(
      folder: FileParts.folder(ofTask: id),
      missing: Set(digests.filter { OrderFileShelf.path(ofFile: $0, on: unit) == nil }))
  }

  /// Returns the attachments of a task as a list; nil if there are none.
  static func list(_ task: InspectionTask, on unit: InspectorUnit) -> HTML? {
    FileParts(t: .current).list(task) { OrderFileShelf.path(ofFile: $0, on: unit) != nil }
  }
}
