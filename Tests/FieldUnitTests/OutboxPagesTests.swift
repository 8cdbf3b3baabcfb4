import Foundation
import Inspection
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Web

@testable import FieldPages
@testable import FieldUnit

@Suite("The outbox, one line an entry", .timeLimit(.minutes(5)))
struct OutboxPagesTests {
  /// Returns the row of an entry: from its beginning to the next one's.
  private func row(_ id: Identifier, _ page: String) throws -> String {
    let start = try #require(page.firstRange(of: "data-entry=\"\(id)\""))
    let rest = page[start.lowerBound...]
    return String(rest[..<(rest.firstRange(of: "</li>")?.lowerBound ?? rest.endIndex)])
  }

  @Test("an empty outbox says so, and five hundred entries are on five pages of a hundred lines")
  func count() async throws {
    try await FieldPagesTests().withField { site, scene in
      try await site.signIn()
      let empty = try await site.browser.get("/outbox").body
      #expect(empty.contains("Nothing is waiting.") && !empty.contains("data-entry"))
      let now = scene.clock.deviceTime
      try site.unit().store.write(as: FieldScene.person) { session in
        for number in 0..<500 {
          try session.outbox.insert(
            OutboxEntry(
              id: Identifier(at: now.advanced(bySeconds: Double(number))), kind: .note, task: nil,
              digest: nil, bytes: 300, queued: now.advanced(bySeconds: Double(number))))
        }
      }
      for page in 1...5 {
        let body = try await site.browser.get("/outbox?page=\(page)").body
        #expect(body.contains("500 entries waiting, 150.0 kB"))
        #expect(body.matches(of: #/data-entry=/#).count == 100, "page \(page)")
        #expect(body.contains("Page \(page) of 5"))
      }
      let far = try await site.browser.get("/outbox?page=\(Int.max)").body
      #expect(far.contains("Page 5 of 5"))
      #expect(try await site.browser.get("/outbox?page=-7").body.contains("Page 1 of 5"))
    }
  }

  @Test("the office's reason for a refusal is below the line of its entry, escaped, and not folded")
  func refused() async throws {
    try await FieldPagesTests().withField { site, scene in
      try await site.signIn()
      let first = try await scene.capture(scene.request())
      let other = try FieldScene(scene.folder, seed: 2)
      let second = try await other.capture(other.request())
      try site.unit().sendPhotos([first.id, second.id])
      try site.unit().store.write(as: FieldScene.person) {
        try $0.outbox.noteAttempt(
          whole: first.id, answer: "the seal is of <script>another</script> device")
      }
      let page = try await site.browser.get("/outbox").body
      let refused = try row(first.id, page)
      #expect(refused.contains("▲"))
      let folded = try #require(refused.firstRange(of: "</details>"))
      #expect(
        refused[folded.upperBound...].contains(
          "the seal is of &lt;script&gt;another&lt;/script&gt; device"))
      let fine = try row(second.id, page)
      #expect(!fine.contains("entry-reason") && fine.contains("○") && fine.contains("waiting"))
      // The same answer to all of them is said once, above.
      try site.unit().store.write(as: FieldScene.person) {
        try $0.outbox.noteAttempt(answer: "the office is full")
      }
      let same = try await site.browser.get("/outbox").body
      #expect(same.contains("Last answer to all entries: the office is full"))
      #expect(!same.contains("entry-reason"))
    }
  }

  @Test("a file on its way has its progress in its own row; the others wait")
  func progress() async throws {
    try await FieldPagesTests().withField { site, scene in
      try await site.signIn()
      let first = try await scene.capture(scene.request())
      let other = try FieldScene(scene.folder, seed: 2)
      let second = try await other.capture(other.request())
      let unit = try site.unit()
      try unit.sendPhotos([first.id, second.id])
      var progress = DeliveryProgress()
      progress.sending = [first.id: first.bytes / 2]
      site.server.note(progress, of: unit.person)
      let pages = OutboxPages(server: site.server)
      let page = try await site.browser.get("/outbox").body
      let expected = OutboxPages.percent(first.bytes / 2, of: first.bytes)
      #expect(try row(first.id, page).contains("<progress max=\"100\" value=\"\(expected)\""))
      #expect(try row(first.id, page).contains(">\(expected) %</span>"))
      #expect(try row(second.id, page).contains("data-percent hidden"))
      // The live list is the same whatever is on its way: progress alone never sends it again.
      let list = pages.liveList(of: unit, page: 1)
      #expect(try row(first.id, list.text).contains("data-percent hidden"))
      progress.sending = [first.id: first.bytes - 1]
      site.server.note(progress, of: unit.person)
      #expect(pages.liveList(of: unit, page: 1) == list)
      progress.sending = [first.id: first.bytes / 2]
      site.server.note(progress, of: unit.person)
      #expect(
        pages.deliveryFragment(unit).text.contains(
          "data-sending=\"\(first.id)\" data-bytes=\"\(first.bytes / 2)\""))
    }
  }

  @Test(
    "progress is whole percent, and 100 only at the last byte",
    arguments: [
      (0, 10, 0), (999, 1000, 99), (1000, 1000, 100), (7, 3, 100), (-1, 3, 0), (0, 0, 100),
    ])
  func percent(sent: Int, bytes: Int, percent: Int) {
    #expect(OutboxPages.percent(sent, of: bytes) == percent)
  }

  @Test(
    "a part is read at most once a second, however often its stream wakes, and at once if it is about something else"
  )
  func paced() async {
    let part = PacedPart()
    let (one, other) = (
      Identifier(at: DeviceTime(millisecondsSince1970: 0)),
      Identifier(at: DeviceTime(millisecondsSince1970: 1))
    )
    let steps: [(milliseconds: Int64, subject: Identifier?, reads: Int)] = [
      (5000, nil, 1), (5999, nil, 1), (6000, nil, 2),
      // A clock that was begun again keeps nothing old in view.
      (1000, nil, 3), (1100, one, 4), (1200, one, 4), (1300, other, 5), (2299, other, 5),
    ]
    var reads = 0
    for step in steps {
      let html = await part.html(
        at: ElapsedTime(milliseconds: step.milliseconds), about: step.subject
      ) {
        reads += 1
        return "<p>\(reads)</p>"
      }
      #expect(html.text == "<p>\(step.reads)</p>", "\(step)")
    }
  }

  @Test("each word of the navigation has its drawing; theme and language are in Settings alone")
  func frame() async throws {
    try await FieldPagesTests().withField { site, _ in
      #expect(try await site.browser.get("/sign-in").body.contains("class=\"foot\""))
      try await site.signIn()
      for path in ["/", "/tasks", "/outbox", "/photos", "/start", "/about", "/nothing-there"] {
        let page = try await site.browser.get(path).body
        #expect(!page.contains("class=\"foot\"") && !page.contains("/theme"), "\(path)")
      }
      let settings = try await site.browser.get("/settings").body
      #expect(settings.contains("<h2>Appearance</h2>") && settings.contains("action=\"/theme\""))
      #expect(settings.contains("action=\"/language\""))
      for word in ["Home", "Tasks", "Camera", "Map", "Outbox"] {
        #expect(settings.contains("</svg><span>\(word)</span></a>"), "\(word)")
      }
      // The choice leads back to the address of its page: an answer to a form has none.
      _ = try await site.browser.get("/settings")
      let refused = try await site.browser.post(
        "/settings/values", ["group": "capture", "samples": "501"])
      #expect(refused.status == 422 && !refused.body.contains("action=\"/theme\""))
    }
  }
}
