import Evidence
import FieldUnit
import Foundation
import Imagery
import Inspection
import NIOHTTP1
import OfficeScenes
import Store
import Sync
import Synchronization
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages
@testable import OrderFiles

@Suite("Attachments and example pictures, from the officer to the device", .timeLimit(.minutes(5)))
struct OrderFileTests {
  private final class Said: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func say(_ line: String) { lines.withLock { $0.append(line) } }
  }

  /// An office over HTTP with one order, and its officer's browser.
  private struct Stand: Sendable {
    let scene: OfficeScene
    let link: HTTPOfficeLink
    let otto: OfficeBrowser
    let site: OfficeSite
    let task: Identifier
    let said = Said()

    func shelf(_ device: String = "tablet", hasRoom: Bool = true) -> OrderFileShelf {
      OrderFileShelf(
        folder: scene.folder.appendingPathComponent("\(device)/field/order-files").path,
        hasRoom: { hasRoom }, log: { [said] in said.say($0) })
    }

    /// Sends the form of an attachment, as the page of the present order has it.
    func attach(
      _ name: String, _ bytes: [UInt8], revision: String? = nil
    ) async throws -> Answer {
      let seen = try await scene.office.review.view(of: task, in: "north").task.revision
      return try await otto.upload(
        "/tasks/\(task)/attachments", [("revision", revision ?? "\(seen)")],
        file: (name, bytes))
    }

    func attachments() async throws -> [AttachedFile] {
      try await scene.office.review.view(of: task, in: "north").task.attachments.list
    }
  }

  private func withStand(
    _ body: @escaping @Sendable (Stand) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let order = try await scene.order("Upper field", type: "hedge")
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let link = try HTTPOfficeLink(address: "http://127.0.0.1:\(site.port)")
        try await body(Stand(scene: scene, link: link, otto: otto, site: site, task: order.id))
        await link.close()
      }
    }
  }

  /// Returns a PDF of as many bytes.
  private func pdf(_ bytes: Int, _ seed: UInt8 = 7) -> [UInt8] {
    let (head, foot) = (Array("%PDF-1.7\n".utf8), Array("\n%%EOF\n".utf8))
    return head + [UInt8](repeating: seed, count: bytes - head.count - foot.count) + foot
  }

  /// Returns a unit of the inspector, with the order as the office has it now.
  private func unit(_ stand: Stand, _ login: String = "ines") async throws -> InspectorUnit {
    let unit = try await stand.scene.unit(login, on: login == "ines" ? "tablet" : "phone")
    _ = try await unit.delivery.fetchTasks(over: stand.scene.link)
    return unit
  }

  @Test(
    "a file that an officer attaches is a revision of the order, comes to the inspector's device byte by byte, and goes when it is removed"
  )
  func travels() async throws {
    try await withStand { stand in
      let (plan, picture) = (pdf(3 << 20), try OfficeScene.picture(1))
      #expect(try await stand.attach("plan <script>.pdf", plan).status == 303)
      #expect(try await stand.attach("C:\\before.jpg", picture).status == 303)
      let page = try await stand.otto.get("/tasks/\(stand.task)/attachments").body
      #expect(page.contains("plan &lt;script&gt;.pdf") && page.contains("Remove before.jpg"))
      #expect(page.contains("MB used."))
      let digest = Digest.hexadecimal(plan)
      let file = try await stand.otto.get("/tasks/\(stand.task)/files/\(digest)")
      #expect(file.bytes == plan && file.header("content-type") == "application/pdf")
      #expect(try await stand.otto.get("/tasks/\(stand.task)").body.contains("before.jpg"))

      let ines = try await unit(stand)
      let task = try ines.task(stand.task)
      #expect(task.attachments.list.map(\.name) == ["plan <script>.pdf", "before.jpg"])
      #expect(task.revision == 3)
      #expect(OrderFileShelf.path(ofFile: digest, on: ines) == nil)
      await stand.shelf().bring(from: ines, over: stand.link)
      #expect(stand.said.all.isEmpty, "\(stand.said.all)")
      let path = try #require(OrderFileShelf.path(ofFile: digest, on: ines))
      #expect(try DurableFile.read(path) == plan)
      #expect(OrderFileShelf.path(ofFile: "../../keys", on: ines) == nil)

      let removal = try await stand.otto.post(
        "/tasks/\(stand.task)/attachments",
        ["do": "remove", "digest": digest, "revision": "3"])
      #expect(removal.status == 303)
      // A file of an earlier order stays to be read at the office.
      let after = try await stand.otto.get("/tasks/\(stand.task)/attachments").body
      #expect(after.contains("Attached to an earlier order"))
      #expect(try await stand.otto.get("/tasks/\(stand.task)/files/\(digest)").bytes == plan)
      _ = try await ines.delivery.fetchTasks(over: stand.scene.link)
      await stand.shelf().bring(from: ines, over: stand.link)
      #expect(OrderFileShelf.path(ofFile: digest, on: ines) == nil)
      #expect(OrderFileShelf.path(ofFile: Digest.hexadecimal(picture), on: ines) != nil)
      #expect(try ines.earlierOrders(of: stand.task).map(\.attachments.list.count).max() == 2)
    }
  }

  @Test("a file that cannot be attached is refused with its reason, and the order stays as it was")
  func refused() async throws {
    try await withStand { stand in
      let picture = try OfficeScene.picture(1)
      #expect(try await stand.attach("a.jpg", picture).status == 303)
      for (name, bytes, words) in [
        ("setup.pdf", Array("MZ\u{1}\u{2}".utf8), "is neither a PDF nor a JPEG picture"),
        ("run.jpg", Array("#!/bin/sh\n".utf8), "is neither a PDF nor a JPEG picture"),
        ("cut.jpg", Array(picture.prefix(picture.count / 2)), "the file cut.jpg is damaged"),
        ("cut.pdf", Array(pdf(5000).prefix(4900)), "the file cut.pdf is damaged"),
        ("nothing.pdf", [], "the file nothing.pdf is empty"),
        ("again.jpg", picture, "is attached already, with the name a.jpg"),
        ("a.jpg", try OfficeScene.picture(2), "an attachment is named a.jpg already"),
        ("big.pdf", pdf(20_000_000 - 100), "more than 20 MB together"),
        ("huge.pdf", pdf(31_000_000), "more than 20 MB together"),
        ("", [], "no file was chosen"),
      ] as [(String, [UInt8], String)] {
        let answer = try await stand.attach(name, bytes)
        #expect(answer.status >= 400 && answer.body.contains(words), "\(name): \(answer.body)")
      }
      let late = try await stand.attach("late.pdf", pdf(500), revision: "1")
      #expect(late.status == 409 && late.body.contains("changed or got new"), "\(late.body)")
      let two = try await stand.otto.upload(
        "/tasks/\(stand.task)/attachments", [("file\"; filename=\"b.pdf", "%PDF-")],
        file: ("a.pdf", pdf(500)))
      #expect(two.status == 400)
      let odd = try await stand.otto.post("/tasks/\(stand.task)/attachments", ["do": "dance"])
      #expect(odd.status == 400 && odd.body.contains("the form is not complete"))
      #expect(try await stand.attachments().map(\.name) == ["a.jpg"])
    }
  }

  @Test("a file is shown to those who may see its task, and to nobody else")
  func walls() async throws {
    try await withStand { stand in
      let picture = try OfficeScene.picture(1)
      let digest = Digest.hexadecimal(picture)
      #expect(try await stand.attach("a.jpg", picture).status == 303)
      let address = "/tasks/\(stand.task)/files/\(digest)"
      for (login, status) in [("ines", 200), ("igor", 404), ("otto", 200)] {
        let browser = stand.site.browser()
        try await browser.signIn(login)
        #expect(try await browser.get(address).status == status, "\(login)")
      }
      // Another inspector's device, one's own with another task, and a file that no order names.
      let igor = try await unit(stand, "igor")
      let signIn = try igor.store.read(as: igor.person) { try $0.signIns.own() }
      let token = try #require(signIn?.token)
      let other = try await stand.scene.order("Other", for: "igor")
      for (id, wanted) in [
        (stand.task, digest), (other.id, digest), (other.id, String(repeating: "0", count: 64)),
        (other.id, "..%2f..%2fkeys"),
      ] {
        await #expect(throws: DeliveryError.self) {
          _ = try await stand.link.part(ofFile: wanted, ofTask: id, from: 0, token: token)
        }
      }
    }
  }

  /// A link that breaks off, or changes what it brings.
  private final class BadLink: OrderFileLink, Sendable {
    let good: HTTPOfficeLink
    private let calls = Mutex(0)
    private let change: @Sendable (_ call: Int, [UInt8]) throws -> [UInt8]

    init(_ good: HTTPOfficeLink, change: @escaping @Sendable (Int, [UInt8]) throws -> [UInt8]) {
      (self.good, self.change) = (good, change)
    }

    var count: Int { calls.withLock { $0 } }
    var address: String { good.address }
    func part(
      ofFile digest: String, ofTask id: Identifier, from offset: Int, token: String
    ) async throws -> (bytes: [UInt8], length: Int) {
      let call = calls.withLock { count in
        count += 1
        return count
      }
      let part = try await good.part(ofFile: digest, ofTask: id, from: offset, token: token)
      return (try change(call, part.bytes), part.length)
    }
    func office() async throws -> OfficeMessage { try await good.office() }
    func signIn(_ request: SignInRequest) async throws -> SignInAnswer {
      try await good.signIn(request)
    }
    func signOut(token: String) async throws { try await good.signOut(token: token) }
    func challenge() async throws -> ChallengeMessage { try await good.challenge() }
    func renew(_ request: RenewalMessage) async throws -> SignInAnswer {
      try await good.renew(request)
    }
    func tasks(
      since cursor: String?, proved: String?, token: String
    ) async throws -> TaskListMessage {
      try await good.tasks(since: cursor, proved: proved, token: token)
    }
    func held(_ question: HeldQuestion, token: String) async throws -> HeldAnswer {
      try await good.held(question, token: token)
    }
    func send(batch id: Identifier, _ message: [UInt8], token: String) async throws -> BatchAnswer {
      try await good.send(batch: id, message, token: token)
    }
    func send(
      file path: String, digest: String, bytes: Int, from start: Int, token: String,
      progress: @Sendable (_ bytes: Int) -> Void
    ) async throws -> Int {
      try await good.send(
        file: path, digest: digest, bytes: bytes, from: start, token: token, progress: progress)
    }
  }

  @Test(
    "a network that breaks off at each second part still brings a file, and sends no part twice")
  func breaks() async throws {
    try await withStand { stand in
      let plan = pdf(5 << 20)
      #expect(try await stand.attach("plan.pdf", plan).status == 303)
      let ines = try await unit(stand)
      let link = BadLink(stand.link) { call, bytes in
        if call.isMultiple(of: 2) {
          throw DeliveryError.unreachable(address: "the office", reason: "the network is gone")
        }
        return bytes
      }
      var tries = 0
      let shelf = stand.shelf()
      while OrderFileShelf.path(ofFile: Digest.hexadecimal(plan), on: ines) == nil, tries < 20 {
        await shelf.bring(from: ines, over: link)
        tries += 1
      }
      // Five parts, and a failure behind each but the last.
      #expect(tries == 5 && link.count == 9, "\(tries) tries, \(link.count) parts")
      #expect(stand.said.all.count == 1, "the same words are said once: \(stand.said.all)")
      let path = try #require(OrderFileShelf.path(ofFile: Digest.hexadecimal(plan), on: ines))
      #expect(try DurableFile.read(path) == plan)
    }
  }

  @Test("bytes that are not those of the order are thrown away, and the reason is said")
  func changed() async throws {
    try await withStand { stand in
      #expect(try await stand.attach("plan.pdf", pdf(1000)).status == 303)
      let ines = try await unit(stand)
      let digest = Digest.hexadecimal(pdf(1000))
      let folder = ines.folder.orderFiles + "/" + ines.person.folderName
      let changes: [(@Sendable (Int, [UInt8]) throws -> [UInt8], String)] = [
        ({ _, bytes in bytes.map { $0 ^ 1 } }, "its bytes are not those"),
        ({ _, bytes in bytes + bytes }, "longer or shorter"),
        ({ _, _ in [] }, "longer or shorter"),
      ]
      for (change, words) in changes {
        let said = stand.said.all.count
        await stand.shelf().bring(from: ines, over: BadLink(stand.link, change: change))
        #expect(OrderFileShelf.path(ofFile: digest, on: ines) == nil)
        #expect(stand.said.all.dropFirst(said).contains { $0.contains(words) }, "\(stand.said.all)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
      }
      await stand.shelf(hasRoom: false).bring(from: ines, over: stand.link)
      #expect(stand.said.all.last?.contains("no room") == true)
      await stand.shelf().bring(from: ines, over: stand.link)
      #expect(OrderFileShelf.path(ofFile: digest, on: ines) != nil)
    }
  }

  @Test(
    "an example picture is added on the page of a template, comes with the orders made from it, and is in the backup"
  )
  func examples() async throws {
    try await withStand { stand in
      let fields = [
        ("type", "roof"), ("items", "[]"), ("version", "0"), ("title", "Roof"), ("do", "save"),
        ("kind", "shot"), ("place", "new"), ("name", "south"), ("wording", "From the south"),
        ("required", "yes"), ("least", "1"),
      ]
      let bad = try await stand.otto.upload(
        "/templates/edit", fields, field: "picture", file: ("a.jpg", Array("MZ".utf8)))
      #expect(
        bad.status == 422 && bad.body.contains("example picture cannot be used")
          && bad.body.contains("value=\"south\""), "what was written stays: \(bad.body)")
      let page = try await stand.otto.upload(
        "/templates/edit", fields, field: "picture",
        file: ("a.jpg", try OfficeScene.picture(3)))
      #expect(page.status == 200)
      let digest = String(
        try #require(
          page.body.components(separatedBy: "src=\"/templates/pictures/").dropFirst().first
        )
        .prefix { $0 != "\"" })
      let picture = try await stand.otto.get("/templates/pictures/\(digest)")
      #expect(picture.status == 200 && Digest.hexadecimal(picture.bytes) == digest)

      let name = try #require(ItemName("south"))
      func items(_ example: String) throws -> OrderItems {
        try OrderItems([
          OrderItem(
            name: name, wording: "From the south", content: .shot(WantedShot(example: example)))
        ])
      }
      await #expect(throws: OfficeRefusal.self) {
        _ = try await stand.scene.office.templates.take(
          try items(String(repeating: "0", count: 64)), title: nil, forType: "roof", in: "north",
          by: "otto")
      }
      _ = try await stand.scene.office.templates.take(
        try items(digest), title: nil, forType: "roof", in: "north", by: "otto")
      let order = try await stand.scene.order("Roof", type: "roof")
      #expect(
        try await stand.otto.get("/tasks/\(order.id)").body.contains(
          "src=\"/tasks/\(order.id)/files/\(digest)\""))
      let ines = try await unit(stand)
      #expect(try ines.taskItems(of: order.id)?.order.items[name]?.shot?.example == digest)
      await stand.shelf().bring(from: ines, over: stand.link)
      let path = try #require(
        OrderFileShelf.path(ofFile: digest, on: ines), "\(stand.said.all)")
      #expect(try DurableFile.read(path) == picture.bytes)

      let backup = stand.scene.folder.appendingPathComponent("backup.tar").path
      let outcome = try await stand.scene.office.operation.backup(to: backup)
      #expect(outcome.differences.isEmpty, "\(outcome.differences)")
      let bytes = try DurableFile.read(backup)
      #expect(bytes.firstRange(of: Array("order-files/".utf8)) != nil)
      #expect(bytes.firstRange(of: picture.bytes) != nil)
      let file = stand.scene.office.photos.path(
        of: EvidenceName.orderFile(digest, agency: "north"))
      try DurableFile.replace(try #require(file), with: Array("changed".utf8))
      let after = try await stand.scene.office.operation.backup(to: backup)
      #expect(after.differences.count == 1, "\(after.differences)")
    }
  }
}
