import Geodesy
import Inspection
import Positioning
import TimeAndText

/// The sealed list of a set's frames (`ID.set`): canonical JSON, as a track's points are.
public enum FrameList {
  /// The schema's name.
  public static let schema = "standpoint.frames/1"
  /// The largest file that is read, bytes: a frame has some three hundred.
  static let sizeLimit = 1 << 20

  /// Returns the file's bytes.
  public static func bytes(_ frames: [SetFrame], of id: Identifier) -> [UInt8] {
    JSONValue.object([
      "schema": .string(schema), "id": .string(id.description),
      "frames": .array(frames.map(frame)),
    ]).canonicalBytes
  }

  /// Returns one frame as the list holds it.
  public static func frame(_ frame: SetFrame) -> JSONValue {
    .object(known: [
      ("image", .string(frame.digest)), ("bytes", .integer(frame.bytes)),
      ("widthPixels", .integer(frame.widthPixels)),
      ("heightPixels", .integer(frame.heightPixels)),
      ("angleDegrees", .fixed(frame.attitude.angleDegrees, places: 3)),
      ("deviationPitchDegrees", .fixed(frame.attitude.deviationPitchDegrees, places: 3)),
      ("deviationRollDegrees", .fixed(frame.attitude.deviationRollDegrees, places: 3)),
      (
        "accelerationMetresPerSecondSquared",
        frame.accelerationMetresPerSecondSquared.flatMap { .fixed($0, places: 3) }
      ),
      ("quality", .ratio(frame.quality)), ("seconds", .seconds(frame.seconds)),
      ("moving", .bool(frame.isMoving)), ("place", frame.place.map(place)),
    ])
  }

  private static func place(_ place: FramePlace) -> JSONValue {
    .object(known: [
      ("time", .string(place.gnssTime.rfc3339 ?? place.gnssTime.timeOfDay)),
      ("latitudeDegrees", .degrees(place.coordinate.latitudeDegrees)),
      ("longitudeDegrees", .degrees(place.coordinate.longitudeDegrees)),
      ("uncertaintyMetres95", place.uncertaintyMetres95.flatMap(JSONValue.metres)),
    ])
  }

  /// Reads a list.
  /// - Throws: `EvidenceError.malformedSeal` for the first frame that lacks something.
  public static func frames(_ file: [UInt8], of id: Identifier) throws(EvidenceError) -> [SetFrame]
  {
    guard file.count <= sizeLimit else {
      throw .malformedSeal(
        "the list of frames has \(file.count) bytes; at most \(sizeLimit) are read")
    }
    let json = try JSONValue(parsing: file)
    guard json["schema"]?.text == schema, json["id"]?.text == id.description,
      let elements = json["frames"]?.elements
    else { throw .malformedSeal("the file does not contain the set's frames") }
    guard elements.count <= FrameSetTerms.aroundSectors.upperBound else {
      throw .malformedSeal(
        "the list has \(elements.count) frames; a set has at most \(FrameSetTerms.aroundSectors.upperBound)"
      )
    }
    var frames: [SetFrame] = []
    for element in elements { frames.append(try read(element)) }
    return frames
  }

  /// Reads one frame of a list.
  /// - Throws: `EvidenceError.malformedSeal` if it lacks something.
  public static func read(_ json: JSONValue) throws(EvidenceError) -> SetFrame {
    func number(
      _ name: String, _ range: ClosedRange<Double>
    ) throws(EvidenceError) -> Double {
      guard let value = json[name]?.measured, range.contains(value) else {
        throw .malformedSeal("the list of frames: \(name) is missing or not valid")
      }
      return value
    }
    func count(_ name: String) throws(EvidenceError) -> Int {
      guard let value = json[name]?.wholeNumber, value > 0, value < 1 << 40 else {
        throw .malformedSeal("the list of frames: \(name) is missing or not valid")
      }
      return value
    }
    guard let digest = json["image"]?.text, Digest.isDigest(digest),
      let isMoving = json["moving"]?.flag
    else { throw .malformedSeal("the list of frames: image or moving is missing or not valid") }
    let acceleration: Double? =
      json["accelerationMetresPerSecondSquared"] == nil
      ? nil : try number("accelerationMetresPerSecondSquared", 0...1e6)
    return SetFrame(
      digest: digest, bytes: try count("bytes"), widthPixels: try count("widthPixels"),
      heightPixels: try count("heightPixels"),
      attitude: FrameAttitude(
        angleDegrees: try number("angleDegrees", 0...360),
        deviationPitchDegrees: try number("deviationPitchDegrees", -180...180),
        deviationRollDegrees: try number("deviationRollDegrees", -180...180)),
      accelerationMetresPerSecondSquared: acceleration, quality: try number("quality", 0...1),
      seconds: try number("seconds", 0...1e7), place: try json["place"].map(place),
      isMoving: isMoving)
  }

  private static func place(_ json: JSONValue) throws(EvidenceError) -> FramePlace {
    guard let time = RawWindow.time(json["time"]),
      let latitude = json["latitudeDegrees"]?.measured,
      let longitude = json["longitudeDegrees"]?.measured,
      let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else { throw .malformedSeal("the list of frames: place is not valid") }
    return FramePlace(
      gnssTime: time, coordinate: coordinate,
      uncertaintyMetres95: json["uncertaintyMetres95"]?.measured)
  }
}
