import Inspection
import Office
import Store
import Sync

// The sets and the items of a task.
extension TaskPages {
  /// Returns the sets of a task.
  func sets(of task: InspectionTask, _ reader: Reader) async throws -> [FrameSetHead] {
    try await office.database.read(in: reader.agency, ofInspector: reader.own) {
      try $0.sets.list(.task(task.id)).map(\.head)
    }
  }

  /// Returns the items that a task's order asks for; nil if it asks for none.
  func items(of task: InspectionTask, _ reader: Reader) async throws -> OrderedItems? {
    try await office.database.read(in: reader.agency, ofInspector: reader.own) {
      try $0.tasks.items(ofTasks: [task.id])[task.id]
    }
  }
}
