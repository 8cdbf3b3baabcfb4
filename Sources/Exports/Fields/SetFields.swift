import Geodesy
import Inspection
import TimeAndText

/// A set of pictures in an export.
public struct ExportedSet: Hashable, Sendable {
  /// The set with its frames.
  public var set: FrameSet
  /// The task that it belongs to; nil if it has none or is exported without it.
  public var task: InspectionTask?
  /// The SHA-256 of its sealed record.
  public var record: String

  /// Creates an exported set.
  public init(set: FrameSet, task: InspectionTask? = nil, record: String) {
    (self.set, self.task, self.record) = (set, task, record)
  }

  /// Calls `body` with each frame.
  func forEachFrame(_ body: (ExportedFrame) throws -> Void) rethrows {
    for (index, frame) in set.frames.enumerated() {
      try body(ExportedFrame(set: set.id, number: index + 1, frame: frame))
    }
  }
}

/// A frame of a set in an export.
public struct ExportedFrame: Hashable, Sendable {
  /// The set.
  public var set: Identifier
  /// The frame's number in the order of its set, from 1.
  public var number: Int
  /// The frame.
  public var frame: SetFrame
}

/// A set with its judgement, which its fields ask for again and again.
public struct JudgedSet: Sendable {
  /// The set.
  public let exported: ExportedSet
  /// Its judgement.
  public let summary: FrameSetSummary

  /// Judges a set.
  public init(_ exported: ExportedSet) {
    self.exported = exported
    summary = exported.set.summary
  }
}

/// The fields of a set of pictures.
public enum SetFields {
  private typealias Field = ExportField<JudgedSet>

  /// The table of a set's fields.
  public static let table = FieldTable<JudgedSet>(
    name: "sets", rowName: "set", title: "Sets of pictures",
    fields: [
      Field("set", .text, "The set's identifier, and that of its record.") {
        .words($0.exported.set.id)
      },
      Field("task", .text, "Identifier of its task.", nil: "it has none") {
        .words($0.exported.set.task)
      },
      Field(
        "taskName", .text, "What that is called.", nil: "it has none, or is exported without it"
      ) {
        .words($0.exported.task?.name)
      },
      Field("agency", .text, "The agency.") { .text($0.exported.set.agency) },
      Field("inspector", .text, "Login of who took it.") { .text($0.exported.set.inspector) },
      Field("kind", .text, "`around`: a walk round a thing; `turn`: a turn on the spot.") {
        .text($0.exported.set.terms.kind.rawValue)
      },
      Field("simulated", .flag, "Whether a simulator or a replay stood in for the receiver.") {
        .flag($0.exported.set.isSimulated)
      },
      Field("started", .time, "The device's time at the standpoint at which it began.") {
        .moment($0.exported.set.start.deviceTime)
      },
      Field("ended", .time, "The same at its end.") { .moment($0.exported.set.end.deviceTime) },
      Field("sectors", .integer, "Sectors of its circle.") { .integer($0.summary.sectors) },
      Field("filled", .integer, "Those of them that hold a picture.") {
        .integer($0.summary.filled)
      },
      Field("complete", .flag, "Whether enough sectors hold one.") {
        .flag($0.summary.isComplete)
      },
      Field("latitudeDegrees", .decimal, "°", "Latitude (WGS 84) of its first standpoint.") {
        .degrees($0.exported.set.start.position.coordinate.latitudeDegrees)
      },
      Field("longitudeDegrees", .decimal, "°", "Longitude of that place.") {
        .degrees($0.exported.set.start.position.coordinate.longitudeDegrees)
      },
      Field("uncertaintyMetres95", .decimal, "m", "95 % radius of that place.", nil: "not known") {
        .metres($0.exported.set.start.position.uncertaintyMetres95)
      },
      Field(
        "closingMetres", .decimal, "m", "From its last standpoint to its first one.",
        nil: "nobody walked"
      ) { .metres($0.summary.walked?.closingMetres) },
      Field(
        "coveredDegrees", .decimal, "°",
        "What the way covers, seen from its middle; above 0 clockwise.",
        nil: "nobody walked, or too small to tell"
      ) { .angle($0.summary.walked?.coveredDegrees) },
      Field("record", .text, "SHA-256 of its sealed record.") { .text($0.exported.record) },
    ])
}

/// The fields of a frame, which only a GeoPackage and a CSV have.
public enum FrameFields {
  private typealias Field = ExportField<ExportedFrame>

  /// The table of a frame's fields.
  public static let table = FieldTable<ExportedFrame>(
    name: "frames", rowName: "frame", title: "Pictures of sets",
    fields: [
      Field("set", .text, "Identifier of its set.") { .words($0.set) },
      Field("number", .integer, "Its number in the order of the set, from 1.") {
        .integer($0.number)
      },
      Field("angleDegrees", .decimal, "°", "Since the first picture, clockwise from above.") {
        .angle($0.frame.attitude.angleDegrees)
      },
      Field("deviationPitchDegrees", .decimal, "°", "Lens higher than in the first picture.") {
        .angle($0.frame.attitude.deviationPitchDegrees)
      },
      Field("deviationRollDegrees", .decimal, "°", "Camera turned anti-clockwise since then.") {
        .angle($0.frame.attitude.deviationRollDegrees)
      },
      Field("quality", .decimal, "By which it was kept, 0 to 1.") {
        .decimal($0.frame.quality, places: 3)
      },
      Field("seconds", .decimal, "s", "Since the start of the set.") {
        .decimal($0.frame.seconds, places: 3)
      },
      Field("moving", .flag, "Whether the inspector may have been walking.") {
        .flag($0.frame.isMoving)
      },
      Field(
        "latitudeDegrees", .decimal, "°", "Latitude (WGS 84) of the receiver's last fix.",
        nil: "no fix"
      ) { .degrees($0.frame.place?.coordinate.latitudeDegrees) },
      Field("longitudeDegrees", .decimal, "°", "Longitude of that place.", nil: "no fix") {
        .degrees($0.frame.place?.coordinate.longitudeDegrees)
      },
      Field(
        "uncertaintyMetres95", .decimal, "m", "95 % radius of that place.", nil: "not known"
      ) { .metres($0.frame.place?.uncertaintyMetres95) },
      Field("sha256", .text, "SHA-256 of its file.") { .text($0.frame.digest) },
    ])
}
