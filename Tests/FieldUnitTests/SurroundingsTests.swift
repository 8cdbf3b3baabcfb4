import Evidence
import Foundation
import Inspection
import Positioning
import Store
import Synchronization
import TestSupport
import Testing
import TimeAndText

@testable import FieldPages
@testable import FieldUnit
@testable import Receivers

/// A receiver that plays a log and passes for a live one.
private struct DressedReceiver: Receiver {
  let source = ReceiverSource.tcp(host: "pole", port: 9001)
  let log: any Receiver
  func run(_ deliver: @Sendable (ReceiverEvent) async -> Void) async throws {
    try await log.run(deliver)
  }
}

/// A radio whose answers come from a test.
private final class ScriptedRadio: RadioListening {
  private let answer: @Sendable (_ looksAround: Bool) async throws -> RadioSurroundings
  private let asked = Mutex<[Bool]>([])
  /// The value of `looksAround` for each question.
  var questions: [Bool] { asked.withLock { $0 } }

  init(_ answer: @escaping @Sendable (Bool) async throws -> RadioSurroundings) {
    self.answer = answer
  }

  func hear(looksAround: Bool) async throws -> RadioSurroundings {
    asked.withLock { $0.append(looksAround) }
    return try await answer(looksAround)
  }
}

private let silence = RadioFailure(wording: "the system bus does not answer")

/// Returns one access point, heard some seconds after the clock's start.
private func heard(_ percent: Int, at seconds: Double) -> RadioSurroundings {
  RadioSurroundings(accessPoints: [
    RadioSurroundings.AccessPoint(
      address: "02:00:5e:10:00:01", channel: 6, signalPercent: percent,
      heard: ElapsedTime(milliseconds: Int64(seconds * 1000)))
  ])
}

@Suite("Radio surroundings of a capture", .timeLimit(.minutes(5)))
struct SurroundingsTests {
  /// Takes a photo with a receiver that passes for a live one, under a policy.
  private func capture(
    _ folder: URL, policy surroundings: Bool?, radio: ScriptedRadio, isLive: Bool = true,
    begun: (Task<Photo, any Error>) -> Void = { _ in }
  ) async throws -> SealFile {
    let scene = try FieldScene(folder)
    var configuration = scene.unit.configuration
    configuration.radio = radio
    let unit = try InspectorUnit.make(configuration: configuration, clock: scene.clock)
    if let surroundings {
      let key = SoftwareDeviceKey()
      let authority = try Authority.make(name: "office", at: scene.clock.deviceTime)
      let policy = try SignedPolicy(
        CapturePolicy(
          revision: 2, issued: scene.clock.deviceTime, readsSurroundings: surroundings),
        agency: "north", signedWith: key,
        certificate: try authority.certifyOffice(key.publicKey, at: scene.clock.deviceTime))
      let signIn = SignIn(
        person: unit.person, name: nil, office: "http://127.0.0.1:1",
        authority: authority.certificate.pem, token: "t", time: scene.clock.deviceTime)
      try unit.store.write(as: unit.person) { session in
        try session.signIns.save(signIn)
        try session.settings.keep(policy)
      }
    }
    let log = try scene.receiver()
    let follower = ReceiverFollower(
      receiver: isLive ? DressedReceiver(log: log) : log, clock: scene.clock,
      gate: configuration.gate, sampler: SamplerPolicy())
    let capturing = Task { try await unit.capture(scene.request(), with: follower) }
    begun(capturing)
    while await follower.listenerCount == 0 { await Task.yield() }
    try await follower.run()
    let photo = try await capturing.value
    let seal = try Data(contentsOf: URL(fileURLWithPath: unit.path(ofPhoto: photo.id) + ".seal"))
    return try SealFile(Array(seal))
  }

  private func percents(_ seal: SealFile) -> [Int]? {
    seal.record["surroundings"]?["accessPoints"]?.elements?.compactMap {
      $0["signalPercent"]?.wholeNumber
    }
  }

  @Test("it is listened to when the gate opens and at the shutter, where the agency turned that on")
  func listened() async throws {
    try await withTemporaryDirectory { folder in
      let radio = ScriptedRadio { $0 ? heard(40, at: 30) : heard(60, at: 50) }
      let seal = try await capture(folder, policy: true, radio: radio)
      #expect(radio.questions.first == true && radio.questions.last == false)
      #expect(percents(seal) == [60], "the shutter's")
      #expect(seal.record["policy"]?["revision"]?.wholeNumber == 2)
      #expect(seal.record["policy"]?["digest"]?.text?.count == 64)
      #expect(seal.surroundingsCounts?.accessPoints == 1)
    }
  }

  @Test("where nothing answers at the shutter, what was heard a little before counts, with its age")
  func late() async throws {
    try await withTemporaryDirectory { folder in
      let radio = ScriptedRadio {
        guard $0 else { throw silence }
        return heard(40, at: 30)
      }
      let seal = try await capture(folder, policy: true, radio: radio)
      #expect(percents(seal) == [40])
      let age = seal.record["surroundings"]?["accessPoints"]?.elements?.first?["ageSeconds"]?.text
      #expect(try #require(age.flatMap { Double($0) }) > 1)
    }
  }

  @Test("half an answer takes nothing from what the other half has told before")
  func half() {
    var all = RadioSurroundings(
      cells: [.init(technology: .lte, isServing: true, heard: ElapsedTime(milliseconds: 9000))])
    all.merge(heard(40, at: 10))
    all.merge(heard(60, at: -90))
    #expect(all.cells.count == 1)
    #expect(all.accessPoints.map(\.signalPercent) == [40], "the newer one")
    all.merge(heard(50, at: 11))
    #expect(all.accessPoints.map(\.signalPercent) == [50])
  }

  @Test("a radio that hangs delays a photo by a moment only, and Close then keeps nothing")
  func hangs() async throws {
    try await withTemporaryDirectory { folder in
      let (hanging, end) = AsyncStream.makeStream(of: Void.self)
      let radio = ScriptedRadio { looksAround in
        if !looksAround { for await _ in hanging {} }
        return heard(40, at: 30)
      }
      let began = ContinuousClock.now
      let seal = try await capture(folder, policy: true, radio: radio)
      #expect(percents(seal) == [40], "what was heard at the gate")
      // A wait for the hanging radio would never end; 50 s leave room for a busy machine.
      #expect(ContinuousClock.now - began < .seconds(50))
      end.finish()
    }
    try await withTemporaryDirectory { folder in
      let cancel = Mutex<(@Sendable () -> Void)?>(nil)
      let radio = ScriptedRadio { looksAround in
        if !looksAround { cancel.withLock { $0 }?() }
        return heard(40, at: 30)
      }
      await #expect(throws: CancellationError.self) {
        _ = try await capture(folder, policy: true, radio: radio) { task in
          cancel.withLock { $0 = { task.cancel() } }
        }
      }
      let photos = try FieldScene(folder, seed: 2).unit.photos()
      #expect(photos.isEmpty)
    }
  }

  @Test("what is old at the shutter is not handed out, and silence is told as such")
  func silent() async throws {
    try await withTemporaryDirectory { folder in
      let radio = ScriptedRadio {
        guard $0 else { throw silence }
        return heard(40, at: -60)
      }
      let seal = try await capture(folder, policy: true, radio: radio)
      #expect(seal.record["surroundings"] == .object([:]))
    }
  }

  @Test("nobody listens where the agency has not turned it on, or a log is replayed")
  func off() async throws {
    for (policy, isLive) in [(nil, true), (false, true), (true, false)] as [(Bool?, Bool)] {
      try await withTemporaryDirectory { folder in
        let radio = ScriptedRadio { _ in heard(40, at: 30) }
        let seal = try await capture(folder, policy: policy, radio: radio, isLive: isLive)
        #expect(radio.questions.isEmpty)
        #expect(seal.record["surroundings"] == nil)
        #expect((seal.record["policy"] == nil) == (policy == nil), "named wherever there is one")
      }
    }
  }
}
