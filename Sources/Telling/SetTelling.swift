import Evidence
import Geodesy
import Inspection
import SetCapture
import SetViewing
import TimeAndText

/// Sets as text for people.
package enum SetTelling {
  /// Returns a set of a list in one line.
  package static func text(_ head: FrameSetHead) -> String {
    "\(head.id)  \(head.kind.rawValue)  \(head.started.rfc3339)  \(head.filled) of \(head.sectors)"
      + " sectors" + (head.isComplete ? "" : "  incomplete")
      + (head.isSimulated ? "  simulated" : "") + (head.sent == nil ? "" : "  sent")
      + (head.delivered == nil ? "" : "  delivered")
  }

  /// Returns an angle with the digits that it has, and no more than three.
  package static func angle(_ degrees: Double) -> String {
    var text = DecimalText.fixed(degrees, places: 3)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// Returns a set in some lines: its summary, and a line for each frame.
  package static func lines(_ set: FrameSet) -> [String] {
    let summary = set.summary
    var lines = [
      "\(set.id)  \(set.terms.kind.rawValue)  \(summary.filled) of \(summary.sectors) sectors",
      "start  " + stand(set.start), "end    " + stand(set.end),
    ]
    if let walked = summary.walked {
      lines.append(
        "way    "
          + (walked.coveredDegrees.map { "\(DecimalText.fixed($0, places: 0))° round its middle, " }
            ?? "") + "closes within \(DecimalText.fixed(walked.closingMetres, places: 1)) m")
    }
    if !summary.missingDegrees.isEmpty {
      lines.append(
        "missing " + summary.missingDegrees.map { angle($0) + "°" }.joined(separator: " "))
    }
    lines += summary.shortcomings.map { "note   \($0)" }
    for (index, frame) in set.frames.enumerated() {
      lines.append(
        "\(SealedPart.digits(index + 1))  \(angle(frame.attitude.angleDegrees))°  quality"
          + " \(DecimalText.fixed(frame.quality, places: 2))"
          + (frame.isMoving ? "  moving" : ""))
    }
    return lines
  }

  /// Returns a folder of another program's images in some lines.
  package static func lines(_ folder: AroundFolder) -> [String] {
    let document = folder.document
    return [
      "\(document.uid)  \(document.elements.count) images  radius \(angle(document.radiusDegrees))°"
    ]
      + document.elements.map { element in
        "\(element.image)  \(angle(element.angleDegrees))°"
          + (folder.missing.contains(element.image) ? "  not there" : "")
      }
  }

  private static func stand(_ stand: SetStand) -> String {
    let place = stand.position.coordinate
    return DecimalText.fixed(place.latitudeDegrees, places: 7) + ", "
      + DecimalText.fixed(place.longitudeDegrees, places: 7)
      + (stand.position.uncertaintyMetres95.map {
        " ± \(DecimalText.fixed($0, places: 2)) m (95 %)"
      } ?? "")
  }
}
