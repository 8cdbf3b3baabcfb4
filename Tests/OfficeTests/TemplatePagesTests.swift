import AsyncHTTPClient
import Evidence
import Foundation
import Geodesy
import Inspection
import NIOCore
import OfficeScenes
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import ItemViewing
@testable import Office
@testable import OfficePages
@testable import Web

@Suite("Templates built on pages", .timeLimit(.minutes(3)))
struct TemplatePagesTests {
  private static func name(_ text: String) throws -> ItemName { try #require(ItemName(text)) }

  /// Returns items of each kind, with all that a form can show, and some that it cannot.
  private static func items() throws -> [OrderItem] {
    let choices = try [("maize", "Maize, | or so"), ("2", "Ležící ladem")].map {
      Question.Choice(name: try #require(ItemName(choice: $0.0)), wording: $0.1)
    }
    let (crop, high) = (try name("crop"), try name("high"))
    let place = try #require(Coordinate(latitudeDegrees: 49.08375, longitudeDegrees: -16.6))
    return [
      OrderItem(
        name: crop, wording: "Crop <script>", hint: "Look \"twice\"",
        content: .question(.init(.choice(choices)))),
      OrderItem(
        name: try name("several"), wording: "Several", isRequired: false,
        condition: .not(.isOneOf(crop, [choices[0].name])),
        content: .question(.init(.several(choices)))),
      OrderItem(
        name: high, wording: "High", condition: .isOneOf(crop, [choices[1].name]),
        content: .question(.init(.number(.init(unit: "m", least: -1.5, most: 20, isWhole: true))))),
      OrderItem(
        name: try name("wet"), wording: "Wet", condition: .less(high, than: .number(3)),
        content: .question(.init(.yesOrNo))),
      OrderItem(
        name: try name("why"), wording: "Why",
        condition: .all([.equals(try name("wet"), .yes(true)), .more(high, than: .number(1))]),
        content: .question(.init(.text))),
      OrderItem(
        name: try name("day"), wording: "Day", condition: .equals(try name("wet"), .yes(false)),
        content: .question(.init(.date))),
      OrderItem(
        name: try name("shot"), wording: "Shot",
        content: .shot(
          WantedShot(
            least: 2, most: 4, station: .point(place, radiusMetres: 12.5),
            bearing: .init(degreesTrue: 350, toleranceDegrees: 20), distance: .far, hold: .across,
            needsScale: true, isStrict: true))),
      OrderItem(
        name: try name("section"), wording: "In a section",
        content: .shot(WantedShot(station: .section("A")))),
      OrderItem(
        name: try name("set"), wording: "Set",
        content: .shot(WantedShot(set: NeededSet(kind: .turn, sectors: 8)))),
      OrderItem(name: try name("walk"), wording: "Walk", content: .track(.roundParcel)),
      OrderItem(name: try name("note"), wording: "Note", isRequired: false, content: .note),
      OrderItem(name: try name("read"), wording: "Read", isRequired: false, content: .words),
    ]
  }

  private static func sent(_ fields: [String: String]) throws -> WebForm {
    func escaped(_ text: String) -> String {
      text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
    return try WebForm(
      urlEncoded: fields.map { "\(escaped($0))=\(escaped($1))" }.joined(separator: "&"))
  }

  @Test("an item that is opened and kept without a change is the same item")
  func same() throws {
    let items = try Self.items()
    for (index, item) in items.enumerated() {
      let open = ItemForm(item)
      var fields = open.fields
      fields["kind"] = open.kind.rawValue
      if open.keptCondition != nil { fields["if-kept"] = "yes" }
      let form = try #require(ItemForm(try Self.sent(fields), kept: item.condition))
      #expect(try form.item(below: Array(items[..<index]), before: item) == item, "\(item.name)")
    }
    #expect(Set(try Self.items().map { ItemKind($0.content) }) == Set(ItemKind.allCases))
  }

  @Test("what a form cannot show in one line, and limits that are no answers, survive it")
  func lines() throws {
    let whole = OrderItem(
      name: try Self.name("n"), wording: "One\nTwo", hint: "\nThree\n\nFour",
      content: .question(.init(.number(.init(isWhole: true)))))
    let below = OrderItem(
      name: try Self.name("b"), wording: "B", condition: .less(whole.name, than: .number(2.5)),
      content: .question(
        .init(
          .choice([.init(name: try #require(ItemName(choice: "m")), wording: "Maize\n(silage)")]))))
    var items: [OrderItem] = []
    for item in [whole, below] {
      var fields = ItemForm(item).fields
      fields["kind"] = ItemForm(item).kind.rawValue
      let form = try #require(ItemForm(try Self.sent(fields), kept: nil))
      items.append(try form.item(below: items, before: item))
    }
    #expect(items[0].wording == "One\nTwo" && items[0].hint == "Three\n\nFour")
    #expect(items[1].condition == below.condition)
    #expect(items[1].question?.choices.map(\.wording) == ["Maize (silage)"])
    #expect(items[1].question?.choices.count == 1)
  }

  @Test("half a station, a tolerance alone and a condition without a value are refused in words")
  func halves() throws {
    let items = try Self.items()
    for (fields, words) in [
      (["latitude": "49.08"], "degrees north and degrees east"),
      (["radius": "5"], "degrees north and degrees east"),
      (["tolerance": "5"], "needs a direction"),
      (["if-item": "crop"], "has no value"),
      (["if-item": "note", "if-value": "x"], "no question above"),
      (["if-item": "crop", "if-sign": "less", "if-value": "1"], "Only numbers and days"),
      (["least": "1e999"], "is no number"), (["least": "1.5"], "is no whole number"),
    ] {
      let all = ["kind": "shot", "name": "x", "wording": "X"].merging(fields) { $1 }
      let form = try #require(ItemForm(try Self.sent(all), kept: nil))
      do {
        _ = try form.item(below: items, before: nil)
        Issue.record("\(fields) was taken")
      } catch {
        #expect("\(error.wording)".contains(words), "\(error.wording)")
      }
    }
  }

  @Test("a condition that is not kept is gone, and a number takes a decimal comma")
  func changed() throws {
    let items = try Self.items()
    let why = items[4]
    var fields = ItemForm(why).fields
    fields["kind"] = "number"
    fields["least"] = "0,5"
    let form = try #require(ItemForm(try Self.sent(fields), kept: why.condition))
    let item = try form.item(below: Array(items[..<4]), before: why)
    #expect(item.condition == nil)
    #expect(item.question?.form == .number(.init(least: 0.5)))
    #expect(ItemForm.shortName("Ležící ladem!") == "lezici_ladem_")
  }

  private func scene(
    _ body: @escaping @Sendable (OfficeScene, OfficeSite, OfficeBrowser) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        try await body(scene, site, otto)
      }
    }
  }

  /// Returns the items that a page carries in its hidden field.
  private func draft(_ page: String) throws -> String {
    let rest = try #require(
      page.components(separatedBy: "name=\"items\" value=\"").dropFirst().first)
    return String(rest.prefix { $0 != "\"" }).replacing("&quot;", with: "\"").replacing(
      "&#34;", with: "\""
    )
    .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
  }

  @Test("an officer builds a template item by item, moves them, and keeps a version")
  func build() async throws {
    try await scene { scene, _, otto in
      var page = try await otto.get("/templates/edit?type=crop").body
      #expect(page.contains("There are no items yet"))
      func step(_ fields: [String: String]) async throws -> Answer {
        var all = ["type": "crop", "items": try draft(page), "title": "Crops"]
        all.merge(fields) { $1 }
        return try await otto.post("/templates/edit", all)
      }
      page = try await step(["do": "add", "kind": "choice"]).body
      #expect(page.contains("name=\"choices\"") && page.contains("Take into the list"))
      let crop = [
        "do": "save", "kind": "choice", "place": "new", "name": "crop", "wording": "Crop <script>",
        "required": "yes", "choices": "maize | Maize\nLežící ladem",
      ]
      let refused = try await step(crop.merging(["name": "1 crop"]) { $1 })
      #expect(refused.status == 422 && refused.body.contains("The short name begins with a letter"))
      #expect(refused.body.contains("value=\"1 crop\"") && refused.body.contains("Ležící ladem"))
      page = try await step(crop).body
      #expect(page.contains("Crop &lt;script&gt;") && page.contains("phone-preview"))
      page = try await step([
        "do": "save", "kind": "shot", "place": "new", "name": "roof", "wording": "The roof",
        "least": "2", "if-item": "crop", "if-sign": "is", "if-value": "lezici_ladem",
      ]).body
      #expect(page.contains("on a condition") && page.contains("2 photos"))
      let twice = try await step(crop)
      #expect(twice.status == 422 && twice.body.contains("another item has the same name"))
      let above = try await step(["do": "up:1"])
      #expect(above.status == 422, "its condition refers to the item that would be below it")
      let kept = try await step(["do": "keep"])
      #expect(kept.status == 303)
      let template = try await scene.office.templates.template(
        ofType: "crop", version: nil, in: "north")
      #expect(template.version == 1 && template.title == "Crops" && template.author == "otto")
      let (first, second) = (template.items.items[0], template.items.items[1])
      #expect(first.question?.choices.map(\.name.description) == ["maize", "lezici_ladem"])
      #expect(second.condition == .isOneOf(first.name, [try #require(ItemName("lezici_ladem"))]))
      let stale = try await step(["do": "drop:1", "version": "0"])
      let late = try await step(["do": "keep", "version": "0", "items": try draft(stale.body)])
      #expect(late.status == 422 && late.body.contains("version 1 was kept meanwhile, by otto"))
      // Kept again without a change, it is no new version; without its first item it cannot be.
      #expect(try await step(["do": "keep"]).status == 303)
      #expect(try await step(["do": "drop:0"]).status == 422)
      page = try await step(["do": "drop:1"]).body
      #expect(page.contains("You have changes that are not kept yet."))
      #expect(try await step(["do": "keep"]).status == 303)
      let newest = try await scene.office.templates.newest(of: "north")
      #expect(newest.map(\.version) == [2])
      let list = try await otto.get("/templates").body
      #expect(list.contains("Crops") && list.contains("/templates/edit?type=crop"))
    }
  }

  @Test("hostile forms and other people are refused, and nothing is kept")
  func hostile() async throws {
    try await scene { scene, site, otto in
      for items in ["nonsense", "{}", "[{\"id\":\"a\"}]", "[1]"] {
        let answer = try await otto.post(
          "/templates/edit", ["type": "crop", "items": items, "do": "keep"])
        #expect((400...422).contains(answer.status), "\(items): \(answer.status)")
      }
      for action in ["edit:7", "up:-1", "drop:99999999999999999999", "nonsense", ""] {
        let answer = try await otto.post(
          "/templates/edit", ["type": "crop", "items": "[]", "do": action])
        #expect(answer.status == 200, "\(action)")
      }
      #expect(try await otto.post("/templates/edit", ["type": " ", "items": "[]"]).status == 400)
      let empty = try await otto.post(
        "/templates/edit", ["type": "crop", "items": "[]", "do": "keep"])
      #expect(empty.status == 422)
      let ines = site.browser()
      try await ines.signIn("ines")
      #expect(try await ines.get("/templates").status == 403)
      #expect(try await scene.office.templates.newest(of: "north").isEmpty)
    }
  }

  @Test("a file of items is looked at before it is kept, and a wrong one is refused in words")
  func files() async throws {
    try await scene { scene, site, otto in
      _ = try await otto.get("/templates")
      func upload(_ name: String, _ content: String) async throws -> Answer {
        let boundary = "----boundary7"
        let body = """
          --\(boundary)\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n\(otto.token ?? "")\r
          --\(boundary)\r\nContent-Disposition: form-data; name="file"; filename="\(name)"\r
          Content-Type: application/json\r\n\r\n\(content)\r
          --\(boundary)--\r\n
          """
        return try await site.send(
          "POST", "/templates/file",
          [
            ("Content-Type", "multipart/form-data; boundary=\(boundary)"), ("Origin", site.origin),
            (
              "Cookie",
              otto.cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
            ), ("Accept", "text/html"),
          ], body: .bytes(ByteBuffer(string: body)))
      }
      let good = try await upload(
        "crop check.json",
        String(decoding: ItemsJSON.json(try OrderItems(Self.items())).canonicalBytes, as: UTF8.self)
      )
      #expect(good.status == 200 && good.body.contains("The file has 12 items"))
      #expect(good.body.contains("value=\"crop check\""))
      #expect(try await scene.office.templates.newest(of: "north").isEmpty)
      let shown = try await otto.post(
        "/templates/edit", ["type": "crop", "items": try draft(good.body), "do": "show"])
      #expect(shown.body.contains("Crop &lt;script&gt;") && shown.body.contains("In a section"))
      for (content, words) in [
        ("not a file", "it is neither an XLSX workbook nor JSON"),
        ("[{\"id\":\"a\",\"kind\":\"other\",\"wording\":\"x\"}]", "item 1"),
        ("PK\u{3}\u{4}nonsense", "the workbook is damaged"),
      ] {
        let answer = try await upload("f.json", content)
        #expect(answer.status == 422 && answer.body.contains(words), "\(words): \(answer.status)")
      }
    }
  }
}
