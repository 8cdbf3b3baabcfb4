import Evidence
import Foundation
import Geodesy
import Inspection
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Verification

@testable import FieldPages
@testable import FieldUnit

@Suite("Photos for the items of an order", .timeLimit(.minutes(5)))
struct ItemPhotoTests {
  private func name(_ text: String) throws -> ItemName { try #require(ItemName(text)) }

  /// The order of the tests: a question, a shot that it asks for, two other shots and a note.
  private func order(strict station: Coordinate? = nil) throws -> OrderedItems {
    try OrderedItems(
      type: "roof", version: 2,
      items: OrderItems([
        OrderItem(
          name: name("new"), wording: "Is it new?", content: .question(Question(.yesOrNo))),
        OrderItem(
          name: name("old"), wording: "The old roof",
          condition: .equals(name("new"), .yes(false)), content: .shot(WantedShot())),
        OrderItem(
          name: name("south"), wording: "From the south <script>",
          content: .shot(
            WantedShot(
              least: 2, most: 2, station: station.map { .point($0, radiusMetres: 10) },
              bearing: station == nil ? .init(degreesTrue: 350, toleranceDegrees: 30) : nil,
              isStrict: station != nil))),
        OrderItem(
          name: name("detail"), wording: "A detail", isRequired: false,
          content: .shot(WantedShot())),
      ]))
  }

  private func task(_ scene: FieldScene, _ order: OrderedItems) throws -> InspectionTask {
    let task = try #require(try scene.tasks().first)
    try scene.unit.store.write(as: scene.unit.person) { try $0.tasks.keep(order, ofTask: task) }
    return task
  }

  private func capture(
    _ scene: FieldScene, _ task: Identifier, _ item: String?
  ) async throws -> Photo {
    var request = scene.request(task: task)
    request.item = item
    return try await scene.capture(request)
  }

  private func refusal(_ body: () async throws -> Void) async throws -> String {
    do {
      try await body()
      return "taken"
    } catch let error as InspectionError {
      return "\(error)"
    } catch FieldUnitError.captureRefused(let reasons) {
      return reasons.map { "\($0.code): \($0.wording)" }.joined(separator: "; ")
    }
  }

  @Test(
    "a photo for an item is sealed with its name, fills that item alone, and the order decides about Send"
  )
  func sealed() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let task = try task(scene, try order())
      let unit = scene.unit
      let photo = try await capture(scene, task.id, "detail")
      #expect(try unit.photo(photo.id).item == name("detail"))
      func states() throws -> [ItemStanding.State]? {
        try unit.taskItems(of: task.id)?.standing.states.map(\.state)
      }
      #expect(try states() == [.open, .notAsked, .open, .done])
      #expect(
        try await refusal { try unit.provideTask(task.id) }.contains("2 things (new, south)"))
      _ = try await capture(scene, task.id, "south")
      _ = try await capture(scene, task.id, nil)
      #expect(try states() == [.open, .notAsked, .done, .done])
      try unit.answer(.text("yes"), to: "new", ofTask: task.id)
      let report = try scene.verify()
      #expect(report.verdict == .intact, "\(report.findings)")
      try unit.provideTask(task.id)
      #expect(try unit.task(task.id).state == .dataProvided)
      let seals = try unit.store.read(as: unit.person) {
        try $0.chain.undeliveredSeals(ofWhole: task.id)
      }.filter { $0.seal.link.kind == .capture }
      #expect(
        try seals.map { try $0.photo().item?.description ?? "–" }.sorted()
          == ["detail", "south", "–"])
    }
  }

  @Test("an order with items and no shot is sent without a photo, unless the agency asks for one")
  func withoutPhoto() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let only = try OrderedItems(
        type: "q", version: 1,
        items: OrderItems([
          OrderItem(
            name: name("new"), wording: "Is it new?", content: .question(Question(.yesOrNo)))
        ]))
      let task = try task(scene, only)
      _ = try scene.unit.openTask(task.id)
      try scene.unit.answer(.text("no"), to: "new", ofTask: task.id)
      try scene.unit.provideTask(task.id)
      let other = try #require(try scene.unit.tasks().first { $0.state == .new })
      _ = try scene.unit.openTask(other.id)
      #expect(
        try await refusal { try scene.unit.provideTask(other.id) }.contains("0 of the 1 photo"))
    }
    var rules = CaptureRules()
    #expect(rules.requirements.photos(hasItems: true) == 0)
    rules[.photos] = .number(2)
    #expect(rules.requirements.photos(hasItems: true) == 2)
  }

  @Test("an item that the order has not, that asks for no photo or for no more, takes none")
  func refused() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let task = try task(scene, try order())
      func why(_ item: String) async throws -> String {
        try await refusal { _ = try await capture(scene, task.id, item) }
      }
      #expect(try await why("roof").contains("no item “roof”"))
      #expect(try await why("new").contains("asks for no photo"))
      #expect(try await why("old").contains("not asked for"))
      _ = try await capture(scene, task.id, "south")
      _ = try await capture(scene, task.id, "south")
      #expect(try await why("south").contains("the 2 photos that its order allows at most"))
      #expect(try scene.unit.photos(.task(task.id)).count == 2)
    }
  }

  @Test("a strict shot is kept at its station, and refused elsewhere with the distance")
  func strict() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let first = try await scene.capture(scene.request())
      let here = first.position.coordinate
      let elsewhere = Geodesic.direct(
        from: here, initialAzimuthDegrees: 90, distanceMetres: 80)
      let task = try task(scene, try order(strict: elsewhere))
      let words = try await refusal { _ = try await capture(scene, task.id, "south") }
      #expect(words.hasPrefix("shot-station: the camera stood 80."), "\(words)")
      #expect(try scene.unit.photos(.task(task.id)).isEmpty)
      let order = try order(strict: here)
      try scene.unit.store.write(as: scene.unit.person) {
        try $0.tasks.keep(order, ofTask: task)
      }
      _ = try await capture(scene, task.id, "south")
      #expect(try scene.unit.photos(.task(task.id)).count == 1)
    }
  }

  @Test("the camera of an item shows its words and its direction, and goes on to the next shot")
  func page() async throws {
    try await FieldSite.with { site in
      try await site.signIn()
      let unit = try #require(try site.server.unit())
      let task = try #require(try site.scene.tasks().first)
      let order = try order()
      try unit.store.write(as: unit.person) { try $0.tasks.keep(order, ofTask: task) }
      _ = try unit.openTask(task.id)
      let list = try await site.browser.get("/tasks/\(task.id)?item=south").body
      #expect(list.contains("href=\"/camera?task=\(task.id)&amp;item=south\""))
      let page = try await site.browser.get("/camera?task=\(task.id)&item=south").body
      #expect(page.contains("<h1>From the south &lt;script&gt;</h1>"))
      #expect(page.contains("data-degrees=\"350.0\" data-tolerance=\"30.0\""))
      #expect(page.contains("looking to 350° ± 30°") && page.contains("data-item=\"south\""))
      let gone = try await site.browser.get("/camera?task=\(task.id)&item=gone").body
      #expect(gone.contains("Photo for &quot;First&quot;"))
      // Behind a kept photo comes the same item while it asks for more, then the next, then the list.
      let pages = CameraPages(server: site.server)
      func onward(_ item: String) async throws -> String {
        try await pages.onward(
          from: CameraAddress(task: task.id, item: name(item)), unit)
      }
      #expect(try await onward("south") == "/camera?task=\(task.id)&item=south")
      try unit.answer(.notPossible("a dog"), to: "south", ofTask: task.id)
      #expect(try await onward("south") == "/camera?task=\(task.id)&item=detail")
      try unit.answer(.notPossible("a dog"), to: "detail", ofTask: task.id)
      #expect(try await onward("south") == "/tasks/\(task.id)#items")
    }
  }
}
