import Inspection
import Positioning
import TimeAndText

/// One of the two standpoints of a set, as its record tells it.
public struct SealedStand: Hashable, Sendable {
  /// The part of the record.
  public let json: JSONValue
  /// The standpoint.
  public let stand: SetStand

  /// Creates a standpoint from what the receiver said there; nil for the position of a single fix,
  /// with which no set begins or ends.
  /// - Parameters:
  ///   - source: the receiver's source, as `--gnss` names it: a walk may end with another receiver
  ///     than it began with.
  ///   - rawDigest: the SHA-256 of the raw window that proves it.
  public init?(_ claims: StandClaims, source: String, rawDigest: String) {
    guard let standpoint = claims.standpoint else { return nil }
    json = .object([
      "position": Record.position(claims), "gate": Record.gate(claims),
      "time": Record.time(claims), "integrity": Record.integrity(claims),
      "raw": .string(rawDigest), "source": .string(source),
    ])
    stand = SetStand(
      position: claims.position, standpoint: standpoint, gnssTime: claims.gnssTime,
      deviceTime: claims.deviceTime)
  }

  /// Reads a standpoint.
  /// - Parameter name: the member's name, for messages.
  /// - Throws: `EvidenceError.malformedSeal` if a member is missing or not what it must be.
  public init(json: JSONValue?, name: String) throws(EvidenceError) {
    self.json = try required(json, name)
    stand = SetStand(
      position: try SealFile.position(json?["position"], "\(name).position"),
      standpoint: try SealFile.standpoint(
        try required(json?["position"]?["standpoint"], "\(name).position.standpoint")),
      gnssTime: try required(RawWindow.time(json?["time"]?["gnss"]), "\(name).time.gnss"),
      deviceTime: try required(
        json?["time"]?["device"]?.text.flatMap(DeviceTime.init(rfc3339:)),
        "\(name).time.device"))
  }
}

/// All claims of a set.
public struct FrameSetClaims: Sendable {
  /// The set with its frames in the order of their files.
  public var set: FrameSet
  /// The standpoint at which it began.
  public var start: SealedStand
  /// The standpoint at which it ended.
  public var end: SealedStand
  /// The geometry of the camera.
  public var camera: CameraGeometry
  /// The task's revision and its parcel's digest; nil if the set belongs to no task.
  public var task: TaskReference?
  /// The agency's policy in force; nil if the agency has none.
  public var policy: SignedPolicy?

  /// Creates the claims.
  public init(
    set: FrameSet, start: SealedStand, end: SealedStand, camera: CameraGeometry,
    task: TaskReference?,
    policy: SignedPolicy?
  ) {
    self.set = set
    self.start = start
    self.end = end
    self.camera = camera
    self.task = task
    self.policy = policy
  }
}

extension Record {
  /// Returns the record of a set. It names both standpoints and the digest of every frame, in the
  /// order of the files; what is known of each frame is in the list (`FrameList`).
  public static func frameSet(_ claims: FrameSetClaims, in context: RecordContext) -> JSONValue {
    let set = claims.set
    var members = context.members(id: set.id, kind: RecordKind(set.terms.kind))
    members += [
      ("task", task(set.task, claims.task)), ("set", terms(set)),
      ("frames", .array(set.frames.map { .string($0.digest) })),
      ("start", claims.start.json), ("end", claims.end.json),
      ("camera", camera(claims.camera)),
      (
        "time",
        .object([
          "started": .string(set.start.deviceTime.rfc3339),
          "device": .string(set.end.deviceTime.rfc3339),
        ])
      ),
      ("policy", claims.policy.map(policy)),
    ]
    return .object(known: members)
  }

  private static func terms(_ set: FrameSet) -> JSONValue {
    let summary = set.summary
    let weights = set.terms.weights
    return .object(known: [
      ("sectors", .integer(set.ring.count)),
      ("firstMiddleDegrees", .fixed(set.ring.firstMiddleDegrees, places: 3)),
      ("completeShare", .ratio(set.terms.completeShare)),
      (
        "weights",
        .object(known: [
          ("roll", .ratio(weights.roll)), ("pitch", .ratio(weights.pitch)),
          ("acceleration", .ratio(weights.acceleration)), ("angle", .ratio(weights.angle)),
        ])
      ),
      ("filled", .integer(summary.filled)), ("complete", .bool(summary.isComplete)),
      (
        "missingDegrees", .array(summary.missingDegrees.compactMap { .fixed($0, places: 3) })
      ),
      ("walked", summary.walked.map(walked)),
    ])
  }

  private static func walked(_ walked: WalkedRound) -> JSONValue {
    .object(known: [
      ("coveredDegrees", walked.coveredDegrees.flatMap(JSONValue.angle)),
      ("closingMetres", .metres(walked.closingMetres)),
      ("closingToleranceMetres", walked.closingToleranceMetres.flatMap(JSONValue.metres)),
      ("round", walked.isRound.map { .bool($0) }), ("closed", walked.isClosed.map { .bool($0) }),
    ])
  }
}

extension SealFile {
  /// Returns the set that a record claims, without its frames: those are in the list.
  /// - Throws: `EvidenceError.malformedSeal` if a member is missing or not what it must be.
  public func frameSetHead() throws(EvidenceError) -> FrameSet {
    let person = try person()
    let claimed = record["set"]
    guard let kind = seal.link.kind.frameSet else {
      throw .malformedSeal("the record is not one of a set")
    }
    func weight(_ name: String) throws(EvidenceError) -> Double {
      try required(claimed?["weights"]?[name]?.measured, "set.weights.\(name)")
    }
    let sectors = try required(claimed?["sectors"]?.wholeNumber, "set.sectors")
    let share = try required(claimed?["completeShare"]?.measured, "set.completeShare")
    let (roll, pitch) = (try weight("roll"), try weight("pitch"))
    let (acceleration, angle) = (try weight("acceleration"), try weight("angle"))
    let terms: FrameSetTerms
    do throws(InspectionError) {
      terms = try FrameSetTerms(
        kind: kind, sectors: sectors, completeShare: share,
        weights: try FrameQuality.Weights(
          checking: roll, pitch: pitch, acceleration: acceleration, angle: angle))
    } catch {
      throw .malformedSeal("the record's member set is not valid: \(error.wording)")
    }
    return FrameSet(
      id: seal.link.id, agency: person.agency, inspector: person.login, task: task, terms: terms,
      ring: SectorRing(
        count: sectors,
        firstMiddleDegrees: try required(
          claimed?["firstMiddleDegrees"]?.measured, "set.firstMiddleDegrees")),
      start: try SealedStand(json: record["start"], name: "start").stand,
      end: try SealedStand(json: record["end"], name: "end").stand,
      frames: [], isSimulated: isSimulated)
  }

  /// Returns the set that a record claims, as lists show it.
  /// - Throws: `EvidenceError.malformedSeal` if a member is missing or not what it must be.
  public func listedSet() throws(EvidenceError) -> FrameSetHead {
    let set = try frameSetHead()
    let filled = try required(record["set"]?["filled"]?.wholeNumber, "set.filled")
    guard (0...set.ring.count).contains(filled) else {
      throw .malformedSeal("the record's member set.filled is missing or not valid")
    }
    return FrameSetHead(
      id: set.id, task: set.task, kind: set.terms.kind, started: set.start.deviceTime,
      ended: set.end.deviceTime, place: set.start.position.coordinate, sectors: set.ring.count,
      filled: filled,
      isComplete: try required(record["set"]?["complete"]?.flag, "set.complete"),
      isSimulated: set.isSimulated)
  }

  /// Returns the set that a record and its list of frames give together.
  /// - Throws: `EvidenceError.malformedSeal`, also if the list names other frames than the record.
  public func frameSet(list: [UInt8]) throws(EvidenceError) -> FrameSet {
    var set = try frameSetHead()
    set.frames = try FrameList.frames(list, of: seal.link.id)
    guard set.frames.map(\.digest) == frameDigests else {
      throw .malformedSeal("the list names other frames than the record")
    }
    return set
  }
}
