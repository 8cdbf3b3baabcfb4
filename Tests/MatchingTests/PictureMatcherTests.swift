import Foundation
import Inspection
import TestSupport
import Testing

@testable import Imagery
@testable import Matching

@Suite("The worker that compares pictures")
struct PictureMatcherTests {
  /// As in the program itself, a worker that went away ends a comparison and not this process.
  init() { signal(SIGPIPE, SIG_IGN) }

  private static func earlier(_ name: String, _ bytes: [UInt8]) -> PictureMatcher.Earlier {
    PictureMatcher.Earlier(digest: name, bytes: bytes)
  }

  private static func field(_ seed: Int) throws -> [UInt8] {
    try WarpedPicture.field(seed).encodeJPEG(quality: 85)
  }

  private static func fault(
    _ matcher: PictureMatcher, _ one: [UInt8], _ other: [UInt8]
  ) async -> MatchingError? {
    do {
      _ = try await matcher.compare(earlier("one", one), with: other)
      return nil
    } catch {
      return error
    }
  }

  @Test("a picture agrees with itself, without displacement, and twice in the same way")
  func itself() async throws {
    let matcher = PictureMatcher(
      program: Program.standpoint, patience: .init(comparison: .seconds(60)))
    let picture = try Self.field(1)
    let first = try await matcher.compare(Self.earlier("a", picture), with: picture)
    let second = try await matcher.compare(Self.earlier("b", picture), with: picture)
    #expect(first == second)
    #expect(first.inliers > 200)
    #expect(try #require(first.displacementPercent) < 0.01)
  }

  @Test("comparisons that are asked for at once are answered one after the other, each by its own")
  func many() async throws {
    let matcher = PictureMatcher(
      program: Program.standpoint, patience: .init(comparison: .seconds(60)))
    let pictures = try (0..<4).map(Self.field)
    try await withThrowingTaskGroup(of: (Int, Int, PictureComparison).self) { group in
      for one in 0..<2 {
        for other in 0..<4 {
          group.addTask {
            (
              one, other,
              try await matcher.compare(
                Self.earlier("field \(one)", pictures[one]), with: pictures[other])
            )
          }
        }
      }
      for try await (one, other, comparison) in group {
        #expect((comparison.displacementPercent != nil) == (one == other), "\(one) \(other)")
      }
    }
  }

  @Test("what is no picture is refused by name, and the next comparison is answered")
  func unreadable() async throws {
    let matcher = PictureMatcher(
      program: Program.standpoint, patience: .init(comparison: .seconds(60)))
    let picture = try Self.field(2)
    let small = try PixelBuffer(width: 31, height: 200).encodeJPEG(quality: 80)
    #expect(await Self.fault(matcher, Array("no picture".utf8), picture) == .unreadable(.earlier))
    #expect(await Self.fault(matcher, picture, []) == .unreadable(.later))
    #expect(await Self.fault(matcher, picture, small) == .unreadable(.later))
    #expect(
      await Self.fault(matcher, picture, [UInt8](repeating: 0, count: MatchingWire.mostBytes + 1))
        == .tooLarge(.later, bytes: MatchingWire.mostBytes + 1))
    let comparison = try await matcher.compare(Self.earlier("one", picture), with: picture)
    #expect(comparison.displacementPercent != nil)
  }

  @Test("a picture of fog has nothing to compare, and says so")
  func fog() async throws {
    let matcher = PictureMatcher(
      program: Program.standpoint, patience: .init(comparison: .seconds(60)))
    let fog = try PixelBuffer(
      width: 640, height: 480, colour: Colour(red: 190, green: 190, blue: 195)
    ).encodeJPEG(quality: 80)
    let comparison = try await matcher.compare(Self.earlier("fog", fog), with: Self.field(3))
    #expect(comparison == .unlike(matches: 0))
  }

  @Test("a worker that says nothing is ended, and the comparison says that it took too long")
  func silent() async {
    let matcher = PictureMatcher(
      program: "/bin/sleep", arguments: ["1000"],
      patience: .init(comparison: .milliseconds(100), rest: .milliseconds(1)))
    #expect(await Self.fault(matcher, [1], [2]) == .tookTooLong)
    await matcher.ended()
  }

  @Test("a page that asks and asks is refused when eight comparisons wait")
  func busy() async {
    let matcher = PictureMatcher(
      program: "/bin/sleep", arguments: ["1000"],
      patience: .init(comparison: .milliseconds(300), rest: .milliseconds(1)))
    let faults = await withTaskGroup(of: MatchingError?.self) { group in
      for _ in 0..<40 { group.addTask { await Self.fault(matcher, [1], [2]) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    // One is at the worker, eight wait as long as it takes, and are too late by then.
    #expect(faults.filter { $0 == .tookTooLong }.count <= PictureMatcher.mostWaiting + 2)
    await matcher.ended()
    #expect(faults.filter { $0 == .busy }.count >= 40 - PictureMatcher.mostWaiting - 2)
  }

  @Test("a worker that ends at once, or talks nonsense, fails its comparison and no more")
  func nonsense() async {
    let ending = PictureMatcher(program: "/bin/true", arguments: [])
    #expect(await Self.fault(ending, [1], [2]) == .ended)
    #expect(await Self.fault(ending, [1], [2]) == .ended)
    let talking = PictureMatcher(program: "/usr/bin/yes", arguments: ["nonsense"])
    #expect(await Self.fault(talking, [1], [2]) == .ended)
  }

  @Test("a program that is not there is named")
  func missing() async {
    let matcher = PictureMatcher(program: "/nowhere/standpoint")
    guard case .unavailable(let reason) = await Self.fault(matcher, [1], [2]) else {
      Issue.record("nothing was said")
      return
    }
    #expect(reason.contains("/nowhere/standpoint"))
  }

  @Test("without the library the worker says where it belongs")
  func withoutLibrary() async throws {
    try await withTemporaryDirectory { folder in
      let program = folder.appendingPathComponent("standpoint").path
      try FileManager.default.copyItem(atPath: Program.standpoint, toPath: program)
      let matcher = PictureMatcher(program: program)
      guard case .unavailable(let reason) = await Self.fault(matcher, [1], [2]) else {
        Issue.record("nothing was said")
        return
      }
      #expect(reason.contains(MatchingLibrary.fileName) && reason.contains(folder.path))
    }
  }

  @Test("a worker without work ends by itself")
  func rest() async throws {
    let matcher = PictureMatcher(
      program: Program.standpoint,
      patience: .init(comparison: .seconds(60), rest: .milliseconds(1)))
    let picture = try Self.field(4)
    _ = try await matcher.compare(Self.earlier("one", picture), with: picture)
    await matcher.ended()
    let again = try await matcher.compare(Self.earlier("one", picture), with: picture)
    #expect(again.displacementPercent != nil)
  }

  @Test("a matcher that is ended has no worker, and compares no more")
  func end() async throws {
    let matcher = PictureMatcher(
      program: Program.standpoint, patience: .init(comparison: .seconds(60)))
    let picture = try Self.field(5)
    _ = try await matcher.compare(Self.earlier("one", picture), with: picture)
    await matcher.end()
    #expect(await Self.fault(matcher, picture, picture) == .ended)
  }

  @Test(
    "the worker reaches no file, no network, no other process, and no more memory",
    .enabled(if: PythonTools.areHere, PythonTools.absence))
  func confined() async throws {
    let library = Program.product(MatchingLibrary.fileName)
    let outcome = try await PythonTools.run("Confinement/confined.py", [library])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output == "compute\n")
  }

  @Test("messages of another length or kind are none")
  func wire() {
    #expect(MatchingWire.readHead([0x45, 0, 0, 1, 0])?.bytes == 256)
    #expect(MatchingWire.readHead([0x45, 0xFF, 0, 0, 0]) == nil)
    #expect(MatchingWire.readHead([0x51, 0, 0, 0, 0]) == nil)
    #expect(MatchingWire.readHead([0x45]) == nil)
    let answer = MatchingWire.answer(
      .done, inliers: 40, cells: 9, rows: [1, 0, 0.1, 0, 1, 0, 0, 0, 1])
    #expect(answer.count == MatchingWire.answerBytes)
    let read = MatchingWire.readAnswer(answer)
    #expect(read?.status == .done && read?.comparison.inliers == 40)
    #expect(abs((read?.comparison.displacementPercent ?? 0) - 10) < 1e-9)
    #expect(MatchingWire.readAnswer(Array(answer.dropLast())) == nil)
    #expect(MatchingWire.readAnswer([9] + answer.dropFirst()) == nil)
    let poisoned = MatchingWire.answer(
      .done, inliers: .max, cells: .max, rows: [.nan, 0, 0, 0, 1, 0, 0, 0, 1])
    #expect(MatchingWire.readAnswer(poisoned)?.comparison.displacementPercent == nil)
  }
}
