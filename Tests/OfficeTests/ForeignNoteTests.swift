import Evidence
import FieldUnit
import Foundation
import Inspection
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing

@testable import Office

@Suite("Records that name another inspector's things")
struct ForeignNoteTests {
  /// A note that igor's device has sealed with its own key, on whatever photo or task.
  private func note(
    _ subject: (name: String, id: Identifier), after seal: SealFile, key: SoftwareDeviceKey,
    at time: DeviceTime
  ) throws -> BatchMessage {
    guard case .object(var parts) = seal.record else {
      throw StoreError.unknown(what: "record", id: "\(seal.seal.link.id)")
    }
    let id = Identifier(at: time)
    parts["id"] = .string("\(id)")
    parts["kind"] = .string("note")
    var words: [String: JSONValue] = ["text": .string("nothing grows here")]
    if subject.name == "photo" {
      words["photo"] = .string("\(subject.id)")
    } else {
      parts["task"] = .object(["id": .string("\(subject.id)")])
    }
    parts["note"] = .object(words)
    let record = JSONValue.object(parts)
    var link = seal.seal.link
    (link.kind, link.id, link.previous) = (.note, id, seal.seal.digest)
    link.sequence += 1
    (link.file, link.raw) = (nil, nil)
    link.record = Digest.hexadecimal(record.canonicalBytes)
    return BatchMessage(
      id: Identifier(at: time), key: link.key, made: time, links: [],
      seals: [SealFile(record: record, seal: try Seal(link, with: key))], files: [])
  }

  @Test(
    "a note on another inspector's photo or task changes nothing there, and the log says that it came",
    arguments: ["photo", "task"])
  func notes(name: String) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let task = try scene.order()
      let ines = try await scene.unit("ines")
      _ = try await ines.fetchTasks(over: scene.link)
      try ines.openTask(task.id)
      let hers = try await scene.capture(ines, task.id, 1)
      try ines.notePhoto(hers.id, "wet at the edge")
      try ines.noteTask(task.id, "sown in May")
      _ = try ines.provideTask(task.id)
      _ = try await ines.deliver(over: scene.link)

      let igor = try await scene.unit("igor", on: "other")
      let his = try await scene.capture(igor, nil, 2)
      try igor.sendPhotos([his.id])
      _ = try await igor.deliver(over: scene.link)
      let seal = try #require(
        try scene.office.database.read(in: "north") { try $0.seal(of: his.id, .capture) })
      let place = folder.appendingPathComponent("other/field/keys/\(seal.seal.link.key).pem")
      let key = try SoftwareDeviceKey(pem: try String(contentsOf: place, encoding: .utf8))
      let token = try scene.desk("other").signedIn()?.token
      let visitor = try scene.office.visitor(withToken: token)
      let batch = try note(
        (name, name == "photo" ? hers.id : task.id), after: seal, key: key,
        at: scene.clock.deviceTime)
      _ = try scene.office.receive(batch: batch.bytes, id: batch.id, from: visitor)

      let (onPhoto, onTask) = try scene.office.database.read(in: "north") { session in
        (try session.photo(hers.id).photo.note, try session.task(task.id).note)
      }
      #expect(onPhoto == "wet at the edge")
      #expect(onTask == "sown in May")
      var actions: [String] = []
      try scene.office.database.readRegistry { registry in
        try registry.forEachLogEntry { actions.append($0.action) }
      }
      #expect(actions.contains(name == "photo" ? "note-foreign" : "task-unknown"))

      // On his own photo the same record counts.
      let own = try note(
        ("photo", his.id), after: batch.seals[0], key: key, at: scene.clock.deviceTime)
      _ = try scene.office.receive(batch: own.bytes, id: own.id, from: visitor)
      let written = try scene.office.database.read(in: "north") {
        try $0.photo(his.id).photo.note
      }
      #expect(written == "nothing grows here")
    }
  }
}
