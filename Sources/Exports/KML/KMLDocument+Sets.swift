import Geodesy
import Inspection

extension KMLDocument {
  /// Writes a set at the place where it began, and the way that was walked.
  func placemarks(_ exported: ExportedSet, _ xml: inout XMLWriter) throws {
    let set = exported.set
    let name = words.onSets.title(set)
    try xml.element("Placemark", [("id", "set-\(set.id)")]) { xml in
      try xml.leaf("name", name)
      try xml.leaf("description") { out in
        let lacks = set.summary.shortcomings.map { (label: "!", text: Optional(words.t($0))) }
        try table(
          lacks
            + words.onSets.facts(of: set, record: exported.record).map {
              ($0.label, Optional($0.text))
            }, out)
      }
      try xml.leaf("styleUrl", "#photo-alone")
      try point(set.start.position.coordinate, height: nil, &xml)
    }
    guard set.terms.kind.isWalked else { return }
    let way = set.frames.sorted { $0.seconds < $1.seconds }.compactMap(\.place?.coordinate)
    try xml.element("Placemark") { xml in
      try xml.leaf("name", kmlWords.way(of: name))
      try xml.leaf("styleUrl", "#track-style")
      try xml.element("LineString") { xml in
        try xml.leaf("tessellate", "1")
        try xml.leaf("coordinates") { out in
          let places =
            [set.start.position.coordinate] + way + [set.end.position.coordinate]
          for (index, one) in places.enumerated() {
            if index > 0 { try out.words(" ") }
            try place(one, out)
          }
        }
      }
    }
  }
}
