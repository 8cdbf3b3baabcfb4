import Geodesy
import Inspection
import Testing

@Suite("The sight of the thing that a photo point shows")
struct SubjectSightTests {
  private func sight(
    lens azimuth: Double?, accuracy: Double? = nil, elevation: Double = 0,
    from: (Double, Double) = (49.1, 16.6), to: (Double, Double)
  ) throws -> SubjectSight {
    func place(_ pair: (Double, Double)) throws -> Coordinate {
      try #require(Coordinate(latitudeDegrees: pair.0, longitudeDegrees: pair.1))
    }
    var orientation = azimuth.map {
      Orientation(
        azimuthDegreesTrue: $0, elevationDegrees: elevation, rollDegrees: 0, source: .deviceSensors)
    }
    orientation?.azimuthAccuracyDegrees = accuracy
    return SubjectSight(
      from: RepeatMeasure.Stand(
        coordinate: try place(from), uncertaintyMetres95: 3, orientation: orientation),
      camera: CameraGeometry(horizontalDegrees: 60, verticalDegrees: 45, source: .assumed),
      to: try place(to))
  }

  @Test("a thing ahead is in the picture, one beside it or behind is not, across north and south")
  func directions() throws {
    let east = try sight(lens: 90, accuracy: 5, to: (49.1, 16.601))
    #expect(abs(east.distanceMetres - 73) < 1)
    #expect(try abs(#require(east.offsetDegrees)) < 0.1 && east.isInPicture == true)
    let behind = try sight(lens: 270, accuracy: 5, to: (49.1, 16.601))
    #expect(behind.isInPicture == false)
    // The lens looks to 350 degrees, the thing lies to the north: 10 degrees to the right.
    let north = try sight(lens: 350, accuracy: 5, to: (49.101, 16.6))
    #expect(try abs(#require(north.offsetDegrees) - 10) < 0.1)
    let west = try sight(lens: 10, accuracy: 5, to: (49.101, 16.6))
    #expect(try abs(#require(west.offsetDegrees) + 10) < 0.1)
    // Half the view is 30 degrees, the compass may err by 5, and 3 m at 73 m are 2.4 degrees.
    #expect(try sight(lens: 53.5, accuracy: 5, to: (49.1, 16.601)).isInPicture == true)
    #expect(try sight(lens: 51.5, accuracy: 5, to: (49.1, 16.601)).isInPicture == false)
    #expect(try sight(lens: 51.5, to: (49.1, 16.601)).isInPicture == true, "an unstated accuracy")
  }

  @Test("nothing is claimed without a trusted direction, nor of a pin at the camera itself")
  func unknown() throws {
    for lens in [
      try sight(lens: nil, to: (49.1, 16.601)),
      try sight(lens: 90, accuracy: 20, to: (49.1, 16.601)),
    ] {
      #expect(lens.offsetDegrees == nil && lens.isInPicture == nil && lens.azimuthDegrees != nil)
    }
    let here = try sight(lens: 90, to: (49.1, 16.6))
    #expect(here.distanceMetres == 0 && here.azimuthDegrees == nil && here.isInPicture == nil)
  }

  @Test("a thing no farther than the place is uncertain, or in a steep picture, is not judged")
  func near() throws {
    // 7 m away at an uncertainty of 3 m: the direction may be wrong by 24 degrees.
    let near = try sight(lens: 180, accuracy: 5, to: (49.1, 16.6001))
    #expect(near.distanceMetres < 8 && near.isInPicture == false)
    #expect(try sight(lens: 33, accuracy: 5, to: (49.1, 16.6001)).isInPicture == true)
    #expect(try sight(lens: 270, accuracy: 5, to: (49.1, 16.60003)).isInPicture == nil)
    #expect(
      try sight(lens: 270, accuracy: 5, elevation: -75, to: (49.1, 16.601)).isInPicture == nil)
    #expect(
      try sight(lens: 270, accuracy: 5, elevation: -45, to: (49.1, 16.601)).isInPicture == false)
  }

  @Test("the antimeridian and a pole are places like others")
  func edges() throws {
    let across = try sight(lens: 90, accuracy: 5, from: (0, 179.9995), to: (0, -179.9995))
    #expect(across.distanceMetres < 112 && across.isInPicture == true)
    let pole = try sight(lens: 0, accuracy: 5, from: (89.9999, 0), to: (90, 0))
    #expect(pole.distanceMetres < 12 && pole.isInPicture == true)
  }
}
