import Foundation
import Geodesy
import Inspection
import Positioning
import TimeAndText

/// The check of the directions in which a receiver saw satellites, against orbits that the office has
/// from elsewhere. A person who invents a sky, or plays one of another hour, has to compute the right one.
package enum SkyCheck {
  /// Makes the check.
  /// - Parameters:
  ///   - sky: the skies of the raw window.
  ///   - time: the time of the photo.
  ///   - place: the place of the photo.
  ///   - orbits: the office's orbits, for each satellite the one nearest to that time.
  package static func check(
    _ sky: SkyHistory, at time: DeviceTime, from place: Coordinate, orbits: [SatelliteOrbit]
  ) -> PhotoCheck {
    // Satellites that are not tracked are shown by the receiver's own almanac, which may be old.
    let tracked =
      (sky.reports.last { !directed($0.satellites).isEmpty }?.satellites).map(directed) ?? []
    guard !tracked.isEmpty else { return PhotoCheck(.sky, .notCheckable) }
    let known = Dictionary(
      SatelliteOrbit.current(orbits, at: time).map { (Name($0.constellation, $0.id), $0) }
    ) { first, _ in first }
    var misses: [Double] = []
    var ages: [Double] = []
    for satellite in tracked {
      guard let orbit = known[Name(satellite.constellation, satellite.id)],
        let expected = orbit.direction(at: time, from: place),
        let elevation = satellite.elevationDegrees, let azimuth = satellite.azimuthDegrees
      else { continue }
      misses.append(
        angle(
          elevation, azimuth, expected.elevationDegrees, expected.azimuthDegrees))
      ages.append(orbit.age(at: time) / 86_400)
    }
    let agreeing = misses.count { $0 <= Limits.directionMissDegrees }
    let numbers: [PhotoCheck.Quantity: Double?] = [
      .reportedSatellites: Double(tracked.count), .comparedSatellites: Double(misses.count),
      .agreeingSatellites: Double(agreeing), .medianMissDegrees: median(misses),
      .orbitAgeDays: median(ages),
    ]
    guard misses.count > 0 else { return PhotoCheck(.sky, .notCheckable, numbers) }
    guard misses.count >= Limits.fewestComparedDirections else {
      return PhotoCheck(.sky, .unclear, numbers)
    }
    let share = Double(agreeing) / Double(misses.count)
    return PhotoCheck(
      .sky,
      share >= Limits.shareOfARealSky
        ? .agrees : share <= Limits.shareOfAnotherSky ? .contradicts : .unclear, numbers)
  }

  private struct Name: Hashable {
    let constellation: Constellation
    let number: Int

    init(_ constellation: Constellation, _ id: Int) {
      self.constellation = constellation
      number = constellation.number(ofID: id)
    }
  }

  private static func directed(_ satellites: [Satellite]) -> [Satellite] {
    satellites.filter {
      $0.carrierToNoiseDecibelHertz != nil && $0.elevationDegrees != nil
        && $0.azimuthDegrees != nil
    }
  }

  /// Returns the angle between two directions on the sky, degrees.
  static func angle(
    _ elevation: Double, _ azimuth: Double, _ otherElevation: Double, _ otherAzimuth: Double
  ) -> Double {
    let radian = Double.pi / 180
    let (first, second) = (elevation * radian, otherElevation * radian)
    let cosine =
      sin(first) * sin(second)
      + cos(first) * cos(second) * cos((azimuth - otherAzimuth) * radian)
    return acos(max(-1, min(1, cosine))) / radian
  }

  private static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }
}

extension Limits {
  /// The largest angle between a satellite's reported and its computed direction that counts as the
  /// same, degrees. Receivers round to one degree; an orbit that is weeks old is off by a few.
  package static let directionMissDegrees = 10.0
  /// The fewest satellites whose directions decide.
  package static let fewestComparedDirections = 5
  /// The share of satellites that stand where they should, from which on a sky agrees. A satellite may
  /// have been moved or replaced since its orbit was published.
  package static let shareOfARealSky = 0.75
  /// The share up to which a sky is that of another place or hour. Of satellites at random, one in a
  /// hundred and thirty stands within ten degrees of where it should.
  package static let shareOfAnotherSky = 0.5
}
