import Foundation
import Geodesy
import Inspection
import Office
import Positioning
import Store
import Sync
import Testing
import TimeAndText

@Suite("The contract of the map", .timeLimit(.minutes(2)))
struct MapContract {
  private let now = Samples.now

  /// The degrees that a cell of the finest level may add to a side of a box.
  private let slack = 0.002

  private struct Things {
    let tasks: [InspectionTask]
    let photos: [ReceivedPhoto]

    init() throws {
      var samples = Samples()
      tasks = [
        samples.task("beet", type: "beet", parcel: try Samples.parcel("P-1", at: 49.1, 16.6)),
        samples.task("rye", type: "rye", parcel: try Samples.parcel("P-2", at: -17, 178)),
        samples.task("nowhere", type: "beet"),
      ]
      photos = [
        try samples.photo(task: tasks[0].id, at: (49.1001, 16.6001)),
        try samples.photo(of: "ivan", task: tasks[1].id, at: (-17.01, -179.9)),
        try samples.photo(at: (49.3, 16.9)),
        try samples.photo(task: tasks[2].id, at: (0, 0)),
        try samples.photo(at: (49.1, 16.6), deletedReason: "blurred"),
      ]
    }

    func add(to database: any OfficeDatabase) async throws {
      var samples = Samples(seed: 5)
      let foreign = try samples.photo(of: "sara", at: (49.1, 16.6))
      try await database.add(tasks: tasks, photos: photos)
      try await database.add(photos: [foreign], in: "south")
    }
  }

  private func sums(_ clusters: [MapCluster]) -> [Int] {
    [clusters.reduce(0) { $0 + $1.photos }, clusters.reduce(0) { $0 + $1.tasks }]
  }

  @Test(
    "on every level each thing of the agency is counted once, with and without a filter",
    arguments: OfficeEngines.all)
  func counts(engine: OfficeEngine) async throws {
    let things = try Things()
    let world = try Samples.world()
    try await engine.withOffice { database in
      #expect(try await database.read(in: "north") { try $0.map.things(in: world, level: 9) } == 0)
      try await things.add(to: database)
      try await database.read(in: "north") { session in
        for level in 1...18 {
          let all = try session.map.clusters(in: world, level: level, nil, years: nil, at: now)
          #expect(sums(all) == [4, 2], "level \(level)")
          #expect(try session.map.things(in: world, level: level) == 6, "level \(level)")
          let beet = try session.map.clusters(
            in: world, level: level, TaskFilter(type: "beet"), years: nil, at: now)
          #expect(sums(beet) == [2, 1], "level \(level)")
        }
        let local = try session.map.clusters(
          in: try Samples.box(16.5, 49, 16.7, 49.2), level: 12, nil, years: nil, at: now)
        #expect(local.count == 1 && sums(local) == [1, 1])
        let middle = try #require(local.first).place
        #expect(abs(middle.latitudeDegrees - 49.1) < 0.001)
        #expect(abs(middle.longitudeDegrees - 16.6) < 0.001)
      }
      let southern = try await database.read(in: "south") {
        try $0.map.clusters(in: world, level: 4, nil, years: nil, at: now)
      }
      #expect(sums(southern) == [1, 0])
    }
  }

  @Test(
    "the photos of a view are those in it, over the antimeridian too, as many as asked for",
    arguments: OfficeEngines.all)
  func photos(engine: OfficeEngine) async throws {
    let things = try Things()
    let ids = things.photos.map(\.photo.id)
    let world = try Samples.world()
    let pacific = try Samples.box(170, -20, -170, -10)
    try await engine.withOffice { database in
      try await things.add(to: database)
      try await database.read(in: "north") { session in
        let all = try session.map.placedPhotos(in: world, nil, years: nil, at: now, limit: 99)
        #expect(all.count == 4 && Set(all.map(\.id)) == Set(ids[..<4]))
        let far = try session.map.placedPhotos(in: pacific, nil, years: nil, at: now, limit: 99)
        #expect(far.map(\.id) == [ids[1]])
        #expect(far.first?.task == things.tasks[1].id)
        #expect(far.first?.place == things.photos[1].photo.position.coordinate)
        #expect(far.first?.uncertaintyMetres95 == 2 && far.first?.ellipsoidalHeightMetres == 280.5)
        #expect(far.first?.time == now && far.first?.azimuthDegreesTrue == nil)
        // A box that ends exactly at a photo's place holds it; one that ends a little before does
        // not.
        let edge = try Samples.box(16, 49, 16.9, 49.3)
        #expect(
          try session.map.placedPhotos(in: edge, nil, years: nil, at: now, limit: 99).map(\.id)
            .contains(ids[2])
        )
        let short = try Samples.box(16, 49, 16.8999999, 49.3)
        #expect(
          try !session.map.placedPhotos(in: short, nil, years: nil, at: now, limit: 99).map(\.id)
            .contains(ids[2]))
        let beet = try session.map.placedPhotos(
          in: world, TaskFilter(type: "beet"), years: nil, at: now, limit: 99)
        #expect(Set(beet.map(\.id)) == [ids[0], ids[3]] && beet.count == 2)
        #expect(
          try session.map.placedPhotos(in: world, nil, years: nil, at: now, limit: 3).count == 3)
        #expect(
          try session.map.placedPhotos(
            in: pacific, TaskFilter(type: "beet"), years: nil, at: now, limit: 9
          )
          .isEmpty)
      }
    }
  }

  @Test(
    "the tasks of a view are those with the middle of their parcel in it",
    arguments: OfficeEngines.all)
  func tasks(engine: OfficeEngine) async throws {
    let things = try Things()
    let world = try Samples.world()
    try await engine.withOffice { database in
      try await things.add(to: database)
      try await database.read(in: "north") { session throws -> Void in
        func names(_ box: CoordinateBox, _ filter: TaskFilter? = nil, limit: Int = 9) throws
          -> [String]
        {
          try session.map.placedTasks(in: box, filter, at: now, limit: limit).map(\.name).sorted()
        }
        #expect(try names(world) == ["beet", "rye"])
        #expect(try names(world, TaskFilter(type: "rye")) == ["rye"])
        #expect(try names(world, limit: 1).count == 1)
        #expect(try names(try Samples.box(170, -20, -170, -10)) == ["rye"])
        #expect(try names(try Samples.box(-170, -20, 170, -10)) == [])
        #expect(try names(try Samples.box(16.8, 49, 17, 50)) == [])
      }
      let southern = try await database.read(in: "south") {
        try $0.map.placedTasks(in: world, nil, at: now, limit: 9)
      }
      #expect(southern.isEmpty)
    }
  }

  @Test(
    "views of every width find the same tasks and things as geometry does, and decided tasks are left out if asked",
    arguments: OfficeEngines.all)
  func widths(engine: OfficeEngine) async throws {
    var samples = Samples(seed: 30)
    var tasks: [InspectionTask] = []
    for number in 0..<60 {
      // Two spirals round the middle of the views: one of 2 km, one of 200.
      let angle = Double(number) * 2.4
      let radius = Double(number) / 60 * (number % 2 == 0 ? 0.02 : 2)
      tasks.append(
        samples.task(
          "task \(number)", state: number % 3 == 0 ? .accepted : .open,
          parcel: try Samples.parcel(
            "P-\(number)", at: 49.1 + radius * sin(angle), 16.6 + radius * cos(angle),
            side: 0.0002)))
    }
    let made = tasks
    try await engine.withOffice { database in
      try await database.add(tasks: made, photos: [])
      try await database.read(in: "north") { session throws -> Void in
        for half in [0.003, 0.03, 0.3, 1.0, 3.0] {
          let box = try Samples.box(16.6 - half, 49.1 - half, 16.6 + half, 49.1 + half)
          let inside = made.filter { task in
            task.parcel?.middle.map {
              abs($0.latitudeDegrees - 49.1) <= half && abs($0.longitudeDegrees - 16.6) <= half
            } ?? false
          }
          var filter = TaskFilter(inspector: "ines")
          for isUndecided in [false, true] {
            filter.isUndecided = isUndecided
            let wanted = inside.filter { !isUndecided || !$0.state.isDecided }.map(\.id)
            let found = try session.map.placedTasks(in: box, filter, at: now, limit: 99).map(\.id)
            // A cell at the edge of the view may hold one more.
            #expect(Set(wanted).subtracting(found).isEmpty, "\(half)")
            #expect(found.count == Set(found).count && found.count <= wanted.count + 2, "\(half)")
          }
          for level in [6, 12, 13, 18] {
            let counted = try session.map.things(in: box, level: level)
            #expect(counted >= inside.count, "\(half) \(level)")
            let clusters = try session.map.clusters(
              in: box, level: level, nil, years: nil, at: now)
            #expect(sums(clusters)[1] == counted, "\(half) \(level)")
          }
        }
      }
    }
  }

  @Test(
    "the extent is the box around everything, or around what a filter lets through",
    arguments: OfficeEngines.all)
  func extent(engine: OfficeEngine) async throws {
    let things = try Things()
    try await engine.withOffice { database in
      let nothing = try await database.read(in: "north") { try $0.map.extent(nil, at: now) }
      #expect(nothing == nil)
      try await things.add(to: database)
      try await database.read(in: "north") { session in
        let rye = try #require(try session.map.extent(TaskFilter(type: "rye"), at: now))
        #expect(rye.crossesAntimeridian)
        #expect(abs(rye.westDegrees - 178) < slack && abs(rye.eastDegrees + 179.9) < slack)
        #expect(abs(rye.southDegrees + 17.01) < slack && abs(rye.northDegrees + 17) < slack)
        let beet = try #require(try session.map.extent(TaskFilter(type: "beet"), at: now))
        #expect(abs(beet.westDegrees) < slack && abs(beet.eastDegrees - 16.6) < slack)
        #expect(try session.map.extent(TaskFilter(type: "none"), at: now) == nil)
        let all = try #require(try session.map.extent(nil, at: now))
        for photo in things.photos[..<4] { #expect(all.contains(photo.photo.position.coordinate)) }
      }
    }
  }

  @Test(
    "a hidden photo leaves the map and comes back, and one that is given to a task counts for it",
    arguments: OfficeEngines.all)
  func handled(engine: OfficeEngine) async throws {
    let things = try Things()
    let alone = things.photos[2]
    let world = try Samples.world()
    let rye = TaskFilter(type: "rye")
    try await engine.withOffice { database in
      try await things.add(to: database)
      func state() async throws -> [[Int]] {
        try await database.read(in: "north") { session in
          [
            sums(try session.map.clusters(in: world, level: 6, nil, years: nil, at: now)),
            sums(try session.map.clusters(in: world, level: 6, rye, years: nil, at: now)),
            [try session.map.placedPhotos(in: world, nil, years: nil, at: now, limit: 99).count],
          ]
        }
      }
      #expect(try await state() == [[4, 2], [1, 1], [4]])
      try await database.write(in: "north") { try $0.photos.setHidden(now, alone.photo) }
      #expect(try await state() == [[3, 2], [1, 1], [3]])
      try await database.write(in: "north") { session in
        try session.photos.setHidden(nil, alone.photo)
        try session.photos.assign(alone.photo, to: things.tasks[1].id, at: now)
      }
      #expect(try await state() == [[4, 2], [2, 1], [4]])
      var moved = things.tasks[1]
      (moved.parcel, moved.revision) = (nil, 2)
      let after = moved
      try await database.write(in: "north") {
        try $0.tasks.replaceOrder(of: things.tasks[1], with: after, at: now)
      }
      #expect(try await state() == [[4, 1], [2, 0], [4]])
    }
  }
}
