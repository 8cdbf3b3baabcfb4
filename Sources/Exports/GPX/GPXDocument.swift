import Geodesy
import Inspection
import Positioning
import TimeAndText

/// A GPX 1.1 document: photos as waypoints, without links since no picture lies next to the file,
/// and tracks in segments that break at gaps. GPX has no element for an uncertainty: the
/// uncertainty and all other fields of the dictionary that GPX lacks are in an extension with a
/// namespace of its own. A file that was cut off lacks its closing tag.
public enum GPXDocument {
  /// The namespace of the extension; its elements have the dictionary's names.
  public static let namespace = "urn:x-standpoint:gpx:1"

  /// Writes a source as GPX, piece by piece.
  /// - Parameter pointFeatures: true if each point of a track is a waypoint of its own, instead of
  ///   the track as a whole.
  public static func write(
    _ source: some ExportSource, pointFeatures: Bool = false,
    to sink: @escaping ([UInt8]) throws -> Void
  ) throws {
    let out = ByteWriter(to: sink)
    var xml = try XMLWriter(out)
    try xml.element(
      "gpx",
      [
        ("version", "1.1"), ("creator", "Standpoint"),
        ("xmlns", "http://www.topografix.com/GPX/1/1"), ("xmlns:standpoint", namespace),
      ]
    ) { xml in
      try xml.element("metadata") { try $0.leaf("name", source.title) }
      // GPX requires all waypoints before all tracks, whatever task they belong to.
      try source.forEachGroup { task in
        try source.forEachPhoto(of: task) { try waypoint($0, &xml) }
      }
      try source.forEachGroup { task in
        try source.forEachTrack(of: task) { track in
          if pointFeatures {
            try points(of: track, as: "wpt", out)
          } else {
            try self.track(track, &xml)
          }
        }
      }
    }
    try out.finish()
  }

  // MARK: photos

  private static func waypoint(_ exported: ExportedPhoto, _ xml: inout XMLWriter) throws {
    let photo = exported.photo
    let position = photo.position
    try place(position.coordinate, as: "wpt", xml.out)
    try xml.out.words("\n")
    xml.deepen(1)
    if let height = position.meanSeaLevelHeightMetres { try xml.leaf("ele", height, places: 3) }
    if photo.gnssTime.date != nil { try xml.leaf("time") { try $0.time(photo.gnssTime) } }
    if let over = position.ellipsoidalHeightMetres, let sea = position.meanSeaLevelHeightMetres,
      (over - sea).isFinite
    {
      try xml.leaf("geoidheight", over - sea, places: 3)
    }
    try xml.leaf("name", "Photo \(photo.timeText)")
    if let note = photo.note { try xml.leaf("cmt", note) }
    try xml.leaf("src", "position: \(position.method.name)")
    try xml.leaf("type", "photo")
    // The fix's own values are written only if the fix is the position of the waypoint.
    let claims = position.method == .fix ? exported.claims : nil
    if let fix = fix(claims) { try xml.leaf("fix", fix) }
    if let satellites = claims?.satellitesUsed, satellites >= 0 {
      try xml.leaf("sat") { try $0.integer(satellites) }
    }
    if let dilution = claims?.horizontalDilution { try xml.leaf("hdop", dilution, places: 2) }
    try extensions(PhotoFields.table, exported, &xml)
    xml.deepen(-1)
    try xml.out.words("</wpt>\n")
  }

  private static func fix(_ claims: PhotoClaims?) -> String? {
    switch (claims?.fixQuality, claims?.fixMode) {
    case (FixQuality.differential.name, _), (FixQuality.rtkFixed.name, _),
      (FixQuality.rtkFloat.name, _):
      "dgps"
    case (FixQuality.precise.name, _): "pps"
    case (_, .threeDimensional): "3d"
    case (_, .twoDimensional): "2d"
    default: nil
    }
  }

  private static func extensions<Row>(
    _ table: FieldTable<Row>, _ row: Row, _ xml: inout XMLWriter
  ) throws {
    try xml.element("extensions") { xml in
      // The note is already in GPX's own `cmt`, and the name in `name`.
      for (name, value) in table.known(of: row) where name != "note" && name != "name" {
        try xml.out.words("<standpoint:")
        try xml.out.plain(name)
        try xml.out.words(">")
        try xml.out.field(value) { try xml.out.xml($0) }
        try xml.out.words("</standpoint:")
        try xml.out.plain(name)
        try xml.out.words(">\n")
      }
    }
  }

  // MARK: tracks

  private static func track(_ exported: ExportedTrack, _ xml: inout XMLWriter) throws {
    let row = try MeasuredTrack(exported)
    try xml.element("trk") { xml in
      try xml.leaf("name", exported.track.name)
      try extensions(TrackFields.table, row, &xml)
      guard row.measures.points > 0 else { return }
      try xml.out.words("<trkseg>\n")
      try points(of: exported, as: "trkpt", xml.out)
      try xml.out.words("</trkseg>\n")
    }
  }

  private static func place(
    _ coordinate: Coordinate, as name: StaticString, _ out: ByteWriter
  ) throws {
    try out.words("<")
    try out.words(name)
    try out.words(" lat=\"")
    try out.degrees(coordinate.latitudeDegrees)
    try out.words("\" lon=\"")
    // GPX's longitudes end before 180°: that meridian is written as -180.
    let longitude = coordinate.longitudeDegrees
    try out.degrees(longitude > 180 - 5e-10 ? -180 : longitude)
    try out.words("\">")
  }

  private static func points(
    of exported: ExportedTrack, as name: StaticString, _ out: ByteWriter
  ) throws {
    let track = exported.track.id.description
    let isAlone = name.utf8CodeUnitCount == 3
    var number = 0
    try exported.forEachPoint { point in
      number += 1
      if !isAlone, number > 1, point.gapBefore != nil { try out.words("</trkseg>\n<trkseg>\n") }
      try place(point.coordinate, as: name, out)
      try elements(of: point, out)
      try out.words("<extensions>")
      if isAlone {
        try out.words("<standpoint:track>")
        try out.plain(track)
        try out.words("</standpoint:track>")
      }
      try extensions(of: point, number: number, out)
      try out.words("</extensions></")
      try out.words(name)
      try out.words(">\n")
    }
  }

  /// Writes those values of a point for which GPX has elements, in the order that GPX requires.
  private static func elements(of point: TrackPoint, _ out: ByteWriter) throws {
    if let height = point.meanSeaLevelHeightMetres {
      try out.words("<ele>")
      try out.decimal(height, places: 3)
      try out.words("</ele>")
    }
    if point.time.date != nil {
      try out.words("<time>")
      try out.time(point.time)
      try out.words("</time>")
    }
    if let over = point.ellipsoidalHeightMetres, let sea = point.meanSeaLevelHeightMetres,
      (over - sea).isFinite
    {
      try out.words("<geoidheight>")
      try out.decimal(over - sea, places: 3)
      try out.words("</geoidheight>")
    }
    if let satellites = point.satellitesUsed, satellites >= 0 {
      try out.words("<sat>")
      try out.integer(satellites)
      try out.words("</sat>")
    }
    if let dilution = point.horizontalDilution, dilution.isFinite {
      try out.words("<hdop>")
      try out.decimal(dilution, places: 2)
      try out.words("</hdop>")
    }
  }

  /// Writes the other values of a point, which are in the extension.
  private static func extensions(
    of point: TrackPoint, number: Int, _ out: ByteWriter
  ) throws {
    try out.words("<standpoint:number>")
    try out.integer(number)
    try out.words("</standpoint:number>")
    if point.time.date == nil {
      try out.words("<standpoint:timeOfDay>")
      try out.timeOfDay(point.time)
      try out.words("</standpoint:timeOfDay>")
    }
    try out.words("<standpoint:kind>")
    try out.words(point.kind.exportName)
    try out.words("</standpoint:kind>")
    if let height = point.ellipsoidalHeightMetres {
      try out.words("<standpoint:ellipsoidalHeightMetres>")
      try out.decimal(height, places: 3)
      try out.words("</standpoint:ellipsoidalHeightMetres>")
    }
    if let radius = point.horizontalUncertaintyMetres95 {
      try out.words("<standpoint:uncertaintyMetres95>")
      try out.decimal(radius, places: 3)
      try out.words("</standpoint:uncertaintyMetres95>")
    }
    if let gap = point.gapBefore {
      try out.words("<standpoint:gapBefore>")
      try out.words(gap.exportName)
      try out.words("</standpoint:gapBefore>")
    }
  }
}
