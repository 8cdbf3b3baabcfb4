import Geodesy
import Inspection
import TimeAndText

extension KMLDocument {
  /// Writes a photo, and the view of its camera on the ground if its direction is known.
  func placemark(
    _ exported: ExportedPhoto, _ name: PhotoName.Texts, _ xml: inout XMLWriter
  ) throws {
    let photo = exported.photo
    let position = photo.position
    try xml.element("Placemark", [("id", "photo-\(photo.id)")]) { xml in
      try xml.leaf("name", name.photo)
      try xml.leaf("Snippet", [("maxLines", "2")], summary(of: photo))
      try xml.leaf("description") { try balloon(exported, name.photo, $0) }
      if let azimuth = photo.orientation?.azimuthDegreesTrue {
        try camera(at: position.coordinate, azimuth, photo.orientation, &xml)
      }
      if photo.gnssTime.date != nil {
        try xml.element("TimeStamp") { try $0.leaf("when") { try $0.time(photo.gnssTime) } }
      }
      try xml.leaf("styleUrl", "#photo-\(exported.task?.state.rawValue ?? "alone")")
      try data(PhotoFields.table, exported, &xml)
      try point(position.coordinate, height: position.meanSeaLevelHeightMetres, &xml)
    }
    guard let cone = KMLViewCone(of: photo) else { return }
    try xml.element("Placemark") { xml in
      try xml.leaf("name", name.view)
      try xml.leaf("styleUrl", "#view-style")
      try xml.element("Polygon") { xml in
        try xml.leaf("tessellate", "1")
        try xml.element("outerBoundaryIs") { xml in
          try xml.element("LinearRing") { try $0.leaf("coordinates") { try cone.write(to: $0) } }
        }
      }
    }
  }

  /// Writes the camera at an eye's height above the ground: heights above the sea differ from those
  /// of a map program's terrain by metres, and a camera below it shows nothing.
  func camera(
    at place: Coordinate, _ azimuth: Double, _ orientation: Orientation?, _ xml: inout XMLWriter
  ) throws {
    try xml.element("Camera") { xml in
      try xml.leaf("longitude", place.longitudeDegrees, places: 9)
      try xml.leaf("latitude", place.latitudeDegrees, places: 9)
      try xml.leaf("altitude", 1.6, places: 3)
      try xml.leaf("heading", azimuth, places: 1)
      // Limited to 0…180°: no camera is held beyond that, and the schema has -90 to 180.
      try xml.leaf("tilt", min(max(orientation?.angleDegrees ?? 90, 0), 180), places: 1)
      try xml.leaf("roll", orientation?.rollDegrees ?? 0, places: 1)
      try xml.leaf("altitudeMode", "relativeToGround")
    }
  }

  /// Writes a place on the ground; its height above the sea stays with it, for programs.
  func point(
    _ coordinate: Coordinate, height: Double?, _ xml: inout XMLWriter
  ) throws {
    try xml.element("Point") { xml in
      try xml.leaf("altitudeMode", "clampToGround")
      try xml.leaf("coordinates") { out in
        try place(coordinate, out)
        if let height {
          try out.words(",")
          try out.decimal(height, places: 3)
        }
      }
    }
  }

  private func summary(of photo: Photo) -> String {
    [
      words.plusMinus(photo.position.uncertaintyMetres95).map(words.within),
      words.angle(
        photo.orientation?.azimuthDegreesTrue,
        accuracy: photo.orientation?.azimuthAccuracyDegrees),
      words.tag(photo.origin), photo.isSimulated ? words.simulated : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }

  /// Writes the balloon: the photo's name, the picture, if it lies next to the document, and ten
  /// facts. The balloon is HTML inside XML; text from outside is escaped for both.
  private func balloon(_ exported: ExportedPhoto, _ name: String, _ out: ByteWriter) throws {
    try out.words("&lt;h3&gt;")
    try out.htmlInXML(name)
    try out.words("&lt;/h3&gt;")
    if let links = try pictures?(exported) { try self.links(links, out) }
    try table(facts(about: exported), out)
  }

  /// Writes facts as a table of HTML; a fact without a text is left out.
  func table(_ facts: [(label: String, text: String?)], _ out: ByteWriter) throws {
    try out.words("&lt;table&gt;")
    for (label, text) in facts {
      guard let text, !text.isEmpty else { continue }
      try out.words("&lt;tr&gt;&lt;th align=\"left\"&gt;")
      try out.htmlInXML(label)
      try out.words("&lt;/th&gt;&lt;td&gt;")
      try out.htmlInXML(text)
      try out.words("&lt;/td&gt;&lt;/tr&gt;")
    }
    try out.words("&lt;/table&gt;")
  }

  /// Returns the ten facts that a person asks for first; nil for one that is not known.
  private func facts(about exported: ExportedPhoto) -> [(label: String, text: String?)] {
    let photo = exported.photo
    let radius = words.plusMinus(photo.position.uncertaintyMetres95).map(words.within)
    let tags = [words.tag(photo.origin), photo.isSimulated ? words.simulated : nil]
    return [
      (kmlWords.task, exported.task?.name), (words.decision, exported.task.map(decision)),
      (words.taken, words.taken(photo)), (words.takenBy, photo.inspector),
      (
        words.place,
        "\(words.place(photo.position.coordinate)), \(radius ?? words.uncertaintyUnknown)"
      ), (words.positionFrom, words.positionFrom(photo)),
      (
        words.height,
        photo.position.meanSeaLevelHeightMetres.map {
          words.aboveSea(words.number($0, places: 1, unit: "\u{A0}m"))
        }
      ), (words.direction, words.direction(of: photo.orientation)),
      (
        kmlWords.evidenceShort,
        ([exported.verdict.map(words.word)] + tags).compactMap(\.self).joined(separator: ", ")
      ), (words.note, photo.note),
    ]
  }

  private func decision(on task: InspectionTask) -> String {
    TaskFields.decision(of: task).map { words.t($0.to.title) } ?? words.notDecided
  }

  private func links(_ links: PictureLinks, _ out: ByteWriter) throws {
    try out.words("&lt;p&gt;")
    if let photo = links.photo {
      try out.words("&lt;a href=\"")
      try out.htmlInXML(photo)
      try out.words("\"&gt;")
    }
    if let thumbnail = links.thumbnail {
      try out.words("&lt;img src=\"")
      try out.htmlInXML(thumbnail)
      try out.words("\" width=\"320\" alt=\"\"/&gt;")
    } else {
      try out.htmlInXML(links.photo == nil ? kmlWords.pictureAbsent : kmlWords.photoFile)
    }
    if links.photo != nil { try out.words("&lt;/a&gt;") }
    try out.words("&lt;/p&gt;")
  }
}
