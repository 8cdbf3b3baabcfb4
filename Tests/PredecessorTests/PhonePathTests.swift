import AsyncHTTPClient
import Evidence
import Foundation
import Inspection
import NIOCore
import OfficeScenes
import Positioning
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages
@testable import Predecessor

@Suite("Paths of phones, point by point", .timeLimit(.minutes(5)))
struct PhonePathTests {
  // MARK: points

  private func points(_ text: String, bytesAtMost: Int = .max) throws -> [JSONValue] {
    var points: [JSONValue] = []
    try PathPoints.forEach(in: text, bytesAtMost: bytesAtMost) { points.append($0) }
    return points
  }

  @Test(
    "points are read one by one as the whole array would be",
    arguments: [
      "[]", " [ ] ", "[1]", "\n[ {\"a\":[1,2,{\"b\":\"],}\\\"\"}]} , null,\"x\" ]\t", "[[],{}]", "",
      "[", "]",
      "{}", "[,]", "[1,]", "[1 2]", "[1]]", "[}]", "[{]}]", "[\"]", "[1]x", "7",
    ])
  func grammar(_ text: String) {
    #expect((try? points(text)) == (try? JSONValue(parsing: Array(text.utf8)))?.elements, "\(text)")
  }

  @Test("a damaged array is one to both readers or to none", arguments: 0..<300)
  func damaged(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed) + 1)
    var text = Array("[{\"lat\":1.5,\"c\":\"a,]\\\"\"},[1,[2]],{\"lat\":-2,\"e\":{}} ,null]")
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0..<text.count, using: &random)
      if Bool.random(using: &random) {
        text.remove(at: place)
      } else {
        text.insert(Array("[]{},:\"\\ 1").randomElement(using: &random) ?? ",", at: place)
      }
    }
    let whole = (try? JSONValue(parsing: Array(String(text).utf8)))?.elements
    #expect((try? points(String(text))) == whole, "\(String(text))")
  }

  @Test("a point that is longer than points are is none, however many values would be in it")
  func long() throws {
    let zeros = "[" + String(repeating: "0,", count: 100) + "0]"
    #expect(try points("[1,\(zeros)]", bytesAtMost: zeros.utf8.count).count == 2)
    #expect(throws: PathPoints.Unreadable.self) {
      _ = try points("[1,\(zeros)]", bytesAtMost: zeros.utf8.count - 1)
    }
  }

  // MARK: what is sent

  /// Returns points as an app sends them.
  private func walk(_ count: Int, from place: Int = 0) -> String {
    let points = (0..<count).map { index in
      "{\"lat\":50.\(100_000 + place + index),\"lng\":14.4,\"altitude\":231.25,\"accuracy\":2.5,\"created\":\"2026-06-01 12:00:00\"}"
    }
    return "[\(points.joined(separator: ","))]"
  }

  private func body(_ fields: [(String, String)]) -> String {
    fields.map { "\($0.0)=\(OfficeBrowser.encoded($0.1))" }.joined(separator: "&")
  }

  private func left(_ phones: PhoneScene) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: phones.service.desk.folder)
  }

  @Test(
    "a long path comes whole, wherever its user stands in it, and is the same when it is sent again"
  )
  func longPath() async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      let points = walk(2000)
      let others = [
        ("name", "Edge"), ("start", "2026-06-01 12:00:00"), ("end", "x"), ("points", points),
      ]
      let bodies = [
        body([("user_id", user)] + others), body(others + [("user_id", user)]),
        body(others.reversed() + [("user_id", user), ("deviceModel", "m")]) + "\n",
      ]
      var numbers: Set<Int> = []
      for body in bodies {
        #expect(body.utf8.count > 200_000)
        let answer = try JSONValue(parsing: try await app.raw("path", body: body).bytes)
        numbers.insert(try #require(answer["path_id"]?.wholeNumber))
      }
      #expect(numbers.count == 1)
      #expect(try left(phones).isEmpty)
      let id = try #require(
        try await phones.office.database.read(in: "north") {
          try $0.tracks.identifiers(.standalone)
        }
        .first)
      let (phone, track) = try await phones.office.database.read(in: "north") {
        (try $0.phones.phoneTrack(id), try phones.office.review.track(id, $0))
      }
      #expect(track?.points.count == 2000)
      // The digest, made point by point, is that of the whole array.
      let whole = JSONValue.array([
        .string("Edge"), .string("2026-06-01 12:00:00"), .string("x"),
        try JSONValue(parsing: Array(points.utf8)),
      ])
      #expect(phone?.contentDigest == Digest.hexadecimal(whole.canonicalBytes))
      let listed = try await app.call("get_paths", [("user_id", user)])
      let told = try #require(listed["paths"]?.elements?.first?["points"]?.elements)
      #expect(told.count == 2000 && told.last?["lat"]?.text == "50.101999")
    }
  }

  @Test("a path without a user, of an unknown one, or of two, is refused; nothing is left of it")
  func users() async throws {
    try await withPhones { phones, site in
      let app = PhoneApp(kind: .iOS, site: site)
      let ines = try await app.logIn()
      let igor = try await app.logIn("igor")
      for count in [1, 2000] {
        let others = [("name", "Edge"), ("points", walk(count))]
        let cases: [(fields: [(String, String)], refusal: PhoneRefusal)] = [
          (others, .missingData), ([("user_id", "")] + others, .missingData),
          ([("user_id", "4711")] + others, .loginEnded),
          (others + [("user_id", "4711")], .loginEnded),
        ]
        for (fields, refusal) in cases {
          let answer = try await app.raw("path", body: body(fields))
          #expect(try JSONValue(parsing: answer.bytes).message == refusal.text)
        }
      }
      let two = [("user_id", ines), ("points", walk(2000)), ("user_id", igor)]
      let answer = try await app.raw("path", body: body(two))
      #expect(try JSONValue(parsing: answer.bytes).message == PhoneRefusal.missingData.text)
      #expect(
        try await phones.office.database.read(in: "north") {
          try $0.tracks.identifiers(.standalone)
        }
        .isEmpty)
      #expect(try left(phones).isEmpty)
    }
  }

  @Test("whoever sends a path slowly keeps nobody waiting")
  func slow() async throws {
    try await withPhones { _, site in
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      let slow = Array(body([("user_id", user), ("name", "slow"), ("points", walk(5))]).utf8)
      let (pieces, more) = AsyncStream.makeStream(of: ByteBuffer.self)
      more.yield(ByteBuffer(bytes: slow.prefix(40)))
      async let late = site.send(
        "POST", app.path("path"), [("Content-Type", "application/x-www-form-urlencoded")],
        body: .stream(pieces, length: .known(Int64(slow.count))))
      for place in 0..<4 {
        let quick = try await app.call(
          "path", [("user_id", user), ("name", "quick"), ("points", walk(3, from: place))])
        #expect(quick.word == "ok")
      }
      more.yield(ByteBuffer(bytes: slow.dropFirst(40)))
      more.finish()
      #expect(try JSONValue(parsing: try await late.bytes).word == "ok")
    }
  }

  @Test("of paths that are together too large for one answer the newest are told, in their order")
  func bound() async throws {
    try await withPhones(pathsAtMost: 20_000) { _, site in
      let app = PhoneApp(kind: .android, site: site)
      let user = try await app.logIn()
      func send(_ name: String, _ count: Int) async throws {
        let answer = try await app.call(
          "path", [("user_id", user), ("name", name), ("points", walk(count))])
        #expect(answer.word == "ok")
      }
      func told() async throws -> [String?] {
        let answer = try await app.call("get_paths", [("user_id", user)])
        return try #require(answer["paths"]?.elements).map { $0["name"]?.text }
      }
      // Each path has about 9,500 bytes.
      for name in ["a", "b", "c"] { try await send(name, 100) }
      #expect(try await told() == ["b", "c"])
      // A path that is too large alone is in the answer nevertheless: otherwise it would never
      // come.
      try await send("d", 400)
      #expect(try await told() == ["d"])
    }
  }
}
