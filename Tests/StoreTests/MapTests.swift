import Evidence
import Foundation
import Geodesy
import Inspection
import Positioning
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Store

@Suite("What the office's map counts", .timeLimit(.minutes(5)))
struct MapTests {
  private static let now = DeviceTime(millisecondsSince1970: 1_780_000_000_000)
  private let world: CoordinateBox

  init() throws {
    world = try #require(
      CoordinateBox(westDegrees: -180, southDegrees: -90, eastDegrees: 180, northDegrees: 90))
  }

  private func withStore<Result>(_ body: (OfficeStore) throws -> Result) throws -> Result {
    try withTemporaryDirectory { folder in
      let store = try OfficeStore(path: folder.appendingPathComponent("office.sqlite").path)
      defer { try? store.close() }
      try store.write { registry in
        for agency in ["north", "south"] {
          try registry.insert(Agency(name: agency, title: agency, created: Self.now))
          try registry.insert(
            Account(login: "ines-\(agency)", agency: agency, role: .inspector), password: "x",
            at: Self.now)
        }
      }
      return try body(store)
    }
  }

  private func photo(
    at place: Coordinate, task: Identifier?, agency: String, deleted: String? = nil,
    _ random: inout SeededGenerator
  ) -> ReceivedPhoto {
    ReceivedPhoto(
      photo: Photo(
        id: Identifier(at: Self.now, using: &random), agency: agency, inspector: "ines-\(agency)",
        task: task, origin: .camera, gnssTime: Self.now.gnssTime, deviceTime: Self.now,
        position: PhotoPosition(
          kept: place, ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil,
          uncertaintyMetres95: 2, method: .fix), standpoint: nil, orientation: nil,
        camera: .assumed(widthPixels: 4, heightPixels: 3),
        fileDigest: String(repeating: "0", count: 64), bytes: 1, widthPixels: 4, heightPixels: 3,
        isSimulated: true, delivered: Self.now), verdict: .intact, findings: [], revision: nil,
      imageDigest: nil, deletedReason: deleted)
  }

  private func place(_ random: inout SeededGenerator) throws -> Coordinate {
    // Half of the places are near the antimeridian, and many of these have the same longitude.
    let longitude =
      Bool.random(using: &random)
      ? Double.random(in: -180...180, using: &random)
      : [179.9999, -179.9999, 180, -180][Int.random(in: 0..<4, using: &random)]
    return try #require(
      Coordinate(
        latitudeDegrees: .random(in: -89...89, using: &random), longitudeDegrees: longitude))
  }

  private func fill(
    _ store: OfficeStore, _ random: inout SeededGenerator
  ) throws -> (tasks: [InspectionTask], photos: [ReceivedPhoto]) {
    var tasks: [InspectionTask] = []
    var photos: [ReceivedPhoto] = []
    for number in 0..<12 {
      let middle = try place(&random)
      let rings = [
        [(0.0, 0.0), (0.001, 0.0), (0.0, 0.001)].compactMap { north, east in
          Coordinate(
            latitudeDegrees: middle.latitudeDegrees + north,
            longitudeDegrees: min(180, middle.longitudeDegrees + east))
        }
      ]
      tasks.append(
        InspectionTask(
          id: Identifier(at: Self.now, using: &random), agency: "north", inspector: "ines-north",
          name: "Task \(number)", type: number.isMultiple(of: 2) ? "even" : "odd",
          created: Self.now,
          parcel: number == 3 ? nil : Parcel(identifier: "P\(number)", rings: rings)))
    }
    for number in 0..<60 {
      let task = Bool.random(using: &random) ? tasks.randomElement(using: &random)?.id : nil
      photos.append(
        photo(
          at: try place(&random), task: task, agency: "north",
          deleted: number % 17 == 5 ? "blurred" : nil, &random))
    }
    let other = photo(at: try place(&random), task: nil, agency: "south", &random)
    try store.write(in: "north") { session in
      for task in tasks { try session.tasks.insert(task) }
      for photo in photos { try session.photos.insert(photo) }
    }
    try store.write(in: "south") { try $0.photos.insert(other) }
    return (tasks, photos)
  }

  private func sums(_ clusters: [MapCluster]) -> (photos: Int, tasks: Int) {
    (clusters.reduce(0) { $0 + $1.photos }, clusters.reduce(0) { $0 + $1.tasks })
  }

  @Test("an agency with many photos is counted column by column, and comes to the same")
  func columnByColumn() throws {
    try forEachSeed(0..<4) { seed, random in
      try withStore { store in
        let (tasks, photos) = try fill(store, &random)
        let middles =
          tasks.compactMap { $0.parcel?.middle } + photos.map(\.photo.position.coordinate)
        try store.read(in: "north") { (session: AgencySession) throws -> Void in
          var walked = session.map
          walked.thingsOfLongColumns = 0
          for (number, middle) in middles.enumerated() {
            let level = 13 + number % 6
            let half = 0.02 * Double(1 + number % 5)
            let box = try #require(
              CoordinateBox(
                westDegrees: max(-180, middle.longitudeDegrees - half),
                southDegrees: middle.latitudeDegrees - half,
                eastDegrees: min(180, middle.longitudeDegrees + half),
                northDegrees: middle.latitudeDegrees + half))
            let (one, other) = (
              try session.map.clusters(in: box, level: level, at: Self.now),
              try walked.clusters(in: box, level: level, at: Self.now)
            )
            #expect(Set(one) == Set(other), "seed \(seed), level \(level), \(box)")
            let filter = TaskFilter(type: number.isMultiple(of: 2) ? "even" : "odd")
            #expect(
              try Set(session.map.clusters(in: box, level: level, filter, at: Self.now))
                == Set(walked.clusters(in: box, level: level, filter, at: Self.now)))
            #expect(
              try Set(session.map.placedTasks(in: box, filter, at: Self.now, limit: 50))
                == Set(walked.placedTasks(in: box, filter, at: Self.now, limit: 50)))
            let many = try session.map.things(in: box, level: level)
            #expect(try walked.things(in: box, level: level) == many)
            #expect(sums(one).photos + sums(one).tasks == many)
          }
        }
      }
    }
  }

  @Test(
    "every photo and every parcel of the agency is counted once on every level, with and without filter"
  )
  func everythingOnce() throws {
    try forEachSeed(0..<4) { seed, random in
      try withStore { store in
        let (tasks, photos) = try fill(store, &random)
        let whole = photos.filter { $0.deletedReason == nil }
        let even = Set(tasks.filter { $0.type == "even" }.map(\.id))
        let filter = TaskFilter(type: "even")
        try store.read(in: "north") { (session: AgencySession) throws -> Void in
          for level in 1...18 {
            let all = sums(try session.map.clusters(in: world, level: level, at: Self.now))
            #expect(all.photos == whole.count, "seed \(seed), level \(level)")
            #expect(all.tasks == tasks.count { $0.parcel != nil }, "seed \(seed), level \(level)")
            let some = sums(
              try session.map.clusters(in: world, level: level, filter, at: Self.now))
            #expect(
              some.photos == whole.count { $0.photo.task.map(even.contains) ?? false },
              "seed \(seed), level \(level)")
            #expect(
              some.tasks == tasks.count { $0.parcel != nil && even.contains($0.id) },
              "seed \(seed), level \(level)")
          }
        }
      }
    }
  }

  @Test("a map opens where the things are that it shows, and no further, with and without a filter")
  func extent() throws {
    let cell = 360.0 / Double(1 << 18)
    try withStore { store in
      var random = SeededGenerator(seed: 12)
      func add(_ latitude: Double, _ longitude: Double, _ task: Identifier?) throws {
        let place = try #require(
          Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
        let photo = photo(at: place, task: task, agency: "north", &random)
        try store.write(in: "north") { (session: AgencySession) in try session.photos.insert(photo)
        }
      }
      func extent(_ filter: TaskFilter? = nil) throws -> CoordinateBox? {
        try store.read(in: "north") { (session: AgencySession) in
          try session.map.extent(filter, at: Self.now)
        }
      }
      #expect(try extent() == nil)
      #expect(try extent(TaskFilter(type: "beet")) == nil)
      let task = InspectionTask(
        id: Identifier(at: Self.now, using: &random), agency: "north", inspector: "ines-north",
        name: "Beet", type: "beet", instructions: nil, created: Self.now, due: nil, parcel: nil)
      try store.write(in: "north") { (session: AgencySession) in try session.tasks.insert(task) }
      // Two villages are some 5 km from each other, in one coarse cell, and a third is far away.
      try add(49.08, 16.63, task.id)
      try add(49.12, 16.66, task.id)
      try add(49.75, 18.20, nil)
      let all = try #require(try extent())
      #expect(abs(all.southDegrees - 49.08) < cell && abs(all.northDegrees - 49.75) < cell)
      #expect(abs(all.westDegrees - 16.63) < cell && abs(all.eastDegrees - 18.20) < cell)
      let some = try #require(try extent(TaskFilter(type: "beet")))
      #expect(abs(some.southDegrees - 49.08) < cell && abs(some.northDegrees - 49.12) < cell)
      #expect(abs(some.westDegrees - 16.63) < cell && abs(some.eastDegrees - 16.66) < cell)
    }
  }

  @Test("islands on both sides of the antimeridian are one short box, not the whole Earth")
  func acrossTheAntimeridian() throws {
    let grid = MapGrid(level: 18)
    func areas(_ longitudes: [Double]) throws -> [MapGrid.Area] {
      try longitudes.map { longitude in
        let cell = grid.cell(
          of: try #require(Coordinate(latitudeDegrees: -17, longitudeDegrees: longitude)))
        return MapGrid.Area(columns: cell.x...cell.x, rows: cell.y...cell.y)
      }
    }
    let fiji = try #require(grid.smallestBox(around: try areas([177.4, -179.9, 178.5])))
    #expect(fiji.crossesAntimeridian)
    #expect(abs(fiji.westDegrees - 177.4) < 0.01 && abs(fiji.eastDegrees + 179.9) < 0.01)
    let europe = try #require(grid.smallestBox(around: try areas([20, -9, 5])))
    #expect(abs(europe.westDegrees + 9) < 0.01 && abs(europe.eastDegrees - 20) < 0.01)
    #expect(grid.smallestBox(around: []) == nil)
  }

  @Test("the photos of a view are those that lie in it, over the antimeridian, too")
  func view() throws {
    try forEachSeed(0..<4) { seed, random in
      try withStore { store in
        let (tasks, photos) = try fill(store, &random)
        for _ in 0..<40 {
          let (a, b) = (
            Double.random(in: -90...90, using: &random), Double.random(in: -90...90, using: &random)
          )
          let box = try #require(
            CoordinateBox(
              westDegrees: .random(in: -180...180, using: &random), southDegrees: min(a, b),
              eastDegrees: .random(in: -180...180, using: &random), northDegrees: max(a, b)))
          let expected = photos.filter {
            $0.deletedReason == nil && box.contains($0.photo.position.coordinate)
          }
          try store.read(in: "north") { (session: AgencySession) throws -> Void in
            let found = try session.map.placedPhotos(in: box, at: Self.now, limit: 1000).map(\.id)
            #expect(Set(found) == Set(expected.map(\.photo.id)), "seed \(seed), \(box)")
            #expect(found.count == expected.count, "seed \(seed): one twice")
            let odd = try session.map.placedPhotos(
              in: box, TaskFilter(type: "odd"), at: Self.now, limit: 1000)
            let oddTasks = Set(tasks.filter { $0.type == "odd" }.map(\.id))
            #expect(
              odd.count == expected.count { $0.photo.task.map(oddTasks.contains) ?? false },
              "seed \(seed)")
            // The cells of a view may reach beyond it, but count everything that lies in it.
            let counted = sums(try session.map.clusters(in: box, level: 7, at: Self.now))
            #expect(counted.photos >= expected.count, "seed \(seed)")
          }
        }
      }
    }
  }

  @Test("a hidden photo leaves the map and comes back; one that is given to a task counts for it")
  func handling() throws {
    var random = SeededGenerator(seed: 1)
    try withStore { store in
      let (tasks, photos) = try fill(store, &random)
      let alone = try #require(photos.first { $0.photo.task == nil && $0.deletedReason == nil })
      let task = tasks[3]
      let before = try store.read(in: "north") {
        sums(try $0.map.clusters(in: world, level: 5, at: Self.now))
      }
      try store.write(in: "north") { try $0.photos.setHidden(Self.now, alone.photo) }
      try store.read(in: "north") { (session: AgencySession) throws -> Void in
        let now = sums(try session.map.clusters(in: world, level: 5, at: Self.now))
        #expect(now.photos == before.photos - 1)
        let marks = try session.map.placedPhotos(in: world, at: Self.now, limit: 1000)
        #expect(marks.map(\.id).contains(alone.photo.id) == false)
        #expect(try session.photos.standaloneCount(isHidden: true, inspector: nil) == 1)
      }
      try store.write(in: "north") { session in
        try session.photos.setHidden(nil, alone.photo)
        try session.photos.assign(alone.photo, to: task.id, at: Self.now)
      }
      try store.read(in: "north") { (session: AgencySession) throws -> Void in
        #expect(sums(try session.map.clusters(in: world, level: 5, at: Self.now)) == before)
        let filtered = try session.map.clusters(
          in: world, level: 5, TaskFilter(text: task.name), at: Self.now)
        let ofTask = photos.count { $0.photo.task == task.id && $0.deletedReason == nil }
        #expect(sums(filtered).photos == ofTask + 1)
        #expect(try session.photos.photo(alone.photo.id).assigned == Self.now)
      }
      let given = try store.read(in: "north") { try $0.photos.photo(alone.photo.id) }
      try store.write(in: "north") { try $0.photos.assign(given.photo, to: nil, at: Self.now) }
      try store.read(in: "north") { (session: AgencySession) throws -> Void in
        #expect(sums(try session.map.clusters(in: world, level: 5, at: Self.now)) == before)
        #expect(try session.photos.photo(alone.photo.id).assigned == nil)
      }
    }
  }

  @Test("what was counted as it came is what counting all of it anew finds")
  func countedAnew() throws {
    var random = SeededGenerator(seed: 2)
    try withStore { store in
      _ = try fill(store, &random)
      func all() throws -> [Int: [MapCluster]] {
        try store.read(in: "north") { session in
          var levels: [Int: [MapCluster]] = [:]
          for level in 1...18 {
            levels[level] = try session.map.clusters(in: world, level: level, at: Self.now)
          }
          return levels
        }
      }
      let before = try all()
      try store.write(in: "north") { try $0.map.countEverything() }
      let after = try all()
      for level in 1...18 {
        let (old, new) = (before[level] ?? [], after[level] ?? [])
        #expect(old.map(\.photos) == new.map(\.photos) && old.map(\.tasks) == new.map(\.tasks))
        for (one, other) in zip(old, new) {
          #expect(
            abs(one.place.latitudeDegrees - other.place.latitudeDegrees) < 1e-9, "level \(level)")
        }
      }
    }
  }

  @Test("an area lets through the tasks of which something stands in it, and no other agency's")
  func area() throws {
    var random = SeededGenerator(seed: 3)
    try withStore { store in
      let (tasks, photos) = try fill(store, &random)
      // The box is around one photo: it holds its task, and everything else that happens to be
      // there.
      let photo = try #require(photos.first { $0.photo.task != nil && $0.deletedReason == nil })
      let place = photo.photo.position.coordinate
      let box = try #require(
        CoordinateBox(
          westDegrees: max(-180, place.longitudeDegrees - 0.01),
          southDegrees: place.latitudeDegrees - 0.01,
          eastDegrees: min(180, place.longitudeDegrees + 0.01),
          northDegrees: place.latitudeDegrees + 0.01))
      try store.read(in: "north") { (session: AgencySession) throws -> Void in
        let found = try session.tasks.page(TaskFilter(area: box), at: Self.now, limit: 100).map(
          \.id)
        #expect(found.contains(try #require(photo.photo.task)))
        #expect(found.count < tasks.count)
        let everywhere = try session.tasks.count(TaskFilter(area: world), at: Self.now)
        let placed = tasks.filter { task in
          task.parcel != nil
            || photos.contains { $0.photo.task == task.id && $0.deletedReason == nil }
        }
        #expect(everywhere == placed.count)
      }
      #expect(
        try store.read(in: "south") { try $0.tasks.count(TaskFilter(area: world), at: Self.now) }
          == 0)
    }
  }
}
