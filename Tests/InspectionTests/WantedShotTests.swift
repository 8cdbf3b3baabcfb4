import Geodesy
import Inspection
import TestSupport
import Testing
import TimeAndText

@Suite("The photos that an item asks for")
struct WantedShotTests {
  private func place(_ east: Double, _ north: Double) throws -> Coordinate {
    let origin = try #require(Coordinate(latitudeDegrees: 49, longitudeDegrees: 179.999))
    return LocalPlane(origin: origin).coordinate(
      of: PlanePoint(eastMetres: east, northMetres: north))
  }

  @Test("a station is missed beyond its radius and the place's own uncertainty, and not before")
  func station() throws {
    let shot = WantedShot(station: .point(try place(0, 0), radiusMetres: 10))
    func misses(_ east: Double, _ uncertainty: Double?) throws -> [String] {
      shot.misses(
        at: try place(east, 0), uncertaintyMetres95: uncertainty, azimuthDegreesTrue: nil
      ).map(\.code)
    }
    #expect(try misses(9.9, nil) == [] && misses(10.1, nil) == ["shot-station"])
    // On the other side of the antimeridian, and with 4 m of doubt.
    #expect(try misses(99, 90) == [] && misses(101, 90) == ["shot-station"])
    let far = shot.misses(
      at: try place(-250, 0), uncertaintyMetres95: 4, azimuthDegreesTrue: nil)
    #expect(
      far.map { "\($0.wording)" } == [
        "the camera stood 250.0 m from the station, and the order allows 10 m: go nearer"
      ])
  }

  @Test("a bearing is missed beyond its tolerance on either side, and never where none is known")
  func bearing() throws {
    let shot = WantedShot(bearing: .init(degreesTrue: 350, toleranceDegrees: 20))
    func isMissed(_ azimuth: Double?) throws -> Bool {
      !shot.misses(at: try place(0, 0), uncertaintyMetres95: 1, azimuthDegreesTrue: azimuth)
        .isEmpty
    }
    #expect(try !isMissed(10) && !isMissed(330) && !isMissed(0) && !isMissed(nil))
    #expect(try isMissed(10.5) && isMissed(329.5) && isMissed(170))
  }

  @Test(
    "the walk visits each station once, is no longer than by the nearest next, and near the best")
  func walk() throws {
    try forEachSeed(0..<200) { seed, random in
      let count = Int.random(in: 1...7, using: &random)
      let plane = try (0..<count).map { _ in
        try place(
          .random(in: -300...300, using: &random), .random(in: -300...300, using: &random))
      }
      let start = try place(0, 0)
      func length(_ order: [Int]) -> Double {
        var here = start
        return order.reduce(0) { sum, next in
          defer { here = plane[next] }
          return sum + Geodesic.inverse(from: here, to: plane[next]).distanceMetres
        }
      }
      let walk = StationWalk.order(from: start, plane)
      #expect(walk.sorted() == Array(plane.indices), "seed \(seed)")
      var best = Double.infinity
      func all(_ taken: [Int]) {
        if taken.count == count { best = min(best, length(taken)) }
        for next in plane.indices where !taken.contains(next) { all(taken + [next]) }
      }
      all([])
      #expect(length(walk) <= best * 1.25 + 0.01, "seed \(seed)")
    }
    #expect(StationWalk.order(from: nil, []) == [])
  }

  @Test(
    "shots that are left come in walking order, those without a station last, none that is done")
  func left() throws {
    func name(_ text: String) throws -> ItemName { try #require(ItemName(text)) }
    func station(_ text: String, _ east: Double) throws -> OrderItem {
      OrderItem(
        name: try name(text), wording: text,
        content: .shot(WantedShot(station: .point(try place(east, 0), radiusMetres: 5))))
    }
    let order = try OrderItems([
      OrderItem(name: name("any"), wording: "any", content: .shot(WantedShot())),
      station("far", 300), station("near", 20), station("middle", 100),
      OrderItem(name: name("why"), wording: "why", content: .note),
    ])
    var given = GivenItems()
    func left(from east: Double?) throws -> [String] {
      order.shotsToTake(
        ItemStanding(of: order, given), from: try east.map { try place($0, 0) }
      ).map(\.name.description)
    }
    #expect(try left(from: 0) == ["near", "middle", "far", "any"])
    #expect(try left(from: 400) == ["far", "middle", "near", "any"])
    #expect(try left(from: nil) == ["far", "middle", "near", "any"])
    given.fill(
      order,
      photos: [
        GivenItems.Taken(
          Identifier(at: DeviceTime(millisecondsSince1970: 1)), for: try name("middle"))
      ], sets: [], tracks: [])
    #expect(try left(from: 0) == ["near", "far", "any"])
  }
}
