import Foundation
import Imagery
import Inspection
import Matching
import Receivers
import TestSupport
import Testing

@testable import FieldPages
@testable import FieldUnit

@Suite("The live picture compared with an earlier photo", .timeLimit(.minutes(5)))
struct MatchPagesTests {
  private struct Answer: Decodable {
    var state: String
    var inliers: Int
    var rows: [Double]?
    var displacementPercent: Double?
  }

  private static func picture(seed: UInt64) throws -> [UInt8] {
    try DemonstrationPicture.jpeg(
      widthPixels: 800, heightPixels: 600, seed: seed, captionLines: ["page"])
  }

  /// Takes a photo of a picture on the camera page, and runs `body` with its identifier.
  private func withPhoto(
    matcher: PictureMatcher? = nil,
    _ body: @escaping @Sendable (CameraSite, Identifier) async throws -> Void
  ) async throws {
    let matcher =
      matcher
      ?? PictureMatcher(
        program: Program.standpoint, patience: .init(comparison: .seconds(60)))
    try await CameraSite.with(matcher: matcher) { site in
      try await site.replay { site in
        let begun = try await site.press()
        #expect(begun.location == "/camera")
        Task {
          guard let number = await site.exposure() else { return }
          _ = try? await site.browser.post(
            "/camera/frame?number=\(number)", bytes: Self.picture(seed: 7))
        }
      }
      guard case .captured(let captured) = await site.outcome() else {
        Issue.record("\(site.server.captureStatus)")
        return
      }
      try await body(site, captured.photo.id)
    }
  }

  private func ask(_ site: CameraSite, _ photo: Identifier, _ live: [UInt8]) async throws -> Answer
  {
    let answer = try await site.browser.post("/camera/match?photo=\(photo)", bytes: live)
    #expect(answer.status == 200, "\(answer.body)")
    return try JSONDecoder().decode(Answer.self, from: Data(answer.body.utf8))
  }

  @Test(
    "the same view is told by the map between the two, another one is unlike, and rubbish fails")
  func answers() async throws {
    try await withPhoto { site, photo in
      let same = try await ask(site, photo, Self.picture(seed: 7))
      #expect(same.state == "matched" && same.inliers >= 30)
      #expect(try #require(same.displacementPercent) < 0.1)
      let rows = try #require(same.rows)
      #expect(rows.count == 9 && abs(rows[0] / rows[8] - 1) < 0.01)
      // Drawn pictures share their band and their caption: that alone is no match.
      let other = try await ask(site, photo, Self.picture(seed: 8))
      #expect(other.state == "unlike" && other.rows == nil && other.displacementPercent == nil)
      let rubbish = try await ask(site, photo, Array("no picture".utf8))
      #expect(rubbish.state == "failed")
      let again = try await ask(site, photo, Self.picture(seed: 7))
      #expect(again.state == "matched")
    }
  }

  @Test("a photo that is not there, and none at all, are refused")
  func refused() async throws {
    try await withPhoto { site, photo in
      let unknown = try await site.browser.post(
        "/camera/match?photo=\(Identifier(at: site.scene.clock.deviceTime))", bytes: [1])
      #expect(unknown.status == 404)
      let unnamed = try await site.browser.post("/camera/match", bytes: [1])
      #expect(unnamed.status == 404)
    }
  }

  @Test("a device without the library says so, and takes photos as before")
  func unavailable() async throws {
    try await withPhoto(matcher: PictureMatcher(program: "/nowhere")) { site, photo in
      let answer = try await ask(site, photo, Self.picture(seed: 7))
      #expect(answer.state == "unavailable")
    }
  }
}
