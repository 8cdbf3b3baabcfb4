import Foundation
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import ObjectStorage

/// One contract, and two stores of other people that are as different as stores are.
@Suite(
  "An object store", .enabled(if: ObjectServer.areHere, PythonTools.absence),
  .timeLimit(.minutes(5)))
struct ObjectStoreTests {
  private static let pace = RetryPace(tries: 4, firstSeconds: 0.01, longestSeconds: 0.1)

  private static func store(
    _ server: ObjectServer, bucket: String = ObjectServer.bucket,
    identifier: String = ObjectServer.identifier, secret: String = ObjectServer.secret,
    prefix: String = "office", offSeconds: Int64 = 0
  ) throws -> ObjectStore {
    let address = server.address.replacing(ObjectServer.bucket, with: bucket)
      .replacing("/office?", with: "/\(prefix)?")
    return ObjectStore(
      try ObjectAddress(address), ObjectCredentials(identifier: identifier, secret: secret), pace,
      keysInPart: 20
    ) {
      DeviceTime(
        millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000) + offSeconds * 1000)
    }
  }

  private static func keys(
    _ store: ObjectStore, _ words: String
  ) async throws -> [(key: String, bytes: Int)] {
    var found: [(key: String, bytes: Int)] = []
    try await store.forEachKey(beginning: words) { found.append(($0, $1)) }
    return found
  }

  private static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  @Test(
    "keeps bytes under their digest, gives them whole and in parts, lists and removes them",
    arguments: [ObjectServer.Kind.rclone, .moto])
  func contract(_ kind: ObjectServer.Kind) async throws {
    try await withTemporaryDirectory { folder in
      let server = try await ObjectServer(kind, in: folder)
      let store = try Self.store(server)
      let photos = (0..<5).map { Self.bytes($0 * 1000, seed: UInt64($0)) }
      for photo in photos {
        let key = Self.key(of: photo)
        #expect(try await store.bytes(of: key, atMost: 10_000) == nil)
        #expect(try await store.length(of: key) == nil)
        try await store.put(photo, as: key)
        // A second time changes nothing.
        try await store.put(photo, as: key)
        #expect(try await store.bytes(of: key, atMost: 10_000) == photo)
        #expect(try await store.length(of: key) == photo.count)
      }
      let photo = photos[4]
      let key = Self.key(of: photo)
      #expect(try await store.bytes(of: key, range: 10..<20, atMost: 100) == Array(photo[10..<20]))
      #expect(
        try await store.bytes(of: key, range: 3990..<9999, atMost: 100) == Array(photo[3990...]))
      #expect(try await store.bytes(of: key, range: 7..<7, atMost: 100) == [])
      let listed = try await Self.keys(store, "sha256/")
      #expect(listed.map(\.key) == photos.map(Self.key).sorted())
      #expect(Set(listed.map(\.bytes)) == Set(photos.map(\.count)))
      #expect(try await Self.keys(store, "lists/").isEmpty)
      try await store.remove(key)
      try await store.remove(key)
      #expect(try await store.bytes(of: key, atMost: 10_000) == nil)
      let limit = try await #require(throws: ObjectFailure.self) {
        try await store.bytes(of: Self.key(of: photos[3]), atMost: 100)
      }
      #expect(limit.kind == .refused)
      server.end()
      let gone = try await #require(throws: ObjectFailure.self) {
        try await store.put(photo, as: key)
      }
      #expect(gone.kind == .unavailable)
      await store.close()
    }
  }

  @Test(
    "a large object travels in parts and comes back whole",
    arguments: [ObjectServer.Kind.rclone, .moto])
  func parts(_ kind: ObjectServer.Kind) async throws {
    try await withTemporaryDirectory { folder in
      let server = try await ObjectServer(kind, in: folder)
      let store = try Self.store(server)
      let piece = Self.bytes(1 << 20, seed: 9)
      let bytes = Array([[UInt8]](repeating: piece, count: 33).joined()) + [1, 2, 3]
      let key = Self.key(of: bytes)
      try await store.put(bytes, as: key)
      #expect(try await store.bytes(of: key, atMost: 64 << 20) == bytes)
      await store.close()
    }
  }

  @Test(
    "a list in several parts comes whole, and strange keys do not stop it",
    arguments: [ObjectServer.Kind.rclone, .moto])
  func longList(_ kind: ObjectServer.Kind) async throws {
    try await withTemporaryDirectory { folder in
      let server = try await ObjectServer(kind, in: folder)
      let store = try Self.store(server)
      let names = (0..<45).map { "many/\($0)" } + ["many/a b", "many/é", "many/%41", "many/<&>"]
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (place, name) in names.enumerated() {
          if place >= 16 { try await group.next() }
          group.addTask { try await store.put([1], as: name) }
        }
        try await group.waitForAll()
      }
      let found = try await Self.keys(store, "many/").map(\.key)
      #expect(Set(found).symmetricDifference(names) == [])
      #expect(found == found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
      await store.close()
    }
  }

  @Test("a list that goes round in circles, or has no order, ends")
  func endlessLists() async throws {
    try await withTemporaryDirectory { folder in
      let server = try await ObjectServer(.bad, in: folder)
      let store = try Self.store(server)
      for word in ["circle", "token", "order"] {
        let failure = await #expect(throws: ObjectFailure.self, "\(word)") {
          try await Self.keys(store, word)
        }
        #expect(failure?.kind == .notAStore, "\(word)")
      }
      await store.close()
    }
  }

  @Test("an address for everybody gives the bytes to a program that has no key")
  func presigned() async throws {
    try await withTemporaryDirectory { folder in
      let server = try await ObjectServer(.rclone, in: folder)
      let store = try Self.store(server)
      let photo = Self.bytes(500, seed: 1)
      try await store.put(photo, as: Self.key(of: photo))
      let file = folder.appendingPathComponent("fetched").path
      let curl = try #require(Program.tool("curl"))
      func status(_ address: String) async throws -> String {
        try await Program.run(curl, ["-s", "-o", file, "-w", "%{http_code}", address]).output
      }
      let address = store.presigned(Self.key(of: photo), seconds: 60)
      #expect(try await status(address) == "200")
      #expect(FileManager.default.contents(atPath: file).map { Array($0) } == photo)
      #expect(try await status(String(address.dropLast(3)) + "000") == "403")
      await store.close()
    }
  }

  @Test("a wrong key, a wrong name, a wrong clock and a bucket that is not there are told apart")
  func refusals() async throws {
    try await withTemporaryDirectory { folder in
      let server = try await ObjectServer(.rclone, in: folder)
      for (store, kind): (ObjectStore, ObjectFailure.Kind) in [
        (try Self.store(server, secret: "hunter2"), .refusedCredentials),
        (try Self.store(server, identifier: "nobody"), .refusedCredentials),
        (try Self.store(server, offSeconds: 20 * 60), .wrongClock),
        (try Self.store(server, offSeconds: -20 * 60), .wrongClock),
        (try Self.store(server, bucket: "another-bucket"), .noBucket),
      ] {
        let listing = try await #require(throws: ObjectFailure.self) {
          try await Self.keys(store, "")
        }
        #expect(listing.kind == kind, "\(listing)")
        let putting = try await #require(throws: ObjectFailure.self) {
          try await store.put([1], as: Self.key(of: [1]))
        }
        #expect(putting.kind == kind, "\(putting)")
        await store.close()
      }
    }
  }

  @Test("what passes is tried again, and nothing is believed that is not so")
  func badDays() async throws {
    try await withTemporaryDirectory { folder in
      let server = try await ObjectServer(.bad, in: folder)
      let store = try Self.store(server)
      for word in ["slow-3", "down-3"] {
        try await store.put([1, 2, 3], as: word)
        #expect(try await store.bytes(of: word, atMost: 100) == [1, 2, 3], "\(word)")
      }
      try await store.put(Array("0123456789".utf8), as: "cut-2")
      #expect(try await store.bytes(of: "cut-2", atMost: 100) == Array("0123456789".utf8))
      func kind(
        line: Int = #line, _ body: () async throws -> Void
      ) async throws -> ObjectFailure.Kind? {
        let failure = await #expect(throws: ObjectFailure.self, "line \(line)") {
          try await body()
        }
        return failure?.kind
      }
      #expect(try await kind { try await store.put([1], as: "slow-4") } == .unavailable)
      #expect(try await kind { try await store.put([1], as: "down-4") } == .unavailable)
      #expect(try await kind { try await store.put([1], as: "html") } == .notAStore)
      #expect(try await kind { try await store.put([1], as: "region") } == .otherRegion)
      #expect(try await kind { try await store.put([1], as: "clock") } == .wrongClock)
      #expect(try await kind { try await store.put([1], as: "full") } == .full)
      #expect(try await kind { _ = try await store.bytes(of: "huge", atMost: 1 << 20) } == .refused)
      #expect(try await kind { _ = try await Self.keys(store, "html") } == .notAStore)
      let other = try Self.store(server, prefix: "other")
      let key = Self.key(of: [1, 2, 3])
      try await other.put([1, 2, 3], as: key)
      #expect(try await kind { _ = try await other.bytes(of: key, atMost: 100) } == .otherBytes)
      await store.close()
      await other.close()
    }
  }

  @Test("parts that are not put together are no object, and are not left behind")
  func lateError() async throws {
    try await withTemporaryDirectory { folder in
      let server = try await ObjectServer(.bad, in: folder)
      let store = try Self.store(server)
      let large = [UInt8](repeating: 7, count: ObjectStore.partBytes + 1)
      let failure = try await #require(throws: ObjectFailure.self) {
        try await store.put(large, as: "late")
      }
      #expect(failure.kind == .unavailable)
      #expect(try await store.bytes(of: "late", atMost: 100) == nil)
      #expect(try await Self.keys(store, "pending").isEmpty)
      try await store.put(large, as: "well")
      #expect(try await Self.keys(store, "pending").count == 1)
      await store.close()
    }
  }
}
