import Evidence
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

@testable import FieldUnit
@testable import Office
@testable import OfficePages

@Suite("Sessions that the device's key renews")
struct SessionRenewalTests {
  private func later(_ scene: OfficeScene, days: Double) {
    scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: days * 86_400), limit: nil)
  }

  @Test("after weeks offline the key renews the session, and nobody types a password")
  func weeks() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let photo = try await scene.capture(unit, nil, 1)
      try unit.sendPhotos([photo.id])
      let before = try scene.desk().signedIn()?.token
      later(scene, days: 40)
      await #expect(throws: OfficeRefusal.self) {
        try await scene.office.sessions.visitor(withToken: before)
      }
      #expect(try await unit.delivery.deliver(over: scene.link).delivered == 1)
      #expect(scene.link.calls.count { $0 == "renew" } == 1)
      #expect(scene.link.calls.count { $0 == "sign-in" } == 1)
      #expect(try scene.desk().signedIn()?.token != before)
      // A session is short, and use does not prolong it.
      scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: 3000), limit: nil)
      _ = try await unit.delivery.deliver(over: scene.link)
      scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: 3000), limit: nil)
      _ = try await unit.delivery.deliver(over: scene.link)
      #expect(scene.link.calls.count { $0 == "renew" } == 2)
    }
  }

  @Test(
    "sign-out, a revoked device and a disabled account end it, in words; nothing queued is lost")
  func ends() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let photo = try await scene.capture(unit, nil, 1)
      try unit.sendPhotos([photo.id])
      let token = try #require(try scene.desk().signedIn()?.token)
      let visitor = try await scene.office.sessions.visitor(withToken: token)
      let key = try #require(visitor.key)
      func deliver() async throws -> String? {
        do {
          return try await unit.delivery.deliver(over: scene.link).refusal?.code
        } catch let error as DeliveryError {
          return error.code
        }
      }
      try await scene.office.people.setDisabled(true, login: "ines", by: "anna")
      #expect(try await deliver() == "account-disabled")
      try await scene.office.people.setDisabled(false, login: "ines", by: "anna")
      try await scene.office.devices.signOutDevice(visitor)
      try await scene.office.sessions.endSession(token: token)
      #expect(try await deliver() == "sign-in-needed")
      // A photo can still be taken, and everything that waits goes after the next sign-in.
      let second = try await scene.capture(unit, nil, 2)
      try unit.sendPhotos([second.id])
      try await scene.desk().signIn(
        login: "ines", password: OfficeScene.password, over: scene.link)
      #expect(try await unit.delivery.deliver(over: scene.link).delivered == 2)
      try await scene.office.devices.revokeDevice(
        withKey: key, in: "north", reason: "stolen", by: "anna")
      later(scene, days: 1)
      #expect(try await deliver() == "key-revoked")
      // A new password ends no sign-in of a device.
      let igor = try await scene.unit("igor", on: "other")
      try await scene.office.people.setPassword("another horse battery", of: "igor", by: "anna")
      _ = try await igor.delivery.deliver(over: scene.link)
    }
  }

  @Test("signing out ends the sign-in at the office, too, however long ago the session ended")
  func lateSignOut() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let signIn = try #require(try scene.desk().signedIn())
      later(scene, days: 3)
      try await scene.desk().signOut(over: scene.link)
      let device = try #require(
        try await scene.office.database.read(in: "north") { try $0.devices.devices(of: "ines") }
          .first)
      #expect(device.signedOut != nil)
      await #expect(throws: DeliveryError.self) {
        try await unit.delivery.renew(signIn, over: scene.link)
      }
      #expect(try scene.desk().signedIn() == nil)
    }
  }

  @Test(
    "only the key's holder renews, over a fresh challenge of this office, for who it is enrolled")
  func proofs() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let device = try #require(
        try await scene.office.database.read(in: "north") { try $0.devices.devices(of: "ines") }
          .first)
      let pem = try String(
        contentsOf: folder.appendingPathComponent("tablet/field/keys/\(device.key).pem"),
        encoding: .utf8)
      let key = try SoftwareDeviceKey(pem: pem)
      func refusal(
        login: String = "ines", agency: String = "north", device id: String? = nil,
        challenge: String? = nil, with other: SoftwareDeviceKey? = nil, certificate: String? = nil,
        authority: String? = nil
      ) async throws -> OfficeProblem? {
        let proof = try SessionRenewal(
          agency: agency, login: login, device: id ?? device.device,
          challenge: challenge ?? scene.office.devices.challenge().challenge,
          authority: authority ?? scene.office.fingerprint, with: other ?? key)
        let message = RenewalMessage(
          renewal: proof.jws, certificate: certificate, software: "test")
        do {
          _ = try await scene.office.devices.renewSession(message)
          return nil
        } catch let error as OfficeRefusal {
          return error.kind
        }
      }
      #expect(try await refusal() == nil)
      #expect(try await refusal(login: "igor") == .signInNeeded)
      #expect(try await refusal(login: "nobody") == .signInNeeded)
      #expect(try await refusal(agency: "south") == .signInNeeded)
      #expect(try await refusal(login: "otto") == .signInNeeded, "an officer has no field unit")
      #expect(try await refusal(device: "another") == .signInNeeded)
      #expect(try await refusal(with: SoftwareDeviceKey()) == .signInNeeded)
      // Another key's certificate makes no key known.
      #expect(
        try await refusal(with: SoftwareDeviceKey(), certificate: device.certificate)
          == .signInNeeded)
      #expect(try await refusal(challenge: "1.x.y") == .challengeStale)
      // A proof names the office for which it was made, so another office cannot pass on this one's
      // challenge.
      #expect(
        try await refusal(authority: String(repeating: "0", count: 64)) == .signInNeeded)
      let old = scene.office.devices.challenge().challenge
      scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: 301), limit: nil)
      #expect(try await refusal(challenge: old) == .challengeStale)
      let elsewhere = try await OfficeScene(folder.appendingPathComponent("elsewhere"))
      #expect(
        try await refusal(challenge: elsewhere.office.devices.challenge().challenge)
          == .challengeStale)
      let malformed = RenewalMessage(renewal: "a.b.c", certificate: nil, software: "test")
      await #expect(throws: OfficeRefusal.self) {
        try await scene.office.devices.renewSession(malformed)
      }
      _ = unit
    }
  }

  @Test("a device that asks without a pause is told when to come back")
  func limits() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let burst = Int(scene.office.configuration.deviceRequests.burst)
      for _ in 0..<burst { try scene.office.devices.limit("key") }
      let error = #expect(throws: OfficeRefusal.self) { try scene.office.devices.limit("key") }
      #expect(error?.kind == .tooManyRequests && error?.retrySeconds == 1)
      #expect(error?.problem.retrySeconds == 1)
      try scene.office.devices.limit("another")
      scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: 1), limit: nil)
      try scene.office.devices.limit("key")
    }
  }
}
