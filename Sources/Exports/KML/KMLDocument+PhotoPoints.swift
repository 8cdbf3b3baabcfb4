import Inspection

extension KMLDocument {
  /// Writes a photo point, and a line to the thing that it shows if that thing's place is known.
  func placemarks(_ exported: ExportedPhotoPoint, _ xml: inout XMLWriter) throws {
    let (point, stand) = (exported.point, exported.point.stand)
    try xml.element("Placemark", [("id", "point-\(point.id)")]) { xml in
      try xml.leaf("name", point.title)
      try xml.leaf("description") { try table(facts(about: exported), $0) }
      if let azimuth = stand.orientation?.azimuthDegreesTrue {
        try camera(at: stand.coordinate, azimuth, stand.orientation, &xml)
      }
      try xml.leaf("styleUrl", "#photo-alone")
      try self.point(stand.coordinate, height: nil, &xml)
    }
    guard let subject = point.subject else { return }
    try xml.element("Placemark") { xml in
      try xml.leaf("name", kmlWords.subject(of: point.title))
      try xml.leaf("styleUrl", "#view-style")
      try xml.element("LineString") { xml in
        try xml.leaf("tessellate", "1")
        try xml.leaf("coordinates") { out in
          try place(stand.coordinate, out)
          try out.words(" ")
          try place(subject, out)
        }
      }
    }
  }

  /// Returns the facts about a photo point, with the numbers of its last repeat.
  private func facts(about exported: ExportedPhotoPoint) -> [(label: String, text: String?)] {
    let (point, stand) = (exported.point, exported.point.stand)
    let radius = words.plusMinus(stand.uncertaintyMetres95).map(words.within)
    var facts: [(label: String, text: String?)] = [
      (words.code, point.code?.spaced), (words.parcel, point.parcel),
      (words.referencePhoto, point.reference.photo.description),
      (words.place, "\(words.place(stand.coordinate)), \(radius ?? words.uncertaintyUnknown)"),
      (words.positionFrom, point.pose == .estimated ? words.onMapByOfficer : nil),
      (words.direction, words.direction(of: stand.orientation)),
      (words.repeats, "\(exported.repeats.count)"),
    ]
    guard let last = exported.repeats.last else { return facts }
    facts.append((words.lastRepeat, words.moment(last.taken)))
    for row in words.numbers(of: last.claims, officePercent: last.displacementPercent) {
      facts.append((row.label, row.text))
    }
    return facts
  }
}
