import Evidence
import Geodesy
import Positioning
import TimeAndText

/// Lines about fixes: gpsd's TPV names and units in JSON, a short line for people.
package enum FixLine {
  /// Returns a fix for programs.
  package static func json(_ fix: Fix, ageSeconds: Double?) -> JSONValue {
    .members([
      ("time", .text(fix.time.rfc3339)), ("timeOfDay", .string(fix.time.timeOfDay)),
      ("mode", .integer(fix.mode.rawValue)), ("status", status(fix.quality).map { .integer($0) }),
      ("quality", .text(fix.quality?.name)),
      ("lat", fix.coordinate.map { .rounded($0.latitudeDegrees, 9) }),
      ("lon", fix.coordinate.map { .rounded($0.longitudeDegrees, 9) }),
      ("altHAE", fix.ellipsoidalHeightMetres.map { .rounded($0, 3) }),
      ("altMSL", fix.meanSeaLevelHeightMetres.map { .rounded($0, 3) }),
      ("eph", fix.horizontalUncertaintyMetres95.map { .rounded($0, 3) }),
      ("epv", fix.verticalUncertaintyMetres95.map { .rounded($0, 3) }),
      ("speed", fix.speedMetresPerSecond.map { .rounded($0, 3) }),
      ("track", fix.courseDegreesTrue.map { .rounded($0, 4) }),
      ("climb", fix.climbMetresPerSecond.map { .rounded($0, 3) }),
      ("heading", fix.headingDegreesTrue.map { .rounded($0, 4) }),
      ("magneticHeading", fix.headingDegreesMagnetic.map { .rounded($0, 4) }),
      ("hdop", fix.horizontalDilution.map { .rounded($0, 2) }),
      ("pdop", fix.positionDilution.map { .rounded($0, 2) }),
      ("vdop", fix.verticalDilution.map { .rounded($0, 2) }),
      ("satellites", fix.satellitesUsed.map { .integer($0) }),
      ("ageSeconds", ageSeconds.map { .rounded($0, 3) }),
    ])
  }

  /// Returns a fix for people.
  package static func text(_ fix: Fix, ageSeconds: Double?) -> String {
    var words = [fix.time.rfc3339 ?? fix.time.timeOfDay]
    if let place = fix.coordinate {
      words.append(DecimalText.fixed(place.latitudeDegrees, places: 7) + "°")
      words.append(DecimalText.fixed(place.longitudeDegrees, places: 7) + "°")
    } else {
      words.append("no position")
    }
    if let height = fix.meanSeaLevelHeightMetres {
      words.append(DecimalText.fixed(height, places: 1) + " m")
    }
    if let radius = fix.horizontalUncertaintyMetres95 {
      words.append("± \(DecimalText.fixed(radius, places: 1)) m")
    }
    if let speed = fix.speedMetresPerSecond {
      words.append(DecimalText.fixed(speed, places: 2) + " m/s")
    }
    if let quality = fix.quality { words.append(quality.name) }
    if let count = fix.satellitesUsed { words.append("\(count) satellites") }
    if let ageSeconds { words.append("age \(DecimalText.fixed(ageSeconds, places: 1)) s") }
    return words.joined(separator: "  ")
  }

  /// Returns the gate's verdict after a fix for programs.
  package static func json(_ judged: Fix, verdict: GateVerdict) -> JSONValue {
    .members([
      ("time", .text(judged.time.rfc3339)), ("timeOfDay", .string(judged.time.timeOfDay)),
      ("verdict", .string(verdict.state.rawValue)),
      ("reasons", .array(verdict.reasons.map { .string($0.text) })),
      (
        "speedMetresPerSecond",
        verdict.statistics.map { .rounded($0.speedMetresPerSecond, 3) }
      ),
      (
        "speedUpperMetresPerSecond95",
        verdict.statistics.map { .rounded($0.speedUpperMetresPerSecond95, 3) }
      ), ("windowSeconds", verdict.statistics.map { .rounded($0.windowSeconds, 3) }),
      ("fixes", verdict.statistics.map { .integer($0.fixes) }),
    ])
  }

  /// Returns the gate's verdict after a fix for people.
  package static func text(_ judged: Fix, verdict: GateVerdict) -> String {
    let words = verdict.reasons.map(\.text).joined(separator: "; ")
    let speed = verdict.statistics.map {
      "\(DecimalText.fixed($0.speedMetresPerSecond, places: 2)) m/s"
        + " (up to \(DecimalText.fixed($0.speedUpperMetresPerSecond95, places: 2)))"
    }
    let state = verdict.state.rawValue
    return [
      judged.time.timeOfDay, state + String(repeating: " ", count: max(0, 8 - state.count)),
      speed ?? "", words,
    ]
    .filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// Returns a standpoint for programs.
  package static func json(_ standpoint: Standpoint) -> JSONValue {
    let hull = standpoint.hull.map { corner in
      JSONValue.array([.rounded(corner.longitudeDegrees, 9), .rounded(corner.latitudeDegrees, 9)])
    }
    return .members([
      ("lat", .rounded(standpoint.coordinate.latitudeDegrees, 9)),
      ("lon", .rounded(standpoint.coordinate.longitudeDegrees, 9)),
      ("method", .string(standpoint.method.rawValue)), ("samples", .integer(standpoint.samples)),
      ("effectiveSamples", .rounded(standpoint.effectiveSamples, 2)),
      ("layers", .integer(standpoint.layers)),
      ("spreadMetres", .rounded(standpoint.spreadMetres, 3)),
      ("uncertaintyMetres95", standpoint.uncertaintyMetres95.map { .rounded($0, 3) }),
      ("hull", .array(hull)),
    ])
  }

  /// Returns gpsd's number for a fix's status; nil if the quality is invalid or unknown.
  private static func status(_ quality: FixQuality?) -> Int? {
    switch quality {
    case .autonomous: 1
    case .differential: 2
    case .rtkFixed: 3
    case .rtkFloat: 4
    case .estimated: 5
    case .manual: 7
    case .simulated: 8
    case .precise: 9
    case .invalid, nil: nil
    }
  }
}
