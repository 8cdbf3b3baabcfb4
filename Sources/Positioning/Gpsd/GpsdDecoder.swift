import CGPS
import Foundation
import Geodesy
import TimeAndText

/// The content of a line of gpsd's JSON. Source: gpsd_json(5).
enum GpsdMessage {
  /// VERSION: gpsd's release and its protocol's major version.
  case version(release: String, protocolMajor: Int)
  /// DEVICES: the receivers that gpsd knows.
  case devices([String])
  /// TPV: a position in time.
  case position(Fix)
  /// SKY: satellites in view.
  case sky([Satellite])
  /// ERROR: gpsd refused something, in its own words.
  case refusal(String)
  /// Any other message.
  case other
}

/// A decoder of gpsd's JSON that uses libgps.
///
/// `gps_unpack` is a pure function of bytes, but a trusting one: it lets NaN and infinity in and
/// answers 0 to garbage, so each value is checked here. Worse, version 3.22 never returns from a
/// line that goes wrong before another `"class":` in it: it starts over at the place of the
/// mistake. So libgps gets only the messages that hold one class, at their beginning. The list of
/// devices, which holds one class for each device, is read without it. The structure of libgps (24
/// kB) is allocated once.
final class GpsdDecoder {
  private let storage: UnsafeMutablePointer<gps_data_t>
  private var line: [CChar] = []
  /// The heading of the last ATT, degrees, 0..<360. ATT comes before the TPV to which it belongs,
  /// and an instant is reported in several TPVs.
  private var headingDegreesTrue: Double?
  /// The dilutions of the last SKY, the only message that has them. SKY comes before the TPV to
  /// which it belongs.
  private var dilutions: (horizontal: Double?, vertical: Double?, position: Double?) = (
    nil, nil, nil
  )
  private var lastMilliseconds: Int64?
  private var hasNewHeading = false
  private var hasNewDilutions = false

  init() {
    storage = .allocate(capacity: 1)
    memset(storage, 0, MemoryLayout<gps_data_t>.size)
  }

  deinit {
    storage.deallocate()
  }

  func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> GpsdMessage {
    if Self.begins(bytes, with: Self.deviceList) { return devices(bytes) }
    // libgps needs a mutable, NUL-terminated text, and an inner NUL would end it early.
    guard !bytes.contains(0), Self.messages.contains(where: { Self.begins(bytes, with: $0) }),
      Self.holdsOneClass(bytes)
    else { return .other }
    line.removeAll(keepingCapacity: true)
    line.append(contentsOf: bytes.lazy.map { CChar(bitPattern: $0) })
    line.append(0)
    memset(storage, 0, MemoryLayout<gps_data_t>.size)
    guard line.withUnsafeMutableBufferPointer({ gps_unpack($0.baseAddress, storage) }) == 0 else {
      return .other
    }
    let set = storage.pointee.set
    if set & gps_mask_t(VERSION_SET) != 0 { return version() }
    if set & gps_mask_t(ERROR_SET) != 0 {
      return .refusal(text(of: &storage.pointee.error))
    }
    if set & gps_mask_t(SATELLITE_SET) != 0 { return sky() }
    if set & gps_mask_t(ATTITUDE_SET) != 0 {
      headingDegreesTrue = within(storage.pointee.attitude.heading, 0...360).map {
        $0 == 360 ? 0 : $0
      }
      hasNewHeading = true
      return .other
    }
    if set & gps_mask_t(MODE_SET) != 0, let fix = fix() { return .position(fix) }
    return .other
  }

  private func version() -> GpsdMessage {
    .version(
      release: text(of: &storage.pointee.version.release),
      protocolMajor: Int(storage.pointee.version.proto_major))
  }

  private static let deviceList = Array(#"{"class":"DEVICES""#.utf8)
  private static let messages = ["VERSION", "TPV", "SKY", "ATT", "ERROR"].map {
    Array(#"{"class":"\#($0)""#.utf8)
  }
  private static let tag = Array(#""class":"#.utf8)

  private static func begins(_ bytes: UnsafeBufferPointer<UInt8>, with start: [UInt8]) -> Bool {
    bytes.count >= start.count && bytes.prefix(start.count).elementsEqual(start)
  }

  private static func holdsOneClass(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 2
    while index + tag.count <= bytes.count {
      if bytes[index] == tag[0], bytes[index..<(index + tag.count)].elementsEqual(tag) {
        return false
      }
      index += 1
    }
    return true
  }

  private func devices(_ bytes: UnsafeBufferPointer<UInt8>) -> GpsdMessage {
    guard
      let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
      let list = object["devices"] as? [[String: Any]]
    else { return .other }
    return .devices(list.compactMap { $0["path"] as? String })
  }

  private func sky() -> GpsdMessage {
    let data = storage.pointee
    hasNewDilutions = true
    dilutions = (positive(data.dop.hdop), positive(data.dop.vdop), positive(data.dop.pdop))
    let count = Int(max(0, min(data.satellites_visible, MAXCHANNELS)))
    let satellites = withUnsafeMutablePointer(to: &storage.pointee.skyview) { view in
      view.withMemoryRebound(to: satellite_t.self, capacity: Int(MAXCHANNELS)) { entries in
        (0..<count).compactMap { index -> Satellite? in
          let entry = entries[index]
          guard (1...9999).contains(entry.PRN) else { return nil }
          let constellation = Self.constellation(Int(entry.gnssid))
          let strength = positive(entry.ss).flatMap { $0 < 100 ? $0 : nil }
          let signal = Self.signal(constellation, Int(entry.sigid))
          return Satellite(
            constellation: constellation, id: Int(entry.PRN),
            elevationDegrees: within(entry.elevation, -90...90),
            azimuthDegrees: within(entry.azimuth, 0...360).map { $0 == 360 ? 0 : $0 },
            carrierToNoiseDecibelHertz: strength, isUsed: entry.used,
            signals: strength == nil ? [] : [signal].compactMap(\.self))
        }
      }
    }
    return .sky(satellites)
  }

  private func fix() -> Fix? {
    let data = storage.pointee
    // Without a time there is no epoch, and fixes could not be compared or told apart.
    guard data.set & gps_mask_t(TIME_SET) != 0 else { return nil }
    let milliseconds =
      Int64(data.fix.time.tv_sec) &* 1000 &+ Int64(data.fix.time.tv_nsec / 1_000_000)
    guard milliseconds > 0, milliseconds < 253_402_300_800_000 else { return nil }
    beginInstant(milliseconds)
    var fix = Fix(time: DeviceTime(millisecondsSince1970: milliseconds).gnssTime)
    fix.mode = FixMode(rawValue: Int(data.fix.mode)) ?? .none
    guard fix.mode >= .twoDimensional else { return fix }
    fix.coordinate = Coordinate(
      latitudeDegrees: data.fix.latitude, longitudeDegrees: data.fix.longitude)
    guard fix.coordinate != nil else {
      fix.mode = .none
      return fix
    }
    fix.quality = Self.quality(Int(data.fix.status))
    if fix.mode == .threeDimensional {
      fix.ellipsoidalHeightMetres = within(data.fix.altHAE, -12_000...100_000)
      fix.meanSeaLevelHeightMetres = within(data.fix.altMSL, -12_000...100_000)
      fix.climbMetresPerSecond = within(data.fix.climb, -1000...1000)
      fix.verticalUncertaintyMetres95 = positive(data.fix.epv)
    }
    fix.speedMetresPerSecond = within(data.fix.speed, 0...100_000)
    fix.courseDegreesTrue = within(data.fix.track, 0...360).map { $0 == 360 ? 0 : $0 }
    fix.horizontalUncertaintyMetres95 = positive(data.fix.eph)
    if fix.horizontalUncertaintyMetres95 != nil || fix.verticalUncertaintyMetres95 != nil {
      fix.uncertaintySource = .gpsd
    }
    fix.headingDegreesTrue = headingDegreesTrue
    fix.horizontalDilution = dilutions.horizontal
    fix.verticalDilution = dilutions.vertical
    fix.positionDilution = dilutions.position
    fix.correctionAgeSeconds = within(data.fix.dgps_age, 0...86_400)
    if data.fix.dgps_station > 0 {
      fix.correctionStation = padded(Int(data.fix.dgps_station), 4)
    }
    return fix
  }

  private func beginInstant(_ milliseconds: Int64) {
    guard milliseconds != lastMilliseconds else { return }
    lastMilliseconds = milliseconds
    if !hasNewHeading { headingDegreesTrue = nil }
    hasNewHeading = false
    // The dilutions of another instant's SKY are not carried on: a listener that begins later then
    // knows the same.
    if !hasNewDilutions { dilutions = (nil, nil, nil) }
    hasNewDilutions = false
  }

  private func within(_ value: Double, _ range: ClosedRange<Double>) -> Double? {
    value.isFinite && range.contains(value) ? value : nil
  }

  private func positive(_ value: Double) -> Double? {
    value.isFinite && value > 0 ? value : nil
  }

  /// Returns the text of a fixed C array of characters, NUL-terminated or full.
  private func text<Characters>(of characters: inout Characters) -> String {
    withUnsafeBytes(of: &characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// Returns the quality for gpsd's status number, as gps.h of 3.22 defines it; nil for unknown
  /// ones.
  private static func quality(_ status: Int) -> FixQuality? {
    switch status {
    // Status 6 is satellites and dead reckoning together.
    case 1, 6: .autonomous
    case 2: .differential
    case 3: .rtkFixed
    case 4: .rtkFloat
    case 5: .estimated
    case 8: .simulated
    // Status 7 is a surveyed place, where only time is measured.
    case 7: .manual
    case 9: .precise
    default: nil
    }
  }

  /// Returns the constellation for gpsd's number, which is u-blox's; GPS for unknown numbers.
  private static func constellation(_ gnssid: Int) -> Constellation {
    switch gnssid {
    case 1: .sbas
    case 2: .galileo
    case 3: .beiDou
    case 5: .qzss
    case 6: .glonass
    case 7: .navIC
    default: .gps
    }
  }

  /// Returns the signal for gpsd's number, which is u-blox's too, and not NMEA's; nil for unknown
  /// ones. Number 0 means the first civil signal and also "not said", so it gives nil. Source:
  /// gpsd_json(5), SKY, sigid.
  private static func signal(_ constellation: Constellation, _ sigid: Int) -> SatelliteSignal? {
    let id: Int? =
      switch (constellation, sigid) {
      case (.gps, 3): 6
      case (.gps, 4): 5
      case (.gps, 6): 7
      case (.gps, 7): 8
      case (.galileo, 1): 7
      case (.galileo, 3), (.galileo, 4): 1
      case (.galileo, 5), (.galileo, 6): 2
      case (.beiDou, 1): 1
      case (.beiDou, 2), (.beiDou, 3): 11
      case (.beiDou, 5), (.beiDou, 6): 3
      case (.beiDou, 7), (.beiDou, 8): 5
      case (.qzss, 1): 4
      case (.qzss, 4): 5
      case (.qzss, 5): 6
      case (.qzss, 8): 7
      case (.qzss, 9): 8
      case (.glonass, 2): 3
      default: nil
      }
    return id.flatMap { SatelliteSignal(constellation: constellation, id: $0) }
  }
}
