import Inspection

/// The style in which QGIS draws a table, in QGIS's own language (QML), for the GeoPackage's table
/// `layer_styles`.
struct GeoPackageStyle {
  let name: String
  let table: String
  let qml: String

  /// The styles: parcels by their task's state, photos as arrows in the direction of view, tracks
  /// as lines, track points as dots.
  static let all = [
    GeoPackageStyle(name: "state", table: "parcels", qml: parcels),
    GeoPackageStyle(name: "view", table: "photos", qml: photos),
    GeoPackageStyle(name: "track", table: "tracks", qml: tracks),
    GeoPackageStyle(name: "point", table: "track_points", qml: points),
  ]

  /// The style of photo points, which is written with them: arrows as those of photos.
  static let photoPoints = GeoPackageStyle(
    name: "view", table: PhotoPointFields.table.name,
    qml: photos.replacing("240,192,32,255", with: "32,160,112,255"))

  private static func document(_ renderer: String) -> String {
    """
    <!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
    <qgis version="3.22.0" styleCategories="Symbology">
    \(renderer)
    </qgis>
    """
  }

  private static func layer(_ kind: String, _ options: [(String, String)]) -> String {
    let items = options.map {
      "<Option type=\"QString\" name=\"\($0.0)\" value=\"\($0.1)\"/>"
    }.joined()
    return "<layer class=\"\(kind)\" enabled=\"1\" locked=\"0\" pass=\"0\"><Option type=\"Map\">"
      + items + "</Option>"
  }

  private static let parcels: String = {
    let states = TaskState.allCases
    let categories = states.enumerated().map { index, state in
      "<category render=\"true\" symbol=\"\(index)\" value=\"\(state.rawValue)\" label=\"\(state.sign) \(state.fileTitle)\"/>"
    }.joined()
    let symbols = states.enumerated().map { index, state in
      let colour = StateColour(of: state).qgis
      return "<symbol type=\"fill\" name=\"\(index)\" alpha=\"1\" clip_to_extent=\"1\">"
        + layer(
          "SimpleFill",
          [
            ("color", colour + ",64"), ("outline_color", colour + ",255"),
            ("outline_width", "0.5"), ("outline_style", "solid"), ("style", "solid"),
          ]) + "</layer></symbol>"
    }.joined()
    return document(
      "<renderer-v2 type=\"categorizedSymbol\" attr=\"state\" forceraster=\"0\" symbollevels=\"0\" enableorderby=\"0\">"
        + "<categories>\(categories)</categories><symbols>\(symbols)</symbols></renderer-v2>")
  }()

  private static func single(_ kind: String, _ layer: String) -> String {
    document(
      "<renderer-v2 type=\"singleSymbol\" forceraster=\"0\" symbollevels=\"0\" enableorderby=\"0\"><symbols>"
        + "<symbol type=\"\(kind)\" name=\"0\" alpha=\"1\" clip_to_extent=\"1\">\(layer)</layer></symbol>"
        + "</symbols></renderer-v2>")
  }

  /// The arrow turns with the azimuth; if the azimuth is not known, the arrow points north, as a
  /// map symbol does.
  private static let photos = single(
    "marker",
    layer(
      "SimpleMarker",
      [
        ("name", "arrow"), ("color", "240,192,32,255"), ("outline_color", "60,40,0,255"),
        ("size", "5"),
      ])
      + "<data_defined_properties><Option type=\"Map\"><Option type=\"QString\" name=\"name\" value=\"\"/>"
      + "<Option type=\"Map\" name=\"properties\"><Option type=\"Map\" name=\"angle\">"
      + "<Option type=\"bool\" name=\"active\" value=\"true\"/>"
      + "<Option type=\"QString\" name=\"field\" value=\"azimuthDegreesTrue\"/>"
      + "<Option type=\"int\" name=\"type\" value=\"2\"/></Option></Option>"
      + "<Option type=\"QString\" name=\"type\" value=\"collection\"/></Option></data_defined_properties>"
  )

  private static let tracks = single(
    "line",
    layer(
      "SimpleLine",
      [("line_color", "160,96,224,255"), ("line_width", "0.8"), ("line_style", "solid")]))

  private static let points = single(
    "marker",
    layer(
      "SimpleMarker",
      [
        ("name", "circle"), ("color", "160,96,224,255"), ("outline_style", "no"),
        ("size", "1.5"),
      ]))
}
