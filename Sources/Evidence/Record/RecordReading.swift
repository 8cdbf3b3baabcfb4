import Geodesy
import Inspection
import Positioning
import TimeAndText

// Here a record is read back into its claims. The office gets records from devices that it does not
// control: every member is checked, and the error names a member that is missing or of another type.

/// A task's transition as its record tells it.
public struct SealedTransition: Hashable, Sendable {
  /// The task.
  public var task: Identifier
  /// The order's revision that the device knew; nil if the record does not say.
  public var revision: Int?
  /// The transition that the record claims.
  public var transition: TaskTransition
}

/// A note as its record tells it.
public struct SealedNote: Hashable, Sendable {
  /// The task that the note is on, or to which its photo belongs; nil without one.
  public var task: Identifier?
  /// The photo that the note is on; nil for a note on the task itself.
  public var photo: Identifier?
  /// The photo point of the task that was not photographed again; nil for any other note.
  public var point: Identifier?
  /// The words of the note.
  public var text: String
}

/// A deletion as its record tells it.
public struct SealedDeletion: Hashable, Sendable {
  /// Identifier of the record that was deleted.
  public var subject: Identifier
  /// SHA-256 of the record whose bytes were removed.
  public var record: String
  /// The reason for the deletion.
  public var reason: String
  /// The time of the deletion, by the device's clock.
  public var time: DeviceTime
}

extension CameraWay {
  /// Reads from a capture's record in which way its picture came to the device.
  package init(ofRecord record: JSONValue) {
    if record["photo"]?["origin"]?.text == PhotoOrigin.imported.rawValue {
      self = .imported
      return
    }
    self =
      switch record["photo"]?["taken"]?.text.flatMap(FrameMaking.init(rawValue:)) {
      case .still: .still
      case .liveFrame: .liveFrame
      case nil: .command
      }
  }
}

extension SealFile {
  /// Returns the inspector who makes the claims.
  /// - Throws: `EvidenceError.malformedSeal` if the record does not name agency and inspector.
  public func person() throws(EvidenceError) -> Person {
    Person(
      agency: try required(record["agency"]?.text, "agency"),
      login: try required(record["inspector"]?.text, "inspector"), role: .inspector)
  }

  /// The device's identifier; nil if the record does not say.
  public var device: String? { record["device"]?["id"]?.text }

  /// True if the record says that a simulator or a replay stood in for the receiver.
  public var isSimulated: Bool { record["simulated"]?.flag == true }

  /// The source of the receiver's data, as `--gnss` names it; nil if the record does not say.
  public var receiverSource: String? { record["device"]?["receiver"]?["source"]?.text }

  /// The way in which a capture's picture came to the device; nil for records of other kinds.
  public var cameraWay: CameraWay? {
    seal.link.kind == .capture ? CameraWay(ofRecord: record) : nil
  }

  /// The task that the record belongs to; nil if it belongs to none.
  public var task: Identifier? { record["task"]?["id"]?.text.flatMap(Identifier.init(_:)) }

  /// The order's revision under which the record was made; nil if the record does not say.
  public var taskRevision: Int? { record["task"]?["revision"]?.wholeNumber }

  /// The device's time in the record; nil if the record does not say.
  public var deviceTime: DeviceTime? {
    record["time"]?["device"]?.text.flatMap(DeviceTime.init(rfc3339:))
  }

  /// Returns the photo that a capture's record claims. Properties that only the device knows (note,
  /// sent, delivered) are nil.
  /// - Throws: `EvidenceError.malformedSeal` if a member is missing or not what it must be.
  public func photo() throws(EvidenceError) -> Photo {
    let person = try person()
    let picture = record["photo"]
    let standpoint = try record["position"]?["standpoint"].map(Self.standpoint)
    return Photo(
      id: seal.link.id, agency: person.agency, inspector: person.login, task: task,
      item: record["task"]?["item"]?.text.flatMap(ItemName.init(_:)),
      origin: try required(
        // The picture of a phone's app was never sealed.
        picture?["origin"]?.text.flatMap(PhotoOrigin.init(rawValue:))
          .flatMap { $0 == .egnss4cap ? nil : $0 }, "photo.origin"),
      gnssTime: try required(RawWindow.time(record["time"]?["gnss"]), "time.gnss"),
      deviceTime: try required(deviceTime, "time.device"),
      position: try Self.position(record["position"], "position"),
      standpoint: standpoint, orientation: try record["orientation"].map(Self.orientation),
      camera: try Self.camera(record["camera"]),
      fileDigest: try required(seal.link.file, "file"),
      bytes: try required(positive(picture?["bytes"]), "photo.bytes"),
      widthPixels: try required(positive(picture?["widthPixels"]), "photo.widthPixels"),
      heightPixels: try required(positive(picture?["heightPixels"]), "photo.heightPixels"),
      isSimulated: isSimulated)
  }

  /// Returns the track that a record and its file of points give together.
  public func track(file: [UInt8]) throws(EvidenceError) -> Track {
    var track = try trackHead()
    track.points = try trackPoints(file: file)
    return track
  }

  /// Returns the track that a record gives, without points: those are in its file.
  public func trackHead() throws(EvidenceError) -> Track {
    let person = try person()
    return Track(
      id: seal.link.id, agency: person.agency, inspector: person.login, task: task,
      name: try required(record["track"]?["name"]?.text, "track.name"),
      started: try required(
        record["time"]?["started"]?.text.flatMap(DeviceTime.init(rfc3339:)), "time.started"),
      ended: deviceTime, isSimulated: isSimulated)
  }

  /// Returns the points of a track's file.
  public func trackPoints(file: [UInt8]) throws(EvidenceError) -> [TrackPoint] {
    if let points = TrackFileReader.points(of: file, track: seal.link.id) { return points }
    // The file is not canonical: the general reader reads it, or says what is wrong with it.
    let json = try JSONValue(parsing: file)
    guard json["schema"]?.text == "standpoint.track/1",
      json["id"]?.text == seal.link.id.description, let elements = json["points"]?.elements
    else { throw .malformedSeal("the file does not contain the track's points") }
    var points: [TrackPoint] = []
    for element in elements { points.append(try Self.point(element)) }
    return points
  }

  /// Returns the transition that the record claims.
  public func transition() throws(EvidenceError) -> SealedTransition {
    let person = try person()
    let claimed = record["transition"]
    return SealedTransition(
      task: try required(task, "task.id"), revision: taskRevision,
      transition: TaskTransition(
        id: seal.link.id,
        action: try required(
          claimed?["action"]?.text.flatMap(TaskAction.init(rawValue:)), "transition.action"),
        from: try required(
          claimed?["from"]?.text.flatMap(TaskState.init(rawValue:)), "transition.from"),
        to: try required(
          claimed?["to"]?.text.flatMap(TaskState.init(rawValue:)), "transition.to"),
        person: person, time: try required(deviceTime, "time.device"),
        reason: claimed?["reason"]?.text))
  }

  /// Returns the note that the record claims.
  public func note() throws(EvidenceError) -> SealedNote {
    SealedNote(
      task: task, photo: record["note"]?["photo"]?.text.flatMap(Identifier.init(_:)),
      point: record["note"]?["point"]?.text.flatMap(Identifier.init(_:)),
      text: try required(record["note"]?["text"]?.text, "note.text"))
  }

  /// Returns the deletion that the record claims.
  public func deletion() throws(EvidenceError) -> SealedDeletion {
    let claimed = record["deletion"]
    return SealedDeletion(
      subject: try required(claimed?["id"]?.text.flatMap(Identifier.init(_:)), "deletion.id"),
      record: try required(claimed?["record"]?.text, "deletion.record"),
      reason: try required(claimed?["reason"]?.text, "deletion.reason"),
      time: try required(deviceTime, "time.device"))
  }

  // MARK: parts

  static func position(
    _ claimed: JSONValue?, _ name: String
  ) throws(EvidenceError) -> PhotoPosition {
    let methodName = try required(claimed?["method"]?.text, "\(name).method")
    let method: PhotoPosition.Method
    if methodName == PhotoPosition.Method.fix.name {
      method = .fix
    } else {
      method = .standpoint(
        try required(CentroidMethod(rawValue: methodName), "\(name).method"))
    }
    return PhotoPosition(
      kept: try place(claimed, name),
      ellipsoidalHeightMetres: claimed?["ellipsoidalHeightMetres"]?.measured,
      meanSeaLevelHeightMetres: claimed?["meanSeaLevelHeightMetres"]?.measured,
      uncertaintyMetres95: claimed?["uncertaintyMetres95"]?.measured, method: method)
  }

  static func standpoint(_ json: JSONValue) throws(EvidenceError) -> Standpoint {
    var hull: [Coordinate] = []
    for corner in json["hull"]?.elements ?? [] {
      hull.append(
        try required(
          coordinate(
            latitude: corner.elements?.last?.measured, longitude: corner.elements?.first?.measured),
          "position.standpoint.hull"))
    }
    func number(_ name: String) throws(EvidenceError) -> Double {
      try required(json[name]?.measured, "position.standpoint.\(name)")
    }
    return Standpoint(
      method: try required(
        json["method"]?.text.flatMap(CentroidMethod.init(rawValue:)), "position.standpoint.method"),
      innermostLayer: try place(json["innermostLayer"], "position.standpoint.innermostLayer"),
      mean: try place(json["mean"], "position.standpoint.mean"),
      median: try place(json["median"], "position.standpoint.median"),
      samples: try required(positive(json["samples"]), "position.standpoint.samples"),
      effectiveSamples: try number("effectiveSamples"),
      layers: try required(positive(json["layers"]), "position.standpoint.layers"),
      spreadMetres: try number("spreadMetres"),
      uncertaintyMetres95: json["uncertaintyMetres95"]?.measured, hull: hull,
      ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil,
      firstTime: try required(RawWindow.time(json["firstTime"]), "position.standpoint.firstTime"),
      lastTime: try required(RawWindow.time(json["lastTime"]), "position.standpoint.lastTime"))
  }

  private static func orientation(_ json: JSONValue) throws(EvidenceError) -> Orientation {
    var orientation = Orientation(
      azimuthDegreesTrue: json["azimuthDegreesTrue"]?.measured,
      elevationDegrees: json["elevationDegrees"]?.measured,
      rollDegrees: json["rollDegrees"]?.measured,
      source: try required(
        json["source"]?.text.flatMap(Orientation.Source.init(rawValue:)), "orientation.source"),
      screenDegrees: json["screenDegrees"]?.wholeNumber ?? 0)
    orientation.headingDegreesMagnetic = json["headingDegreesMagnetic"]?.measured
    orientation.declinationDegrees = json["declinationDegrees"]?.measured
    orientation.azimuthAccuracyDegrees = json["azimuthAccuracyDegrees"]?.measured
    orientation.tiltAccuracyDegrees = json["tiltAccuracyDegrees"]?.measured
    return orientation
  }

  private static func camera(_ json: JSONValue?) throws(EvidenceError) -> CameraGeometry {
    var camera = CameraGeometry(
      horizontalDegrees: try required(
        json?["horizontalDegrees"]?.measured, "camera.horizontalDegrees"),
      verticalDegrees: try required(json?["verticalDegrees"]?.measured, "camera.verticalDegrees"),
      source: try required(
        json?["source"]?.text.flatMap(CameraGeometry.Source.init(rawValue:)), "camera.source"))
    camera.looksTowardsPerson =
      switch json?["facing"]?.text {
      case "towards": true
      case "away": false
      default: nil
      }
    return camera
  }

  private static func point(_ json: JSONValue) throws(EvidenceError) -> TrackPoint {
    TrackPoint(
      kind: try required(
        json["kind"]?.text.flatMap(TrackPoint.Kind.init(rawValue:)), "points.kind"),
      time: try required(RawWindow.time(json["time"]), "points.time"),
      coordinate: try place(json, "points"),
      ellipsoidalHeightMetres: json["ellipsoidalHeightMetres"]?.measured,
      meanSeaLevelHeightMetres: json["meanSeaLevelHeightMetres"]?.measured,
      horizontalUncertaintyMetres95: json["uncertaintyMetres95"]?.measured,
      gapBefore: json["gapBefore"]?.text.flatMap(TrackPoint.Gap.init(rawValue:)),
      satellitesUsed: json["satellitesUsed"]?.wholeNumber.flatMap { $0 >= 0 ? $0 : nil },
      horizontalDilution: json["horizontalDilution"]?.measured)
  }

  private static func place(
    _ json: JSONValue?, _ name: String
  ) throws(EvidenceError) -> Coordinate {
    try required(
      coordinate(
        latitude: json?["latitudeDegrees"]?.measured, longitude: json?["longitudeDegrees"]?.measured
      ),
      name)
  }

  private static func coordinate(latitude: Double?, longitude: Double?) -> Coordinate? {
    guard let latitude, let longitude else { return nil }
    return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }
}

private func positive(_ json: JSONValue?) -> Int? {
  guard let number = json?.wholeNumber, number > 0, number < 1 << 40 else { return nil }
  return number
}

package func required<Value>(_ value: Value?, _ name: String) throws(EvidenceError) -> Value {
  guard let value else {
    throw .malformedSeal("the record's member \(name) is missing or not valid")
  }
  return value
}
