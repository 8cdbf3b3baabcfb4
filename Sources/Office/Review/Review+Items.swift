import Inspection
import Store
import Sync
import TimeAndText

// A photo that names no item fills the first open shot. An officer may move it to the one that it
// shows.
extension Review {
  /// Moves a photo of a sent task to another item of its order. The photo and its record stay as
  /// they are; the standing of the items is computed from the officer's mark.
  /// - Parameters:
  ///   - target: the item; nil leaves the photo to the first open shot again.
  ///   - seen: the number of transitions that the task had when the officer saw it.
  ///   - shown: the mark of the photos that were shown (`mark(of:_:)`).
  /// - Returns: the photo's task.
  /// - Throws: `OfficeRefusal` (task-changed) if something has happened since; `OfficeRefusal`
  ///   (role-forbidden) for anybody but an officer; `InspectionError.item` if the photo cannot be
  ///   moved, or not there; `StoreError.unknown`.
  @discardableResult
  package func move(
    photo id: Identifier, toItem target: ItemName?, by person: Person, seen: Int, shown: String
  ) async throws -> Identifier {
    try OfficeRefusal.require(.officer, of: person.role)
    return try await database.write(in: person.agency) { session in
      let received = try session.photos.photo(id)
      guard let owner = received.photo.task, received.deletedReason == nil else {
        throw OfficeRefusal(.ruleForbids, "the photo belongs to no task, or was deleted")
      }
      let task = try session.tasks.task(owner)
      guard task.history.count == seen else {
        throw OfficeRefusal(
          .taskChanged,
          "\(Self.lastStep(of: task)), after you opened this page; it is \(word: task.state.title)"
            + " now. The photo was not moved: look at the task again")
      }
      let photos = try session.photos.list(.task(owner)).filter { $0.deletedReason == nil }
      guard shown == Self.mark(of: task, photos) else {
        throw OfficeRefusal(
          .taskChanged,
          "after you opened the task, a photo was added, removed or moved, or a note was written."
            + " The photo was not moved: look at the task again")
      }
      guard let items = try TaskItemsRead(of: task, photos: photos, session) else {
        throw OfficeRefusal(.ruleForbids, "the task's order asks for no items")
      }
      try PhotoMoveRule.require(
        received.photo, to: target, of: items.order.items, in: task.state, items.verdicts)
      guard received.officeItem != target else { return owner }
      try session.photos.move(id, toItem: target)
      try session.log.add(
        log(
          "photo-item-moved", on: id.description, by: person.login, agency: person.agency,
          detail: target?.description))
      return owner
    }
  }
}
