import Geodesy
import Inspection
import TimeAndText

/// A KML 2.2 document with Google's extension for tracks (OGC 07-147r2; gx of 2009), which Google
/// Earth, QGIS and GDAL open. Its bytes depend only on the exported data, never on the clock. A
/// file that was cut off lacks its closing tag, which every reader notices.
public struct KMLDocument {
  /// The options of a KML document.
  public struct Options: Hashable, Sendable {
    /// True if each point of a track is a placemark of its own, instead of the track as a whole.
    public var pointFeatures = false

    /// Creates options; without arguments, the usual ones.
    public init(pointFeatures: Bool = false) { self.pointFeatures = pointFeatures }
  }

  let options: Options
  let words: DocumentWords
  var kmlWords: KMLWords { KMLWords(t: words.t) }
  let pictures: ((ExportedPhoto) throws -> PictureLinks)?

  /// Writes a source as KML, piece by piece.
  /// - Parameters:
  ///   - language: the language of names and balloons; fields are the same in each.
  ///   - pictures: returns the paths of a photo's pictures next to the document, and is asked once
  ///     for each photo; nil if there are no pictures at all.
  public static func write(
    _ source: some ExportSource, options: Options = Options(),
    language: DocumentLanguage = .english,
    pictures: ((ExportedPhoto) throws -> PictureLinks)? = nil,
    to sink: @escaping ([UInt8]) throws -> Void
  ) throws {
    let out = ByteWriter(to: sink)
    var xml = try XMLWriter(out)
    let columns = try source.answerColumns()
    let tasks = columns.table()
    let document = KMLDocument(
      options: options, words: DocumentWords(t: language), pictures: pictures)
    try xml.element(
      "kml",
      [
        ("xmlns", "http://www.opengis.net/kml/2.2"),
        ("xmlns:gx", "http://www.google.com/kml/ext/2.2"),
      ]
    ) { xml in
      try xml.element("Document") { xml in
        try xml.leaf("name", source.title)
        try document.styles(&xml)
        try document.schemas(&xml, tasks)
        try source.forEachTask(with: columns) { try document.folder($0, tasks, source, &xml) }
        try document.rest(source, &xml)
      }
    }
    try out.finish()
  }

  private func folder(
    _ answered: AnsweredTask, _ fields: FieldTable<AnsweredTask>, _ source: some ExportSource,
    _ xml: inout XMLWriter
  ) throws {
    let task = answered.task
    try xml.element("Folder") { xml in
      try xml.leaf("name", "\(task.state.sign) \(task.name)")
      try xml.leaf("description") { out in
        try out.htmlInXML(remarks(on: task).joined(separator: "\n"))
      }
      try data(fields, answered, &xml)
      for land in ExportedParcel.all(of: task) { try placemark(land, &xml) }
      let name = PhotoName(of: task, words)
      var number = 0
      try source.forEachPhoto(of: task) { photo in
        number += 1
        try placemark(photo, name.with("\(number)"), &xml)
      }
      try source.forEachSet(of: task) { try placemarks($0, &xml) }
      try source.forEachTrack(of: task) { try placemarks($0, &xml) }
    }
  }

  private func remarks(on task: InspectionTask) -> [String] {
    [
      words.state(task.state), task.due.map { "\(words.due): \(words.moment($0))" },
      task.instructions.map { "\(words.instructions): \($0)" },
      task.returnReason.map { "\(kmlWords.returnReason): \($0)" },
      task.note.map { "\(words.note): \($0)" },
    ].compactMap(\.self)
  }

  /// Writes the photos, sets and tracks without a task, and the photo points. A folder begins with the
  /// first of them, so there is no empty folder.
  private func rest(_ source: some ExportSource, _ xml: inout XMLWriter) throws {
    var hasBegun = false
    func begin(_ name: String) throws {
      guard !hasBegun else { return }
      hasBegun = true
      try xml.out.words("    <Folder>\n      <name>")
      try xml.out.xml(name)
      try xml.out.words("</name>\n")
      xml.deepen(1)
    }
    func end() throws {
      guard hasBegun else { return }
      hasBegun = false
      xml.deepen(-1)
      try xml.out.words("    </Folder>\n")
    }
    let name = PhotoName(of: nil, words)
    try source.forEachPhoto(of: nil) { photo in
      try begin(kmlWords.photosAlone)
      try placemark(photo, name.with(words.taken(photo.photo)), &xml)
    }
    try end()
    try source.forEachSet(of: nil) { set in
      try begin(kmlWords.setsAlone)
      try placemarks(set, &xml)
    }
    try end()
    try source.forEachTrack(of: nil) { track in
      try begin(kmlWords.tracksAlone)
      try placemarks(track, &xml)
    }
    try end()
    try source.forEachPhotoPoint { point in
      try begin(kmlWords.photoPoints)
      try placemarks(point, &xml)
    }
    try end()
  }

  // MARK: parcels

  private func placemark(_ exported: ExportedParcel, _ xml: inout XMLWriter) throws {
    let parcel = exported.parcel
    try xml.element("Placemark") { xml in
      try xml.leaf("name", kmlWords.land(exported.kind, parcel.identifier))
      try xml.leaf("styleUrl", "#parcel-\(exported.task.state.rawValue)")
      try data(ParcelFields.table, exported, &xml)
      let parts = parcel.parts
      if parts.count <= 1 {
        // The rings are written as the parcel has them: the first ring is the outline.
        try polygon(parcel.rings, &xml)
      } else {
        try xml.element("MultiGeometry") { xml in
          for part in parts { try polygon([part.outline] + part.holes, &xml) }
        }
      }
    }
  }

  private func polygon(_ rings: [[Coordinate]], _ xml: inout XMLWriter) throws {
    try xml.element("Polygon") { xml in
      try xml.leaf("tessellate", "1")
      for (index, ring) in rings.enumerated() {
        try xml.element(index == 0 ? "outerBoundaryIs" : "innerBoundaryIs") { xml in
          try xml.element("LinearRing") { xml in
            try xml.leaf("coordinates") { out in
              try places(ring.directed(counterClockwise: index == 0), out)
            }
          }
        }
      }
    }
  }

  private func places(_ ring: [Coordinate], _ out: ByteWriter) throws {
    for (index, corner) in ring.enumerated() {
      if index > 0 { try out.words(" ") }
      try place(corner, out)
    }
  }

  // MARK: fields

  /// Writes the fields that are known, under the dictionary's names.
  func data<Row>(_ table: FieldTable<Row>, _ row: Row, _ xml: inout XMLWriter) throws {
    try xml.element("ExtendedData") { xml in
      try xml.element("SchemaData", [("schemaUrl", "#\(table.rowName)")]) { xml in
        for (name, value) in table.known(of: row) {
          try xml.leaf("SimpleData", named: name) { out in
            try out.field(value) { try out.xml($0) }
          }
        }
      }
    }
  }
}

extension [Coordinate] {
  /// Returns the ring closed and in the given direction: outlines run counter-clockwise, holes
  /// clockwise.
  func directed(counterClockwise: Bool) -> [Coordinate] {
    let corners = count > 1 && first == last ? dropLast() : self[...]
    let isCounterClockwise = Geodesic.polygon(Array(corners)).isCounterClockwise
    let ring = isCounterClockwise == counterClockwise ? Array(corners) : corners.reversed()
    return ring + ring.prefix(1)
  }
}
