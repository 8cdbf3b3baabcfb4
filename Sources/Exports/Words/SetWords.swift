import Inspection
import TimeAndText

/// The words on sets of pictures.
struct SetWords {
  let words: DocumentWords

  private var t: DocumentLanguage { words.t }

  var kind: String { t("Report on a set of pictures") }
  var sets: String { t("Sets of pictures") }
  func follow(_ count: Int) -> String { t("Sets of pictures, behind the photos: {1}.", count) }
  func title(_ kind: FrameSetKind) -> String {
    switch kind {
    case .around: t("Walk round a thing")
    case .turn: t("Turn on the spot")
    }
  }
  func title(_ set: FrameSet) -> String {
    "\(title(set.terms.kind)), \(words.moment(set.start.deviceTime))"
  }
  var views: String { t("Views of the set") }
  func filled(_ summary: FrameSetSummary) -> String {
    t("{1} of {2} sectors", "\(summary.filled)", "\(summary.sectors)")
  }
  func viewMissing(_ degrees: Double) -> String { t("{1}: no picture", words.bearing(degrees)) }
  /// Returns an angle since the first frame, with the point of the compass where one is known.
  func view(_ degrees: Double, of set: FrameSet) -> String {
    let point = set.compassDegrees(ofAngle: degrees).flatMap { compassPoint($0) }
    return [point, words.bearing(degrees)].compactMap(\.self).joined(separator: "\u{A0}")
  }

  private func compassPoint(_ degrees: Double) -> String? {
    [
      0: t("N"), 45: t("NE"), 90: t("E"), 135: t("SE"), 180: t("S"), 225: t("SW"), 270: t("W"),
      315: t("NW"),
    ][degrees]
  }

  /// Returns what is known of a set, as labels and texts.
  func facts(
    of set: FrameSet, inspectorName: String? = nil, record: String
  ) -> [(label: String, text: String)] {
    let summary = set.summary
    let person = inspectorName.map { "\($0) (\(set.inspector))" } ?? set.inspector
    var rows = [
      (label: t("Inspector"), text: person),
      (t("Started"), words.moment(set.start.deviceTime)),
      (t("Ended"), words.moment(set.end.deviceTime)),
      (t("Sectors"), filled(summary)),
    ]
    if !summary.missingDegrees.isEmpty {
      rows.append((t("Missing"), summary.missingDegrees.map(words.bearing).joined(separator: " ")))
    }
    rows.append((t("Start"), place(of: set.start)))
    rows.append((t("End"), place(of: set.end)))
    if let walked = summary.walked {
      rows.append(
        (
          t("From the end to the start"),
          words.number(walked.closingMetres, places: 1, unit: "\u{A0}m")
        ))
      if let covered = walked.coveredDegrees {
        rows.append(
          (
            t("Seen from its middle, the way covers"),
            words.number(abs(covered), places: 0, unit: "°")
          ))
      }
    }
    if set.isSimulated { rows.append((words.receiver, words.receiverSimulated)) }
    rows.append((t("Identifier"), set.id.description))
    rows.append((t("SHA-256 of the record"), record))
    return rows
  }

  private func place(of stand: SetStand) -> String {
    let radius =
      words.plusMinus(stand.position.uncertaintyMetres95).map(words.within)
      ?? words.uncertaintyUnknown
    return "\(words.place(stand.position.coordinate)), \(radius)"
  }
}
