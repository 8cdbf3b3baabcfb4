import Inspection
import Office
import Store
import Sync
import TimeAndText

extension Places {
  /// Returns the register's parcels around the tasks that an inspector still works on, those
  /// nearest to a task first.
  ///
  /// The tasks are read as the inspector may see them; of the register, nothing is read but what is
  /// around them.
  package func parcels(aroundTasksOf person: Person) async throws -> ParcelListMessage {
    let tasks = try await database.tasks(inWorkOf: person, at: clock.deviceTime)
    var neighbourhood = TaskNeighbourhood(of: tasks)
    let limit = TaskNeighbourhood.parcelsAtMost
    for land in neighbourhood.lands where !neighbourhood.isFull {
      for box in TaskNeighbourhood.boxes(around: land) {
        // One transaction for each box: others may read in between.
        let near = try await database.read(in: person.agency) { session in
          try session.parcels.list(in: box, limit: limit + 1)
        }
        neighbourhood.add(
          near.map(\.declared.parcel), near: land, areAll: near.count <= limit)
      }
    }
    return ParcelListMessage(nearest: neighbourhood.nearest, isCut: neighbourhood.isCut)
  }
}
