import Evidence
import Foundation
import Geodesy
import Inspection
import Positioning
import TimeAndText

// The shapes of the JSON in columns. Model types are not Codable on purpose: a new field must fail
// to compile here, so that its author decides what old rows mean.

enum RowJSON {
  static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return "null" }
    return String(decoding: data, as: UTF8.self)
  }

  static func value<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch {
      throw StoreError.damagedRow("a column of JSON that is no \(type)")
    }
  }
}

struct PlaceRow: Codable {
  var latitude: Double
  var longitude: Double

  init(_ coordinate: Coordinate) {
    latitude = coordinate.latitudeDegrees
    longitude = coordinate.longitudeDegrees
  }

  func coordinate() throws -> Coordinate {
    guard let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else { throw StoreError.damagedRow("a place outside the Earth") }
    return coordinate
  }
}

struct RingsRow: Codable {
  var list: [[PlaceRow]]

  init(_ rings: [[Coordinate]]) {
    list = rings.map { $0.map(PlaceRow.init) }
  }

  func rings() throws -> [[Coordinate]] { try list.map { try $0.map { try $0.coordinate() } } }
}

struct TimeRow: Codable {
  var timeOfDay: Int
  var day: Int?

  init(_ time: GNSSTime) {
    timeOfDay = time.millisecondsSinceMidnight
    day = time.date?.daysSince1970
  }

  func time() throws -> GNSSTime {
    guard
      let time = GNSSTime(
        millisecondsSinceMidnight: timeOfDay,
        date: day.map(CivilDate.init(daysSince1970:)))
    else { throw StoreError.damagedRow("a time outside the day") }
    return time
  }
}

struct StandpointRow: Codable {
  var method: String
  var innermostLayer: PlaceRow
  var mean: PlaceRow
  var median: PlaceRow
  var samples: Int
  var effectiveSamples: Double
  var layers: Int
  var spreadMetres: Double
  var uncertaintyMetres95: Double?
  var hull: [PlaceRow]
  var ellipsoidalHeightMetres: Double?
  var meanSeaLevelHeightMetres: Double?
  var firstTime: TimeRow
  var lastTime: TimeRow

  init(_ standpoint: Standpoint) {
    method = standpoint.method.rawValue
    innermostLayer = PlaceRow(standpoint.innermostLayer)
    mean = PlaceRow(standpoint.mean)
    median = PlaceRow(standpoint.median)
    samples = standpoint.samples
    effectiveSamples = standpoint.effectiveSamples
    layers = standpoint.layers
    spreadMetres = standpoint.spreadMetres
    uncertaintyMetres95 = standpoint.uncertaintyMetres95
    hull = standpoint.hull.map(PlaceRow.init)
    ellipsoidalHeightMetres = standpoint.ellipsoidalHeightMetres
    meanSeaLevelHeightMetres = standpoint.meanSeaLevelHeightMetres
    firstTime = TimeRow(standpoint.firstTime)
    lastTime = TimeRow(standpoint.lastTime)
  }

  func standpoint() throws -> Standpoint {
    guard let method = CentroidMethod(rawValue: method) else {
      throw StoreError.damagedRow("an unknown method of a standpoint")
    }
    return Standpoint(
      method: method, innermostLayer: try innermostLayer.coordinate(),
      mean: try mean.coordinate(), median: try median.coordinate(), samples: samples,
      effectiveSamples: effectiveSamples, layers: layers, spreadMetres: spreadMetres,
      uncertaintyMetres95: uncertaintyMetres95, hull: try hull.map { try $0.coordinate() },
      ellipsoidalHeightMetres: ellipsoidalHeightMetres,
      meanSeaLevelHeightMetres: meanSeaLevelHeightMetres, firstTime: try firstTime.time(),
      lastTime: try lastTime.time())
  }
}

struct OrientationRow: Codable {
  var quaternion: [Double]?
  var screenDegrees: Int
  var azimuthDegreesTrue: Double?
  var elevationDegrees: Double?
  var rollDegrees: Double?
  var source: String
  var headingDegreesMagnetic: Double?
  var declinationDegrees: Double?
  var azimuthAccuracyDegrees: Double?
  var tiltAccuracyDegrees: Double?

  init(_ orientation: Orientation) {
    quaternion = orientation.quaternion.map { [$0.w, $0.x, $0.y, $0.z] }
    screenDegrees = orientation.screenDegrees
    azimuthDegreesTrue = orientation.azimuthDegreesTrue
    elevationDegrees = orientation.elevationDegrees
    rollDegrees = orientation.rollDegrees
    source = orientation.source.rawValue
    headingDegreesMagnetic = orientation.headingDegreesMagnetic
    declinationDegrees = orientation.declinationDegrees
    azimuthAccuracyDegrees = orientation.azimuthAccuracyDegrees
    tiltAccuracyDegrees = orientation.tiltAccuracyDegrees
  }

  func orientation() throws -> Orientation {
    guard let source = Orientation.Source(rawValue: source) else {
      throw StoreError.damagedRow("an unknown source of an orientation")
    }
    var orientation = Orientation(
      azimuthDegreesTrue: azimuthDegreesTrue, elevationDegrees: elevationDegrees,
      rollDegrees: rollDegrees, source: source, screenDegrees: screenDegrees)
    if let parts = quaternion, parts.count == 4 {
      orientation.quaternion = Quaternion(w: parts[0], x: parts[1], y: parts[2], z: parts[3])
    }
    orientation.headingDegreesMagnetic = headingDegreesMagnetic
    orientation.declinationDegrees = declinationDegrees
    orientation.azimuthAccuracyDegrees = azimuthAccuracyDegrees
    orientation.tiltAccuracyDegrees = tiltAccuracyDegrees
    return orientation
  }
}

struct CameraRow: Codable {
  var horizontalDegrees: Double
  var verticalDegrees: Double
  var source: String

  init(_ camera: CameraGeometry) {
    horizontalDegrees = camera.horizontalDegrees
    verticalDegrees = camera.verticalDegrees
    source = camera.source.rawValue
  }

  func camera() throws -> CameraGeometry {
    guard let source = CameraGeometry.Source(rawValue: source) else {
      throw StoreError.damagedRow("an unknown source of a field of view")
    }
    return CameraGeometry(
      horizontalDegrees: horizontalDegrees, verticalDegrees: verticalDegrees, source: source)
  }
}

struct FindingRow: Codable {
  var subject: String
  var check: String
  var severity: String
  var message: String
  /// The message's template and values; nil if the message has no values, and in rows of earlier versions.
  var wording: WordingRow?

  init(_ finding: Finding) {
    subject = finding.subject
    check = finding.check.rawValue
    severity = finding.severity.rawValue
    message = finding.message
    wording = finding.wording.values.isEmpty ? nil : WordingRow(finding.wording)
  }

  func finding() throws -> Finding {
    guard let check = Finding.Check(rawValue: check),
      let severity = Finding.Severity(rawValue: severity)
    else { throw StoreError.damagedRow("an unknown check") }
    return Finding(
      subject: subject, check: check, severity: severity,
      wording: wording?.wording ?? Wording(template: message, values: []))
  }
}
