import Exports
import Foundation
import Inspection
import Store

extension InspectorUnit {
  /// What an export is made of.
  public enum Choice: Hashable, Sendable {
    /// Everything of this person.
    case all
    /// These tasks with what belongs to them.
    case tasks([Identifier])
    /// These photos.
    case photos([Identifier])
    /// These tracks.
    case tracks([Identifier])
  }

  /// Collects what is chosen.
  /// - Throws: `StoreError.unknown`; `FieldUnitError.emptySelection`.
  public func selection(_ choice: Choice) throws -> ExportSelection {
    let selection = try store.read(as: person) { session in
      func part(_ task: InspectionTask) throws -> ExportSelection.TaskPart {
        ExportSelection.TaskPart(
          task: task, photos: try session.photos(.task(task.id)),
          tracks: try session.tracks(.task(task.id)))
      }
      let title = "Standpoint: \(person.login), \(person.agency)"
      switch choice {
      case .all:
        return ExportSelection(
          title: title, tasks: try session.tasks().map(part),
          photos: try session.photos(.standalone), tracks: try session.tracks(.standalone))
      case .tasks(let ids):
        return ExportSelection(
          title: title, tasks: try ids.map { try part(session.task($0)) }, photos: [], tracks: [])
      case .photos(let ids):
        return ExportSelection(
          title: title, tasks: [], photos: try ids.map(session.photo), tracks: [])
      case .tracks(let ids):
        return ExportSelection(
          title: title, tasks: [], photos: [], tracks: try ids.map(session.track))
      }
    }
    if selection.isEmpty { throw FieldUnitError.emptySelection }
    return selection
  }
}
