import Evidence
import FieldUnit
import Foundation
import Inspection
import OfficeScenes
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Web

@testable import Enrolment
@testable import Joining
@testable import Office
@testable import OfficePages

@Suite("An inspector's device signs in by a one-time code", .timeLimit(.minutes(5)))
struct InvitationTests {
  /// Returns the code of a refused sign-in; nil if it went well.
  private func refusal(_ body: () async throws -> Void) async throws -> String? {
    do {
      try await body()
      return nil
    } catch let error as DeliveryError {
      return error.code
    } catch let error as OfficeRefusal {
      return error.kind.rawValue
    }
  }

  private func advance(_ scene: OfficeScene, _ seconds: Double) {
    scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: seconds), limit: nil)
  }

  private func join(
    _ ticket: InvitationTicket, _ scene: OfficeScene, on device: String
  ) async throws {
    try await Invitation.find(ticket).accept(
      at: try scene.desk(device),
      dataDirectory: scene.folder.appendingPathComponent(device))
  }

  @Test("a code signs one device in, with the key's certificate, as a password does")
  func once() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let (code, _) = try await Invitations(of: scene.office).invite("ines", by: "anna")
        let ticket = InvitationTicket(
          office: site.origin, code: code, fingerprint: scene.office.fingerprint)
        // Asking, as the page does before it asks the person, does not use the code up.
        for _ in 1...2 {
          let found = try await Invitation.find(ticket)
          #expect(found.holder.login == "ines" && found.holder.title == "North")
          await found.close()
        }
        try await join(ticket, scene, on: "tablet")
        let signIn = try #require(try scene.desk().signedIn())
        #expect(signIn.person == Person(agency: "north", login: "ines", role: .inspector))
        #expect(signIn.office == site.origin)
        let device = try #require(
          try await scene.office.database.read(in: "north") {
            try $0.devices.devices(of: "ines")
          }.first)
        let certificate = try EvidenceCertificate(pem: device.certificate)
        #expect(certificate.isIssued(by: scene.office.core.authority.certificate))
        // Read twice: the second device is told that the code was used.
        let words = try await refusal { try await join(ticket, scene, on: "phone") }
        #expect(words == "invitation-refused")
        #expect(try scene.desk("phone").signedIn() == nil)
      }
    }
  }

  @Test("a code of yesterday, one that was replaced, withdrawn or never made signs nobody in")
  func ended() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let invitations = Invitations(of: scene.office)
      func words(_ code: OneTimeCode) async throws -> String {
        do {
          _ = try await invitations.holder(
            of: InvitationQuestion(code: code.characters), line: "test")
          return "good"
        } catch let refusal as OfficeRefusal {
          #expect(refusal.kind == .invitationRefused || refusal.kind == .accountDisabled)
          return refusal.detail
        }
      }
      let (first, _) = try await invitations.invite("ines", by: "anna")
      let (second, expires) = try await invitations.invite("ines", by: "anna")
      #expect(try await words(first).contains("does not know"))
      #expect(try await words(second) == "good")
      #expect(try invitations.open(of: "north").map(\.login) == ["ines"])
      #expect(try invitations.open(of: "south").isEmpty)
      // The administrator of another agency ends nothing here.
      try await invitations.withdraw("ines", of: "south", by: "adam")
      #expect(try await words(second) == "good")
      advance(scene, OneTimeCode.lifetimeSeconds - 1)
      #expect(try await words(second) == "good")
      advance(scene, 2)
      #expect(try await words(second).contains("this code ended at \(expires.rfc3339)"))
      let (third, _) = try await invitations.invite("ines", by: "anna")
      try await invitations.withdraw("ines", of: "north", by: "anna")
      #expect(try await words(third).contains("does not know"))
      let (fourth, _) = try await invitations.invite("ines", by: "anna")
      try await scene.office.people.setDisabled(true, login: "ines", by: "anna")
      #expect(try await words(fourth).contains("is disabled"))
      #expect(try await refusal { _ = try await invitations.invite("otto", by: "anna") } != nil)
      #expect(
        try await refusal { _ = try await invitations.invite("sven", of: "north", by: "anna") }
          == "unknown")
    }
  }

  @Test("of two devices that show a code at the same moment, one is signed in")
  func atOnce() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let (code, _) = try await Invitations(of: scene.office).invite("ines", by: "anna")
        let ticket = InvitationTicket(office: site.origin, code: code)
        let outcomes = try await withThrowingTaskGroup(of: String?.self) { group in
          for device in ["one", "two", "three", "four"] {
            group.addTask { try await refusal { try await join(ticket, scene, on: device) } }
          }
          return try await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1, "\(outcomes)")
        #expect(outcomes.count { $0 == "invitation-refused" } == 3, "\(outcomes)")
      }
    }
  }

  @Test("a code that came to nothing can be used again, and another office never gets it")
  func givenBack() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let invitations = Invitations(of: scene.office)
        let (code, _) = try await invitations.invite("ines", by: "anna")
        let broken = InvitedSignInRequest(
          code: code.characters, enrolment: "no proof", software: "test")
        let words = try await refusal {
          _ = try await invitations.signIn(broken, line: "test")
        }
        #expect(words == "enrolment-malformed")
        let wrong = InvitationTicket(
          office: site.origin, code: code, fingerprint: String(repeating: "0", count: 64))
        #expect(
          try await refusal { try await join(wrong, scene, on: "tablet") } == "office-authority")
        let right = InvitationTicket(office: site.origin, code: code)
        #expect(try await refusal { try await join(right, scene, on: "tablet") } == nil)
      }
    }
  }

  @Test("guessing has to wait after five wrong codes, and no file names a code")
  func guessed() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let invitations = Invitations(of: scene.office)
      let (code, _) = try await invitations.invite("ines", by: "anna")
      var kinds: [OfficeProblem] = []
      for number in 0..<7 {
        do {
          _ = try await invitations.holder(
            of: InvitationQuestion(code: "0000000\(number)"), line: "test")
        } catch let refusal as OfficeRefusal {
          kinds.append(refusal.kind)
        }
      }
      #expect(kinds == Array(repeating: .invitationRefused, count: 5) + [.signInWait, .signInWait])
      // Another line is not kept from it.
      let question = InvitationQuestion(code: code.grouped)
      #expect(try await invitations.holder(of: question, line: "other").login == "ines")
      let shelf = scene.office.configuration.folder.appendingPathComponent("invitations")
      let names = try FileManager.default.contentsOfDirectory(atPath: shelf.path)
      #expect(names.count == 1)
      for name in names {
        let text = try String(contentsOf: shelf.appendingPathComponent(name), encoding: .utf8)
        #expect(!(name + text).uppercased().contains(code.characters))
        #expect(name != Token.digest(code.characters))
      }
      // After a week nothing of an ended code is left.
      advance(scene, OneTimeCode.lifetimeSeconds + OneTimeCode.rememberedSeconds + 1)
      _ = try await invitations.invite("igor", by: "anna")
      #expect(try FileManager.default.contentsOfDirectory(atPath: shelf.path).count == 1)
    }
  }

  @Test("who looks at a code of their own in between has to wait like anybody who guesses")
  func lookedAtInBetween() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let invitations = Invitations(of: scene.office)
      let (code, _) = try await invitations.invite("ines", by: "anna")
      func look(_ code: String, line: String) async throws -> OfficeProblem? {
        do {
          _ = try await invitations.holder(of: InvitationQuestion(code: code), line: line)
          return nil
        } catch let refusal as OfficeRefusal {
          return refusal.kind
        }
      }
      // Looking alone never makes anybody wait, nor the other lines.
      for number in 0..<120 {
        #expect(try await look(code.characters, line: number < 20 ? "own" : "\(number)") == nil)
      }
      for number in 0..<4 {
        #expect(try await look("0000000\(number)", line: "test") == .invitationRefused)
        #expect(try await look(code.characters, line: "test") == nil)
      }
      #expect(try await look("00000004", line: "test") == .invitationRefused)
      #expect(try await look("00000005", line: "test") == .signInWait)
      #expect(try await look(code.characters, line: "test") == .signInWait)
      // A sign-in that comes to nothing forgives none either.
      advance(scene, 1000)
      for number in 0..<4 {
        #expect(try await look("0000000\(number)", line: "other") == .invitationRefused)
        let broken = InvitedSignInRequest(
          code: code.characters, enrolment: "no proof", software: "test")
        let words = try await refusal { _ = try await invitations.signIn(broken, line: "other") }
        #expect(words == "enrolment-malformed")
      }
      #expect(try await look("00000004", line: "other") == .invitationRefused)
      #expect(try await look("00000005", line: "other") == .signInWait)
    }
  }

  @Test("a code that signs a device in forgives the wrong ones before it")
  func forgiven() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let invitations = Invitations(of: scene.office)
        let desk = try scene.desk()
        for (number, login) in ["ines", "igor"].enumerated() {
          let (code, _) = try await invitations.invite(login, by: "anna")
          let link = try desk.link(to: site.origin)
          for wrong in 0..<4 {
            let words = try await refusal {
              _ = try await link.invitation(InvitationQuestion(code: "000000\(number)\(wrong)"))
            }
            #expect(words == "invitation-refused")
          }
          await link.close()
          try await join(
            InvitationTicket(office: site.origin, code: code), scene, on: "device\(number)")
        }
      }
    }
  }

  @Test("the page shows the QR code once, for addresses that a device can use")
  func page() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let anna = site.browser()
        try await anna.signIn("anna")
        let form = try await anna.get("/invitations?login=igor").body
        #expect(form.contains("<option value=\"igor\" selected>Igor (igor)</option>"))
        #expect(form.contains("value=\"\(site.origin)\""))
        for (office, words) in [
          ("http://office.example", "need https"), ("office.example", "looks like"),
          ("https://office.example/path", "looks like"), (hostileText, "looks like"),
        ] {
          let answer = try await anna.post("/invitations", ["login": "ines", "office": office])
          #expect(answer.status == 400 && answer.body.contains(words), "\(office)")
        }
        for login in ["otto", "sven", "nobody", ""] {
          let answer = try await anna.post("/invitations", ["login": login])
          #expect([403, 404].contains(answer.status), "\(login)")
        }
        let shown = try await anna.post(
          "/invitations", ["login": "ines", "office": "https://office.example/"])
        #expect(shown.status == 200 && shown.body.contains("class=\"qr\""))
        #expect(shown.body.contains("until 2026-06-02"))
        let pending = try await anna.get("/invitations").body
        #expect(pending.contains("Withdraw the code of Ines") && !pending.contains("class=\"qr\""))
        _ = try await anna.post("/invitations/withdraw", ["login": "ines"])
        #expect(try await !anna.get("/invitations").body.contains("Withdraw the code"))
      }
    }
  }
}
