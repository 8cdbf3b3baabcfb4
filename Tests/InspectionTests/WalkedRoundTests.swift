import Foundation
import Geodesy
import Inspection
import Positioning
import TestSupport
import Testing

@Suite("A walk round a thing, as the receiver saw it")
struct WalkedRoundTests {
  /// Returns the judgement of a way on a circle.
  private static func walk(
    degrees: Double, radiusMetres: Double = 8, noiseMetres: Double = 0.5, ends: Double? = nil,
    pause: Int = 0, near: Coordinate? = nil, uncertaintyMetres95: Double? = 1.5
  ) throws -> WalkedRound {
    let middle = try #require(near ?? Coordinate(latitudeDegrees: 50.1, longitudeDegrees: 14.4))
    var generator = SeededGenerator(seed: 7)
    func place(_ azimuth: Double, noise: Double) -> WalkedRound.Place {
      let there = Geodesic.direct(
        from: middle, initialAzimuthDegrees: azimuth, distanceMetres: radiusMetres)
      return WalkedRound.Place(
        Geodesic.direct(
          from: there,
          initialAzimuthDegrees: Double.random(in: 0..<360, using: &generator),
          distanceMetres: noise), uncertaintyMetres95: uncertaintyMetres95)
    }
    let steps = 60
    var way = (0...steps).map { place(degrees * Double($0) / Double(steps), noise: noiseMetres) }
    for _ in 0..<pause { way.insert(place(0, noise: noiseMetres), at: 0) }
    return WalkedRound(
      from: place(0, noise: 0), along: way, to: place(ends ?? degrees, noise: 0), sectorDegrees: 5)
  }

  @Test("goes round", arguments: [360.0, -360, 720])
  func round(degrees: Double) throws {
    let walked = try Self.walk(degrees: degrees)
    #expect(walked.isRound == true)
    #expect(walked.isClosed == true)
    #expect(abs(try #require(walked.coveredDegrees) - degrees) < 25)
  }

  @Test("that covers a part of the circle is none", arguments: [90.0, 180, -180, 270, 300])
  func part(degrees: Double) throws {
    let walked = try Self.walk(degrees: degrees)
    #expect(walked.isRound == false)
    #expect(walked.isClosed == false)
  }

  @Test("a part that the receiver has not seen does not count, though the end is at the start")
  func unseen() throws {
    #expect(try Self.walk(degrees: 280, ends: 360).isRound == false)
    #expect(try Self.walk(degrees: 280, ends: 360).isClosed == true)
    #expect(try Self.walk(degrees: 330, ends: 360).isRound == true)
  }

  @Test("there and back covers nothing")
  func back() throws {
    #expect(try Self.walk(degrees: 360, ends: 0).isClosed == true)
    let there = try #require(Coordinate(latitudeDegrees: 50.1, longitudeDegrees: 14.4))
    let places = (0...20).map { step -> WalkedRound.Place in
      let metres = Double(step < 10 ? step : 20 - step)
      let place = Geodesic.direct(
        from: there, initialAzimuthDegrees: 90 + Double(step % 3), distanceMetres: metres)
      return WalkedRound.Place(place, uncertaintyMetres95: 1)
    }
    let walked = WalkedRound(from: places[0], along: places, to: places[0], sectorDegrees: 5)
    #expect(walked.isRound == false)
    #expect(walked.isClosed == true)
  }

  @Test("with a long pause is judged as one without")
  func pause() throws {
    #expect(try Self.walk(degrees: 360, pause: 500).isRound == true)
    #expect(try Self.walk(degrees: 200, pause: 500).isRound == false)
  }

  @Test("smaller than the receiver's uncertainty cannot be told, nor can no way at all")
  func tooSmall() throws {
    #expect(try Self.walk(degrees: 360, radiusMetres: 2, uncertaintyMetres95: 5).isRound == nil)
    let here = WalkedRound.Place(
      try #require(Coordinate(latitudeDegrees: 0, longitudeDegrees: 0)), uncertaintyMetres95: nil)
    let walked = WalkedRound(from: here, along: [], to: here, sectorDegrees: 5)
    #expect(walked.isRound == nil)
    #expect(walked.isClosed == nil)
  }

  @Test("across the antimeridian and beside a pole is judged as anywhere")
  func edges() throws {
    for (latitude, longitude) in [(-17.0, 180.0), (-17, -179.99999), (89.9999, 10)] {
      let near = try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
      #expect(try Self.walk(degrees: 360, near: near).isRound == true)
      #expect(try Self.walk(degrees: 180, near: near).isRound == false)
    }
  }
}
