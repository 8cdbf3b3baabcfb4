import Evidence
import Geodesy
import Inspection
import SetCapture
import SetViewing
import Telling
import TimeAndText

/// Sets as text for people and as JSON for programs.
enum SetLine {
  static func say(_ head: FrameSetHead, _ common: CommonOptions) {
    if common.isJSON { Terminal.say(json(head)) } else { Terminal.say(SetTelling.text(head)) }
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
