import Evidence
import FieldUnit
import Foundation
import Imagery
import Imports
import Inspection
import Measures
import Office
import Positioning
import Store
import Sync
import TimeAndText

/// An office and a field unit before the first delivery, made once and copied for each run. The
/// unit has two tasks with two photos each, and two photos without a task.
public struct SimulationTemplate: Sendable {
  let folder: URL
  static let start = DeviceTime(millisecondsSince1970: 1_780_000_000_000)
  static let inspector = Person(agency: "north", login: "ines", role: .inspector)
  static let officer = Person(agency: "north", login: "otto", role: .officer)

  /// Makes both folders below `folder`.
  /// - Parameter folder: an empty folder; a memory file system makes runs faster.
  public init(folder: URL) async throws {
    self.folder = folder
    let clock = SimulatedClock(start: Self.start)
    let disk = try SimulatedDisk(folder: folder.appendingPathComponent("office"))
    defer { disk.unmount() }
    let (office, database) = try await Self.office(folder, clock)
    try await office.people.addAgency("north", by: "simulation")
    for person in [Self.inspector, Self.officer] {
      try await office.people.addAccount(
        Account(login: person.login, agency: "north", role: person.role, name: nil),
        password: "correct horse battery", by: "simulation")
    }
    var order = TaskOrder(name: "Beet")
    order.inspector = Self.inspector.login
    try await office.orders.addTasks([order, order], in: "north", by: "otto")
    let link = SimulatedLink(seed: 0, officeDisk: disk)
    link.use(office)
    let desk = try SignInDesk(
      dataDirectory: folder.appendingPathComponent("device"), software: "simulation", clock: clock)
    try await desk.signIn(login: "ines", password: "correct horse battery", over: link)
    try desk.close()
    let unit = try Self.unit(folder, clock)
    _ = try await unit.delivery.fetchTasks(over: link)
    var number = 0
    func photos(_ count: Int, _ task: Identifier?) throws {
      let frames = try (0..<count).map { _ in
        number += 1
        return try PixelBuffer(
          width: 48, height: 32,
          colour: Colour(red: UInt8(number * 37), green: UInt8(number), blue: 90)
        ).encodeJPEG(quality: 80)
      }
      _ = try SealingMeasure.seal(frames, task: task, in: unit)
    }
    for task in try unit.tasks() {
      try unit.openTask(task.id)
      try photos(2, task.id)
    }
    try photos(2, nil)
    try unit.store.close()
    try database.close()
  }

  static func office(
    _ folder: URL, _ clock: any Timepiece
  ) async throws -> (office: OfficeServer, database: OfficeStore) {
    var configuration = OfficeConfiguration(
      dataDirectory: folder.appendingPathComponent("office"), software: "simulation")
    configuration.log = { _ in }
    let own = configuration.folder.path
    try DurableFile.makeFolder(own)
    let isFirst = !FileManager.default.fileExists(atPath: own + "/standpoint.sqlite")
    if isFirst { _ = try await OfficeServer.make(configuration: configuration, clock: clock) }
    let database = try OfficeStore(path: own + "/standpoint.sqlite")
    do {
      return (
        try await OfficeServer.make(
          configuration: configuration, clock: clock,
          database: SQLiteOfficeDatabase(database, beforeCommit: ItemJudging.judge)),
        database
      )
    } catch {
      try? database.close()
      throw error
    }
  }

  /// - Parameter parallelUploads: From two on, the next batch's files travel while the office
  ///   commits one.
  static func unit(
    _ folder: URL, _ clock: any Timepiece, parallelUploads: Int = 1
  ) throws -> InspectorUnit {
    var configuration = FieldUnitConfiguration(
      dataDirectory: folder.appendingPathComponent("device"), person: inspector,
      software: "simulation")
    configuration.gate.allowsSimulated = true
    configuration.parallelUploads = parallelUploads
    return try InspectorUnit.make(configuration: configuration, clock: clock)
  }
}
