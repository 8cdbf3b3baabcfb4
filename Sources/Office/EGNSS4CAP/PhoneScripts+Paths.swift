import Evidence
import Foundation
import Geodesy
import Inspection
import Positioning
import Store
import Sync
import Web

/// A path that is to be kept.
struct StagedTrack: Sendable {
  /// What it is called.
  let name: String
  /// When it began.
  let started: DeviceTime
  /// What the phone sent.
  let phone: PhoneTrack
  /// How many points it has.
  let count: Int
  /// From where it was carried over; nil for one that the phone has sent here.
  var carriedOver: CarriedOver?
  /// Who does that, for the log.
  var person: String?
}

extension PhoneScripts {
  /// A day's walk, second by second, twice percent-encoded.
  private static let pathBytesAtMost = 16 << 20
  static let pointsAtMost = 100_000
  private static let pathsAtMost = 1000
  /// What of a path's form is its own; whatever else was sent is kept, too.
  private static let ownFields: Set<String> = ["user_id", "points"]

  /// comm_path.
  func path(_ request: WebRequest, _ caller: PhoneCaller) async throws -> PHPJSON {
    let form = try await form(.path, request, limit: Self.pathBytesAtMost)
    // Who has no login waits for nobody; and whoever sends slowly keeps nobody waiting.
    guard !form["user_id"].isEmpty, !form["points"].isEmpty else { throw PhoneRefusal.missingData }
    let user = try await working { try self.user(form, caller) }
    // Read as a whole a path is a hundred times as large as its text: one at a time.
    return try await desk.turns.holding("path") {
      try await working { try path(form, of: user, caller) }
    }
  }

  private func path(
    _ form: PHPForm, of user: PhoneUser, _ caller: PhoneCaller
  ) throws -> PHPJSON {
    let text = form["points"]
    // Counted before it is read: each value takes many times its letters.
    guard text.utf8.count(where: { $0 == UInt8(ascii: ",") }) < Self.pointsAtMost * 10 else {
      throw PhoneRefusal.pointsUnreadable
    }
    guard let json = try? JSONValue(parsing: Array(text.utf8)), let points = json.elements,
      points.count <= Self.pointsAtMost
    else { throw PhoneRefusal.pointsUnreadable }
    guard !points.isEmpty else { throw PhoneRefusal.noPoints }
    guard points.allSatisfy({ PhonePath.coordinate($0) != nil }) else {
      throw PhoneRefusal.pathNowhere
    }
    let now = office.clock.deviceTime
    let times = caller.times
    // As the app names it; a time that cannot be read is that of the first point, or of its arrival.
    let started =
      times.instant(form["start"]) ?? points.first?["created"]?.text.flatMap(times.instant) ?? now
    var fields = form.others(than: Self.ownFields).mapValues { JSONValue.string($0) }
    // Times without a zone are read as they are read today, whatever the agency sets later.
    fields["_zone"] = .string(caller.service.zone)
    let content = Digest.hexadecimal(
      JSONValue.array([
        .string(form["name"]), .string(form["start"]), .string(form["end"]), json,
      ]).canonicalBytes)
    let name = form["name"].isEmpty ? "Untitled" : String(form["name"].prefix(200))
    let track = StagedTrack(
      name: name, started: started,
      phone: PhoneTrack(
        track: Identifier(at: now), inspector: user.login, number: 0, contentDigest: content,
        fields: String(decoding: JSONValue.object(fields).canonicalBytes, as: UTF8.self),
        points: text, received: now), count: points.count)
    let number = try office.database.write(in: caller.agency) { try keep(track, $0) }
    return Self.ok([("path_id", .number(number))])
  }

  /// Keeps a path with what came with it.
  /// - Returns: its number; that of the one that is here already where it was sent before.
  func keep(_ staged: StagedTrack, _ session: any AgencyTransaction) throws -> Int64 {
    let phone = staged.phone
    if let known = try session.phoneTrack(
      ofInspector: phone.inspector, contentDigest: phone.contentDigest)
    {
      return try session.makePhoneNumber(.track, of: known.description)
    }
    let bytes = phone.points.utf8.count
    try OfficeServer.requireQuota(for: bytes, try session.storage())
    try session.insert(
      track: phone.track, inspector: phone.inspector, task: nil, name: staged.name,
      started: staged.started, at: phone.received, deletedReason: nil)
    try session.insert(phone)
    try session.addStored(bytes: bytes)
    if let carriedOver = staged.carriedOver { try session.insert(carriedOver) }
    try session.log(
      office.log(
        staged.carriedOver == nil ? "phone-path" : "track-carried-over",
        on: phone.track.description, by: staged.person ?? phone.inspector, agency: session.agency,
        detail: staged.carriedOver?.reference ?? "\(staged.count) points"))
    return try session.makePhoneNumber(.track, of: phone.track.description)
  }

  /// comm_get_paths, into a file path by path: a season of an inspector's walks is larger than what all phones may take.
  func paths(_ form: PHPForm, _ caller: PhoneCaller) throws -> WebResponse {
    let user = try user(form, caller)
    let known = try office.database.read(in: caller.agency) {
      try $0.phoneTracks(ofInspector: user.login, limit: Self.pathsAtMost)
    }
    let file = TemporaryFile(ending: "json")
    guard FileManager.default.createFile(atPath: file.path, contents: nil),
      let handle = FileHandle(forWritingAtPath: file.path)
    else { throw StoreError.unwritable(path: file.path, reason: "it cannot be made") }
    defer { try? handle.close() }
    var isFirst = true
    func write(_ bytes: [UInt8]) throws { try handle.write(contentsOf: Data(bytes)) }
    try write(Array("{\"status\":\"ok\",\"error_msg\":null,\"paths\":[".utf8))
    for id in known {
      let found = try office.database.read(in: caller.agency) {
        session -> (PhonePath, ReceivedTrack)? in
        guard let phone = try session.phoneTrack(id) else { return nil }
        return (PhonePath(phone), try session.track(id))
      }
      guard let (phone, received) = found else { continue }
      try write((isFirst ? [] : [UInt8(ascii: ",")]) + path(phone, received, caller).bytes)
      isFirst = false
    }
    try write(Array("]}".utf8))
    try handle.close()
    return WebResponse.file(file, mediaType: Self.mediaType, fileName: "paths.json")
      .setting(header: "Cache-Control", to: "no-store")
  }

  private func path(
    _ path: PhonePath, _ received: ReceivedTrack, _ caller: PhoneCaller
  ) -> PHPJSON {
    let own = PHPTime(zone: path.text("_zone") ?? "UTC")
    func time(_ text: String?, _ otherwise: DeviceTime) -> PHPJSON {
      .text(caller.times.text(text.flatMap(own.instant) ?? otherwise))
    }
    let points = path.points.enumerated().map { index, point in
      PHPJSON.object([
        // The apps keep the number and never send it back.
        ("id", .text("\(path.phone.number &+ Int64(index) &+ 1)")),
        ("lat", Self.digits(PhoneFields.number(point["lat"]))),
        ("lng", Self.digits(PhoneFields.number(point["lng"]))),
        ("altitude", Self.digits(PhoneFields.number(point["altitude"]))),
        ("accuracy", Self.digits(PhoneFields.number(point["accuracy"]))),
        ("created", time(point["created"]?.text, received.started)),
      ])
    }
    return .object([
      ("id", .text("\(path.phone.number)")), ("name", .text(received.name)),
      ("start", time(path.text("start"), received.started)),
      ("end", time(path.text("end"), received.started)),
      (
        "area",
        Self.digits(path.text("area").flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil } ?? 0)
      ),
      ("device_manufacture", .optional(path.text("deviceManufacture"))),
      ("device_model", .optional(path.text("deviceModel"))),
      ("device_platform", .optional(path.text("devicePlatform"))),
      ("device_version", .optional(path.text("deviceVersion"))),
      ("points", .array(points)),
    ])
  }

  // MARK: comm_shapes

  /// So many parcels stand on a phone's map at once.
  private static let shapesAtMost = 500

  /// comm_shapes: it names no user; somebody of this network must have logged in.
  func shapes(_ form: PHPForm, _ caller: PhoneCaller) throws -> PHPJSON {
    guard try hasLogin(caller) else { throw PhoneRefusal.loginEnded }
    guard desk.takeRequest(of: "\(caller.network) shapes", caller.service, at: seconds) else {
      throw PhoneRefusal.tooOften
    }
    guard let north = Double(form["max_lat"]), let south = Double(form["min_lat"]),
      let east = Double(form["max_lng"]), let west = Double(form["min_lng"]),
      let box = CoordinateBox(
        westDegrees: west, southDegrees: south, eastDegrees: east, northDegrees: north)
    else { return Self.ok([("shapes", .array([]))]) }
    let parcels = try office.database.read(in: caller.agency) {
      try $0.parcels(in: box, limit: Self.shapesAtMost)
    }
    let shapes = parcels.flatMap { parcel in
      let land = parcel.declared.parcel
      // Land in several parts is several shapes: the apps draw one outline with holes.
      return land.parts.map { part in
        PHPJSON.object([
          ("identificator", .text(land.identifier)),
          ("wgs_geometry", .text(Self.geometry([part.outline] + part.holes))),
        ])
      }
    }
    return Self.ok([("shapes", .array(shapes))])
  }

  /// Rings of latitude and longitude, each closed, as JSON within the JSON.
  private static func geometry(_ rings: [[Coordinate]]) -> String {
    func digits(_ value: Double) -> String {
      let text = "\(value)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    let texts = rings.map { ring in
      let points = ring + ring.prefix(1)
      return "["
        + points.map { "[\(digits($0.latitudeDegrees)),\(digits($0.longitudeDegrees))]" }
        .joined(separator: ",") + "]"
    }
    return "[\(texts.joined(separator: ","))]"
  }
}
