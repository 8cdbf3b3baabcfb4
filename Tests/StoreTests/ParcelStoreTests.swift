import Foundation
import Geodesy
import Inspection
import Positioning
import Store
import TestSupport
import Testing
import TimeAndText

@Suite("Parcels in the office's database")
struct ParcelStoreTests {
  private let fixture = ParcelFixture()
  private var now: DeviceTime { fixture.now }

  @Test("what is kept is read back, and kept again it is new, unchanged, then changed")
  func roundTrip() throws {
    try fixture.withStore { store in
      let rings = [
        try fixture.square(16, 49, 0.1), try fixture.square(16.02, 49.02, 0.03),
        try fixture.square(16.2, 49, 0.123456789),
      ]
      let first = try fixture.parcel("P-1", rings, crop: "rye")
      func effect(of parcel: DeclaredParcel) throws -> ImportEffect {
        try store.read(in: "north") { try $0.parcels.effect(of: parcel) }
      }
      let later = try fixture.parcel("P-1", [rings[2]], crop: "rye")
      #expect(try effect(of: first) == .new)
      #expect(try fixture.take([first], store) == [1, 0, 0])
      #expect(try effect(of: first) == .unchanged)
      #expect(try fixture.take([first], store) == [0, 0, 1])
      try store.read(in: "north") { (session: AgencySession) throws -> Void in
        let read = try #require(try session.parcels.parcel("P-1"))
        #expect(read.declared == first)
        #expect(read.revision == 1 && read.imported == now)
      }
      #expect(try effect(of: later) == .changed)
      #expect(try fixture.take([later], at: now.advanced(bySeconds: 60), store) == [0, 1, 0])
      try store.read(in: "north") { (session: AgencySession) throws -> Void in
        #expect(try session.parcels.parcel("P-1")?.declared == later)
        #expect(try session.parcels.parcel("P-1")?.revision == 2)
        #expect(try session.parcels.count() == 1)
        // The parcel is found where it lies now, and no longer where it lay.
        #expect(
          try session.parcels.list(
            in: try fixture.box(16.25, 49.05, 16.26, 49.06), limit: 9
          ).count == 1)
        #expect(
          try session.parcels.list(
            in: try fixture.box(16, 49, 16.1, 49.1), limit: 9
          ).isEmpty)
      }
    }
  }

  @Test("another agency's parcels are not there, whatever their place and identifier")
  func agencies() throws {
    try fixture.withStore { store in
      let same = try fixture.parcel("P-1", [try fixture.square(16, 49, 0.1)])
      try fixture.take([same], in: "south", store)
      try store.read(in: "north") { (session: AgencySession) throws -> Void in
        #expect(try session.parcels.parcel("P-1") == nil)
        #expect(try session.parcels.count() == 0)
        let world = try fixture.box(-180, -90, 180, 90)
        #expect(try session.parcels.list(in: world, limit: 9).isEmpty)
        #expect(try session.parcels.page(after: nil, limit: 9).isEmpty)
        #expect(try session.parcels.list(beginningWith: "P", limit: 9).isEmpty)
      }
      #expect(try fixture.take([same], store) == [1, 0, 0])
      try store.read(in: "north") { (session: AgencySession) throws -> Void in
        #expect(
          try session.parcels.list(in: try fixture.box(-180, -90, 180, 90), limit: 9).count == 1)
      }
    }
  }

  @Test("a rectangle finds what every parcel's own rectangle says, across the antimeridian too")
  func boxes() throws {
    try fixture.withStore { store in
      try forEachSeed(0..<3) { seed, generator in
        let agency = seed % 2 == 0 ? "north" : "south"
        var parcels: [DeclaredParcel] = []
        for number in 0..<120 {
          let south = Double.random(in: -80...79, using: &generator)
          let rings =
            number % 10 == 0
            ? [try fixture.square(179.5, south, 0.5), try fixture.square(-180, south, 0.5)]
            : [try fixture.square(.random(in: -180...179, using: &generator), south, 0.5)]
          parcels.append(try fixture.parcel("\(seed)-\(number)", rings))
        }
        try fixture.take(parcels, in: agency, store)
        try store.read(in: agency) { session in
          for _ in 0..<30 {
            let south = Double.random(in: -85...60, using: &generator)
            let box = try fixture.box(
              .random(in: -180...180, using: &generator), south,
              .random(in: -180...180, using: &generator), south + 20)
            let found = Set(
              try session.parcels.list(in: box, limit: .max).map(\.identifier).filter {
                $0.hasPrefix("\(seed)-")
              })
            let expected = Set(
              parcels.filter { parcel in
                parcel.parcel.rings.contains { DegreeBox($0).meets(box) }
              }.map(\.parcel.identifier))
            #expect(found == expected, "seed \(seed)")
          }
        }
      }
    }
  }

  @Test("pages and prefixes go by identifier, with any character in it")
  func pages() throws {
    try fixture.withStore { store in
      let names = ["A%", "A-1", "A-2", "A_3", "B", "Ä", "😀"]
      try fixture.take(
        names.reversed().map { try fixture.parcel($0, [try fixture.square(1, 1, 1)]) }, store)
      try store.read(in: "north") { (session: AgencySession) throws -> Void in
        #expect(
          try session.parcels.page(after: nil, limit: 3).map(\.identifier) == ["A%", "A-1", "A-2"])
        #expect(
          try session.parcels.page(after: "A-2", limit: 9).map(\.identifier) == [
            "A_3", "B", "Ä", "😀",
          ])
        #expect(
          try session.parcels.list(beginningWith: "A-", limit: 9).map(\.identifier) == [
            "A-1", "A-2",
          ])
        #expect(try session.parcels.list(beginningWith: "A%", limit: 9).map(\.identifier) == ["A%"])
        #expect(try session.parcels.list(beginningWith: "😀", limit: 9).count == 1)
      }
    }
  }
}
