import Evidence
import FieldUnit
import Foundation
import Inspection
import Office
import Positioning
import Store
import Sync
import TimeAndText
import Verification

// A field unit and an office in one process, with real SQLite and real files, on a network and
// disks whose faults come from a seed. After each of 8 to 24 steps, and at the end, the simulation
// checks that nothing is lost, doubled, or called delivered while the office does not hold it.

/// One run from a seed.
public final class DeliverySimulation {
  /// The counts of one run, for the summary.
  public struct Outcome: Sendable {
    /// The numbers of restarts after a program had died in a write.
    public var deviceCrashes = 0, officeCrashes = 0
    /// The number of times that the office was restored from an older backup.
    public var restores = 0
    /// The number of calls over the network.
    public var calls = 0
    /// The number of deliveries that found no room at the office.
    public var fullOffices = 0
    /// The number of things that were delivered.
    public var delivered = 0

    /// Makes an outcome in which nothing has happened.
    public init() {}
  }

  private let folder: URL
  private let seed: UInt64
  private var random: SeededGenerator
  private let deviceClock = SimulatedClock(
    start: SimulationTemplate.start.advanced(bySeconds: 864_000))
  private let officeClock = SimulatedClock(
    start: SimulationTemplate.start.advanced(bySeconds: 864_000))
  private let deviceDisk: SimulatedDisk
  private let officeDisk: SimulatedDisk
  private let link: SimulatedLink
  private var unit: InspectorUnit
  private var office: OfficeServer
  private var database: OfficeStore
  private var outcome = Outcome()
  /// All photos that the template has sealed, with the digests of their files.
  private var photos: [Identifier: String] = [:]
  /// The photos whose deletion has begun.
  private var deletions: Set<Identifier> = []
  private var hasBackup = false
  private var trouble = 0
  /// The steps so far: a violation's message lists them.
  private var events: [String] = []
  /// True from a restore of the office, which may have lost deliveries, until both sides compare.
  private var isBehind = false

  /// Makes a run on copies of the template's folders.
  /// - Parameter folder: an empty folder; a memory file system makes runs faster.
  public init(_ template: SimulationTemplate, folder: URL, seed: UInt64) async throws {
    self.folder = folder
    self.seed = seed
    random = SeededGenerator(seed: seed)
    for name in ["device", "office"] {
      try FileManager.default.copyItem(
        at: template.folder.appendingPathComponent(name),
        to: folder.appendingPathComponent(name))
    }
    deviceDisk = try SimulatedDisk(folder: folder.appendingPathComponent("device"))
    officeDisk = try SimulatedDisk(folder: folder.appendingPathComponent("office"))
    link = SimulatedLink(seed: seed &* 31 &+ 7, officeDisk: officeDisk)
    (office, database) = try await SimulationTemplate.office(folder, officeClock)
    unit = try SimulationTemplate.unit(
      folder, deviceClock, parallelUploads: Self.parallelUploads(seed))
    link.use(office)
    photos = Dictionary(
      uniqueKeysWithValues: try unit.photos().map { ($0.id, $0.fileDigest) })
  }

  deinit {
    try? unit.store.close()
    try? database.close()
    deviceDisk.unmount()
    officeDisk.unmount()
  }

  // MARK: one run

  /// Returns 3 for every second seed, so that uploads also run side by side.
  private static func parallelUploads(_ seed: UInt64) -> Int { seed.isMultiple(of: 2) ? 1 : 3 }

  /// Runs all steps and returns their counts. Throws a `Violation` with the seed.
  public func run() async throws -> Outcome {
    // One thread runs all concurrent work, so that the same seed gives the same order.
    try await withTaskExecutorPreference(OneThread()) { try await story() }
  }

  private func story() async throws -> Outcome {
    do {
      for _ in 0..<Int.random(in: 8...24, using: &random) {
        try await step()
        try await check()
      }
      try await calmDown()
      try await checkEnd()
      outcome.calls = link.calls
      return outcome
    } catch let violation as Violation {
      throw Violation("SEED=\(seed): \(violation)\n\(events.joined(separator: "\n"))")
    }
  }

  private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private func step() async throws {
    trouble = [0, 50, 150, 400].randomElement(using: &random) ?? 0
    link.set(trouble: trouble)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<40: try await deliver()
    case 40..<62: try inspect()
    case 62..<70: try await officerActs()
    case 70..<75:
      events.append("a clock is set")
      (chance(50) ? deviceClock : officeClock).step(seconds: chance(50) ? 86_400 : -86_400)
    case 75..<81:
      let seconds = [60, 3000, 20 * 3600, 30 * 86_400].randomElement(using: &random) ?? 60
      deviceClock.advance(seconds: Double(seconds))
      officeClock.advance(seconds: Double(seconds))
    case 81..<86: try await backUp()
    case 86..<90: try await restore()
    case 90..<94: try restartDevice()
    case 94..<97: try await changeQuota()
    default: try await restartOffice()
    }
  }

  // MARK: people

  /// Lets the inspector do something that needs no network.
  private func inspect() throws {
    if chance(25) { arm(deviceDisk, writes: 60) }
    defer { deviceDisk.fill(afterWrites: 0, forWrites: 0) }
    do {
      let tasks = try unit.tasks()
      let unsent = try unit.photos().filter { $0.sent == nil }
      let what = Int.random(in: 0..<7, using: &random)
      events.append(
        "inspector \(["provides", "provides", "sends", "sends", "notes", "deletes", "takes back"][what])"
      )
      switch what {
      case 0, 1:
        if let task = tasks.filter(\.state.isEditable).randomElement(using: &random) {
          try unit.provideTask(task.id)
        }
      case 2, 3:
        let alone = unsent.filter { $0.task == nil }
        if let photo = alone.randomElement(using: &random) { try unit.sendPhotos([photo.id]) }
      case 4:
        if let task = tasks.filter(\.state.isEditable).randomElement(using: &random) {
          try unit.noteTask(task.id, "note \(random.next() % 1000)")
        }
      case 5:
        if let photo = unsent.randomElement(using: &random), chance(30) {
          deletions.insert(photo.id)
          try unit.deletePhoto(photo.id, reason: "blurred")
        }
      default:
        if let task = tasks.first(where: { $0.state == .dataProvided }) {
          try unit.takeBackTask(task.id)
        }
      }
    } catch is InspectionError {
      // The rules refuse the step, which changes nothing.
    } catch let error as StoreError {
      guard deviceDisk.hasStopped || "\(error)".contains("full") else { throw unexpected(error) }
    }
    if deviceDisk.hasStopped { try restartDevice() } else { disarm(deviceDisk) }
  }

  private func officerActs() async throws {
    guard let task = try await office.review.tasks(in: "north").randomElement(using: &random) else {
      return
    }
    do {
      if chance(30) {
        try await office.orders.changeOrder(of: task.id, in: "north", by: "otto") {
          $0.instructions = "Order \(self.random.next() % 1000)."
        }
        return
      }
      let action: TaskAction =
        [.returnToInspector, .accept, .withdraw, .decline].randomElement(using: &random) ?? .accept
      events.append("officer: \(action) \(task.id)")
      try await office.review.decide(
        action, on: task.id, by: SimulationTemplate.officer, reason: "because",
        seen: task.history.count)
    } catch is InspectionError {
    } catch is OfficeRefusal {}
  }

  /// Takes the room for files from the office, or gives it back.
  private func changeQuota() async throws {
    let bytes = chance(70) ? Int.random(in: 0...12_000, using: &random) : nil
    try await office.room.setQuota(bytes: bytes, of: "north", by: "simulation")
    events.append("quota: \(bytes.map(String.init) ?? "none")")
  }

  // MARK: the way to the office

  private func deliver() async throws {
    var isQuiet = trouble == 0
    if chance(25) {
      arm(deviceDisk, writes: 100)
      isQuiet = false
    }
    if chance(45) {
      arm(officeDisk, writes: 150)
      isQuiet = false
    }
    let before = link.calls
    let entries = try deviceDisk.hasStopped ? 0 : unit.outbox().count
    do {
      let result = try await unit.delivery.deliver(over: link)
      events.append("delivery: \(result)")
      outcome.delivered += result.delivered
      if result.reconciliation != nil, !officeDisk.hasStopped { isBehind = false }
    } catch let error as DeliveryError {
      events.append("delivery: \(error)")
      if error.code == "office-full" {
        outcome.fullOffices += 1
        if isQuiet { try requireOnlyFilesWait() }
      }
    } catch let error as StoreError {
      events.append("delivery: \(error)")
      guard deviceDisk.hasStopped || "\(error)".contains("full") else { throw unexpected(error) }
    } catch is EvidenceError where officeDisk.hasStopped || deviceDisk.hasStopped {
    } catch let error as Violation {
      throw error
    } catch {
      guard deviceDisk.hasStopped || officeDisk.hasStopped else { throw unexpected(error) }
    }
    // The number of calls of one delivery is bounded, so that no fault makes it ask for ever.
    let calls = link.calls - before
    guard calls <= 60 + 40 * (entries + photos.count) else {
      throw Violation("a single delivery of \(entries) entries asked \(calls) times")
    }
    if chance(50) { try await examine() }
    if deviceDisk.hasStopped { try restartDevice() } else { disarm(deviceDisk) }
    if officeDisk.hasStopped { try await restartOffice() } else { disarm(officeDisk) }
  }

  /// Requires that an office without room for files has taken everything that brings no file.
  private func requireOnlyFilesWait() throws {
    let wholes = Dictionary(grouping: try unit.outbox(), by: \.whole)
    for (whole, entries) in wholes {
      guard entries.allSatisfy({ $0.lastAnswer != nil }) else {
        throw Violation("\(whole) waits, and nobody says why")
      }
      let seals = try unit.store.read(as: SimulationTemplate.inspector) {
        try $0.chain.undeliveredSeals(ofWhole: whole)
      }
      guard
        seals.contains(where: { $0.seal.link.kind == .capture })
          || entries.contains(where: { $0.lastAnswer?.contains("no room") != true })
      else { throw Violation("\(whole) brings no file, and waits for room") }
    }
  }

  /// Lets the office examine the arrivals, as it does after each receipt.
  private func examine() async throws {
    do {
      try await office.examiner.examineArrivals()
    } catch let error as StoreError {
      guard officeDisk.hasStopped || "\(error)".contains("full") else { throw unexpected(error) }
    }
  }

  private func unexpected(_ error: any Error) -> Violation {
    Violation("an error that nobody planned: \(type(of: error)): \(error)")
  }

  // MARK: bad luck

  private func arm(_ disk: SimulatedDisk, writes: Int) {
    // Faults in early writes are as frequent as faults in late ones.
    let most = [writes / 10, writes / 3, writes].randomElement(using: &random) ?? writes
    let count = Int.random(in: 1...max(1, most), using: &random)
    if chance(25) {
      disk.fill(afterWrites: count, forWrites: Int.random(in: 1...20, using: &random))
    } else {
      disk.stop(afterWrites: count, seed: random.next())
    }
  }

  private func disarm(_ disk: SimulatedDisk) {
    disk.stop(afterWrites: 0, seed: 0)
    disk.fill(afterWrites: 0, forWrites: 0)
  }

  private func restartDevice() throws {
    if deviceDisk.hasStopped { outcome.deviceCrashes += 1 }
    events.append("device starts again")
    try unit.store.close()
    try deviceDisk.revive(powerWasLost: chance(50), seed: random.next())
    unit = try SimulationTemplate.unit(
      folder, deviceClock, parallelUploads: Self.parallelUploads(seed))
  }

  private func restartOffice() async throws {
    if officeDisk.hasStopped { outcome.officeCrashes += 1 }
    events.append("office starts again")
    link.use(nil)
    try database.close()
    try officeDisk.revive(powerWasLost: chance(50), seed: random.next())
    (office, database) = try await SimulationTemplate.office(folder, officeClock)
    link.use(office)
  }

  private var backup: URL { folder.appendingPathComponent("backup") }

  /// Copies the folder of the stopped office, as the administrator's guide says.
  private func backUp() async throws {
    link.use(nil)
    try database.close()
    events.append("backup")
    try? FileManager.default.removeItem(at: backup)
    try FileManager.default.copyItem(at: folder.appendingPathComponent("office"), to: backup)
    (office, database) = try await SimulationTemplate.office(folder, officeClock)
    link.use(office)
    hasBackup = true
  }

  private func restore() async throws {
    guard hasBackup else { return }
    link.use(nil)
    try database.close()
    // Late requests were for the office before the restore.
    link.forgetLate()
    let place = folder.appendingPathComponent("office")
    try FileManager.default.removeItem(at: place)
    try FileManager.default.copyItem(at: backup, to: place)
    try officeDisk.revive(powerWasLost: false, seed: 0)
    (office, database) = try await SimulationTemplate.office(folder, officeClock)
    link.use(office)
    isBehind = true
    events.append("office restored")
    outcome.restores += 1
  }

  /// Delivers without faults, over days, until nothing waits.
  private func calmDown() async throws {
    link.set(trouble: 0)
    try await office.room.setQuota(bytes: nil, of: "north", by: "simulation")
    for _ in 0..<12 {
      deviceClock.advance(seconds: 21 * 3600)
      officeClock.advance(seconds: 21 * 3600)
      do {
        let result = try await unit.delivery.deliver(over: link)
        events.append("calm delivery: \(result)")
        outcome.delivered += result.delivered
        if result.reconciliation != nil { isBehind = false }
        if let refusal = result.refusal {
          throw Violation("the office refuses what it must take: \(refusal)")
        }
        if try unit.outbox().isEmpty {
          // Both sides have compared and agree, or there is nothing to compare.
          if try result.reconciliation?.sentAgain == 0 || unit.delivery.receipts().isEmpty {
            return
          }
        }
      } catch let error as DeliveryError {
        // A late request may still arrive and be ahead of the current one.
        guard case .unreachable = error else { throw Violation("a calm delivery fails: \(error)") }
        events.append("calm delivery: \(error)")
      }
    }
    let left = try unit.outbox().map { "\($0.kind) \($0.lastAnswer ?? "-")" }
    throw Violation("it never comes to an end: \(left)")
  }

  // MARK: invariants

  /// Requires that the device has lost nothing, and that the office holds everything that is called
  /// delivered.
  private func check() async throws {
    let here = Dictionary(uniqueKeysWithValues: try unit.photos().map { ($0.id, $0) })
    for (id, digest) in photos {
      guard let photo = here[id] else {
        guard deletions.contains(id) else { throw Violation("photo \(id) is lost on the device") }
        continue
      }
      let bytes = FileManager.default.contents(atPath: unit.path(ofPhoto: id))
      guard bytes.map({ Digest.hexadecimal(Array($0)) }) == digest else {
        throw Violation("the bytes of photo \(id) are lost or changed on the device")
      }
      if photo.delivered != nil, !isBehind { try await requireHeld(id, digest) }
    }
  }

  private func requireHeld(_ id: Identifier, _ digest: String) async throws {
    let file = try office.photos.bytes(of: EvidenceName.file(.capture, id))
    guard file.map({ Digest.hexadecimal($0) }) == digest else {
      throw Violation("photo \(id) is called delivered, and its bytes are not at the office")
    }
    let rows = try await office.database.read(in: "north") { session in
      try session.photos.list(.all).count { $0.photo.id == id && $0.deletedReason == nil }
    }
    guard rows == 1 else {
      throw Violation("photo \(id) is called delivered, and the office has \(rows) rows of it")
    }
  }

  /// Requires that the office holds everything sent once, byte for byte, and that it verifies.
  private func checkEnd() async throws {
    try await check()
    for photo in try unit.photos() where photo.sent != nil {
      guard photo.delivered != nil else {
        throw Violation("photo \(photo.id) was sent and is not delivered")
      }
      try await requireHeld(photo.id, photo.fileDigest)
    }
    try await office.examiner.examineArrivals()
    let unexamined = try await office.database.read(in: "north") { session in
      try session.photos.list(.all).filter { $0.verdict == nil }.map(\.photo.id)
    }
    guard unexamined.isEmpty else { throw Violation("nobody has looked at \(unexamined)") }
    let differences = try await office.operation.differences()
    guard differences.isEmpty else { throw Violation("office check says \(differences)") }
    let (key, device) = try unit.store.read(as: SimulationTemplate.inspector) { session in
      let key = try session.identities.own()?.key ?? ""
      return (key, try session.chain.links(ofKey: key, after: 0, upTo: .max, except: []))
    }
    let links = try await office.database.read(in: "north") { try $0.chains.links(ofKey: key) }
    guard Set(links.map(\.seal.digest)).count == links.count,
      links.map(\.seal.digest) == device.prefix(links.count).map(\.digest)
    else { throw Violation("the office's chain is not the field unit's") }
    for task in try unit.tasks() {
      let view = try await office.review.view(of: task.id, in: "north")
      let kept = Set(view.task.history.map(\.id) + view.conflicts.map(\.transition.id))
      // The office keeps the inspector's sending in the history or beside it. A task that was taken
      // back or is open is exempt: its step may be on the device alone.
      let sent = task.history.last { $0.action == .provide && $0.person.role == .inspector }
      if let sent, task.state != .open, !kept.contains(sent.id),
        !task.history.contains(where: { $0.action == .takeBack })
      {
        throw Violation("the sending of task \(task.id) is nowhere at the office")
      }
    }
    guard seed % 10 == 0 else { return }
    for side in ["device/field", "office/office"] {
      let report = Verifier.verify(
        try EvidenceFolder(folder: folder.appendingPathComponent(side).path), scope: .whole,
        trust: .fingerprint(office.fingerprint))
      // The verifier must report clocks that were set; it may find nothing else.
      let found = report.findings.filter {
        $0.severity != .note && ![.times, .certificate].contains($0.check)
      }
      guard found.isEmpty else { throw Violation("\(side): \(found.prefix(3))") }
    }
  }
}

extension DeliverySimulation {
  /// Runs seeds one after the other, each in a folder of its own.
  /// - Parameter folder: an empty folder; a memory file system makes runs faster.
  public static func run(
    seeds: some Sequence<UInt64>, folder: URL,
    progress: @Sendable (UInt64, Outcome) -> Void = { _, _ in }
  ) async throws -> Outcome {
    try DurableFile.makeFolder(folder.path)
    let template = try await SimulationTemplate(folder: folder.appendingPathComponent("template"))
    var sum = Outcome()
    for seed in seeds {
      let place = folder.appendingPathComponent("run")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: place) }
      let outcome = try await DeliverySimulation(template, folder: place, seed: seed).run()
      sum.deviceCrashes += outcome.deviceCrashes
      sum.officeCrashes += outcome.officeCrashes
      sum.restores += outcome.restores
      sum.fullOffices += outcome.fullOffices
      sum.calls += outcome.calls
      sum.delivered += outcome.delivered
      progress(seed, sum)
    }
    return sum
  }
}

/// An executor that runs one job at a time, in the order in which the jobs became ready.
private final class OneThread: TaskExecutor {
  private let queue = DispatchQueue(label: "simulation")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
