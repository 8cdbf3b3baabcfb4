import Geodesy
import Inspection
import TimeAndText

extension KMLDocument {
  func placemark(_ exported: ExportedPhoto, _ xml: inout XMLWriter) throws {
    let photo = exported.photo
    let position = photo.position
    try xml.element("Placemark", [("id", "photo-\(photo.id)")]) { xml in
      try xml.leaf("name", "Photo \(photo.timeText)")
      try xml.leaf("Snippet", [("maxLines", "2")], summary(of: photo))
      try xml.leaf("description") { try balloon(exported, $0) }
      if let azimuth = photo.orientation?.azimuthDegreesTrue {
        try xml.element("Camera") { xml in
          try xml.leaf("longitude", position.coordinate.longitudeDegrees, places: 9)
          try xml.leaf("latitude", position.coordinate.latitudeDegrees, places: 9)
          // KML's heights are above mean sea level; without one the camera is placed 1.6 m above
          // the ground.
          try xml.leaf("altitude", position.meanSeaLevelHeightMetres ?? 1.6, places: 3)
          try xml.leaf("heading", azimuth, places: 1)
          // Limited to 0…180°: no camera is held beyond that, and the schema has -90 to 180.
          try xml.leaf("tilt", min(max(photo.orientation?.angleDegrees ?? 90, 0), 180), places: 1)
          try xml.leaf("roll", photo.orientation?.rollDegrees ?? 0, places: 1)
          try xml.leaf(
            "altitudeMode",
            position.meanSeaLevelHeightMetres == nil ? "relativeToGround" : "absolute")
        }
      }
      if photo.gnssTime.date != nil {
        try xml.element("TimeStamp") { try $0.leaf("when") { try $0.time(photo.gnssTime) } }
      }
      try xml.leaf("styleUrl", "#photo-\(exported.task?.state.rawValue ?? "alone")")
      try data(PhotoFields.table, exported, &xml)
      try point(position.coordinate, height: position.meanSeaLevelHeightMetres, &xml)
    }
  }

  private func point(
    _ coordinate: Coordinate, height: Double?, _ xml: inout XMLWriter
  ) throws {
    try xml.element("Point") { xml in
      if height != nil { try xml.leaf("altitudeMode", "absolute") }
      try xml.leaf("coordinates") { out in
        try out.degrees(coordinate.longitudeDegrees)
        try out.words(",")
        try out.degrees(coordinate.latitudeDegrees)
        if let height {
          try out.words(",")
          try out.decimal(height, places: 3)
        }
      }
    }
  }

  private func summary(of photo: Photo) -> String {
    var words: [String] = []
    // A radius larger than the Earth tells a reader nothing.
    if let uncertainty = photo.position.uncertaintyMetres95, uncertainty < 1e8 {
      words.append("± \(DecimalText.fixed(uncertainty, places: 1)) m (95 %)")
    }
    words.append("position: \(photo.position.method.name)")
    if let azimuth = photo.orientation?.azimuthDegreesTrue {
      words.append("azimuth \(DecimalText.fixed(azimuth, places: 1))° true")
    }
    if photo.origin == .imported { words.append("imported picture") }
    if photo.origin == .egnss4cap { words.append("sent by a phone's app, not sealed") }
    if photo.isSimulated { words.append("demonstration: simulated receiver") }
    return words.joined(separator: ", ")
  }

  /// Writes the balloon: the picture, if it lies next to the document, and each claim with its
  /// unit. The balloon is HTML inside XML; text from outside is escaped for both.
  private func balloon(_ exported: ExportedPhoto, _ out: ByteWriter) throws {
    try out.words("&lt;p&gt;")
    try out.htmlInXML(summary(of: exported.photo))
    try out.words("&lt;/p&gt;")
    if let links = try pictures?(exported) { try self.links(links, out) }
    try out.words("&lt;table&gt;")
    for field in PhotoFields.table.fields {
      guard let value = field(exported) else { continue }
      try out.words("&lt;tr&gt;&lt;th align=\"left\"&gt;")
      try out.plain(field.name)
      try out.words("&lt;/th&gt;&lt;td&gt;")
      try out.field(value) { try out.htmlInXML($0) }
      if let unit = field.unit {
        try out.words(" ")
        try out.plain(unit)
      }
      try out.words("&lt;/td&gt;&lt;/tr&gt;")
    }
    try out.words("&lt;/table&gt;")
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
      try out.words(
        links.photo == nil ? "The picture is not at hand." : "The photo's file")
    }
    if links.photo != nil { try out.words("&lt;/a&gt;") }
    try out.words("&lt;/p&gt;")
  }
}
