import Evidence
import Foundation
import Inspection
import Positioning
import Store
import Synchronization
import TestSupport
import Testing

@testable import FieldUnit
@testable import Receivers

/// A log that passes for a live receiver.
private struct DressedReceiver: Receiver {
  let source = ReceiverSource.tcp(host: "pole", port: 9001)
  let log: any Receiver
  func run(_ deliver: @Sendable (ReceiverEvent) async -> Void) async throws {
    try await log.run(deliver)
  }
}

/// A radio that a test answers for.
private final class ScriptedRadio: RadioListening {
  private let answers: Mutex<[Result<RadioSurroundings, RadioFailure>]>
  private let asked = Mutex<[Bool]>([])
  /// Whether Wi-Fi was to look around, for each question.
  var questions: [Bool] { asked.withLock { $0 } }

  init(_ answers: [Result<RadioSurroundings, RadioFailure>]) { self.answers = Mutex(answers) }

  func hear(looksAround: Bool) async throws -> RadioSurroundings {
    asked.withLock { $0.append(looksAround) }
    return try answers.withLock { $0.isEmpty ? .success(RadioSurroundings()) : $0.removeFirst() }
      .get()
  }
}

@Suite("Radio surroundings of a capture", .timeLimit(.minutes(1)))
struct SurroundingsTests {
  /// Takes a photo with a receiver that passes for a live one, under a policy.
  private func capture(
    _ folder: URL, policy surroundings: Bool?, radio: ScriptedRadio, isLive: Bool = true
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
      try unit.store.write(as: unit.person) { try $0.keep(policy) }
    }
    let log = try scene.receiver()
    let follower = ReceiverFollower(
      receiver: isLive ? DressedReceiver(log: log) : log, clock: scene.clock,
      gate: configuration.gate, sampler: SamplerPolicy())
    let capturing = Task { try await unit.capture(scene.request(), with: follower) }
    while await follower.listenerCount == 0 { await Task.yield() }
    try await follower.run()
    let photo = try await capturing.value
    let seal = try Data(contentsOf: URL(fileURLWithPath: unit.path(ofPhoto: photo.id) + ".seal"))
    return try SealFile(Array(seal))
  }

  /// One access point, heard so long before the log's first epoch.
  private func heard(_ percent: Int, at seconds: Double) -> RadioSurroundings {
    RadioSurroundings(accessPoints: [
      RadioSurroundings.AccessPoint(
        address: "02:00:5e:10:00:01", channel: 6, signalPercent: percent,
        heard: ElapsedTime(milliseconds: Int64(seconds * 1000)))
    ])
  }

  private func percents(_ seal: SealFile) -> [Int]? {
    seal.record["surroundings"]?["accessPoints"]?.elements?.compactMap {
      $0["signalPercent"]?.wholeNumber
    }
  }

  @Test("it is listened to when the gate opens and at the shutter, where the agency turned that on")
  func listened() async throws {
    try await withTemporaryDirectory { folder in
      let radio = ScriptedRadio([.success(heard(40, at: 30)), .success(heard(60, at: 50))])
      let seal = try await capture(folder, policy: true, radio: radio)
      #expect(radio.questions == [true, false])
      #expect(percents(seal) == [60], "the shutter's")
      #expect(seal.record["policy"]?["revision"]?.wholeNumber == 2)
      #expect(seal.record["policy"]?["digest"]?.text?.count == 64)
      #expect(seal.surroundingsCounts?.accessPoints == 1)
    }
  }

  @Test("where nothing answers at the shutter, what was heard a little before counts, with its age")
  func late() async throws {
    try await withTemporaryDirectory { folder in
      let broken = RadioFailure(description: "the system bus does not answer")
      let radio = ScriptedRadio([.success(heard(40, at: 30)), .failure(broken)])
      let seal = try await capture(folder, policy: true, radio: radio)
      #expect(percents(seal) == [40])
      let age = seal.record["surroundings"]?["accessPoints"]?.elements?.first?["ageSeconds"]?.text
      #expect(try #require(age.flatMap { Double($0) }) > 1)
    }
  }

  @Test("what is old at the shutter is not handed out, and silence is told as such")
  func silent() async throws {
    try await withTemporaryDirectory { folder in
      let broken = RadioFailure(description: "gone")
      let radio = ScriptedRadio([.success(heard(40, at: -60)), .failure(broken)])
      let seal = try await capture(folder, policy: true, radio: radio)
      #expect(seal.record["surroundings"] == .object([:]))
    }
  }

  @Test("nobody listens where the agency has not turned it on, or a log is replayed")
  func off() async throws {
    for (policy, isLive) in [(nil, true), (false, true), (true, false)] as [(Bool?, Bool)] {
      try await withTemporaryDirectory { folder in
        let radio = ScriptedRadio([.success(heard(40, at: 30))])
        let seal = try await capture(folder, policy: policy, radio: radio, isLive: isLive)
        #expect(radio.questions.isEmpty)
        #expect(seal.record["surroundings"] == nil)
        #expect((seal.record["policy"] == nil) == (policy == nil), "named wherever there is one")
      }
    }
  }
}
