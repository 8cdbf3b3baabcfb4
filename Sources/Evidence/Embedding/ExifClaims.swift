import Foundation
import Imagery
import Inspection
import Positioning
import TimeAndText

/// The content of a capture's record in EXIF's terms (Exif 2.32). The writer and the verifier both
/// use it: a photo's EXIF is right if it equals the tags that its record gives.
struct ExifClaims {
  private typealias Value = ExifBlock.Value

  /// The tags of the GPS directory.
  let gps: [UInt16: ExifBlock.Value]
  /// The tags for the time of the picture, by the device's clock, in UTC.
  let times: [UInt16: ExifBlock.Value]
  /// The tags for the picture's identifier, its form and the program that wrote it, by directory.
  let identity: [ExifBlock.Directory: [UInt16: ExifBlock.Value]]

  /// Creates the tags for a record.
  /// - Parameter record: the record of a capture.
  init(record: JSONValue) {
    gps = Self.gps(record)
    times = Self.times(record)
    let id = record["id"]?.text?.replacing("-", with: "") ?? ""
    let photo = record["photo"]
    func size(_ name: String) -> ExifBlock.Value? {
      photo?[name]?.wholeNumber.flatMap { UInt32(exactly: $0) }.map { .longs([$0]) }
    }
    var exif: [UInt16: ExifBlock.Value] = [
      0x9000: .undefined(Array("0232".utf8)), 0x9101: .undefined([1, 2, 3, 0]),
      0xA000: .undefined(Array("0100".utf8)), 0xA001: .shorts([0xFFFF]), 0xA420: .text(id),
    ]
    exif[0xA002] = size("widthPixels")
    exif[0xA003] = size("heightPixels")
    var primary: [UInt16: ExifBlock.Value] = [
      0x011A: .rationals([ExifBlock.Rational(72, 1)]),
      0x011B: .rationals([ExifBlock.Rational(72, 1)]), 0x0128: .shorts([2]), 0x0213: .shorts([1]),
    ]
    primary[0x0131] = record["device"]?["software"]?.text.map { .text($0) }
    identity = [.primary: primary, .exif: exif]
  }

  private static func gps(_ record: JSONValue) -> [UInt16: ExifBlock.Value] {
    let position = record["position"]
    let fix = position?["fix"]
    var tags: [UInt16: Value] = [0x00: .bytes([2, 3, 0, 0])]
    for (name, reference, tag, letters) in [
      ("latitudeDegrees", 0x01, 0x02, ["N", "S"]), ("longitudeDegrees", 0x03, 0x04, ["E", "W"]),
    ] as [(String, UInt16, UInt16, [String])] {
      guard let degrees = MeasuredFraction(position?[name]), let value = degrees.sexagesimal else {
        continue
      }
      tags[reference] = .text(letters[degrees.isNegative ? 1 : 0])
      tags[tag] = .rationals(value)
    }
    // EXIF's altitude is the height above sea level: the height above the ellipsoid is no substitute.
    if let height = MeasuredFraction(position?["meanSeaLevelHeightMetres"]),
      let value = height.rational()
    {
      tags[0x05] = .bytes([height.isNegative ? 1 : 0])
      tags[0x06] = .rationals([value])
    }
    addTime(record["time"], &tags)
    let integrity = record["integrity"]
    tags[0x08] = integrity?["satellitesUsed"]?.wholeNumber.map { .text("\($0)") }
    tags[0x09] = .text("A")
    let isThreeDimensional = (integrity?["mode"]?.wholeNumber ?? 0) >= 3
    if integrity?["mode"]?.wholeNumber ?? 0 >= 2 {
      tags[0x0A] = .text(isThreeDimensional ? "3" : "2")
      // By the standard, the dilution is PDOP in three dimensions and HDOP in two.
      let dilution = isThreeDimensional ? "positionDilution" : "horizontalDilution"
      tags[0x0B] = MeasuredFraction(fix?[dilution])?.rational().map { .rationals([$0]) }
    }
    if let speed = MeasuredFraction(fix?["speedMetresPerSecond"]), let value = kilometres(speed) {
      tags[0x0C] = .text("K")
      tags[0x0D] = .rationals([value])
    }
    if let course = MeasuredFraction(fix?["courseDegreesTrue"])?.rational() {
      tags[0x0E] = .text("T")
      tags[0x0F] = .rationals([course])
    }
    addAim(record["orientation"], &tags)
    tags[0x12] = .text("WGS-84")
    let isSimulated = record["simulated"]?.flag == true
    tags[0x1B] = .undefined(Array("ASCII\0\0\0\(isSimulated ? "SIMULATED" : "GPS")".utf8))
    if let quality = integrity?["quality"]?.text {
      let corrected = [FixQuality.differential, .rtkFixed, .rtkFloat].map(\.name)
      tags[0x1E] = .shorts([corrected.contains(quality) ? 1 : 0])
    }
    tags[0x1F] = MeasuredFraction(position?["uncertaintyMetres95"])?.rational().map {
      .rationals([$0])
    }
    return tags
  }

  /// Converts metres per second with three places to kilometres per hour with four; nil if EXIF has
  /// no room for the number.
  private static func kilometres(_ speed: MeasuredFraction) -> ExifBlock.Rational? {
    guard let tenths = speed.rational(times: 36),
      let denominator = UInt32(exactly: Int(tenths.denominator) * 10)
    else { return nil }
    return ExifBlock.Rational(tenths.numerator, denominator)
  }

  /// Adds the camera's direction. A magnetic heading that could not be corrected is marked as magnetic.
  private static func addAim(_ orientation: JSONValue?, _ tags: inout [UInt16: Value]) {
    for (name, letter) in [("azimuthDegreesTrue", "T"), ("headingDegreesMagnetic", "M")] {
      guard let angle = MeasuredFraction(orientation?[name]), !angle.isNegative,
        let value = angle.rational()
      else { continue }
      tags[0x10] = .text(letter)
      tags[0x11] = .rationals([value])
      return
    }
  }

  /// Adds the receiver's time. If the receiver gave no date, the date on which its time is nearest
  /// to the device's time is taken.
  private static func addTime(_ time: JSONValue?, _ tags: inout [UInt16: Value]) {
    guard let gnss = RawWindow.time(time?["gnss"]) else { return }
    let text = gnss.timeOfDay
    let parts = text.split(separator: ":")
    guard parts.count == 3, let hour = UInt32(parts[0]), let minute = UInt32(parts[1]),
      let second = MeasuredFraction(.string(String(parts[2])))?.rational()
    else { return }
    tags[0x07] = .rationals([
      ExifBlock.Rational(hour, 1), ExifBlock.Rational(minute, 1), second,
    ])
    let day: String?
    if let whole = gnss.rfc3339 {
      day = String(whole.prefix(10))
    } else {
      day = time?["device"]?.text.flatMap(DeviceTime.init(rfc3339:)).flatMap { device in
        [-86_400.0, 0, 86_400].map { device.advanced(bySeconds: $0) }
          .min { one, other in
            abs(distance(one, device, text)) < abs(distance(other, device, text))
          }.map { String($0.rfc3339.prefix(10)) }
      }
    }
    tags[0x1D] = day.map { .text($0.replacing("-", with: ":")) }
  }

  /// Returns the seconds from a device's time to the given time of day on another day.
  private static func distance(
    _ day: DeviceTime, _ device: DeviceTime, _ timeOfDay: String
  ) -> Double {
    guard let there = DeviceTime(rfc3339: "\(day.rfc3339.prefix(10))T\(timeOfDay)Z") else {
      return .infinity
    }
    return there.gnssTime.seconds(since: device.gnssTime)
  }

  private static func times(_ record: JSONValue) -> [UInt16: ExifBlock.Value] {
    guard let device = record["time"]?["device"]?.text, DeviceTime(rfc3339: device) != nil else {
      return [:]
    }
    let day = device.prefix(10).replacing("-", with: ":")
    let time = device.dropFirst(11).prefix(8)
    return [
      0x9003: .text("\(day) \(time)"), 0x9011: .text("+00:00"),
      0x9291: .text(String(device.dropFirst(20).prefix(3))),
    ]
  }
}

extension ExifClaims {
  /// The parcel's bearing and distance from the position, for a photo from outside the parcel.
  struct Destination {
    /// Degrees from true north; nil if the position is inside the parcel.
    var bearingDegrees: Double?
    /// Metres; 0 if the position is inside the parcel.
    var distanceMetres: Double
  }

  /// Returns a block with the record's tags added to it.
  /// - Throws: `ExifBlock.Problem.tooLong`.
  func block(
    addingTo block: ExifBlock, _ claims: Set<EmbeddedClaim>, destination: Destination?
  ) throws(ExifBlock.Problem) -> ExifBlock {
    guard !claims.isDisjoint(with: [.exifPosition, .exifTime]) else { return block }
    var added: [ExifBlock.Directory: [UInt16: ExifBlock.Value]] = [:]
    // The tags that the camera wrote about itself stay.
    for (directory, tags) in identity {
      added[directory] = tags.filter { block[directory, $0.key] == nil }
    }
    if claims.contains(.exifTime) { added[.exif, default: [:]].merge(times) { $1 } }
    if claims.contains(.exifPosition) {
      added[.gps] = gps.merging(Self.tags(of: destination)) { $1 }
    }
    return try block.adding(added, afresh: [.gps])
  }

  /// The GPS tags that the record decides, with their names. Bearing and distance to the parcel are
  /// not among them, because they need the parcel.
  static let gpsNames: [UInt16: String] = [
    0x00: "GPSVersionID", 0x01: "GPSLatitudeRef", 0x02: "GPSLatitude", 0x03: "GPSLongitudeRef",
    0x04: "GPSLongitude", 0x05: "GPSAltitudeRef", 0x06: "GPSAltitude", 0x07: "GPSTimeStamp",
    0x08: "GPSSatellites", 0x09: "GPSStatus", 0x0A: "GPSMeasureMode", 0x0B: "GPSDOP",
    0x0C: "GPSSpeedRef", 0x0D: "GPSSpeed", 0x0E: "GPSTrackRef", 0x0F: "GPSTrack",
    0x10: "GPSImgDirectionRef", 0x11: "GPSImgDirection", 0x12: "GPSMapDatum",
    0x1B: "GPSProcessingMethod", 0x1D: "GPSDateStamp", 0x1E: "GPSDifferential",
    0x1F: "GPSHPositioningError",
  ]

  /// The tags for the time of the picture that the record decides, with their names.
  static let timeNames: [UInt16: String] = [
    0x9003: "DateTimeOriginal", 0x9011: "OffsetTimeOriginal", 0x9291: "SubSecTimeOriginal",
  ]

  private static func tags(of destination: Destination?) -> [UInt16: ExifBlock.Value] {
    guard let destination,
      let metres = MeasuredFraction(JSONValue.metres(destination.distanceMetres)),
      metres.digits <= Int(UInt32.max)
    else { return [:] }
    // The numerator is in millimetres, the denominator makes it kilometres.
    var tags: [UInt16: ExifBlock.Value] = [
      0x19: .text("K"),
      0x1A: .rationals([ExifBlock.Rational(UInt32(metres.digits), 1_000_000)]),
    ]
    if let bearing = destination.bearingDegrees.flatMap(JSONValue.azimuth),
      let value = MeasuredFraction(bearing)?.rational()
    {
      tags[0x17] = .text("T")
      tags[0x18] = .rationals([value])
    }
    return tags
  }
}
