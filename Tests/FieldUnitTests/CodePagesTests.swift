import Evidence
import Exports
import Foundation
import Imagery
import Inspection
import Positioning
import Receivers
import Store
import Sync
import Synchronization
import TestSupport
import Testing
import TimeAndText
import Web

@testable import FieldPages
@testable import FieldUnit
@testable import Joining

@Suite("Sign in with a code", .timeLimit(.minutes(5)))
struct CodePagesTests {
  /// Draws a QR code into a picture as a camera sees it.
  private static func picture(_ text: String, modulePixels: Int = 5) throws -> [UInt8] {
    try picture(of: [text], modulePixels: modulePixels)
  }

  /// Draws QR codes beside each other, from left to right, into a picture as a camera sees it.
  private static func picture(of texts: [String], modulePixels: Int = 5) throws -> [UInt8] {
    let codes = try texts.map { try #require(QRCode($0)) }
    let sides = codes.map { ($0.side + 2 * QRCode.quietModules) * modulePixels }
    var picture = try PixelBuffer(
      width: sides.reduce(200, +), height: (sides.max() ?? 0) + 90)
    var start = 100
    for (code, side) in zip(codes, sides) {
      for y in 0..<code.side {
        for x in 0..<code.side where code.isDark(x: x, y: y) {
          let (left, top) = (
            start + (x + QRCode.quietModules) * modulePixels,
            40 + (y + QRCode.quietModules) * modulePixels
          )
          picture.fillRectangle(
            columns: left..<(left + modulePixels), rows: top..<(top + modulePixels),
            colour: Colour(red: 20, green: 30, blue: 40))
        }
      }
      start += side
    }
    return try picture.encodeJPEG(quality: 60)
  }

  private static func ticket(_ site: FieldSite, fingerprint: String? = nil) throws
    -> InvitationTicket
  {
    InvitationTicket(
      office: site.address, code: try #require(OneTimeCode(FakeOffice.code)),
      fingerprint: fingerprint ?? site.office.authority.certificate.fingerprint)
  }

  @Test("the camera's picture of a code leads to the question who signs in, and from there to work")
  func read() async throws {
    try await FieldSite.with(hasDefault: false) { site in
      #expect(try await site.browser.get("/sign-in").body.contains("href=\"/sign-in/code\""))
      _ = try await site.browser.get("/sign-in/code")
      let ticket = try Self.ticket(site)
      let seen = try await site.browser.post(
        "/sign-in/code/frame", bytes: try Self.picture(ticket.text))
      #expect(seen.body.contains(ticket.text))
      let asked = try await site.browser.post("/sign-in/code", ["ticket": ticket.text])
      #expect(asked.status == 200 && asked.body.contains("Sign in as Ines?"))
      #expect(asked.body.contains("Agency of the North") && asked.body.contains(site.address))
      #expect(try site.server.desk.signedIn() == nil)
      let done = try await site.browser.post("/sign-in/code/sign-in", ["ticket": ticket.text])
      #expect(done.location == "/start?done=signed-in", "\(done.body)")
      #expect(try site.server.desk.signedIn()?.person.login == "ines")
      #expect(try site.server.chosenOffice?.address == site.address)
      #expect(
        try site.server.chosenOffice?.fingerprint == site.office.authority.certificate.fingerprint)
      while try site.server.deliveryStatus.words == nil { await Task.yield() }
      // Signed in, the page is not there any more.
      #expect(try await site.browser.get("/sign-in/code").location == "/")
    }
  }

  @Test("of several codes in one picture the office's is taken, wherever it is")
  func severalCodes() async throws {
    try await FieldSite.with { site in
      _ = try await site.browser.get("/sign-in/code")
      let ticket = try Self.ticket(site).text
      let menu = "https://office.example/a-menu"
      for texts in [[menu, ticket], [ticket, menu]] {
        let picture = try Self.picture(of: texts)
        #expect(try Set(QRReader.texts(inJPEG: picture)) == Set(texts))
        let seen = try await site.browser.post("/sign-in/code/frame", bytes: picture)
        #expect(seen.body.contains("\"\(ticket)\"") && !seen.body.contains("a-menu"))
      }
    }
  }

  @Test("a picture without scripts, and eight typed characters, lead to the same question")
  func typed() async throws {
    try await FieldSite.with { site in
      _ = try await site.browser.get("/sign-in/code")
      let picture = try await site.browser.upload(
        "/sign-in/code/picture", file: try Self.picture(try Self.ticket(site).text), name: "a.jpg")
      #expect(picture.body.contains("Sign in as Ines?"))
      let typed = try await site.browser.post(
        "/sign-in/code", ["office": site.address, "code": "k7pm-3xq9"])
      #expect(typed.body.contains("Sign in as Ines?"))
    }
  }

  @Test("hostile bytes, pictures without a code, and other codes sign nobody in")
  func hostile() async throws {
    try await FieldSite.with { site in
      _ = try await site.browser.get("/sign-in/code")
      let empty = try PixelBuffer(width: 400, height: 300).encodeJPEG(quality: 60)
      let elsewhere = try Self.picture("https://office.example/a-menu")
      let good = try Self.picture(try Self.ticket(site).text)
      for (bytes, status, words) in [
        ([], 422, "not a JPEG picture"), (Array(hostileText.utf8), 422, "not a JPEG picture"),
        ([0xFF, 0xD8, 0xFF, 0xE0], 422, "not a JPEG picture"),
        (Array(good.prefix(40)), 422, "not a JPEG picture"),
        (empty, 422, "There is no QR code"), (elsewhere, 422, "does not sign in"),
      ] as [([UInt8], Int, String)] {
        let answer = try await site.browser.upload(
          "/sign-in/code/picture", file: bytes, name: "a.jpg")
        #expect(
          answer.status == status && answer.body.contains(words), "\(words): \(answer.status)")
        let frame = try await site.browser.post("/sign-in/code/frame", bytes: bytes)
        #expect(frame.status == 200 && !frame.body.contains("standpoint:"), "\(words)")
      }
      #expect(!site.office.calls.contains("invitation"))
    }
  }

  @Test("the reader finds nothing to trip over in noise and in damaged pictures")
  func noise() throws {
    var random = SeededGenerator(seed: 7)
    let good = try Self.picture("standpoint:sign-in?x=" + String(repeating: "y", count: 120))
    #expect(try QRReader.texts(inJPEG: good).count == 1)
    for _ in 0..<200 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      _ = try? QRReader.texts(inJPEG: bytes)
    }
  }

  @Test("a wrong code, another office's code and a place without an office say what is wrong")
  func refused() async throws {
    try await FieldSite.with { site in
      _ = try await site.browser.get("/sign-in/code")
      let other = try Self.ticket(site, fingerprint: String(repeating: "0", count: 64))
      for (fields, status, words) in [
        (["office": site.address, "code": "0000-0000"], 422, "does not know the code"),
        (["office": site.address, "code": "0000"], 422, "eight letters and digits"),
        (["office": "http://office.example", "code": "K7PM3XQ9"], 400, "use https"),
        (["office": "http://127.0.0.1:1", "code": "K7PM3XQ9"], 502, "could not be reached"),
        (["office": hostileText, "code": "K7PM3XQ9"], 400, "&lt;script&gt;"),
        (["ticket": other.text], 502, "has the fingerprint"),
        (["ticket": hostileText], 422, "does not sign in"), ([:], 422, "eight letters and digits"),
      ] as [([String: String], Int, String)] {
        let answer = try await site.browser.post("/sign-in/code", fields)
        #expect(answer.status == status && answer.body.contains(words), "\(fields): \(answer.body)")
      }
      let late = try await site.browser.post("/sign-in/code/sign-in", ["ticket": other.text])
      #expect(late.status == 502)
      #expect(try site.server.desk.signedIn() == nil)
      #expect(!site.office.calls.contains("invited-sign-in"))
    }
  }

  @Test(
    "a code that names the office's own TLS certificate is enough to trust it, and no other one",
    .enabled(if: Program.tool("openssl") != nil))
  func ownCertificate() async throws {
    try await withTemporaryDirectory { folder in
      let openssl = try #require(Program.tool("openssl"))
      let files = (folder.path + "/own.crt", folder.path + "/own.key")
      let made = try await Program.run(
        openssl,
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
          "-days", "2", "-subj", "/CN=office", "-addext", "subjectAltName=IP:127.0.0.1", "-out",
          files.0, "-keyout", files.1,
        ])
      #expect(made.status == 0, "\(made.errors)")
      let clock = ReplayClock(
        start: DeviceTime(millisecondsSince1970: 1_780_000_000_000), rate: .infinity)
      let office = try FakeOffice(clock: clock)
      let fingerprint = try #require(try WebConfiguration.certificateFingerprint(ofFile: files.0))
      try await withWebServer(
        office.routes(), tls: (certificatePath: files.0, keyPath: files.1)
      ) { port in
        let code = try #require(OneTimeCode(FakeOffice.code))
        var ticket = InvitationTicket(
          office: "https://127.0.0.1:\(port)", code: code,
          fingerprint: office.authority.certificate.fingerprint, tlsFingerprint: fingerprint)
        let desk = try SignInDesk(dataDirectory: folder, software: "test", clock: clock)
        try await Invitation.find(ticket).accept(at: desk, dataDirectory: folder)
        #expect(try desk.signedIn()?.person.login == "ines")
        // Later links trust it, too.
        let later = try desk.link(to: ticket.office)
        #expect(try await later.office().software == "fake")
        await later.close()
        // Only a refused certificate is one that the system does not trust: a network that fails
        // just then says what it is, and no certificate is chosen.
        let named = ticket
        let links = Mutex<[String?]>([])
        await #expect {
          try await Invitation.find(named) { _, pem in
            links.withLock { $0.append(pem) }
            return AbsentLink()
          }
        } throws: { "\($0)".contains("there is no network") }
        #expect(links.withLock { $0 } == [nil])
        ticket.tlsFingerprint = String(repeating: "0", count: 64)
        await #expect(throws: DeliveryError.self) { try await Invitation.find(ticket) }
        #expect(await PresentedCertificate.of("https://127.0.0.1:1") == nil)
      }
    }
  }
}
