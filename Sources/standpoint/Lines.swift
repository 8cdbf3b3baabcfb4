import Evidence
import FieldUnit
import Foundation
import Geodesy
import Inspection
import Positioning
import Store
import Sync
import Telling
import TimeAndText

/// Lines about tasks.
enum TaskLine {
  static func members(
    _ task: InspectionTask, photos: Int, at now: DeviceTime
  ) -> [(String, JSONValue?)] {
    [
      ("id", .string(task.id.description)), ("name", .string(task.name)),
      ("type", .text(task.type)), ("state", .string(task.state.rawValue)),
      ("photos", .integer(photos)), ("created", .string(task.created.rfc3339)),
      ("due", .text(task.due?.rfc3339)), ("overdue", .bool(task.isOverdue(at: now))),
      ("parcel", .text(task.parcel?.identifier)),
    ]
  }

  static func text(_ task: InspectionTask, photos: Int, at now: DeviceTime) -> String {
    var words = [
      task.id.description, "\(task.state.sign) \(task.state.fileTitle)", task.name,
      "\(photos) photo\(photos == 1 ? "" : "s")",
    ]
    if let due = task.due {
      words.append("due \(due.date.iso8601)" + (task.isOverdue(at: now) ? " OVERDUE" : ""))
    }
    return words.joined(separator: "  ")
  }

  static func say(_ task: InspectionTask, _ unit: InspectorUnit, _ common: CommonOptions) throws {
    let photos = try unit.photos(.task(task.id)).count
    if common.isJSON {
      Terminal.say(JSONValue.members(members(task, photos: photos, at: unit.clock.deviceTime)))
    } else {
      Terminal.say(text(task, photos: photos, at: unit.clock.deviceTime))
    }
  }

  private static func sayLand(of task: InspectionTask) {
    func say(_ kind: String, _ name: String, _ squareMetres: Double) {
      Terminal.say("\(kind) \(name), \(DecimalText.fixed(squareMetres, places: 0)) m²")
    }
    if let parcel = task.parcel { say("Parcel", parcel.identifier, parcel.areaSquareMetres) }
    for place in task.places.list {
      say(place.kind == .parcel ? "Parcel" : "Section", place.name, place.areaSquareMetres)
    }
  }

  /// Returns the files for the inspector; nil for none. The path is nil for one that has not come yet.
  private static func attachments(of task: InspectionTask, _ unit: InspectorUnit) -> JSONValue? {
    task.attachments.list.isEmpty
      ? nil
      : .array(
        task.attachments.list.map {
          .members([
            ("name", .string($0.name)), ("kind", .string($0.kind.rawValue)),
            ("bytes", .integer($0.bytes)), ("sha256", .string($0.digest)),
            ("path", .text(OrderFileShelf.path(ofFile: $0.digest, on: unit))),
          ])
        })
  }

  private static func sayAttachments(of task: InspectionTask, _ unit: InspectorUnit) {
    for file in task.attachments.list {
      let path = OrderFileShelf.path(ofFile: file.digest, on: unit)
      Terminal.say("Attachment \(file.name), \(file.bytes) bytes: \(path ?? "not here yet")")
    }
  }

  /// Returns the further parcels and the sections of an order; nil for none.
  private static func places(of task: InspectionTask) -> JSONValue? {
    task.places.list.isEmpty
      ? nil
      : .array(
        task.places.list.map {
          .members([
            ("kind", .string($0.kind.rawValue)), ("name", .string($0.name)),
            ("squareMetres", .rounded($0.areaSquareMetres, 1)),
          ])
        })
  }

  static func show(_ task: InspectionTask, _ unit: InspectorUnit, isJSON: Bool) throws {
    let photos = try unit.photos(.task(task.id))
    let tracks = try unit.tracks(.task(task.id))
    let items = try unit.taskItems(of: task.id)
    let now = unit.clock.deviceTime
    guard isJSON else {
      Terminal.say(text(task, photos: photos.count, at: now))
      sayLand(of: task)
      sayAttachments(of: task, unit)
      if let words = task.instructions { Terminal.say("Instructions: \(words)") }
      for set in task.sets.list {
        Terminal.say(
          set.kind == .around
            ? "Needs a walk round a thing with \(set.sectors) pictures"
            : "Needs a turn on the spot with \(set.sectors) views")
      }
      for (index, item) in (items?.order.items.items ?? []).enumerated() {
        Terminal.say("Asked for " + ItemLine.text(item, number: index + 1))
        if let answer = items?.answers[item.name] { Terminal.say("  " + ItemLine.text(answer)) }
        if let verdict = items?.verdicts.last.first(where: { $0.item == item.name }) {
          Terminal.say("  " + (verdict.returned.map { "returned: \($0)" } ?? "accepted"))
        }
      }
      if let reason = task.returnReason { Terminal.say("Returned because: \(reason)") }
      if let note = task.note { Terminal.say("Note: \(note)") }
      for photo in photos { Terminal.say("Photo " + PhotoLine.text(photo)) }
      for track in tracks { Terminal.say("Track " + TrackLine.text(track)) }
      for step in task.history {
        Terminal.say(
          "\(step.time.rfc3339)  \(step.from.fileTitle) → \(step.to.fileTitle)  by \(step.person.login)"
            + (step.reason.map { ": \($0)" } ?? ""))
      }
      return
    }
    let history = task.history.map { step in
      JSONValue.members([
        ("time", .string(step.time.rfc3339)), ("action", .string(step.action.rawValue)),
        ("from", .string(step.from.rawValue)), ("to", .string(step.to.rawValue)),
        ("by", .string(step.person.login)), ("reason", .text(step.reason)),
      ])
    }
    var all = members(task, photos: photos.count, at: now).filter { $0.0 != "photos" }
    all += [
      ("instructions", .text(task.instructions)), ("returnReason", .text(task.returnReason)),
      ("around", task.sets.aroundSectors.map(JSONValue.integer)),
      ("turn", task.sets.turnViews.map(JSONValue.integer)),
      ("places", places(of: task)), ("attachments", attachments(of: task, unit)),
      ("template", items.map { .string($0.order.type) }),
      ("templateVersion", items.map { .integer($0.order.version) }),
      ("items", items.map { ItemsJSON.json($0.order.items) }),
      ("answers", items.map { $0.json }), ("missing", items.map(\.missing)),
      ("verdicts", items.map(\.verdictsJSON)),
      ("note", .text(task.note)), ("photos", .array(photos.map { PhotoLine.json($0) })),
      ("tracks", .array(tracks.map(TrackLine.json))), ("history", .array(history)),
    ]
    Terminal.say(JSONValue.members(all))
  }
}

/// Lines about items.
enum ItemLine {
  /// Returns an item with its number, from 1.
  static func text(_ item: OrderItem, number: Int) -> String {
    let kind =
      switch item.content {
      case .shot(let shot): "shot" + (shot.least > 1 ? " ×\(shot.least)" : "")
      case .question(let question): ItemsJSON.formName(question.form)
      case .track: "track"
      case .note: "note"
      case .words: "words"
      }
    let marks = [
      item.isRequired ? "required" : nil, item.condition == nil ? nil : "on a condition",
    ]
    .compactMap(\.self)
    let end = marks.isEmpty ? "" : " (" + marks.joined(separator: ", ") + ")"
    return "\(number)\t\(item.name)\t\(kind)\t\(item.wording)\(end)"
  }
}

extension ItemLine {
  /// Returns an answer.
  static func text(_ answer: SealedAnswer) -> String {
    let photos = answer.photos.isEmpty ? "" : "  rests on \(answer.photos.count) photos"
    return switch answer.answer {
    case .value: "answered: \(answer.words ?? "")\(photos)"
    case .notPossible(let reason): "not possible: \(reason)\(photos)"
    }
  }
}

/// Lines about photos.
enum PhotoLine {
  /// Returns a photo as JSON.
  /// - Parameter removed: the time at which its bytes left the device; nil while they are here.
  static func json(_ photo: Photo, removed: DeviceTime? = nil) -> JSONValue {
    .members([
      ("id", .string(photo.id.description)), ("task", .text(photo.task)),
      ("item", .text(photo.item?.description)),
      ("time", .string(photo.timeText)),
      ("lat", .rounded(photo.position.coordinate.latitudeDegrees, 9)),
      ("lon", .rounded(photo.position.coordinate.longitudeDegrees, 9)),
      (
        "uncertaintyMetres95",
        photo.position.uncertaintyMetres95.map { .rounded($0, 3) }
      ), ("method", .string(photo.position.method.name)),
      ("origin", .string(photo.origin.rawValue)), ("sent", .bool(photo.sent != nil)),
      ("delivered", .bool(photo.delivered != nil)), ("note", .text(photo.note)),
      ("removed", .text(removed?.rfc3339)),
    ])
  }

  static func text(_ photo: Photo, removed: DeviceTime? = nil) -> String {
    let place = photo.position.coordinate
    var words = [
      photo.id.description, photo.timeText,
      "\(DecimalText.fixed(place.latitudeDegrees, places: 7))°"
        + " \(DecimalText.fixed(place.longitudeDegrees, places: 7))°",
    ]
    if let radius = photo.position.uncertaintyMetres95 {
      words.append("± \(DecimalText.fixed(radius, places: 1)) m")
    }
    words.append(photo.position.method.name)
    if photo.origin == .imported { words.append("imported") }
    if photo.origin == .egnss4cap { words.append("not sealed") }
    words.append(photo.delivered != nil ? "delivered" : photo.sent != nil ? "sent" : "not sent")
    if let removed { words.append("removed from this device \(removed.rfc3339)") }
    return words.joined(separator: "  ")
  }
}

/// Lines about tracks.
enum TrackLine {
  static func json(_ track: Track) -> JSONValue {
    let measures = track.measures
    return .members([
      ("id", .string(track.id.description)), ("task", .text(track.task)),
      ("name", .string(track.name)), ("start", .string(track.started.rfc3339)),
      ("end", .text(track.ended?.rfc3339)), ("points", .integer(measures.points)),
      ("lengthMetres", .rounded(measures.lengthMetres, 2)),
      ("areaSquareMetres", measures.areaSquareMetres.map { .rounded($0, 2) }),
      (
        "areaUncertaintySquareMetres95",
        measures.areaUncertaintySquareMetres95.map { .rounded($0, 2) }
      ), ("sent", .bool(track.sent != nil)),
    ])
  }

  static func text(_ track: Track) -> String {
    let measures = track.measures
    var words = [
      track.id.description, track.name, "\(measures.points) points",
      "\(DecimalText.fixed(measures.lengthMetres, places: 1)) m",
    ]
    if let area = measures.areaSquareMetres {
      words.append(
        "\(DecimalText.fixed(area, places: 0)) m²"
          + (measures.areaUncertaintySquareMetres95.map {
            " ± \(DecimalText.fixed($0, places: 0)) m²"
          } ?? ""))
    }
    words.append(track.ended == nil ? "unfinished" : track.sent != nil ? "sent" : "not sent")
    return words.joined(separator: "  ")
  }
}

/// Lines about how well one photo repeats another.
struct RepeatLines {
  private var distanceMetres: Double?
  private var distanceUncertaintyMetres95: Double?
  private var angles: (whole: Double?, roll: Double?, pitch: Double?, yaw: Double?)
  /// The number of features that agree; nil if the pictures were not compared.
  private var inliers: Int?
  private var displacementPercent: Double?

  /// Creates the lines for two photos; the measure is nil if a place is unknown.
  init(measure: RepeatMeasure?, comparison: PictureComparison) {
    distanceMetres = measure?.distanceMetres
    distanceUncertaintyMetres95 = measure?.distanceUncertaintyMetres95
    angles = (
      measure?.angleDegrees, measure?.rollDegrees, measure?.pitchDegrees, measure?.yawDegrees
    )
    inliers = comparison.inliers
    displacementPercent = comparison.displacementPercent
  }

  /// Creates the lines for a photo's record.
  init(claims: RepeatClaims) {
    distanceMetres = claims.distanceMetres
    distanceUncertaintyMetres95 = claims.distanceUncertaintyMetres95
    angles = (
      claims.angleDegrees, claims.rollDegrees, claims.pitchDegrees, claims.yawDegrees
    )
    inliers = claims.inliers
    displacementPercent = claims.displacementPercent
  }

  var json: JSONValue {
    .members([
      ("distanceMetres", distanceMetres.map { .rounded($0, 2) }),
      ("distanceUncertaintyMetres95", distanceUncertaintyMetres95.map { .rounded($0, 2) }),
      ("angleDegrees", angles.whole.map { .rounded($0, 2) }),
      ("rollDegrees", angles.roll.map { .rounded($0, 2) }),
      ("pitchDegrees", angles.pitch.map { .rounded($0, 2) }),
      ("yawDegrees", angles.yaw.map { .rounded($0, 2) }),
      ("inliers", inliers.map { .integer($0) }),
      ("displacementPercent", displacementPercent.map { .rounded($0, 2) }),
    ])
  }

  var text: String {
    var lines: [String] = []
    if let distanceMetres {
      let radius = distanceUncertaintyMetres95.map { " ± \(DecimalText.fixed($0, places: 1))" }
      lines.append(
        "distance      \(DecimalText.fixed(distanceMetres, places: 1))\(radius ?? "") m")
      lines += [
        line("whole angle   ", angles.whole), line("to the left   ", angles.roll),
        line("up            ", angles.pitch), line("anti-clockwise", angles.yaw),
      ]
    }
    if let displacementPercent {
      lines.append(
        "displacement  \(DecimalText.fixed(displacementPercent, places: 2)) % of the frame"
          + " (\(inliers ?? 0) features agree)")
    } else {
      lines.append(
        inliers.map { "displacement  cannot be compared (\($0) matches)" }
          ?? "displacement  not compared")
    }
    return lines.joined(separator: "\n")
  }

  private func line(_ name: String, _ degrees: Double?) -> String {
    name + (degrees.map { " \(DecimalText.fixed($0, places: 1))°" } ?? " unknown")
  }
}
