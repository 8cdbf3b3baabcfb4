import Evidence
import FieldUnit
import Foundation
import Inspection
import Positioning
import SetCapture
import Store
import TestSupport
import Testing
import TimeAndText
import Verification

@testable import DeliverySimulation

@Suite("A disk that fills while a set is taken", .timeLimit(.minutes(5)))
struct FullDiskSetTests {
  /// A walk on whose way the disk fills.
  private struct Filling: SetFrameSource {
    let player: WalkPlayer
    let disk: SimulatedDisk
    let afterFrames: Int

    func frames(at moment: ElapsedTime, for run: SetRun) async {
      if await run.news.filled >= afterFrames { disk.fill(afterWrites: 1, forWrites: .max) }
      await player.frames(at: moment, for: run)
    }
  }

  @Test("loses no frame that was told kept, says that it is full, and the set is ended later")
  func full() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try SetScene(folder, legs: SetScene.legs(degrees: 360))
      let disk = try SimulatedDisk(folder: URL(fileURLWithPath: scene.unit.folder.openSets))
      defer { disk.unmount() }
      let request = SetRequest(
        task: nil, terms: try FrameSetTerms(kind: .around), waitSeconds: 120,
        source: Filling(
          player: WalkPlayer(try scene.walk(degrees: 360)), disk: disk, afterFrames: 50))
      let problem = await #expect(throws: StoreError.self) { try await scene.take(request) }
      #expect(problem.map { "\($0)" }?.contains("the disk is full") == true)
      let open = try #require(try scene.unit.openSets().first)
      let kept = try open.frames()
      #expect((50...55).contains(kept.count), "\(kept.count)")
      #expect(try scene.unit.sets().isEmpty)
      #expect(try scene.verify().checked == 0)
      // There is room again: the set is ended as it is.
      disk.fill(afterWrites: 0, forWrites: 0)
      let later = try SetScene(folder, legs: SetScene.legs(degrees: 0, endSeconds: 100), seed: 3)
      let head = try await later.resume(open, nil)
      #expect(head.filled == kept.count && !head.isComplete)
      #expect(try later.verify().verdict == .intact)
    }
  }
}
