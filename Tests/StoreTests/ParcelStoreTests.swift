import Foundation
import Geodesy
import Inspection
import Positioning
import Store
import TestSupport
import Testing

@Suite("Parcels in the office's database")
struct ParcelStoreTests {
  private let now = DeviceTime(millisecondsSince1970: 1_780_000_000_000)

  private func withStore<Result>(_ body: (OfficeStore) throws -> Result) throws -> Result {
    try withTemporaryDirectory { folder in
      let store = try OfficeStore(path: folder.appendingPathComponent("office.sqlite").path)
      defer { try? store.close() }
      try store.write { session in
        for name in ["north", "south"] {
          try session.insert(Agency(name: name, title: name, created: now))
        }
      }
      return try body(store)
    }
  }

  private func square(_ west: Double, _ south: Double, _ side: Double) throws -> [Coordinate] {
    try [(0.0, 0.0), (side, 0), (side, side), (0, side)].map {
      try #require(
        Coordinate(latitudeDegrees: south + $0.1, longitudeDegrees: west + $0.0))
    }
  }

  private func parcel(
    _ identifier: String, _ rings: [[Coordinate]], crop: String? = nil
  ) throws -> DeclaredParcel {
    DeclaredParcel(
      parcel: try #require(Parcel(identifier: identifier, rings: rings)), name: "Long acre",
      crop: crop, declaredAreaSquareMetres: 12_345.5)
  }

  private func box(
    _ west: Double, _ south: Double, _ east: Double, _ north: Double
  ) throws -> CoordinateBox {
    try #require(
      CoordinateBox(
        westDegrees: west, southDegrees: south, eastDegrees: east, northDegrees: north))
  }

  @Test("what is kept is read back, and kept again it is new, unchanged, then changed")
  func roundTrip() throws {
    try withStore { store in
      let rings = [
        try square(16, 49, 0.1), try square(16.02, 49.02, 0.03), try square(16.2, 49, 0.123456789),
      ]
      let first = try parcel("P-1", rings, crop: "rye")
      try store.write(in: "north") { session in
        #expect(try session.effect(of: first) == .new)
        #expect(try session.keep(first, at: now) == .new)
        #expect(try session.effect(of: first) == .unchanged)
        #expect(try session.keep(first, at: now) == .unchanged)
        let read = try #require(try session.parcel("P-1"))
        #expect(read.declared == first)
        #expect(read.revision == 1 && read.imported == now)
        let later = try parcel("P-1", [rings[2]], crop: "rye")
        #expect(try session.effect(of: later) == .changed)
        #expect(try session.keep(later, at: now.advanced(bySeconds: 60)) == .changed)
        #expect(try session.parcel("P-1")?.declared == later)
        #expect(try session.parcel("P-1")?.revision == 2)
        #expect(try session.parcelCount() == 1)
        // It is found where it lies now, and no longer where it lay.
        #expect(
          try session.parcels(
            in: try box(16.25, 49.05, 16.26, 49.06), limit: 9
          ).count == 1)
        #expect(
          try session.parcels(
            in: try box(16, 49, 16.1, 49.1), limit: 9
          ).isEmpty)
      }
    }
  }

  @Test("another agency's parcels are not there, whatever their place and identifier")
  func agencies() throws {
    try withStore { store in
      let same = try parcel("P-1", [try square(16, 49, 0.1)])
      try store.write(in: "south") { _ = try $0.keep(same, at: now) }
      try store.write(in: "north") { session in
        #expect(try session.parcel("P-1") == nil)
        #expect(try session.parcelCount() == 0)
        let world = try box(-180, -90, 180, 90)
        #expect(try session.parcels(in: world, limit: 9).isEmpty)
        #expect(try session.parcels(after: nil, limit: 9).isEmpty)
        #expect(try session.parcels(beginningWith: "P", limit: 9).isEmpty)
        let effect = try session.keep(same, at: now)
        #expect(effect == .new)
        #expect(try session.parcels(in: world, limit: 9).count == 1)
      }
    }
  }

  @Test("a rectangle finds what every parcel's own rectangle says, across the antimeridian too")
  func boxes() throws {
    try withStore { store in
      try forEachSeed(0..<3) { seed, generator in
        let agency = seed % 2 == 0 ? "north" : "south"
        var parcels: [DeclaredParcel] = []
        for number in 0..<120 {
          let south = Double.random(in: -80...79, using: &generator)
          let rings =
            number % 10 == 0
            ? [try square(179.5, south, 0.5), try square(-180, south, 0.5)]
            : [try square(.random(in: -180...179, using: &generator), south, 0.5)]
          parcels.append(try parcel("\(seed)-\(number)", rings))
        }
        try store.write(in: agency) { session in
          for parcel in parcels { _ = try session.keep(parcel, at: now) }
          for _ in 0..<30 {
            let south = Double.random(in: -85...60, using: &generator)
            let box = try box(
              .random(in: -180...180, using: &generator), south,
              .random(in: -180...180, using: &generator), south + 20)
            let found = Set(
              try session.parcels(in: box, limit: .max).map(\.identifier).filter {
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
    try withStore { store in
      let names = ["A%", "A-1", "A-2", "A_3", "B", "Ä", "😀"]
      try store.write(in: "north") { session in
        for name in names.shuffled() {
          _ = try session.keep(try parcel(name, [try square(1, 1, 1)]), at: now)
        }
        #expect(
          try session.parcels(after: nil, limit: 3).map(\.identifier) == ["A%", "A-1", "A-2"])
        #expect(
          try session.parcels(after: "A-2", limit: 9).map(\.identifier) == ["A_3", "B", "Ä", "😀"])
        #expect(
          try session.parcels(beginningWith: "A-", limit: 9).map(\.identifier) == ["A-1", "A-2"])
        #expect(try session.parcels(beginningWith: "A%", limit: 9).map(\.identifier) == ["A%"])
        #expect(try session.parcels(beginningWith: "😀", limit: 9).count == 1)
      }
    }
  }
}
