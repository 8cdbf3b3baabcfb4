/// The page that says which field of the other exports a word of this document stands for: the
/// document has words for people, and this table lets a reader find the same value in a CSV or
/// another export.
struct PDFFieldNames {
  /// A word of the document, and the dictionary's name for it.
  typealias Name = (word: String, field: String)

  let flow: PDFFlow

  static let task: [Name] = [
    (PDFWords.identifier, "task"), (PDFWords.agency, "agency"), (PDFWords.inspector, "inspector"),
    (PDFWords.type, "type"), (PDFWords.revision, "revision"), (PDFWords.created, "created"),
    (PDFWords.due, "due"), (PDFWords.instructions, "instructions"), (PDFWords.note, "note"),
    (PDFWords.returnReason, "decisionReason"),
  ]
  static let parcel: [Name] = [
    (PDFWords.parcel, "identifier"), (PDFWords.area, "areaSquareMetres"),
  ]
  static let photo: [Name] = [
    (PDFWords.identifier, "photo"), (PDFWords.latitude, "latitudeDegrees"),
    (PDFWords.longitude, "longitudeDegrees"),
    (PDFWords.ellipsoidalHeight, "ellipsoidalHeightMetres"),
    (PDFWords.seaLevelHeight, "meanSeaLevelHeightMetres"),
    (PDFWords.uncertainty, "uncertaintyMetres95"), (PDFWords.method, "method"),
    (PDFWords.samples, "samples"), (PDFWords.worth, "effectiveSamples"),
    (PDFWords.spread, "spreadMetres"), (PDFWords.gnssTime, "gnssTime"),
    (PDFWords.deviceTime, "deviceTime"), (PDFWords.azimuth, "azimuthDegreesTrue"),
    (PDFWords.angle, "angleDegrees"), (PDFWords.directionSource, "orientationSource"),
    (PDFWords.origin, "origin"), (PDFWords.receiver, "simulated"), (PDFWords.sent, "sent"),
    (PDFWords.receipt, "delivered"), (PDFWords.digest, "fileSHA256"),
    (PDFWords.takenBy, "inspector"), (PDFWords.verifier, "verdict"),
    (PDFWords.satellites, "satellitesUsed"), (PDFWords.dilution, "horizontalDilution"),
    (PDFWords.fixQuality, "fixQuality"), (PDFWords.fixUncertainty, "fixUncertaintyMetres95"),
    (PDFWords.fixAge, "fixAgeSeconds"),
  ]
  static let track: [Name] = [
    (PDFWords.identifier, "track"), (PDFWords.trackStarted, "started"),
    (PDFWords.trackEnded, "ended"), (PDFWords.trackDuration, "durationSeconds"),
    (PDFWords.points, "points"), (PDFWords.length, "lengthMetres"),
    (PDFWords.area, "areaSquareMetres"), (PDFWords.areaPlusMinus, "areaUncertaintySquareMetres95"),
  ]
  static let point: [Name] = [
    (PDFWords.radii, "uncertaintyMetres95"), (PDFWords.gaps, "gapBefore"),
  ]

  /// Returns the names with the dictionary's units, without those that the dictionary does not
  /// have.
  static func rows(
    _ names: [Name], of table: FieldTable<some Any>
  ) -> [(word: String, field: String, unit: String)] {
    names.compactMap { name in
      table.fields.first { $0.name == name.field }.map { (name.word, $0.name, $0.unit ?? "") }
    }
  }

  func draw() throws(PDFError) {
    try flow.newPage()
    try flow.paragraph(PDFWords.fieldNames, .subtitle)
    flow.space(2)
    try flow.paragraph(PDFWords.fieldNamesMean, .label)
    flow.space(3)
    var table = PDFTable(widths: [72, 150, 196, PDFFlow.width - 418])
    table.head = PDFWords.fieldNamesColumns.map { PDFTable.Cell($0, .columnHead) }
    add(Self.rows(Self.task, of: TaskFields.table), TaskFields.table.name, to: &table)
    add(Self.rows(Self.parcel, of: ParcelFields.table), ParcelFields.table.name, to: &table)
    add(Self.rows(Self.photo, of: PhotoFields.table), PhotoFields.table.name, to: &table)
    add(Self.rows(Self.track, of: TrackFields.table), TrackFields.table.name, to: &table)
    add(Self.rows(Self.point, of: PointFields.table), PointFields.table.name, to: &table)
    try flow.table(table)
  }

  private func add(
    _ rows: [(word: String, field: String, unit: String)], _ name: String,
    to table: inout PDFTable
  ) {
    for row in rows {
      table.rows.append(
        [name, row.word, row.field, row.unit].map { PDFTable.Cell($0, .fine) })
    }
  }
}
