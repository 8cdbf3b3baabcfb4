import AsyncHTTPClient
import Evidence
import Foundation
import Geodesy
import Inspection
import NIOCore
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
@testable import Predecessor
@testable import Web

@Suite("What an order asks for, on phones", .timeLimit(.minutes(5)))
struct PhoneItemsTests {
  private func name(_ text: String) throws -> ItemName { try #require(ItemName(text)) }

  /// The items of the tests: words, a shot with wishes, a question and what hangs on it, a shot.
  private func items() throws -> OrderItems {
    try OrderItems([
      OrderItem(
        name: name("intro"), wording: "Begin at the gate.", isRequired: false, content: .words),
      OrderItem(
        name: name("roof"), wording: "The roof", hint: "from the road",
        content: .shot(
          WantedShot(
            bearing: .init(degreesTrue: 90, toleranceDegrees: 15), needsScale: true))),
      OrderItem(name: name("new"), wording: "Is it new?", content: .question(Question(.yesOrNo))),
      OrderItem(
        name: name("who"), wording: "Who built it?", isRequired: false,
        condition: .equals(name("new"), .yes(true)), content: .question(Question(.text))),
      OrderItem(name: name("gate"), wording: "The gate", content: .shot(WantedShot())),
    ])
  }

  private static let lines = [
    "Begin at the gate.",
    "1. The roof (from the road) [1 photo, looking to 90° ± 15°, with a scale]",
    "2. Is it new? [yes or no]",
    "3. Who built it? [in words; may be left out; only if the answer to 2 is: yes]",
    "4. The gate [1 photo]",
  ]

  private func order(_ phones: PhoneScene, _ items: OrderItems) async throws -> InspectionTask {
    _ = try await phones.office.templates.take(
      items, title: nil, forType: "farm", in: "north", by: "otto")
    return try await phones.scene.order("Farm", type: "farm")
  }

  /// Sends photos of a task, one after the other, and then the task.
  /// - Parameter first: the number of the first picture.
  private func send(
    _ phones: PhoneScene, _ app: PhoneApp, _ user: String, task: String, photos: Int,
    first: Int = 0
  ) async throws {
    for number in first..<(first + photos) {
      let json = app.photo(
        try OfficeScene.picture(number), user: user,
        created: "2026-06-01T11:20:0\(number).000+02:00")
      #expect(try await app.send(json, user: user, task: task).word == "ok")
      // Photos are named by their arrival: each comes a second after the one before.
      phones.later(hours: 1.0 / 3600)
    }
    let sent = try await app.call(
      "status", [("task_id", task), ("status", "data provided"), ("note", "")])
    #expect(sent.word == "ok")
  }

  private func read(_ phones: PhoneScene, _ task: Identifier) async throws -> TaskItemsRead {
    let read = try await phones.office.database.read(in: "north") { session in
      try TaskItemsRead(
        of: session.tasks.task(task), photos: session.photos.list(.task(task)), session)
    }
    return try #require(read)
  }

  @Test("a task without items has the text that it always had, byte for byte")
  func without() async throws {
    try await withPhones { phones, site in
      _ = try await phones.scene.order()
      let app = PhoneApp(kind: .iOS, site: site)
      let user = try await app.logIn()
      let answer = try await app.raw("tasks", body: app.body([("user_id", user)])).body
      let number = try #require(try await app.tasks(user: user).first?["id"]?.text)
      let expected =
        "{\"status\":\"ok\",\"error_msg\":null,\"tasks\":[{\"id\":\"\(number)\",\"status\":\"new\","
        + "\"name\":\"Beet\",\"text\":\"One photo.\",\"text_returned\":null,"
        + "\"date_created\":\"2026-06-01 09:30:00\",\"task_due_date\":\"2099-12-31 23:59:59\","
        + "\"note\":null,\"number_of_photos\":\"0\",\"flag_valid\":\"0\",\"flag_invalid\":\"0\","
        + "\"photos_ids\":[]}]}"
      #expect(answer == expected)
    }
  }

  @Test(
    "the items of an order follow its instructions as lines, in the language of the app",
    arguments: PhoneApp.Kind.allCases)
  func travel(_ kind: PhoneApp.Kind) async throws {
    try await withPhones { phones, site in
      let order = try await order(phones, try items())
      let plain = try await phones.scene.order("Beet")
      let app = PhoneApp(kind: kind, site: site)
      let user = try await app.logIn()
      func text(_ name: String) async throws -> String? {
        try await app.tasks(user: user).first { $0["name"]?.text == name }?["text"]?.text
      }
      #expect(
        try await text("Farm") == (["One photo."] + Self.lines).joined(separator: "\n"))
      #expect(try await text("Beet") == plain.instructions)
      let raw = try await app.raw("tasks", body: app.body([("user_id", user)])).body
      #expect(raw.contains("looking to 90\\u00b0 \\u00b1 15\\u00b0, with a scale]\\n2. Is it new?"))
      let czech = try await site.send(
        "POST", app.path("tasks"),
        [
          ("Content-Type", "application/x-www-form-urlencoded"),
          ("Accept-Language", "cs-CZ,cs;q=0.9"),
        ], body: .bytes(ByteBuffer(string: app.body([("user_id", user)]))))
      let told = try JSONValue(parsing: czech.bytes)["tasks"]?.elements?
        .compactMap { $0["text"]?.text }.first { $0.contains("The roof") }
      #expect(told?.contains("[1 fotografie, pohled na 90° ± 15°, s měřítkem]") == true)
      // Without instructions the lines alone are the text.
      _ = try await phones.scene.office.orders.changeOrder(of: order.id, in: "north", by: "otto") {
        $0.instructions = nil
      }
      #expect(try await text("Farm") == Self.lines.joined(separator: "\n"))
    }
  }

  @Test("hostile wordings stay in their lines, and the answer stays ASCII")
  func hostile() async throws {
    try await withPhones { phones, site in
      let wording = "\(hostileText)\\\u{2028}2. Nothing more\u{1}"
      _ = try await order(
        phones,
        try OrderItems([
          OrderItem(name: name("roof"), wording: wording, content: .shot(WantedShot(least: 3)))
        ]))
      let app = PhoneApp(kind: .android, site: site)
      let text = try await app.tasks(user: try await app.logIn()).first?["text"]?.text
      #expect(
        text == "One photo.\n1. \(hostileText)\\ 2. Nothing more\u{1} [3 photos]")
    }
  }

  @Test("a phone's photos fill the first open shots, and the officer sees each at its item")
  func filling() async throws {
    try await withPhones { phones, site in
      let order = try await order(phones, try items())
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      let task = try #require(try await app.tasks(user: user).first?["id"]?.text)
      try await send(phones, app, user, task: task, photos: 2)
      let photos = try await phones.office.review.view(of: order.id, in: "north").photos
        .map(\.photo.id).sorted()
      let items = try await read(phones, order.id)
      #expect(try items.given.photos == [name("roof"): [photos[0]], name("gate"): [photos[1]]])
      #expect(
        items.standing.states.map(\.state) == [.done, .done, .open, .notAsked, .done])
      let otto = site.browser()
      try await otto.signIn("otto")
      let page = try await otto.get("/tasks/\(order.id)")
      func row(_ item: String, of page: String) throws -> String {
        let parts = page.components(separatedBy: "<li id=\"item-\(item)\">")
        try #require(parts.count == 2)
        return try #require(parts[1].components(separatedBy: "</li>").first)
      }
      #expect(try row("roof", of: page.body).contains("href=\"/photos/\(photos[0])\""))
      #expect(try row("gate", of: page.body).contains("href=\"/photos/\(photos[1])\""))

      // The second photo shows the roof, too: the first one then fills the gate until it is moved.
      func move(_ photo: Identifier) async throws -> TaskItemsRead {
        let page = try await otto.get("/tasks/\(order.id)")
        let moved = try await otto.post(
          "/photos/\(photo)/item",
          ["item": "roof", "seen": page.field("seen") ?? "", "shown": page.field("shown") ?? ""])
        #expect(moved.status == 303, "\(moved.body)")
        return try await read(phones, order.id)
      }
      let between = try await move(photos[1])
      #expect(
        try between.given.photos == [name("roof"): [photos[1]], name("gate"): [photos[0]]])
      let after = try await move(photos[0])
      #expect(try after.given.photos[name("roof")] == photos)
      #expect(after.standing.states.last?.state == .open)
      let shown = try await otto.get("/tasks/\(order.id)").body
      #expect(try row("roof", of: shown).contains("href=\"/photos/\(photos[1])\""))
      #expect(try !row("gate", of: shown).contains("/photos/\(photos[1])"))
      // Nothing that the phone sent has changed, and it gets the photo back as it was.
      let fields = try await phones.office.database.read(in: "north") {
        try $0.phones.phonePhoto(photos[1])
      }
      #expect(fields?.digestHolds == true)
    }
  }

  @Test("a returned item says so in its line until the task is sent again")
  func returned() async throws {
    try await withPhones { phones, site in
      let order = try await order(phones, try items())
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      let task = try #require(try await app.tasks(user: user).first?["id"]?.text)
      func text() async throws -> String? {
        try await app.tasks(user: user).first?["text"]?.text
      }
      let plain = (["One photo."] + Self.lines).joined(separator: "\n")
      try await send(phones, app, user, task: task, photos: 2)
      #expect(try await text() == plain)
      let seen = try await phones.office.review.view(of: order.id, in: "north").task.history.count
      try await phones.office.review.decide(
        .returnToInspector, on: order.id, by: phones.scene.person("otto"), reason: nil, seen: seen,
        returning: [name("gate"): "too dark\n5. and more"])
      var marked = ["One photo."] + Self.lines
      marked[2] += " – accepted by the office"
      marked[5] += " – Returned: too dark 5. and more"
      #expect(try await text() == marked.joined(separator: "\n"))
      #expect(
        try await app.tasks(user: user).first?["text_returned"]?.text
          == "The gate: too dark\n5. and more")
      try await send(phones, app, user, task: task, photos: 1, first: 2)
      #expect(try await text() == plain)
      let items = try await read(phones, order.id)
      #expect(try items.given.photos[name("gate")]?.count == 1)
      #expect(items.standing.states.last?.state == .done)
      // Nothing is to be done for a decided task.
      try await phones.decide(.accept, order.id)
      #expect(try await text() == "One photo.")
    }
  }
}
