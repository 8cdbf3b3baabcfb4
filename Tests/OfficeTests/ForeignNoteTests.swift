import Evidence
import FieldUnit
import Foundation
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

@Suite("Records that name another inspector's things")
struct ForeignNoteTests {
  @Test(
    "a note on another inspector's photo or task changes nothing there, and the log says that it came",
    arguments: ["photo", "task"])
  func notes(name: String) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try await scene.order()
      let ines = try await scene.unit("ines")
      _ = try await ines.delivery.fetchTasks(over: scene.link)
      try ines.openTask(task.id)
      let hers = try await scene.capture(ines, task.id, 1)
      try ines.notePhoto(hers.id, "wet at the edge")
      try ines.noteTask(task.id, "sown in May")
      _ = try ines.provideTask(task.id)
      _ = try await ines.delivery.deliver(over: scene.link)

      let igor = try await scene.unit("igor", on: "other")
      let his = try await scene.capture(igor, nil, 2)
      try igor.sendPhotos([his.id])
      _ = try await igor.delivery.deliver(over: scene.link)
      var forger = try await Forger(scene, device: "other", after: his.id)
      try forger.note("nothing grows here", on: name, name == "photo" ? hers.id : task.id)
      try await forger.deliver()

      let (onPhoto, onTask) = try await scene.office.database.read(in: "north") { session in
        (try session.photos.photo(hers.id).photo.note, try session.tasks.task(task.id).note)
      }
      #expect(onPhoto == "wet at the edge")
      #expect(onTask == "sown in May")
      var actions: [String] = []
      try await scene.office.database.readRegistry { registry in
        try registry.forEachLogEntry { actions.append($0.action) }
      }
      #expect(actions.contains(name == "photo" ? "note-foreign" : "task-unknown"))

      // The same record on his own photo counts.
      try forger.note("nothing grows here", on: "photo", his.id)
      try await forger.deliver()
      let written = try await scene.office.database.read(in: "north") {
        try $0.photos.photo(his.id).photo.note
      }
      #expect(written == "nothing grows here")
    }
  }
}
