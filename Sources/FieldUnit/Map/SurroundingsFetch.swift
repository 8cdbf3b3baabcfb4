import Evidence
import Inspection
import NIOHTTP1
import Sync
import TimeAndText

/// The circumstances of a fetch of things around an inspector's tasks: while they hold, the office is
/// not asked again so soon.
struct SurroundingsFetch: Sendable {
  /// The seconds after which the office is asked again if nothing has changed here.
  private static let restSeconds = 900.0

  private var person: Person
  /// The tasks with their revisions.
  private var tasks: [Identifier: Int]
  private var time: ElapsedTime

  /// Creates the circumstances of this moment.
  init(of unit: InspectorUnit) throws {
    person = unit.person
    tasks = try unit.tasks().reduce(into: [:]) { $0[$1.id] = $1.revision }
    time = unit.clock.elapsed
  }

  /// Returns true if another fetch would find the same as an earlier one.
  func isSoon(after earlier: SurroundingsFetch) -> Bool {
    earlier.person == person && earlier.tasks == tasks
      && abs(time.seconds(since: earlier.time)) < Self.restSeconds
  }
}

extension HTTPOfficeLink {
  /// Fetches a list that has its digest as tag.
  /// - Parameters:
  ///   - change: the error if the list was changed on its way.
  ///   - tag: the digest of the list that is here; nil if none is.
  /// - Returns: the bytes of the list; nil if they are those that are here.
  func list(
    _ path: String, orThrow change: SyncError, known tag: String?, token: String
  ) async throws -> [UInt8]? {
    let answer = try await exchange(
      .GET, path, token: token, headers: tag.map { [("If-None-Match", "\"\($0)\"")] } ?? [])
    if answer.isUnchanged { return nil }
    guard answer.headers.first(name: "ETag") == "\"\(Digest.hexadecimal(answer.bytes))\"" else {
      throw change
    }
    return answer.bytes
  }

  /// Fetches a picture that has its digest as tag.
  func picture(_ path: String, token: String) async throws -> Answer {
    let answer = try await exchange(.GET, path, token: token, accepted: "image/jpeg")
    guard answer.headers.first(name: "ETag") == "\"\(Digest.hexadecimal(answer.bytes))\"" else {
      throw SyncError.malformedMessage("a picture was changed on its way")
    }
    return answer
  }
}
