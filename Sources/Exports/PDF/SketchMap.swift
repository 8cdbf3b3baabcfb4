import Foundation
import Geodesy
import Inspection
import Positioning

// The problem: one drawing shall show the parcel, the photos and the tracks at a scale of metres,
// although a photo may have been taken in another country and a track may lead home.
//
// The obvious idea, a map of everything, shrinks the parcel to a dot as soon as one photo is far.
//
// The solution: the map shows the parcel with everything near it; a photo that is too far is not
// drawn but named with its distance. Near is within four times the parcel's own radius, at least
// 300 m; without a parcel, within 25 km of the first photo (or of the first track's beginning),
// where a plane is still right to centimetres.

/// A map's content, as places in metres east and north of the map's middle.
struct SketchMap {
  /// A photo on the map.
  struct Mark {
    var number: Int
    var place: PlanePoint
    /// The 95 % radius in metres; nil if unknown.
    var uncertaintyMetres95: Double?
    /// The direction of view in degrees, clockwise from true north; nil if unknown.
    var azimuthDegreesTrue: Double?
    /// The horizontal field of view, 1 to 179 degrees; nil if the camera states no such angle.
    var fieldDegrees: Double?
  }

  /// A photo that is too far for the map.
  struct FarMark {
    var number: Int
    var distanceMetres: Double
    var bearingDegrees: Double
  }

  /// A track, in runs between its gaps.
  struct Trail {
    var number: Int
    var runs: [[PlanePoint]]
    /// True if a part of the track is too far away for the map.
    var leaves: Bool
  }

  /// The box that the map must show, in metres; empty until a point is included.
  struct Bounds {
    var west = Double.infinity
    var east = -Double.infinity
    var south = Double.infinity
    var north = -Double.infinity

    var width: Double { east - west }
    var height: Double { north - south }
    var isEmpty: Bool { west > east }
    var middle: PlanePoint {
      PlanePoint(eastMetres: (west + east) / 2, northMetres: (south + north) / 2)
    }

    mutating func include(_ point: PlanePoint, around radius: Double = 0) {
      west = min(west, point.eastMetres - radius)
      east = max(east, point.eastMetres + radius)
      south = min(south, point.northMetres - radius)
      north = max(north, point.northMetres + radius)
    }
  }

  let centre: Coordinate
  /// The plane on which the metres are measured.
  let plane: LocalPlane
  let parcelIdentifier: String?
  /// The parcel's rings: the outline, then the holes; empty without a parcel.
  let parcel: [[PlanePoint]]
  let marks: [Mark]
  let farMarks: [FarMark]
  let trails: [Trail]
  let bounds: Bounds

  /// Creates a map; nil if no parcel, photo or track has a place.
  /// - Parameters:
  ///   - firstPhoto: the number of the first photo.
  ///   - firstTrack: the number of the first track.
  init?(
    of parcel: Parcel?, photos: [Photo], tracks: [Track], firstPhoto: Int = 1, firstTrack: Int = 1
  ) {
    let rings = parcel?.rings ?? []
    let places =
      rings.first ?? photos.first.map { [$0.position.coordinate] }
      ?? tracks.lazy.compactMap(\.points.first).first.map { [$0.coordinate] }
    guard let places, let first = places.first else { return nil }
    let centre = Self.middle(of: places, from: first)
    let plane = LocalPlane(origin: centre)
    let radius = places.map { Geodesic.distanceMetres(from: centre, to: $0) }.max() ?? 0
    let near = rings.isEmpty ? 25_000 : max(300, 4 * radius)

    func isNear(_ place: Coordinate) -> Bool {
      Geodesic.distanceMetres(from: centre, to: place) <= near
    }
    var bounds = Bounds()
    self.centre = centre
    self.plane = plane
    parcelIdentifier = parcel?.identifier
    self.parcel = rings.map { $0.map(plane.project) }
    for point in self.parcel.joined() { bounds.include(point) }

    var marks: [Mark] = []
    var farMarks: [FarMark] = []
    for (index, photo) in photos.enumerated() {
      let place = photo.position.coordinate
      if isNear(place) {
        let mark = Self.mark(of: photo, number: firstPhoto + index, at: plane.project(place))
        bounds.include(mark.place, around: min(mark.uncertaintyMetres95 ?? 0, max(radius, 50)))
        marks.append(mark)
      } else {
        let way = Geodesic.inverse(from: centre, to: place)
        farMarks.append(
          FarMark(
            number: firstPhoto + index, distanceMetres: way.distanceMetres,
            bearingDegrees: way.initialAzimuthDegrees))
      }
    }
    self.marks = marks
    self.farMarks = farMarks

    var trails: [Trail] = []
    for (index, track) in tracks.enumerated() {
      let trail = Self.trail(of: track, number: firstTrack + index, on: plane, isNear: isNear)
      for point in trail.runs.joined() { bounds.include(point) }
      trails.append(trail)
    }
    self.trails = trails
    // An empty box cannot be drawn: the map then shows 10 m around its middle.
    if bounds.isEmpty { bounds.include(plane.project(centre), around: 10) }
    self.bounds = bounds
  }

  private static func mark(of photo: Photo, number: Int, at place: PlanePoint) -> Mark {
    let field = photo.camera.horizontalDegrees
    let radius = photo.position.uncertaintyMetres95
    let azimuth = photo.orientation?.azimuthDegreesTrue
    return Mark(
      number: number, place: place,
      uncertaintyMetres95: radius.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil },
      azimuthDegreesTrue: azimuth.flatMap { $0.isFinite ? $0 : nil },
      fieldDegrees: field.isFinite && (1...179).contains(field) ? field : nil)
  }

  private static func trail(
    of track: Track, number: Int, on plane: LocalPlane, isNear: (Coordinate) -> Bool
  ) -> Trail {
    var runs: [[PlanePoint]] = []
    var leaves = false
    var isOpen = false
    for point in track.points {
      guard isNear(point.coordinate) else {
        (leaves, isOpen) = (true, false)
        continue
      }
      if point.gapBefore != nil || !isOpen { runs.append([]) }
      runs[runs.count - 1].append(plane.project(point.coordinate))
      isOpen = true
    }
    return Trail(number: number, runs: runs, leaves: leaves)
  }

  /// Returns the middle of the places' extent, across the antimeridian as well.
  private static func middle(of places: [Coordinate], from first: Coordinate) -> Coordinate {
    let plane = LocalPlane(origin: first)
    var bounds = Bounds()
    for place in places { bounds.include(plane.project(place)) }
    return plane.coordinate(
      of: PlanePoint(
        eastMetres: (bounds.west + bounds.east) / 2, northMetres: (bounds.south + bounds.north) / 2)
    )
  }
}
