import Evidence
import FieldUnit
import Foundation
import Geodesy
import Imagery
import Imports
import Inspection
import LogPublishing
import Office
import OfficePages
import Positioning
import Receivers
import Store
import Sync
import Synchronization
import TestSupport
import Testing
import TimeAndText
import Web

/// A link to an office in the same process, on which tests plan the failures of a network.
package final class LocalLink: OfficeLink {
  package enum Fault: Sendable, Equatable {
    /// The request never arrives.
    case lostRequest
    /// The office does the work, and its answer is lost.
    case lostAnswer
  }

  package let address = "http://127.0.0.1:1"
  package let office: OfficeServer
  private let state = Mutex(State())

  private struct State {
    package var faults: [Fault?] = []
    package var calls: [String] = []
    package var receipt: (@Sendable (String) throws -> String)?
    package var examines = true
    package var beforeCommit: (@Sendable () async throws -> Void)?
    package var beforeBatch: (@Sendable ([UInt8], Identifier, Visitor) async -> Void)?
    package var beforeFile: (@Sendable () async throws -> Void)?
  }

  package init(_ office: OfficeServer) { self.office = office }

  /// Plans the faults of the next calls, one after the other; nil lets a call through.
  package func plan(_ faults: [Fault?]) { state.withLock { $0.faults = faults } }

  /// Replaces the receipts of the office with forged ones.
  package func forge(_ body: (@Sendable (String) throws -> String)?) {
    state.withLock { $0.receipt = body }
  }

  /// Sets whether photos are examined before the answer; a running office examines them after it.
  package func examine(_ examines: Bool) { state.withLock { $0.examines = examines } }

  /// Sets the work that is done before a file arrives at the office.
  package func beforeFile(_ body: (@Sendable () async throws -> Void)?) {
    state.withLock { $0.beforeFile = body }
  }

  /// Sets the work that is done while a batch is on its way to the office.
  package func beforeCommit(_ body: (@Sendable () async throws -> Void)?) {
    state.withLock { $0.beforeCommit = body }
  }

  /// Sets the work that is done when a batch's message has come, and before it is given to the
  /// office.
  package func beforeBatch(_ body: (@Sendable ([UInt8], Identifier, Visitor) async -> Void)?) {
    state.withLock { $0.beforeBatch = body }
  }

  package var calls: [String] { state.withLock { $0.calls } }

  private func call<Answer>(
    _ name: String, _ body: () async throws -> Answer
  ) async throws -> Answer {
    let fault = state.withLock { state in
      state.calls.append(name)
      return state.faults.isEmpty ? nil : state.faults.removeFirst()
    }
    let lost = DeliveryError.unreachable(address: address, reason: "the connection was cut")
    if fault == .lostRequest { throw lost }
    let answer: Answer
    do {
      answer = try await body()
    } catch {
      guard let refusal = OfficeRefusal(of: error) else { throw error }
      throw DeliveryError.refused(code: refusal.kind.rawValue, detail: "\(word: refusal.detail)")
    }
    if fault == .lostAnswer { throw lost }
    return answer
  }

  package func office() async throws -> OfficeMessage {
    try await call("office") { office.core.message }
  }

  package func signIn(_ request: SignInRequest) async throws -> SignInAnswer {
    try await call("sign-in") { try await office.devices.signInDevice(request) }
  }

  package func signOut(token: String) async throws {
    try await call("sign-out") {
      try await office.devices.signOutDevice(try office.sessions.visitor(withToken: token))
      try await office.sessions.endSession(token: token)
    }
  }

  package func challenge() async throws -> ChallengeMessage {
    try await call("challenge") { office.devices.challenge() }
  }

  package func renew(_ request: RenewalMessage) async throws -> SignInAnswer {
    try await call("renew") { try await office.devices.renewSession(request) }
  }

  package func tasks(
    since cursor: String?, proved: String?, token: String
  ) async throws -> TaskListMessage {
    try await call("tasks") {
      let visitor = try await office.sessions.visitor(withToken: token)
      var message = try await office.review.tasks(for: visitor, since: cursor)
      message.proofs = try await ReceiptProofs(core: office.core).proofs(
        forKey: try #require(visitor.key), in: try #require(visitor.account.agency),
        after: proved)
      return message
    }
  }

  package func held(_ question: HeldQuestion, token: String) async throws -> HeldAnswer {
    try await call("held") {
      try await office.deliveries.held(
        question, from: try office.sessions.visitor(withToken: token))
    }
  }

  package func send(batch id: Identifier, _ message: [UInt8], token: String) async throws
    -> BatchAnswer
  {
    try await call("batch") {
      try await state.withLock({ $0.beforeCommit })?()
      let visitor = try await office.sessions.visitor(withToken: token)
      await state.withLock({ $0.beforeBatch })?(message, id, visitor)
      var answer = try await office.deliveries.receive(batch: message, id: id, from: visitor)
      if state.withLock({ $0.examines }) { try await office.examiner.examineArrivals() }
      if let forge = state.withLock({ $0.receipt }) {
        answer.receipt = try answer.receipt.map(forge)
      }
      return answer
    }
  }

  package func send(
    file path: String, digest: String, bytes: Int, from offset: Int, token: String,
    progress: @Sendable (_ bytes: Int) -> Void
  ) async throws -> Int {
    try await call("file") {
      try await state.withLock({ $0.beforeFile })?()
      let key = try #require(try await office.sessions.visitor(withToken: token).key)
      try office.photos.receive(
        Array(try Data(contentsOf: URL(fileURLWithPath: path))),
        as: ReceivedFile(key: key, digest: digest))
      return bytes
    }
  }
}

extension PhotoStore {
  /// Receives a file in one go.
  package func receive(_ bytes: [UInt8], as file: ReceivedFile) throws {
    let incoming = try resume(file, length: bytes.count)
    defer { incoming.close() }
    if incoming.offset == 0 {
      try incoming.append(bytes)
      incoming.keepChunk()
    }
    try incoming.finish(isChecked: false)
  }
}

/// An office with two agencies and their people, and field units that work for it.
package struct OfficeScene {
  package let folder: URL
  package let clock: ReplayClock
  package let office: OfficeServer
  package let link: LocalLink

  package static let password = "correct horse battery"
  /// The stored password of all people, as cheap as the program takes it: hashing has tests of its
  /// own.
  private static let stored = PasswordHash.cheap(for: password)

  /// - Parameter adding: makes the services that the executable would add to the office.
  package init(
    _ folder: URL,
    adding: (OfficeConfiguration, any Timepiece) -> [any AddedService] = { _, _ in [] }
  ) async throws {
    self.folder = folder
    let start = try #require(DeviceTime(rfc3339: "2026-06-01T09:30:00Z"))
    clock = ReplayClock(start: start, rate: .infinity)
    office = try await Self.office(folder, clock, adding: adding)
    link = LocalLink(office)
    try await office.people.addAgency("north", title: "North", by: "test")
    try await office.people.addAgency("south", title: "South", by: "test")
    try await add("ines", .inspector, "north")
    try await add("igor", .inspector, "north")
    try await add("otto", .officer, "north")
    try await add("olga", .officer, "north")
    try await add("anna", .administrator, "north")
    try await add("sven", .inspector, "south")
    try await add("sara", .officer, "south")
  }

  /// Starts the office's program of a scene again, on whatever its folder holds now.
  package init(after scene: OfficeScene) async throws {
    (folder, clock) = (scene.folder, scene.clock)
    office = try await Self.office(folder, clock)
    link = LocalLink(office)
  }

  package static func office(
    _ folder: URL, _ clock: any Timepiece,
    adding: (OfficeConfiguration, any Timepiece) -> [any AddedService] = { _, _ in [] }
  ) async throws -> OfficeServer {
    var configuration = OfficeConfiguration(
      dataDirectory: folder.appendingPathComponent("office-data"), software: "standpoint test")
    configuration.log = { _ in }
    return try await OfficeServer.make(
      configuration: configuration, clock: clock, services: adding(configuration, clock))
  }

  private func add(_ login: String, _ role: Role, _ agency: String) async throws {
    try await office.database.writeRegistry {
      try $0.insert(
        Account(login: login, agency: agency, role: role, name: login.capitalized),
        password: Self.stored, at: clock.deviceTime)
    }
  }

  package func person(_ login: String, _ role: Role = .officer, _ agency: String = "north")
    -> Person
  {
    Person(agency: agency, login: login, role: role)
  }

  /// Orders a task for an inspector, as an officer does.
  package func order(
    _ name: String = "Beet", for inspector: String = "ines", in agency: String = "north",
    type: String? = nil
  ) async throws -> InspectionTask {
    var order = try TaskFile.orders(
      fromGeoJSON: Data(
        """
        {"type":"FeatureCollection","features":[{"type":"Feature",
         "properties":{"identifier":"P-1","name":"\(name)","instructions":"One photo."},
         "geometry":{"type":"Polygon","coordinates":
          [[[16.62,49.07],[16.64,49.07],[16.64,49.09],[16.62,49.09],[16.62,49.07]]]}}]}
        """.utf8))[0]
    order.inspector = inspector
    order.type = type
    return try await office.orders.addTasks([order], in: agency, by: "otto")[0]
  }

  // MARK: the field unit

  package func desk(_ device: String = "tablet") throws -> SignInDesk {
    try SignInDesk(
      dataDirectory: folder.appendingPathComponent(device), software: "standpoint test",
      clock: clock)
  }

  /// Signs somebody in on a device, and returns the device's field unit.
  package func unit(_ login: String = "ines", on device: String = "tablet") async throws
    -> InspectorUnit
  {
    let desk = try desk(device)
    if try desk.signedIn()?.person.login != login {
      try await desk.signOut(over: link)
      try await desk.signIn(login: login, password: Self.password, over: link)
    }
    let signIn = try #require(try desk.signedIn())
    var configuration = FieldUnitConfiguration(
      dataDirectory: folder.appendingPathComponent(device), person: signIn.person,
      software: "standpoint test")
    configuration.gate.allowsSimulated = true
    return try InspectorUnit.make(configuration: configuration, clock: clock)
  }

  /// Makes a field unit that has fetched its tasks, with the first of them open and with so many
  /// photos.
  package func working(
    photos: Int = 1, login: String = "ines", on device: String = "tablet"
  ) async throws -> (unit: InspectorUnit, task: InspectionTask) {
    let unit = try await unit(login, on: device)
    _ = try await unit.delivery.fetchTasks(over: link)
    let task = try #require(try unit.tasks().first)
    try unit.openTask(task.id)
    for number in 0..<photos { try await capture(unit, task.id, number) }
    return (unit, try unit.task(task.id))
  }

  /// Takes a photo: the log of somebody who stands still is replayed meanwhile, everything else is
  /// real.
  @discardableResult
  package func capture(
    _ unit: InspectorUnit, _ task: Identifier?, _ number: Int, picture own: [UInt8]? = nil,
    repeats: RepeatAim? = nil, item: String? = nil
  ) async throws -> Photo {
    let origin = try #require(Coordinate(latitudeDegrees: 49.08, longitudeDegrees: 16.63))
    let walk = WalkSimulator(
      origin: origin, start: clock.start, legs: [.stand(seconds: 20)], seed: UInt64(number) + 1)
    let log = walk.epochs().flatMap(\.self)
    let path = folder.appendingPathComponent("stand-\(number).nmea").path
    try Data(log).write(to: URL(fileURLWithPath: path))
    let sampler = try #require(SamplerPolicy(samples: 4))
    let follower = ReceiverFollower(
      receiver: try ReceiverSource.file(path: path, rate: .infinity).receiver(
        clock: clock, timeline: LogTimeline(log)), clock: clock, gate: unit.configuration.gate,
      sampler: sampler)
    let picture = try own ?? Self.picture(number)
    var request = CaptureRequest(
      task: task, camera: .drawn { picture }, sampling: .chosen(sampler), countdownSeconds: 0,
      waitSeconds: 120, aim: CaptureRequest.Aim(headingDegreesTrue: 20))
    request.repeats = repeats
    request.item = item
    let over = Flag()
    let capturing = Task { [request] in
      defer { over.isSet.withLock { $0 = true } }
      return try await unit.capture(request, with: follower)
    }
    // A capture that is refused at once never listens.
    while await follower.listenerCount == 0, !over.isSet.withLock({ $0 }) { await Task.yield() }
    if !over.isSet.withLock({ $0 }) { try await follower.run() }
    return try await capturing.value
  }

  /// Returns a small picture, another one for each number.
  package static func picture(_ number: Int) throws -> [UInt8] {
    try PixelBuffer(
      width: 48, height: 32,
      colour: Colour(
        red: UInt8(truncatingIfNeeded: number &* 37), green: UInt8(truncatingIfNeeded: number),
        blue: 90)
    ).encodeJPEG(quality: 80)
  }
}

/// A flag that another task sets.
private final class Flag: Sendable {
  let isSet = Mutex(false)
}

extension PasswordHash {
  /// Returns the text that is stored for a password, at the lowest cost that can be read back.
  package static func cheap(for password: String) -> String {
    let cost = Cost(rounds: 1024, blockSize: 1, parallelism: 1)
    let salt = Array(repeating: UInt8(7), count: 16)
    let key = (try? derive(Array(password.utf8), salt: salt, cost: cost)) ?? []
    return PasswordHash(cost: cost, salt: salt, key: key).text
  }
}
