import Exports
import FieldUnit
import Foundation
import Inspection
import OfficeScenes
import Receivers
import Sync
import TestSupport
import Testing
import TimeAndText
import Web

@testable import Evidence
@testable import Judgement
@testable import Office
@testable import OfficeExporting

/// A key that says of itself that it is in a token.
private struct TokenKey: DeviceKey {
  let key = SoftwareDeviceKey()
  var publicKey: DevicePublicKey { key.publicKey }
  var keeping: KeyKeeping { .token(maker: "Maker", model: "Card 7", serial: "07") }
  func sign(_ bytes: [UInt8]) throws -> [UInt8] { try key.sign(bytes) }
}

@Suite("Where devices keep their keys")
struct KeyKeepingTests {
  @Test("an enrolment says where its key is; one of an earlier version means a file")
  func enrolment() throws {
    let time = DeviceTime(millisecondsSince1970: 1_780_306_200_000)
    func request(_ key: some DeviceKey) throws -> EnrolmentRequest {
      let made = try EnrolmentRequest(device: "tablet", login: "ines", at: time, with: key)
      return try EnrolmentRequest(jws: made.jws)
    }
    #expect(try request(SoftwareDeviceKey()).keeping == .file)
    #expect(
      try request(TokenKey()).keeping == .token(maker: "Maker", model: "Card 7", serial: "07"))
    #expect(KeyKeeping(json: .object(["kind": .string("enclave")])) == .file, "a later version's")
    #expect(KeyKeeping(json: .integer(7)) == .file && KeyKeeping(json: nil) == .file)
  }

  @Test("the office keeps the request, and says of each photo where its key is")
  func kept() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let photos = scene.office.core.photos
      _ = try await scene.order()
      let (unit, task) = try await scene.working()
      #expect(try photos.keeping(ofKey: unit.key.publicKey.thumbprint) == .file)
      #expect(try photos.holds(EvidenceName.enrolment(ofKey: unit.key.publicKey.thumbprint)))
      let key = TokenKey()
      let thumbprint = key.publicKey.thumbprint
      #expect(try photos.keeping(ofKey: thumbprint) == .file, "nothing is known of it yet")
      let enrolment = try EnrolmentRequest(
        device: "tablet", login: "ines", at: scene.clock.deviceTime, with: key)
      _ = try await scene.office.devices.signInDevice(
        SignInRequest(
          login: "ines", password: OfficeScene.password, enrolment: enrolment.jws,
          software: "test"))
      #expect(try photos.keeping(ofKey: thumbprint) == key.keeping)
      // A damaged request says nothing, and a request of another key does not count.
      let name = EvidenceName.enrolment(ofKey: unit.key.publicKey.thumbprint)
      for bytes in [Array("damaged".utf8), Array(enrolment.jws.utf8)] {
        try photos.write(bytes, as: name)
        #expect(try photos.keeping(ofKey: unit.key.publicKey.thumbprint) == .file)
      }
      try unit.provideTask(task.id)
      _ = try await unit.delivery.deliver(over: scene.link)
      let checks = try await scene.office.review.view(of: task.id, in: "north").photos[0].checks
      let issuer = try #require(checks.first { $0.name == .issuer })
      #expect(issuer[.isInToken] == nil)
      let words = CheckWords(t: .english)
      #expect(words.line(issuer).value.contains("key is in a file"))
      let inToken = PhotoCheck(.issuer, .agrees, [.isInToken: 1])
      #expect(words.line(inToken).value.contains("in a token"))
    }
  }
}
