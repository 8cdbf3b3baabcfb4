import Geodesy
import Inspection
import Positioning
import TimeAndText

extension InspectorUnit {
  /// Returns the direction of the camera: the stated one, or else that of the device's own sensors,
  /// or else the receiver's heading; nil if none is known.
  package func orientation(
    _ exposure: Exposure, _ aim: CaptureRequest.Aim, at position: PhotoPosition
  ) -> Orientation? {
    let declination = Self.declinationDegrees(
      at: position.coordinate, ellipsoidalHeightMetres: position.ellipsoidalHeightMetres,
      on: exposure.deviceTime)
    if let stated = Self.stated(aim, declination) { return stated }
    // The sensors' attitude is that of the lens in the device's back.
    if let page = exposure.page, page.looksTowardsPerson != true, let attitude = page.attitude {
      return attitude.orientation(declinationDegrees: declination)
    }
    return aim.mayBeReceivers ? Self.heading(of: exposure.shutter.fix, declination) : nil
  }

  /// Returns the magnetic declination at a place and time, degrees; nil if the model has none.
  package static func declinationDegrees(
    at coordinate: Coordinate, ellipsoidalHeightMetres: Double?, on time: DeviceTime
  ) -> Double? {
    try? MagneticDeclination.degrees(
      at: coordinate, ellipsoidalHeightMetres: ellipsoidalHeightMetres ?? 0,
      decimalYear: time.date.decimalYear
    ).get()
  }

  /// Returns the stated direction; nil if nothing was stated. A magnetic heading is corrected with
  /// the declination at the place and date; if the model has none, the azimuth stays unknown and
  /// the magnetic heading is kept.
  private static func stated(
    _ aim: CaptureRequest.Aim, _ known: Double?
  ) -> Orientation? {
    let declination = aim.headingDegreesMagnetic == nil ? nil : known
    let azimuth =
      aim.headingDegreesMagnetic.map { magnetic in declination.map { magnetic + $0 } }
      ?? aim.headingDegreesTrue
    guard azimuth != nil || aim.headingDegreesMagnetic != nil || aim.pitchDegrees != nil else {
      return nil
    }
    var orientation = Orientation(
      azimuthDegreesTrue: azimuth, elevationDegrees: aim.pitchDegrees,
      rollDegrees: aim.rollDegrees, source: .stated)
    orientation.headingDegreesMagnetic = aim.headingDegreesMagnetic
    orientation.declinationDegrees = declination
    return orientation
  }

  /// Returns the heading of a receiver that has a compass or two antennas; nil if the fix has none.
  private static func heading(of fix: Fix, _ declination: Double?) -> Orientation? {
    let magnetic = fix.headingDegreesTrue == nil ? fix.headingDegreesMagnetic : nil
    guard fix.headingDegreesTrue != nil || magnetic != nil else { return nil }
    var orientation = Orientation(
      azimuthDegreesTrue: fix.headingFromTrueNorth(declinationDegrees: declination),
      elevationDegrees: nil, rollDegrees: nil, source: .receiver)
    orientation.headingDegreesMagnetic = magnetic
    orientation.declinationDegrees = magnetic == nil ? nil : declination
    return orientation
  }
}
