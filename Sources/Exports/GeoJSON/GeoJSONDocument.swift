import Geodesy
import Inspection
import Positioning
import TimeAndText

/// A GeoJSON document (RFC 7946): one collection, in which each feature says in `feature` what it
/// is: `task` (without a geometry), `parcel`, `photo`, `set`, `track` or `point`. Longitude comes before
/// latitude, heights are above the ellipsoid as the standard has them, outlines run
/// counter-clockwise, no shape crosses the antimeridian, and there is no `crs`. A file that was cut
/// off lacks its closing brackets.
public enum GeoJSONDocument {
  /// Writes a source as GeoJSON, piece by piece.
  /// - Parameter pointFeatures: true if each point of a track is a feature of its own, instead of
  ///   the track as a whole.
  public static func write(
    _ source: some ExportSource, pointFeatures: Bool = false,
    to sink: @escaping ([UInt8]) throws -> Void
  ) throws {
    var features = GeoJSONFeatures(ByteWriter(to: sink))
    try features.out.words("{\"type\":\"FeatureCollection\",\"name\":")
    try features.out.json(source.title)
    try features.out.words(",\"features\":[")
    let columns = try source.answerColumns()
    let tasks = columns.table()
    try source.forEachTask(with: columns) { answered in
      try features.add("task", tasks, answered) { try $0.words("null") }
      for land in ExportedParcel.all(of: answered.task) { try features.add(land) }
    }
    try source.forEachGroup { task in
      try source.forEachPhoto(of: task) { photo in
        let position = photo.photo.position
        try features.add("photo", PhotoFields.table, photo) { out in
          try GeoJSONFeatures.point(
            position.coordinate, height: position.ellipsoidalHeightMetres, out)
        }
      }
    }
    try source.forEachGroup { task in
      try source.forEachSet(of: task) { set in
        try features.add("set", SetFields.table, JudgedSet(set)) { out in
          try GeoJSONFeatures.point(set.set.start.position.coordinate, height: nil, out)
        }
      }
    }
    try source.forEachGroup { task in
      try source.forEachTrack(of: task) { track in
        if pointFeatures {
          try features.addPoints(of: track)
        } else {
          try features.add(track)
        }
      }
    }
    try features.out.words("\n]}\n")
    try features.out.finish()
  }
}

/// The features of one collection, written one by one.
private struct GeoJSONFeatures {
  let out: ByteWriter
  private var isFirst = true

  init(_ out: ByteWriter) { self.out = out }

  private mutating func begin() throws {
    try isFirst ? out.words("\n") : out.words(",\n")
    isFirst = false
  }

  mutating func add<Row>(
    _ kind: StaticString, _ table: FieldTable<Row>, _ row: Row, id: String? = nil,
    more: (ByteWriter) throws -> Void = { _ in }, geometry: (ByteWriter) throws -> Void
  ) throws {
    try begin()
    try out.words("{\"type\":\"Feature\",")
    if let id {
      try out.words("\"id\":")
      try out.json(id)
      try out.words(",")
    }
    try out.words("\"properties\":{\"feature\":\"")
    try out.words(kind)
    try out.words("\"")
    for (name, value) in table.known(of: row) {
      try out.words(",\"")
      try out.plain(name)
      try out.words("\":")
      switch value {
      case .time:
        try out.words("\"")
        try out.field(value) { _ in }
        try out.words("\"")
      default: try out.field(value) { try out.json($0) }
      }
    }
    try more(out)
    try out.words("},\"geometry\":")
    try geometry(out)
    try out.words("}")
  }

  /// Adds a parcel, with the properties that fiboa requires of a field's boundary.
  mutating func add(_ parcel: ExportedParcel) throws {
    let polygons = MapShape.polygons(of: parcel.parcel)
    try add("parcel", ParcelFields.table, parcel, id: parcel.featureID) { out in
      try out.words(",\"id\":")
      try out.json(parcel.featureID)
      let hectares = parcel.parcel.areaSquareMetres / 10_000
      guard hectares.isFinite else { return }
      try out.words(",\"area\":")
      try out.decimal(hectares, places: 5)
    } geometry: { out in
      guard !polygons.isEmpty else { return try out.words("null") }
      try out.words(
        polygons.count == 1
          ? "{\"type\":\"Polygon\",\"coordinates\":"
          : "{\"type\":\"MultiPolygon\",\"coordinates\":[")
      for (index, rings) in polygons.enumerated() {
        if index > 0 { try out.words(",") }
        try out.words("[")
        for (index, ring) in rings.enumerated() {
          if index > 0 { try out.words(",") }
          try out.words("[")
          for (index, place) in ring.enumerated() {
            if index > 0 { try out.words(",") }
            try Self.place(place.longitude, place.latitude, height: nil, out)
          }
          try out.words("]")
        }
        try out.words("]")
      }
      try polygons.count == 1 ? out.words("}") : out.words("]}")
    }
  }

  static func place(
    _ longitude: Double, _ latitude: Double, height: Double?, _ out: ByteWriter
  ) throws {
    try out.words("[")
    try out.degrees(longitude)
    try out.words(",")
    try out.degrees(latitude)
    if let height {
      try out.words(",")
      try out.decimal(height, places: 3)
    }
    try out.words("]")
  }

  static func point(_ coordinate: Coordinate, height: Double?, _ out: ByteWriter) throws {
    try out.words("{\"type\":\"Point\",\"coordinates\":")
    try place(coordinate.longitudeDegrees, coordinate.latitudeDegrees, height: height, out)
    try out.words("}")
  }

  // MARK: tracks

  /// Adds a track as a line; as several lines if the track has a gap or crosses the antimeridian;
  /// as a point if the track has only one. A run of one point between two gaps becomes a line of no
  /// length.
  mutating func add(_ exported: ExportedTrack) throws {
    let row = try MeasuredTrack(exported)
    var (isHigh, isBroken) = (true, false)
    var before: Coordinate?
    try exported.forEachPoint { point in
      isHigh = isHigh && point.ellipsoidalHeightMetres != nil
      if let before {
        isBroken =
          isBroken || point.gapBefore != nil
          || MapShape.crossing(from: before, to: point.coordinate) != nil
      }
      before = point.coordinate
    }
    try add("track", TrackFields.table, row) { out in
      guard row.measures.points > 1 else {
        guard let before else { return try out.words("null") }
        return try Self.point(before, height: nil, out)
      }
      try out.words(
        isBroken
          ? "{\"type\":\"MultiLineString\",\"coordinates\":[["
          : "{\"type\":\"LineString\",\"coordinates\":[")
      var last: TrackPoint?
      var count = 0
      func write(_ point: TrackPoint) throws {
        try Self.place(
          point.coordinate.longitudeDegrees, point.coordinate.latitudeDegrees,
          height: isHigh ? point.ellipsoidalHeightMetres : nil, out)
        count += 1
      }
      func endLine() throws {
        guard count == 1, let last else { return }
        try out.words(",")
        try write(last)
      }
      try exported.forEachPoint { point in
        if let last {
          if point.gapBefore != nil {
            try endLine()
            try out.words("],[")
            count = 0
          } else if let cut = MapShape.crossing(from: last.coordinate, to: point.coordinate) {
            let level = isHigh ? last.ellipsoidalHeightMetres : nil
            try out.words(",")
            try Self.place(cut.side, cut.latitude, height: level, out)
            try out.words("],[")
            try Self.place(-cut.side, cut.latitude, height: level, out)
            try out.words(",")
            count = 1
          } else {
            try out.words(",")
          }
        }
        try write(point)
        last = point
      }
      try endLine()
      try isBroken ? out.words("]]}") : out.words("]}")
    }
  }

  /// Adds each point of a track as a feature. Nothing is allocated for a point, since a track may
  /// have a million of them.
  mutating func addPoints(of exported: ExportedTrack) throws {
    let track = exported.track.id.description
    var number = 0
    try exported.forEachPoint { point in
      number += 1
      try begin()
      try out.words("{\"type\":\"Feature\",\"properties\":{\"feature\":\"point\",\"track\":\"")
      try out.plain(track)
      try out.words("\",\"number\":")
      try out.integer(number)
      if point.time.date != nil {
        try out.words(",\"time\":\"")
        try out.time(point.time)
      } else {
        try out.words(",\"timeOfDay\":\"")
        try out.timeOfDay(point.time)
      }
      try out.words("\",\"kind\":\"")
      try out.words(point.kind.exportName)
      try out.words("\"")
      if let height = point.ellipsoidalHeightMetres {
        try out.words(",\"ellipsoidalHeightMetres\":")
        try out.decimal(height, places: 3)
      }
      if let height = point.meanSeaLevelHeightMetres {
        try out.words(",\"meanSeaLevelHeightMetres\":")
        try out.decimal(height, places: 3)
      }
      if let radius = point.horizontalUncertaintyMetres95 {
        try out.words(",\"uncertaintyMetres95\":")
        try out.decimal(radius, places: 3)
      }
      if let gap = point.gapBefore {
        try out.words(",\"gapBefore\":\"")
        try out.words(gap.exportName)
        try out.words("\"")
      }
      if let satellites = point.satellitesUsed {
        try out.words(",\"satellitesUsed\":")
        try out.integer(satellites)
      }
      if let dilution = point.horizontalDilution, dilution.isFinite {
        try out.words(",\"horizontalDilution\":")
        try out.decimal(dilution, places: 2)
      }
      try out.words("},\"geometry\":")
      try Self.point(point.coordinate, height: point.ellipsoidalHeightMetres, out)
      try out.words("}")
    }
  }
}
