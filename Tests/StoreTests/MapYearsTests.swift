import Evidence
import Foundation
import GRDB
import Geodesy
import Inspection
import Positioning
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Store

@Suite("The map of many years", .timeLimit(.minutes(5)))
struct MapYearsTests {
  private static let now = DeviceTime(millisecondsSince1970: 1_780_000_000_000)

  private func withStore(_ body: (OfficeStore) throws -> Void) throws {
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
      try body(store)
    }
  }

  private func photo(
    _ random: inout SeededGenerator, agency: String = "north", task: Identifier? = nil
  ) throws -> ReceivedPhoto {
    // A dozen villages over six years: some cells hold one photo, others many of several years.
    let village = Double(Int.random(in: 0..<12, using: &random))
    let place = try #require(
      Coordinate(
        latitudeDegrees: 49 + village / 9 + Double.random(in: 0...0.01, using: &random),
        longitudeDegrees: 16 + village / 7 + Double.random(in: 0...0.01, using: &random)))
    let year = 2019 + Int.random(in: 0..<6, using: &random)
    let date = try #require(
      CivilDate(year: year, month: Int.random(in: 1...12, using: &random), day: 5))
    let taken = DeviceTime(millisecondsSince1970: Int64(date.daysSince1970) * 86_400_000)
    return ReceivedPhoto(
      photo: Photo(
        id: Identifier(at: taken, using: &random), agency: agency, inspector: "ines-\(agency)",
        task: task, origin: .camera, gnssTime: taken.gnssTime, deviceTime: taken,
        position: PhotoPosition(
          kept: place, ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil,
          uncertaintyMetres95: 2, method: .fix), standpoint: nil, orientation: nil,
        camera: .assumed(widthPixels: 4, heightPixels: 3),
        fileDigest: String(repeating: "0", count: 64), bytes: 1, widthPixels: 4, heightPixels: 3,
        isSimulated: true, delivered: Self.now), verdict: .intact, findings: [], revision: nil,
      imageDigest: nil)
  }

  private func task(_ number: Int, _ random: inout SeededGenerator) throws -> InspectionTask {
    let rings = [
      [(0.0, 0.0), (0.001, 0.0), (0.0, 0.001)].compactMap { north, east in
        Coordinate(
          latitudeDegrees: 48 + Double(number) / 7 + north, longitudeDegrees: 15 + east)
      }
    ]
    return InspectionTask(
      id: Identifier(at: Self.now, using: &random), agency: "north", inspector: "ines-north",
      name: "Task \(number)", type: number.isMultiple(of: 2) ? "even" : "odd", created: Self.now,
      parcel: Parcel(identifier: "P\(number)", rings: rings))
  }

  private func fill(
    _ store: OfficeStore, _ random: inout SeededGenerator
  ) throws -> (tasks: [InspectionTask], photos: [ReceivedPhoto]) {
    let tasks = try (0..<6).map { try task($0, &random) }
    let photos = try (0..<80).map { number in
      try photo(
        &random, task: number.isMultiple(of: 3) ? tasks.randomElement(using: &random)?.id : nil)
    }
    let foreign = try (0..<20).map { _ in try photo(&random, agency: "south") }
    try store.write(in: "north") { session in
      for task in tasks { try session.tasks.insert(task) }
      for photo in photos { try session.photos.insert(photo) }
    }
    try store.write(in: "south") { session in
      for photo in foreign { try session.photos.insert(photo) }
    }
    return (tasks, photos)
  }

  private var world: CoordinateBox {
    get throws {
      try #require(
        CoordinateBox(westDegrees: -180, southDegrees: -90, eastDegrees: 180, northDegrees: 90))
    }
  }

  @Test(
    "with a span of years each level counts the photos of these years, each where it is, and no task"
  )
  func spans() throws {
    try forEachSeed(0..<3) { seed, random in
      try withStore { store in
        let (tasks, photos) = try fill(store, &random)
        let span = try #require(YearSpan(first: 2020, last: 2021))
        let even = Set(tasks.filter { $0.type == "even" }.map(\.id))
        try store.read(in: "north") { (session: AgencySession) throws -> Void in
          for (filter, wanted) in [
            (nil, photos.map(\.photo)),
            (
              TaskFilter(type: "even"),
              photos.map(\.photo).filter { $0.task.map(even.contains) ?? false }
            ),
          ] as [(TaskFilter?, [Photo])] {
            let seen = wanted.filter { span.contains($0.deviceTime) }
            for level in [1, 5, 9, 14, 18] {
              let clusters = try session.map.clusters(
                in: world, level: level, filter, years: span, at: Self.now)
              #expect(clusters.reduce(0) { $0 + $1.photos } == seen.count, "\(seed) \(level)")
              #expect(clusters.allSatisfy { $0.tasks == 0 })
              for cluster in clusters {
                let inside = seen.filter { cluster.box.contains($0.position.coordinate) }
                #expect(inside.count == cluster.photos, "\(seed) \(level)")
                #expect(cluster.box.contains(cluster.place))
                let single = cluster.photos == 1 ? inside.first.map { $0.id } : nil
                #expect(cluster.single == single.map { .photo($0) }, "\(seed) \(level)")
              }
            }
            let found = try session.map.placedPhotos(
              in: world, filter, years: span, at: Self.now, limit: 999)
            #expect(Set(found.map(\.id)) == Set(seen.map(\.id)))
            let tally = try session.map.tally(in: world, level: 9, filter, at: Self.now)
            for year in 2018...2025 {
              #expect(
                tally.photosByYear[year, default: 0]
                  == wanted.count { $0.deviceTime.year == year }, "\(seed) \(year)")
            }
            #expect(tally.photos(in: span) == seen.count && tally.photos(in: nil) == wanted.count)
            #expect(tally.tasks == (filter == nil ? 6 : 3))
          }
          let years = photos.map(\.photo.deviceTime.year)
          #expect(
            try session.map.years()
              == YearSpan(first: years.min() ?? 0, last: years.max() ?? 0))
        }
      }
    }
  }

  @Test(
    "a filter's view of all years reads one row for a place of a task, in however many years it was photographed"
  )
  func allYearsAreOneRow() throws {
    try forEachSeed(0..<3) { _, random in
      try withStore { store in
        let (tasks, photos) = try fill(store, &random)
        func rows(_ sql: String) throws -> [Row] {
          try store.readPages { try Row.fetchAll($0, sql: sql) }
        }
        let places = """
          SELECT task, x, y, sum(photos) AS photos, sum(tasks) AS tasks FROM
          """
        let order = "GROUP BY task, x, y ORDER BY task, x, y"
        let together = try rows("\(places) task_cell \(order)")
        #expect(together == (try rows("\(places) task_year_cell \(order)")))
        #expect(together.count == (try rows("SELECT 1 FROM task_cell")).count)
        // The parcels' middles lie beside the villages: each task has a place of its own.
        #expect(together.reduce(0) { $0 + ($1["tasks"] as Int) } == tasks.count)
        #expect(
          together.reduce(0) { $0 + ($1["photos"] as Int) }
            == photos.filter { $0.photo.task != nil }.count)
      }
    }
  }

  @Test("a thing that is alone in its cluster is named: task or photo, with a filter and without")
  func singles() throws {
    var random = SeededGenerator(seed: 4)
    try withStore { store in
      let (tasks, photos) = try fill(store, &random)
      var named: Set<Identifier> = []
      try store.read(in: "north") { (session: AgencySession) throws -> Void in
        #expect(try session.map.years() != nil)
        for filter in [nil, TaskFilter(type: "even")] {
          for level in 1...18 {
            for cluster in try session.map.clusters(
              in: world, level: level, filter, at: Self.now)
            {
              switch cluster.single {
              case .task(let id):
                let task = try #require(tasks.first { $0.id == id })
                let middle = try #require(task.parcel?.middle)
                #expect(cluster.tasks == 1 && cluster.photos == 0 && cluster.box.contains(middle))
                #expect(filter == nil || task.type == "even")
                named.insert(id)
              case .photo(let id):
                let photo = try #require(photos.first { $0.photo.id == id }).photo
                #expect(cluster.tasks == 0 && cluster.photos == 1)
                #expect(cluster.box.contains(photo.position.coordinate))
                named.insert(id)
              case nil: #expect(cluster.tasks + cluster.photos > 1)
              }
            }
          }
        }
      }
      #expect(named.count > 40)
    }
  }

  @Test("of two things a step apart, on both sides of a line of the grid, each cell names its own")
  func boundary() throws {
    var random = SeededGenerator(seed: 8)
    try withStore { store in
      let grid = MapGrid(level: 18)
      let start = try #require(Coordinate(latitudeDegrees: 49, longitudeDegrees: 16))
      let line = try #require(grid.box(of: grid.cell(of: start))).eastDegrees
      var made: [(photo: ReceivedPhoto, task: InspectionTask)] = []
      for east in [-2e-6, 2e-6] {
        let place = try #require(Coordinate(latitudeDegrees: 49, longitudeDegrees: line + east))
        var photo = try photo(&random)
        photo.photo.position = PhotoPosition(
          kept: place, ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil,
          uncertaintyMetres95: 2, method: .fix)
        // A square whose middle is that place.
        let ring = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].compactMap { x, y in
          Coordinate(
            latitudeDegrees: 49.5 + y * 1e-4, longitudeDegrees: line + east + x * 1e-4)
        }
        let task = InspectionTask(
          id: Identifier(at: Self.now, using: &random), agency: "north", inspector: "ines-north",
          name: "Task", created: Self.now, parcel: Parcel(identifier: "P\(east)", rings: [ring]))
        made.append((photo, task))
      }
      try store.write(in: "north") { session in
        // The later ones first, so that the order of rows helps nobody.
        for one in made.reversed() {
          try session.tasks.insert(one.task)
          try session.photos.insert(one.photo)
        }
      }
      let clusters = try store.read(in: "north") { (session: AgencySession) in
        try session.map.clusters(in: world, level: 18, at: Self.now)
      }
      #expect(clusters.count == 4)
      for cluster in clusters {
        let isEast = cluster.box.westDegrees >= line - 1e-9
        let one = made[isEast ? 1 : 0]
        #expect(
          cluster.single
            == (cluster.photos == 1 ? .photo(one.photo.photo.id) : .task(one.task.id)))
      }
    }
  }

  @Test("a hidden photo leaves its year, and comes back into it")
  func hidden() throws {
    var random = SeededGenerator(seed: 5)
    try withStore { store in
      let photo = try photo(&random)
      let year = photo.photo.deviceTime.year
      try store.write(in: "north") { try $0.photos.insert(photo) }
      func counted() throws -> [Int: Int] {
        try store.read(in: "north") {
          try $0.map.tally(in: world, level: 9, nil, at: Self.now).photosByYear
        }
      }
      #expect(try counted() == [year: 1])
      try store.write(in: "north") { try $0.photos.setHidden(Self.now, photo.photo) }
      #expect(try counted() == [:])
      #expect(try store.read(in: "north") { try $0.map.years() } == nil)
      try store.write(in: "north") { try $0.photos.setHidden(nil, photo.photo) }
      #expect(try counted() == [year: 1])
    }
  }

  @Test("an office of an earlier version gets its years, as if it had always counted them")
  func migration() throws {
    var random = SeededGenerator(seed: 6)
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("office.sqlite").path
      let migrator = OfficeSchema.migrator
      do {
        let queue = try DatabaseQueue(path: path)
        try migrator.migrate(queue, upTo: "16 photo points that were withdrawn")
        try queue.write { database in
          try database.execute(
            sql: "INSERT INTO agency (agency, title, created) VALUES ('north', 'N', 1)")
          for number in 0..<40 {
            let photo = try photo(&random).photo
            let place = photo.position.coordinate
            try database.execute(
              sql: """
                INSERT INTO photo (id, agency, inspector, origin, gnss_time_of_day, device_time,
                  latitude, longitude, method, camera, file_digest, bytes, width, height, simulated,
                  deleted, deleted_reason)
                VALUES (?, 'north', 'ines', 'camera', 1, ?, ?, ?, 'fix', '{}', 'd', 1, 4, 3, 0, ?, ?)
                """,
              arguments: [
                photo.id.description, photo.deviceTime.millisecondsSince1970,
                place.latitudeDegrees, place.longitudeDegrees, number == 7 ? 5 : nil,
                number == 7 ? "blurred" : nil,
              ])
          }
        }
        try queue.close()
      }
      let store = try OfficeStore(path: path)
      defer { try? store.close() }
      func all() throws -> [[MapCluster]] {
        try store.read(in: "north") { session in
          try (1...18).map {
            try session.map.clusters(in: world, level: $0, at: Self.now)
              .map { MapCluster(place: $0.place, photos: $0.photos, tasks: $0.tasks, box: $0.box) }
          }
        }
      }
      let migrated = try all()
      #expect(migrated.allSatisfy { $0.reduce(0) { $0 + $1.photos } == 39 })
      #expect(
        try store.read(in: "north") {
          try $0.map.tally(in: world, level: 9, nil, at: Self.now).photosByYear.values.reduce(0, +)
        } == 39)
      try store.write(in: "north") { try $0.map.countEverything() }
      #expect(try all().map { $0.map(\.photos) } == migrated.map { $0.map(\.photos) })
    }
  }
}
