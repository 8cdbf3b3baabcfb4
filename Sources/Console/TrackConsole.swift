import Inspection
import Office
import Store
import Sync
import TimeAndText
import Web

/// The tracks of tasks, and those without one.
struct TrackConsole: ConsoleGroup {
  let office: OfficeServer

  func add(to routes: inout Routes) {
    routes.get(Self.path + "/tasks/{id}/tracks", machine: true) { request in
      try await asking(request) { try await listOfTask($0) }
    }
    routes.get(Self.path + "/tracks", machine: true) { request in
      try await asking(request, query: ConsoleQuery.standalone + ConsoleQuery.paging) {
        try await list($0)
      }
    }
    routes.get(Self.path + "/tracks/{id}", machine: true) { request in
      try await asking(request) { try await show($0) }
    }
  }

  private func listOfTask(_ asker: Asker) async throws -> WebResponse {
    let id = try identifier(asker)
    let tracks = try await office.database.read(in: asker.agency) { session in
      _ = try session.tasks.task(id)
      return try session.tracks.identifiers(.task(id)).map { try session.tracks.track($0) }
    }
    return try json(ConsoleTrackList(tracks: tracks.map(ConsoleTrackRow.init)))
  }

  private func list(_ asker: Asker) async throws -> WebResponse {
    let (place, limit) = (try asker.query.place(in: "tracks", keys: 2), try asker.query.limit())
    let isHidden = try asker.query.flag("hidden")
    let inspector = try asker.query.text("inspector", upTo: 64)
    let page = try await office.database.read(in: asker.agency) {
      try $0.tracks.page(isHidden: isHidden, inspector: inspector, after: place, limit: limit)
    }
    return try json(
      ConsoleTrackList(
        tracks: page.tracks.map(ConsoleTrackRow.init),
        next: page.next.map { ListCursor.text($0, in: "tracks") }))
  }

  private func show(_ asker: Asker) async throws -> WebResponse {
    let id = try identifier(asker)
    let (received, track) = try await office.database.read(in: asker.agency) { session in
      (try session.tracks.track(id), try office.review.track(id, session))
    }
    guard let track else {
      throw OfficeRefusal(.unknown, "the track's file is missing: run standpoint office check")
    }
    return try json(ConsoleTrack(received, track))
  }
}
