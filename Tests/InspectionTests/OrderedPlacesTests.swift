import Foundation
import Geodesy
import Inspection
import Testing
import TimeAndText

@Suite("Sections and further parcels of an order")
struct OrderedPlacesTests {
  private let origin: Coordinate
  private let plane: LocalPlane

  init() throws {
    origin = try #require(Coordinate(latitudeDegrees: 50.1, longitudeDegrees: -14.1))
    plane = LocalPlane(origin: origin)
  }

  private func place(_ east: Double, _ north: Double) -> Coordinate {
    plane.coordinate(of: PlanePoint(eastMetres: east, northMetres: north))
  }

  private func ring(_ west: Double, _ south: Double, _ side: Double) -> [Coordinate] {
    [
      place(west, south), place(west + side, south), place(west + side, south + side),
      place(west, south + side),
    ]
  }

  private func parcel() throws -> Parcel {
    try #require(Parcel(identifier: "N-1", rings: [ring(0, 0, 100)]))
  }

  private func section(_ name: String, _ ring: [Coordinate]) -> OrderedPlace {
    OrderedPlace(.section, name: name, rings: [ring])
  }

  @Test("a section needs a name of its own, an outline, and a place on a parcel of the order")
  func rules() throws {
    let parcel = try parcel()
    let one = try OrderedPlaces.none.adding(section("North", ring(10, 10, 20)), beside: parcel)
    func fault(_ place: OrderedPlace) -> PlaceFault? {
      do throws(PlaceFault) {
        _ = try one.adding(place, beside: parcel)
        return nil
      } catch { return error }
    }
    #expect(fault(section("South", ring(80, 80, 23))) == nil, "3 m over both edges")
    #expect(fault(section("South", ring(80, 80, 26))) == .offParcel("South"))
    #expect(fault(section("South", ring(500, 0, 20))) == .offParcel("South"))
    #expect(fault(section("North", ring(50, 50, 20))) == .twice("North"))
    #expect(fault(section(" ", ring(50, 50, 20))) == .name)
    #expect(fault(section(String(repeating: "x", count: 201), ring(50, 50, 20))) == .name)
    #expect(fault(section("South", Array(ring(1, 1, 2).prefix(2)))) == .outline("South"))
    #expect(fault(OrderedPlace(.parcel, name: "North", rings: [ring(500, 0, 20)])) == nil)
    #expect(
      fault(OrderedPlace(.parcel, name: "N-1", rings: [ring(500, 0, 20)])) == .twice("N-1"))
    // A section may lie on a further parcel, and anywhere without a parcel.
    let two = try one.adding(
      OrderedPlace(.parcel, name: "N-2", rings: [ring(500, 0, 50)]), beside: parcel)
    #expect(try two.adding(section("East", ring(510, 10, 9)), beside: parcel).list.count == 3)
    #expect(try OrderedPlaces.none.adding(section("A", ring(0, 0, 5)), beside: nil) != .none)
    #expect(two.without(.parcel, "N-2") == one && two.without(.section, "N-2") == two)
    let round = (0...5000).map { place(50 + 40 * cos(Double($0)), 50 + 40 * sin(Double($0))) }
    #expect(fault(section("South", round)) == .corners("South"))
    let many = (0...50).map { section("\($0)", ring(1, 1, 9)) }
    #expect(throws: PlaceFault.tooMany) { try OrderedPlaces(many) }
  }

  @Test("a line over a parcel makes two sections of it, and a line that does not is refused")
  func dividing() throws {
    let parcel = try parcel()
    let halves = try OrderedPlaces.none.dividing(
      parcel, by: [place(-10, 40), place(110, 40)], named: "Part")
    #expect(halves.list.map(\.name) == ["Part 1", "Part 2"])
    let areas = halves.list.map(\.areaSquareMetres)
    #expect(abs(areas[0] - 6000) < 5 && abs(areas[1] - 4000) < 5)
    for line in [[place(-10, 40), place(50, 40)], [place(-10, 200), place(110, 200)], []] {
      #expect(throws: PlaceFault.self) {
        try OrderedPlaces.none.dividing(parcel, by: line, named: "Part")
      }
    }
    #expect(throws: PlaceFault.twice("Part 1")) {
      try halves.dividing(
        parcel, by: [place(40, -10), place(40, 110)], named: "Part")
    }
  }

  private func task() throws -> InspectionTask {
    var task = InspectionTask(
      id: Identifier(at: DeviceTime(millisecondsSince1970: 1_778_000_000_000)), agency: "north",
      inspector: "ines", name: "Beet", created: DeviceTime(millisecondsSince1970: 0),
      parcel: try parcel())
    task.places = try OrderedPlaces([
      section("North", ring(0, 60, 40)),
      OrderedPlace(.parcel, name: "N-2", rings: [ring(500, 0, 50)]),
    ])
    return task
  }

  @Test("a shot in a section or in one of several parcels knows its land from the order")
  func stations() throws {
    let task = try task()
    func shot(_ station: WantedShot.Station) throws -> WantedShot {
      let name = try #require(ItemName("roof"))
      let items = try OrderItems([
        OrderItem(
          name: name, wording: "The roof",
          content: .shot(WantedShot(station: station, isStrict: true)))
      ])
      return try #require(
        OrderedItems(type: "t", version: 1, items: items).located(in: task).items[name]?.shot)
    }
    func misses(_ shot: WantedShot, _ east: Double, _ north: Double) -> [ShotMiss] {
      shot.misses(at: place(east, north), uncertaintyMetres95: 2, azimuthDegreesTrue: nil)
    }
    let section = try shot(.section("North"))
    #expect(section.hasCondition && section.region != nil)
    #expect(misses(section, 20, 80).isEmpty && misses(section, 20, 58.5).isEmpty)
    guard case .area(let distance) = try #require(misses(section, 20, 50).first) else {
      Issue.record("no miss of an area")
      return
    }
    #expect(abs(distance - 10) < 0.01)
    #expect(misses(section, 20, 50).map(\.code) == ["shot-station"])
    #expect(misses(try shot(.parcel("N-2")), 510, 10).isEmpty)
    #expect(!misses(try shot(.parcel("N-1")), 510, 10).isEmpty)
    var alone = task
    alone.places = .none
    #expect(
      !OrderedItems(
        type: "t", version: 1,
        items: try OrderItems([
          OrderItem(
            name: try #require(ItemName("a")), wording: "a",
            content: .shot(WantedShot(station: .parcel("N-1"), isStrict: true)))
        ])
      ).located(in: alone).items.items.contains { $0.shot?.hasCondition == true },
      "an order of one parcel is what it was")
    // Land that the order does not name is no condition: nobody could meet it.
    let unknown = try shot(.section("South"))
    #expect(!unknown.hasCondition && misses(unknown, 900, 900).isEmpty && unknown.region == nil)
  }

  @Test("the land that items ask for and the order does not name is found, each once")
  func unknownLand() throws {
    func item(_ name: String, _ station: WantedShot.Station?) throws -> OrderItem {
      OrderItem(
        name: try #require(ItemName(name)), wording: name,
        content: .shot(WantedShot(station: station)))
    }
    let items = try OrderItems([
      item("a", .section("North")), item("b", .section("South")), item("c", .section("South")),
      item("d", .parcel("N-9")), item("e", .point(origin, radiusMetres: 20)), item("f", nil),
    ])
    let order = OrderedItems(type: "t", version: 1, items: items)
    #expect(
      try order.items.unknownStations(in: task()) == [.section("South"), .parcel("N-9")])
    // The order's only parcel is named, too.
    var alone = try task()
    alone.places = .none
    let own = try OrderItems([item("a", .parcel("N-1"))])
    #expect(own.unknownStations(in: alone).isEmpty)
  }

  @Test(
    "the first parcel that is added is the order's own, and a parcel that is not there is not divided"
  )
  func firstParcel() throws {
    var task = try task()
    (task.parcel, task.places) = (nil, .none)
    let line = [place(-10, 40), place(110, 40)]
    #expect(throws: PlaceFault.noParcel) { try task.divide(parcel: nil, by: line, named: "A") }
    try task.add(OrderedPlace(.parcel, name: "N-1", rings: [ring(0, 0, 100)]))
    #expect(task.parcel?.identifier == "N-1" && task.places == .none)
    #expect(throws: PlaceFault.noParcel) { try task.divide(parcel: "X", by: line, named: "A") }
    try task.divide(parcel: nil, by: line, named: "A")
    #expect(task.places.list.map(\.name) == ["A 1", "A 2"])
  }

  @Test("of several parcels the nearest one counts")
  func nearest() throws {
    let task = try task()
    #expect(task.parcel(nearestTo: place(90, 0))?.identifier == "N-1")
    #expect(task.parcel(nearestTo: place(480, 0))?.identifier == "N-2")
    #expect(task.parcel(nearestTo: nil)?.identifier == "N-1")
  }
}
