import Inspection

extension KMLDocument {
  /// Writes the styles. KML's colours are alpha, blue, green, red.
  func styles(_ xml: inout XMLWriter) throws {
    for state in TaskState.allCases {
      let colour = StateColour(of: state).kml
      try xml.element("Style", [("id", "parcel-\(state.rawValue)")]) { xml in
        try xml.element("LineStyle") { xml in
          try xml.leaf("color", "ff" + colour)
          try xml.leaf("width", "2")
        }
        try xml.element("PolyStyle") { try $0.leaf("color", "40" + colour) }
      }
    }
    for state in TaskState.allCases {
      try icon("photo-\(state.rawValue)", "ff" + StateColour(of: state).kml, &xml)
    }
    try icon("photo-alone", "ff20c0f0", &xml)
    try icon("point-style", "ffe060a0", hasBalloon: false, &xml)
    // A view is as light as a beam, so that what lies below stays in sight.
    try xml.element("Style", [("id", "view-style")]) { xml in
      try xml.element("LineStyle") { xml in
        try xml.leaf("color", "c0ffffff")
        try xml.leaf("width", "1")
      }
      try xml.element("PolyStyle") { try $0.leaf("color", "50ffe0a0") }
    }
    try xml.element("Style", [("id", "track-style")]) { xml in
      try xml.element("LineStyle") { xml in
        try xml.leaf("color", "ffe060a0")
        try xml.leaf("width", "3")
      }
      try xml.element("PolyStyle") { try $0.leaf("color", "30e060a0") }
    }
    // The outline is not drawn: the side that closes the area, and those across gaps, were never
    // walked.
    try xml.element("Style", [("id", "track-area-style")]) { xml in
      try xml.element("PolyStyle") { xml in
        try xml.leaf("color", "30e060a0")
        try xml.leaf("outline", "0")
      }
    }
  }

  private func icon(
    _ id: String, _ colour: String, hasBalloon: Bool = true, _ xml: inout XMLWriter
  ) throws {
    try xml.element("Style", [("id", id)]) { xml in
      try xml.element("IconStyle") { try $0.leaf("color", colour) }
      guard hasBalloon else { return }
      // Without it a map program adds its own links to the balloon. `$[name]` would be put in as HTML,
      // and a name is a person's words: the description has it, escaped.
      try xml.element("BalloonStyle") {
        try $0.leaf("text", "$[description]")
      }
    }
  }

  func schemas(_ xml: inout XMLWriter, _ tasks: FieldTable<AnsweredTask>) throws {
    try schema(tasks, &xml)
    try schema(ParcelFields.table, &xml)
    try schema(PhotoFields.table, &xml)
    try schema(TrackFields.table, &xml)
    if options.pointFeatures { try schema(PointFields.table, &xml) }
  }

  private func schema(_ table: FieldTable<some Any>, _ xml: inout XMLWriter) throws {
    try xml.element("Schema", [("name", table.rowName), ("id", table.rowName)]) { xml in
      for field in table.fields {
        // KML has no type for a time, and GDAL reads KML's `bool` as a number.
        let type =
          switch field.kind {
          case .integer: "int"
          case .decimal: "double"
          case .text, .time, .flag: "string"
          }
        let unit = field.unit.map { " (\($0))" } ?? ""
        try xml.element("SimpleField", [("type", type), ("name", field.name)]) { xml in
          try xml.leaf("displayName", field.name + unit)
        }
      }
    }
  }
}
