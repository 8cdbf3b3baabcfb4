import Foundation
import OfficeScenes
import TestSupport
import Testing

@testable import Office
@testable import OfficePages
@testable import Web

/// The addresses in `schemas/openapi.yaml`, after which programs are written: each one that is
/// there, and no other. `make test-api` compares the answers with it.
@Suite("The description of the interface")
struct APIDescriptionTests {
  private static func lines() throws -> [Substring] {
    try String(
      contentsOf: Repository.root.appendingPathComponent("schemas/openapi.yaml"), encoding: .utf8
    ).split(separator: "\n")
  }

  @Test("it has each address of /api/v1 with each of its methods, and no other")
  func addresses() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let routes = scene.office.routes().entries.map { entry in
        "\(entry.method) /" + entry.segments.joined(separator: "/")
      }.filter { $0.contains(" /api/v1/") }
      var described: [String] = []
      var path = ""
      for line in try Self.lines() {
        if let found = line.wholeMatch(of: #/  (\/api\/v1\/[^ ]+):/#) { path = String(found.1) }
        if let found = line.wholeMatch(of: #/    (get|put|post|delete|options|patch):/#) {
          described.append("\(found.1.uppercased()) \(path)")
        }
      }
      #expect(described.count == Set(described).count)
      #expect(Set(described).subtracting(routes).sorted() == [], "described, and not there")
      #expect(Set(routes).subtracting(described).sorted() == [], "there, and not described")
    }
  }

  @Test("it names each problem with its own status, and none that nobody says")
  func problems() throws {
    var statuses: [String: Int] = [:]
    for problem in OfficeProblem.allCases { statuses[problem.rawValue] = problem.status }
    for problem in WebProblem.allCases { statuses[problem.rawValue] = problem.status }
    let names: [String: Int] = [
      "malformed": 400, "signIn": 401, "forbidden": 403, "notThere": 404, "conflict": 409,
      "changed": 412, "tooLarge": 413, "mediaType": 415, "wrongHost": 421, "rule": 422,
      "busyFile": 423, "unseen": 428, "wait": 429, "checksum": 460, "internal": 500,
      "mapService": 502, "unavailable": 503,
    ]
    var current = ""
    var found: Set<String> = []
    for line in try Self.lines() {
      if let name = line.wholeMatch(of: #/    ([A-Za-z]+):/#) { current = String(name.1) }
      guard let codes = line.firstMatch(of: #/Codes: ([a-z, -]+)\./#)?.1 else { continue }
      for code in codes.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) {
        #expect(statuses[code] == names[current], "\(code) under \(current)")
        found.insert(code)
      }
    }
    // The interface for programs answers with none of these but 405: any address may, and the
    // description's introduction says so.
    let ofPages: Set = [
      "form-expired", "policy-changed", "method-not-allowed", "not-ready", "token-missing",
    ]
    #expect(Set(statuses.keys).subtracting(found) == ofPages)
  }
}
