import Geodesy
import Inspection
import Positioning

/// KML 2.2 with Google's extension for tracks (OGC 07-147r2; gx of 2009): what Google Earth, QGIS
/// and GDAL open. Bytes depend on the selection alone, never on the clock.
public enum KMLDocument {
  /// Writes a selection piece by piece.
  public static func write(
    _ selection: ExportSelection, to sink: @escaping (String) throws -> Void
  ) throws {
    var xml = try XMLWriter(to: sink)
    try xml.element(
      "kml",
      [
        ("xmlns", "http://www.opengis.net/kml/2.2"),
        ("xmlns:gx", "http://www.google.com/kml/ext/2.2"),
      ]
    ) { xml in
      try xml.element("Document") { xml in
        try xml.leaf("name", selection.title)
        try styles(&xml)
        try schemas(&xml)
        for part in selection.tasks { try folder(part, &xml) }
        if !selection.photos.isEmpty {
          try xml.element("Folder") { xml in
            try xml.leaf("name", "Photos without a task")
            for photo in selection.photos { try placemark(photo, &xml) }
          }
        }
        if !selection.tracks.isEmpty {
          try xml.element("Folder") { xml in
            try xml.leaf("name", "Tracks without a task")
            for track in selection.tracks { try placemarks(track, &xml) }
          }
        }
      }
    }
  }

  private static func folder(
    _ part: ExportSelection.TaskPart, _ xml: inout XMLWriter
  ) throws {
    try xml.element("Folder") { xml in
      let task = part.task
      try xml.leaf("name", "\(task.state.sign) \(task.name)")
      var words = ["State: \(task.state.title)"]
      if let due = task.due { words.append("Due: \(due.rfc3339)") }
      if let instructions = task.instructions { words.append("Instructions: \(instructions)") }
      if let reason = task.returnReason { words.append("Returned because: \(reason)") }
      if let note = task.note { words.append("Note: \(note)") }
      try xml.leaf("description", words.joined(separator: "\n"))
      if let parcel = task.parcel { try placemark(parcel, of: task, &xml) }
      for photo in part.photos { try placemark(photo, &xml) }
      for track in part.tracks { try placemarks(track, &xml) }
    }
  }

  // MARK: parcels

  private static func placemark(
    _ parcel: Parcel, of task: InspectionTask, _ xml: inout XMLWriter
  ) throws {
    try xml.element("Placemark") { xml in
      try xml.leaf("name", "Parcel \(parcel.identifier)")
      try xml.leaf("styleUrl", "#parcel-\(task.state.rawValue)")
      try data(
        "parcel",
        [
          ("identifier", parcel.identifier),
          ("areaSquareMetres", DecimalText.fixed(parcel.areaSquareMetres, places: 1)),
          ("task", task.id.description), ("state", task.state.rawValue),
        ], &xml)
      let parts = parcel.parts
      if parts.count == 1 {
        // As it was written: the outline is the first ring.
        try polygon(parcel.rings, &xml)
      } else {
        try xml.element("MultiGeometry") { xml in
          for part in parts { try polygon([part.outline] + part.holes, &xml) }
        }
      }
    }
  }

  private static func polygon(_ rings: [[Coordinate]], _ xml: inout XMLWriter) throws {
    try xml.element("Polygon") { xml in
      try xml.leaf("tessellate", "1")
      for (index, ring) in rings.enumerated() {
        // Outlines run counter-clockwise, holes clockwise; both end where they began.
        let isCounterClockwise = Geodesic.polygon(ring).isCounterClockwise
        let directed = isCounterClockwise == (index == 0) ? ring : ring.reversed()
        try xml.element(index == 0 ? "outerBoundaryIs" : "innerBoundaryIs") { xml in
          try xml.element("LinearRing") { xml in
            try xml.leaf(
              "coordinates", (directed + directed.prefix(1)).map(place).joined(separator: " "))
          }
        }
      }
    }
  }

  // MARK: photos

  private static func placemark(_ photo: Photo, _ xml: inout XMLWriter) throws {
    try xml.element("Placemark", [("id", "photo-\(photo.id)")]) { xml in
      let position = photo.position
      try xml.leaf("name", "Photo \(photo.gnssTime.rfc3339 ?? photo.gnssTime.timeOfDay)")
      try xml.leaf("description", summary(of: photo))
      if let azimuth = photo.orientation?.azimuthDegreesTrue {
        try xml.element("Camera") { xml in
          try xml.leaf("longitude", degrees(position.coordinate.longitudeDegrees))
          try xml.leaf("latitude", degrees(position.coordinate.latitudeDegrees))
          // KML's heights are above mean sea level; without one the eye stands on the ground.
          try xml.leaf(
            "altitude", DecimalText.fixed(position.meanSeaLevelHeightMetres ?? 1.6, places: 3))
          try xml.leaf("heading", DecimalText.fixed(azimuth, places: 1))
          try xml.leaf("tilt", DecimalText.fixed(photo.orientation?.angleDegrees ?? 90, places: 1))
          try xml.leaf("roll", DecimalText.fixed(photo.orientation?.rollDegrees ?? 0, places: 1))
          try xml.leaf(
            "altitudeMode",
            position.meanSeaLevelHeightMetres == nil ? "relativeToGround" : "absolute")
        }
      }
      if let time = photo.gnssTime.rfc3339 {
        try xml.element("TimeStamp") { try $0.leaf("when", time) }
      }
      try xml.leaf("styleUrl", "#photo")
      try data("photo", claims(of: photo), &xml)
      try xml.element("Point") { xml in
        if let height = position.meanSeaLevelHeightMetres {
          try xml.leaf("altitudeMode", "absolute")
          try xml.leaf(
            "coordinates", "\(place(position.coordinate)),\(DecimalText.fixed(height, places: 3))")
        } else {
          try xml.leaf("coordinates", place(position.coordinate))
        }
      }
    }
  }

  private static func summary(of photo: Photo) -> String {
    var words: [String] = []
    if let uncertainty = photo.position.uncertaintyMetres95 {
      words.append("± \(DecimalText.fixed(uncertainty, places: 1)) m (95 %)")
    }
    words.append("position: \(photo.position.method.name)")
    if let azimuth = photo.orientation?.azimuthDegreesTrue {
      words.append("azimuth \(DecimalText.fixed(azimuth, places: 1))° true")
    }
    if photo.origin == .imported { words.append("imported picture") }
    if photo.isSimulated { words.append("demonstration: simulated receiver") }
    return words.joined(separator: ", ")
  }

  private static func claims(of photo: Photo) -> [(String, String?)] {
    let position = photo.position
    return [
      ("photo", photo.id.description), ("task", photo.task?.description),
      ("inspector", photo.inspector), ("origin", photo.origin.rawValue),
      ("simulated", photo.isSimulated ? "true" : "false"),
      ("gnssTime", photo.gnssTime.rfc3339 ?? photo.gnssTime.timeOfDay),
      ("deviceTime", photo.deviceTime.rfc3339),
      ("ellipsoidalHeightMetres", metres(position.ellipsoidalHeightMetres)),
      ("meanSeaLevelHeightMetres", metres(position.meanSeaLevelHeightMetres)),
      ("uncertaintyMetres95", metres(position.uncertaintyMetres95)),
      ("method", position.method.name), ("samples", photo.standpoint.map { "\($0.samples)" }),
      (
        "effectiveSamples",
        photo.standpoint.map { DecimalText.fixed($0.effectiveSamples, places: 1) }
      ), ("spreadMetres", metres(photo.standpoint?.spreadMetres)),
      (
        "azimuthDegreesTrue",
        photo.orientation?.azimuthDegreesTrue.map { DecimalText.fixed($0, places: 1) }
      ),
      (
        "elevationDegrees",
        photo.orientation?.elevationDegrees.map { DecimalText.fixed($0, places: 1) }
      ), ("fileSHA256", photo.fileDigest), ("note", photo.note),
    ]
  }

  // MARK: tracks

  private static func placemarks(_ track: Track, _ xml: inout XMLWriter) throws {
    let measures = track.measures
    let numbers: [(String, String?)] = [
      ("track", track.id.description), ("task", track.task?.description),
      ("inspector", track.inspector), ("points", "\(measures.points)"),
      ("simulated", track.isSimulated ? "true" : "false"),
      ("lengthMetres", DecimalText.fixed(measures.lengthMetres, places: 1)),
      ("areaSquareMetres", measures.areaSquareMetres.map { DecimalText.fixed($0, places: 1) }),
      (
        "areaUncertaintySquareMetres95",
        measures.areaUncertaintySquareMetres95.map { DecimalText.fixed($0, places: 1) }
      ),
    ]
    try xml.element("Placemark", [("id", "track-\(track.id)")]) { xml in
      try xml.leaf("name", track.name)
      try xml.leaf("styleUrl", "#track")
      try data("track", numbers, &xml)
      try path(track.points, &xml)
    }
    guard track.points.count >= 3, measures.areaSquareMetres ?? 0 > 0 else { return }
    try xml.element("Placemark") { xml in
      try xml.leaf("name", "\(track.name) (closed)")
      try xml.leaf("styleUrl", "#track")
      try data("track", numbers, &xml)
      try polygon([track.points.map(\.coordinate)], &xml)
    }
  }

  /// gx:Track has a time for each point; points without a date make a plain line.
  private static func path(_ points: [TrackPoint], _ xml: inout XMLWriter) throws {
    let times = points.compactMap(\.time.rfc3339)
    if times.count == points.count {
      try xml.element("gx:Track") { xml in
        let isHigh = points.allSatisfy { $0.meanSeaLevelHeightMetres != nil }
        try xml.leaf("altitudeMode", isHigh ? "absolute" : "clampToGround")
        for time in times { try xml.leaf("when", time) }
        for point in points {
          let height = isHigh ? point.meanSeaLevelHeightMetres ?? 0 : 0
          try xml.leaf(
            "gx:coord",
            degrees(point.coordinate.longitudeDegrees) + " "
              + degrees(point.coordinate.latitudeDegrees) + " "
              + DecimalText.fixed(height, places: 3))
        }
      }
    } else {
      try xml.element("LineString") { xml in
        try xml.leaf("tessellate", "1")
        try xml.leaf("coordinates", points.map { place($0.coordinate) }.joined(separator: " "))
      }
    }
  }

  // MARK: styles and schemas

  /// Colours are alpha, blue, green, red.
  private static func styles(_ xml: inout XMLWriter) throws {
    let colours: [TaskState: String] = [
      .new: "ffb0b0b0", .open: "ffd07020", .returned: "ff0080e0", .dataProvided: "ffc0a000",
      .accepted: "ff308030", .declined: "ff2020c0", .withdrawn: "ff808080",
    ]
    for state in TaskState.allCases {
      let colour = colours[state] ?? "ffffffff"
      try xml.element("Style", [("id", "parcel-\(state.rawValue)")]) { xml in
        try xml.element("LineStyle") { xml in
          try xml.leaf("color", colour)
          try xml.leaf("width", "2")
        }
        try xml.element("PolyStyle") { try $0.leaf("color", "40" + colour.dropFirst(2)) }
      }
    }
    try xml.element("Style", [("id", "photo")]) { xml in
      try xml.element("IconStyle") { try $0.leaf("color", "ff20c0f0") }
    }
    try xml.element("Style", [("id", "track")]) { xml in
      try xml.element("LineStyle") { xml in
        try xml.leaf("color", "ffe060a0")
        try xml.leaf("width", "3")
      }
      try xml.element("PolyStyle") { try $0.leaf("color", "30e060a0") }
    }
  }

  private static let fields: [(schema: String, names: [(String, String)])] = [
    (
      "parcel",
      [
        ("identifier", "string"), ("areaSquareMetres", "double"), ("task", "string"),
        ("state", "string"),
      ]
    ),
    (
      "photo",
      [
        ("photo", "string"), ("task", "string"), ("inspector", "string"), ("origin", "string"),
        ("simulated", "string"), ("gnssTime", "string"), ("deviceTime", "string"),
        ("ellipsoidalHeightMetres", "double"), ("meanSeaLevelHeightMetres", "double"),
        ("uncertaintyMetres95", "double"), ("method", "string"), ("samples", "int"),
        ("effectiveSamples", "double"), ("spreadMetres", "double"),
        ("azimuthDegreesTrue", "double"), ("elevationDegrees", "double"),
        ("fileSHA256", "string"), ("note", "string"),
      ]
    ),
    (
      "track",
      [
        ("track", "string"), ("task", "string"), ("inspector", "string"), ("points", "int"),
        ("simulated", "string"), ("lengthMetres", "double"), ("areaSquareMetres", "double"),
        ("areaUncertaintySquareMetres95", "double"),
      ]
    ),
  ]

  private static func schemas(_ xml: inout XMLWriter) throws {
    for (schema, names) in fields {
      try xml.element("Schema", [("name", schema), ("id", schema)]) { xml in
        for (name, type) in names {
          try xml.element("SimpleField", [("type", type), ("name", name)]) { _ in }
        }
      }
    }
  }

  private static func data(
    _ schema: String, _ values: [(String, String?)], _ xml: inout XMLWriter
  ) throws {
    try xml.element("ExtendedData") { xml in
      try xml.element("SchemaData", [("schemaUrl", "#\(schema)")]) { xml in
        for (name, value) in values {
          if let value { try xml.leaf("SimpleData", [("name", name)], value) }
        }
      }
    }
  }

  // MARK: numbers

  private static func place(_ coordinate: Coordinate) -> String {
    degrees(coordinate.longitudeDegrees) + "," + degrees(coordinate.latitudeDegrees)
  }

  private static func degrees(_ value: Double) -> String { DecimalText.fixed(value, places: 9) }

  private static func metres(_ value: Double?) -> String? {
    value.map { DecimalText.fixed($0, places: 3) }
  }
}
