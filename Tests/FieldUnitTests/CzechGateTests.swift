import Foundation
import Inspection
import Positioning
import Receivers
import TestSupport
import Testing
import TimeAndText
import Web

@testable import FieldPages
@testable import FieldUnit

/// Tests that the gate's reasons are sent in the language of the page, also in its live parts.
@Suite("The field unit's words in Czech", .timeLimit(.minutes(5)))
struct CzechGateTests {
  /// Returns the first piece of a live part that a Czech page gets.
  private func first(
    _ pages: CameraPages, _ fragment: @escaping @Sendable () async -> HTML
  ) async -> String {
    let stream = Texts.$current.withValue(.czech) { pages.live(fragment) }
    for await html in stream { return "\(html)" }
    return ""
  }

  @Test("the gate's reasons and the receiver's states are sent in the language of the page")
  func gate() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let follower = try scene.follower()
      let server = try FieldServer(
        configuration: scene.unit.configuration, clock: scene.clock, follower: follower,
        defaultOffice: nil, camera: nil)
      let pages = CameraPages(server: server)
      let before = await first(pages) { await pages.cameraFragment(CameraView()) }
      #expect(before.contains("Poloha zatím není určena") && before.contains("navazuje se spojení"))
      try await follower.run()
      scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: 20), limit: nil)
      let after = await first(pages) { await pages.cameraFragment(CameraView()) }
      #expect(after.contains("bez určení polohy již 20"), "\(after)")
      #expect(await first(pages) { await pages.lightFragment() }.contains("záznam skončil"))
      let english = await pages.cameraFragment(CameraView())
      #expect("\(english)".contains("no fix for 20"))
    }
  }

  @Test("a refusal's page is Czech, and its English words stay what programs are told")
  func refusals() throws {
    let reasons = [GateReason.moving(metresPerSecond: 1.2, limitMetresPerSecond: 0.2), .noFix]
    let error = FieldUnitError.captureRefused(
      reasons.map { GateRefusal(code: $0.code, wording: $0.wording) })
    #expect(
      "\(error)"
        == "no photo was taken: moving at 1.20 m/s, limit 0.20 m/s: stand still;"
        + " the receiver has no position")
    let problem = try #require(
      Texts.$current.withValue(.czech) { FieldRefusal(of: error)?.problem })
    #expect(problem.code == "capture-refused" && problem.detail == "\(error)")
    #expect(
      Texts.czech.detail(of: problem)
        == "fotografie nebyla pořízena: pohyb 1,20 m/s, mez 0,20 m/s: stůjte v klidu;"
        + " přijímač nemá polohu")
    #expect(Texts.czech.title(of: problem) == "To se nezdařilo")
    #expect(String(decoding: problem.json, as: UTF8.self).contains("no photo was taken"))
    let locked = InspectionError.transitionForbidden(action: .accept, from: .open)
    #expect(locked.description == "a task that is Open cannot be accepted")
    #expect(
      Texts.czech(locked.wording) == "úkol ve stavu „Otevřený“ nelze změnit krokem „přijmout“")
  }
}
