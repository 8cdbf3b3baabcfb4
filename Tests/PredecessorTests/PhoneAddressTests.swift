import AsyncHTTPClient
import Evidence
import NIOCore
import OfficeScenes
import Synchronization
import TestSupport
import Testing

@testable import Office
@testable import OfficePages
@testable import Predecessor
@testable import Web

@Suite("Addresses that phones ask by mistake", .timeLimit(.minutes(5)))
struct PhoneAddressTests {
  private final class Records: Sendable {
    private let records = Mutex<[RequestRecord]>([])
    func add(_ record: RequestRecord) { records.withLock { $0.append(record) } }
    var all: [RequestRecord] { records.withLock { $0 } }
  }

  @Test("what is meant for a phone's script is answered as JSON, and no log has the secret part")
  func strays() async throws {
    let secret = PhoneScene.secret
    let theirs = [
      ("POST", "/\(secret)/ws//egnss4allservices/comm_login.php"), ("GET", "/\(secret)/ws/"),
      ("GET", "/\(secret)/ws"), ("GET", "/\(secret)/egnss4allservices"),
      ("PUT", "/\(secret)/ws/comm_login.php"), ("OPTIONS", "/\(secret)/ws/comm_tasks.php"),
      ("DELETE", "/\(secret)/comm_photo.php"), ("POST", "/\(secret)/comm_none.php"),
      ("POST", "/\(secret)/a/b/comm_login.php"), ("POST", "///\(secret)/ws/comm_login.php"),
      ("POST", "/\(secret)/%77s/a/comm_login.php"), ("POST", "/ws/\(secret)/x/comm_login.php"),
      ("POST", "/\(secret)/ws/comm_login.php"), ("POST", "/\(secret)/comm_login.php"),
    ]
    // A missing page is answered with a page, also if its address could be a phone's.
    let pages = ["/\(secret)", "/\(secret)/", "/\(secret)/index.html", "/\(secret)/%zz"]
    let records = Records()
    try await withTemporaryDirectory { folder in
      let phones = try await PhoneScene(folder)
      try await withSite(phones.office, onRequest: { records.add($0) }) { site in
        for (method, path) in theirs {
          let answer = try await site.send(method, path)
          #expect(answer.status == 200, "\(method) \(path)")
          #expect(answer.header("Content-Type") == PhoneScripts.mediaType, "\(method) \(path)")
          #expect(try JSONValue(parsing: answer.bytes).word == "error", "\(method) \(path)")
        }
        for path in pages {
          let answer = try await site.send("GET", path)
          #expect(answer.status == 404 || answer.status == 400, "\(path)")
          #expect(answer.header("Content-Type")?.hasPrefix("text/html") == true, "\(path)")
        }
        // The office's own addresses are recorded and answered as ever.
        for path in ["/tasks/ws/nothing/there", "/nothing", "/api/v1/comm_login.php"] {
          let answer = try await site.send("GET", path)
          #expect(answer.status == 404 && answer.header("Content-Type") != PhoneScripts.mediaType)
        }
      }
    }
    let shown = records.all.map(\.path)
    #expect(shown.count == theirs.count + pages.count + 3)
    #expect(!shown.contains { $0.contains(secret) }, "\(shown)")
    #expect(shown.count { $0 == "/nothing" || $0 == "/tasks/ws/nothing/there" } == 2)
  }
}
