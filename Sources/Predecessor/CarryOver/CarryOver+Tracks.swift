import Evidence
import Inspection
import Office
import Store
import Sync
import TimeAndText

extension CarryOver {
  /// The number of a track's points that are read at a time.
  private static let pointsAtOnce = 5000

  /// Carries paths over, each with its points.
  func carryTracks(_ stage: DumpStage) async throws {
    let all = try stage.count(of: OlderTable.track.rawValue)
    var done = 0
    try await forEach(.track, of: stage, .tracks) { row in
      try report(.tracks, done, all)
      try await carryTrack(row, stage)
      done += 1
    }
    if all > 0 { try report(.tracks, done, all) }
  }

  private func carryTrack(_ row: OlderRow, _ stage: DumpStage) async throws {
    let name = row.name("name", charactersAtMost: 200) ?? "Untitled"
    if row.flag("flg_deleted") {
      count(.tracks) { $0.deleted += 1 }
      return
    }
    guard let user = row.parent.flatMap({ users[$0] }) else {
      return try leave(
        .userUnknown, .tracks, row, name,
        why: "its user \(row.raw("user_id") ?? "") was not carried over")
    }
    let marks = ["start", "end"].compactMap(row.text)
    let known = try await office.database.read(in: user.agency) {
      try $0.phones.carriedOver(.track, number: row.number, source: options.source)
    }
    if let known {
      guard isSame(known, marks) else {
        return try leave(
          .numberTaken, .tracks, row, name,
          why: "another path \(row.number) was carried over from \(options.source) before")
      }
      // Each import repeats the remarks, because the report of the first one may be lost.
      try noteDamage(row, name)
      try noteStart(row, name)
      return count(.tracks) { $0.here += 1 }
    }
    guard let points = try points(of: row, name, stage) else { return }
    try noteDamage(row, name)
    try await keep(row, name, points, user, marks)
  }

  /// Returns a track's points as JSON, in the order of their numbers; nil if the track is left out.
  private func points(
    of row: OlderRow, _ name: String, _ stage: DumpStage
  ) throws -> [JSONValue]? {
    var points: [JSONValue] = []
    var nowhere = 0
    var last: Int64 = -1
    while true {
      let rows = try stage.rows(
        of: OlderTable.point.rawValue, belongingTo: row.number, after: last,
        limit: Self.pointsAtOnce)
      guard let end = rows.last?.number else { break }
      for staged in rows {
        let point = try OlderRow(staged)
        var members: [String: JSONValue] = [:]
        for column in ["lat", "lng", "altitude", "accuracy", "created"] {
          // Numbers and times are short; any longer text in their place is dropped.
          members[column] =
            point.raw(column).flatMap { $0.utf8.count <= 64 ? .string($0) : nil } ?? .null
        }
        if point.time("created", utc) == nil { members["created"] = .null }
        if PhonePath.coordinate(.object(members)) == nil { nowhere += 1 }
        points.append(.object(members))
      }
      guard points.count <= PhoneScripts.pointsAtMost else {
        try leave(
          .trackTooLong, .tracks, row, name,
          why: "it has more than \(PhoneScripts.pointsAtMost) points")
        return nil
      }
      last = end
    }
    guard points.count > nowhere else {
      try leave(
        .trackEmpty, .tracks, row, name,
        why: points.isEmpty ? "it has no points" : "none of its points is a place on the Earth")
      return nil
    }
    if nowhere > 0 {
      try note(
        .pointsLeftOut, row, name,
        why:
          "\(nowhere) of its \(points.count) points are no place on the Earth: the track has the others"
      )
    }
    return points
  }

  private func noteStart(_ row: OlderRow, _ name: String) throws {
    guard row.time("start", utc) == nil else { return }
    try note(
      .timeUnreadable, row, name,
      why: "start is \(row.text("start") ?? "missing"): it has the time of its first point")
  }

  private func keep(
    _ row: OlderRow, _ name: String, _ points: [JSONValue], _ user: CarriedUser, _ marks: [String]
  ) async throws {
    // The fields are as a phone sends them; the older office kept times in UTC.
    var fields: [String: JSONValue] = ["_zone": .string("UTC")]
    for (column, field) in [
      ("name", "name"), ("start", "start"), ("end", "end"), ("area", "area"),
      ("device_manufacture", "deviceManufacture"), ("device_model", "deviceModel"),
      ("device_platform", "devicePlatform"), ("device_version", "deviceVersion"),
    ] {
      fields[field] = row.raw(column).map { .string($0) }
    }
    let started =
      row.time("start", utc) ?? points.first?["created"]?.text.flatMap(utc.instant)
      ?? row.time("timestamp", utc) ?? now
    try noteStart(row, name)
    let list = JSONValue.array(points)
    let content = Digest.hexadecimal(
      JSONValue.array([
        .string("\(options.source)-\(row.number)"), .object(fields), list,
      ]).canonicalBytes)
    let id = Identifier(at: started)
    let text = String(decoding: list.canonicalBytes, as: UTF8.self)
    let track = StagedTrack(
      name: name, started: started,
      phone: PhoneTrack(
        track: id, inspector: user.login, number: 0, contentDigest: content,
        fields: String(decoding: JSONValue.object(fields).canonicalBytes, as: UTF8.self),
        points: text, received: row.time("timestamp", utc) ?? now), count: points.count,
      carriedOver: CarriedOver(
        agency: user.agency, inspector: user.login, source: options.source, kind: .track,
        number: row.number, subject: id.description, marks: marks,
        facts: Self.facts(row, ["timestamp"]), time: now), person: person)
    count(.tracks) { $0.carried += 1 }
    guard !options.isCheck else { return }
    try await office.room.requireRoom(for: text.utf8.count, in: user.agency)
    _ = try await office.database.write(in: user.agency) { try scripts.keep(track, $0) }
  }
}
