import Inspection

/// The words on photo points, on their labels, and on photos that repeat them.
extension DocumentWords {
  var photoPointLabels: String { t("Labels of photo points") }
  var code: String { t("Code") }
  var referencePhoto: String { t("Reference photo") }
  var repeats: String { t("Number of repeats") }
  var lastRepeat: String { t("Last repeat") }
  var thisPhoto: String { t("This photo") }
  var oneScale: String { t("Both at one scale: what was equally far away is equally large.") }
  var onMapByOfficer: String { t("an officer, on a map") }
  func repeats(_ point: String) -> String { t("Repeat of the photo point “{1}”", point) }
  func referenceMissing(_ reason: String) -> String {
    t("The reference photo cannot be shown: {1}.", reason)
  }

  /// Returns the numbers of a repeat with their labels; numbers that nobody has told are left out.
  /// - Parameter officePercent: the office's own displacement; nil if there is none.
  func numbers(
    of claims: RepeatClaims, officePercent: Double?
  ) -> [(label: String, text: String)] {
    func told(_ text: String, _ isMet: Bool?) -> String {
      isMet.map { "\(text), \($0 ? t("met") : t("not met"))" } ?? text
    }
    func side(_ degrees: Double?, _ more: String, _ less: String) -> String? {
      number(degrees.map(abs), places: 1).map { "\($0)° \((degrees ?? 0) >= 0 ? more : less)" }
    }
    let metres = number(claims.distanceMetres, places: 1, unit: "\u{A0}m")
    let radius = plusMinus(claims.distanceUncertaintyMetres95).map { " \(within($0))" } ?? ""
    var rows = [(label: t("Distance"), text: told(metres + radius, claims.isPlaceMet))]
    if let angle = number(claims.angleDegrees, places: 1) {
      rows.append((t("Angle"), told("\(angle)°", claims.isAttitudeMet)))
    }
    let parts = [
      side(claims.rollDegrees, t("to the left"), t("to the right")),
      side(claims.pitchDegrees, t("higher"), t("lower")),
      side(claims.yawDegrees, t("anti-clockwise"), t("clockwise")),
    ].compactMap(\.self)
    rows.append((t("The camera looked"), parts.isEmpty ? notKnown : parts.joined(separator: ", ")))
    if let inliers = claims.inliers {
      let displaced = number(claims.displacementPercent, places: 1)
      rows.append(
        (
          t("Picture displaced by"),
          displaced.map { t("{1} % of the frame ({2} features agree)", $0, inliers) }
            ?? t("The pictures cannot be compared ({1} matches).", inliers)
        ))
    }
    if let percent = number(officePercent, places: 1) {
      rows.append((t("Displaced, as the office compared"), t("{1} % of the frame", percent)))
    }
    return rows
  }
}
