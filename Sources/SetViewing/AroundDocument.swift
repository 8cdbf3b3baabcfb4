import Evidence
import Geodesy
import Inspection
import TimeAndText

/// The document of an exported set (`around.json`), which other programs read: the names of its members
/// are the trade's, and ours stand beside them under `standpoint`.
package struct AroundDocument: Hashable, Sendable {
  /// The name of the file.
  package static let fileName = "around.json"
  /// The largest file that is read, bytes.
  package static let sizeLimit = 4 << 20

  /// One image.
  package struct Element: Hashable, Sendable {
    /// The name of its file, without a folder.
    package var image: String
    /// The angle since the first frame, clockwise as seen from above, 0 ≤ x < 360 degrees.
    package var angleDegrees: Double
    /// The time since the start, seconds; nil if the document does not say.
    package var seconds: Double?
    /// The change of the lens' elevation since the first frame, degrees; nil if unknown.
    package var deviationPitchDegrees: Double?
    /// The change of the roll since the first frame, degrees; nil if unknown.
    package var deviationRollDegrees: Double?
    /// The acceleration without gravity, metres per second squared; nil if unknown.
    package var accelerationMetresPerSecondSquared: Double?
    /// The part that only a sealed set knows; nil for images of other programs.
    package var sealed: Sealed?
  }

  /// The part of an image that only a sealed set knows.
  package struct Sealed: Hashable, Sendable {
    /// The SHA-256 of the image's file.
    package var digest: String
    /// The place at which it was taken; nil if the receiver was lost.
    package var place: Coordinate?
    /// The radius that holds the true place with 95 % probability, metres; nil if unknown.
    package var uncertaintyMetres95: Double?
    /// The quality by which it was kept, 0…1.
    package var quality: Double
  }

  /// The identifier of the set.
  package var uid: String
  /// The time at which the set began, seconds since 1970.
  package var unixSeconds: Double
  /// The width of a sector, degrees.
  package var radiusDegrees: Double
  /// The images in the order of their files.
  package var elements: [Element]
  /// The standpoints and the digest of the record; nil for documents of other programs.
  package var proof: Proof?

  /// The standpoints of a sealed set, and its record.
  package struct Proof: Hashable, Sendable {
    /// The standpoint at which the set began.
    package var start: SetStand
    /// The standpoint at which it ended.
    package var end: SetStand
    /// The SHA-256 of the sealed record.
    package var record: String
  }

  /// Returns the name of an image's file.
  /// - Parameter number: its number, from 1.
  package static func imageName(_ number: Int) -> String { SealedPart.digits(number) + ".jpg" }

  /// Creates the document of a set.
  /// - Parameter record: the SHA-256 of the sealed record.
  package init(_ set: FrameSet, record: String) {
    uid = set.id.description
    unixSeconds = Double(set.start.deviceTime.millisecondsSince1970) / 1000
    radiusDegrees = set.ring.widthDegrees
    elements = set.frames.enumerated().map { index, frame in
      Element(
        image: Self.imageName(index + 1), angleDegrees: frame.attitude.angleDegrees,
        seconds: frame.seconds, deviationPitchDegrees: frame.attitude.deviationPitchDegrees,
        deviationRollDegrees: frame.attitude.deviationRollDegrees,
        accelerationMetresPerSecondSquared: frame.accelerationMetresPerSecondSquared,
        sealed: Sealed(
          digest: frame.digest, place: frame.place?.coordinate,
          uncertaintyMetres95: frame.place?.uncertaintyMetres95, quality: frame.quality))
    }
    proof = Proof(start: set.start, end: set.end, record: record)
  }
}

// Writing.
extension AroundDocument {
  /// The file's bytes: indented lines would be nicer to read, and canonical ones are the same on every
  /// machine.
  package var bytes: [UInt8] { json.canonicalBytes }

  private var json: JSONValue {
    Self.object([
      ("uid", .string(uid)), ("date", .number(unixSeconds)),
      ("radius", Self.number(radiusDegrees)), ("elements", .array(elements.map(Self.json))),
      (
        "standpoint",
        proof.map {
          .object([
            "start": Self.json($0.start), "end": Self.json($0.end), "record": .string($0.record),
          ])
        }
      ),
    ])
  }

  private static func json(_ element: Element) -> JSONValue {
    object([
      ("image", .string(element.image)), ("angle", number(element.angleDegrees)),
      ("time", element.seconds.map { number($0) }),
      ("deviationPitch", element.deviationPitchDegrees.map { number($0) }),
      ("deviationRoll", element.deviationRollDegrees.map { number($0) }),
      ("acceleration", element.accelerationMetresPerSecondSquared.map { number($0) }),
      (
        "standpoint",
        element.sealed.map {
          object([
            ("sha256", .string($0.digest)),
            ("lat", $0.place.map { number($0.latitudeDegrees, places: 9) }),
            ("lon", $0.place.map { number($0.longitudeDegrees, places: 9) }),
            ("uncertaintyMetres95", $0.uncertaintyMetres95.map { number($0) }),
            ("quality", number($0.quality)),
          ])
        }
      ),
    ])
  }

  private static func json(_ stand: SetStand) -> JSONValue {
    object([
      ("lat", number(stand.position.coordinate.latitudeDegrees, places: 9)),
      ("lon", number(stand.position.coordinate.longitudeDegrees, places: 9)),
      ("uncertaintyMetres95", stand.position.uncertaintyMetres95.map { number($0) }),
      ("time", .string(stand.gnssTime.rfc3339 ?? stand.gnssTime.timeOfDay)),
    ])
  }

  private static func number(_ value: Double, places: Int = 3) -> JSONValue {
    .number(Double(DecimalText.fixed(value, places: places)) ?? 0)
  }

  private static func object(_ members: [(String, JSONValue?)]) -> JSONValue {
    .object(
      Dictionary(
        uniqueKeysWithValues: members.compactMap { name, value in
          value.map { (name, $0) }
        }))
  }
}

/// The reason why a document of a set cannot be read.
package struct AroundFault: Error, Hashable, Sendable, Worded {
  /// The fault and its place, in words.
  package let wording: Wording
}

// Reading: any program may have written the document.
extension AroundDocument {
  /// Reads a document. Members that are not known are passed over.
  /// - Throws: `AroundFault` with the member that is missing or wrong.
  package init(_ file: [UInt8]) throws(AroundFault) {
    guard file.count <= Self.sizeLimit else {
      throw AroundFault(wording: "it has \(file.count) bytes; at most \(Self.sizeLimit) are read")
    }
    let json: JSONValue
    do {
      json = try JSONValue(parsing: file)
    } catch {
      throw AroundFault(wording: "\(error)")
    }
    guard let uid = json["uid"]?.text else { throw Self.fault("uid") }
    guard let date = Self.finite(json["date"]) else { throw Self.fault("date") }
    guard let radius = Self.finite(json["radius"]), radius > 0, radius <= 180 else {
      throw Self.fault("radius")
    }
    guard let members = json["elements"]?.elements,
      members.count <= FrameSetTerms.aroundSectors.upperBound
    else { throw Self.fault("elements") }
    (self.uid, unixSeconds, radiusDegrees) = (uid, date, radius)
    var elements: [Element] = []
    var names: Set<String> = []
    for (index, member) in members.enumerated() {
      let element = try Self.element(member, "elements[\(index)]")
      guard names.insert(element.image).inserted else {
        throw AroundFault(wording: "elements[\(index)]: the image \(element.image) comes twice")
      }
      elements.append(element)
    }
    self.elements = elements
    proof = nil
  }

  private static func element(
    _ json: JSONValue, _ place: String
  ) throws(AroundFault) -> Element {
    guard let image = json["image"]?.text, isName(image) else { throw fault("\(place).image") }
    guard let angle = finite(json["angle"]) else { throw fault("\(place).angle") }
    func optional(_ name: String) throws(AroundFault) -> Double? {
      guard let member = json[name], member != .null else { return nil }
      guard let value = finite(member) else { throw fault("\(place).\(name)") }
      return value
    }
    return Element(
      image: image, angleDegrees: Geodesic.compassDegrees(angle),
      seconds: try optional("time"), deviationPitchDegrees: try optional("deviationPitch"),
      deviationRollDegrees: try optional("deviationRoll"),
      accelerationMetresPerSecondSquared: try optional("acceleration"), sealed: nil)
  }

  /// Returns true for the name of an image beside the document: a name with a folder could lead
  /// anywhere.
  private static func isName(_ text: String) -> Bool {
    let allowed = text.unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
        || $0 == "." || $0 == "-" || $0 == "_"
    }
    let lower = text.lowercased()
    return allowed && text.utf8.count <= 100 && !text.hasPrefix(".")
      && (lower.hasSuffix(".jpg") || lower.hasSuffix(".jpeg"))
  }

  private static func finite(_ json: JSONValue?) -> Double? {
    guard case .number(let value)? = json, value.isFinite else { return nil }
    return value
  }

  private static func fault(_ member: String) -> AroundFault {
    AroundFault(wording: "the member \(member) is missing or not valid")
  }
}
