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
import Verification
import Web

@testable import Office
@testable import OfficePages

@Suite("People, sessions and devices")
struct PeopleTests {
  @Test("an agency can be called something else later; its name stays, and the log says who did it")
  func agencyTitle() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await scene.office.people.setTitle(
        "Agency of the North", ofAgency: "north", by: "terminal")
      #expect(
        try await scene.office.people.agencies().first { $0.name == "north" }?.title
          == "Agency of the North")
      for (title, name) in [(" ", "north"), ("West", "west")] {
        await #expect(throws: OfficeRefusal.self) {
          try await scene.office.people.setTitle(title, ofAgency: name, by: "terminal")
        }
      }
      let log = try await scene.office.database.read(in: "north") { try $0.log.newest(limit: 1) }
      #expect(log.first?.action == "agency-titled")
      #expect(log.first?.detail == "North → Agency of the North")
    }
  }

  @Test("a wrong password and an unknown login get the same words; many tries have to wait")
  func wrongPassword() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      var words: Set<String> = []
      for login in ["otto", "nobody"] {
        let error = await #expect(throws: OfficeRefusal.self) {
          try await scene.office.sessions.authenticate(login: login, password: "guess guess")
        }
        #expect(error?.kind == .signInRefused)
        words.insert(error?.detail ?? "")
      }
      #expect(words.count == 1)
      for _ in 0..<5 {
        _ = try? await scene.office.sessions.authenticate(login: "otto", password: "guess guess")
      }
      let error = await #expect(throws: OfficeRefusal.self) {
        try await scene.office.sessions.authenticate(login: "otto", password: OfficeScene.password)
      }
      #expect(error?.kind == .signInWait)
      // Nobody else waits because of that.
      #expect(
        try await scene.office.sessions.authenticate(login: "olga", password: OfficeScene.password)
          .login
          == "olga")
    }
  }

  @Test("a session ends after its time unless it is used, and with the person's password")
  func sessions() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let account = try await scene.office.sessions.authenticate(
        login: "otto", password: OfficeScene.password)
      let token = try await scene.office.sessions.beginSession(for: account)
      func advance(hours: Double) {
        scene.clock.advance(
          to: scene.clock.elapsed.advanced(bySeconds: hours * 3600), limit: nil)
      }
      for _ in 0..<3 {
        advance(hours: 11)
        #expect(try await scene.office.sessions.visitor(withToken: token).account.login == "otto")
      }
      advance(hours: 12.1)
      let error = await #expect(throws: OfficeRefusal.self) {
        try await scene.office.sessions.visitor(withToken: token)
      }
      #expect(error?.kind == .sessionExpired)
      let second = try await scene.office.sessions.beginSession(for: account)
      try await scene.office.people.setPassword("another long password", of: "otto", by: "anna")
      await #expect(throws: OfficeRefusal.self) {
        try await scene.office.sessions.visitor(withToken: second)
      }
      for token in [nil, "", "x"] {
        await #expect(throws: OfficeRefusal.self) {
          try await scene.office.sessions.visitor(withToken: token)
        }
      }
    }
  }

  @Test("the token itself is kept nowhere")
  func tokens() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let account = try await scene.office.sessions.authenticate(
        login: "otto", password: OfficeScene.password)
      let token = try await scene.office.sessions.beginSession(for: account)
      let office = folder.appendingPathComponent("office-data/office")
      for name in ["standpoint.sqlite", "standpoint.sqlite-wal"] {
        let bytes = (try? Data(contentsOf: office.appendingPathComponent(name))) ?? Data()
        #expect(bytes.range(of: Data(token.utf8)) == nil)
        #expect(bytes.range(of: Data(OfficeScene.password.utf8)) == nil)
      }
    }
  }

  @Test("names, roles and passwords are checked before anybody is added")
  func adding() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let wrong: [(Account, String)] = [
        (Account(login: "a b", agency: "north", role: .officer), "long enough here"),
        (Account(login: "../x", agency: "north", role: .officer), "long enough here"),
        (Account(login: "", agency: "north", role: .officer), "long enough here"),
        (Account(login: "new", agency: nil, role: .officer), "long enough here"),
        (Account(login: "new", agency: "north", role: .superAdministrator), "long enough here"),
        (Account(login: "new", agency: "west", role: .officer), "long enough here"),
        (Account(login: "otto", agency: "north", role: .officer), "long enough here"),
        (Account(login: "new", agency: "north", role: .officer), "short"),
      ]
      for (account, password) in wrong {
        await #expect(throws: OfficeRefusal.self, "\(account)") {
          try await scene.office.people.addAccount(account, password: password, by: "test")
        }
      }
    }
  }

  @Test("the device's key gets one certificate, and keeps it when its inspector signs in again")
  func enrolment() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      _ = try await scene.unit("ines")
      try await scene.desk().signOut(over: scene.link)
      #expect(try scene.desk().signedIn() == nil)
      _ = try await scene.unit("ines")
      let devices = try await scene.office.database.read(in: "north") {
        try $0.devices.devices(of: "ines")
      }
      #expect(devices.count == 1)
      let certificate = try EvidenceCertificate(pem: devices[0].certificate)
      #expect(certificate.isIssued(by: scene.office.core.authority.certificate))
      #expect(certificate.subject?.inspector == "ines")
    }
  }

  @Test("a second inspector on the same field unit sees nothing of the first, whose things wait")
  func secondInspector() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await _ = scene.order()
      let (ines, task) = try await scene.working()
      try ines.provideTask(task.id)
      let igor = try await scene.unit("igor")
      #expect(try igor.tasks().isEmpty)
      #expect(try igor.photos().isEmpty)
      #expect(try igor.outbox().isEmpty)
      #expect(try await igor.delivery.deliver(over: scene.link).delivered == 0)
      #expect(throws: StoreError.self) { try igor.task(task.id) }
      // Her things are still sealed and queued, and go when she is back.
      let back = try await scene.unit("ines")
      #expect(try back.outbox().count == 2)
      #expect(try await back.delivery.deliver(over: scene.link).delivered == 2)
      let devices = try await scene.office.database.read(in: "north") {
        try $0.devices.devices(of: nil)
      }
      #expect(Set(devices.map(\.device)).count == 1)
      #expect(Set(devices.map(\.key)).count == 2)
    }
  }

  @Test("only inspectors sign in on field units, and a named office must be the one that answers")
  func whoMay() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let desk = try scene.desk()
      let error = await #expect(throws: DeliveryError.self) {
        try await desk.signIn(login: "otto", password: OfficeScene.password, over: scene.link)
      }
      #expect(error?.code == "role-forbidden")
      let pinned = await #expect(throws: DeliveryError.self) {
        try await desk.signIn(
          login: "ines", password: OfficeScene.password, over: scene.link,
          pin: String(repeating: "0", count: 64))
      }
      #expect(pinned?.code == "office-authority")
      #expect(!scene.link.calls.contains("sign-in") || scene.link.calls.last == "office")
      #expect(try desk.signedIn() == nil)
    }
  }

  @Test("an ended session asks for a sign-in, and everything stays queued")
  func expiredOnTheDevice() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let photo = try await scene.capture(unit, nil, 1)
      try unit.sendPhotos([photo.id])
      try await scene.office.people.setDisabled(true, login: "ines", by: "anna")
      let error = await #expect(throws: DeliveryError.self) {
        try await unit.delivery.deliver(over: scene.link)
      }
      #expect(error?.asksForSignIn == true)
      #expect(try unit.outbox().count == 1)
      try await scene.office.people.setDisabled(false, login: "ines", by: "anna")
      try await scene.desk().signIn(
        login: "ines", password: OfficeScene.password, over: scene.link)
      #expect(try await unit.delivery.deliver(over: scene.link).delivered == 1)
    }
  }

  @Test("a revoked device delivers nothing more; what it sealed and delivered stays valid")
  func revoked() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let first = try await scene.capture(unit, nil, 1)
      try unit.sendPhotos([first.id])
      _ = try await unit.delivery.deliver(over: scene.link)
      let key = try #require(
        try await scene.office.database.read(in: "north") { try $0.devices.devices(of: "ines") }
          .first?
          .key)
      try await scene.office.devices.revokeDevice(
        withKey: key, in: "north", reason: "stolen", by: "anna")
      let second = try await scene.capture(unit, nil, 2)
      try unit.sendPhotos([second.id])
      let outcome = try await unit.delivery.deliver(over: scene.link)
      #expect(outcome.refusal?.code == "key-revoked")
      #expect(outcome.failed == 1)
      let held = try await scene.office.database.read(in: "north") { try $0.photos.list(.all) }
      #expect(held.map(\.photo.id) == [first.id])
      #expect(held[0].verdict == .intact)
      // The verifier knows of the revocation, too: everything that the office held by then stays
      // valid.
      func report() throws -> VerificationReport {
        Verifier.verify(
          try EvidenceFolder(folder: folder.appendingPathComponent("office-data").path),
          scope: .whole, trust: .fingerprint(scene.office.fingerprint))
      }
      #expect(try report().verdict == .intact)
      let told = try report().findings.filter { $0.check == .revoked }
      #expect(told.count == 1 && told[0].message.contains("stolen"))
      #expect(try await scene.office.operation.differences().isEmpty)
      // If the office crashes before the revocation's file is written, its next start writes it.
      let path = folder.appendingPathComponent("office-data/office/revocations")
      try FileManager.default.removeItem(at: path)
      _ = try await OfficeScene.office(folder, scene.clock)
      #expect(try report().findings.contains { $0.check == .revoked })
    }
  }
}
