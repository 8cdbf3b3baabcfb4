import Foundation
import TestSupport
import Testing

@testable import Web

/// TLS with certificates that OpenSSL makes for each test: no key lies in the repository.
@Suite("TLS", .enabled(if: Program.tool("openssl") != nil)) struct TLSTests {
  private func makeKeys(in folder: URL, _ name: String) async throws -> (
    certificatePath: String, keyPath: String
  ) {
    let openssl = try #require(Program.tool("openssl"))
    let files = (folder.path + "/\(name).crt", folder.path + "/\(name).key")
    let outcome = try await Program.run(
      openssl,
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "2", "-subj", "/CN=localhost", "-out", files.0, "-keyout", files.1,
      ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return files
  }

  @Test("over TLS the scheme is https, and cookies never leave it")
  func secure() async throws {
    try await withTemporaryDirectory { folder in
      var configuration = testConfiguration()
      configuration.tls = try await makeKeys(in: folder, "server")
      var routes = sampleRoutes()
      routes.get("/in") { _ in .empty().settingSession(token: "abc", maxAgeSeconds: nil) }
      try await withServer(routes, configuration: configuration) { server in
        let page = try await server.get("/form")
        #expect(page.cookies.first?.hasSuffix("; HttpOnly; SameSite=Strict; Secure") == true)
        let session = try await server.get("/in")
        #expect(session.cookies.first?.hasSuffix("; SameSite=Lax; Secure") == true)
        let own = try await server.openForm()
        let good = try await server.post(
          "/form", cookie: own.cookie, token: own.token, origin: server.origin)
        #expect(good.status == 200)
        let plain = try await server.post(
          "/form", cookie: own.cookie, token: own.token,
          origin: "http://127.0.0.1:\(server.port)")
        #expect(plain.status == 403)
      }
    }
  }

  @Test("files that are missing, broken, or of two pairs are said to be unusable")
  func unusable() async throws {
    try await withTemporaryDirectory { folder in
      let one = try await makeKeys(in: folder, "one")
      let other = try await makeKeys(in: folder, "other")
      let broken = folder.path + "/broken.pem"
      try Data("no PEM".utf8).write(to: URL(fileURLWithPath: broken))
      for (certificatePath, keyPath) in [
        (folder.path + "/absent.crt", one.keyPath), (one.certificatePath, folder.path + "/absent"),
        (broken, one.keyPath), (one.certificatePath, broken),
        (one.certificatePath, other.keyPath),
      ] {
        var configuration = testConfiguration()
        configuration.tls = (certificatePath, keyPath)
        let server = WebServer(
          configuration: configuration, routes: Routes(), problemPage: { _, _ in .empty })
        let error = await #expect(throws: WebError.self) { try await server.run() }
        #expect(error?.code == "unusable-certificate")
        #expect(error?.description.contains(certificatePath) == true)
      }
    }
  }

  @Test("behind a proxy that does TLS the browser's own scheme and name count")
  func proxy() async throws {
    var configuration = testConfiguration()
    configuration.extraHosts = ["https://office.example"]
    try await withServer(sampleRoutes(), configuration: configuration) { server in
      let host = [("Host", "office.example")]
      let page = try await server.get("/form", host)
      let cookie = try #require(page.cookies.first)
      #expect(cookie.hasSuffix("; Secure"))
      let token = try #require(page.body.split(separator: "value=\"").last?.prefix { $0 != "\"" })
      for (origin, status) in [
        ("https://office.example", 200), ("http://office.example", 403), (server.origin, 403),
      ] {
        let answer = try await server.post(
          "/form", cookie: String(cookie.prefix { $0 != ";" }), token: String(token),
          origin: origin, more: host)
        #expect(answer.status == status, "\(origin)")
      }
    }
  }
}
