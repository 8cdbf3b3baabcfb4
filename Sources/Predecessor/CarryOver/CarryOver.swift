// The problem: an agency has years of tasks, photos and people in an EGNSS4CAP database, and a folder of pictures. All of
// it is to be here, as if its phones had sent it here, and what cannot be is to be said.
//
// The obvious idea: a program of its own that fills the tables. It would be a second way in: with other checks, other
// fields, other marks than what phones send.
//
// What is done: the dump is read to its end and laid on a stage; where it is cut off nothing was touched. Then people,
// tasks with their photos, the other photos, tracks and parcels are carried over in this order, each through what takes
// them from phones (`PhoneScripts`) or from files, each in a transaction of its own: whole, or not there. What was carried
// over is known by its old number, so that the same dump, or a newer one, brings only what is missing. Photos have names
// that follow from what they are: a file that a killed program has left is the same file the next time.
//
// Cost: the stage takes as much disk as the rows; in memory are people, one task with its photos, one track.

import Evidence
import Foundation
import Inspection
import Office
import Positioning
import Store
import Sync
import Web

/// What is to be carried over from an older office, and how.
public struct CarryOverOptions: Sendable {
  /// The folder with the older office's pictures; nil where photos stay behind.
  public var photos: String?
  /// What the older database is called here: references begin with it.
  public var source = "EGNSS4CAP"
  /// Which of the dump's databases is meant; nil where only one has such tables.
  public var database: String?
  /// The zone of the dates of tasks; nil for that of the agency's phones.
  public var zone: String?
  /// Into which agency the parcels go; nil where there is only one.
  public var parcelsAgency: String?
  /// Older agencies, by number or name, that become agencies which are here already.
  public var joins: [String: String] = [:]
  /// What stays behind.
  public var without: Set<CarryOverPart> = []
  /// Whether nothing is written.
  public var isCheck = false
  /// How hard a guess of a password is made.
  var passwordCost = PasswordHash.Cost.standard

  /// Everything, but photos, for which a folder is needed.
  public init() {}
}

/// Carries an EGNSS4CAP office's data over into this office.
public final class CarryOver {
  let office: OfficeServer
  let service: PredecessorService
  let options: CarryOverOptions
  /// Who does it, for the log.
  let person: String
  private let tell: (CarryOverLine) throws -> Void
  private let progress: (CarryOverProgress) throws -> Void
  let now: DeviceTime
  /// Times of the older database that it keeps in UTC.
  let utc = PHPTime(zone: "UTC")
  var scripts: PhoneScripts { PhoneScripts(office: office, service: service) }

  var summary: CarryOverSummary
  /// Whether everything was read and decided, so that something may have been carried over.
  public private(set) var isUnderWay = false
  var agencies: [Int64: CarriedAgency] = [:]
  var users: [Int64: CarriedUser] = [:]
  /// How many photos the dump has; nil where they stay behind.
  var photosInAll: Int?
  /// How dates of tasks are read, by agency.
  var zones: [String: PHPTime] = [:]

  /// An import that is about to begin.
  /// - Parameters:
  ///   - login: who does it, for the log.
  ///   - progress: how far it is. Where it throws, the import ends there; what is done is whole.
  ///   - tell: the report's lines, one after the other.
  package init(
    _ office: OfficeServer, _ service: PredecessorService, _ options: CarryOverOptions,
    by login: String,
    progress: @escaping (CarryOverProgress) throws -> Void = { _ in },
    tell: @escaping (CarryOverLine) throws -> Void
  ) {
    self.office = office
    self.service = service
    self.options = options
    person = login
    self.progress = progress
    self.tell = tell
    now = office.clock.deviceTime
    summary = CarryOverSummary(isCheck: options.isCheck)
  }

  /// Carries everything over that is not here yet.
  /// - Throws: `OfficeRefusal` where the dump cannot be read, something has to be decided first (nothing was carried over
  ///   then), or there is no room (what was carried over by then is whole); `StoreError`.
  public func run(_ dump: DumpFile) async throws -> CarryOverSummary {
    try requireOptions()
    let lock = try holdLock()
    defer { lock?.release() }
    let stage = try read(dump)
    defer { stage.remove() }
    try await planPeople(stage)
    try await planZones(stage)
    let parcelsAgency = try await planParcels(stage)
    let folder = try pictureFolder(stage)
    isUnderWay = true
    try await carryPeople()
    try await carryTasks(stage, folder)
    if let folder { try await carryPhotos(stage, folder) }
    if !options.without.contains(.tracks) { try await carryTracks(stage) }
    if let parcelsAgency { try await carryParcels(stage, into: parcelsAgency) }
    if !options.isCheck {
      summary.examined = try await office.examineArrivals { done in
        try report(.checking, done, nil)
      }
    }
    return summary
  }

  /// Two at a time would ask each other's questions.
  private func holdLock() throws -> FileLock? {
    guard !options.isCheck else { return nil }
    try DurableFile.makeFolder(stagingFolder)
    guard let lock = try FileLock(stagingFolder + "/carry-over.lock") else {
      throw OfficeRefusal(
        .inputInvalid, "another import of an older office is under way: wait for its end")
    }
    return lock
  }

  var stagingFolder: String {
    office.configuration.folder.appendingPathComponent("staging").path
  }

  private func requireOptions() throws {
    guard OfficeServer.isName(options.source), options.source.utf8.count <= 40 else {
      throw OfficeRefusal(
        .inputInvalid, "a source's name is 1 to 40 letters, digits, dots, hyphens or underscores")
    }
    if let zone = options.zone, TimeZone(identifier: zone) == nil {
      throw OfficeRefusal(
        .inputInvalid, "\(zone) is no time zone: write Europe/Prague, or UTC")
    }
  }

  /// The zone in which the older office wrote the dates of its tasks, for each agency.
  private func planZones(_ stage: DumpStage) async throws {
    let isNeeded = try stage.count(of: OlderTable.task.rawValue) > 0
    for agency in agencies.values {
      let known = try await office.database.readRegistry {
        try $0.phones.phoneService(ofAgency: agency.name)?.zone
      }
      guard let zone = options.zone ?? known else {
        guard isNeeded else { continue }
        throw OfficeRefusal(
          .inputInvalid,
          "the dates of tasks name no zone, and \(agency.name) has none for its phones: give that of the older office,"
            + " such as --zone Europe/Prague")
      }
      zones[agency.name] = PHPTime(zone: zone)
    }
  }

  private func pictureFolder(_ stage: DumpStage) throws -> PictureFolder? {
    guard !options.without.contains(.photos) else { return nil }
    let count = try stage.count(of: OlderTable.photo.rawValue)
    photosInAll = count
    guard let path = options.photos else {
      guard count > 0 else { return nil }
      throw OfficeRefusal(
        .inputInvalid,
        "the dump has photos: name the folder of their pictures with --photos, or leave them behind with"
          + " --without photos")
    }
    return try PictureFolder(path, bytesAtMost: service.maximumPictureBytes)
  }

  // MARK: telling

  func report(_ phase: CarryOverProgress.Phase, _ done: Int, _ all: Int?) throws {
    try progress(CarryOverProgress(phase: phase, done: done, all: all))
  }

  func note(
    _ remark: CarryOverRemark, _ row: OlderRow, _ what: String, why: String
  ) throws {
    try note(remark, row.table, row.number, what, why: why)
  }

  func note(
    _ remark: CarryOverRemark, _ table: String, _ number: Int64?, _ what: String, why: String
  ) throws {
    summary.remarks[remark, default: 0] += 1
    try tell(
      CarryOverLine(
        remark, table, number, what: OlderRow.shown(what), why: OlderRow.shown(why)))
  }

  /// A row that is left out.
  func leave(
    _ remark: CarryOverRemark, _ part: CarryOverPart, _ row: OlderRow, _ what: String, why: String
  ) throws {
    count(part) { if remark.outcome == .passed { $0.passed += 1 } else { $0.left += 1 } }
    try note(remark, row, what, why: why)
  }

  func count(_ part: CarryOverPart, _ change: (inout CarryOverCount) -> Void) {
    change(&summary.counts[part, default: CarryOverCount()])
  }

  /// Whether something that was carried over before is this row, and not another office's of the same number.
  func isSame(_ known: CarriedOver, _ marks: [String]) -> Bool {
    !Set(known.marks).isDisjoint(with: marks) || (known.marks.isEmpty && marks.isEmpty)
  }
}
