import Foundation
import Geodesy
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Store

@Suite("Parcels that are taken all at once")
struct ParcelStageTests {
  private let fixture = ParcelFixture()
  private var now: DeviceTime { fixture.now }
  private struct Stopped: Error {}

  private func withStore<Result>(
    _ body: (_ store: OfficeStore, _ path: String) throws -> Result
  ) throws -> Result {
    try fixture.withStore { try body($0, $0.path) }
  }

  private func parcel(
    _ number: Int, west: Double? = nil, crop: String? = "rye"
  ) throws -> DeclaredParcel {
    let west = west ?? 16 + Double(number) / 100
    let ring = try [(0.0, 0.0), (0.005, 0), (0.005, 0.005), (0, 0.005)].map {
      try #require(Coordinate(latitudeDegrees: 49 + $0.1, longitudeDegrees: west + $0.0))
    }
    return DeclaredParcel(
      parcel: try #require(Parcel(identifier: "P-\(number)", rings: [ring])), name: "Long acre",
      crop: crop, declaredAreaSquareMetres: 12_345.5)
  }

  @discardableResult
  private func take(
    _ parcels: [DeclaredParcel], _ store: OfficeStore, in agency: String = "north"
  ) throws -> [Int] {
    let counts = try store.takeParcels(in: agency, at: now) { stage in
      for parcel in parcels { try stage(parcel) }
      return true
    } moving: { (_: AgencySession, count: ImportCount) in
      count
    }
    return counts.map { [$0.new, $0.changed, $0.unchanged] } ?? []
  }

  private func found(_ west: Double, _ store: OfficeStore) throws -> [String] {
    let box = try #require(
      CoordinateBox(
        westDegrees: west, southDegrees: 49.001, eastDegrees: west + 0.001, northDegrees: 49.002))
    return try store.read(in: "north") { (session: AgencySession) in
      try session.parcels.list(in: box, limit: 9).map(\.identifier).sorted()
    }
  }

  @Test("they are what keeping one after the other would have made, and found where they lie")
  func moves() throws {
    try withStore { store, _ in
      // These are more than one step takes.
      let many = try (0..<1200).map { try parcel($0) }
      #expect(try take(many, store) == [1200, 0, 0])
      #expect(try take(many, store) == [0, 0, 1200])
      let later = [
        try parcel(0), try parcel(1, crop: nil), try parcel(2, west: 40), try parcel(5000),
      ]
      #expect(try take(later, store) == [1, 2, 1])
      try store.read(in: "north") { (session: AgencySession) throws -> Void in
        #expect(try session.parcels.count() == 1201)
        #expect(try session.parcels.parcel("P-0")?.revision == 1)
        #expect(try session.parcels.parcel("P-1")?.revision == 2)
        #expect(try session.parcels.parcel("P-1")?.declared == later[1])
        #expect(try session.parcels.parcel("P-2")?.declared == later[2])
        #expect(try session.parcels.parcel("P-5000")?.declared == later[3])
        #expect(try session.parcels.effect(of: later[3]) == .unchanged)
      }
      #expect(try found(16.011, store) == ["P-1"])
      // P-2 does not lie here any more.
      #expect(try found(16.021, store) == [])
      #expect(try found(40.001, store) == ["P-2"])
      #expect(try found(66.001, store) == ["P-5000"])
      #expect(try take([later[1]], store, in: "south") == [1, 0, 0])
      #expect(try found(16.011, store) == ["P-1"])
    }
  }

  @Test("whatever stops it, nothing was taken, and nothing lies about")
  func allOrNothing() throws {
    try withStore { store, path in
      let staging = URL(fileURLWithPath: path).deletingLastPathComponent().path + "/staging"
      let five = try (0..<5).map { try parcel($0) }
      #expect(throws: Stopped.self) {
        try store.takeParcels(in: "north", at: now) { stage in
          for parcel in five { try stage(parcel) }
          throw Stopped()
        } moving: { (_: AgencySession, _: ImportCount) in
        }
      }
      #expect(throws: Stopped.self) {
        try store.takeParcels(in: "north", at: now) { stage in
          for parcel in five { try stage(parcel) }
          return true
        } moving: { (_: AgencySession, _: ImportCount) in
          throw Stopped()
        }
      }
      let refused: Void? = try store.takeParcels(in: "north", at: now) { stage in
        try stage(five[0])
        return false
      } moving: { (_: AgencySession, _: ImportCount) in
      }
      #expect(refused == nil)
      let count = try store.read(in: "north") { (session: AgencySession) in
        try session.parcels.count()
      }
      #expect(count == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: staging) == [])
      // The next import is not affected.
      #expect(try take(five, store) == [5, 0, 0])
    }
  }

  @Test("what a killed program has left is cleared away at the next start, what is in use is not")
  func leftovers() throws {
    try withStore { store, path in
      let staging = URL(fileURLWithPath: path).deletingLastPathComponent().path + "/staging"
      try take([try parcel(0)], store)
      let left = staging + "/parcels-left.sqlite"
      for end in ["", "-journal", ".lock"] { try DurableFile.write([7], to: left + end) }
      let used = try ParcelStage(beside: path, agency: "north")
      try used.add(try parcel(1))
      let other = try OfficeStore(path: path)
      #expect(!FileManager.default.fileExists(atPath: left))
      #expect(!FileManager.default.fileExists(atPath: left + ".lock"))
      #expect(FileManager.default.fileExists(atPath: used.path))
      try used.finish()
      used.remove()
      #expect(try FileManager.default.contentsOfDirectory(atPath: staging) == [])
      try other.close()
    }
  }

  /// Counts the agencies in a transaction that may write; nil if somebody else writes.
  private func agencies(_ store: OfficeStore) throws -> Int? {
    try store.writeIfFree { try $0.agencies().count }
  }

  @Test("others write while parcels are laid down, and whoever need not write does not wait")
  func others() throws {
    try withStore { store, path in
      let other = try OfficeStore(path: path)
      defer { try? other.close() }
      let began = ContinuousClock.now
      let taken = try store.takeParcels(in: "north", at: now) { stage in
        for number in 0..<1000 { try stage(try parcel(number)) }
        #expect(try agencies(other) == 2)
        #expect(try agencies(store) == 2)
        return true
      } moving: { (_: AgencySession, count: ImportCount) throws -> Int in
        // Neither another process nor this one can write now.
        #expect(try agencies(other) == nil)
        #expect(try agencies(store) == nil)
        return count.new
      }
      #expect(taken == 1000)
      // SQLite itself would wait for ten seconds.
      #expect(ContinuousClock.now - began < .seconds(9))
      #expect(try agencies(other) == 2)
      #expect(throws: Stopped.self) {
        try store.writeIfFree { session in
          try session.insert(Agency(name: "east", title: "east", created: now))
          throw Stopped()
        }
      }
      #expect(try agencies(store) == 2)
    }
  }
}
