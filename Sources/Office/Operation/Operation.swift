import Inspection
import Store
import TimeAndText
import Web

/// Runs the office: readiness, figures, log, backup, and the removal of expired things.
package struct Operation: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
  let people: People
  let sessions: Sessions
  let uploads: Uploads
  let imports: Importing
  /// The added services, which list their own files.
  let services: [any AddedService]
  /// The latest figures counted in the database.
  package let counted = CountedFigures()
  let readiness = Readiness()
}

extension Operation {
  /// Judges the items that an earlier version has left, and reads lists and maps ahead. Then removes
  /// expired uploads, imports and sessions once an hour, and logs refused sign-ins once a minute, until
  /// the surrounding task is cancelled.
  public func keepHouse() async throws {
    await judgeItems()
    try await core.background.runInTurn { await database.warmUp() }
    do {
      try await keepHouseHourly()
    } catch {
      await tellRefusals(isLast: true)
      throw error
    }
  }

  /// Judges the items of all agencies that wait for it: each write does, also one of nothing.
  private func judgeItems() async {
    do {
      for agency in try await database.readRegistry({ try $0.agencies() }) {
        try await database.write(in: agency.name) { _ in }
      }
    } catch {
      configuration.log("house: the items of tasks were not judged: \(error)")
    }
  }

  private func keepHouseHourly() async throws {
    var minutes = 0
    while true {
      try await clock.sleep(
        until: clock.elapsed.advanced(bySeconds: RefusalTally.entrySeconds))
      await tellRefusals(isLast: false)
      minutes += 1
      guard minutes % 60 == 0 else { continue }
      do {
        try uploads.removeExpiredUploads()
        try ImportShelf(imports).removeExpired()
        // Photos that could not be examined before may be readable now.
        arrivals.announce()
        try await database.writeRegistry { try $0.removeExpiredSessions(at: clock.deviceTime) }
      } catch {
        configuration.log("house: \(error)")
      }
    }
  }

  private func tellRefusals(isLast: Bool) async {
    do {
      try await sessions.logRefusals(isLast: isLast)
    } catch {
      configuration.log("house: refused sign-ins are not in the log: \(error)")
    }
  }
}
