import Evidence
import Foundation
import Imagery
import Inspection
import Store
import TestSupport
import Testing
import Verification

@testable import FieldPages
@testable import FieldUnit

@Suite("Previews of photos on the device", .timeLimit(.minutes(5)))
struct ThumbnailDeskTests {
  private func wait(for id: Identifier, on shelf: ThumbnailShelf) async {
    while !shelf.holds(id) { await Task.yield() }
  }

  @Test("a preview is made when its photo has been sealed, is no evidence, and goes with the photo")
  func withItsPhoto() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let desk = ThumbnailDesk()
      desk.follow(scene.unit)
      let photo = try await scene.capture(scene.request())
      let shelf = scene.unit.thumbnails
      await wait(for: photo.id, on: shelf)
      #expect(
        shelf.path(photo.id).hasSuffix("/field/thumbnails/\(photo.id.folder)/\(photo.id).jpg"))
      let preview = try JPEGPicture.inspect(try DurableFile.read(shelf.path(photo.id)))
      #expect(preview.widthPixels == 320 && preview.heightPixels == 240)
      // The verifier does not count the preview as another photo.
      let report = try scene.verify()
      try FileManager.default.removeItem(atPath: scene.data + "/field/thumbnails")
      #expect(try scene.verify().findings == report.findings)
      #expect(await desk.path(photo.id, of: scene.unit) == shelf.path(photo.id))
      try scene.unit.deletePhoto(photo.id, reason: "blurred")
      #expect(!shelf.holds(photo.id))
      #expect(await desk.path(photo.id, of: scene.unit) == nil)
    }
  }

  @Test("photos without a preview get theirs when a unit begins to work, and when a page asks")
  func madeAnew() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let photo = try await scene.capture(scene.request())
      let shelf = scene.unit.thumbnails
      #expect(!shelf.holds(photo.id), "nobody has asked for it")
      let desk = ThumbnailDesk()
      #expect(await desk.path(photo.id, of: scene.unit) == shelf.path(photo.id))
      let first = try DurableFile.read(shelf.path(photo.id))
      try DurableFile.remove(shelf.path(photo.id))
      desk.follow(try FieldScene.unit(folder, clock: scene.clock))
      await wait(for: photo.id, on: shelf)
      #expect(try DurableFile.read(shelf.path(photo.id)) == first)
    }
  }

  @Test("what is no picture has no preview, and nothing is left of the try")
  func unreadable() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let photo = try await scene.capture(scene.request())
      let shelf = scene.unit.thumbnails
      let path = scene.unit.path(ofPhoto: photo.id)
      let picture = try DurableFile.read(path)
      for bytes in [[], Array("<svg>".utf8), Array(picture.prefix(picture.count / 2))] {
        try DurableFile.write(bytes, to: path)
        let desk = ThumbnailDesk()
        #expect(await desk.path(photo.id, of: scene.unit) == nil)
        #expect(await desk.path(photo.id, of: scene.unit) == nil, "asked again")
      }
      try DurableFile.remove(path)
      #expect(throws: StoreError.self) { try shelf.make(photo.id) }
      #expect(!shelf.holds(photo.id))
      // The file may come back from a backup, so that a missing one is tried again.
      let desk = ThumbnailDesk()
      #expect(await desk.path(photo.id, of: scene.unit) == nil)
      try DurableFile.write(picture, to: path)
      #expect(await desk.path(photo.id, of: scene.unit) != nil)
    }
  }
}
