import Geodesy
import Inspection
import Positioning
import TimeAndText

extension Record {
  /// Returns the record of a finished track. The track's points are in a file of their own.
  public static func track(_ track: Track, in context: RecordContext) -> JSONValue {
    let measures = track.measures
    var members = context.members(id: track.id, kind: .track)
    members += [
      ("task", track.task.map { .object(["id": .string($0.description)]) }),
      (
        "track",
        .object(known: [
          ("name", .string(track.name)), ("points", .integer(measures.points)),
          ("lengthMetres", .metres(measures.lengthMetres)),
          ("areaSquareMetres", measures.areaSquareMetres.flatMap(JSONValue.metres)),
          (
            "areaUncertaintySquareMetres95",
            measures.areaUncertaintySquareMetres95.flatMap(JSONValue.metres)
          ),
          ("firstTime", (track.points.first?.time).map { .string($0.rfc3339 ?? $0.timeOfDay) }),
          ("lastTime", (track.points.last?.time).map { .string($0.rfc3339 ?? $0.timeOfDay) }),
        ])
      ),
      (
        "time",
        .object(known: [
          ("started", .string(track.started.rfc3339)),
          ("device", track.ended.map { .string($0.rfc3339) }),
        ])
      ),
    ]
    return .object(known: members)
  }

  /// Returns the points of a track as its file holds them: one canonical JSON object.
  public static func trackFile(_ track: Track) -> [UInt8] {
    JSONValue.object([
      "schema": .string("standpoint.track/1"), "id": .string(track.id.description),
      "points": .array(track.points.map(point)),
    ]).canonicalBytes
  }

  private static func point(_ point: TrackPoint) -> JSONValue {
    .object(known: [
      ("kind", .string(point.kind.rawValue)),
      ("time", .string(point.time.rfc3339 ?? point.time.timeOfDay)),
      ("latitudeDegrees", .degrees(point.coordinate.latitudeDegrees)),
      ("longitudeDegrees", .degrees(point.coordinate.longitudeDegrees)),
      ("ellipsoidalHeightMetres", point.ellipsoidalHeightMetres.flatMap(JSONValue.metres)),
      ("meanSeaLevelHeightMetres", point.meanSeaLevelHeightMetres.flatMap(JSONValue.metres)),
      ("uncertaintyMetres95", point.horizontalUncertaintyMetres95.flatMap(JSONValue.metres)),
      ("gapBefore", point.gapBefore.map { .string($0.rawValue) }),
      ("satellitesUsed", point.satellitesUsed.map { .integer($0) }),
      ("horizontalDilution", point.horizontalDilution.flatMap(JSONValue.ratio)),
    ])
  }

  /// Returns the record of a note on a task or a photo.
  /// - Parameter point: the photo point of the task about which the note says why it was not
  ///   photographed again; nil for any other note.
  public static func note(
    id: Identifier, task: Identifier?, photo: Identifier?, point: Identifier? = nil, text: String,
    at time: DeviceTime, in context: RecordContext
  ) -> JSONValue {
    var members = context.members(id: id, kind: .note)
    members += [
      ("task", task.map { .object(["id": .string($0.description)]) }),
      (
        "note",
        .object(known: [
          ("photo", photo.map { .string($0.description) }),
          ("point", point.map { .string($0.description) }), ("text", .string(text)),
        ])
      ),
      ("time", .object(["device": .string(time.rfc3339)])),
    ]
    return .object(known: members)
  }

  /// Returns the record of a task's transition.
  public static func transition(
    _ transition: TaskTransition, task: InspectionTask, in context: RecordContext
  ) -> JSONValue {
    var members = context.members(id: transition.id, kind: .transition)
    members += [
      (
        "task",
        .object(known: [
          ("id", .string(task.id.description)), ("revision", .integer(task.revision)),
          ("parcel", task.parcel.map { .string(parcelDigest($0)) }),
        ])
      ),
      (
        "transition",
        .object(known: [
          ("action", .string(transition.action.rawValue)),
          ("from", .string(transition.from.rawValue)), ("to", .string(transition.to.rawValue)),
          ("reason", transition.reason.map { .string($0) }),
        ])
      ),
      ("time", .object(["device": .string(transition.time.rfc3339)])),
    ]
    return .object(known: members)
  }

  /// Returns the record of a deletion: it names the record whose bytes were removed before they were sent.
  public static func deletion(
    id: Identifier, of subject: Identifier, recordDigest: String, reason: String,
    at time: DeviceTime, in context: RecordContext
  ) -> JSONValue {
    var members = context.members(id: id, kind: .deletion)
    members += [
      (
        "deletion",
        .object([
          "id": .string(subject.description), "record": .string(recordDigest),
          "reason": .string(reason),
        ])
      ),
      ("time", .object(["device": .string(time.rfc3339)])),
    ]
    return .object(known: members)
  }
}
