import Geodesy
import Inspection
import Office
import Positioning
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

@Suite("The contract of photo points", .timeLimit(.minutes(2)))
struct PhotoPointContract {
  /// A photo with points that rest on it.
  private struct Things {
    var samples = Samples(seed: 8)
    var random = SeededGenerator(seed: 11)
    let photo: ReceivedPhoto

    init() throws { photo = try samples.photo() }

    mutating func point(
      at place: (Double, Double) = (49.1, 16.6), after seconds: Double = 0, name: String? = nil
    ) throws -> PhotoPoint {
      var point = try PhotoPoint(
        id: samples.id(), of: photo.photo, maker: "otto", made: Samples.time(seconds))
      point.code = PhotoPointCode(using: &random)
      point.name = name
      point.stand.coordinate = try Samples.place(place.0, place.1)
      return point
    }
  }

  @Test(
    "a point is read back as it was added, once, and by no other agency",
    arguments: OfficeEngines.all)
  func roundTrip(engine: OfficeEngine) async throws {
    var things = try Things()
    var point = try things.point(name: "Hedge")
    point.parcel = "P-1"
    point.footing = PhotoPoint.Picture(
      photo: things.photo.photo.id, digest: Samples.digest("footing"))
    point.subject = try Samples.place(49.2, 16.7)
    var attitude = Orientation(
      azimuthDegreesTrue: 123.4, elevationDegrees: -2, rollDegrees: 1, source: .deviceSensors,
      screenDegrees: 90)
    attitude.quaternion = Quaternion(w: 0.5, x: -0.5, y: 0.5, z: 0.5)
    attitude.azimuthAccuracyDegrees = 4
    point.stand.orientation = attitude
    let kept = point
    var twin = try things.point()
    twin.code = point.code
    let sameCode = twin
    try await engine.withOffice { database in
      try await database.write(in: "north") { session throws -> Void in
        #expect(try session.points.insert(kept))
        #expect(try !session.points.insert(kept), "a known point")
        #expect(try !session.points.insert(sameCode), "another's code")
      }
      try await database.read(in: "north") { session throws -> Void in
        #expect(try session.points.point(kept.id) == kept)
        #expect(try session.points.point(withCode: #require(kept.code)) == kept)
        #expect(try session.points.points(ofPhoto: kept.reference.photo) == [kept])
        #expect(try session.points.count(isWithdrawn: false) == 1)
      }
      try await database.read(in: "south") { session throws -> Void in
        #expect(try session.points.point(kept.id) == nil)
        #expect(try session.points.point(withCode: #require(kept.code)) == nil)
        #expect(
          try session.points.page(named: nil, isWithdrawn: nil, after: nil, limit: 5).points.isEmpty
        )
        #expect(
          try session.points.near(kept.stand.coordinate, metres: 100, limit: 5).isEmpty)
      }
      try await database.write(in: "south") { session throws -> Void in
        #expect(throws: StoreError.self) { try session.points.change(kept) }
      }
    }
  }

  @Test(
    "a withdrawn point is near nothing and in no usual list, is found by its code, and comes back",
    arguments: OfficeEngines.all)
  func withdrawn(engine: OfficeEngine) async throws {
    var things = try Things()
    let (kept, gone) = (try things.point(name: "Kept"), try things.point(after: 60, name: "Gone"))
    let time = Samples.time(900)
    try await engine.withOffice { database in
      try await database.write(in: "north") { session throws -> Void in
        for point in [kept, gone] { #expect(try session.points.insert(point)) }
        try session.points.set(withdrawn: time, ofPoint: gone.id)
      }
      try await database.read(in: "north") { session throws -> Void in
        let points = session.points
        func page(_ isWithdrawn: Bool?) throws -> [String?] {
          try points.page(named: nil, isWithdrawn: isWithdrawn, after: nil, limit: 5)
            .points.map(\.name)
        }
        #expect(try page(false) == ["Kept"])
        #expect(try page(true) == ["Gone"])
        #expect(try page(nil) == ["Gone", "Kept"])
        #expect(try points.count(isWithdrawn: false) == 1)
        #expect(try points.count(isWithdrawn: true) == 1)
        #expect(
          try points.near(gone.stand.coordinate, metres: 100, limit: 5).map(\.point.name)
            == ["Kept"])
        #expect(try points.withdrawn(madeBy: "otto", limit: 5) == [gone.id])
        #expect(try points.withdrawn(madeBy: "ines", limit: 5).isEmpty)
        #expect(try points.point(withCode: #require(gone.code))?.withdrawn == time)
      }
      try await database.write(in: "south") { session throws -> Void in
        #expect(throws: StoreError.self) {
          try session.points.set(withdrawn: nil, ofPoint: gone.id)
        }
        #expect(try session.points.withdrawn(madeBy: "otto", limit: 5).isEmpty)
      }
      try await database.write(in: "north") { session throws -> Void in
        try session.points.set(withdrawn: nil, ofPoint: gone.id)
        #expect(try session.points.point(gone.id) == gone)
        #expect(try session.points.near(gone.stand.coordinate, metres: 100, limit: 5).count == 2)
      }
    }
  }

  @Test("a change reaches name, parcel, subject and footing alone", arguments: OfficeEngines.all)
  func change(engine: OfficeEngine) async throws {
    var things = try Things()
    let point = try things.point(name: "before")
    var moved = point
    moved.name = "after"
    moved.parcel = "P-9"
    moved.subject = try Samples.place(49.3, 16.8)
    var expected = moved
    moved.stand.coordinate = try Samples.place(1, 1)
    moved.maker = "olga"
    expected.stand = point.stand
    let (changed, wanted) = (moved, expected)
    try await engine.withOffice { database in
      try await database.write(in: "north") { session throws -> Void in
        _ = try session.points.insert(point)
        try session.points.change(changed)
      }
      let read = try await database.read(in: "north") { try $0.points.point(point.id) }
      #expect(read == wanted)
    }
  }

  @Test("pages neither skip nor repeat while points arrive", arguments: OfficeEngines.all)
  func pages(engine: OfficeEngine) async throws {
    var things = try Things()
    let points = try (0..<25).map {
      try things.point(after: Double($0 / 3), name: "Hedge \($0)")
    }
    let late = try things.point(after: 100, name: "late")
    try await engine.withOffice { database in
      try await database.write(in: "north") { session throws -> Void in
        for point in points { _ = try session.points.insert(point) }
      }
      var (seen, place): ([PhotoPoint], ListPlace?) = ([], nil)
      repeat {
        let (before, number) = (place, seen.count)
        let page = try await database.read(in: "north") {
          try $0.points.page(named: nil, isWithdrawn: nil, after: before, limit: 7)
        }
        seen += page.points
        place = page.next
        if number == 0 {
          try await database.write(in: "north") { _ = try $0.points.insert(late) }
        }
      } while place != nil
      #expect(
        seen.map(\.id)
          == points.sorted { ($0.made, $0.id) > ($1.made, $1.id) }.map(\.id))
      let found = try await database.read(in: "north") {
        try $0.points.page(named: "hedge 2", isWithdrawn: false, after: nil, limit: 50).points
      }
      #expect(found.count == 6)
    }
  }

  @Test(
    "the nearest come first, within the distance, also across the antimeridian",
    arguments: OfficeEngines.all)
  func near(engine: OfficeEngine) async throws {
    var things = try Things()
    let points = try [
      things.point(at: (-17, 179.999)), things.point(at: (-17, -179.999)),
      things.point(at: (-17.01, 179.99)), things.point(at: (49.1, 16.6)),
    ]
    let here = try Samples.place(-17, 179.9995)
    try await engine.withOffice { database in
      try await database.write(in: "north") { session throws -> Void in
        for point in points { _ = try session.points.insert(point) }
      }
      try await database.read(in: "north") { session throws -> Void in
        let near = try session.points.near(here, metres: 2500, limit: 10)
        #expect(near.map(\.point.id) == points.prefix(3).map(\.id))
        #expect(near[0].metres < near[1].metres)
        #expect(try session.points.near(here, metres: 200, limit: 10).count == 2)
        #expect(try session.points.near(here, metres: 2500, limit: 1).count == 1)
      }
    }
  }

  @Test(
    "a repeat keeps its claims, waits for its point, and gets the office's own result once",
    arguments: OfficeEngines.all)
  func repeats(engine: OfficeEngine) async throws {
    var things = try Things()
    let point = try things.point()
    let photos = [things.photo] + (try [things.samples.photo(after: 5)])
    var claims = RepeatClaims(
      point: point.id, referenceDigest: point.reference.digest, distanceMetres: 1.25)
    claims.angleDegrees = 2.5
    claims.displacementPercent = 0.75
    claims.inliers = 88
    let sealed = claims
    try await engine.withOffice { database in
      try await database.add(photos: photos)
      try await database.write(in: "north") { session throws -> Void in
        for photo in photos.reversed() {
          try session.points.keep(
            ReceivedRepeat(
              photo: photo.photo.id, taken: photo.photo.deviceTime, claims: sealed))
        }
        #expect(try session.points.unmeasured(limit: 5).isEmpty, "the point is not here yet")
        _ = try session.points.insert(point)
      }
      try await database.write(in: "north") { session throws -> Void in
        #expect(try session.points.unmeasured(limit: 1).count == 1)
        try session.points.keep(
          .displaced(percent: 1.5, inliers: 70), ofPhoto: photos[0].photo.id, at: Samples.now)
        try session.points.keep(
          .unlike(matches: 3), ofPhoto: photos[1].photo.id, at: Samples.now)
        #expect(try session.points.unmeasured(limit: 5).isEmpty)
        let series = try session.points.repeats(ofPoint: point.id)
        #expect(series.map(\.photo) == photos.map(\.photo.id))
        let tally = try session.points.tally(ofPoint: point.id)
        #expect(tally.count == 2 && tally.last == photos[1].photo.deviceTime)
        #expect(series.map(\.claims) == [sealed, sealed])
        #expect(
          series.map(\.measured)
            == [.displaced(percent: 1.5, inliers: 70), .unlike(matches: 3)])
        #expect(try session.points.repetition(ofPhoto: photos[1].photo.id) == series[1])
        // The same photo again changes nothing.
        try session.points.keep(
          ReceivedRepeat(
            photo: photos[0].photo.id, taken: Samples.time(9),
            claims: RepeatClaims(
              point: photos[1].photo.id, referenceDigest: "", distanceMetres: 0)))
        #expect(try session.points.repetition(ofPhoto: photos[0].photo.id) == series[0])
      }
      try await database.write(in: "south") { session throws -> Void in
        #expect(try session.points.repeats(ofPoint: point.id).isEmpty)
        let none = try session.points.tally(ofPoint: point.id)
        #expect(none.count == 0 && none.last == nil)
        #expect(throws: StoreError.self) {
          try session.points.keep(.failed, ofPhoto: photos[0].photo.id, at: Samples.now)
        }
      }
    }
  }

  @Test(
    "a task keeps its photo points through a change of its order, and lists pick out what is missing or displaced",
    arguments: OfficeEngines.all)
  func wishes(engine: OfficeEngine) async throws {
    var things = try Things()
    let points = try [things.point(), things.point(after: 1)]
    var tasks = ["none", "missing", "done", "displaced"].map { things.samples.task($0) }
    for index in 1...3 {
      tasks[index].repeats = RepeatWish(points: points.prefix(index == 1 ? 2 : 1).map(\.id))
    }
    let photos = try [1, 2, 3].map { try things.samples.photo(task: tasks[$0].id) }
    let ordered = tasks
    let now = Samples.now
    try await engine.withOffice { database in
      try await database.add(tasks: ordered, photos: photos)
      try await database.write(in: "north") { session throws -> Void in
        for point in points { _ = try session.points.insert(point) }
        for (number, photo) in photos.enumerated() {
          try session.points.keep(
            ReceivedRepeat(
              photo: photo.photo.id, taken: now,
              claims: RepeatClaims(
                point: points[0].id, referenceDigest: "", distanceMetres: 1)))
          try session.points.keep(
            .displaced(percent: number == 2 ? 5.1 : 4.9, inliers: 50), ofPhoto: photo.photo.id,
            at: now)
        }
        try session.points.keep(reason: "gone", forPoint: points[1].id, task: ordered[1].id)
        try session.points.keep(reason: "it is gone", forPoint: points[1].id, task: ordered[1].id)
        var changed = ordered[2]
        changed.revision += 1
        changed.repeats?.isStrict = true
        try session.tasks.replaceOrder(of: ordered[2], with: changed, at: now)
      }
      try await database.read(in: "north") { session throws -> Void in
        func names(_ photos: TaskFilter.Photos) throws -> [String] {
          try session.tasks.page(
            TaskFilter(photos: photos), TaskSorting(.name), at: now, limit: 9, offset: 0
          ).map(\.name)
        }
        #expect(try names(.repeatMissing) == ["missing"])
        #expect(try names(.displacedByTwo) == ["displaced", "done", "missing"])
        #expect(try names(.displacedByFive) == ["displaced"])
        #expect(try names(.displacedByTen).isEmpty && names(.displacedByTwenty).isEmpty)
        #expect(try session.tasks.task(ordered[0].id).repeats == nil)
        #expect(try session.tasks.task(ordered[1].id).repeats == ordered[1].repeats)
        #expect(try session.tasks.task(ordered[2].id).repeats?.isStrict == true)
        let before = try session.tasks.earlierOrders(of: ordered[2].id)
        #expect(before.map(\.repeats) == [ordered[2].repeats])
        let outcome = try session.points.outcome(ofTask: ordered[1].id)
        #expect(outcome.repeats.map(\.photo) == [photos[0].photo.id])
        #expect(outcome.reasons == [points[1].id: "it is gone"])
      }
    }
  }
}
