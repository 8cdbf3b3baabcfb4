// The problem: a register of hundreds of thousands of parcels is taken whole or not at all, and whoever
// brings it is told everything that is wrong with it, not only the first.
//
// The obvious idea: one transaction that reads the file and writes as it goes. While it runs nobody
// else can write, a delivery neither; and most files are read in vain, because something is wrong.
//
// What is done: the file is read while nobody waits for it, and everything is checked. Parcels are laid
// down in a file of their own meanwhile, and one short transaction takes them from there, which only
// copies. Tasks are fewer, and each has a history: a file of tasks without a fault is read again in one
// transaction that writes, and if its digest is not that of the first time, all is undone. What depends on
// the database is decided in that transaction.
//
// Cost: the file is never in memory, one row at a time is; identifiers are, to find those that come
// twice. Others who write wait for 1.7 s while 100,000 new parcels are taken (`Sources/Store/ParcelStage.swift`).

import Evidence
import Foundation
import Imports
import Inspection
import Positioning
import Store
import Sync

extension OfficeServer {
  /// Looks through a file of tasks or parcels, and takes it: all of it, or nothing.
  ///
  /// - Parameters:
  ///   - isCarriedOut: false to look through it only.
  ///   - expected: digest of the file that was looked at; another one is refused. Nil for any.
  ///   - progress: bytes that were read, of how many, of both times together where it is read twice.
  /// - Returns: what it brings; it was taken if `isTaken`.
  /// - Throws: `OfficeRefusal` where the file cannot be read or is another one; `StoreError`.
  public func importFile(
    _ file: ImportedFile, of kind: ImportReport.Kind, in agency: String, by login: String,
    isCarriedOut: Bool, expected: String? = nil,
    progress: (_ bytes: Int, _ of: Int) -> Void = { _, _ in }
  ) async throws -> ImportReport {
    let inspectors = Set(
      try await accounts(ofAgency: agency).filter { $0.role == .inspector && $0.disabled == nil }
        .map(\.login))
    if kind == .parcels, isCarriedOut {
      return try await takeParcels(
        file, in: agency, by: login, expected: expected, progress: progress)
    }
    let checked = try await database.read(in: agency) { session in
      var work = ImportWork(kind, session, self, login, inspectors)
      try work.read(file, findsCrossings: true) { progress($0, isCarriedOut ? 2 * $1 : $1) }
      return work.report
    }
    guard checked.faultCount == 0, isCarriedOut else { return checked }
    let other = Self.otherFile
    if let expected, checked.digest != expected { throw other }
    do {
      return try await database.write(in: agency) { session in
        var work = ImportWork(kind, session, self, login, inspectors)
        work.writes = true
        try work.read(file, findsCrossings: false) { progress($0 + $1, 2 * $1) }
        guard work.report.digest == checked.digest else { throw other }
        // Somebody was quicker: what is wrong now was not a moment ago.
        guard work.report.faultCount == 0 else { throw Undone(report: work.report) }
        work.report.isTaken = true
        let report = work.report
        try session.log.add(importEntry(report, in: agency, by: login))
        return report
      }
    } catch let undone as Undone {
      return undone.report
    }
  }

  private static let otherFile = OfficeRefusal(
    .inputInvalid, "the file changed while it was read: nothing was taken, try again")

  /// Looks through a file of parcels, lays them down beside the database, and takes them.
  private func takeParcels(
    _ file: ImportedFile, in agency: String, by login: String, expected: String?,
    progress: (_ bytes: Int, _ of: Int) -> Void
  ) async throws -> ImportReport {
    var report = ImportReport(.parcels)
    let taken = try await database.takeParcels(in: agency, at: clock.deviceTime) { offer in
      report = try await database.read(in: agency) { session in
        var work = ImportWork(.parcels, session, self, login, [])
        work.stage = { parcel in
          // A large register fills the disk twice; how much is free is asked once a second.
          try self.requireDisk()
          try offer(parcel)
        }
        try work.read(file, findsCrossings: true, progress)
        return work.report
      }
      guard report.faultCount == 0 else { return false }
      if let expected, report.digest != expected { throw Self.otherFile }
      return true
    } taken: { session, count in
      // Somebody else may have taken parcels meanwhile: what these do is told as it is now.
      var report = report
      (report.new, report.changed, report.unchanged) = (count.new, count.changed, count.unchanged)
      report.isTaken = true
      try session.log.add(importEntry(report, in: agency, by: login))
      return report
    }
    return taken ?? report
  }

  private func importEntry(
    _ report: ImportReport, in agency: String, by login: String
  ) -> LogEntry {
    log(
      "\(report.kind.rawValue)-imported", on: agency, by: login, agency: agency,
      detail: "\(report.new) new, \(report.changed) changed, \(report.unchanged) unchanged,"
        + " SHA-256 \(report.digest)")
  }

  /// One of the agency's parcels; nil where it has none of that identifier.
  public func parcel(_ identifier: String, in agency: String) async throws -> RegisteredParcel? {
    try await database.read(in: agency) { try $0.parcels.parcel(identifier) }
  }

  /// How many parcels the agency has.
  public func parcelCount(in agency: String) async throws -> Int {
    try await database.read(in: agency) { try $0.parcels.count() }
  }
}

/// Leads out of a transaction, so that all of it is undone.
private struct Undone: Error {
  var report: ImportReport
}

/// One pass through a file.
private struct ImportWork {
  let session: any AgencyTransaction
  let office: OfficeServer
  let login: String
  let now: DeviceTime
  let inspectors: Set<String>
  var writes = false
  /// Where parcels are laid down that are to be taken; nil where they are only looked at.
  var stage: ((DeclaredParcel) throws -> Void)?
  var report: ImportReport
  /// In which line each identifier or reference stands.
  private var lines: [String: Int] = [:]

  init(
    _ kind: ImportReport.Kind, _ session: any AgencyTransaction, _ office: OfficeServer,
    _ login: String, _ inspectors: Set<String>
  ) {
    report = ImportReport(kind)
    self.session = session
    self.office = office
    self.login = login
    self.inspectors = inspectors
    now = office.clock.deviceTime
  }

  mutating func read(
    _ file: ImportedFile, findsCrossings: Bool, _ progress: (Int, Int) -> Void
  ) throws {
    do {
      report.digest = try file.rows(findsCrossings: findsCrossings, progress: progress) {
        try take($0)
      }
    } catch let fault as ImportFault {
      // Behind this place nothing can be understood.
      report.complain(fault)
    }
  }

  private mutating func take(_ outcome: ImportReader.Outcome) throws {
    report.rows += 1
    do {
      let row = try outcome.get()
      switch report.kind {
      case .parcels: try take(try row.declaredParcel(), row)
      case .tasks: try take(try row.order(), row)
      }
    } catch let fault as ImportFault {
      report.complain(fault)
    }
  }

  private func wrong(_ row: ImportRow, _ words: Wording) -> ImportFault {
    ImportFault(line: row.line, row: row.number, words)
  }

  /// - Returns: in which line the key stands already; nil where it is new.
  private mutating func claim(_ key: String, _ row: ImportRow) -> Int? {
    lines.updateValue(row.line, forKey: key)
  }

  // MARK: parcels

  private mutating func take(_ parcel: DeclaredParcel, _ row: ImportRow) throws {
    let identifier = parcel.parcel.identifier
    if let line = claim(identifier, row) {
      throw wrong(
        row, "the identifier \(identifier) was in line \(line) already: each parcel has its own")
    }
    let effect = try session.parcels.effect(of: parcel)
    // Where anything is wrong nothing is taken.
    if report.faultCount == 0 { try stage?(parcel) }
    report.count(
      effect,
      ImportReport.Sample(
        line: row.line, identifier: parcel.parcel.identifier, name: parcel.name,
        detail: parcel.crop ?? parcel.type ?? "", areaSquareMetres: parcel.parcel.areaSquareMetres,
        effect: effect))
  }

  // MARK: tasks

  private mutating func take(_ given: TaskOrder, _ row: ImportRow) throws {
    var order = given
    guard let inspector = order.inspector else {
      throw wrong(row, "it names no inspector: a login, in the property or column inspector")
    }
    guard inspectors.contains(inspector) else {
      throw wrong(row, "there is no inspector \(inspector) in \(session.agency) who may sign in")
    }
    if order.parcel == nil, let identifier = order.parcelIdentifier {
      order.parcel = try session.parcels.parcel(identifier)?.declared.parcel
      if order.parcel == nil {
        report.remark(
          wrong(
            row,
            "it has no outline, and \(session.agency) no parcel \(identifier): the task is ordered"
              + " without one"))
      }
    }
    let reference = Self.reference(of: order)
    if let line = claim(reference, row) {
      throw wrong(
        row,
        "line \(line) orders the same task: give each a property or column reference of its own"
      )
    }
    let effect = try take(order, inspector, reference, row)
    if effect != .unchanged, let due = order.due, due < now {
      report.remark(
        wrong(row, "due \(due.date.iso8601) is in the past: the task is overdue from the beginning")
      )
    }
    report.count(
      effect,
      ImportReport.Sample(
        line: row.line, identifier: order.parcelIdentifier, name: order.name,
        detail: inspector + (order.due.map { ", \($0.date.iso8601)" } ?? ""),
        areaSquareMetres: order.parcel?.areaSquareMetres, effect: effect))
  }

  /// What a task is known by when its file comes again: the reference that it was given, or else the
  /// parcel and the name, or else inspector and name.
  private static func reference(of order: TaskOrder) -> String {
    if let reference = order.reference { return "reference\n\(reference)" }
    if let identifier = order.parcelIdentifier { return "parcel\n\(identifier)\n\(order.name)" }
    return "inspector\n\(order.inspector ?? "")\n\(order.name)"
  }

  private mutating func take(
    _ order: TaskOrder, _ inspector: String, _ reference: String, _ row: ImportRow
  ) throws -> ImportEffect {
    guard let id = try session.tasks.task(withReference: reference) else {
      guard writes else { return .new }
      let task = InspectionTask(
        id: Identifier(at: now), agency: session.agency, inspector: inspector, name: order.name,
        type: order.type, instructions: order.instructions, created: now, due: order.due,
        parcel: order.parcel)
      try session.tasks.insert(task)
      try session.tasks.keep(reference: reference, ofTask: task.id)
      try session.log.add(
        office.log(
          "task-ordered", on: task.id.description, by: login, agency: session.agency,
          detail: task.name))
      report.tasks.append(task.id)
      return .new
    }
    let before = try session.tasks.task(id)
    guard before.inspector == inspector else {
      throw wrong(
        row,
        "this task was ordered of \(before.inspector): withdraw it there, and give this one another"
          + " reference")
    }
    var after = before
    after.name = order.name
    after.type = order.type
    after.instructions = order.instructions
    after.due = order.due
    after.parcel = order.parcel
    if after == before { return .unchanged }
    guard before.state.isEditable else {
      throw wrong(
        row,
        "this task is \(word: before.state.title), and its order cannot be changed any more: give a new"
          + " task a reference of its own")
    }
    guard writes else { return .changed }
    try office.keepOrder(&after, inPlaceOf: before, by: login, session)
    report.tasks.append(id)
    return .changed
  }
}
