import Evidence
import Foundation
import Geodesy
import Inspection
import Office
import Positioning
import Store
import TimeAndText

/// The fields in the JSON of a phone's photo; a field is nil if the JSON says nothing that can be
/// believed. The import of the predecessor's database, which has the same fields, uses them, too.
struct PhoneFields {
  let json: JSONValue

  init(_ json: JSONValue) { self.json = json }

  /// Reads the JSON text that was kept; a text that is no JSON has no fields.
  init(text: String) {
    json = (try? JSONValue(parsing: Array(text.utf8))) ?? .object([:])
  }

  /// Returns a number that was sent as a number or as text; nil if there is none.
  func number(_ name: String) -> Double? { Self.number(json[name]) }

  static func number(_ value: JSONValue?) -> Double? {
    switch value {
    case .number(let number): number.isFinite ? number : nil
    case .string(let text):
      text.utf8.count < 40
        ? Double(PHPForm.trimmed(text)).flatMap { $0.isFinite ? $0 : nil } : nil
    default: nil
    }
  }

  /// Returns a text; nil if it is missing or blank.
  func text(_ name: String) -> String? {
    json[name]?.text.flatMap { PHPForm.trimmed($0).isEmpty ? nil : $0 }
  }

  /// The time as the app wrote it.
  var created: String? { text("created") }
  var digest: String? { text("digest") }
  var note: String? { text("note").map(PHPForm.trimmed) }
  var isAndroid: Bool { text("devicePlatform")?.lowercased() == "android" }

  /// The place where the photo was taken; nil if the fields name no place on the Earth.
  var coordinate: Coordinate? { place("lat", "lng") }

  /// True if the position is 0, 0, which the iOS app sends if it has never had a position.
  var isNowhere: Bool { number("lat") == 0 && number("lng") == 0 }

  private func place(_ latitude: String, _ longitude: String) -> Coordinate? {
    guard let north = number(latitude), let east = number(longitude) else { return nil }
    return Coordinate(latitudeDegrees: north, longitudeDegrees: east)
  }

  /// The factor from the radius that both systems give, which holds two thirds of positions, to the
  /// radius that holds 95 %: √(ln 0.05 / ln 0.32), for errors alike in both directions.
  static let radiusTo95 = 1.6214

  /// The radius that holds the true position with 95 % probability, metres; nil if none was sent,
  /// for which iOS sends -1.
  var uncertaintyMetres95: Double? {
    number("accuracy").flatMap { $0 > 0 && $0 < 1e7 ? $0 * Self.radiusTo95 : nil }
  }

  /// The position; nil without a place on the Earth. Android gives heights above the ellipsoid, iOS
  /// above mean sea level; neither says so.
  var position: PhotoPosition? {
    guard let coordinate else { return nil }
    let height = number("altitude").flatMap { abs($0) < 1e6 ? $0 : nil }
    return PhotoPosition(
      told: coordinate, ellipsoidalHeightMetres: isAndroid ? height : nil,
      meanSeaLevelHeightMetres: isAndroid ? nil : height, uncertaintyMetres95: uncertaintyMetres95)
  }

  /// Returns the direction in which the camera looked; nil if neither heading nor angle was sent.
  /// The apps' heading is magnetic, and is kept as such in addition to the true one.
  func orientation(at time: DeviceTime) -> Orientation? {
    let magnetic = number("photo_heading").flatMap { abs($0) <= 720 ? $0 : nil }
    // An angle of 90° is a camera that looks at the horizon, 0° one that looks at the ground.
    let elevation = number("photo_angle").flatMap { (0...180).contains($0) ? $0 - 90 : nil }
    guard magnetic != nil || elevation != nil else { return nil }
    var declination: Double?
    if let coordinate, !isNowhere {
      let days = Double(time.date.daysSince1970) / 365.2425
      declination = try? MagneticDeclination.degrees(
        at: coordinate, ellipsoidalHeightMetres: 0, decimalYear: 1970 + days
      ).get()
    }
    var orientation = Orientation(
      // Without a declination the direction from true north is not known.
      azimuthDegreesTrue: magnetic.flatMap { heading in declination.map { heading + $0 } },
      elevationDegrees: elevation, rollDegrees: nil, source: .deviceSensors)
    orientation.headingDegreesMagnetic = magnetic
    orientation.declinationDegrees = magnetic == nil ? nil : declination
    return orientation
  }

  /// Returns the lens's angles of view, as Android tells them of its sensor, whose longer side lies
  /// across; nil if it tells none, or angles that no lens has (outside 10° to 150°).
  func camera(widthPixels: Int, heightPixels: Int) -> CameraGeometry? {
    let angles = ["horizontalViewAngle", "verticalViewAngle"].compactMap(number)
    guard angles.count == 2, angles.allSatisfy({ (10...150).contains($0) }) else { return nil }
    let (long, short) = (angles.max() ?? 0, angles.min() ?? 0)
    return widthPixels >= heightPixels
      ? CameraGeometry(horizontalDegrees: long, verticalDegrees: short, source: .stated)
      : CameraGeometry(horizontalDegrees: short, verticalDegrees: long, source: .stated)
  }

  // MARK: the receiver's words

  /// The last fix with a coordinate in the sentences that Android sends along, nil if there is
  /// none; and the number of sentences. Only sentences with a right checksum count.
  var receiver: (fix: Fix?, sentences: Int) {
    guard let text = json["NMEAMessage"]?.text, !text.isEmpty else { return (nil, 0) }
    var decoder = FixDecoder()
    var last: Fix?
    // The app keeps no more than 10,000 characters, so the last sentence is mostly cut short.
    var bytes = Array(text.utf8.prefix(200_000))
    bytes += Array("\r\n".utf8)
    func take(_ event: DecodedEvent) {
      if case .fix(let fix) = event, fix.coordinate != nil { last = fix }
    }
    decoder.accept(bytes, take)
    decoder.finish(take)
    return (last, decoder.counts.sentences)
  }

  /// The names and places of the positions that the app computed from raw measurements: of the six
  /// possible ones those that it sent.
  var computedPositions: [(name: String, coordinate: Coordinate)] {
    ["GpsL1", "GpsL5", "GpsIf", "GalE1", "GalE5", "GalIf"].compactMap { name in
      guard let place = place("efkLat\(name)", "efkLng\(name)"),
        place.latitudeDegrees != 0 || place.longitudeDegrees != 0
      else { return nil }
      return (name, place)
    }
  }

  /// The strengths of the satellites' signals, dB-Hz.
  var carrierToNoise: [Double] {
    (list("satsInfo") ?? []).compactMap { Self.number($0["snr"]) }.filter { $0 > 0 && $0 < 100 }
  }

  /// Returns an array that was sent as an array or as text; nil if there is none.
  private func list(_ name: String) -> [JSONValue]? {
    if let elements = json[name]?.elements { return elements }
    return json[name]?.text.flatMap { try? JSONValue(parsing: Array($0.utf8)) }?.elements
  }

  /// The cells and access points that the phone heard, by the names that other captures give them;
  /// nil if the phone sent none of its surroundings.
  var transmitters: [String]? {
    var heard = json["networkInfo"]
    if let text = heard?.text { heard = try? JSONValue(parsing: Array(text.utf8)) }
    guard case .object = heard, let heard else { return nil }
    func word(_ value: JSONValue?) -> String? {
      if let whole = value?.wholeNumber { return "\(whole)" }
      return value?.text
    }
    let radio = word(heard["radio"])?.lowercased()
    let cells = (heard["cells"]?.elements ?? []).prefix(100).compactMap { cell -> String? in
      guard let country = word(cell["mcc"]) ?? word(heard["mcc"]), Int(country) != nil,
        let network = word(cell["mnc"]) ?? word(heard["mnc"]), Int(network) != nil,
        let area = (word(cell["tac"]) ?? word(cell["lac"])).flatMap({ Int($0) }),
        let number = (word(cell["ci"]) ?? word(cell["cid"])).flatMap({ Int($0) })
      else { return nil }
      return CellSite.transmitterName(
        technology: (word(cell["type"])?.lowercased() ?? radio ?? "lte"), countryCode: country,
        networkCode: network, areaCode: area, cell: number)
    }.filter { $0.utf8.count <= 60 }
    let access = word(heard["wifi"]?["bsid"]).map { $0.lowercased() }.flatMap {
      $0.split(separator: ":").count == 6 && $0.utf8.count == 17 ? "wifi-\($0)" : nil
    }
    return cells + [access].compactMap(\.self)
  }
}
