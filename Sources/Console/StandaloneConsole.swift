import Inspection
import Office
import Sync
import Web

/// The officers' actions on photos and tracks that came without a task.
///
/// Each action names the state in which it ends, and the transaction checks for obstacles: an
/// action cannot undo another person's work unseen, so that no version has to be named.
struct StandaloneConsole: ConsoleGroup {
  let office: OfficeServer

  func add(to routes: inout Routes) {
    let photos = Self.path + "/photos/{id}"
    let tracks = Self.path + "/tracks/{id}"
    routes.post(photos + "/assign", machine: true) { request in
      try await asking(request) { try await assign($0) }
    }
    routes.post(photos + "/unassign", machine: true) { request in
      try await asking(request) { try await unassign($0) }
    }
    for (name, isHidden) in [("hide", true), ("show", false)] {
      routes.post("\(photos)/\(name)", machine: true) { request in
        try await asking(request) { try await setPhotoHidden(isHidden, $0) }
      }
      routes.post("\(tracks)/\(name)", machine: true) { request in
        try await asking(request) { try await setTrackHidden(isHidden, $0) }
      }
    }
  }

  private func assign(_ asker: Asker) async throws -> WebResponse {
    let id = try await photo(asker).photo.id
    let task = try await body(of: asker.request, ["task"]).identifier("task")
    try await office.review.assign(photo: id, toTask: task, in: asker.agency, by: asker.login)
    return try await json(ConsolePhoto(try photo(asker)))
  }

  private func unassign(_ asker: Asker) async throws -> WebResponse {
    try await office.review.unassign(
      photo: try identifier(asker), in: asker.agency, by: asker.login)
    return try await json(ConsolePhoto(try photo(asker)))
  }

  private func setPhotoHidden(_ isHidden: Bool, _ asker: Asker) async throws -> WebResponse {
    try await office.review.setHidden(
      isHidden, photo: try identifier(asker), in: asker.agency, by: asker.login)
    return try await json(ConsolePhoto(try photo(asker)))
  }

  private func setTrackHidden(_ isHidden: Bool, _ asker: Asker) async throws -> WebResponse {
    let id = try identifier(asker)
    try await office.review.setHidden(isHidden, track: id, in: asker.agency, by: asker.login)
    return try json(
      ConsoleTrackRow(
        try await office.database.read(in: asker.agency) { try $0.tracks.track(id) }))
  }
}
