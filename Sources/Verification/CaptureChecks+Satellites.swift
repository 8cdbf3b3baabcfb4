import Evidence
import Inspection
import Positioning
import TimeAndText

extension CaptureChecks {
  /// The largest difference between the strength that a record tells of a satellite and those in the
  /// raw window, dB-Hz. A device of an earlier version asked for its sky a moment after it had kept the
  /// window, so that the next second's strengths may stand in its record.
  static let strengthToleranceDecibelHertz = 3.0

  /// The time after which a window without any satellite cannot be explained by a receiver that tells
  /// its sky seldom, seconds: a sky counts no longer than that.
  private static let seldomSeconds = 30.0

  /// Compares the satellites that a record names one by one with those that its raw window reports;
  /// nil if each of them is there with its strength, or if the window is too short to report any.
  /// - Parameter spanSeconds: the time that the window covers, to the shutter.
  static func satelliteProblem(
    _ claims: JSONValue?, _ again: Recomputation, spanSeconds: Double
  ) -> Wording? {
    guard let claims else { return nil }
    guard let claimed = claims.elements else { return "its list of satellites cannot be read" }
    let heard = strengths(again)
    guard !heard.isEmpty || spanSeconds >= seldomSeconds else { return nil }
    let constellations = Set(heard.keys.map(\.constellation))
    for claim in claimed {
      guard let name = claim["constellation"]?.text, let system = Constellation(name: name),
        let id = claim["id"]?.wholeNumber
      else { return "its list of satellites cannot be read" }
      let satellite = "\(system.name) \(id)"
      guard let range = heard[HeardName(constellation: system, id: id)] else {
        // A constellation may have been told just before the window, and no more in it.
        if !constellations.contains(system), spanSeconds < seldomSeconds { continue }
        return "its satellite \(satellite) is not in the raw window"
      }
      guard let strength = claim["carrierToNoiseDecibelHertz"]?.measured else { continue }
      guard let range,
        (range.lowerBound - strengthToleranceDecibelHertz...range.upperBound
          + strengthToleranceDecibelHertz).contains(strength)
      else { return "its satellite \(satellite) has another signal in the raw window" }
    }
    return nil
  }

  private struct HeardName: Hashable {
    var constellation: Constellation
    var id: Int
  }

  /// Returns the satellites of a window, each with its weakest and strongest signal; nil as the range
  /// of a satellite that was in view and not tracked.
  private static func strengths(_ again: Recomputation) -> [HeardName: ClosedRange<Double>?] {
    var heard: [HeardName: ClosedRange<Double>?] = [:]
    for satellite in again.sky.reports.flatMap(\.satellites) + again.lastSky {
      let name = HeardName(constellation: satellite.constellation, id: satellite.id)
      guard let strength = satellite.carrierToNoiseDecibelHertz else {
        if heard[name] == nil { heard[name] = .some(nil) }
        continue
      }
      let known = heard[name] ?? nil
      heard[name] =
        min(known?.lowerBound ?? strength, strength)...max(known?.upperBound ?? strength, strength)
    }
    return heard
  }
}
