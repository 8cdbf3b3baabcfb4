// The problem: a register of hundreds of thousands of parcels is taken whole or not at all, and the
// person who imports it must see all of its faults, not only the first.
//
// The obvious idea: one transaction that reads the file and writes as it goes. During that
// transaction nothing else can be written, not even a delivery; and most files are read in vain,
// because they have faults.
//
// The solution: the file is read outside of any writing transaction, and everything is checked.
// Meanwhile parcels are collected in a file of their own; one short transaction then only copies
// them. Tasks are fewer, and each has a history: a file of tasks without a fault is read again in
// one transaction that writes, and if its digest is not that of the first time, everything is
// undone. Decisions that depend on the database are made in that transaction.
//
// Cost: the file is never in memory, only one row at a time; identifiers are, to find duplicates.
// Other writers wait for 1.7 s while 100,000 new parcels are taken
// (`Sources/Store/ParcelStage.swift`).

import Evidence
import Foundation
import Imports
import Inspection
import Positioning
import Store
import Sync
import TimeAndText

/// Imports files of tasks and parcels.
package struct Importing: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
  let people: People
  let orders: Orders
}

extension Importing {
  /// Checks a file of tasks or parcels, and takes all of it or nothing.
  ///
  /// - Parameters:
  ///   - isCarriedOut: false to check the file only.
  ///   - expected: the digest of the file that was previewed; another file is refused. Nil for any
  ///     file.
  ///   - progress: called with the number of bytes read so far, and of all. For a file that is read
  ///     twice, both readings count.
  /// - Returns: the report; the file was taken if `isTaken`.
  /// - Throws: `OfficeRefusal` if the file cannot be read or is another one; `StoreError`.
  public func importFile(
    _ file: ImportedFile, of kind: ImportReport.Kind, in agency: String, by login: String,
    isCarriedOut: Bool, expected: String? = nil,
    progress: (_ bytes: Int, _ of: Int) -> Void = { _, _ in }
  ) async throws -> ImportReport {
    let inspectors = Set(try await people.activeInspectors(ofAgency: agency).map(\.login))
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
        // Another change was quicker: the first reading found no fault.
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
    .inputInvalid, "the file changed while it was read: nothing was imported, try again")

  /// Checks a file of parcels, collects the parcels in a file next to the database, and takes them
  /// from there.
  private func takeParcels(
    _ file: ImportedFile, in agency: String, by login: String, expected: String?,
    progress: (_ bytes: Int, _ of: Int) -> Void
  ) async throws -> ImportReport {
    var report = ImportReport(.parcels)
    let taken = try await database.takeParcels(in: agency, at: clock.deviceTime) { offer in
      report = try await database.read(in: agency) { session in
        var work = ImportWork(.parcels, session, self, login, [])
        work.stage = { parcel in
          // A large register takes its room on the disk twice. The disk is asked once a second at
          // most.
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
      // Another import may have taken parcels meanwhile: the counts are those of this transaction.
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
}

/// An error that ends a transaction, so that all of it is undone.
private struct Undone: Error {
  var report: ImportReport
}

/// One reading of a file.
private struct ImportWork {
  let session: any AgencyTransaction
  let office: Importing
  let login: String
  let now: DeviceTime
  let inspectors: Set<String>
  var writes = false
  /// Collects the parcels that are to be taken; nil if they are only checked.
  var stage: ((DeclaredParcel) throws -> Void)?
  var report: ImportReport
  /// The line of each identifier or reference.
  private var lines: [String: Int] = [:]
  private var templates: OrderTemplates

  init(
    _ kind: ImportReport.Kind, _ session: any AgencyTransaction, _ office: Importing,
    _ login: String, _ inspectors: Set<String>
  ) {
    report = ImportReport(kind)
    self.session = session
    templates = OrderTemplates(session)
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
      // The rest of the file cannot be understood.
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

  /// Notes the line of a key.
  /// - Returns: the earlier line of the same key; nil if the key is new.
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
    // With any fault nothing is taken, so that collecting can stop.
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
      throw wrong(row, "it names no inspector: give a login in the property or column inspector")
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
            "it has no outline, and \(session.agency) has no parcel \(identifier): the task will"
              + " have no parcel"))
      }
    }
    let reference = Self.reference(of: order)
    if let line = claim(reference, row) {
      throw wrong(
        row,
        "line \(line) is the same task: give each task its own property or column reference"
      )
    }
    let effect = try take(order, inspector, reference, row)
    if effect != .unchanged, let due = order.due, due < now {
      report.remark(
        wrong(
          row,
          "due \(due.date.iso8601) is in the past: the task would be overdue from the beginning")
      )
    }
    report.count(
      effect,
      ImportReport.Sample(
        line: row.line, identifier: order.parcelIdentifier, name: order.name,
        detail: inspector + (order.due.map { ", \($0.date.iso8601)" } ?? ""),
        areaSquareMetres: order.parcel?.areaSquareMetres, effect: effect))
  }

  /// Returns the key by which a task is recognised when its file comes again: the reference if the
  /// order has one, otherwise parcel and name, or inspector and name without a parcel.
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
        parcel: order.parcel, sets: try order.sets())
      try session.tasks.insert(task)
      try templates.keep(for: task)
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
        "this task was ordered from \(before.inspector): withdraw that task, and give this one"
          + " another reference")
    }
    var after = before
    after.name = order.name
    after.type = order.type
    after.instructions = order.instructions
    after.due = order.due
    after.parcel = order.parcel
    after.sets = try order.sets(inPlaceOf: before.sets)
    if after == before { return .unchanged }
    guard before.state.isEditable else {
      throw wrong(
        row,
        "this task is \(word: before.state.title), and its order can no longer be changed: give a"
          + " new task its own reference")
    }
    guard writes else { return .changed }
    try office.orders.keepOrder(&after, inPlaceOf: before, by: login, session)
    report.tasks.append(id)
    return .changed
  }
}
