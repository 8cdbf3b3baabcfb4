import Geodesy
import TestSupport
import Testing
import TimeAndText

@testable import Inspection

@Suite("The parcels around an inspector's tasks")
struct TaskNeighbourhoodTests {
  private static let now = DeviceTime(millisecondsSince1970: 1_790_000_000_000)

  /// Returns a square of 100 m whose south-west corner is so many metres from a place.
  private func parcel(_ name: String, east: Double, north: Double = 0) throws -> Parcel {
    let origin = try #require(Coordinate(latitudeDegrees: 49, longitudeDegrees: 16))
    let plane = LocalPlane(origin: origin)
    let ring = [(0.0, 0.0), (100, 0), (100, 100), (0, 100)].map {
      plane.coordinate(of: PlanePoint(eastMetres: east + $0.0, northMetres: north + $0.1))
    }
    return try #require(Parcel(identifier: name, rings: [ring]))
  }

  private func task(
    _ parcel: Parcel?, _ state: TaskState = .new, due: Double? = nil
  ) -> InspectionTask {
    var task = InspectionTask(
      id: Identifier(at: Self.now), agency: "north", inspector: "ines", name: "Beet",
      created: Self.now, parcel: parcel)
    task.state = state
    task.due = due.map { Self.now.advanced(bySeconds: $0) }
    return task
  }

  @Test("only tasks that are still to be done have neighbours, the first due first")
  func lands() throws {
    let parcels = try (0..<4).map { try parcel("P-\($0)", east: Double($0) * 1000) }
    let neighbourhood = TaskNeighbourhood(of: [
      task(parcels[0], .open), task(parcels[1], .returned, due: 60), task(parcels[2], due: 30),
      task(parcels[3], .dataProvided), task(parcels[3], .accepted), task(nil, due: 1),
      task(parcels[1], due: 90),
    ])
    #expect(neighbourhood.lands.map(\.identifier) == ["P-2", "P-1", "P-0"], "each once")
    #expect(!neighbourhood.isCut)
    #expect(TaskNeighbourhood(of: []).nearest.isEmpty)
  }

  @Test("a parcel at 300 m is one, and one a little further is none")
  func border() throws {
    let land = try parcel("own", east: 0)
    var neighbourhood = TaskNeighbourhood(of: [task(land)])
    let near = try [
      parcel("far", east: 400.1), parcel("at", east: 399.9),
      parcel("corner", east: 311, north: 315),
      parcel("next", east: 100), parcel("south", east: 0, north: -150), land,
    ]
    neighbourhood.add(near, near: land, areAll: true)
    #expect(neighbourhood.nearest.map(\.identifier) == ["next", "own", "south", "at"])
    #expect(!neighbourhood.isCut)
  }

  @Test("the boxes that are asked for hold each parcel within 300 m, everywhere")
  func boxes() throws {
    try forEachSeed { seed, random in
      let latitude = Double.random(in: -70...70, using: &random)
      let origin = try #require(
        Coordinate(
          latitudeDegrees: latitude, longitudeDegrees: .random(in: -179...179, using: &random)))
      let corners = (0..<4).map { step in
        Geodesic.direct(
          from: origin, initialAzimuthDegrees: Double(step) * 90 + 45,
          distanceMetres: .random(in: 50...500, using: &random))
      }
      let land = try #require(Parcel(identifier: "own", rings: [corners]))
      let boxes = TaskNeighbourhood.boxes(around: land)
      let corner = try #require(corners.randomElement(using: &random))
      let place = Geodesic.direct(
        from: corner, initialAzimuthDegrees: .random(in: 0..<360, using: &random),
        distanceMetres: TaskNeighbourhood.neighbourhoodMetres)
      #expect(boxes.contains { DegreeBox([place]).meets($0) }, "seed \(seed)")
    }
  }

  @Test("a neighbour of two tasks comes once, at its distance from the nearer one")
  func once() throws {
    let (west, east) = (try parcel("west", east: 0), try parcel("east", east: 500))
    let between = try parcel("between", east: 380)
    let other = try parcel("other", east: 150, north: 0)
    for lands in [[west, east], [east, west]] {
      var neighbourhood = TaskNeighbourhood(of: lands.map { task($0) })
      for land in lands { neighbourhood.add([between, other], near: land, areAll: true) }
      #expect(neighbourhood.nearest.map(\.identifier) == ["between", "other"])
    }
  }

  @Test("of too many the nearest stay, and the list says that it is cut")
  func bounds() throws {
    let land = try parcel("own", east: 0)
    let most = TaskNeighbourhood.parcelsAtMost
    let row = try (0..<most).map { try parcel("P-\($0)", east: 101 + 0.05 * Double($0)) }
    var neighbourhood = TaskNeighbourhood(of: [task(land)])
    neighbourhood.add(row.reversed(), near: land, areAll: true)
    #expect(!neighbourhood.isFull && !neighbourhood.isCut)
    #expect(neighbourhood.nearest.map(\.identifier) == row.map(\.identifier))
    neighbourhood.add([try parcel("nearest", east: 100.5)], near: land, areAll: true)
    #expect(neighbourhood.isFull && neighbourhood.isCut)
    #expect(neighbourhood.nearest.count == most)
    #expect(neighbourhood.nearest.first?.identifier == "nearest")
    #expect(neighbourhood.nearest.last?.identifier == "P-\(most - 2)")
    var partial = TaskNeighbourhood(of: [task(land)])
    partial.add([], near: land, areAll: false)
    #expect(partial.isCut)
    let tasks = try (0...TaskNeighbourhood.tasksAtMost).map {
      task(try parcel("\($0)", east: Double($0) * 200), due: Double($0))
    }
    let many = TaskNeighbourhood(of: tasks)
    #expect(many.lands.count == TaskNeighbourhood.tasksAtMost && many.isCut)
    #expect(many.lands.last?.identifier == "\(TaskNeighbourhood.tasksAtMost - 1)")
  }
}
