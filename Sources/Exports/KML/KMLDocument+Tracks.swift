import Geodesy
import Inspection
import Positioning
import TimeAndText

extension KMLDocument {
  /// Writes a track as its path and as the area that it encloses; or, with `pointFeatures`, each of
  /// its points.
  func placemarks(_ exported: ExportedTrack, _ xml: inout XMLWriter) throws {
    if options.pointFeatures { return try points(exported, xml.out) }
    let row = try MeasuredTrack(exported)
    let track = exported.track
    var (isDated, isHigh, isBroken, isFirst) = (true, true, false, true)
    try exported.forEachPoint { point in
      isDated = isDated && point.time.date != nil
      isHigh = isHigh && point.meanSeaLevelHeightMetres != nil
      isBroken = isBroken || (!isFirst && point.gapBefore != nil)
      isFirst = false
    }
    try xml.element("Placemark", [("id", "track-\(track.id)")]) { xml in
      try xml.leaf("name", track.name)
      try xml.leaf("styleUrl", "#track-style")
      try data(TrackFields.table, row, &xml)
      // gx:Track needs a time for each point; a track with an undated point becomes a plain line.
      switch (isDated, isBroken) {
      case (true, false): try timed(exported, isHigh: isHigh, &xml)
      case (true, true): try timedParts(exported, isHigh: isHigh, &xml)
      case (false, false):
        try xml.element("LineString") { xml in
          try xml.leaf("tessellate", "1")
          try xml.leaf("coordinates") { try places(exported, $0) }
        }
      case (false, true): try parts(exported, &xml)
      }
    }
    guard row.measures.points >= 3, row.measures.areaSquareMetres ?? 0 > 0 else { return }
    try xml.element("Placemark") { xml in
      try xml.leaf("name", kmlWords.land(of: track.name))
      try xml.leaf("styleUrl", "#track-area-style")
      try data(TrackFields.table, row, &xml)
      try xml.element("Polygon") { xml in
        try xml.leaf("tessellate", "1")
        try xml.element("outerBoundaryIs") { xml in
          try xml.element("LinearRing") { xml in
            try xml.leaf("coordinates") { out in
              // The ring runs in the direction of the walk: to reverse it, all points would have to
              // be in memory.
              var first: TrackPoint?
              try exported.forEachPoint { point in
                if first == nil { first = point }
                try place(point.coordinate, out)
                try out.words(" ")
              }
              if let first { try place(first.coordinate, out) }
            }
          }
        }
      }
    }
  }

  private func timed(_ exported: ExportedTrack, isHigh: Bool, _ xml: inout XMLWriter) throws {
    try xml.element("gx:Track") { xml in
      try xml.leaf("altitudeMode", "clampToGround")
      let out = xml.out
      try exported.forEachPoint { point in
        try out.words("<when>")
        try out.time(point.time)
        try out.words("</when>\n")
      }
      try exported.forEachPoint { point in
        try timedPlace(
          point.coordinate, height: isHigh ? point.meanSeaLevelHeightMetres ?? 0 : 0, out)
      }
    }
  }

  private func timedPlace(_ place: Coordinate, height: Double, _ out: ByteWriter) throws {
    try out.words("<gx:coord>")
    try out.degrees(place.longitudeDegrees)
    try out.words(" ")
    try out.degrees(place.latitudeDegrees)
    try out.words(" ")
    try out.decimal(height, places: 3)
    try out.words("</gx:coord>\n")
  }

  /// Writes a gx:Track for each run of points between two gaps, and draws nothing across the gaps.
  /// A gx:Track lists all times before all places, so the places of one run wait in memory, 24
  /// bytes each.
  private func timedParts(
    _ exported: ExportedTrack, isHigh: Bool, _ xml: inout XMLWriter
  ) throws {
    try xml.element("gx:MultiTrack") { xml in
      try xml.leaf("gx:interpolate", "0")
      let out = xml.out
      var waiting: [(place: Coordinate, height: Double)] = []
      func end() throws {
        guard !waiting.isEmpty else { return }
        for (place, height) in waiting { try timedPlace(place, height: height, out) }
        waiting.removeAll(keepingCapacity: true)
        try out.words("</gx:Track>\n")
      }
      try exported.forEachPoint { point in
        if waiting.isEmpty || point.gapBefore != nil {
          try end()
          try out.words("<gx:Track>\n<altitudeMode>clampToGround</altitudeMode>\n")
        }
        try out.words("<when>")
        try out.time(point.time)
        try out.words("</when>\n")
        waiting.append(
          (point.coordinate, isHigh ? point.meanSeaLevelHeightMetres ?? 0 : 0))
      }
      try end()
    }
  }

  /// Writes a line for each run of points between two gaps. A run of one point becomes a line of no
  /// length.
  private func parts(_ exported: ExportedTrack, _ xml: inout XMLWriter) throws {
    try xml.element("MultiGeometry") { xml in
      let out = xml.out
      var (last, count): (Coordinate?, Int) = (nil, 0)
      func end() throws {
        guard let last else { return }
        if count == 1 {
          try out.words(" ")
          try place(last, out)
        }
        try out.words("</coordinates></LineString>\n")
      }
      try exported.forEachPoint { point in
        if last == nil || point.gapBefore != nil {
          try end()
          try out.words("<LineString><tessellate>1</tessellate><coordinates>")
          count = 0
        }
        if count > 0 { try out.words(" ") }
        try place(point.coordinate, out)
        (last, count) = (point.coordinate, count + 1)
      }
      try end()
    }
  }

  private func places(_ exported: ExportedTrack, _ out: ByteWriter) throws {
    var isFirst = true
    try exported.forEachPoint { point in
      if !isFirst { try out.words(" ") }
      isFirst = false
      try place(point.coordinate, out)
    }
  }

  func place(_ coordinate: Coordinate, _ out: ByteWriter) throws {
    try out.degrees(coordinate.longitudeDegrees)
    try out.words(",")
    try out.degrees(coordinate.latitudeDegrees)
  }

  // MARK: each point

  /// Writes a placemark for each point. A point has no name, since a list of a million names helps
  /// no reader, and no field that would repeat its time, place or height.
  private func points(_ exported: ExportedTrack, _ out: ByteWriter) throws {
    let track = exported.track.id.description
    var number = 0
    try exported.forEachPoint { point in
      number += 1
      try out.words("<Placemark>")
      if point.time.date != nil {
        try out.words("<TimeStamp><when>")
        try out.time(point.time)
        try out.words("</when></TimeStamp>")
      }
      try out.words(
        "<styleUrl>#point-style</styleUrl><ExtendedData><SchemaData schemaUrl=\"#point\"><SimpleData name=\"track\">"
      )
      try out.plain(track)
      try out.words("</SimpleData><SimpleData name=\"number\">")
      try out.integer(number)
      if point.time.date == nil {
        try out.words("</SimpleData><SimpleData name=\"timeOfDay\">")
        try out.timeOfDay(point.time)
      }
      try out.words("</SimpleData><SimpleData name=\"kind\">")
      try out.words(point.kind.exportName)
      if let height = point.ellipsoidalHeightMetres {
        try out.words("</SimpleData><SimpleData name=\"ellipsoidalHeightMetres\">")
        try out.decimal(height, places: 3)
      }
      if let uncertainty = point.horizontalUncertaintyMetres95 {
        try out.words("</SimpleData><SimpleData name=\"uncertaintyMetres95\">")
        try out.decimal(uncertainty, places: 3)
      }
      if let gap = point.gapBefore {
        try out.words("</SimpleData><SimpleData name=\"gapBefore\">")
        try out.words(gap.exportName)
      }
      if let satellites = point.satellitesUsed {
        try out.words("</SimpleData><SimpleData name=\"satellitesUsed\">")
        try out.integer(satellites)
      }
      if let dilution = point.horizontalDilution, dilution.isFinite {
        try out.words("</SimpleData><SimpleData name=\"horizontalDilution\">")
        try out.decimal(dilution, places: 2)
      }
      try out.words("</SimpleData></SchemaData></ExtendedData><Point>")
      try out.words("<coordinates>")
      try place(point.coordinate, out)
      if let height = point.meanSeaLevelHeightMetres {
        try out.words(",")
        try out.decimal(height, places: 3)
      }
      try out.words("</coordinates></Point></Placemark>\n")
    }
  }
}

// Fixed words instead of raw values: a raw value would make a string each time it is read.
extension TrackPoint.Kind {
  var exportName: StaticString {
    switch self {
    case .recorded: "recorded"
    case .vertex: "vertex"
    case .centroidVertex: "centroid-vertex"
    }
  }
}

extension TrackPoint.Gap {
  var exportName: StaticString {
    switch self {
    case .noFix: "no-fix"
    case .silence: "silence"
    case .paused: "paused"
    case .interrupted: "interrupted"
    case .deleted: "deleted"
    }
  }
}
