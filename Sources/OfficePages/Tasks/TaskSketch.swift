import Foundation
import Geodesy
import Inspection
import Office
import OfficeFrame
import Positioning
import TimeAndText
import Web

/// The drawing of a task's place: the parcel, the places of photos with their uncertainty and view
/// cone, and the tracks. It needs no map and no script.
enum TaskSketch {
  private static let size = 360.0
  private static let margin = 28.0

  static func svg(
    _ task: InspectionTask, _ photos: [Photo], _ tracks: [Track], _ t: Texts
  ) -> HTML {
    let rings = task.parcel?.rings ?? []
    let all =
      rings.flatMap { $0 } + photos.map(\.position.coordinate)
      + tracks.flatMap { $0.points.map(\.coordinate) }
    guard let sheet = Sheet(holding: all) else {
      return "<p class=\"muted\">\(t("No place is known yet."))</p>"
    }
    var drawing = parcel(rings, sheet)
    drawing += tracks.map { shape(of: $0, sheet) }
    drawing += photos.enumerated().flatMap { shapes(of: $1, number: $0 + 1, sheet) }
    let (metres, length) = bar(sheet.scale)
    let words = t(
      "Sketch: parcel, {1} photos with their uncertainty and view, {2} tracks; north is up",
      photos.count, tracks.count)
    return """
      <figure class="map"><svg viewBox="0 0 360 360" role="img" aria-label="\(words)">\(drawing)
      <path class="scale" d="M16 344h\(text(length))"/><text x="16" y="338">\(metres) m</text>
      <path class="north" d="M340 36V14m-5 8 5-8 5 8"/><text x="336" y="50">N</text></svg>
      <figcaption>\(words)</figcaption></figure>
      """
  }

  /// The land on the square of the drawing, in the middle and as large as there is room for.
  private struct Sheet {
    /// The points of the drawing per metre.
    let scale: Double
    private let plane: LocalPlane
    private let middle: PlanePoint

    /// Creates a sheet that holds all places; nil if there are none.
    init?(holding places: [Coordinate]) {
      guard let origin = places.first else { return nil }
      plane = LocalPlane(origin: origin)
      let points = places.map(plane.project)
      let east = points.map(\.eastMetres)
      let north = points.map(\.northMetres)
      guard let west = east.min(), let right = east.max(), let south = north.min(),
        let top = north.max()
      else { return nil }
      // A single point still gets some land around it.
      let extent = max(right - west, top - south, 20)
      scale = (size - 2 * margin) / extent
      middle = PlanePoint(eastMetres: (west + right) / 2, northMetres: (south + top) / 2)
    }

    /// Returns the point of a place on the drawing, from its upper left corner.
    func place(_ coordinate: Coordinate) -> (x: Double, y: Double) {
      let point = plane.project(coordinate)
      return (
        size / 2 + (point.eastMetres - middle.eastMetres) * scale,
        size / 2 - (point.northMetres - middle.northMetres) * scale
      )
    }

    /// Returns the path through some places, as SVG writes it.
    func path(_ coordinates: [Coordinate], isClosed: Bool) -> String {
      coordinates.enumerated().map { index, coordinate in
        let (x, y) = place(coordinate)
        return "\(index == 0 ? "M" : "L")\(text(x)) \(text(y))"
      }.joined() + (isClosed ? "Z" : "")
    }
  }

  private static func text(_ value: Double) -> String { DecimalText.fixed(value, places: 1) }

  /// Returns the outline of a parcel; empty without one.
  private static func parcel(_ rings: [[Coordinate]], _ sheet: Sheet) -> [HTML] {
    guard !rings.isEmpty else { return [] }
    let path = rings.map { sheet.path($0, isClosed: true) }.joined()
    return ["<path class=\"parcel\" d=\"\(path)\"/>"]
  }

  private static func shape(of track: Track, _ sheet: Sheet) -> HTML {
    let path = sheet.path(track.points.map(\.coordinate), isClosed: false)
    return "<path class=\"track\" d=\"\(path)\"/>"
  }

  /// Returns a photo's view cone and uncertainty, if they are known, and its place with its number.
  private static func shapes(of photo: Photo, number: Int, _ sheet: Sheet) -> [HTML] {
    let (x, y) = sheet.place(photo.position.coordinate)
    var shapes: [HTML] = []
    if let azimuth = photo.orientation?.azimuthDegreesTrue {
      let half = photo.camera.horizontalDegrees / 2
      let corners = [azimuth - half, azimuth + half].map { degrees in
        let angle = degrees * .pi / 180
        return "L\(text(x + 44 * sin(angle))) \(text(y - 44 * cos(angle)))"
      }.joined()
      shapes.append("<path class=\"cone\" d=\"M\(text(x)) \(text(y))\(corners)Z\"/>")
    }
    if let radius = photo.position.uncertaintyMetres95 {
      shapes.append(
        "<circle class=\"uncertainty\" cx=\"\(text(x))\" cy=\"\(text(y))\" r=\"\(text(radius * sheet.scale))\"/>"
      )
    }
    shapes.append(
      """
      <circle class="place" cx="\(text(x))" cy="\(text(y))" r="4"/>\
      <text x="\(text(x + 7))" y="\(text(y - 7))">\(number)</text>
      """)
    return shapes
  }

  /// Returns a round number of metres for the scale bar, at most a third of the drawing, and the
  /// length of the bar in points.
  private static func bar(_ scale: Double) -> (Int, Double) {
    let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000]
    let metres = steps.last { Double($0) * scale <= size / 3 } ?? 1
    return (metres, Double(metres) * scale)
  }
}
