import Evidence
import Foundation
import Positioning
import Receivers
import Sync
import TestSupport
import Testing
import TimeAndText
import Web

@testable import FieldUnit

/// Tests of the built program against an office that only speaks the protocol.
@Suite("login in a terminal keeps to the office that was selected", .timeLimit(.minutes(5)))
struct LoginCommandTests {
  private static let other = String(repeating: "1", count: 64)

  private struct Desk: Sendable {
    let office: FakeOffice
    let address: String
    let data: URL

    var fingerprint: String { office.authority.certificate.fingerprint }

    func login(_ words: [String], input: String = "") async throws -> Program.Outcome {
      try await Program.run(
        Program.standpoint, ["login"] + words,
        environment: [
          "HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent", "STANDPOINT_DATA": data.path,
        ], input: Data(input.utf8))
    }

    func choose(_ fingerprint: String) throws {
      try DataFolder(dataDirectory: data).prepare()
      try ChosenOffice(address: address, fingerprint: fingerprint, certificate: nil).keep(in: data)
    }
  }

  private func withDesk(_ body: @escaping @Sendable (Desk) async throws -> Void) async throws {
    try await withTemporaryDirectory { folder in
      let office = try FakeOffice(clock: MachineClock())
      try await withWebServer(office.routes()) { port in
        try await body(
          Desk(
            office: office, address: "http://127.0.0.1:\(port)",
            data: folder.appendingPathComponent("data")))
      }
    }
  }

  @Test("a code and a password go to no office with another fingerprint than the one selected")
  func selected() async throws {
    try await withDesk { desk in
      try desk.choose(Self.other)
      let code = ["--code", FakeOffice.code, "--office", desk.address]
      let password = ["--user", "ines", "--password-stdin", "--office", desk.address]
      for words in [code, password] {
        let outcome = try await desk.login(words, input: FakeOffice.password + "\n")
        #expect(outcome.status == 3 && outcome.output == "", "\(outcome.errors)")
        #expect(outcome.errors.contains("has the fingerprint \(desk.fingerprint)"))
      }
      #expect(Set(desk.office.calls) == ["office"])
      // A fingerprint that is given now goes before the one that was selected.
      let wrong = try await desk.login(code + ["--pin", String(repeating: "2", count: 64)])
      #expect(wrong.status == 3 && !desk.office.calls.contains("invitation"), "\(wrong.errors)")
      let right = try await desk.login(code + ["--pin", desk.fingerprint.uppercased()])
      #expect(right.status == 0, "\(right.errors)")
      #expect(right.output.hasPrefix("signed in: "), "\(right.output)")
      #expect(try ChosenOffice.read(in: desk.data)?.fingerprint == desk.fingerprint)
    }
  }

  @Test("a selection that cannot be read is said in one line, and nothing is sent")
  func unreadable() async throws {
    try await withDesk { desk in
      try desk.choose(desk.fingerprint)
      let path = DataFolder(dataDirectory: desk.data).chosenOffice
      try Data("half a choi".utf8).write(to: URL(fileURLWithPath: path))
      for words in [["--code", FakeOffice.code], ["--user", "ines", "--password-stdin"]] {
        let outcome = try await desk.login(
          words + ["--office", desk.address], input: FakeOffice.password + "\n")
        #expect(outcome.status == 2 && outcome.output == "", "\(outcome.errors)")
        #expect(outcome.errors.contains("cannot read \(path): it does not name an office"))
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
      }
      #expect(desk.office.calls.isEmpty)
    }
  }

  @Test("the fingerprint of --pin and the one in the QR code both hold")
  func both() async throws {
    try await withDesk { desk in
      let code = try #require(OneTimeCode(FakeOffice.code))
      let text = InvitationTicket(
        office: desk.address, code: code, fingerprint: desk.fingerprint
      ).text
      let refused = try await desk.login(["--code", text, "--pin", Self.other])
      #expect(refused.status == 2 && refused.errors.contains("not the fingerprint in the QR code"))
      #expect(desk.office.calls.isEmpty)
      let taken = try await desk.login(["--code", text, "--pin", desk.fingerprint])
      #expect(taken.status == 0, "\(taken.errors)")
    }
  }
}
