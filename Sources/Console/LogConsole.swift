import Evidence
import Office
import Positioning
import Store
import TimeAndText
import Web

/// The agency's log.
struct LogConsole: ConsoleGroup {
  let office: OfficeServer

  func add(to routes: inout Routes) {
    routes.get(Self.path + "/log", machine: true) { request in
      try await asking(request, query: ConsoleQuery.paging) { try await list($0) }
    }
  }

  private func list(_ asker: Asker) async throws -> WebResponse {
    let place = try asker.query.place(in: "log", keys: 1)
    let limit = try asker.query.limit()
    var before: Int64?
    if let place {
      guard case .integer(let number)? = place.keys.first else {
        throw OfficeRefusal(.inputInvalid, "this cursor is not one of this list")
      }
      before = number
    }
    let entries = try await office.database.read(in: asker.agency) {
      try $0.log.page(before: before, containing: nil, limit: limit + 1)
    }
    let page = entries.prefix(limit)
    let next = entries.count > limit ? page.last.map { ListPlace([.integer($0.number)]) } : nil
    return try json(
      ConsoleLog(
        entries: page.map { number, entry in
          ConsoleLog.Entry(
            number: number, time: entry.time.rfc3339, person: entry.person, action: entry.action,
            subject: entry.subject, detail: entry.detail)
        }, next: next.map { ListCursor.text($0, in: "log") }))
  }
}
