import Evidence
import Geodesy
import Inspection
import Office
import Store
import Sync
import TimeAndText
import Web

/// A path that is to be kept.
struct StagedTrack: Sendable {
  /// The path's name.
  let name: String
  /// The time at which it began.
  let started: DeviceTime
  /// The fields and points that the phone sent.
  let phone: PhoneTrack
  /// The number of its points.
  let count: Int
  /// The older office that the path was carried over from; nil if the phone sent it here.
  var carriedOver: CarriedOver?
  /// The login of the person who carries the path over, for the log; nil if a phone sent it.
  var person: String?
}

extension PhoneScripts {
  /// The most bytes of a form with a path: a day's walk, second by second, twice percent-encoded.
  private static let pathBytesAtMost = 16 << 20
  static let pointsAtMost = 100_000
  private static let pointBytesAtMost = 4 << 10
  private static let pathsAtMost = 1000
  /// The fields of a path's form that have a place of their own; all others are kept, too.
  private static let ownFields: Set<String> = ["user_id", "points"]

  // MARK: comm_path

  /// Answers comm_path. The points are read when all of them are here and their sender is known,
  /// one path at a time: a slow phone keeps no other phone waiting.
  func path(_ request: WebRequest, _ caller: PhoneCaller) async throws -> PHPJSON {
    let (body, user) = try await receivePath(request, caller)
    let query = request.query
    return try await desk.turns.holding("path") {
      try await working {
        var bytes = try body.bytes()
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        return try await path(PHPForm(bytes).filled(with: query), of: user, caller)
      }
    }
  }

  private func receivePath(
    _ request: WebRequest, _ caller: PhoneCaller
  ) async throws -> (body: BodySpool, user: PhoneUser) {
    let name = Identifier(at: office.clock.deviceTime)
    var body = BodySpool(file: SpoolFile(path: "\(desk.folder)/\(name)"))
    var user: PhoneUser?
    var isLarge = false
    try await request.streamBytes(
      limit: Self.pathBytesAtMost,
      goOn: {
        // The iOS app names its user first, Android anywhere in the form.
        if isLarge { user = try await self.user(inPart: body.head, .isCutBehind, caller) }
      }
    ) { piece in
      isLarge = body.isFull(before: piece.count)
      if isLarge { try office.core.requireDisk() }
      try body.append(piece)
    }
    if user == nil {
      user = try await self.user(
        inPart: try body.end(), body.isOnDisk ? .isCutBefore : .isWhole, caller)
    }
    if user == nil, let text = request.query["user_id"], !text.isEmpty {
      user = try await self.user(PHPForm(["user_id": text], isRaw: false), caller)
    }
    guard let user else { throw PhoneRefusal.missingData }
    return (body, user)
  }

  private enum Cut { case isWhole, isCutBefore, isCutBehind }

  /// Returns the user whom a part of a form names; nil if none of the whole fields in it names one.
  private func user(
    inPart bytes: [UInt8], _ cut: Cut, _ caller: PhoneCaller
  ) async throws -> PhoneUser? {
    let and = UInt8(ascii: "&")
    let part =
      switch cut {
      case .isWhole: bytes[...]
      case .isCutBefore: bytes.firstIndex(of: and).map { bytes[$0...] } ?? []
      case .isCutBehind: bytes.lastIndex(of: and).map { bytes[..<$0] } ?? []
      }
    let form = PHPForm(Array(part))
    return await form["user_id"].isEmpty ? nil : try user(form, caller)
  }

  private func path(
    _ form: PHPForm, of user: PhoneUser, _ caller: PhoneCaller
  ) async throws -> PHPJSON {
    let text = form["points"]
    // If a form names two users, the last one counts, but the first one was checked.
    guard form["user_id"] == user.number, !text.isEmpty else { throw PhoneRefusal.missingData }
    let (count, content, first) = try read(text, of: form)
    let now = office.clock.deviceTime
    let times = caller.times
    // A start that cannot be read is replaced by the time of the first point, or else by that of
    // the arrival.
    let started =
      times.instant(form["start"]) ?? first["created"]?.text.flatMap(times.instant) ?? now
    var fields = form.others(than: Self.ownFields).mapValues { JSONValue.string($0) }
    // Times without a zone are always read in the zone that holds today, whatever the agency sets
    // later.
    fields["_zone"] = .string(caller.service.zone)
    let name = form["name"].isEmpty ? "Untitled" : String(form["name"].prefix(200))
    let track = StagedTrack(
      name: name, started: started,
      phone: PhoneTrack(
        track: Identifier(at: now), inspector: user.login, number: 0, contentDigest: content,
        fields: String(decoding: JSONValue.object(fields).canonicalBytes, as: UTF8.self),
        points: text, received: now), count: count)
    let number = try await office.database.write(in: caller.agency) { try keep(track, $0) }
    return Self.ok([("path_id", .number(number))])
  }

  /// Keeps a path with its fields and points.
  /// - Returns: its number, or the number of the same path if that was sent before.
  func keep(_ staged: StagedTrack, _ session: any AgencyTransaction) throws -> Int64 {
    let phone = staged.phone
    if let known = try session.phones.phoneTrack(
      ofInspector: phone.inspector, contentDigest: phone.contentDigest)
    {
      return try session.phones.makePhoneNumber(.track, of: known.description)
    }
    let bytes = phone.points.utf8.count
    try Room.requireQuota(for: bytes, try session.deliveries.storage())
    try session.tracks.insert(
      track: phone.track, inspector: phone.inspector, task: nil, lateTask: nil, name: staged.name,
      started: staged.started, at: phone.received, deletedReason: nil, measures: nil)
    try session.phones.insert(phone)
    try session.deliveries.addStored(bytes: bytes)
    if let carriedOver = staged.carriedOver { try session.phones.insert(carriedOver) }
    try session.log.add(
      office.log(
        staged.carriedOver == nil ? "phone-path" : "track-carried-over",
        on: phone.track.description, by: staged.person ?? phone.inspector, agency: session.agency,
        detail: staged.carriedOver?.reference ?? "\(staged.count) points"))
    return try session.phones.makePhoneNumber(.track, of: phone.track.description)
  }

  /// Reads the points, each on its own.
  /// - Returns: the number of points, the digest of everything that makes it this path, and the
  ///   first point.
  private func read(
    _ points: String, of form: PHPForm
  ) throws -> (count: Int, content: String, first: JSONValue) {
    // The digest is that of the canonical array of name, start, end and points, which is never in
    // memory as a whole.
    var digest = RunningDigest()
    let names = JSONValue.array([
      .string(form["name"]), .string(form["start"]), .string(form["end"]),
    ])
    digest.update(names.canonicalBytes.dropLast() + Array(",[".utf8))
    var (count, isSomewhere, first) = (0, true, JSONValue.null)
    do {
      try PathPoints.forEach(in: points, bytesAtMost: Self.pointBytesAtMost) { point in
        count += 1
        guard count <= Self.pointsAtMost else { throw PhoneRefusal.pointsUnreadable }
        if count == 1 { first = point } else { digest.update([UInt8(ascii: ",")]) }
        if PhonePath.coordinate(point) == nil { isSomewhere = false }
        digest.update(point.canonicalBytes)
      }
    } catch {
      throw PhoneRefusal.pointsUnreadable
    }
    guard count > 0 else { throw PhoneRefusal.noPoints }
    guard isSomewhere else { throw PhoneRefusal.pathNowhere }
    digest.update(Array("]]".utf8))
    return (count, digest.hexadecimal(), first)
  }

  // MARK: comm_get_paths

  /// Answers comm_get_paths. An inspector's lists are made one after the other, so that other
  /// inspectors do not wait for a large one.
  func paths(_ form: PHPForm, _ caller: PhoneCaller) async throws -> WebResponse {
    let user = try await user(form, caller)
    return try await desk.turns.holding("paths \(caller.agency) \(user.login)") {
      try await working { try await paths(of: user.login, caller) }
    }
  }

  private func paths(of login: String, _ caller: PhoneCaller) async throws -> WebResponse {
    var answer = PhoneAnswerFile(desk)
    try answer.write("{\"status\":\"ok\",\"error_msg\":null,\"paths\":[")
    for (index, id) in try await tellable(of: login, caller).enumerated() {
      let known = try await office.database.read(in: caller.agency) { session in
        try session.phones.phoneTrack(id).map { ($0, try session.tracks.track(id)) }
      }
      guard let (phone, received) = known else { throw StoreError.damagedRow("a phone's path") }
      if index > 0 { try answer.write(",") }
      try write(PhonePath(phone), received, caller, to: &answer)
    }
    try answer.write("]}")
    return try answer.response(named: "paths")
  }

  /// Returns the newest paths that together are not too large, at least one, in the order in which
  /// they came. Each MiB of points counts as a further request, because the answer lies on disk
  /// until the phone has it.
  private func tellable(of login: String, _ caller: PhoneCaller) async throws -> [Identifier] {
    let ids = try await office.database.read(in: caller.agency) {
      try $0.phones.phoneTracks(ofInspector: login, limit: Self.pathsAtMost)
    }
    var (told, bytes) = (0, 0)
    for id in ids.reversed() {
      bytes += try await office.database.read(in: caller.agency) {
        try $0.phones.phoneTrack(id)?.points.utf8.count ?? 0
      }
      guard told == 0 || bytes <= service.maximumPathsBytes else { break }
      told += 1
    }
    takeRequests(bytes >> 20, of: login, caller)
    return Array(ids.suffix(told))
  }

  private func write(
    _ path: PhonePath, _ received: ReceivedTrack, _ caller: PhoneCaller,
    to answer: inout PhoneAnswerFile
  ) throws {
    let own = PHPTime(zone: path.text("_zone") ?? "UTC")
    func time(_ text: String?, _ otherwise: DeviceTime) -> PHPJSON {
      .text(caller.times.text(text.flatMap(own.instant) ?? otherwise))
    }
    let area = path.text("area").flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    let members = PHPJSON.object([
      ("id", .text("\(path.phone.number)")), ("name", .text(received.name)),
      ("start", time(path.text("start"), received.started)),
      ("end", time(path.text("end"), received.started)),
      // The app reads a number here, and cannot read a null.
      ("area", Self.digits(area ?? 0)),
      ("device_manufacture", .optional(path.text("deviceManufacture"))),
      ("device_model", .optional(path.text("deviceModel"))),
      ("device_platform", .optional(path.text("devicePlatform"))),
      ("device_version", .optional(path.text("deviceVersion"))),
    ])
    try answer.write(members.bytes.dropLast())
    try answer.write(",\"points\":[")
    var count: Int64 = 0
    try path.forEachPoint { point in
      if count > 0 { try answer.write(",") }
      count += 1
      try answer.write(
        PHPJSON.object([
          // The apps keep this number and never send it back.
          ("id", .text("\(path.phone.number &+ count)")),
          ("lat", Self.digits(PhoneFields.number(point["lat"]))),
          ("lng", Self.digits(PhoneFields.number(point["lng"]))),
          ("altitude", Self.digits(PhoneFields.number(point["altitude"]))),
          ("accuracy", Self.digits(PhoneFields.number(point["accuracy"]))),
          ("created", time(point["created"]?.text, received.started)),
        ]).bytes)
    }
    try answer.write("]}")
  }

  // MARK: comm_shapes

  /// The most parcels on a phone's map at once.
  private static let shapesAtMost = 500

  /// Answers comm_shapes. The call names no user, so any inspector must have logged in from this
  /// network.
  func shapes(_ form: PHPForm, _ caller: PhoneCaller) async throws -> PHPJSON {
    guard try await hasLogin(caller) else { throw PhoneRefusal.loginEnded }
    guard desk.takeRequest(of: "\(caller.network) shapes", caller.service, at: seconds) else {
      throw PhoneRefusal.tooOften
    }
    guard let north = Double(form["max_lat"]), let south = Double(form["min_lat"]),
      let east = Double(form["max_lng"]), let west = Double(form["min_lng"]),
      let box = CoordinateBox(
        westDegrees: west, southDegrees: south, eastDegrees: east, northDegrees: north)
    else { return Self.ok([("shapes", .array([]))]) }
    let parcels = try await office.database.read(in: caller.agency) {
      try $0.parcels.list(in: box, limit: Self.shapesAtMost)
    }
    let shapes = parcels.flatMap { parcel in
      let land = parcel.declared.parcel
      // Land in several parts becomes several shapes, because the apps draw one outline with holes.
      return land.parts.map { part in
        PHPJSON.object([
          ("identificator", .text(land.identifier)),
          ("wgs_geometry", .text(Self.geometry([part.outline] + part.holes))),
        ])
      }
    }
    return Self.ok([("shapes", .array(shapes))])
  }

  /// Returns rings of latitude and longitude, each closed, as the JSON text that the answer's JSON
  /// holds.
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
