import AsyncHTTPClient
import Foundation
import Inspection
import NIOCore
import OfficeScenes
import TestSupport
import Testing
import Web

@testable import Enrolment
@testable import Office
@testable import OfficePages

@Suite("The steps that make an office ready", .timeLimit(.minutes(5)))
struct SetUpPagesTests {
  private func upload(
    _ site: OfficeSite, _ browser: OfficeBrowser, _ path: String, _ text: String
  ) async throws -> Answer {
    let boundary = "----boundary"
    let body = """
      --\(boundary)\r
      Content-Disposition: form-data; name="csrf"\r
      \r
      \(browser.token ?? "")\r
      --\(boundary)\r
      Content-Disposition: form-data; name="file"; filename="people.csv"\r
      Content-Type: text/csv\r
      \r
      \(text)\r
      --\(boundary)--\r\n
      """
    let cookies = browser.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    return try await site.send(
      "POST", path,
      [
        ("Content-Type", "multipart/form-data; boundary=\(boundary)"), ("Origin", site.origin),
        ("Cookie", cookies), ("Accept", "text/html"),
      ], body: .bytes(ByteBuffer(string: body)))
  }

  @Test("each step shows what there is, with Back, Next and its command")
  func steps() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let anna = site.browser()
        try await anna.signIn("anna")
        for (step, words) in [
          ("people", "Otto"), ("parcels", "0 parcels in the register."),
          ("map", "No base map yet."), ("policy", "No rules set yet."),
          ("device", "No device has signed in yet."), ("end", "An officer signs in"),
        ] {
          let page = try await anna.get("/set-up?step=\(step)")
          #expect(page.status == 200 && page.body.contains(words), "\(step)")
          #expect(page.body.contains("Back") == (step != "people"), "\(step)")
          #expect(page.body.contains("Next") == (step != "end"), "\(step)")
        }
        #expect(try await anna.get("/set-up?step=nonsense").body.contains("Step 2 of 6"))
        _ = try await scene.unit()
        let devices = try await anna.get("/set-up?step=device").body
        #expect(devices.contains("<li>Ines: since"), "\(devices)")
        // Parcels lead back here.
        let parcels = try await anna.get("/parcels/import?way=set-up").body
        #expect(parcels.contains("action=\"/parcels/import?way=set-up\""))
      }
    }
  }

  @Test("people come by hand; an inspector needs no password, and everybody else does")
  func byHand() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let anna = site.browser()
        try await anna.signIn("anna")
        let good = try await anna.post(
          "/set-up/people", ["login": "iva", "name": "Iva Malá", "role": "inspector"])
        #expect(good.location == "/set-up?step=people&done=saved")
        let bad = try await anna.post(
          "/set-up/people", ["login": "oskar", "name": "Oskar", "role": "officer"])
        #expect(bad.status == 400 && bad.body.contains("at least 10 characters"))
        #expect(bad.body.contains("value=\"oskar\""))
        let root = try await anna.post(
          "/set-up/people",
          ["login": "root", "role": "super-administrator", "password": "long enough it is"])
        #expect(root.status == 400)
        let logins = try await scene.office.people.accounts(ofAgency: "north").map(\.login)
        #expect(logins.contains("iva") && !logins.contains("oskar") && !logins.contains("root"))
      }
    }
  }

  @Test("a file of people is taken whole or not at all, and each fault names its line")
  func byFile() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let anna = site.browser()
        try await anna.signIn("anna")
        let before = try await scene.office.people.accounts()
        let bad = try await upload(
          site, anna, "/set-up/people/import",
          """
          login,name,role,password
          iva,Iva,inspector,
          iva,Iva again,inspector,
          sven,Of the south,inspector,
          oskar,Oskar,officer,
          a b,Blank,inspector,
          olaf,Olaf,officer,short
          """)
        #expect(bad.status == 422)
        for (line, words) in [
          (3, "was in line 2 already"), (4, "the login sven is taken"), (5, "it has no password"),
          (6, "a login is 1 to 64"), (7, "at least 10 characters"),
        ] {
          #expect(bad.body.contains("<strong>Line \(line)</strong>: "), "\(line)")
          #expect(bad.body.contains(words), "\(words)")
        }
        #expect(try await scene.office.people.accounts() == before)
        let text = "login,name,role,password\niva,Iva,,\noskar,Oskar,officer,kestrel over barley\n"
        let good = try await upload(site, anna, "/set-up/people/import", text)
        #expect(good.location == "/set-up?step=people&done=imported", "\(good.body)")
        #expect(
          try await scene.office.sessions.authenticate(
            login: "oskar", password: "kestrel over barley"
          ).role == .officer)
        // The same file again changes nothing.
        let again = try await PeopleImport(of: scene.office).take(
          Array(text.utf8), in: "north", by: "anna")
        #expect(again.new.isEmpty && again.unchanged == 2 && again.faults.isEmpty)
        let none = try await upload(site, anna, "/set-up/people/import", "\u{0}\u{1}")
        #expect(none.status == 422 && none.body.contains("not text in UTF-8"))
      }
    }
  }
}
