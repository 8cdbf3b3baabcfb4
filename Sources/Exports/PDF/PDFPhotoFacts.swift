import Evidence
import Inspection
import PDFWriting
import Positioning
import TimeAndText

/// The facts about a photo in words: when, who, where, and where to.
struct PDFPhotoFacts {
  let part: Dossier.PhotoPart
  /// The photo's seal file; nil if there is no record.
  let record: SealFile?
  let takenBy: String
  let words: DocumentWords

  private var photo: Photo { part.photo }

  /// The facts with their labels; a fact that nobody told is left out, except those that every
  /// photo should have.
  var rows: [(label: String, text: String)] {
    var rows = [
      (words.taken, words.taken(photo)),
      (words.takenBy, takenBy), (words.place, place),
      (words.positionFrom, words.positionFrom(photo)),
    ]
    if let height { rows.append((words.height, height)) }
    rows.append((words.direction, words.direction(of: photo.orientation) ?? words.notKnown))
    rows.append((words.fieldOfView, fieldOfView))
    if let told = photo.toldGNSSTime, told.date != nil {
      rows.append((words.clock, words.difference(photo.deviceTime, told)))
    }
    rows.append((words.camera, words.origin(photo, way: part.cameraWay)))
    if let receiver { rows.append((words.receiver, receiver)) }
    let delivery = [photo.sent, photo.delivered].compactMap(\.self).map(words.moment)
    if !delivery.isEmpty { rows.append((words.delivery, delivery.joined(separator: " · "))) }
    if let between = part.sealedBetween { rows.append((words.sealed, between)) }
    return rows
  }

  private var place: String {
    guard !photo.claimsNoPlace else { return words.notKnown }
    let radius = words.plusMinus(photo.position.uncertaintyMetres95).map {
      words.whole(words.within($0))
    }
    return "\(words.place(photo.position.coordinate)), \(radius ?? words.uncertaintyUnknown)"
  }

  private var height: String? {
    let metres = "\u{A0}m"
    let texts = [
      photo.position.meanSeaLevelHeightMetres.map {
        words.aboveSea(words.number($0, places: 1, unit: metres))
      },
      photo.position.ellipsoidalHeightMetres.map {
        words.aboveEllipsoid(words.number($0, places: 1, unit: metres))
      },
    ].compactMap(\.self)
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }

  private var fieldOfView: String {
    let camera = photo.camera
    let across = words.number(camera.horizontalDegrees, places: 0, unit: "°")
    let along = words.number(camera.verticalDegrees, places: 0, unit: "°")
    return "\(across)\u{A0}×\u{A0}\(along) (\(words.source(camera.source)))"
  }

  private var receiver: String? {
    var parts = [photo.isSimulated ? words.receiverSimulated : nil, part.receiverSource]
      .compactMap(\.self)
    if let record { parts += words.reception(Reception(record: record.record)) }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  // MARK: drawing

  /// Returns the facts as a table of labels and texts.
  func table(width: Double) -> PDFTable {
    var table = PDFTable.labelled(width: width, labels: 82)
    for row in rows { table.add(row.label, row.text) }
    return table
  }

  /// Draws the facts in a narrow column, each label above its text, and moves down.
  func drawStacked(on flow: PDFFlow, left: Double, width: Double) {
    for row in rows {
      flow.draw(row.label, x: left, top: flow.y, .fineLabel)
      flow.space(PDFStyle.fineLabel.leading)
      for line in Self.lines(row.text, on: flow, width: width) {
        flow.draw(line, x: left, top: flow.y, .body)
        flow.space(PDFStyle.body.leading - 1)
      }
      flow.space(2)
    }
  }

  /// Returns the height of the narrow column, in points.
  func stackedHeight(on flow: PDFFlow, width: Double) -> Double {
    rows.reduce(0) { sum, row in
      let lines = Self.lines(row.text, on: flow, width: width).count
      return sum + PDFStyle.fineLabel.leading + Double(lines) * (PDFStyle.body.leading - 1) + 2
    }
  }

  private static func lines(_ text: String, on flow: PDFFlow, width: Double) -> [String] {
    flow.typeface(.body).lines(of: text, size: PDFStyle.body.size, width: width)
  }
}
