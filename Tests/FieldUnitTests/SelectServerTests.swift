import Evidence
import Foundation
import Receivers
import Store
import Sync
import TestSupport
import Testing
import Web

@testable import FieldPages
@testable import FieldUnit
@testable import Upkeep

@Suite("Select server", .timeLimit(.minutes(5)))
struct SelectServerTests {
  @Test("a server is tested before it is kept: what does not answer as an office is not taken")
  func tested() async throws {
    try await FieldSite.with { site in
      _ = try await site.browser.get("/sign-in/server")
      for (given, status, words) in [
        (["office": "nonsense"], 400, "is not an office&#39;s address"),
        (["office": "http://office.example"], 400, "http would send the password unencrypted"),
        ([:], 400, "is not an office&#39;s address"),
        (["office": "http://127.0.0.1:1"], 502, "could not be reached"),
        (["office": site.address, "fingerprint": "12:34"], 422, "64 digits"),
        (
          ["office": site.address, "fingerprint": String(repeating: "ab", count: 32)], 502,
          "has the fingerprint"
        ),
        (["office": site.address, "certificate": "none"], 400, "holds no PEM certificate"),
        (["office": hostileText], 400, "&lt;script&gt;"),
      ] as [([String: String], Int, String)] {
        let answer = try await site.browser.post("/sign-in/server", given)
        #expect(answer.status == status, "\(given)")
        #expect(answer.body.contains(words), "\(given): \(answer.body)")
        #expect(try site.server.chosenOffice == nil, "\(given)")
      }
      // The default office stays selected.
      #expect(try await site.browser.get("/sign-in").body.contains("Office (default)"))
    }
  }

  @Test("the selected one is signed in at, only while signed out, and the default is one tap away")
  func selected() async throws {
    try await FieldSite.with { site in
      let second = try FakeOffice(clock: site.scene.clock)
      try await withWebServer(second.routes()) { port in
        let address = "http://127.0.0.1:\(port)"
        _ = try await site.browser.get("/sign-in/server")
        let fingerprint = second.authority.certificate.fingerprint.uppercased()
        let kept = try await site.browser.post(
          "/sign-in/server", ["office": address + "/", "fingerprint": fingerprint])
        #expect(kept.location == "/sign-in?done=server")
        let page = try await site.browser.get("/sign-in?done=server").body
        #expect(
          page.contains("<strong>\(address)</strong>") && page.contains("Office (selected here)"))
        #expect(page.contains("Use the default: \(site.address)"))
        // An older page sends no password to an office that it does not show.
        let stale = try await site.browser.post(
          "/sign-in", ["login": "ines", "password": FakeOffice.password, "office": site.address])
        #expect(stale.status == 409 && stale.body.contains("your password was not sent"))
        #expect(!second.calls.contains("sign-in") && !site.office.calls.contains("sign-in"))
        try await site.signIn()
        #expect(try site.server.desk.signedIn()?.office == address)
        #expect(second.calls.contains("sign-in") && !site.office.calls.contains("sign-in"))
        let before = try site.server.chosenOffice
        _ = try await site.browser.get("/")
        for path in ["/sign-in/server", "/sign-in/server/default"] {
          let answer = try await site.browser.post(path, ["office": site.address])
          #expect(answer.location == "/", "\(path)")
        }
        #expect(try await site.browser.get("/sign-in/server").location == "/")
        #expect(try site.server.chosenOffice == before)
        _ = try await site.browser.post("/sign-out")
        _ = try await site.browser.get("/sign-in")
        #expect(try await site.browser.post("/sign-in/server/default").location == "/sign-in")
        #expect(try site.server.chosenOffice == nil)
        #expect(
          try await site.browser.get("/sign-in").body.contains("<strong>\(site.address)</strong>"))
        try await (site.server.link(to: address) as? HTTPOfficeLink)?.close()
      }
    }
  }

  @Test(
    "a form goes nowhere where the same address was selected by other signs, nor where it names none"
  )
  func otherTrust() async throws {
    try await FieldSite.with { site in
      let data = site.server.configuration.dataDirectory
      let (one, other) = (String(repeating: "1", count: 64), String(repeating: "2", count: 64))
      func choose(_ fingerprint: String, _ certificate: String?) throws {
        try ChosenOffice(
          address: site.address, fingerprint: fingerprint, certificate: certificate
        ).keep(in: data)
      }
      let password = ["login": "ines", "password": FakeOffice.password]
      try choose(one, nil)
      let page = try await site.browser.get("/sign-in")
      let trust = try #require(try site.server.officeToSignIn?.trust)
      #expect(page.body.contains("name=\"trust\" value=\"\(trust)\""))
      for change in [{ try choose(other, nil) }, { try choose(one, "PEM") }] {
        try change()
        let stale = try await site.browser.post(
          "/sign-in", password.merging(["office": site.address, "trust": trust]) { $1 })
        #expect(stale.status == 409 && stale.body.contains("your password was not sent"))
      }
      try site.server.useDefaultOffice()
      for fields in [
        ["office": "", "trust": ""], ["office": site.address, "trust": ""],
        ["office": "", "trust": "default"], ["office": site.address, "trust": trust],
      ] {
        let answer = try await site.browser.post("/sign-in", password.merging(fields) { $1 })
        #expect(answer.status == 409, "\(fields)")
      }
      #expect(!site.office.calls.contains("sign-in"))
      try await site.signIn()
      #expect(site.office.calls.contains("sign-in"))
    }
  }

  @Test("a certificate that was given goes again: without it the system's trust holds from then on")
  func certificateGoes() async throws {
    try await FieldSite.with { site in
      let pem = try Authority.make(name: "tls", at: site.scene.clock.deviceTime).certificate.pem
        .trimmingCharacters(in: .whitespacesAndNewlines)
      func select(_ fields: [String: String]) async throws {
        _ = try await site.browser.get("/sign-in/server")
        let kept = try await site.browser.post(
          "/sign-in/server", fields.merging(["office": site.address]) { $1 })
        try #require(kept.location == "/sign-in?done=server")
      }
      func signInAndOut() async throws -> String? {
        try await site.signIn()
        let known = try site.server.desk.tlsCertificate(ofOffice: site.address)
        #expect(try site.server.desk.signedIn()?.tlsCertificate == known)
        _ = try await site.browser.get("/sign-out")
        _ = try await site.browser.post("/sign-out")
        return known
      }
      func plain(_ text: String?) -> String? { text?.filter { !$0.isWhitespace } }
      #expect(!(try await site.browser.get("/sign-in/server").body.contains("name=\"keeps\"")))
      try await select(["certificate": pem])
      #expect(plain(try await signInAndOut()) == plain(pem))
      #expect(try await site.browser.get("/sign-in/server").body.contains("name=\"keeps\""))
      try await select(["keeps": "yes"])
      #expect(plain(try site.server.chosenOffice?.certificate) == plain(pem))
      #expect(plain(try await signInAndOut()) == plain(pem), "kept where somebody wants so")
      try await select([:])
      #expect(try site.server.chosenOffice != nil && site.server.chosenOffice?.certificate == nil)
      #expect(try await signInAndOut() == nil)
      #expect(!(try await site.browser.get("/sign-in/server").body.contains("name=\"keeps\"")))
      // The default office at the same address trusts as the last sign-in there did.
      try site.server.useDefaultOffice()
      #expect(try await signInAndOut() == nil)
    }
  }

  @Test("no password goes to an office that shows another fingerprint than when it was selected")
  func otherAuthority() async throws {
    try await FieldSite.with { site in
      try ChosenOffice(
        address: site.address, fingerprint: String(repeating: "0", count: 64), certificate: nil
      ).keep(in: site.server.configuration.dataDirectory)
      let answer = try await site.signIn()
      #expect(answer.status == 502 && answer.body.contains("has the fingerprint"))
      #expect(!site.office.calls.contains("sign-in"))
    }
  }

  @Test("while the choice cannot be read nobody signs in, and the page lets it be removed")
  func unreadable() async throws {
    try await FieldSite.with { site in
      let data = site.server.configuration.dataDirectory
      let path = DataFolder(dataDirectory: data).chosenOffice
      try Data("half a choi".utf8).write(to: URL(fileURLWithPath: path))
      let page = try await site.browser.get("/sign-in").body
      #expect(page.contains("does not name an office") && page.contains("Remove the selection"))
      #expect(!page.contains("name=\"password\""))
      let answer = try await site.browser.post(
        "/sign-in",
        [
          "login": "ines", "password": FakeOffice.password, "office": site.address,
          "trust": "default",
        ])
      #expect(answer.status == 422 && answer.body.contains("does not name an office"))
      for path in ["/sign-in/server", "/sign-in/code"] {
        let answer = try await site.browser.get(path)
        #expect(answer.status == 422 && answer.body.contains("does not name an office"), "\(path)")
      }
      let typed = try await site.browser.post(
        "/sign-in/code", ["office": site.address, "code": FakeOffice.code])
      #expect(typed.status == 422 && !site.office.calls.contains("invitation"))
      #expect(!site.office.calls.contains("sign-in"))
      let bundle = SupportBundle(
        configuration: site.server.configuration, clock: site.scene.clock, office: nil,
        camera: nil, receiver: [], delivery: nil)
      #expect(bundle.parts.contains { $0.text.contains("does not name an office") })
      _ = try await site.browser.get("/sign-in")
      #expect(try await site.browser.post("/sign-in/server/default").location == "/sign-in")
      try await site.signIn()
      #expect(try site.server.desk.signedIn() != nil)
    }
  }

  @Test("without a default and without a choice the sign-in page asks for a server first")
  func none() async throws {
    try await FieldSite.with(hasDefault: false) { site in
      let page = try await site.browser.get("/sign-in").body
      #expect(
        page.contains("or select your server.") && !page.contains("name=\"password\""))
      let early = try await site.browser.post("/sign-in", ["login": "ines", "password": "x"])
      #expect(early.status == 400)
    }
  }

  @Test("a choice reads back as it was kept, and a file that names no office is said")
  func file() throws {
    try withTemporaryDirectory { folder in
      let path = DataFolder(dataDirectory: folder)
      try path.prepare()
      let choice = ChosenOffice(
        address: "https://office.example:8480", fingerprint: String(repeating: "0a", count: 32),
        certificate: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----")
      func isRefused() -> Bool {
        do {
          _ = try ChosenOffice.read(in: folder)
          return false
        } catch FieldUnitError.unreadable(let path, _) {
          return path == DataFolder(dataDirectory: folder).chosenOffice
        } catch {
          return false
        }
      }
      #expect(try ChosenOffice.read(in: folder) == nil)
      try choice.keep(in: folder)
      #expect(try ChosenOffice.read(in: folder) == choice)
      let whole = try #require(FileManager.default.contents(atPath: path.chosenOffice))
      for length in 0..<120 {
        try whole.prefix(length).write(to: URL(fileURLWithPath: path.chosenOffice))
        // The certificate stands at the end, where a cut cannot be seen.
        #expect(
          try isRefused() || ChosenOffice.read(in: folder)?.fingerprint == choice.fingerprint,
          "\(length)")
      }
      try Data([0xFF, 0x0A, 0x00]).write(to: URL(fileURLWithPath: path.chosenOffice))
      #expect(isRefused())
      try FileManager.default.removeItem(atPath: path.chosenOffice)
      try FileManager.default.createDirectory(
        atPath: path.chosenOffice, withIntermediateDirectories: false)
      #expect(isRefused())
      try FileManager.default.removeItem(atPath: path.chosenOffice)
      #expect(try ChosenOffice.read(in: folder) == nil)
      try ChosenOffice.forget(in: folder)
      try ChosenOffice.forget(in: folder)
      #expect(ChosenOffice.fingerprint("AB:" + String(repeating: "cd ", count: 31)) != nil)
      #expect(ChosenOffice.fingerprint(String(repeating: "xy", count: 32)) == nil)
    }
  }
}
