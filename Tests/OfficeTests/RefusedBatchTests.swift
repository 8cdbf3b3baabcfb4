import Evidence
import FieldUnit
import Foundation
import Imagery
import Inspection
import OfficeScenes
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages
@testable import Web

@Suite("Deliveries that something is wrong with")
struct RefusedBatchTests {
  @Test("a batch that is refused leaves no file behind that the office's check finds fault with")
  func refused() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let photo = try await scene.capture(unit, nil, 1)
      try unit.sendPhotos([photo.id])
      _ = try await unit.delivery.deliver(over: scene.link)
      var forger = try await Forger(scene, device: "tablet", after: photo.id)
      let names = try scene.office.photos.names()
      try forger.capture()
      try forger.nameless()
      let refusal = await #expect(throws: OfficeRefusal.self) { try await forger.deliver() }
      #expect(refusal?.kind == .batchMalformed)
      #expect(try await scene.office.operation.differences().map(\.subject) == [])
      #expect(try scene.office.photos.names() == names)
    }
  }

  @Test("a link's second signature, which needs no key, is refused and makes no fork of the chain")
  func twin() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let photo = try await scene.capture(unit, nil, 1)
      try unit.sendPhotos([photo.id])
      _ = try await unit.delivery.deliver(over: scene.link)
      let forger = try await Forger(scene, device: "tablet", after: photo.id)
      let key = forger.model.seal.link.key
      func links() async throws -> [String] {
        try await scene.office.database.read(in: "north") { try $0.chains.linkTexts(ofKey: key) }
      }
      let before = try await links()
      let refusal = await #expect(throws: OfficeRefusal.self) { try await forger.deliverTwin() }
      #expect(refusal?.kind == .batchMalformed)
      #expect(refusal?.description.contains("needed no key") == true)
      #expect(try await links() == before)
    }
  }

  @Test(
    "a photo that was cut short when its batch was begun goes as soon as its bytes are restored",
    arguments: [100_000, 800_000])
  func restored(bytes cut: Int) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let order = try await scene.order()
      let (unit, _) = try await scene.working(photos: 0)
      // The picture is large enough for several chunks, of which the office keeps the first.
      let picture = try DemonstrationPicture.grainyJPEG(
        widthPixels: 2000, heightPixels: 1500, seed: 25)
      let photo = try await scene.capture(unit, order.id, 1, picture: picture)
      try unit.provideTask(order.id)
      let path = unit.path(ofPhoto: photo.id)
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      try #require(whole.count > 900_000)
      try await withSite(scene.office) { site in
        let link = try HTTPOfficeLink(address: site.origin)
        try Data(whole.prefix(cut)).write(to: URL(fileURLWithPath: path))
        let first = try await unit.delivery.deliver(over: link)
        #expect(first.refusal != nil)
        try whole.write(to: URL(fileURLWithPath: path))
        let second = try await unit.delivery.deliver(over: link)
        #expect(second.refusal == nil, "\(String(describing: second.refusal))")
        #expect(second.delivered > 0)
        await link.close()
      }
      #expect(
        try await scene.office.review.view(of: order.id, in: "north").photos.map(\.photo.id) == [
          photo.id
        ])
      #expect(try await scene.office.operation.differences().isEmpty)
    }
  }
}
