import AsyncHTTPClient
import Evidence
import FieldUnit
import Foundation
import Geodesy
import Inspection
import LogPublishing
import MapLayers
import NIOCore
import NIOHTTP1
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

@Suite("Who may what: each address, each role, two agencies", .timeLimit(.minutes(5)))
struct RouteMatrixTests {
  /// A visitor whose session goes along as a cookie and as a bearer's token, so that each door is
  /// tried with each key.
  private struct Visitor {
    var name: String
    var cookies: [String: String] = [:]
    var token: String?
    var formToken: String?
  }

  private static let order = [
    "nobody", "inspector's device", "inspector", "another inspector", "officer", "administrator",
    "super-administrator",
    "another agency's officer", "another agency's administrator", "another agency's device",
  ]

  /// Returns the meaning of an answer for the visitor.
  private func word(_ answer: Answer) -> String {
    switch answer.status {
    case 401: "sign in"
    case 303 where answer.location?.hasPrefix("/sign-in?to=") == true: "sign in"
    case 403: "no"
    case 404: "not there"
    case 429, 500...: "\(answer.status)"
    default: "yes"
    }
  }

  private func devices(_ scene: OfficeScene) async throws -> [String: String] {
    var tokens: [String: String] = [:]
    for (name, login, device) in [
      ("inspector's device", "ines", "tablet"), ("another agency's device", "sven", "south"),
    ] {
      let desk = try scene.desk(device)
      try await desk.signIn(login: login, password: OfficeScene.password, over: scene.link)
      tokens[name] = try #require(try desk.signedIn()?.token)
    }
    return tokens
  }

  private func visitors(_ site: OfficeSite, devices: [String: String]) async throws -> [Visitor] {
    var visitors: [Visitor] = []
    for (name, login) in [
      ("nobody", nil), ("officer", "otto"), ("administrator", "anna"),
      ("super-administrator", "root"), ("another agency's officer", "sara"),
      ("another agency's administrator", "adam"), ("another inspector", "igor"),
      ("inspector", "ines"),
    ] as [(String, String?)] {
      let browser = site.browser()
      _ = try await browser.get("/sign-in")
      if let login {
        let answer = try await browser.post(
          "/sign-in", ["login": login, "password": OfficeScene.password])
        try #require(answer.status == 303, "\(login): \(answer.status)")
        _ = try await browser.get("/tasks")
        _ = try await browser.get("/sign-in")
      }
      visitors.append(
        Visitor(
          name: name, cookies: browser.cookies, token: browser.sessionToken,
          formToken: browser.token))
    }
    for (name, token) in devices {
      var visitor = Visitor(
        name: name, cookies: ["standpoint-session-\(site.port)": token], token: token)
      // The page's own form token belongs to this cookie.
      let answer = try await site.send(
        "GET", "/sign-in", [("Cookie", "standpoint-session-\(site.port)=\(token)")])
      for cookie in answer.headers["Set-Cookie"] where !cookie.contains("Max-Age=0") {
        let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
        if pair.count == 2, !pair[0].contains("session") {
          visitor.cookies[String(pair[0])] = String(pair[1])
        }
      }
      visitor.formToken = answer.field("csrf")
      visitors.append(visitor)
    }
    // The inspector's browser comes last: when it ends all sessions of the login, the device's
    // ends, too.
    return visitors.filter { $0.name != "inspector" } + visitors.filter { $0.name == "inspector" }
  }

  private func ask(
    _ site: OfficeSite, _ visitor: Visitor, _ method: String, _ path: String, isMachine: Bool,
    seen: Int
  ) async throws -> Answer {
    var headers: [(String, String)] = []
    if !visitor.cookies.isEmpty {
      headers.append(
        (
          "Cookie",
          visitor.cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
        ))
    }
    if path.hasPrefix("/api/"), let token = visitor.token {
      headers.append(("Authorization", "Bearer \(token)"))
    }
    if path.contains("/uploads") {
      headers += [("Tus-Resumable", "1.0.0"), ("Upload-Offset", "3")]
    }
    guard method != "GET", method != "OPTIONS" else {
      return try await site.send(method, path, headers)
    }
    if isMachine {
      let type =
        method == "PATCH" ? "application/offset+octet-stream" : "application/json"
      headers.append(("Content-Type", type))
      return try await site.send(method, path, headers, body: .bytes(ByteBuffer(string: "{}")))
    }
    headers += [
      ("Content-Type", "application/x-www-form-urlencoded"), ("Origin", site.origin),
    ]
    return try await site.send(
      method, path, headers,
      body: .bytes(
        ByteBuffer(
          string: "action=returnToInspector&seen=\(seen)&examined=9&csrf="
            + OfficeBrowser.encoded(visitor.formToken ?? "")
            + (path.hasPrefix("/devices/") ? "&reason=lost" : ""))))
  }

  @Test("every route answers every role as docs/routes.md says, and every page leads to the guide")
  func matrix() async throws {
    try await withTemporaryDirectory { folder in
      let scene = try await OfficeScene(folder)
      let configuration = scene.office.configuration
      // The office serves phones, so that their addresses are asked, too: they answer everybody in
      // their own words.
      let phones = PredecessorService(
        for: configuration, clock: scene.clock, isServed: true)
      let office = try await OfficeServer.make(
        configuration: configuration, clock: scene.clock, services: [phones])
      try await office.database.writeRegistry {
        try $0.insert(
          Account(login: "adam", agency: "south", role: .administrator, name: "Adam"),
          password: PasswordHash.cheap(for: OfficeScene.password), at: scene.clock.deviceTime)
        try $0.insert(
          Account(login: "root", agency: nil, role: .superAdministrator, name: "Root"),
          password: PasswordHash.cheap(for: OfficeScene.password), at: scene.clock.deviceTime)
      }
      let task = try await scene.provided()
      let photo = try await #require(try office.review.view(of: task.id, in: "north").photos.first)
        .photo
        .id
      // The phone is a device to revoke on which nobody works.
      _ = try await scene.unit("igor", on: "phone")
      let tablet = try await scene.unit("ines")
      let track = try tablet.beginTrack(name: "edge", task: nil, source: "", isSimulated: true)
      let edge = try #require(Coordinate(latitudeDegrees: 49.08, longitudeDegrees: 16.63))
      for second in 0..<3 {
        let time = scene.clock.deviceTime.advanced(bySeconds: Double(second)).gnssTime
        try tablet.append(
          TrackPoint(kind: .recorded, time: time, coordinate: edge), to: track.id)
      }
      _ = try tablet.finishTrack(track.id, source: nil)
      try tablet.sendTracks([track.id])
      _ = try await tablet.delivery.deliver(over: scene.link)
      // The photo is one from a phone: a sealed one has no such fields.
      var sent = try await #require(try office.review.view(of: task.id, in: "north").photos.first)
      sent.photo.id = Identifier(at: scene.clock.deviceTime)
      sent.photo.origin = .egnss4cap
      sent.photo.task = nil
      let fromPhone = sent
      try await office.database.write(in: "north") { session in
        try session.photos.insert(fromPhone)
        try session.phones.insert(
          PhonePhoto(
            photo: fromPhone.photo.id, inspector: "ines", number: 0, userNumber: "1", created: nil,
            digest: nil, digestHolds: nil, fields: "{}", received: scene.clock.deviceTime),
          fileDigest: fromPhone.photo.fileDigest)
      }
      let igors = try #require(
        try await office.database.read(in: "north") { try $0.devices.devices(of: "igor") }.first)
      let digest = String(repeating: "ab", count: 32)

      try await withSite(office) { site in
        var asking = try await visitors(site, devices: try await devices(scene))
        let key = try await #require(
          try office.sessions.visitor(
            withToken: asking.first {
              $0.name == "inspector's device"
            }?.token
          ).key)
        // The device of Ines has begun to send a file.
        let begun = try office.photos.resume(ReceivedFile(key: key, digest: digest), length: 10)
        try [1, 2, 3].withUnsafeBytes {
          try begun.append(UnsafeRawBufferPointer(rebasing: $0[..<3]))
        }
        begun.keepChunk()
        begun.close()

        let now = scene.clock.deviceTime
        var order = PhotoPointOrder(
          id: Identifier(at: now), photo: photo, name: "Gate", made: now)
        order.footing = photo
        let point = try await office.points.make(order, by: "otto", own: nil, in: "north")

        try BaseMapFixture.write(to: office.configuration.folder.path + "/maps/land.mbtiles")
        _ = try office.core.layers.add(
          MapService(
            name: "", kind: .xyz, title: "Own", address: "http://127.0.0.1:9/{z}/{x}/{y}"),
          to: "north")
        let orbits = office.configuration.folder.appendingPathComponent("orbits")
        try FileManager.default.createDirectory(at: orbits, withIntermediateDirectories: true)
        try Data("orbits".utf8).write(to: orbits.appendingPathComponent("land"))
        // A checkpoint, for those who ask for one.
        let checkpoints = PublicLog(core: office.core)
        try await checkpoints.makeCheckpoint()
        let size = "\(try checkpoints.sizes().last ?? 0)"
        let values = [
          "size": size, "earlier": "1", "number": "1",
          "name": "land", "zoom": "0", "x": "0", "y": "0",
          // Olga does not ask: a change of her account ends nobody's session.
          "login": "olga", "action": "enable", "key": igors.key, "digest": digest,
          "agency": "north", "page": "officer", "service": PhoneScene.secret,
          "script": "comm_tasks.php",
        ]
        var rows: [String] = []
        var pages: Set<String> = []
        let entries = office.routes().entries.map { entry in
          (entry, "/" + entry.segments.joined(separator: "/"))
        }
        // The addresses that end a session come last.
        let endsSession = { (pattern: String) in
          pattern.hasPrefix("/account/") || pattern.hasSuffix("sign-out")
            || pattern.hasSuffix("officer-sessions") || pattern.hasSuffix("/elsewhere")
        }
        let methods = ["GET", "OPTIONS", "POST", "PATCH", "PUT", "DELETE"]
        let sorted = entries.map { entry, pattern in
          (endsSession(pattern) ? 1 : 0, pattern, methods.firstIndex(of: entry.method) ?? 9, entry)
        }.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }
        for (_, pattern, _, entry) in sorted {
          if endsSession(pattern) {
            asking = try await visitors(site, devices: try await devices(scene))
          }
          var path = pattern
          for name in entry.endpoint.names where !pattern.contains("{\(name)...}") {
            let thing =
              pattern.hasSuffix("/phone.json")
              ? fromPhone.photo.id
              : pattern.contains("/points/{id}") || pattern.contains("/photo-points/{id}")
                ? point.id
                : pattern.contains("/photos/{id}") || pattern.contains("-photos/{id}")
                  ? photo : pattern.contains("/tracks/{id}") ? track.id : task.id
            // The service of one agency, where the file "land" belongs to all.
            let value: String? =
              name == "id"
              ? thing.description : pattern.hasPrefix("/base-maps/") ? "own" : values[name]
            path = path.replacing("{\(name)}", with: try #require(value, "{\(name)} of \(pattern)"))
          }
          path = path.replacing("leaflet/{name...}", with: "leaflet/leaflet.css")
          var words: [String: String] = [:]
          // Strangers come first: otherwise everything that they could do would be done already.
          for visitor in asking.sorted(by: {
            $0.name.hasPrefix("another") && !$1.name.hasPrefix("another")
          }) {
            let answer = try await ask(
              site, visitor, entry.method, path, isMachine: entry.endpoint.isMachine,
              seen: task.history.count)
            // A visitor who signs in is nobody yet, and may be asked to wait.
            words[visitor.name] = pattern.hasSuffix("/sign-in") ? "yes" : word(answer)
            #expect(answer.status < 500, "\(entry.method) \(path) as \(visitor.name)")
            if answer.isPage {
              #expect(HelpLink.complaint(about: answer.body) == nil, "\(path) as \(visitor.name)")
              pages.insert(pattern)
            }
          }
          rows.append(
            "| \(entry.method) | `\(pattern)` | "
              + Self.order.map { words[$0] ?? "?" }.joined(separator: " | ") + " |")
        }
        let table = """
          # Who may what at the office

          Each address that the office answers, and what it answers whom. A test asks each of them as each of
          these, with a task, a photo, a person and a device of one agency, and compares. *yes*: it is answered, or
          refused only for what is asked; *sign in*: nobody is signed in, or not as this needs it; *no*: not for this
          role; *not there*: as if it did not exist, which is what another agency's things are, and for an inspector
          another inspector's. The task, the photo and the track are those of *inspector*, who is signed in in a
          browser; *another inspector* is of the same agency. A device's key is tried as a cookie, too.

          | method | address | \(Self.order.joined(separator: " | ")) |
          | --- | --- | \(Self.order.map { _ in "---" }.joined(separator: " | ")) |
          \(rows.joined(separator: "\n"))

          """
        #expect(try Golden.difference(table, from: "docs/routes.md") == nil)
        #expect(pages.isSuperset(of: ["/tasks", "/tasks/{id}", "/people", "/agencies", "/help"]))
      }
    }
  }
}
