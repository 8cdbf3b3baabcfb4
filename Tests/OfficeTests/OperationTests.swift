import Foundation
import Inspection
import OfficeScenes
import Positioning
import Receivers
import Store
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages
@testable import Web

@Suite("What those ask who look after the office", .timeLimit(.minutes(5)))
struct OperationTests {
  private func token(_ scene: OfficeScene) throws -> String {
    let path = scene.folder.appendingPathComponent("office-data/office/keys/metrics.token").path
    return try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .newlines)
  }

  @Test("anybody may ask whether it lives and can work; why not is in its log alone")
  func health() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let live = try await site.send("GET", "/health/live")
        #expect(live.status == 204 && live.bytes.isEmpty)
        let ready = try await site.send("GET", "/health/ready")
        #expect(ready.status == 200 && ready.body == "{\"ready\":true}")
        let data = scene.folder.appendingPathComponent("office-data/office")
        try FileManager.default.removeItem(at: data.appendingPathComponent("incoming"))
        // The office looks once a second at most, however many ask.
        #expect(try await site.send("GET", "/health/ready").status == 200)
        scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: 2), limit: nil)
        let broken = try await site.send("GET", "/health/ready")
        #expect(broken.status == 503 && broken.code == "not-ready")
        #expect(broken.header("Retry-After") == "30")
        #expect(!broken.body.contains("incoming"))
        #expect(try await site.send("GET", "/health/live").status == 204)
      }
    }
  }

  @Test("figures are for whoever has the token; an officer's session is none")
  func token() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let right = try token(scene)
      #expect(right.utf8.count == 43)
      try await withSite(scene.office) { site in
        let otto = site.browser()
        try await otto.signIn("otto")
        let session = try #require(otto.sessionToken)
        for headers in [
          [], [("Authorization", "Bearer \(right)x")],
          [("Authorization", "Bearer \(right.dropLast())")],
          [("Authorization", "Bearer \(session)")], [("Authorization", "Basic \(right)")],
          [("Cookie", "standpoint-session-\(site.port)=\(session)")],
        ] as [[(String, String)]] {
          let answer = try await site.send("GET", "/metrics", headers)
          #expect(answer.status == 401 && answer.code == "token-missing", "\(headers)")
          #expect(answer.header("WWW-Authenticate") == "Bearer")
          #expect(!answer.body.contains(right))
        }
        let answer = try await site.send("GET", "/metrics", [("Authorization", "Bearer \(right)")])
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        #expect(answer.header("Cache-Control") == "no-store")
      }
    }
  }

  @Test("the token is its owner's alone, stays, and is made anew where it is missing or cut short")
  func tokenFile() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let path = folder.appendingPathComponent("office-data/office/keys/metrics.token").path
      let first = try token(scene)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      _ = try await OfficeScene(after: scene)
      #expect(try token(scene) == first)
      try Data("short".utf8).write(to: URL(fileURLWithPath: path))
      let second = try await OfficeScene(after: scene)
      let renewed = try token(scene)
      #expect(renewed != first && second.office.core.metricsToken == renewed)
      try FileManager.default.removeItem(atPath: path)
      _ = try await OfficeScene(after: scene)
      #expect(try token(scene).utf8.count == 43)
    }
  }

  @Test("figures tell of requests, deliveries, tasks, sessions, disk and memory, and of no name")
  func figures() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      scene.link.examine(false)
      let task = try await scene.provided(2)
      _ = try await scene.order("Another", for: "sven", in: "south")
      scene.office.core.counters.requests.note(
        RequestRecord(
          id: "x", began: Date(timeIntervalSince1970: 0), method: "GET", route: "/tasks/{id}",
          path: "/tasks/\(task.id)", status: 200, seconds: 0.04, remoteAddress: nil))
      func lines() async -> [String] {
        await String(decoding: scene.office.operation.metrics().bytes, as: UTF8.self)
          .split(separator: "\n").map(String.init)
      }
      let before = await lines()
      for line in [
        "standpoint_build_info{software=\"standpoint test\"} 1",
        "standpoint_office_deliveries_total 1", "standpoint_office_unchecked_photos 2",
        "standpoint_office_tasks{state=\"dataProvided\"} 1",
        "standpoint_office_tasks{state=\"new\"} 1", "standpoint_office_tasks{state=\"declined\"} 0",
        "standpoint_office_sessions{kind=\"device\"} 1",
        "standpoint_office_sessions{kind=\"browser\"} 0",
        "standpoint_office_request_seconds_bucket{route=\"/tasks/{id}\",le=\"0.05\"} 1",
        "standpoint_office_disk_reserve_bytes 0",
      ] {
        #expect(before.contains(line), "\(line)")
      }
      for name in ["process_resident_memory_bytes ", "standpoint_office_disk_free_bytes "] {
        let value = before.first { $0.hasPrefix(name) }.flatMap { Int($0.dropFirst(name.count)) }
        #expect((value ?? 0) > 1_000_000, "\(name)")
      }
      for name in ["north", "south", "ines", "sven", "otto", "\(task.id)"] {
        #expect(!before.contains { $0.contains(name) }, "\(name)")
      }
      // Every figure has its help and its type before its values, as Prometheus wants them.
      var known: Set<Substring> = []
      for line in before {
        let words = line.split(separator: " ")
        // A label's value may have blanks.
        let value = line.split(separator: "} ").last?.split(separator: " ").last
        if line.hasPrefix("# TYPE ") { known.insert(words[2]) }
        guard !line.hasPrefix("#") else { continue }
        let name = words[0].prefix { $0 != "{" }
        #expect(known.contains { name.hasPrefix($0) }, "\(line)")
        #expect(value.flatMap { Double($0) } != nil, "\(line)")
      }
      try await scene.office.examiner.examineArrivals()
      // The figures of the database are counted every five seconds at most.
      #expect(await lines().contains("standpoint_office_unchecked_photos 2"))
      scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: 6), limit: nil)
      #expect(await lines().contains("standpoint_office_unchecked_photos 0"))
    }
  }

  @Test("a problem's page names the request that met it")
  func problemPage() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await withSite(scene.office) { site in
        let answer = try await site.send(
          "GET", "/nowhere", [("Accept", "text/html"), ("X-Request-Id", "proxy-00000001")])
        #expect(answer.status == 404 && answer.isPage)
        #expect(answer.body.contains("<code>proxy-00000001</code>"))
      }
    }
  }
}
