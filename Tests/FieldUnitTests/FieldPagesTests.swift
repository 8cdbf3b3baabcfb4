import Evidence
import Foundation
import Geodesy
import Inspection
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Verification
import Web

@testable import FieldPages
@testable import FieldUnit

@Suite("The inspector's pages, over real connections", .timeLimit(.minutes(5)))
struct FieldPagesTests {
  /// A field unit that serves its pages, and its office.
  struct Site: Sendable {
    let server: FieldServer
    let office: FakeOffice
    let address: String
    let browser: FieldBrowser

    /// Signs in, and waits until the delivery that begins then has ended.
    func signIn() async throws {
      _ = try await browser.get("/sign-in")
      let answer = try await browser.post(
        "/sign-in", ["login": "ines", "password": FakeOffice.password, "office": address])
      // A first sign-in leads to the page of the first start.
      try #require(answer.location?.hasSuffix("?done=signed-in") == true)
      while try server.deliveryStatus.words == nil { await Task.yield() }
    }

    func unit() throws -> InspectorUnit { try #require(try server.unit()) }

    /// Presses "Deliver now" until nothing waits, because a press during another try does nothing.
    func deliver() async throws {
      for _ in 0..<1000 {
        let answer = try await browser.post("/deliver")
        #expect(answer.location == "/outbox")
        if try unit().outbox().isEmpty { return }
      }
      Issue.record("the outbox is never empty")
    }
  }

  func withField(
    camera: Camera? = nil, hasReceiver: Bool = false,
    bluetooth: any BluetoothPairing = FakeBluetooth(),
    freeBytes: (@Sendable () -> Int?)? = nil,
    officeHas add: @escaping @Sendable (inout Routes) -> Void = { _ in },
    _ body: @escaping @Sendable (Site, FieldScene) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { folder in
      let scene = try FieldScene(folder)
      let office = try FakeOffice(clock: scene.clock)
      var routes = office.routes()
      add(&routes)
      try await withWebServer(routes) { officePort in
        let address = "http://127.0.0.1:\(officePort)"
        let server = try FieldServer(
          configuration: scene.unit.configuration, clock: scene.clock,
          follower: hasReceiver ? try scene.follower() : nil, defaultOffice: address,
          camera: camera, bluetooth: bluetooth, freeBytes: freeBytes)
        try await withWebServer(
          server.routes(), secret: try server.formSecret(), problemPage: server.problemPage
        ) { port in
          let site = Site(
            server: server, office: office, address: address, browser: FieldBrowser(port: port))
          try await body(site, scene)
        }
        try await (server.link(to: address) as? HTTPOfficeLink)?.close()
      }
    }
  }

  static func order(_ name: String, at time: DeviceTime) -> InspectionTask {
    InspectionTask(
      id: Identifier(at: time), agency: "north", inspector: "ines", name: name, type: name,
      instructions: name, created: time)
  }

  // MARK: settings

  @Test("the settings change the receiver for everything, and say what is wrong with another")
  func receiver() async throws {
    try await withField(hasReceiver: true) { site, scene in
      try await site.signIn()
      let page = try await site.browser.get("/settings/receiver")
      #expect(page.status == 200)
      #expect(page.body.contains("walk-1.nmea"))
      let refused = try await site.browser.post("/settings/receiver", ["receiver": "serial://x"])
      #expect(refused.status == 422)
      #expect(refused.body.contains("a tty is named by its whole path"))
      #expect(refused.body.contains("value=\"serial://x\""), "what was typed is not lost")
      let log = try await site.browser.post("/settings/receiver", ["receiver": "file:///a.nmea"])
      #expect(log.body.contains("a log is not a receiver"))
      let changed = try await site.browser.post(
        "/settings/receiver", ["receiver": " tcp://127.0.0.1:9 "])
      #expect(changed.location == "/settings/receiver?done=receiver")
      #expect(site.server.follower?.source == .tcp(host: "127.0.0.1", port: 9))
      let folder = URL(fileURLWithPath: scene.data)
      #expect(try ChosenReceiver.source(in: folder) == .tcp(host: "127.0.0.1", port: 9))
    }
  }

  @Test("the settings test the receiver, look for others, and pair with one")
  func bluetooth() async throws {
    try await withField(hasReceiver: true) { site, scene in
      try await site.signIn()
      _ = try await site.browser.get("/settings/receiver")
      let found = try await site.browser.post("/settings/scan")
      #expect(found.status == 200)
      #expect(found.body.contains("-51 dBm, serial port"))
      #expect(found.body.contains("value=\"bluetooth://00:11:22:33:44:66\""), "paired: use it")
      // Pairing goes on in the background, and the page shows its progress.
      func pair(_ pin: String, isSame: String? = nil) async throws -> String {
        let begun = try await site.browser.post(
          "/settings/pair", ["address": "00:11:22:33:44:55", "pin": pin])
        #expect(begun.location == "/settings/receiver")
        if let isSame {
          while site.server.pairing?.progress.question == nil { await Task.yield() }
          let page = try await site.browser.get("/settings/receiver")
          #expect(page.body.contains("004242") && page.body.contains("http-equiv=\"refresh\""))
          let busy = try await site.browser.post("/settings/scan")
          #expect(busy.status == 422 && busy.body.contains("Another page is using Bluetooth"))
          let answer = ["address": "00:11:22:33:44:55", "number": "004242", "same": isSame]
          // The answer of a stale page, for another device or number, does not count.
          for (name, other) in [("address", "00:11:22:33:44:66"), ("number", "004243")] {
            var stale = answer
            stale[name] = other
            _ = try await site.browser.post("/settings/pair/answer", stale)
            #expect(site.server.pairing?.progress.question == "004242")
          }
          _ = try await site.browser.post("/settings/pair/answer", answer)
        }
        while site.server.pairing?.progress.ending == nil { await Task.yield() }
        // Bluetooth is free again a moment later.
        while try await site.browser.post("/settings/scan").status != 200 { await Task.yield() }
        return try await site.browser.get("/settings/receiver").body
      }
      for (pin, same) in [("0000", nil), ("compare", "no")] as [(String, String?)] {
        let refused = try await pair(pin, isSame: same)
        #expect(refused.contains("00:11:22:33:44:55 refuses"))
        #expect(!refused.contains("value=\"bluetooth://00:11:22:33:44:55\""))
        #expect(refused.contains("action=\"/settings/pair\""), "once more")
      }
      for (pin, same) in [("1234", nil), ("compare", "yes")] as [(String, String?)] {
        let paired = try await pair(pin, isSame: same)
        #expect(paired.contains("value=\"bluetooth://00:11:22:33:44:55\""))
        #expect(paired.contains("<li>trusted</li>"), "each step stays to be read")
      }
      #expect(try await site.browser.post("/settings/pair", ["address": "x"]).status == 422)
      let follower = try #require(site.server.follower)
      // The log plays as fast as it can, so that it must not begin before the test listens.
      async let asked = site.browser.post("/settings/test")
      while await follower.listenerCount == 0 { await Task.yield() }
      let run = Task { try await follower.run() }
      let tested = try await asked
      #expect(tested.status == 200)
      #expect(tested.body.contains("GNGGA"), "\(tested.body)")
      #expect(tested.body.contains("a simulator makes its positions"))
      #expect(tested.body.contains("This receiver is good enough."), "a simulator is let in here")
      run.cancel()
      _ = try? await run.value
    }
  }

  // MARK: signing in and out

  @Test("who is not signed in is sent to do so, whichever page they want")
  func notSignedIn() async throws {
    try await withField { site, _ in
      for path in [
        "/", "/tasks", "/tasks/0190a5c0-7d2e-7cc3-98c4-dc0c0c07398f", "/camera", "/photos",
        "/start", "/about", "/about/support", "/about/support.zip", "/live/home", "/live/lights",
        "/outbox", "/sign-out", "/live/camera", "/map", "/live/map", "/tracks", "/settings",
      ] {
        let answer = try await site.browser.get(path)
        #expect(answer.status == 303 && answer.location == "/sign-in", "\(path)")
      }
      let form = try await site.browser.get("/sign-in")
      #expect(form.body.contains("value=\"\(site.address)\""))
      #expect(try await site.browser.post("/deliver").location == "/sign-in")
      #expect(try await site.browser.get("/nothing").status == 404)
    }
  }

  @Test("a refusal keeps login and office in the form, and says what the office says")
  func refusedSignIn() async throws {
    try await withField { site, _ in
      _ = try await site.browser.get("/sign-in")
      let wrong = try await site.browser.post(
        "/sign-in", ["login": "ines", "password": "battery staple", "office": site.address])
      #expect(wrong.status == 422)
      #expect(wrong.body.contains("login or password is wrong: check both"))
      #expect(wrong.body.contains("value=\"ines\""))
      #expect(wrong.body.contains("value=\"\(site.address)\""))
      #expect(!wrong.body.contains("battery staple"))
      let before = site.office.calls.count
      // If the page's office is not the one to sign in at, the password goes nowhere.
      for office in ["http://office.example", "nonsense", site.address + "/path"] {
        let page = try await site.browser.post(
          "/sign-in", ["login": "ines", "password": FakeOffice.password, "office": office])
        #expect(page.status == 409 && page.body.contains("your password was not sent"))
      }
      #expect(site.office.calls.count == before)
      #expect(try site.server.desk.signedIn() == nil)
      #expect(try await site.browser.get("/").location == "/sign-in")
    }
  }

  @Test("signed in, home says who, where, and how many tasks there are")
  func signedIn() async throws {
    try await withField { site, scene in
      site.office.order([Self.order("Beet", at: scene.clock.deviceTime)])
      try await site.signIn()
      let home = try await site.browser.get("/?done=signed-in")
      for words in [
        "You are signed in.", "Ines (ines)", "north", site.address, "1 new tasks",
        "<span class=\"number\">1</span>",
      ] {
        #expect(home.body.contains(words), "\(words)")
      }
      #expect(try await site.browser.get("/sign-in").location == "/")
      #expect(try await site.browser.get("/tasks").body.contains("<strong>Beet</strong>"))
      #expect(try await site.browser.get("/tasks?text=zz").body.contains("No task matches."))
      #expect(try await site.browser.get("/tasks?state=new").body.contains("Beet"))
    }
  }

  @Test("signing out asks first and says what waits; the things stay")
  func signingOut() async throws {
    try await withField { site, scene in
      try await site.signIn()
      #expect(try await site.browser.get("/sign-out").body.contains("Everything is delivered."))
      _ = try await scene.capture(scene.request())
      let second = try FieldScene(scene.folder, seed: 2)
      let sent = try await second.capture(second.request())
      try site.unit().sendPhotos([sent.id])
      let question = try await site.browser.get("/sign-out")
      #expect(question.body.contains("1 entries are waiting for delivery, 1 photos are not sent."))
      #expect(question.body.contains("They stay sealed and queued on this device"))
      #expect(try await site.browser.post("/sign-out").location == "/sign-in")
      #expect(try site.server.desk.signedIn() == nil)
      #expect(site.office.calls.last == "sign-out")
      try await site.signIn()
      #expect(try site.unit().photos().count == 2)
      try await site.deliver()
    }
  }

  @Test("a session that has ended is said on the outbox, with the way to sign in again")
  func sessionEnded() async throws {
    try await withField { site, scene in
      try await site.signIn()
      let photo = try await scene.capture(scene.request())
      try site.unit().sendPhotos([photo.id])
      site.office.endSessions()
      while try site.server.deliveryStatus.isGood { _ = try await site.browser.post("/deliver") }
      let page = try await site.browser.get("/outbox")
      #expect(page.body.contains("this session ended: sign in again"))
      #expect(page.body.contains("href=\"/sign-out\">Sign in again</a>"))
      #expect(try site.unit().outbox().count == 1)
    }
  }

  // MARK: tasks

  @Test("a task is opened, noted, sent after a question, taken back, sent again and delivered")
  func task() async throws {
    try await withField { site, scene in
      let task = Self.order("Beet", at: scene.clock.deviceTime)
      site.office.order([task])
      try await site.signIn()
      let browser = site.browser
      let path = "/tasks/\(task.id)"
      #expect(try await browser.get(path).body.contains("Open the task"))
      #expect(try await browser.post(path + "/open").location == path)
      #expect(try await browser.get(path).body.contains("state-open"))
      let noted = try await browser.post(path + "/note", ["note": "wet at the edge"])
      #expect(noted.location == path + "?done=noted")
      #expect(try await browser.get(path + "?done=noted").body.contains("wet at the edge"))
      // Without a photo there is nothing to send.
      let early = try await browser.post(path + "/send")
      #expect(early.status == 422)
      #expect(early.body.contains("photos-missing"))
      let lacking = try await browser.get(path + "/send").body
      #expect(
        lacking.contains("It cannot be sent yet") && !lacking.contains("action=\"\(path)/send"))
      _ = try await scene.capture(scene.request(task: task.id))
      let question = try await browser.get(path + "/send")
      #expect(question.body.contains("Send &quot;Beet&quot;?"))
      #expect(question.body.contains("1 photo,") && !question.body.contains("It cannot be sent"))
      #expect(try site.unit().outbox().isEmpty)
      #expect(try await browser.post(path + "/send").location == path + "?done=sent")
      let sent = try await browser.get(path + "?done=sent")
      #expect(sent.body.contains("state-dataProvided") && sent.body.contains("Take back"))
      let late = try await browser.post(path + "/note", ["note": "late"])
      #expect(late.status == 422)
      #expect(try await browser.post(path + "/take-back").location == path + "?done=taken-back")
      #expect(try await browser.get(path).body.contains("state-open"))
      _ = try await browser.post(path + "/send")
      try await site.deliver()
      let page = try await browser.get(path)
      #expect(page.body.contains("Delivered: the office holds it and has signed for it."))
      #expect(try await browser.post(path + "/take-back").status == 422)
      for unknown in ["/tasks/\(Identifier(at: scene.clock.deviceTime))", "/tasks/nonsense"] {
        let answer = try await browser.get(unknown)
        #expect(answer.status == 404 && answer.body.contains("Code <code>"), "\(unknown)")
      }
    }
  }

  // MARK: photos and the outbox

  @Test("photos are listed and shown, one is deleted with a reason, the others are delivered")
  func photos() async throws {
    try await withField { site, scene in
      try await site.signIn()
      let browser = site.browser
      #expect(try await browser.get("/photos").body.contains("No photos yet."))
      let first = try await scene.capture(scene.request())
      let other = try FieldScene(scene.folder, seed: 2)
      let second = try await other.capture(other.request())
      let list = try await browser.get("/photos")
      #expect(list.body.contains("Send all 2 unsent"))
      for photo in [first, second] {
        #expect(list.body.contains("/photos/\(photo.id)/thumbnail.jpg"))
      }
      let file = try await browser.get("/photos/\(first.id)/photo.jpg")
      #expect(file.type == "image/jpeg" && Digest.hexadecimal(file.bytes) == first.fileDigest)
      let page = try await browser.get("/photos/\(first.id)")
      // Two replays have the same times, so that the order of both photos is chance.
      #expect(page.body.contains(" of 2</h1>") && page.body.contains("not sent"))
      let noted = try await browser.post("/photos/\(first.id)/note", ["note": "north corner"])
      #expect(noted.location == "/photos/\(first.id)?done=noted")
      #expect(try await browser.get("/photos/\(first.id)").body.contains("north corner"))
      let deleted = try await browser.post("/photos/\(second.id)/delete", ["reason": "blurred"])
      #expect(deleted.location == "/photos?done=deleted")
      #expect(try await browser.get("/photos/\(second.id)").status == 404)
      #expect(try await browser.get("/photos/\(second.id)/photo.jpg").status == 404)
      let report = try scene.verify()
      #expect(report.findings.contains { $0.message.contains("blurred") })

      #expect(try await browser.post("/photos/send").location == "/photos?done=queued")
      #expect(try await browser.post("/photos/\(first.id)/delete").status == 422)
      let outbox = try await browser.get("/outbox")
      #expect(outbox.body.contains("href=\"/photos/\(first.id)\"") && outbox.body.contains(" kB"))
      try await site.deliver()
      let after = try await browser.get("/outbox")
      #expect(after.body.contains("Nothing is waiting.") && after.body.contains("Receipts"))
      #expect(try site.unit().delivery.receipts().count == 1)
      #expect(try await browser.get("/photos/\(first.id)").body.contains("✓ delivered"))
    }
  }

  // MARK: the gate

  @Test("without a receiver and a camera the gate says how to start with them")
  func gateWithout() async throws {
    try await withField { site, _ in
      try await site.signIn()
      let page = try await site.browser.get("/camera")
      #expect(try await site.browser.get("/gate").location == "/camera")
      #expect(page.body.contains("No receiver: start the field unit with --gnss SOURCE."))
      #expect(page.body.contains("start the field unit with --camera COMMAND"))
      let refused = try await site.browser.post("/camera/capture")
      #expect(refused.status == 422 && refused.body.contains("--gnss"))
      #expect(try await site.browser.post("/camera/close").location == "/photos")
    }
  }

  @Test(
    "with one of receiver and camera, it is the other one that is said to be missing",
    arguments: ["--gnss", "--camera"])
  func oneOfTwo(missing: String) async throws {
    let camera = missing == "--gnss" ? Camera.drawn { FieldScene.picture } : nil
    try await withField(camera: camera, hasReceiver: camera == nil) { site, _ in
      try await site.signIn()
      let refused = try await site.browser.post("/camera/capture")
      #expect(refused.status == 422)
      for word in ["--gnss", "--camera"] {
        #expect(refused.body.contains(word) == (word == missing))
      }
    }
  }

  @Test("a photo is taken from the gate's page, and a heading that is none is refused")
  func captureFromPage() async throws {
    try await withField(camera: .drawn { FieldScene.picture }, hasReceiver: true) { site, _ in
      try await site.signIn()
      let browser = site.browser
      #expect(try await browser.get("/camera").body.contains("Take a photo"))
      for heading in ["north", "361", "-1", "nan"] {
        let refused = try await browser.post("/camera/capture", ["heading": heading])
        #expect(refused.status == 422, "\(heading)")
        #expect(refused.body.contains("0 to 360 degrees"), "\(heading)")
      }
      #expect(try await browser.post("/camera/capture", ["heading": "90"]).location == "/camera")
      let follower = try #require(site.server.follower)
      while await follower.listenerCount == 0 { await Task.yield() }
      #expect(try await browser.get("/camera").body.contains("Capturing"))
      try await follower.run()
      while case .running = site.server.captureStatus { await Task.yield() }
      let page = try await browser.get("/camera")
      #expect(page.body.contains("<strong>Captured</strong>") && page.body.contains("Retake"))
      let photo = try #require(try site.unit().photos().first)
      #expect(photo.orientation?.azimuthDegreesTrue == 90)
    }
  }

  // MARK: hostile text

  @Test("hostile text is text on every page, and no markup of ours is shown as text")
  func hostile() async throws {
    try await withField { site, scene in
      let browser = site.browser
      let q = FieldBrowser.encoded(hostileText)
      _ = try await browser.get("/sign-in")
      let refused = try await browser.post(
        "/sign-in", ["login": hostileText, "password": hostileText, "office": hostileText])
      #expect(refused.body.contains("&lt;script&gt;"))
      let time = scene.clock.deviceTime
      let task = Self.order(hostileText, at: time)
      var returned = Self.order(hostileText, at: time)
      returned.state = .returned
      let reason = TaskTransition(
        id: Identifier(at: time), action: .returnToInspector, from: .dataProvided, to: .returned,
        person: Person(agency: "north", login: hostileText, role: .officer), time: time,
        reason: hostileText)
      returned.history = [reason]
      site.office.order([task, returned])
      try await site.signIn()
      let path = "/tasks/\(task.id)"
      _ = try await browser.get(path)
      _ = try await browser.post(path + "/open")
      _ = try await browser.post(path + "/note", ["note": hostileText])
      let photo = try await scene.capture(scene.request(task: task.id))
      _ = try await browser.post("/photos/\(photo.id)/note", ["note": hostileText])
      for page in [
        "/tasks", "/tasks?text=\(q)", path, "/tasks/\(returned.id)", path + "/send",
        "/photos/\(photo.id)", "/camera?task=\(task.id)",
      ] {
        let answer = try await browser.get(page)
        #expect(answer.status == 200, "\(page)")
        #expect(answer.body.contains("&lt;script&gt;alert(1)"), "\(page) does not show it")
      }
      for page in [
        "/", "/tasks?text=zz&state=\(q)&done=\(q)", "/photos", "/camera?task=\(q)", "/sign-out",
        "/\(q)", "/tasks/\(q)", "/photos/\(q)",
      ] {
        #expect(try await browser.get(page).type?.hasPrefix("text/html") == true, "\(page)")
      }
      _ = try await browser.post(path + "/send")
      #expect(try await browser.get("/outbox").body.contains("&lt;script&gt;alert(1)"))
      #expect(try await browser.get(path).body.contains("&lt;script&gt;alert(1)"))
      try await site.deliver()
      #expect(try await browser.get("/tasks?state=dataProvided").body.contains("&lt;script&gt;"))
      let late = try await browser.post("/photos/\(photo.id)/delete", ["reason": hostileText])
      #expect(late.status == 422)
    }
  }
}

/// A Bluetooth without a radio.
private struct FakeBluetooth: BluetoothPairing {
  func scan(seconds: Double) async throws -> [BluetoothDevice] {
    [("00:11:22:33:44:55", hostileText, false), ("00:11:22:33:44:66", "Known", true)].compactMap {
      text, name, isPaired in
      BluetoothAddress(text).map {
        BluetoothDevice(
          address: $0, name: name, deviceClass: 0x1F00, signalDecibelMilliwatts: -51,
          offersSerialPort: true, isPaired: isPaired)
      }
    }
  }

  func pair(
    _ address: BluetoothAddress, pin: String?, confirm: @escaping @Sendable (String) -> Bool,
    progress: @escaping @Sendable (Wording) -> Void
  ) async throws {
    let refusal = BluetoothFailure(kind: .refused, wording: "\(address) refuses")
    progress("pairing \(hostileText)")
    if pin == "compare" {
      // BlueZ's agent also asks on a thread of its own.
      let isSame = await withCheckedContinuation { waiter in
        Thread.detachNewThread { waiter.resume(returning: confirm("004242")) }
      }
      guard isSame else { throw refusal }
    } else if pin != "1234" {
      throw refusal
    }
    progress("trusted")
  }
}
