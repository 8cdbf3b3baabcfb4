import FieldUnit
import Foundation
import Inspection
import OfficeScenes
import Store
import Sync
import TestSupport
import Testing

@testable import Office
@testable import OfficePages

@Suite("A delivery that is repeated after a crash")
struct RepetitionTests {
  /// Puts a photo's bytes among the incoming files, as if they had just been sent.
  private func receive(_ photo: Photo, of unit: InspectorUnit, at office: OfficeServer) async throws
  {
    try await office.photos.receive(
      Array(try Data(contentsOf: URL(fileURLWithPath: unit.path(ofPhoto: photo.id)))),
      as: file(of: photo, unit, at: office))
  }

  private func file(
    of photo: Photo, _ unit: InspectorUnit, at office: OfficeServer
  ) async throws -> ReceivedFile {
    let token = try #require(try unit.store.signedIn()?.token)
    let key = try #require(try await office.sessions.visitor(withToken: token).key)
    return ReceivedFile(key: key, digest: photo.fileDigest)
  }

  @Test("clears away what the crash left between the commit and its end")
  func clearsAway() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.order()
      let (unit, task) = try await scene.working(photos: 1)
      try unit.provideTask(task.id)
      let photo = try #require(try unit.photos(.task(task.id)).first)
      // The calls are held, picture, raw window, batch: the answer to the last one is lost.
      scene.link.plan([nil, nil, nil, .lostAnswer])
      await #expect(throws: DeliveryError.self) {
        try await unit.delivery.deliver(over: scene.link)
      }
      try await receive(photo, of: unit, at: scene.office)
      let outcome = try await unit.delivery.deliver(over: scene.link)
      #expect(outcome.delivered == 2)
      #expect(try await !scene.office.photos.holdsReceived(file(of: photo, unit, at: scene.office)))
      #expect(try await scene.office.operation.differences().isEmpty)
    }
  }
}
