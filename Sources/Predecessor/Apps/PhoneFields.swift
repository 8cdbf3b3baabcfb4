import Evidence
import Foundation
import Geodesy
import Inspection
import Office
import Positioning
import Store

/// What the JSON of a phone's photo says, field by field; nil where it says nothing that can be believed. Also read
/// by an import of the predecessor's database, which has the same fields.
struct PhoneFields {
  let json: JSONValue

  init(_ json: JSONValue) { self.json = json }

  /// Reads the text that was kept; an object without members for what is none.
  init(text: String) {
    json = (try? JSONValue(parsing: Array(text.utf8))) ?? .object([:])
  }

  /// A number, whether it was sent as one or as text.
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

  /// A text that is not blank.
  func text(_ name: String) -> String? {
    json[name]?.text.flatMap { PHPForm.trimmed($0).isEmpty ? nil : $0 }
  }

  /// The time in the app's own words.
  var created: String? { text("created") }
  var digest: String? { text("digest") }
  var note: String? { text("note").map(PHPForm.trimmed) }
  var isAndroid: Bool { text("devicePlatform")?.lowercased() == "android" }

  /// Where it was taken; nil where it says no place on the Earth.
  var coordinate: Coordinate? { place("lat", "lng") }

  /// The iOS app sends 0, 0 where it has never had a position.
  var isNowhere: Bool { number("lat") == 0 && number("lng") == 0 }

  private func place(_ latitude: String, _ longitude: String) -> Coordinate? {
    guard let north = number(latitude), let east = number(longitude) else { return nil }
    return Coordinate(latitudeDegrees: north, longitudeDegrees: east)
  }

  /// From the radius that both systems give, which holds two thirds of positions, to the one that holds 95 %:
  /// √(ln 0.05 / ln 0.32), for errors alike in both directions.
  static let radiusTo95 = 1.6214

  /// Radius that holds the true position with 95 % probability, metres; iOS sends -1 for none.
  var uncertaintyMetres95: Double? {
    number("accuracy").flatMap { $0 > 0 && $0 < 1e7 ? $0 * Self.radiusTo95 : nil }
  }

  /// Android gives heights above the ellipsoid, iOS above mean sea level; neither says so.
  var position: PhotoPosition? {
    guard let coordinate else { return nil }
    let height = number("altitude").flatMap { abs($0) < 1e6 ? $0 : nil }
    return PhotoPosition(
      told: coordinate, ellipsoidalHeightMetres: isAndroid ? height : nil,
      meanSeaLevelHeightMetres: isAndroid ? nil : height, uncertaintyMetres95: uncertaintyMetres95)
  }

  /// Where the camera looked: the apps' heading is magnetic, and is kept as that beside the true one.
  func orientation(at time: DeviceTime) -> Orientation? {
    let magnetic = number("photo_heading").flatMap { abs($0) <= 720 ? $0 : nil }
    // 90° is a camera that looks at the horizon, 0° one that looks at the ground.
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

  /// What the lens sees across and along, as Android says it of its sensor, whose longer side lies across; nil where
  /// it says nothing, or no lens's angles.
  func camera(widthPixels: Int, heightPixels: Int) -> CameraGeometry? {
    let angles = ["horizontalViewAngle", "verticalViewAngle"].compactMap(number)
    guard angles.count == 2, angles.allSatisfy({ (10...150).contains($0) }) else { return nil }
    let (long, short) = (angles.max() ?? 0, angles.min() ?? 0)
    return widthPixels >= heightPixels
      ? CameraGeometry(horizontalDegrees: long, verticalDegrees: short, source: .stated)
      : CameraGeometry(horizontalDegrees: short, verticalDegrees: long, source: .stated)
  }

  // MARK: what the receiver said

  /// What the sentences that Android sends along say, those alone whose checksum holds.
  var receiver: (fix: Fix?, sentences: Int) {
    guard let text = json["NMEAMessage"]?.text, !text.isEmpty else { return (nil, 0) }
    var decoder = FixDecoder()
    var last: Fix?
    // A recorder was filled with 10,000 characters: the last sentence is mostly cut short.
    var bytes = Array(text.utf8.prefix(200_000))
    bytes += Array("\r\n".utf8)
    func take(_ event: DecodedEvent) {
      if case .fix(let fix) = event, fix.coordinate != nil { last = fix }
    }
    decoder.accept(bytes, take)
    decoder.finish(take)
    return (last, decoder.counts.sentences)
  }

  /// Names and places of the positions that the app computed from raw measurements, of the six those that it sent.
  var computedPositions: [(name: String, coordinate: Coordinate)] {
    ["GpsL1", "GpsL5", "GpsIf", "GalE1", "GalE5", "GalIf"].compactMap { name in
      guard let place = place("efkLat\(name)", "efkLng\(name)"),
        place.latitudeDegrees != 0 || place.longitudeDegrees != 0
      else { return nil }
      return (name, place)
    }
  }

  /// Strengths of the satellites' signals, dB-Hz.
  var carrierToNoise: [Double] {
    (list("satsInfo") ?? []).compactMap { Self.number($0["snr"]) }.filter { $0 > 0 && $0 < 100 }
  }

  /// An array, or one that was sent as text.
  private func list(_ name: String) -> [JSONValue]? {
    if let elements = json[name]?.elements { return elements }
    return json[name]?.text.flatMap { try? JSONValue(parsing: Array($0.utf8)) }?.elements
  }

  /// Cells and access points that the phone heard, by the names that other captures give them.
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
