import Evidence
import Foundation
import Inspection
import Positioning
import Receivers
import Store
import Sync
import Synchronization
import TestSupport
import Testing
import TimeAndText
import Web

@testable import FieldPages
@testable import FieldUnit

/// A link to an office that answers after `appear`, or asks to wait after `ask`.
final class AbsentLink: OfficeLink {
  let address = "http://127.0.0.1:1"
  private let state = Mutex((isThere: false, tries: 0, asked: 0.0, isWaiting: false))
  /// The gate before which a question about held things waits; nil for none.
  let gate: AsyncStream<Void>?

  init(gate: AsyncStream<Void>? = nil) { self.gate = gate }

  var tries: Int { state.withLock { $0.tries } }
  /// True if a question has come to the gate.
  var isWaiting: Bool { state.withLock { $0.isWaiting } }
  func appear() { state.withLock { $0.isThere = true } }
  func ask(seconds: Double) { state.withLock { $0.asked = seconds } }

  private func answer<Answer>(_ body: () -> Answer) throws -> Answer {
    let state = state.withLock { state in
      state.tries += 1
      return state
    }
    if state.asked > 0 {
      throw DeliveryError.askedToWait(
        address: address, seconds: state.asked, reason: "too many are here")
    }
    guard state.isThere else {
      throw DeliveryError.unreachable(address: address, reason: "there is no network")
    }
    return body()
  }

  func office() async throws -> OfficeMessage {
    try answer { OfficeMessage(software: "test", fingerprint: "") }
  }
  func signIn(_ request: SignInRequest) async throws -> SignInAnswer {
    throw DeliveryError.notSignedIn
  }
  func challenge() async throws -> ChallengeMessage {
    try answer { ChallengeMessage(challenge: "") }
  }
  func renew(_ request: RenewalMessage) async throws -> SignInAnswer {
    throw DeliveryError.notSignedIn
  }
  func signOut(token: String) async throws {}
  func tasks(
    since cursor: String?, proved: String?, token: String
  ) async throws -> TaskListMessage {
    try answer { TaskListMessage(tasks: []) }
  }
  func held(_ question: HeldQuestion, token: String) async throws -> HeldAnswer {
    state.withLock { $0.isWaiting = true }
    if let gate { for await _ in gate {} }
    return try answer { HeldAnswer(things: [], missing: []) }
  }
  func send(batch id: Identifier, _ message: [UInt8], token: String) async throws -> BatchAnswer {
    try answer { BatchAnswer(id: id.description, missing: [], receipt: nil) }
  }
  func send(
    file path: String, digest: String, bytes: Int, from offset: Int, token: String,
    progress: @Sendable (_ bytes: Int) -> Void
  ) async throws -> Int { try answer { bytes } }
}

/// A clock that records its sleeps and skips them. The last of `sleeps` throws a cancellation.
private final class LedgerClock: Timepiece {
  private let state = Mutex((now: Int64(0), sleeps: [Double](), most: 0))

  init(sleeps: Int) { state.withLock { $0.most = sleeps } }

  var sleeps: [Double] { state.withLock { $0.sleeps } }
  var deviceTime: DeviceTime {
    DeviceTime(millisecondsSince1970: 1_780_000_000_000 + state.withLock { $0.now })
  }
  var elapsed: ElapsedTime { ElapsedTime(milliseconds: state.withLock { $0.now }) }
  func sleep(until deadline: ElapsedTime) async throws {
    let seconds = deadline.seconds(since: elapsed)
    let isOver = state.withLock { state in
      state.sleeps.append(seconds)
      state.now += Int64(seconds * 1000)
      return state.sleeps.count >= state.most
    }
    if isOver { throw CancellationError() }
  }
}

@Suite("Delivering by itself, again and again")
struct DeliverForeverTests {
  /// Returns a field unit whose outbox holds a photo.
  private func waiting(
    _ folder: URL, _ clock: any Timepiece, _ link: AbsentLink
  ) async throws -> (server: FieldServer, unit: InspectorUnit) {
    let scene = try FieldScene(folder)
    let unit = scene.unit
    let authority = try Authority.make(name: "office", at: clock.deviceTime)
    try unit.store.write(as: FieldScene.person) {
      try $0.signIns.save(
        SignIn(
          person: FieldScene.person, name: nil, office: link.address,
          authority: authority.certificate.pem, token: "t", time: clock.deviceTime))
    }
    let photo = try await scene.capture(scene.request())
    try unit.sendPhotos([photo.id])
    let server = try FieldServer(
      configuration: unit.configuration, clock: clock, follower: nil, defaultOffice: nil,
      camera: nil, makeLink: { _ in link })
    return (server, unit)
  }

  @Test("a page does not wait for a delivery that takes long; it goes on, and says how it ended")
  func page() async throws {
    try await withTemporaryDirectory { folder in
      let (gate, opens) = AsyncStream<Void>.makeStream()
      let link = AbsentLink(gate: gate)
      let (server, _) = try await waiting(folder, LedgerClock(sleeps: 1), link)
      await server.deliverForPage(patienceSeconds: 0.01)
      #expect(try server.deliveryStatus.words == nil, "it runs")
      opens.finish()
      while try server.deliveryStatus.words == nil { await Task.yield() }
      #expect(try server.deliveryStatus.words?.contains("no network") == true)
    }
  }

  @Test("what came of a delivery is told to the one whose it was, also when it ends after sign-out")
  func ofOnePerson() async throws {
    try await withTemporaryDirectory { folder in
      let (gate, opens) = AsyncStream<Void>.makeStream()
      let clock = LedgerClock(sleeps: .max)
      let link = AbsentLink(gate: gate)
      let (server, unit) = try await waiting(folder, clock, link)
      let otto = Person(agency: "north", login: "otto", role: .inspector)
      _ = try FieldScene.unit(folder, clock: clock, person: otto)
      let known = try #require(try server.desk.signedIn())
      func enter(_ person: Person) throws {
        var signIn = known
        signIn.person = person
        try unit.store.write(as: person) { [signIn] in try $0.signIns.save(signIn) }
      }
      let delivering = Task { await server.deliverOnce() }
      while !link.isWaiting { await Task.yield() }
      server.note(DeliveryProgress(), of: unit.person)
      #expect(try server.deliveryStatus.progress != nil)
      try await server.desk.signOut(over: nil)
      #expect(try server.deliveryStatus.progress == nil, "nobody is signed in, and nobody is told")
      try enter(otto)
      let status = try server.deliveryStatus
      #expect(status.progress == nil && status.words == nil)
      opens.finish()
      #expect(await delivering.value == false)
      #expect(try server.deliveryStatus.words == nil, "it was not his")
      let page = OutboxPages(server: server)
      let other = try #require(try server.unit())
      #expect(other.person == otto && page.deliveryFragment(other).text.contains("not yet"))
      try enter(unit.person)
      #expect(try server.deliveryStatus.words?.contains("no network") == true)
    }
  }

  private func pauses(
    _ count: Int, _ prepare: (AbsentLink) -> Void
  ) async throws -> (seconds: [Double], link: AbsentLink, next: DeviceTime?) {
    try await withTemporaryDirectory { folder in
      let clock = LedgerClock(sleeps: count)
      let link = AbsentLink()
      prepare(link)
      let (server, unit) = try await waiting(folder, clock, link)
      await #expect(throws: CancellationError.self) { try await server.deliverForever() }
      return (clock.sleeps, link, try unit.outbox().first?.nextAttempt)
    }
  }

  @Test("after failures it waits longer each time, a quarter hour at the most, and says until when")
  func backoff() async throws {
    let (seconds, link, next) = try await pauses(9) { _ in }
    for (number, pause) in seconds.enumerated() {
      let whole = min(900, 15 * pow(2, Double(number)))
      #expect((whole * 0.75...whole).contains(pause), "pause \(number + 1) is \(pause)")
    }
    #expect(link.tries == 9, "each try asks once, and no more")
    #expect(next != nil)
  }

  @Test("an office that asks to wait is not asked before, by nobody at the same moment")
  func asked() async throws {
    let (seconds, _, _) = try await pauses(3) { $0.ask(seconds: 600) }
    #expect(seconds.allSatisfy { (600...1125).contains($0) }, "\(seconds)")
    #expect(Set(seconds).count == 3)
  }

  @Test("the page says when nothing has come back for some seconds, and not before")
  func stillness() async throws {
    try await withTemporaryDirectory { folder in
      let clock = LedgerClock(sleeps: .max)
      let unit = try FieldScene(folder).unit
      let server = try FieldServer(
        configuration: unit.configuration, clock: clock, follower: nil, defaultOffice: nil,
        camera: nil, makeLink: { _ in AbsentLink() })
      let pages = OutboxPages(server: server)
      var progress = DeliveryProgress()
      (progress.files, progress.filesDone) = (200, 78)
      server.note(progress, of: unit.person)
      try await clock.sleep(until: clock.elapsed.advanced(bySeconds: 4))
      #expect(pages.deliveryFragment(unit).text.contains("78 of 200 files"))
      #expect(!pages.deliveryFragment(unit).text.contains("No answer for"))
      try await clock.sleep(until: clock.elapsed.advanced(bySeconds: 8))
      #expect(pages.deliveryFragment(unit).text.contains("No answer for 12 s"))
      progress.filesDone = 79
      server.note(progress, of: unit.person)
      #expect(!pages.deliveryFragment(unit).text.contains("No answer for"))
    }
  }

  @Test("a certificate that another program was given for the office holds without a restart")
  func anotherCertificate() throws {
    try withTemporaryDirectory { folder in
      let clock = LedgerClock(sleeps: .max)
      let unit = try FieldScene(folder).unit
      let server = try FieldServer(
        configuration: unit.configuration, clock: clock, follower: nil, defaultOffice: nil,
        camera: nil)
      let office = "https://office.example"
      func link() throws -> ObjectIdentifier {
        ObjectIdentifier(try #require(try server.link(to: office) as? HTTPOfficeLink))
      }
      // The first link is kept, so that no other one gets its address in memory.
      let kept = try server.link(to: office)
      defer { _ = kept.address }
      let first = try link()
      let again = try link()
      #expect(again == first)
      let authority = try Authority.make(name: "office", at: clock.deviceTime)
      try unit.store.write(as: FieldScene.person) {
        try $0.signIns.save(
          SignIn(
            person: FieldScene.person, name: nil, office: office,
            authority: authority.certificate.pem, token: "t", time: clock.deviceTime,
            tlsCertificate: authority.certificate.pem))
      }
      let second = try link()
      #expect(second != first)
    }
  }
}
