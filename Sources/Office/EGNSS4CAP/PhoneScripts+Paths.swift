import Evidence
import Geodesy
import Inspection
import Positioning
import Store
import Sync
import Web

extension PhoneScripts {
  /// A day's walk, second by second, twice percent-encoded.
  private static let pathBytesAtMost = 16 << 20
  private static let pointsAtMost = 100_000
  private static let pathsAtMost = 1000
  /// What of a path's form is its own; whatever else was sent is kept, too.
  private static let ownFields: Set<String> = ["user_id", "points"]

  /// comm_path.
  func path(_ request: WebRequest, _ caller: PhoneCaller) async throws -> PHPJSON {
    let form = try await form(.path, request, limit: Self.pathBytesAtMost)
    return try await working { try path(form, caller) }
  }

  private func path(_ form: PHPForm, _ caller: PhoneCaller) throws -> PHPJSON {
    guard !form["user_id"].isEmpty, !form["points"].isEmpty else { throw PhoneRefusal.missingData }
    let user = try user(form, caller)
    let text = form["points"]
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
    let number = try office.database.write(in: caller.agency) { session in
      if let known = try session.phoneTrack(ofInspector: user.login, contentDigest: content) {
        return try session.makePhoneNumber(.track, of: known.description)
      }
      try OfficeServer.requireQuota(for: text.utf8.count, try session.storage())
      let id = Identifier(at: now)
      try session.insert(
        track: id, inspector: user.login, task: nil, name: name, started: started, at: now,
        deletedReason: nil)
      try session.insert(
        PhoneTrack(
          track: id, inspector: user.login, number: 0, contentDigest: content,
          fields: String(decoding: JSONValue.object(fields).canonicalBytes, as: UTF8.self),
          points: text, received: now))
      try session.addStored(bytes: text.utf8.count)
      try session.log(
        office.log(
          "phone-path", on: id.description, by: user.login, agency: caller.agency,
          detail: "\(points.count) points"))
      return try session.makePhoneNumber(.track, of: id.description)
    }
    return Self.ok([("path_id", .number(number))])
  }

  /// comm_get_paths.
  func paths(_ form: PHPForm, _ caller: PhoneCaller) throws -> PHPJSON {
    let user = try user(form, caller)
    let paths = try office.database.read(in: caller.agency) { session in
      try session.phoneTracks(ofInspector: user.login, limit: Self.pathsAtMost).compactMap {
        id -> (PhonePath, ReceivedTrack)? in
        guard let phone = try session.phoneTrack(id) else { return nil }
        return (PhonePath(phone), try session.track(id))
      }
    }
    return Self.ok([("paths", .array(paths.map { path($0, $1, caller) }))])
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
      ("area", Self.digits(path.text("area").flatMap(Double.init) ?? 0)),
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
    let since = office.clock.deviceTime.advanced(bySeconds: -caller.service.loginSeconds)
    guard
      try office.database.read(
        in: caller.agency, { try $0.hasPhoneLogin(network: caller.network, since: since) })
    else { throw PhoneRefusal.loginEnded }
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
