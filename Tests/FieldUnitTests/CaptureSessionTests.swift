import FieldUnit
import Geodesy
import Inspection
import Testing
import TimeAndText

@testable import Positioning

@Suite("The decisions of a capture")
struct CaptureSessionTests {
  private func judged(
    _ second: Int, _ state: GateVerdict.State = .still, samples: Int, of wanted: Int = 1
  ) throws -> JudgedFix {
    let sampler = rules(wanted)
    let time = try #require(
      GNSSTime(millisecondsSinceMidnight: 36_000_000 + second * 1000, date: nil))
    let reason: GateReason? =
      state == .still ? nil : .moving(metresPerSecond: 1.2, limitMetresPerSecond: 0.2)
    return JudgedFix(
      fix: Fix(time: time), verdict: GateVerdict(state: state, reason: reason, statistics: nil),
      samples: samples, standpoint: nil, arrival: ElapsedTime(milliseconds: 0), window: nil,
      sampling: nil, samplerPolicy: sampler)
  }

  private func rules(_ samples: Int) -> SamplerPolicy {
    var rules = SamplerPolicy()
    rules.samples = samples
    return rules
  }

  private func session(
    samples: Int, countdownSeconds: Double, waitSeconds: Double
  ) -> CaptureSession {
    CaptureSession(
      gate: GatePolicy(), sampler: rules(samples), countdownSeconds: countdownSeconds,
      waitSeconds: waitSeconds)
  }

  @Test("the gate has to hold until the frame is in: the fix after it decides")
  func frameIn() throws {
    for isStill in [true, false] {
      var session = session(samples: 1, countdownSeconds: 0, waitSeconds: 60)
      let first = try judged(0, samples: 1)
      #expect(session.accept(first) == .shutter(first))
      #expect(session.accept(try judged(1, samples: 1)) == .exposing)
      session.frameIsIn()
      let step = session.accept(
        try judged(2, isStill ? .still : .moving, samples: isStill ? 1 : 0))
      #expect(
        step
          == (isStill
            ? .held : .rejected([.moving(metresPerSecond: 1.2, limitMetresPerSecond: 0.2)])))
    }
  }

  @Test("what was judged by another page's limits or samples is no photo's")
  func othersRules() throws {
    var session = session(samples: 1, countdownSeconds: 5, waitSeconds: 60)
    var others = try judged(0, samples: 9)
    others.samplerPolicy = rules(9)
    #expect(session.accept(others) == .waiting(reasons: [], samples: 0))
    #expect(session.accept(try judged(1, samples: 1)) == .countdown(secondsLeft: 5))
    var looser = try judged(2, samples: 1)
    looser.gatePolicy.speedLimitMetresPerSecond = 3
    #expect(session.accept(looser) == .rejected([]))
  }

  @Test("samples, then the countdown, then the shutter, by the epochs' own time")
  func happens() throws {
    var session = session(samples: 3, countdownSeconds: 2, waitSeconds: 60)
    #expect(session.accept(try judged(0, samples: 1, of: 3)) == .waiting(reasons: [], samples: 1))
    #expect(session.accept(try judged(1, samples: 2, of: 3)) == .waiting(reasons: [], samples: 2))
    #expect(session.accept(try judged(2, samples: 3, of: 3)) == .countdown(secondsLeft: 2))
    #expect(session.accept(try judged(3, samples: 3, of: 3)) == .countdown(secondsLeft: 1))
    let last = try judged(4, samples: 3, of: 3)
    #expect(session.accept(last) == .shutter(last))
    #expect(session.accept(try judged(5, samples: 3, of: 3)) == .exposing)
  }

  @Test("without a countdown the shutter falls with the last sample")
  func noCountdown() throws {
    var session = session(samples: 1, countdownSeconds: 0, waitSeconds: 60)
    let only = try judged(0, samples: 1)
    #expect(session.accept(only) == .shutter(only))
  }

  @Test("a break during the countdown, or while the camera works, rejects the photo")
  func breaks() throws {
    for brokenAt in [1, 3] {
      var session = session(samples: 1, countdownSeconds: 2, waitSeconds: 60)
      for second in 0..<brokenAt { _ = session.accept(try judged(second, samples: 1)) }
      let step = session.accept(try judged(brokenAt, .moving, samples: 0))
      #expect(
        step == .rejected([.moving(metresPerSecond: 1.2, limitMetresPerSecond: 0.2)]))
    }
    var session = session(samples: 1, countdownSeconds: 2, waitSeconds: 60)
    _ = session.accept(try judged(0, samples: 1))
    let silent = GateVerdict(
      state: .refused, reason: .stale(ageSeconds: 3), statistics: nil)
    #expect(session.accept(silence: silent) == .rejected([.stale(ageSeconds: 3)]))
  }

  @Test("samples that are begun anew in the countdown are waited for: no photo is of fewer")
  func samplesAnew() throws {
    var session = session(samples: 3, countdownSeconds: 2, waitSeconds: 60)
    #expect(session.accept(try judged(0, samples: 3, of: 3)) == .countdown(secondsLeft: 2))
    #expect(session.accept(try judged(1, samples: 1, of: 3)) == .waiting(reasons: [], samples: 1))
    #expect(session.accept(try judged(2, samples: 2, of: 3)) == .waiting(reasons: [], samples: 2))
    #expect(session.accept(try judged(3, samples: 3, of: 3)) == .countdown(secondsLeft: 2))
  }

  @Test("it gives up at the end of the wait and not a second before, with the last reason")
  func waits() throws {
    var session = session(samples: 1, countdownSeconds: 2, waitSeconds: 10)
    for second in 0..<10 {
      guard case .waiting = session.accept(try judged(second, .moving, samples: 0)) else {
        Issue.record("gave up after \(second) s")
        return
      }
    }
    #expect(
      session.accept(try judged(10, .moving, samples: 0))
        == .gaveUp([.moving(metresPerSecond: 1.2, limitMetresPerSecond: 0.2)]))
  }

  @Test(
    "a camera's command is split into words without a shell",
    arguments: [
      ("rpicam-still -o {file}", ["rpicam-still", "-o", "{file}"]),
      ("cp 'my photo.jpg' \"{file}\"", ["cp", "my photo.jpg", "{file}"]),
      ("a\\ b \"c \\\" d\" ''", ["a b", "c \" d", ""]),
      ("cat $(x) ; y", ["cat", "$(x)", ";", "y"]),
    ])
  func words(command: String, words: [String]) {
    #expect(Camera.words(command) == words)
  }

  @Test("a command without words or with an open quote is none")
  func noWords() {
    #expect(Camera.words("") == nil)
    #expect(Camera.words("   ") == nil)
    #expect(Camera.words("cp 'x") == nil)
  }
}
