import Inspection
import Store
import TimeAndText

extension OfficeDatabase {
  /// Returns the tasks that an inspector still works on, read as the inspector may see them: of each
  /// state the most urgent, one more than `TaskNeighbourhood` takes, so that a cut is seen.
  package func tasks(inWorkOf person: Person, at now: DeviceTime) async throws -> [InspectionTask] {
    try await read(in: person.agency, ofInspector: person.login) { session in
      try TaskState.allCases.filter(\.isEditable).flatMap { state in
        try session.tasks.page(
          TaskFilter(state: state), TaskSorting(.due), at: now,
          limit: TaskNeighbourhood.tasksAtMost + 1, offset: 0)
      }
    }
  }
}
