import Evidence
import FieldInterface
import FieldUnit
import Foundation
import Imports
import Inspection
import OfficeScenes
import Store
import Sync
import TestSupport
import Testing

@testable import Office
@testable import OfficePages

@Suite("The parcels around tasks for field units", .timeLimit(.minutes(5)))
struct ParcelRoutesTests {
  /// Imports parcels of 70 m by 110 m with these names and south-west corners.
  private func register(
    _ scene: OfficeScene, _ parcels: [(name: String, west: Double, south: Double)],
    in agency: String = "north", by login: String = "otto"
  ) async throws {
    let rows = parcels.map { name, west, south in
      let (east, north) = (west + 0.001, south + 0.001)
      return
        "\(name),Novak,rye,\"POLYGON((\(west) \(south),\(east) \(south),\(east) \(north),\(west) \(north)))\"\n"
    }
    let file = scene.folder.appendingPathComponent("\(agency).csv")
    try Data(("identifier,name,crop,wkt\n" + rows.joined()).utf8).write(to: file)
    let report = try await scene.office.imports.importFile(
      ImportedFile(path: file.path), of: .parcels, in: agency, by: login, isCarriedOut: true)
    try #require(report.isTaken, "\(report.faults)")
  }

  private func bearer(_ scene: OfficeScene, _ device: String = "tablet") throws -> (String, String)
  {
    ("Authorization", "Bearer \(try #require(try scene.desk(device).signedIn()?.token))")
  }

  /// The task's parcel is 16.62…16.64 E, 49.07…49.09 N; 300 m are 0.0041° E or 0.0027° N.
  private static let around = [
    ("inside", 16.63, 49.08), ("next", 16.641, 49.08), ("near", 16.6435, 49.08),
    ("far", 16.645, 49.08), ("south", 16.63, 49.067), ("elsewhere", 17, 49.5),
  ]

  @Test("a device gets what lies within 300 m of its inspector's own tasks, the nearest first")
  func near() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await register(scene, Self.around)
      try await register(scene, [("theirs", 16.63, 49.08)], in: "south", by: "sara")
      _ = try await scene.order()
      _ = try await scene.unit("ines")
      _ = try await scene.unit("igor", on: "phone")
      _ = try await scene.unit("sven", on: "other")
      try await withSite(scene.office) { site in
        let own = try bearer(scene)
        let answer = try await site.send("GET", "/api/v1/parcels", [own])
        #expect(answer.status == 200)
        let list = try ParcelListMessage.read(answer.bytes)
        #expect(list.parcels.map(\.identifier) == ["inside", "next", "south", "near"])
        #expect(!list.isCut && list.parcels[0].rings[0].count == 4)
        #expect(list.parcels[0].rings[0][0] == [16.63, 49.08])
        for secret in ["Novak", "rye", "theirs", "elsewhere"] {
          #expect(!answer.body.contains(secret), "\(secret)")
        }
        // Igor and Sven have no tasks: the parcels around another's are not for them.
        for device in ["phone", "other"] {
          let none = try await site.send("GET", "/api/v1/parcels", [try bearer(scene, device)])
          #expect(try ParcelListMessage.read(none.bytes).parcels.isEmpty, "\(device)")
        }
        _ = try await scene.order("Rye", for: "sven", in: "south")
        let theirs = try await site.send("GET", "/api/v1/parcels", [try bearer(scene, "other")])
        #expect(try ParcelListMessage.read(theirs.bytes).parcels.map(\.identifier) == ["theirs"])
      }
    }
  }

  @Test("nothing travels twice, a change does, and nobody else gets anything")
  func once() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      try await register(scene, Self.around)
      let task = try await scene.order()
      _ = try await scene.unit()
      try await withSite(scene.office) { site in
        let own = try bearer(scene)
        let first = try await site.send("GET", "/api/v1/parcels", [own])
        let tag = try #require(first.header("ETag"))
        #expect(tag == "\"\(Digest.hexadecimal(first.bytes))\"")
        let known = [own, ("If-None-Match", tag)]
        let same = try await site.send("GET", "/api/v1/parcels", known)
        #expect(same.status == 304 && same.bytes.isEmpty && same.header("ETag") == tag)
        try await scene.validate(parcels: first.bytes)
        try await register(scene, [("new", 16.6401, 49.0801)])
        let changed = try await site.send("GET", "/api/v1/parcels", known)
        #expect(changed.status == 200 && changed.body.contains("\"new\""))
        // A task that is called off has no neighbours any more.
        _ = try await scene.office.review.decide(
          .withdraw, on: task.id, by: scene.person("otto"), reason: "done", seen: 0)
        let none = try await site.send("GET", "/api/v1/parcels", [own])
        #expect(try ParcelListMessage.read(none.bytes) == ParcelListMessage())
        #expect(try await site.send("GET", "/api/v1/parcels").status == 401, "nobody")
        let wrong = ("Authorization", "Bearer x")
        #expect(try await site.send("GET", "/api/v1/parcels", [wrong]).status == 401, "a stranger")
        for login in ["otto", "ines"] {
          let browser = site.browser()
          try await browser.signIn(login)
          #expect(try await browser.get("/api/v1/parcels").status == 401, "a page of \(login)")
        }
      }
    }
  }

  @Test("a dense register is cut after 2,000 parcels, and says so")
  func dense() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let most = TaskNeighbourhood.parcelsAtMost
      let parcels = (0...most).map { number -> (name: String, west: Double, south: Double) in
        let (column, row) = (Double(number % 50), Double(number / 50))
        return ("P-\(number)", 16.62 + column * 0.0003, 49.07 + row * 0.0004)
      }
      try await register(scene, parcels)
      _ = try await scene.order()
      _ = try await scene.unit()
      let list = try await scene.office.places.parcels(
        aroundTasksOf: scene.person("ines", .inspector))
      #expect(list.isCut && list.parcels.count == most && list.isSound)
      #expect(try WireJSON.bytes(list).count <= ParcelListMessage.bytesAtMost)
    }
  }
}

extension OfficeScene {
  fileprivate func validate(parcels bytes: [UInt8]) async throws {
    guard PythonTools.areHere else { return }
    let cases = "[[\"parcels\",\(String(decoding: bytes, as: UTF8.self))]]"
    #expect(try await PythonTools.validate(cases: Array(cases.utf8)) == ["ok"])
  }
}
