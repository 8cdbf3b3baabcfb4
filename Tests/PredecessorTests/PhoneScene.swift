import AsyncHTTPClient
import Evidence
import Foundation
import Geodesy
import Imagery
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

extension PredecessorService {
  /// Returns the services of an office that shows photos from phones, and serves no phone.
  static func whereNoPhoneIsServed(
    _ configuration: OfficeConfiguration, _ clock: any Timepiece
  ) -> [any AddedService] {
    [PredecessorService(for: configuration, clock: clock)]
  }
}

/// An office that serves phones, with an agency whose address is secret.
struct PhoneScene: Sendable {
  let scene: OfficeScene
  let office: OfficeServer
  let service: PredecessorService
  static let secret = "north-secret-address-1"
  /// The bytes of the disk that stay free, where a test says how many there are.
  static let reserveBytes = 1 << 30
  static let southSecret = "south-secret-address-1"

  init(
    _ folder: URL, picturesAtMost: Int = 2 << 20, pathsAtMost: Int = 32 << 20,
    space: (any FreeSpace)? = nil
  ) async throws {
    scene = try await OfficeScene(folder)
    var configuration = scene.office.configuration
    if let space {
      configuration.freeSpace = space
      configuration.diskReserveBytes = Self.reserveBytes
    }
    service = PredecessorService(
      for: configuration, clock: scene.clock, isServed: true, maximumPictureBytes: picturesAtMost,
      maximumPathsBytes: pathsAtMost)
    office = try await OfficeServer.make(
      configuration: configuration, clock: scene.clock, services: [service])
    for (agency, secret) in [("north", Self.secret), ("south", Self.southSecret)] {
      var change = PhoneServiceChange()
      change.prefix = .chosen(secret)
      change.logins = (1000, 1000)
      _ = try await office.phones.changePhoneService(of: agency, change, by: "test")
    }
  }

  func later(hours: Double) {
    scene.clock.advance(to: scene.clock.elapsed.advanced(bySeconds: hours * 3600), limit: nil)
  }

  /// Imports parcels into the register of the north, each as WKT.
  func register(_ parcels: [(identifier: String, wkt: String)]) async throws {
    let file = scene.folder.appendingPathComponent("parcels.csv")
    let rows = parcels.map { "\($0.identifier),\"\($0.wkt)\"\n" }
    try Data(("identifier,wkt\n" + rows.joined()).utf8).write(to: file)
    let report = try await office.imports.importFile(
      ImportedFile(path: file.path), of: .parcels, in: "north", by: "otto", isCarriedOut: true)
    try #require(report.isTaken, "\(report.faults)")
  }

  /// Performs an officer's step on a task.
  func decide(_ action: TaskAction, _ task: Identifier, reason: String? = nil) async throws {
    try await office.database.write(in: "north") { session in
      var task = try session.tasks.task(task)
      let transition = try task.perform(
        action, by: scene.person("otto"), id: Identifier(at: scene.clock.deviceTime),
        at: scene.clock.deviceTime, reason: reason, contents: TaskContents(photos: 1))
      try session.tasks.save(transition, of: task, revision: task.revision)
    }
  }
}

/// Runs `body` with an office on a port that serves phones.
func withPhones(
  picturesAtMost: Int = 2 << 20, pathsAtMost: Int = 32 << 20,
  space: (any FreeSpace)? = nil,
  _ body: @escaping @Sendable (PhoneScene, OfficeSite) async throws -> Void
) async throws {
  try await withTemporaryDirectory { folder in
    let phones = try await PhoneScene(
      folder, picturesAtMost: picturesAtMost, pathsAtMost: pathsAtMost, space: space)
    try await withSite(phones.office) { try await body(phones, $0) }
  }
}

/// One of the three apps, with its way to write requests.
struct PhoneApp: Sendable {
  enum Kind: Sendable, CaseIterable {
    /// The app joins names and values as they are; its base64 is one line.
    case iOS
    /// The app encodes the values; its base64 has line feeds.
    case android
    /// The app encodes the values, writes nulls into its JSON, and asks under another folder, with
    /// a slash too many.
    case all
  }

  let kind: Kind
  let site: OfficeSite
  var secret = PhoneScene.secret
  /// The text between the secret and a script's name; nil for the app's own.
  var folder: String?

  func path(_ script: String) -> String {
    if let folder { return "/\(secret)\(folder)comm_\(script).php" }
    return kind == .all
      ? "/\(secret)//egnss4allservices/comm_\(script).php" : "/\(secret)/ws/comm_\(script).php"
  }

  func body(_ fields: [(String, String)]) -> String {
    fields.map { name, value in
      kind == .iOS ? "\(name)=\(value)" : "\(name)=\(OfficeBrowser.encoded(value))"
    }.joined(separator: "&")
  }

  /// Sends a request; the answer is always 200 and JSON.
  func raw(_ script: String, body: String) async throws -> Answer {
    var headers = [("Content-Type", "application/x-www-form-urlencoded")]
    if kind == .android { headers.append(("Authorization", "Basic bG9naW46cGFzc3dvcmQK")) }
    let answer = try await site.send(
      "POST", path(script), headers, body: .bytes(ByteBuffer(string: body)))
    #expect(answer.status == 200)
    #expect(answer.header("Content-Type") == "application/json; charset=utf-8")
    #expect(answer.bytes.allSatisfy { $0 < 128 })
    return answer
  }

  func call(_ script: String, _ fields: [(String, String)]) async throws -> JSONValue {
    try JSONValue(parsing: try await raw(script, body: body(fields)).bytes)
  }

  /// Logs in, and returns the user's number.
  func logIn(_ login: String = "ines", password: String = OfficeScene.password) async throws
    -> String
  {
    let answer = try await call("login", [("login", login), ("pswd", password)])
    #expect(answer.word == "ok")
    return try #require(answer["user"]?["id"]?.text)
  }

  /// Returns a photo's JSON as the app writes it.
  func photo(
    _ picture: [UInt8], user: String, created: String? = nil, note: String = "řepa & \"len\"",
    more: String = ""
  ) -> String {
    let created =
      created ?? (kind == .iOS ? "2026-06-01 09:20:00" : "2026-06-01T11:20:00.123+02:00")
    let digest = AppDigest.make(
      pictureDigest: Digest.hexadecimal(picture), created: created, user: user)
    var base64 = Data(picture).base64EncodedString(
      options: kind == .iOS ? [] : [.lineLength76Characters, .endLineWithLineFeed])
    if kind != .iOS { base64 += "\n" }
    let escaped = base64.replacingOccurrences(of: "/", with: "\\/")
      .replacingOccurrences(of: "\n", with: "\\n")
    let words = note.replacingOccurrences(of: "\"", with: "\\\"")
    let extra =
      kind == .all
      ? ",\"osnmaEnabled\":1,\"osnmaValidated\":null,\"provider\":\"fused\",\"validatedSats\":4"
      : ""
    let platform = kind == .iOS ? "" : ",\"devicePlatform\":\"Android\""
    return "{\"lat\":49.0801234567,\"lng\":16.63,\"altitude\":231.2,\"accuracy\":3.0,"
      + "\"photo_heading\":123.4,\"photo_angle\":88.0\(platform)\(extra)\(more),\"note\":\"\(words)\","
      + "\"created\":\"\(created)\",\"photo\":\"\(escaped)\",\"digest\":\"\(digest)\"}"
  }

  func send(_ json: String, user: String, task: String? = nil) async throws -> JSONValue {
    // The iOS app sends the photo last.
    try await call(
      "photo", [("user_id", user)] + (task.map { [("task_id", $0)] } ?? []) + [("photo", json)])
  }

  func tasks(user: String) async throws -> [JSONValue] {
    let answer = try await call("tasks", [("user_id", user)])
    return try #require(answer["tasks"]?.elements)
  }
}

extension JSONValue {
  /// "ok" or "error".
  var word: String? { self["status"]?.text }
  var message: String? { self["error_msg"]?.text }
}
