import Evidence
import Foundation
import Inspection
import Positioning
import Receivers
import Synchronization
import TestSupport
import Testing
import TimeAndText

@testable import FieldPages
@testable import FieldUnit

@Suite("A picture that a page sends in pieces", .timeLimit(.minutes(5)))
struct CameraPiecesTests {
  private static let size = CameraSite.picture.count

  private static func words(_ digest: String? = nil, bytes: Int = size) -> String {
    #"{"taken":"still","bytes":\#(bytes),"digest":"\#(digest ?? Digest.hexadecimal(CameraSite.picture))"}"#
  }

  private func capture(
    _ site: CameraSite, _ answer: @escaping @Sendable (CameraSite, String) async throws -> Void
  ) async throws {
    try await site.replay { site in
      _ = try await site.press()
      Task {
        guard let number = await site.exposure() else { return }
        do {
          try await answer(site, number)
        } catch {
          Issue.record(error)
        }
      }
    }
  }

  private func announce(
    _ site: CameraSite, _ number: String, _ words: String = words()
  ) async throws -> FieldBrowser.Answer {
    try await site.browser.post("/camera/frame/made?number=\(number)", bytes: [], words: words)
  }

  private func send(
    _ site: CameraSite, _ number: String, _ bytes: some Sequence<UInt8>, at offset: Int
  ) async throws -> FieldBrowser.Answer {
    try await site.browser.post(
      "/camera/frame/bytes?number=\(number)&at=\(offset)", bytes: Array(bytes),
      type: "application/octet-stream")
  }

  @Test("the pieces are sealed unchanged, however often the connection breaks")
  func pieces() async throws {
    try await CameraSite.with { site in
      try await capture(site) { site, number in
        let picture = CameraSite.picture
        #expect(try await send(site, number, picture, at: 0).status == 422, "nothing is made yet")
        #expect(try await announce(site, number).body == #"{"have":0}"#)
        // The answer was lost: the page says it again.
        #expect(try await announce(site, number).status == 200)
        #expect(try await send(site, number, picture[..<900], at: 0).body == #"{"have":900}"#)
        #expect(try await send(site, number, picture[5000...], at: 5000).status == 422, "a gap")
        for hostile in [Int.max, Int.min, -1, 1 << 40] {
          #expect(try await send(site, number, picture[..<900], at: hostile).status != 500)
        }
        let look = try await site.browser.get("/camera/frame/bytes?number=\(number)")
        #expect(look.body == #"{"have":900}"#)
        #expect(
          try await send(site, number, picture[500..<2000], at: 500).body == #"{"have":2000}"#)
        let another = Self.words(String(repeating: "0a", count: 32))
        #expect(try await announce(site, number, another).status == 422, "it is made already")
        let last = try await send(site, number, picture[2000...], at: 2000)
        #expect(last.body == #"{"have":\#(Self.size)}"#)
      }
      guard case .captured(let captured) = await site.outcome() else {
        Issue.record("\(site.server.captureStatus)")
        return
      }
      let path = try site.unit().path(ofPhoto: captured.photo.id)
      let seal = try String(contentsOfFile: path + ".seal", encoding: .utf8)
      #expect(seal.contains(Digest.hexadecimal(CameraSite.picture)))
      #expect(seal.contains(#""taken":"still""#) && seal.contains(#""delaySeconds""#))
    }
  }

  @Test(
    "words, sizes and bytes that do not fit end the capture with words",
    arguments: [
      (#"{"bytes":5}"#, "cannot be read"), (#"{"bytes":0,"digest":"x"}"#, "cannot be read"),
      (words(bytes: -1), "cannot be read"), (words(bytes: 1 << 30), "larger than 64 MiB"),
      (#"{"bytes":1e99}"#, "cannot be read"),
      (
        #"{"time":{"from":1e300,"to":1e301},"trip":{"asked":0,"told":0,"heard":0},"bytes":9,"digest":"0a"}"#,
        "cannot be read"
      ),
    ])
  func malformed(words: String, said: String) async throws {
    try await CameraSite.with { site in
      try await capture(site) { site, number in
        let answer = try await announce(site, number, words)
        #expect(answer.status == 422 && answer.body.contains(said), "\(answer.body)")
      }
      #expect(try #require(await site.refusal()).contains(said))
      #expect(try site.unit().photos().isEmpty)
    }
  }

  @Test("a picture other than the one that was announced is refused, and one too long")
  func swapped() async throws {
    for isLong in [false, true] {
      try await CameraSite.with { site in
        try await capture(site) { site, number in
          _ = try await announce(site, number)
          var other = CameraSite.picture
          if isLong { other.append(0) } else { other[other.count / 2] ^= 1 }
          let answer = try await send(site, number, other, at: 0)
          #expect(answer.status == 422)
        }
        let words = try #require(await site.refusal())
        #expect(words.contains(isLong ? "do not fit together" : "not the picture"), "\(words)")
        #expect(try site.unit().photos().isEmpty)
      }
    }
  }

  @Test("bytes that stop coming end the capture with what is here")
  func stopped() async throws {
    let limits = FrameLimits(patienceSeconds: 0.2, idleSeconds: 0.2)
    try await CameraSite.with(frames: limits) { site in
      try await capture(site) { site, number in
        _ = try await announce(site, number)
        _ = try await send(site, number, CameraSite.picture[..<2048], at: 0)
      }
      let words = try #require(await site.refusal())
      #expect(words.contains("the picture stopped coming after 2 of"), "\(words)")
      #expect(try site.unit().photos().isEmpty)
    }
  }

  @Test("a frame that was made too long after its fix is refused before a byte is sent")
  func late() async throws {
    let clock = SteppedClock()
    try await CameraSite.with(machine: clock) { site in
      try await capture(site) { site, number in
        clock.step(milliseconds: 1200)
        // The page tells that the frame was made 0.9 s after it was asked for.
        let told =
          #"{"time":{"from":900,"to":900},"trip":{"asked":-5,"told":10000,"heard":5},"bytes":9,"digest":"\#(Digest.hexadecimal([]))"}"#
        let answer = try await announce(site, number, told)
        #expect(
          answer.status == 422 && answer.body.contains("s after its position"), "\(answer.body)")
      }
      #expect(try #require(await site.refusal()).contains("0.500 s are allowed"))
      #expect(try site.unit().photos().isEmpty)
    }
  }

  /// A clock that goes on only when it is told to.
  private final class SteppedClock: Timepiece {
    private let passed = Mutex(Int64(0))
    var deviceTime: DeviceTime {
      DeviceTime(millisecondsSince1970: 1_780_000_000_000 + passed.withLock(\.self))
    }
    var elapsed: ElapsedTime { ElapsedTime(milliseconds: 10_000 + passed.withLock(\.self)) }
    func step(milliseconds: Int64) { passed.withLock { $0 += milliseconds } }
    func sleep(until deadline: ElapsedTime) async throws { throw CancellationError() }
  }
}
