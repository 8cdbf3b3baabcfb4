import Foundation
import NIOHTTP1
import Positioning
import TestSupport
import Testing
import TimeAndText
import Web

@testable import FieldPages
@testable import FieldUnit

@Suite("The field unit as an installed program, and where it listens", .timeLimit(.minutes(5)))
struct WebAppTests {
  private struct Manifest: Decodable {
    struct Picture: Decodable {
      var src: String
      var sizes: String
      var type: String
    }
    var name: String
    var startURL: String
    var display: String
    var icons: [Picture]

    enum CodingKeys: String, CodingKey {
      case name
      case startURL = "start_url"
      case display
      case icons
    }
  }

  @Test("the manifest names what a browser needs, and each of its pictures is what it says")
  func manifest() async throws {
    try await FieldSite.with { site in
      let answer = try await site.browser.get("/manifest.webmanifest")
      #expect(answer.status == 200 && answer.type == "application/manifest+json")
      let manifest = try JSONDecoder().decode(Manifest.self, from: Data(answer.bytes))
      #expect(manifest.display == "standalone" && manifest.startURL == "/")
      #expect(manifest.icons.contains { $0.sizes == "192x192" })
      #expect(manifest.icons.contains { $0.sizes == "512x512" })
      for icon in manifest.icons {
        let picture = try await site.browser.get(icon.src)
        #expect(picture.status == 200 && picture.type == icon.type, "\(icon.src)")
        guard icon.type == "image/png" else { continue }
        let side = try #require(Int(icon.sizes.prefix { $0 != "x" }))
        #expect(picture.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        let width = picture.bytes[16..<20].reduce(0) { $0 << 8 | Int($1) }
        #expect(width == side)
        #expect(
          picture.bytes.suffix(8).elementsEqual([0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]))
        #expect(picture.bytes.count < 40_000, "it is packed")
      }
      // Every page names the manifest, also before a sign-in.
      for path in ["/sign-in", "/sign-in/server", "/nothing"] {
        let page = try await site.browser.get(path)
        #expect(page.body.contains("<link rel=\"manifest\" href=\"/manifest.webmanifest\">"))
        #expect(page.body.contains("/assets/app.js?v="))
        let policy = page.headers.first(name: "Content-Security-Policy") ?? ""
        #expect(policy.contains("manifest-src 'self'") && policy.contains("script-src 'self'"))
      }
    }
  }

  @Test("the service worker keeps the page that says that nothing answers, and no page with data")
  func serviceWorker() async throws {
    try await FieldSite.with { site in
      let worker = try await site.browser.get("/service-worker.js")
      #expect(worker.type?.hasPrefix("text/javascript") == true)
      #expect(worker.headers.first(name: "Cache-Control") == "no-cache")
      #expect(
        worker.headers["Content-Security-Policy"] == ["default-src 'none'; connect-src 'self'"])
      let pages = ServiceWorker.kept.filter { !$0.hasPrefix("/assets/") }
      #expect(pages == ["/not-running"])
      for address in ServiceWorker.kept {
        #expect(worker.body.contains("\"\(address)\""))
        let answer = try await site.browser.get(address)
        #expect(answer.status == 200, "\(address)")
      }
      try await site.signIn()
      let kept = try await site.browser.get("/not-running")
      #expect(kept.body.contains("The program does not answer"))
      // The kept page stays in the browser, so that it names nobody and has no token.
      #expect(!kept.body.contains("Ines") && !kept.body.contains("csrf"))
      // The worker keeps every asset of the kept page.
      for match in kept.body.matches(of: #/(?:href|src)="(/assets/[^"]+)"/#) {
        #expect(ServiceWorker.kept.contains(String(match.1)), "\(match.1)")
      }
      #expect(try await site.browser.get("/").headers.first(name: "Cache-Control") == "no-store")
    }
  }

  @Test(
    "at any address but this machine's three names the field unit makes a certificate of its own")
  func listening() {
    func needs(_ host: String, _ hasTLS: Bool, _ names: [String]) -> Bool {
      ListeningRule.needsOwnCertificate(host: host, hasTLS: hasTLS, hostNames: names)
    }
    for host in ["127.0.0.1", "localhost", "LOCALHOST", "::1"] {
      #expect(!needs(host, false, []), "\(host)")
    }
    for host in [
      "0.0.0.0", "::", "192.168.1.5", "field.example", "127.0.0.1.example", "127.0.0.2",
      "128.0.0.1", "",
    ] {
      #expect(needs(host, false, ["other", "http://x"]), "\(host)")
      #expect(!needs(host, true, []))
      #expect(!needs(host, false, ["https://field.example"]))
    }
  }
}
