import FieldUnit
import Inspection
import Receivers
import Synchronization
import TimeAndText
import Web

/// Holds the one set at a time that any page of the device may take.
///
/// The camera's own desk is taken meanwhile: a photo and a set need the same samples of the receiver.
package final class SetDesk: Sendable {
  /// The state of the set that was begun on a page.
  package enum Status: Sendable {
    case none
    case running(Running)
    case sealed(Running, FrameSetHead)
    /// Nothing was sealed. The frames of a walk are kept as an open set.
    case refused(Running, Wording, kept: Identifier?)

    /// The set that the state is about; nil for none.
    package var running: Running? {
      switch self {
      case .none: nil
      case .running(let running), .sealed(let running, _), .refused(let running, _, _): running
      }
    }
  }

  /// A set in progress.
  package struct Running: Sendable {
    package let person: Person
    /// The random name of the page that takes it.
    package let page: String
    /// The random name under which frames are handed, which no other page learns.
    package let number: String
    package let terms: FrameSetTerms
    package let run: SetRun
  }

  /// The largest frame that a page may hand, bytes.
  package static let frameBytesAtMost = 16 << 20
  /// The time for which a page's standpoint is waited for, seconds of the receiver's time.
  private static let waitSeconds = 180.0

  /// The silence of a page after which it counts as left. While it is open, its live part asks about
  /// once a second.
  private static let leftAfter = Duration.seconds(10)

  private let state = Mutex(Status.none)
  /// The moment at which the page that takes a set was last heard.
  private let heard = Mutex(ContinuousClock.now)

  /// Creates a desk at which nothing is going on.
  package init() {}

  /// Returns the state as a person may see it: nobody sees the set of another one.
  package func status(for person: Person) -> Status {
    let status = state.withLock { $0 }
    return status.running?.person == person ? status : .none
  }

  /// Notes that a page is still open.
  package func hear(page: String, _ person: Person) {
    guard status(for: person).running?.page == page else { return }
    heard.withLock { $0 = .now }
  }

  /// Interrupts a set whose page is gone without a word, as when a browser has crashed.
  package func interruptIfLeft(_ person: Person) async {
    guard case .running = status(for: person),
      heard.withLock({ $0 }).duration(to: .now) > Self.leftAfter
    else { return }
    await interrupt(page: nil, person)
  }

  /// Begins a set, or goes on with one that was interrupted; it then runs by itself.
  /// - Throws: `FieldUnitError.captureBusy` while another page uses the camera; the errors of
  ///   `SetRun`.
  package func begin(
    _ wish: SetWish, page: String, _ unit: InspectorUnit, on server: FieldServer
  ) throws {
    guard let follower = server.follower else {
      throw FieldUnitError.captureRefused([
        GateRefusal(
          code: "no-receiver", wording: "there is no receiver: standpoint field --gnss SOURCE")
      ])
    }
    let bell = server.bell
    let open = try wish.open.map(unit.openSet)
    let terms = open?.terms ?? wish.terms
    let run: SetRun
    if let open {
      run = try SetRun(
        resuming: open, unit: unit, follower: follower, waitSeconds: Self.waitSeconds
      ) { _ in bell.ring() }
    } else {
      run = try SetRun(
        unit: unit, follower: follower,
        request: SetRequest(task: wish.task, terms: terms, waitSeconds: Self.waitSeconds)
      ) { _ in bell.ring() }
    }
    let running = Running(
      person: unit.person, page: page, number: Token.make(), terms: terms, run: run)
    let task = try (open?.task ?? wish.task).map(unit.task)
    try server.cameraDesk.take(page, for: task) {
      self.heard.withLock { $0 = .now }
      self.state.withLock { $0 = .running(running) }
      await self.follow(running)
      bell.ring()
    }
  }

  private func follow(_ running: Running) async {
    let ended: Status
    do {
      ended = .sealed(running, try await running.run.take())
    } catch is CancellationError {
      ended = .none
    } catch FieldUnitError.captureRefused(let reasons) {
      let words = reasons.map(\.wording).joined(separator: "; ")
      ended = .refused(running, words, kept: await running.run.keptSet)
    } catch {
      ended = .refused(running, "\(error)", kept: await running.run.keptSet)
    }
    state.withLock { state in
      if state.running?.number == running.number { state = ended }
    }
  }

  /// Hands a frame to the set that goes by this name.
  /// - Throws: `FieldUnitError.exposureOver` if there is none; the errors of `SetRun.offer`.
  package func offer(
    _ frame: OfferedFrame, number: String, _ person: Person
  ) async throws -> FrameAnswer {
    guard case .running(let running) = status(for: person), running.number == number else {
      throw FieldUnitError.exposureOver
    }
    return try await running.run.offer(frame)
  }

  /// Returns true if a set goes by this name.
  package func isTaking(_ number: String, _ person: Person) -> Bool {
    guard case .running(let running) = status(for: person) else { return false }
    return running.number == number
  }

  /// Ends the frames of a page's set: its last standpoint follows, and then the seal.
  package func end(page: String, _ person: Person) async {
    guard case .running(let running) = status(for: person), running.page == page else { return }
    await running.run.beginClosing()
  }

  /// Interrupts the set in progress: a walk stays as an open set, and a turn is given up.
  /// - Parameter page: the page that takes it; nil for any page of the person.
  package func interrupt(page: String?, _ person: Person) async {
    guard let running = status(for: person).running, page == nil || running.page == page else {
      return
    }
    await running.run.giveUp(CancellationError())
    state.withLock { state in
      if state.running?.number == running.number { state = .none }
    }
  }
}

/// The set that a page asks for.
package struct SetWish: Sendable {
  /// The task that the set is for; nil for a standalone set.
  package var task: Identifier?
  /// The terms of a new set.
  package var terms: FrameSetTerms
  /// The interrupted set that is gone on with; nil for a new one.
  package var open: Identifier?

  /// Reads the fields of a form or of an address.
  /// - Throws: `InspectionError.frameSet` for a number that a set cannot have.
  package init(_ field: (String) -> String?) throws {
    let kind = field("kind").flatMap(FrameSetKind.init(rawValue:)) ?? .around
    let sectors = field("sectors").flatMap { $0.isEmpty ? nil : Int($0) ?? 0 }
    terms = try FrameSetTerms(kind: kind, sectors: sectors)
    task = field("task").flatMap(Identifier.init(_:))
    open = field("open").flatMap(Identifier.init(_:))
  }

  /// The fields of the same wish.
  package var fields: [(name: String, value: String)] {
    if let open { return [("open", open.description)] }
    return [
      ("kind", terms.kind.rawValue), ("sectors", "\(terms.sectors)"),
    ] + (task.map { [("task", $0.description)] } ?? [])
  }

  /// The fields as the query of an address.
  package var query: String {
    fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }
}
