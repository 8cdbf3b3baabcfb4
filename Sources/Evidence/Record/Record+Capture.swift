import Geodesy
import Inspection
import Positioning
import TimeAndText

/// The state of a task when a photo was taken for it.
public struct TaskReference: Hashable, Sendable {
  /// The revision of the order.
  public var revision: Int
  /// Digest of the task's parcel; nil if it has none.
  public var parcelDigest: String?

  /// Creates the reference to a task in its present state.
  public init(_ task: InspectionTask) {
    revision = task.revision
    parcelDigest = task.parcel.map(Record.parcelDigest)
  }
}

/// The claims about one standpoint: what the receiver said, and when.
public struct StandClaims: Sendable {
  /// The position.
  public var position: PhotoPosition
  /// The standpoint computed from the samples; nil if the position is a single fix.
  public var standpoint: Standpoint?
  /// The fix at the shutter, with the gate's verdict.
  public var shutter: JudgedFix
  /// The gate's limits in force.
  public var gate: GatePolicy
  /// How samples were taken; nil if the position is a single fix.
  public var sampler: SamplerPolicy?
  /// The receiver's time at the shutter.
  public var gnssTime: GNSSTime
  /// The device's time at the shutter.
  public var deviceTime: DeviceTime
  /// Age of the fix at the shutter by elapsed time, seconds.
  public var fixAgeSeconds: Double
  /// The satellites as last heard.
  public var sky: [Satellite]

  /// Creates the claims.
  public init(
    position: PhotoPosition, standpoint: Standpoint?, shutter: JudgedFix, gate: GatePolicy,
    sampler: SamplerPolicy?, gnssTime: GNSSTime, deviceTime: DeviceTime, fixAgeSeconds: Double,
    sky: [Satellite]
  ) {
    self.position = position
    self.standpoint = standpoint
    self.shutter = shutter
    self.gate = gate
    self.sampler = sampler
    self.gnssTime = gnssTime
    self.deviceTime = deviceTime
    self.fixAgeSeconds = fixAgeSeconds
    self.sky = sky
  }
}

/// All claims of a capture.
public struct CaptureClaims: Sendable {
  /// The photo as it will be listed; its `fileDigest` does not go into the record.
  public var photo: Photo
  /// SHA-256 of the frame as it was received.
  public var frameDigest: String
  /// Size of that frame, bytes.
  public var frameBytes: Int
  /// SHA-256 of the frame's image data alone.
  public var imageDigest: String
  /// The fix at the shutter, with the gate's verdict.
  public var shutter: JudgedFix
  /// The gate's limits in force.
  public var gate: GatePolicy
  /// How samples were taken; nil if the position is a single fix.
  public var sampler: SamplerPolicy?
  /// The task's revision and its parcel's digest; nil if the photo belongs to no task.
  public var task: TaskReference?
  /// Age of the fix at the shutter by elapsed time, seconds.
  public var fixAgeSeconds: Double
  /// The satellites as last heard.
  public var sky: [Satellite]
  /// The radio surroundings of the device, and the shutter's moment on the same clock; nil if the
  /// agency has not turned them on.
  public var surroundings: (heard: RadioSurroundings, shutter: ElapsedTime)?
  /// The claims that are embedded in the photo's own file.
  public var embedded: Set<EmbeddedClaim>
  /// The agency's policy in force; nil if the agency has none.
  public var policy: SignedPolicy?
  /// The way in which a browser made the frame; nil if no browser made it.
  public var making: FrameMaking?
  /// The photo point that the photo repeats, and how well; nil if it repeats none.
  public var repetition: RepeatClaims?
  /// The time and the phone of the frame; nil if no page took it.
  public var frame: FrameClaims?

  /// Creates the claims.
  public init(
    photo: Photo, frameDigest: String, frameBytes: Int, imageDigest: String, shutter: JudgedFix,
    gate: GatePolicy, sampler: SamplerPolicy?, task: TaskReference?,
    fixAgeSeconds: Double, sky: [Satellite], embedded: Set<EmbeddedClaim>,
    surroundings: (heard: RadioSurroundings, shutter: ElapsedTime)? = nil,
    policy: SignedPolicy? = nil, making: FrameMaking? = nil, repetition: RepeatClaims? = nil,
    frame: FrameClaims? = nil
  ) {
    self.photo = photo
    self.frameDigest = frameDigest
    self.frameBytes = frameBytes
    self.imageDigest = imageDigest
    self.shutter = shutter
    self.gate = gate
    self.sampler = sampler
    self.task = task
    self.fixAgeSeconds = fixAgeSeconds
    self.sky = sky
    self.embedded = embedded
    self.surroundings = surroundings
    self.policy = policy
    self.making = making
    self.repetition = repetition
    self.frame = frame
  }
}

extension CaptureClaims {
  /// The claims about the place from which the photo was taken.
  var stand: StandClaims {
    StandClaims(
      position: photo.position, standpoint: photo.standpoint, shutter: shutter, gate: gate,
      sampler: sampler, gnssTime: photo.gnssTime, deviceTime: photo.deviceTime,
      fixAgeSeconds: fixAgeSeconds, sky: sky)
  }
}

extension Record {
  /// Returns the record of a capture.
  public static func capture(_ claims: CaptureClaims, in context: RecordContext) -> JSONValue {
    let photo = claims.photo
    var members = context.members(id: photo.id, kind: .capture)
    members += [
      ("task", task(photo.task, claims.task, item: photo.item)), ("photo", picture(claims)),
      ("position", position(claims.stand)), ("gate", gate(claims.stand)),
      ("orientation", photo.orientation.map(orientation)), ("camera", camera(photo.camera)),
      ("time", time(claims.stand)), ("integrity", integrity(claims.stand)),
      ("shutter", claims.frame.map(shutter)), ("phone", claims.frame?.phone.flatMap(phone)),
      ("lens", claims.frame.flatMap { lens($0.lens) }),
      ("repeat", claims.repetition.map(repetition)),
      ("surroundings", claims.surroundings.map { surroundings($0.heard, at: $0.shutter) }),
      ("policy", claims.policy.map(policy)),
    ]
    return .object(known: members)
  }

  static func policy(_ policy: SignedPolicy) -> JSONValue {
    .object(["revision": .integer(policy.policy.revision), "digest": .string(policy.digest)])
  }

  /// Returns the task of a record; nil for none.
  /// - Parameter item: the item of its order that a photo is for; nil for none.
  static func task(
    _ id: Identifier?, _ reference: TaskReference?, item: ItemName? = nil
  ) -> JSONValue? {
    id.map { id in
      .object(known: [
        ("id", .string(id.description)), ("revision", reference.map { .integer($0.revision) }),
        ("parcel", reference?.parcelDigest.map { .string($0) }),
        ("item", item.map { .string($0.description) }),
      ])
    }
  }

  private static func picture(_ claims: CaptureClaims) -> JSONValue {
    .object(known: [
      ("frame", .string(claims.frameDigest)), ("image", .string(claims.imageDigest)),
      ("bytes", .integer(claims.frameBytes)), ("mediaType", .string("image/jpeg")),
      ("widthPixels", .integer(claims.photo.widthPixels)),
      ("heightPixels", .integer(claims.photo.heightPixels)),
      ("origin", .string(claims.photo.origin.rawValue)),
      ("taken", claims.making.map { .string($0.rawValue) }),
      ("claims", .array(claims.embedded.map(\.rawValue).sorted().map { .string($0) })),
    ])
  }

  static func position(_ stand: StandClaims) -> JSONValue {
    let position = stand.position
    return .object(known: [
      ("latitudeDegrees", .degrees(position.coordinate.latitudeDegrees)),
      ("longitudeDegrees", .degrees(position.coordinate.longitudeDegrees)),
      ("ellipsoidalHeightMetres", position.ellipsoidalHeightMetres.flatMap(JSONValue.metres)),
      ("meanSeaLevelHeightMetres", position.meanSeaLevelHeightMetres.flatMap(JSONValue.metres)),
      ("method", .string(position.method.name)),
      ("uncertaintyMetres95", position.uncertaintyMetres95.flatMap(JSONValue.metres)),
      ("fix", fix(stand.shutter.fix)), ("standpoint", stand.standpoint.map(standpoint)),
    ])
  }

  static func fix(_ fix: Fix) -> JSONValue {
    .object(known: [
      ("time", .string(fix.time.rfc3339 ?? fix.time.timeOfDay)),
      ("latitudeDegrees", (fix.coordinate?.latitudeDegrees).flatMap(JSONValue.degrees)),
      ("longitudeDegrees", (fix.coordinate?.longitudeDegrees).flatMap(JSONValue.degrees)),
      ("ellipsoidalHeightMetres", fix.ellipsoidalHeightMetres.flatMap(JSONValue.metres)),
      ("meanSeaLevelHeightMetres", fix.meanSeaLevelHeightMetres.flatMap(JSONValue.metres)),
      ("speedMetresPerSecond", fix.speedMetresPerSecond.flatMap(JSONValue.metres)),
      ("courseDegreesTrue", fix.courseDegreesTrue.flatMap(JSONValue.azimuth)),
      (
        "horizontalUncertaintyMetres95", fix.horizontalUncertaintyMetres95.flatMap(JSONValue.metres)
      ),
      ("verticalUncertaintyMetres95", fix.verticalUncertaintyMetres95.flatMap(JSONValue.metres)),
      ("uncertaintySource", fix.uncertaintySource.map { .string($0.rawValue) }),
      ("horizontalDilution", fix.horizontalDilution.flatMap(JSONValue.ratio)),
      ("verticalDilution", fix.verticalDilution.flatMap(JSONValue.ratio)),
      ("positionDilution", fix.positionDilution.flatMap(JSONValue.ratio)),
    ])
  }

  static func standpoint(_ standpoint: Standpoint) -> JSONValue {
    func place(_ coordinate: Coordinate) -> JSONValue {
      .object(known: [
        ("latitudeDegrees", .degrees(coordinate.latitudeDegrees)),
        ("longitudeDegrees", .degrees(coordinate.longitudeDegrees)),
      ])
    }
    return .object(known: [
      ("method", .string(standpoint.method.rawValue)),
      ("innermostLayer", place(standpoint.innermostLayer)), ("mean", place(standpoint.mean)),
      ("median", place(standpoint.median)), ("samples", .integer(standpoint.samples)),
      ("effectiveSamples", .ratio(standpoint.effectiveSamples)),
      ("layers", .integer(standpoint.layers)), ("spreadMetres", .metres(standpoint.spreadMetres)),
      ("uncertaintyMetres95", standpoint.uncertaintyMetres95.flatMap(JSONValue.metres)),
      ("hull", ring(standpoint.hull)),
      ("firstTime", .string(standpoint.firstTime.rfc3339 ?? standpoint.firstTime.timeOfDay)),
      ("lastTime", .string(standpoint.lastTime.rfc3339 ?? standpoint.lastTime.timeOfDay)),
    ])
  }

  static func gate(_ stand: StandClaims) -> JSONValue {
    let statistics = stand.shutter.verdict.statistics
    return .object(known: [
      ("limits", stand.gate.json), ("sampler", stand.sampler?.json),
      ("verdict", .string(stand.shutter.verdict.state.rawValue)),
      (
        "statistics",
        statistics.map {
          .object(known: [
            ("speedMetresPerSecond", .metres($0.speedMetresPerSecond)),
            ("speedUpperMetresPerSecond95", .metres($0.speedUpperMetresPerSecond95)),
            ("dopplerMetresPerSecond", $0.dopplerMetresPerSecond.flatMap(JSONValue.metres)),
            ("windowSeconds", .seconds($0.windowSeconds)), ("fixes", .integer($0.fixes)),
          ])
        }
      ),
    ])
  }

  private static func orientation(_ orientation: Orientation) -> JSONValue {
    func component(_ value: Double) -> JSONValue? { .fixed(value, places: 6) }
    return .object(known: [
      (
        "quaternion",
        orientation.quaternion.map {
          .object(known: [
            ("w", component($0.w)), ("x", component($0.x)), ("y", component($0.y)),
            ("z", component($0.z)),
          ])
        }
      ),
      ("screenDegrees", .integer(orientation.screenDegrees)),
      ("azimuthDegreesTrue", orientation.azimuthDegreesTrue.flatMap(JSONValue.azimuth)),
      ("elevationDegrees", orientation.elevationDegrees.flatMap(JSONValue.angle)),
      ("rollDegrees", orientation.rollDegrees.flatMap(JSONValue.angle)),
      ("source", .string(orientation.source.rawValue)),
      ("headingDegreesMagnetic", orientation.headingDegreesMagnetic.flatMap(JSONValue.angle)),
      ("declinationDegrees", orientation.declinationDegrees.flatMap(JSONValue.angle)),
      ("azimuthAccuracyDegrees", orientation.azimuthAccuracyDegrees.flatMap(JSONValue.angle)),
      ("tiltAccuracyDegrees", orientation.tiltAccuracyDegrees.flatMap(JSONValue.angle)),
    ])
  }

  static func camera(_ camera: CameraGeometry) -> JSONValue {
    .object(known: [
      ("horizontalDegrees", .angle(camera.horizontalDegrees)),
      ("verticalDegrees", .angle(camera.verticalDegrees)),
      ("source", .string(camera.source.rawValue)),
      ("facing", camera.looksTowardsPerson.map { .string($0 ? "towards" : "away") }),
    ])
  }

  static func time(_ stand: StandClaims) -> JSONValue {
    let gnss = stand.gnssTime
    let difference = gnss.millisecondsSince1970.map {
      Double(stand.deviceTime.millisecondsSince1970 - $0) / 1000
    }
    return .object(known: [
      ("gnss", .string(gnss.rfc3339 ?? gnss.timeOfDay)),
      ("device", .string(stand.deviceTime.rfc3339)),
      ("deviceMinusGNSSSeconds", difference.flatMap(JSONValue.seconds)),
      ("fixAgeSeconds", .seconds(stand.fixAgeSeconds)),
      ("dateFrom", .string(gnss.date == nil ? "device" : "receiver")),
    ])
  }

  static func integrity(_ stand: StandClaims) -> JSONValue {
    let fix = stand.shutter.fix
    let used = stand.sky.filter(\.isUsed)
    return .object(known: [
      ("quality", fix.quality.map { .string($0.name) }), ("mode", .integer(fix.mode.rawValue)),
      ("correctionAgeSeconds", fix.correctionAgeSeconds.flatMap(JSONValue.seconds)),
      ("correctionStation", fix.correctionStation.map { .string($0) }),
      ("satellitesUsed", fix.satellitesUsed.map { .integer($0) }),
      (
        "satellites",
        used.isEmpty
          ? nil
          : .array(
            used.map {
              .object(known: [
                ("constellation", .string($0.constellation.name)), ("id", .integer($0.id)),
                (
                  "carrierToNoiseDecibelHertz",
                  $0.carrierToNoiseDecibelHertz.flatMap(JSONValue.angle)
                ),
              ])
            })
      ),
    ])
  }

  /// Returns the SHA-256 of a parcel's identifier and outline, by which records name the parcel of a task.
  public static func parcelDigest(_ parcel: Parcel) -> String {
    Digest.hexadecimal(
      JSONValue.object([
        "identifier": .string(parcel.identifier), "rings": .array(parcel.rings.map(ring)),
      ]).canonicalBytes)
  }

  /// Returns places in their order, longitude before latitude as in GeoJSON.
  private static func ring(_ places: [Coordinate]) -> JSONValue {
    .array(
      places.map { place in
        .array(
          [place.longitudeDegrees, place.latitudeDegrees].compactMap(JSONValue.degrees))
      })
  }
}
