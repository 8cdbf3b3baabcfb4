import AsyncHTTPClient
import Evidence
import Foundation
import Geodesy
import Inspection
import NIOCore
import OfficeScenes
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Office
@testable import OfficePages
@testable import Predecessor
@testable import Web

/// Requests to the predecessor's own service and its answers, byte for byte. The recording is not
/// shipped.
@Suite("The predecessor's recorded exchanges", .timeLimit(.minutes(5)))
struct PhoneReplayTests {
  private struct Exchange: Decodable {
    var `case`: String
    var path: String
    var body: String
    var answer: String
  }

  private static let recording = "data/egnss4cap/exchanges.json"

  /// This service's answers, as `shape` has them, where the original said "ok" to a fault or lost
  /// something.
  private static let different: [String: String] = [
    "tasks of nobody": error(PhoneRefusal.loginEnded.text),
    "photo again": "{\"status\":\"ok\",\"error_msg\":null,\"photo_id\":#}",
    "photo raw with ampersand in the note cuts the JSON":
      "{\"status\":\"ok\",\"error_msg\":null,\"photo_id\":#}",
    "photo without picture": error(PhoneRefusal.photoMissing.text),
    "photo empty": error(PhoneRefusal.photoMissing.text),
    "status of unknown task": error(PhoneRefusal.unknownTask.text),
  ]

  private static func error(_ message: String) -> String {
    "{\"status\":\"error\",\"error_msg\":\"\(message)\"}"
  }

  /// Returns a text with places rounded as in the original, which kept them as numbers of 32 bits.
  private func rounded(_ text: String) -> String {
    text.replacing(/"(lat|lng)":"(-?[0-9]+\.?[0-9]*)"/) { match in
      let value = (Double(match.output.2) ?? .nan) * 10_000
      return "\"\(match.output.1)\":\"\(value.rounded() / 10_000)\""
    }
  }

  /// Returns the photos of a list as they are written. No picture and no word of the recording has
  /// a brace.
  private func photos(_ text: String) -> [String] {
    text.split(separator: "{\"note\"").dropFirst().map { part in
      String(part.prefix { $0 != "}" })
    }
  }

  /// Returns a text without its numbers, which are drawn here and were counted in the original.
  private func shape(_ text: String) -> String {
    text.replacing(/"(id|photo_id|path_id)":"?[0-9]+"?/) { "\"\($0.output.1)\":#" }
      .replacing(/"photos_ids":\[[^\]]*\]/) { match in
        "\"photos_ids\":[\(match.output.split(separator: ",").count)]"
      }
  }

  @Test(
    "each recorded request is answered as it was, but where the original was wrong",
    .enabled(
      if: Repository.shared(recording) != nil, "the recording is not beside the repository"))
  func replay() async throws {
    let file = try #require(Repository.shared(Self.recording))
    let exchanges = try JSONDecoder().decode([Exchange].self, from: try Data(contentsOf: file))
    #expect(exchanges.count == 37)
    try await withPhones { phones, site in
      let office = phones.office
      try await office.database.writeRegistry {
        try $0.setDisabled(nil, login: "ines")
        try $0.setPassword(PasswordHash.cheap(for: "correct horse 7 battery"), of: "ines")
      }
      let created = try #require(DeviceTime(rfc3339: "2026-06-01T08:00:00Z"))
      let due = try #require(DeviceTime(rfc3339: "2027-01-31T23:59:59Z"))
      let orders = try await office.database.write(in: "north") { session in
        try (0..<3).map { number in
          let task = InspectionTask(
            id: Identifier(at: created.advanced(bySeconds: Double(number))), agency: "north",
            inspector: "ines", name: "Parcel \(number)",
            instructions: number == 0 ? "Photograph" : "x",
            created: created, due: due)
          try session.tasks.insert(task)
          return task
        }
      }
      // The original's register had this parcel.
      try await phones.register([
        ("T0", "POLYGON((-71.088 42.337,-71.084 42.337,-71.084 42.34,-71.088 42.34))")
      ])
      let app = PhoneApp(kind: .iOS, site: site)
      let user = try await app.logIn("ines", password: "correct horse 7 battery")
      let numbers = try await office.database.write(in: "north") { session in
        try orders.map { try session.phones.makePhoneNumber(.task, of: $0.id.description) }
      }
      var photo = "99999999"
      for exchange in exchanges {
        var body = exchange.body
        // Numbers are drawn, so a new one may begin with the next one to be replaced.
        for index in numbers.indices {
          body = body.replacingOccurrences(of: "task_id=\(17 + index)", with: "task_id=<\(index)>")
        }
        for (index, number) in numbers.enumerated() {
          body = body.replacingOccurrences(of: "<\(index)>", with: "\(number)")
        }
        body = body.replacingOccurrences(of: "user_id=5", with: "user_id=\(user)")
          .replacingOccurrences(of: "photo_id=17814", with: "photo_id=\(photo)")
        let answer = try await site.send(
          "POST", "/\(PhoneScene.secret)\(exchange.path)",
          [("Content-Type", "application/x-www-form-urlencoded")],
          body: .bytes(ByteBuffer(string: body)))
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "application/json; charset=utf-8")
        if exchange.case == "photo" {
          let number = try JSONValue(parsing: answer.bytes)["photo_id"]?.wholeNumber
          photo = "\(try #require(number))"
        }
        if exchange.case == "photo again" {
          #expect(answer.body.hasSuffix("\"photo_id\":\(photo)}"))
        }
        // The person's name differs, and so do the photos: this service refuses the one without a
        // picture, and the original lost another one.
        var (mine, theirs) = (rounded(shape(answer.body)), rounded(shape(exchange.answer)))
        if let differing = Self.different[exchange.case] {
          #expect(mine != theirs, "\(exchange.case)")
          theirs = differing
        }
        if exchange.case == "task photos" {
          let (ours, known) = (photos(mine), photos(theirs))
          // Two photos are the same: the third of the original has no picture, and the third here
          // is the one that the original lost.
          #expect(ours.count == 3 && known.count == 3)
          #expect(ours.prefix(2) == known.prefix(2))
          continue
        }
        if exchange.path.contains("login") {
          mine = mine.replacing(/"name":.*"surname":"[^"]*"/, with: "names")
          theirs = theirs.replacing(/"name":.*"surname":"[^"]*"/, with: "names")
        }
        if exchange.case == "tasks at the end" {
          // The original cut the note of a raw body at its ampersand.
          theirs = theirs.replacing(
            "\"note\":\"hotovo\"", with: "\"note\":\"hotovo & p\\u0159esn\\u011b\"")
        }
        #expect(mine == theirs, "\(exchange.case)")
      }
    }
  }
}
