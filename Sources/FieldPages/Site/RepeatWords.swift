import Inspection
import TimeAndText
import Web

/// The words for how well a photo repeats a photo point.
struct RepeatWords {
  let t: Texts

  init(_ t: Texts) { self.t = t }

  /// Returns the numbers in one line: distance, angle and displacement, each with a sign for met or
  /// not met where there is a limit.
  func line(_ claims: RepeatClaims) -> String {
    [distance(claims), angle(claims), displacement(claims)].compactMap(\.self)
      .joined(separator: ", ")
  }

  /// Returns the distance to the place of the earlier photo, with the most that meets it.
  func distance(_ claims: RepeatClaims) -> String {
    t(
      "place {1} {2} m (at most {3} m)", sign(claims.isPlaceMet),
      t.decimal(claims.distanceMetres, places: 1), t.decimal(claims.toleranceMetres, places: 1))
  }

  /// Returns the whole angle with the most that meets it; nil if it is unknown.
  func angle(_ claims: RepeatClaims) -> String? {
    claims.angleDegrees.map {
      t(
        "direction {1} {2}° (at most {3}°)", sign(claims.isAttitudeMet == true),
        t.decimal($0, places: 1), t.decimal(RepeatTolerance.usualDegrees, places: 0))
    }
  }

  /// Returns the displacement of the picture; nil if the pictures were not compared.
  func displacement(_ claims: RepeatClaims) -> String? {
    if let percent = claims.displacementPercent {
      return t("picture displaced by {1} %", t.decimal(percent, places: 1))
    }
    return claims.inliers.map { t("pictures cannot be compared ({1} matches)", $0) }
  }

  private func sign(_ isMet: Bool) -> String { isMet ? "✓" : "⚠" }
}
