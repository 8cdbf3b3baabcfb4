import Inspection
import Office
import Store
import Sync
import TimeAndText
import Web

/// The route on which a device tells how far its inspector is with the tasks in hand.
struct ProgressRoutes {
  let office: OfficeServer

  private static let bytesAtMost = 256 * 1024

  func add(to routes: inout Routes) {
    routes.post("/api/v1/progress", machine: true) { request in
      try await office.requests.answering {
        let person = try await office.requests.device(request).person()
        let bytes = try await office.requests.message(of: request, limit: Self.bytesAtMost)
        let told = try WireJSON.message(ProgressMessage.self, bytes).progress()
        try await office.database.write(in: person.agency) { session in
          for (id, progress) in told {
            // A task that was given to somebody else meanwhile is no fault of the device.
            guard let task = try StoreError.found({ try session.tasks.task(id) }),
              task.inspector == person.login
            else { continue }
            try session.standings.keep(told: progress, ofTask: id)
          }
        }
        return .empty(204)
      }
    }
  }
}
