import AsyncHTTPClient
import Foundation
import Imports
import Inspection
import NIOCore
import NIOHTTP1
import Sync
import Testing

@testable import FieldPages
@testable import FieldUnit

@Suite("What pages show live, after sign-out", .timeLimit(.minutes(5)))
struct StreamsAfterSignOutTests {
  @Test(
    "every stream that was open ends, and its last piece shows nothing but the way to sign in",
    arguments: [
      ["/live/home", "/live/lights", "/live/delivery", "/live/sky"],
      ["/live/start", "/live/camera", "/live/light", "/live/pairing"],
    ])
  func ends(paths: [String]) async throws {
    try await FieldSite.with { site in
      try await site.signIn()
      let unit = try #require(try site.server.unit())
      let task = try #require(try FieldSite.tasks(of: unit).first)
      var streams: [String: Task<String, any Error>] = [:]
      for path in paths + ["/live/tasks/\(task.id)/place"] {
        let answer = try await site.browser.open(path)
        #expect(answer.status == .ok, "\(path)")
        streams[path] = Task {
          String(buffer: try await answer.body.collect(upTo: 1 << 22))
        }
      }
      _ = try await site.browser.get("/sign-out")
      #expect(try await site.browser.post("/sign-out").location == "/sign-in")
      for (path, stream) in streams {
        // The task that collects the stream returns, so that the stream has ended.
        let pieces = try await stream.value.split(separator: "data: ")
        let last = try #require(pieces.last { $0.contains("<") }, "\(path)")
        #expect(last.contains("data-live-over") && last.contains("/sign-in"), "\(path)")
        #expect(!last.contains("First"), "\(path): nothing of the task")
      }
      for path in streams.keys {
        #expect(try await site.browser.get(path).location == "/sign-in", "\(path)")
      }
    }
  }
}

extension FieldSite {
  /// Imports a task with a parcel, from GeoJSON, and returns it in a list.
  static func tasks(of unit: InspectorUnit) throws -> [InspectionTask] {
    let ring = "[[16.62,49.07],[16.64,49.07],[16.64,49.09],[16.62,49.07]]"
    let json = """
      {"type":"FeatureCollection","features":[
       {"type":"Feature","properties":{"identifier":"A","name":"First"},
        "geometry":{"type":"Polygon","coordinates":[\(ring)]}}]}
      """
    return try unit.importTasks(try TaskFile.orders(fromGeoJSON: Data(json.utf8)))
  }
}
