import Evidence
import Geodesy
import Inspection
import SetCapture
import SetViewing
import TimeAndText

/// Sets as text for people and as JSON for programs.
enum SetLine {
  static func say(_ head: FrameSetHead, _ common: CommonOptions) {
    if common.isJSON { Terminal.say(json(head)) } else { Terminal.say(text(head)) }
  }

  static func say(_ open: OpenSet, frames: Int, _ common: CommonOptions) {
    if common.isJSON {
      Terminal.say(
        JSONValue.members([
          ("id", .string(open.id.description)), ("state", .string("open")),
          ("kind", .string(open.terms.kind.rawValue)), ("task", .text(open.task)),
          ("sectors", .integer(open.ring.count)), ("frames", .integer(frames)),
        ]))
    } else {
      Terminal.say(
        "\(open.id)  \(open.terms.kind.rawValue)  \(frames) of \(open.ring.count) sectors  interrupted"
      )
    }
  }

  static func text(_ head: FrameSetHead) -> String {
    "\(head.id)  \(head.kind.rawValue)  \(head.started.rfc3339)  \(head.filled) of \(head.sectors)"
      + " sectors" + (head.isComplete ? "" : "  incomplete")
      + (head.isSimulated ? "  simulated" : "") + (head.sent == nil ? "" : "  sent")
      + (head.delivered == nil ? "" : "  delivered")
  }

  static func json(_ head: FrameSetHead) -> JSONValue {
    JSONValue.members([
      ("id", .string(head.id.description)), ("state", .string("captured")),
      ("kind", .string(head.kind.rawValue)), ("task", .text(head.task)),
      ("started", .string(head.started.rfc3339)), ("ended", .string(head.ended.rfc3339)),
      ("sectors", .integer(head.sectors)), ("frames", .integer(head.filled)),
      ("isComplete", .bool(head.isComplete)), ("isSimulated", .bool(head.isSimulated)),
      ("latitudeDegrees", .number(head.place.latitudeDegrees)),
      ("longitudeDegrees", .number(head.place.longitudeDegrees)),
      ("bytes", head.bytes.map { .integer($0) } ?? .null), ("sent", .text(head.sent?.rfc3339)),
      ("delivered", .text(head.delivered?.rfc3339)),
    ])
  }

  /// Returns an angle with the digits that it has, and no more than three.
  static func angle(_ degrees: Double) -> String {
    var text = DecimalText.fixed(degrees, places: 3)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  static func lines(_ set: FrameSet) -> [String] {
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

  static func lines(_ folder: AroundFolder) -> [String] {
    let document = folder.document
    return [
      "\(document.uid)  \(document.elements.count) images  radius \(angle(document.radiusDegrees))°"
    ]
      + document.elements.map { element in
        "\(element.image)  \(angle(element.angleDegrees))°"
          + (folder.missing.contains(element.image) ? "  not there" : "")
      }
  }

  static func json(_ folder: AroundFolder) -> JSONValue {
    JSONValue.members([
      ("uid", .string(folder.document.uid)), ("date", .number(folder.document.unixSeconds)),
      ("radius", .number(folder.document.radiusDegrees)),
      (
        "images",
        .array(
          folder.document.elements.map { element in
            JSONValue.members([
              ("image", .string(element.image)), ("angleDegrees", .number(element.angleDegrees)),
              ("isThere", .bool(!folder.missing.contains(element.image))),
            ])
          })
      ),
    ])
  }

  private static func stand(_ stand: SetStand) -> String {
    let place = stand.position.coordinate
    return DecimalText.fixed(place.latitudeDegrees, places: 7) + ", "
      + DecimalText.fixed(place.longitudeDegrees, places: 7)
      + (stand.position.uncertaintyMetres95.map {
        " ± \(DecimalText.fixed($0, places: 2)) m (95 %)"
      } ?? "")
  }

  static func json(_ set: FrameSet) -> JSONValue {
    let summary = set.summary
    let walked = summary.walked
    return JSONValue.members([
      ("id", .string(set.id.description)), ("kind", .string(set.terms.kind.rawValue)),
      ("task", .text(set.task)), ("sectors", .integer(summary.sectors)),
      ("filled", .integer(summary.filled)), ("isComplete", .bool(summary.isComplete)),
      ("missingDegrees", .array(summary.missingDegrees.map { .number($0) })),
      ("coveredDegrees", walked?.coveredDegrees.map { .number($0) } ?? .null),
      ("closingMetres", walked.map { .number($0.closingMetres) } ?? .null),
      ("isRound", walked?.isRound.map { .bool($0) } ?? .null),
      ("isClosed", walked?.isClosed.map { .bool($0) } ?? .null),
      (
        "frames",
        .array(
          set.frames.enumerated().map { index, frame in
            JSONValue.members([
              ("number", .integer(index + 1)), ("digest", .string(frame.digest)),
              ("angleDegrees", .number(frame.attitude.angleDegrees)),
              ("quality", .number(frame.quality)), ("isMoving", .bool(frame.isMoving)),
            ])
          })
      ),
    ])
  }
}
