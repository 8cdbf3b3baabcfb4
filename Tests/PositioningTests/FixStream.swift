import Foundation
import Geodesy
import Positioning
import TestSupport
import Testing
import TimeAndText

/// Fixes of a receiver that is carried along a path, without any sentence in between.
struct FixStream {
  var origin: Coordinate
  var hertz = 1.0
  var noiseMetres = 0.0
  /// The correlation time of the noise in seconds; 0 for white noise.
  var noiseSeconds = 0.0
  var saysSpeed = true
  var startMilliseconds = 36_000_000

  /// Returns one fix per epoch; `place` gives metres east and north at so many seconds.
  func fixes(
    seconds: Double, seed: UInt64 = 1, place: (Double) -> (east: Double, north: Double)
  ) -> [Fix] {
    var generator = SeededGenerator(seed: seed)
    let plane = LocalPlane(origin: origin)
    let keep = noiseSeconds > 0 ? exp(-1 / (hertz * noiseSeconds)) : 0
    var error = (
      east: normal(&generator) * noiseMetres, north: normal(&generator) * noiseMetres
    )
    return (0..<Int((seconds * hertz).rounded())).compactMap { index in
      let now = Double(index) / hertz
      let fresh = noiseMetres * (1 - keep * keep).squareRoot()
      error.east = error.east * keep + normal(&generator) * fresh
      error.north = error.north * keep + normal(&generator) * fresh
      let here = place(now)
      let before = place(max(0, now - 1 / hertz))
      let milliseconds = (startMilliseconds + Int((now * 1000).rounded())) % 86_400_000
      guard let time = GNSSTime(millisecondsSinceMidnight: milliseconds, date: nil) else {
        return nil
      }
      var fix = Fix(time: time)
      fix.coordinate = plane.coordinate(
        of: PlanePoint(
          eastMetres: here.east + error.east, northMetres: here.north + error.north))
      fix.mode = .threeDimensional
      fix.quality = .autonomous
      fix.ellipsoidalHeightMetres = 100
      fix.meanSeaLevelHeightMetres = 50
      fix.horizontalUncertaintyMetres95 = 5
      fix.uncertaintySource = .dilution
      if saysSpeed {
        fix.speedMetresPerSecond = hypot(here.east - before.east, here.north - before.north) * hertz
      }
      return fix
    }
  }
}

/// Places in Bohemia, in Chile, on the equator, on both sides of the antimeridian, and at both
/// poles.
let placesOfTheWorld: [(Double, Double)] = [
  (50, 14), (-33.9, -70.6), (0, 0), (10, 180), (-17, -180), (-17, 179.999_999), (90, 0), (-90, 120),
  (89.999_999, 45),
]
