import Evidence
import Foundation
import Inspection
import Positioning
import Receivers
import Store
import Synchronization
import TestSupport
import Testing
import TimeAndText
import Verification
import Web

@testable import DeliverySimulation
@testable import FieldPages
@testable import FieldUnit

/// Tests of a page that hands over its picture when the disk has no room for it.
@Suite("A photo from the camera page on a full disk", .timeLimit(.minutes(5)))
struct FullDiskCaptureTests {
  /// The disk below a field unit's folder.
  private final class Disk: Sendable {
    private let mounted = Mutex<SimulatedDisk?>(nil)

    func mount(on folder: URL) throws {
      let disk = try SimulatedDisk(folder: folder)
      mounted.withLock { $0 = disk }
    }
    func unmount() { mounted.withLock { $0?.unmount() } }
    /// Fills the disk: from this write on no bytes are written.
    func fill(fromWrite number: Int) {
      mounted.withLock { $0?.fill(afterWrites: number, forWrites: .max) }
    }
    func empty() { mounted.withLock { $0?.fill(afterWrites: 0, forWrites: 0) } }
  }

  /// A story that presses the shutter whenever it is available, until there is a photo. The disk is
  /// full from a write of the first photo on, and has room again before the second.
  private actor Story {
    private let disk: Disk
    private let write: Int
    private(set) var presses = 0
    private(set) var refusals: [String] = []

    init(_ disk: Disk, fullFromWrite write: Int) {
      self.disk = disk
      self.write = write
    }

    func goOn(_ site: CameraSite) async throws {
      if case .running(let running) = site.server.captureStatus {
        // The log waits for a picture that is being sealed.
        guard running.isExposing || running.isSealing else { return }
        _ = await site.outcome()
      }
      switch site.server.captureStatus {
      case .captured, .running: return
      case .refused(_, _, let words):
        refusals.append(words.description)
        try await FullDiskCaptureTests.expectNothing(site)
        disk.empty()
      case .none: break
      }
      // Without a limit a photo that never comes would be tried for ever.
      guard presses < 3 else { return }
      presses += 1
      let isFirst = presses == 1
      #expect(try await site.press().location == "/camera")
      Task { [disk, write] in
        guard let number = await site.exposure() else { return }
        if isFirst { disk.fill(fromWrite: write) }
        do {
          let answer = try await site.browser.post(
            "/camera/frame?number=\(number)", bytes: CameraSite.picture)
          #expect(answer.status == 200, "the page has done its part")
        } catch {
          Issue.record(error)
        }
      }
      // The begun capture must listen before the next epoch.
      while await site.follower.listenerCount < 2, case .running = site.server.captureStatus {
        await Task.yield()
      }
    }
  }

  /// Returns the files of a folder, without its folders.
  private static func files(_ path: String) -> [String] {
    (FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []).filter {
      FileStatus(ofPath: path + "/" + $0)?.isFile == true
    }
  }

  /// Expects that the page says why there is no photo, and that nothing of it is left.
  private static func expectNothing(_ site: CameraSite) async throws {
    let page = await CameraPages(server: site.server).cameraFragment(CameraView(page: site.page))
    #expect(page.description.contains("the disk is full"))
    let unit = try site.unit()
    #expect(try unit.photos().isEmpty)
    #expect(try unit.outbox().isEmpty)
    for folder in ["photos", "staging"] {
      #expect(files(site.scene.data + "/field/" + folder) == [], "\(folder)")
    }
  }

  /// Fills the disk from each write on. The first three write the raw window, the picture and the
  /// seal, the others the database.
  @Test(
    "it is said that the disk is full, nothing of the photo stays, and with room it is taken again",
    arguments: 1...6)
  func full(fromWrite write: Int) async throws {
    let disk = Disk()
    try await CameraSite.with(standSeconds: 150, prepare: { try disk.mount(on: $0) }) { site in
      let story = Story(disk, fullFromWrite: write)
      let listener = await site.follower.listen { event in
        guard case .positioning(.fix(let judged)) = event, judged.verdict.state == .still,
          judged.samples >= 20
        else { return }
        do {
          try await story.goOn(site)
        } catch {
          Issue.record(error)
        }
      }
      try await site.follower.run()
      await site.follower.stopListening(listener)
      guard case .captured(let captured) = await site.outcome() else {
        Issue.record("\(site.server.captureStatus)")
        return
      }
      let (refusals, presses) = (await story.refusals, await story.presses)
      #expect(refusals.count == 1 && presses == 2)
      #expect(refusals.allSatisfy { $0.contains("the disk is full") }, "\(refusals)")
      #expect(try site.unit().photos().map(\.id) == [captured.photo.id])
      #expect(Self.files(site.scene.data + "/field/staging") == [])
      // The failed photo has left no hole in the chain.
      let report = try site.scene.verify()
      #expect(report.verdict == .intact || report.verdict == .doubtful, "\(report.findings)")
    }
    disk.unmount()
  }
}
