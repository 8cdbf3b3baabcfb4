import Foundation
import Geodesy
import Inspection
import TimeAndText
import Web

/// A small drawing of a task's place: the parcel, the places of photos with their uncertainty and
/// view, and the inspector's own place while it is fresh. It needs no map, no network and no
/// script.
///
/// A photo of another place, or a position on the way there, would shrink the parcel to a dot.
/// Points farther than four times the parcel's own radius, and than 300 m, are therefore not drawn;
/// the words tell the way instead.
package struct ParcelSketch: Sendable {
  private static let size = 360.0
  private static let margin = 28.0

  /// A photo of the task in the plane of the drawing.
  private struct Mark: Sendable {
    var number: Int
    var place: PlanePoint
    var uncertaintyMetres95: Double?
    var azimuthDegreesTrue: Double?
    var fieldDegrees: Double
  }

  private let plane: LocalPlane
  private let rings: [[PlanePoint]]
  private let marks: [Mark]
  /// The number of photos that are too far away to be drawn.
  package let farPhotos: Int
  private let parcel: Parcel?
  private let nearMetres: Double

  /// Creates the sketch; nil if neither the parcel nor a photo has a place.
  package init?(_ parcel: Parcel?, _ photos: [Photo]) {
    guard let origin = parcel?.middle ?? photos.first?.position.coordinate else { return nil }
    let plane = LocalPlane(origin: origin)
    rings = (parcel?.rings ?? []).map { $0.map(plane.project) }
    let radius = rings.joined().map { hypot($0.eastMetres, $0.northMetres) }.max() ?? 0
    let nearMetres = max(300, 4 * radius)
    var marks: [Mark] = []
    for (index, photo) in photos.enumerated() {
      let place = plane.project(photo.position.coordinate)
      guard hypot(place.eastMetres, place.northMetres) <= nearMetres else { continue }
      marks.append(
        Mark(
          number: index + 1, place: place, uncertaintyMetres95: photo.position.uncertaintyMetres95,
          azimuthDegreesTrue: photo.orientation?.azimuthDegreesTrue,
          fieldDegrees: photo.camera.horizontalDegrees))
    }
    self.plane = plane
    self.parcel = parcel
    self.marks = marks
    self.nearMetres = nearMetres
    farPhotos = photos.count - marks.count
  }

  /// Draws the sketch with the words below it.
  /// - Parameter here: the place of the inspector; nil while that is not known.
  package func svg(here: Coordinate?, _ t: Texts) -> HTML {
    let own = here.map(plane.project).flatMap {
      hypot($0.eastMetres, $0.northMetres) <= nearMetres ? $0 : nil
    }
    let points = rings.joined() + marks.map(\.place) + [own].compactMap(\.self)
    let frame = Frame(Array(points))
    var shapes: [HTML] = []
    if !rings.isEmpty {
      let path = rings.map { ring in
        ring.enumerated().map { index, point in "\(index == 0 ? "M" : "L")\(frame.text(point))" }
          .joined() + "Z"
      }.joined()
      shapes.append("<path class=\"parcel\" d=\"\(path)\"/>")
    }
    for mark in marks { shapes += draw(mark, frame) }
    if let own {
      let (x, y) = frame.place(own)
      let corners = [(0.0, -9.0), (8, 6), (0, 2), (-8, 6)].map { Frame.text(x + $0.0, y + $0.1) }
      shapes.append("<path class=\"own\" d=\"M\(corners.joined(separator: "L"))Z\"/>")
    }
    let (metres, length) = frame.bar
    let words = t(
      "Sketch: parcel, {1} photos with their uncertainty and view; north is up", marks.count)
    let yours: HTML? = own.map { _ in "<br>\(t("The arrow is you."))" }
    let far: HTML? =
      farPhotos == 0 ? nil : "<br>\(t("{1} photos are too far away to draw.", farPhotos))"
    return """
      <figure class="map"><svg viewBox="0 0 360 360" role="img" aria-label="\(words)">\(shapes)
      <path class="scale" d="M16 344h\(DecimalText.fixed(length, places: 1))"/><text x="16" y="338">\(metres) m</text>
      <path class="north" d="M340 36V14m-5 8 5-8 5 8"/><text x="336" y="50">N</text></svg>
      <figcaption>\(words)\(yours)\(far)</figcaption></figure>
      """
  }

  private func draw(_ mark: Mark, _ frame: Frame) -> [HTML] {
    let (x, y) = frame.place(mark.place)
    var shapes: [HTML] = []
    if let azimuth = mark.azimuthDegreesTrue, (1...179).contains(mark.fieldDegrees) {
      let half = mark.fieldDegrees / 2
      let corners = [azimuth - half, azimuth + half].map { degrees in
        let angle = degrees * .pi / 180
        return "L\(Frame.text(x + 44 * sin(angle), y - 44 * cos(angle)))"
      }.joined()
      shapes.append("<path class=\"cone\" d=\"M\(Frame.text(x, y))\(corners)Z\"/>")
    }
    if let radius = mark.uncertaintyMetres95 {
      let pixels = min(radius * frame.scale, 2 * Self.size)
      shapes.append(
        """
        <circle class="uncertainty" cx="\(DecimalText.fixed(x, places: 1))" cy="\(DecimalText.fixed(y, places: 1))" \
        r="\(DecimalText.fixed(pixels, places: 1))"/>
        """)
    }
    shapes.append(
      """
      <circle class="place" cx="\(DecimalText.fixed(x, places: 1))" cy="\(DecimalText.fixed(y, places: 1))" r="4"/>\
      <text x="\(DecimalText.fixed(x + 7, places: 1))" y="\(DecimalText.fixed(y - 7, places: 1))">\(mark.number)</text>
      """)
    return shapes
  }

  /// The scale and the middle by which metres become points of the drawing.
  private struct Frame {
    var scale: Double
    private var middle: (east: Double, north: Double)

    init(_ points: [PlanePoint]) {
      let (east, north) = (points.map(\.eastMetres), points.map(\.northMetres))
      let (west, right) = (east.min() ?? 0, east.max() ?? 0)
      let (south, top) = (north.min() ?? 0, north.max() ?? 0)
      // A single point still gets some land around it.
      let extent = max(right - west, top - south, 20)
      scale = (size - 2 * margin) / extent
      middle = ((west + right) / 2, (south + top) / 2)
    }

    func place(_ point: PlanePoint) -> (Double, Double) {
      (
        size / 2 + (point.eastMetres - middle.east) * scale,
        size / 2 - (point.northMetres - middle.north) * scale
      )
    }

    func text(_ point: PlanePoint) -> String {
      let (x, y) = place(point)
      return Self.text(x, y)
    }

    static func text(_ x: Double, _ y: Double) -> String {
      "\(DecimalText.fixed(x, places: 1)) \(DecimalText.fixed(y, places: 1))"
    }

    /// The scale bar: a round number of metres, at most a third of the drawing, and its length in
    /// points.
    var bar: (metres: Int, length: Double) {
      let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000]
      let metres = steps.last { Double($0) * scale <= size / 3 } ?? 1
      return (metres, Double(metres) * scale)
    }
  }
}
