import Evidence
import Geodesy
import Inspection
import Office
import Positioning
import Store
import Sync
import Testing
import TimeAndText

@Suite("The contract of the register of parcels", .timeLimit(.minutes(2)))
struct ParcelContract {
  private struct Stopped: Error {}

  private let now = Samples.now

  private func declared(
    _ identifier: String, at latitude: Double = 49, _ longitude: Double = 16, crop: String? = nil
  ) throws -> DeclaredParcel {
    DeclaredParcel(
      parcel: try Samples.parcel(identifier, at: latitude, longitude), name: "Long acre",
      crop: crop, declaredAreaSquareMetres: 12_345.5)
  }

  /// Takes parcels as an import does.
  private func take(
    _ parcels: [DeclaredParcel], in agency: String = "north", at time: DeviceTime = Samples.now,
    _ database: any OfficeDatabase
  ) async throws -> [Int]? {
    try await database.takeParcels(in: agency, at: time) { offer in
      for parcel in parcels { try offer(parcel) }
      return true
    } taken: { _, count in
      [count.new, count.changed, count.unchanged]
    }
  }

  @Test(
    "what is taken is read back, and taken again it is unchanged, then changed",
    arguments: OfficeEngines.all)
  func roundTrip(engine: OfficeEngine) async throws {
    let first = try declared("P-1", crop: "rye")
    let later = try declared("P-1", crop: "beet")
    let moved = try declared("P-1", at: -49.123456789, 16, crop: "beet")
    try await engine.withOffice { database in
      func effects(_ agency: String = "north") async throws -> [ImportEffect] {
        try await database.read(in: agency) { session in
          try [first, later, moved].map { try session.parcels.effect(of: $0) }
        }
      }
      #expect(try await effects() == [.new, .new, .new])
      #expect(try await take([first], database) == [1, 0, 0])
      #expect(try await effects() == [.unchanged, .changed, .changed])
      #expect(try await take([first], database) == [0, 0, 1])
      #expect(try await take([later], at: Samples.time(60), database) == [0, 1, 0])
      #expect(
        try await take([moved, try declared("P-2")], at: Samples.time(70), database) == [1, 1, 0])
      try await database.read(in: "north") { session in
        let read = try #require(try session.parcels.parcel("P-1"))
        #expect(read.declared == moved)
        #expect(read.revision == 3 && read.imported == Samples.time(70))
        #expect(try session.parcels.parcel("p-1") == nil)
        #expect(try session.parcels.count() == 2)
        let there = try session.parcels.list(in: try Samples.box(15, -50, 17, -48), limit: 9)
        #expect(there.map(\.identifier) == ["P-1"], "it is found where it lies now")
        let here = try session.parcels.list(in: try Samples.box(15, 48, 17, 50), limit: 9)
        #expect(here.map(\.identifier) == ["P-2"], "and no longer where it lay")
      }
      #expect(try await effects("south") == [.new, .new, .new])
    }
  }

  @Test(
    "pages go by identifier, and neither skip nor repeat a parcel while others are taken",
    arguments: OfficeEngines.all)
  func pages(engine: OfficeEngine) async throws {
    let names = ["A%", "A-1", "A-2", "A_3", "B", "Ä", "😀"]
    try await engine.withOffice { database in
      _ = try await take(try names.reversed().map { try declared($0) }, database)
      _ = try await take([try declared("A-1"), try declared("S")], in: "south", database)
      func page(_ place: String?, _ limit: Int) async throws -> [String] {
        try await database.read(in: "north") {
          try $0.parcels.page(after: place, limit: limit).map(\.identifier)
        }
      }
      #expect(try await page(nil, 99) == names)
      #expect(try await page(nil, 3) == ["A%", "A-1", "A-2"])
      _ = try await take([try declared("A"), try declared("A-3"), try declared("C")], database)
      #expect(try await page("A-2", 3) == ["A-3", "A_3", "B"])
      #expect(try await page("B", 3) == ["C", "Ä", "😀"])
      #expect(try await page("😀", 3) == [])
      // A page may begin behind an identifier that no parcel has.
      #expect(try await page("A-29", 1) == ["A-3"])
      try await database.read(in: "north") { session throws -> Void in
        func list(_ prefix: String, _ limit: Int = 9) throws -> [String] {
          try session.parcels.list(beginningWith: prefix, limit: limit).map(\.identifier)
        }
        #expect(try list("A-") == ["A-1", "A-2", "A-3"])
        #expect(try list("A-", 2) == ["A-1", "A-2"])
        #expect(try list("A%") == ["A%"] && list("A_") == ["A_3"])
        #expect(try list("😀") == ["😀"] && list("a") == [] && list("S") == [])
      }
    }
  }

  @Test(
    "a map gets the outlines of a view, or none if they are too many", arguments: OfficeEngines.all)
  func outlines(engine: OfficeEngine) async throws {
    let parcels = try (0..<6).map { try declared("P-\($0)", at: 49, 16 + Double($0), crop: "rye") }
    let far = try declared("F", at: 0, 179.99)
    try await engine.withOffice { database in
      let empty = try await database.read(in: "north") { try $0.parcels.neighbourhood() }
      #expect(empty == nil)
      _ = try await take(parcels + [far], database)
      _ = try await take([try declared("S", at: 49, 16)], in: "south", database)
      try await database.read(in: "north") { session in
        let view = try Samples.box(15.5, 48, 18.5, 50)
        func outlines(_ limit: Int, _ points: Int = 999) throws -> [String]? {
          try session.parcels.outlines(in: view, limit: limit, pointLimit: points)?
            .map(\.identifier).sorted()
        }
        #expect(try outlines(3) == ["P-0", "P-1", "P-2"])
        #expect(try outlines(2) == nil)
        #expect(try outlines(9, 3) == nil)
        #expect(try session.parcels.list(in: view, limit: 2).count == 2)
        let pacific = try Samples.box(179, -1, -179, 1)
        #expect(try session.parcels.list(in: pacific, limit: 9).map(\.identifier) == ["F"])
        let one = try #require(try session.parcels.outline("P-4"))
        #expect(one.identifier == "P-4" && one.name == "Long acre" && one.crop == "rye")
        let ring = try #require(parcels[4].parcel.rings.first)
        #expect(one.box.holds(DegreeBox(ring)))
        let text = try #require(one.coordinates)
        let parts = try #require(try JSONValue(parsing: Array(text.utf8)).elements)
        let corners = try #require(parts.first?.elements?.first?.elements)
        #expect(parts.count == 1 && corners.count == ring.count + 1)
        #expect(corners.first == corners.last)
        #expect(
          corners.first
            == .array([.number(ring[0].longitudeDegrees), .number(ring[0].latitudeDegrees)]))
        #expect(try session.parcels.outline("S") == nil)
        #expect(try session.parcels.outline("never") == nil)
        let near = try #require(try session.parcels.neighbourhood())
        #expect(near.holds(DegreeBox(ring)), "fewer than twenty parcels are all neighbours")
      }
    }
  }

  @Test(
    "parcels are taken all or none, whatever stops it, and the next ones are none the worse",
    arguments: OfficeEngines.all)
  func allOrNothing(engine: OfficeEngine) async throws {
    let parcels = try (0..<5).map { try declared("P-\($0)") }
    let entry = LogEntry(agency: "north", time: now, person: "otto", action: "took", subject: "-")
    try await engine.withOffice { database in
      func expectNothing(_ what: Comment) async throws {
        try await database.read(in: "north") { session throws -> Void in
          #expect(try session.parcels.count() == 0, what)
          #expect(try session.log.newest(limit: 9).isEmpty, what)
        }
      }
      await #expect(throws: Stopped.self) {
        try await database.takeParcels(in: "north", at: now) { offer in
          for parcel in parcels { try offer(parcel) }
          throw Stopped()
        } taken: { session, _ in
          try session.log.add(entry)
        }
      }
      try await expectNothing("the offering throws")
      let refused: Void? = try await database.takeParcels(in: "north", at: now) { offer in
        for parcel in parcels { try offer(parcel) }
        return false
      } taken: { session, _ in
        try session.log.add(entry)
      }
      #expect(refused == nil)
      try await expectNothing("they are not to be taken")
      await #expect(throws: Stopped.self) {
        try await database.takeParcels(in: "north", at: now) { offer in
          for parcel in parcels { try offer(parcel) }
          return true
        } taken: { session, count in
          #expect(count.new == 5)
          #expect(try session.parcels.count() == 5, "it is the transaction that took them")
          try session.log.add(entry)
          throw Stopped()
        }
      }
      try await expectNothing("the transaction throws")
      let taken = try await database.takeParcels(in: "north", at: now) { offer in
        for parcel in parcels { try offer(parcel) }
        return true
      } taken: { session, count in
        try session.log.add(entry)
        return count.new
      }
      #expect(taken == 5)
      try await database.read(in: "north") { session throws -> Void in
        #expect(try session.parcels.count() == 5)
        #expect(try session.log.newest(limit: 9) == [entry])
      }
      #expect(try await take([], database) == [0, 0, 0])
    }
  }

  @Test(
    "others read and write while parcels are offered, and see none of them before they are taken",
    arguments: OfficeEngines.all)
  func others(engine: OfficeEngine) async throws {
    // These are more than an engine may hand on at once.
    let parcels = try (0..<1200).map { try declared("P-\(10_000 + $0)") }
    try await engine.withOffice { database in
      let count = try await database.takeParcels(in: "north", at: now) { offer in
        for (number, parcel) in parcels.enumerated() {
          try offer(parcel)
          guard number % 400 == 0 else { continue }
          let stored = try await database.write(in: number == 0 ? "south" : "north") { session in
            try session.deliveries.addStored(bytes: 1)
            return try session.parcels.count()
          }
          #expect(stored == 0)
          #expect(try await database.read(in: "north") { try $0.parcels.count() } == 0)
        }
        // Another import is quicker with one of the parcels.
        #expect(try await take([parcels[7]], database) == [1, 0, 0])
        return true
      } taken: { session, count in
        #expect(session.agency == "north")
        return [count.new, count.changed, count.unchanged]
      }
      #expect(count == [1199, 0, 1])
      try await database.read(in: "north") { session throws -> Void in
        #expect(try session.parcels.count() == 1200)
        #expect(try session.deliveries.storage().storedBytes == 2)
      }
      #expect(try await database.read(in: "south") { try $0.parcels.count() } == 0)
    }
  }
}
