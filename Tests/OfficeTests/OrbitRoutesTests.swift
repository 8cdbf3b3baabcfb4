import Evidence
import FieldUnit
import Foundation
import OfficeScenes
import Store
import Sync
import TestSupport
import Testing

@testable import Office
@testable import OfficePages

@Suite("Orbits for field units", .timeLimit(.minutes(5)))
struct OrbitRoutesTests {
  @Test("a device gets the list and each file, neither twice, and nobody else gets anything")
  func routes() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let unit = try await scene.unit()
      let token = try #require(try unit.store.signedIn()?.token)
      let orbits = scene.office.configuration.folder.appendingPathComponent("orbits")
      try FileManager.default.createDirectory(at: orbits, withIntermediateDirectories: true)
      let bytes = Array("GPS (PRN 24)\n".utf8)
      try Data(bytes).write(to: orbits.appendingPathComponent("gnss.tle"))
      // The office offers none of these: hidden, with an invalid name, half written, empty, a
      // folder, a link.
      for name in [".hidden", "with blank", "late.tle.new"] {
        try Data(bytes).write(to: orbits.appendingPathComponent(name))
      }
      try Data().write(to: orbits.appendingPathComponent("empty.tle"))
      try FileManager.default.createDirectory(
        at: orbits.appendingPathComponent("folder"), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: orbits.path + "/link", withDestinationPath: "../keys/authority.key")
      try await withSite(scene.office) { site in
        let bearer = ("Authorization", "Bearer \(token)")
        let list = try await site.send("GET", "/api/v1/orbits", [bearer])
        #expect(list.status == 200)
        let message = try WireJSON.message(OrbitListMessage.self, list.bytes)
        #expect(
          message.files == [
            OrbitListMessage.File(
              name: "gnss.tle", bytes: bytes.count, digest: Digest.hexadecimal(bytes))
          ])
        let tag = try #require(list.header("ETag"))
        #expect(
          try await site.send("GET", "/api/v1/orbits", [bearer, ("If-None-Match", tag)]).status
            == 304)
        let file = try await site.send("GET", "/api/v1/orbits/gnss.tle", [bearer])
        #expect(file.status == 200 && file.bytes == bytes)
        let fileTag = try #require(file.header("ETag"))
        #expect(fileTag == "\"\(Digest.hexadecimal(bytes))\"")
        let again = try await site.send(
          "GET", "/api/v1/orbits/gnss.tle", [bearer, ("If-None-Match", fileTag)])
        #expect(again.status == 304 && again.bytes.isEmpty)
        for name in [
          "nothing", ".hidden", "link", "folder", "empty.tle", "..%2Fkeys%2Fauthority.key",
          "%2e%2e", "with%20blank",
        ] {
          let answer = try await site.send("GET", "/api/v1/orbits/\(name)", [bearer])
          #expect((400...404).contains(answer.status), "\(name): \(answer.status)")
        }
        for path in ["/api/v1/orbits", "/api/v1/orbits/gnss.tle"] {
          #expect(try await site.send("GET", path).status == 401, "nobody")
          let wrong = ("Authorization", "Bearer x")
          #expect(try await site.send("GET", path, [wrong]).status == 401, "a stranger's token")
          let officer = site.browser()
          try await officer.signIn("otto")
          #expect(try await officer.get(path).status == 401, "an officer's page")
        }
        // A file that has changed has another digest.
        try Data(bytes + bytes).write(to: orbits.appendingPathComponent("gnss.tle"))
        let changed = try await site.send(
          "GET", "/api/v1/orbits", [bearer, ("If-None-Match", tag)])
        #expect(changed.status == 200)
        try await scene.validate(list: changed.bytes)
      }
    }
  }
}

extension OfficeScene {
  fileprivate func validate(list bytes: [UInt8]) async throws {
    guard PythonTools.areHere else { return }
    let cases = "[[\"orbits\",\(String(decoding: bytes, as: UTF8.self))]]"
    #expect(try await PythonTools.validate(cases: Array(cases.utf8)) == ["ok"])
  }
}
