import Foundation
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Web

@testable import FieldPages
@testable import FieldUnit

@Suite(
  "The way to the office over TLS", .enabled(if: Program.tool("openssl") != nil),
  .timeLimit(.minutes(5)))
struct OfficeTLSTests {
  /// Makes a self-signed certificate for a name or an address.
  private func certificate(
    in folder: URL, _ name: String, for subject: String
  ) async throws -> (certificatePath: String, keyPath: String) {
    let openssl = try #require(Program.tool("openssl"))
    let files = (folder.path + "/\(name).crt", folder.path + "/\(name).key")
    let outcome = try await Program.run(
      openssl,
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "2", "-subj", "/CN=office", "-addext", "subjectAltName=\(subject)", "-out",
        files.0, "-keyout", files.1,
      ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return files
  }

  @Test("an office's own certificate is trusted where it was given, for its name, and remembered")
  func pinned() async throws {
    try await withTemporaryDirectory { folder in
      let own = try await certificate(in: folder, "own", for: "IP:127.0.0.1")
      let other = try await certificate(in: folder, "other", for: "IP:127.0.0.1")
      let elsewhere = try await certificate(in: folder, "elsewhere", for: "DNS:office.example")
      @Sendable func pem(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
      }
      let clock = ReplayClock(
        start: DeviceTime(millisecondsSince1970: 1_780_000_000_000), rate: .infinity)
      let office = try FakeOffice(clock: clock)
      @Sendable func code(_ trusted: String?, _ port: Int) async throws -> String? {
        let link = try HTTPOfficeLink(
          address: "https://127.0.0.1:\(port)", trusting: try trusted.map(pem))
        var words: String?
        do {
          _ = try await link.office()
        } catch let error as DeliveryError {
          words = "\(error.code): \(error)"
          if case .untrusted = error { words? += " (untrusted)" }
        }
        await link.close()
        return words
      }
      try await withWebServer(office.routes(), tls: own) { port in
        #expect(try await code(own.certificatePath, port) == nil)
        for trusted in [nil, other.certificatePath] {
          let words = try #require(try await code(trusted, port))
          #expect(words.hasPrefix("office-unreachable: "))
          #expect(words.contains("its TLS certificate is not trusted here"), "\(words)")
          #expect(words.hasSuffix("(untrusted)"), "\(words)")
        }
        // After a sign-in with the certificate, later links trust it without being told again.
        let desk = try SignInDesk(dataDirectory: folder, software: "test", clock: clock)
        let address = "https://127.0.0.1:\(port)"
        let link = try desk.link(to: address, trusting: try pem(own.certificatePath))
        try await desk.signIn(
          login: "ines", password: FakeOffice.password, over: link,
          tlsCertificate: try pem(own.certificatePath))
        await link.close()
        let later = try desk.link(to: address)
        #expect(try await later.office().software == "fake")
        await later.close()
      }
      try await withWebServer(office.routes(), tls: elsewhere) { port in
        let words = try await code(elsewhere.certificatePath, port)
        #expect(words?.contains("for another name") == true, "\(words ?? "it was let through")")
        #expect(words?.hasSuffix("(untrusted)") == true)
      }
      // Nobody is there: that says nothing about a certificate.
      #expect(try await code(nil, 1)?.hasSuffix("(untrusted)") == false)
      #expect(throws: DeliveryError.unusablePin(reason: "it holds no PEM certificate")) {
        try HTTPOfficeLink(address: "https://127.0.0.1:1", trusting: "no PEM")
      }
    }
  }
}
