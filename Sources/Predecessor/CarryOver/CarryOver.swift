// The problem: an agency has years of tasks, photos and people in an EGNSS4CAP database, and a
// folder of pictures. All of it must come here, as if its phones had sent it here, and the report
// must name everything that cannot come.
//
// The obvious idea: a separate program that fills the tables. It would be a second way in, with
// other checks, other fields and other marks than the data that phones send.
//
// The solution: the dump is read to its end onto a stage; if it is cut off, nothing was touched.
// Then people, tasks with their photos, the other photos, tracks and parcels are carried over in
// this order. Each goes through the code that takes it from phones (`PhoneScripts`) or from files,
// in a transaction of its own: whole, or not there. Things that were carried over are known by
// their old numbers, so the same dump, or a newer one, brings only what is missing. Photos have
// names that follow from their contents: a file that a killed program has left is the same file the
// next time.
//
// Cost: the stage takes as much disk as the rows; in memory are people, one task with its photos,
// one track.

import Evidence
import Foundation
import Inspection
import Office
import Store
import Sync
import TimeAndText
import Web

/// The options of an import from an older office.
public struct CarryOverOptions: Sendable {
  /// The folder with the older office's pictures; nil if photos are left out.
  public var photos: String?
  /// The name of the older database here, with which references begin: 1 to 40 letters, digits,
  /// dots, hyphens or underscores.
  public var source = "EGNSS4CAP"
  /// The name of the database that is meant, of those in the dump; nil if only one has such tables.
  public var database: String?
  /// The time zone of the dates of tasks; nil for the zone of the agency's phones.
  public var zone: String?
  /// The agency that gets the parcels; nil if there is only one agency.
  public var parcelsAgency: String?
  /// The agencies here that older agencies become, by the older agency's number or name.
  public var joins: [String: String] = [:]
  /// The parts that are left out.
  public var without: Set<CarryOverPart> = []
  /// True if nothing is written.
  public var isCheck = false
  /// The cost of hashing a password, which makes guesses slow.
  var passwordCost = PasswordHash.Cost.standard

  /// Creates options for everything but photos, which need a folder.
  public init() {}
}

/// An import of an EGNSS4CAP office's data into this office.
public final class CarryOver {
  let office: OfficeServer
  let service: PredecessorService
  let options: CarryOverOptions
  /// The login of the person who runs the import, for the log.
  let person: String
  private let tell: (CarryOverLine) throws -> Void
  private let progress: (CarryOverProgress) throws -> Void
  let now: DeviceTime
  /// The reader of times that the older database keeps in UTC.
  let utc = PHPTime(zone: "UTC")
  var scripts: PhoneScripts { PhoneScripts(office: office, service: service) }

  var summary: CarryOverSummary
  /// True if everything was read and decided, so that data may have been carried over.
  public private(set) var isUnderWay = false
  var agencies: [Int64: CarriedAgency] = [:]
  var users: [Int64: CarriedUser] = [:]
  /// The number of photos in the dump; nil if photos are left out.
  var photosInAll: Int?
  /// The readers of the dates of tasks, by agency.
  var zones: [String: PHPTime] = [:]

  /// Creates an import that is about to begin.
  /// - Parameters:
  ///   - login: the login of the person who runs it, for the log.
  ///   - progress: called with the progress. If it throws, the import ends there; everything done
  ///     by then is whole.
  ///   - tell: called with the report's lines, one after the other.
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
  /// - Throws: `OfficeRefusal` if the dump cannot be read, if something has to be decided first
  ///   (nothing was carried over then), or if there is no room (everything carried over by then is
  ///   whole); `StoreError`.
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
      summary.examined = try await office.examiner.examineArrivals { done in
        try report(.checking, done, nil)
      }
    }
    return summary
  }

  /// Locks out other imports, because two at a time would decide on data that both are changing;
  /// nil for a check, which writes nothing.
  private func holdLock() throws -> FileLock? {
    guard !options.isCheck else { return nil }
    try DurableFile.makeFolder(stagingFolder)
    guard let lock = try FileLock(stagingFolder + "/carry-over.lock") else {
      throw OfficeRefusal(
        .inputInvalid, "another import of an older office is running: wait until it ends")
    }
    return lock
  }

  var stagingFolder: String {
    office.configuration.folder.appendingPathComponent("staging").path
  }

  private func requireOptions() throws {
    guard People.isName(options.source), options.source.utf8.count <= 40 else {
      throw OfficeRefusal(
        .inputInvalid, "a source's name is 1 to 40 letters, digits, dots, hyphens or underscores")
    }
    if let zone = options.zone, TimeZone(identifier: zone) == nil {
      throw OfficeRefusal(
        .inputInvalid, "\(zone) is not a time zone: enter one such as Europe/Prague or UTC")
    }
  }

  /// Decides for each agency in which time zone the older office wrote the dates of its tasks.
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
          "the dates of tasks have no time zone, and \(agency.name) has none for its phones: give"
            + " the older office's, such as --zone Europe/Prague")
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
        "the dump has photos: name the folder of their pictures with --photos, or leave them out"
          + " with --without photos")
    }
    return try PictureFolder(path, bytesAtMost: service.maximumPictureBytes)
  }

  // MARK: report and progress

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

  /// Counts and reports a row that is left out.
  func leave(
    _ remark: CarryOverRemark, _ part: CarryOverPart, _ row: OlderRow, _ what: String, why: String
  ) throws {
    count(part) { if remark.outcome == .passed { $0.passed += 1 } else { $0.left += 1 } }
    try note(remark, row, what, why: why)
  }

  func count(_ part: CarryOverPart, _ change: (inout CarryOverCount) -> Void) {
    change(&summary.counts[part, default: CarryOverCount()])
  }

  /// Returns true if the thing that was carried over before is this row, and not a row of another
  /// office with the same number.
  func isSame(_ known: CarriedOver, _ marks: [String]) -> Bool {
    !Set(known.marks).isDisjoint(with: marks) || (known.marks.isEmpty && marks.isEmpty)
  }
}
