import Foundation
import Geodesy
import Inspection
import Positioning
import TestSupport
import Testing
import TimeAndText

@testable import Store

/// A database with two agencies, and parcels for their registers.
struct ParcelFixture {
  let now = DeviceTime(millisecondsSince1970: 1_780_000_000_000)

  func withStore<Result>(_ body: (OfficeStore) throws -> Result) throws -> Result {
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

  /// Takes parcels as an import does.
  @discardableResult
  func take(
    _ parcels: [DeclaredParcel], in agency: String = "north", at time: DeviceTime? = nil,
    _ store: OfficeStore
  ) throws -> [Int] {
    let counts = try store.takeParcels(in: agency, at: time ?? now) { stage in
      try parcels.forEach(stage)
      return true
    } moving: { (_: AgencySession, count: ImportCount) in
      count
    }
    return counts.map { [$0.new, $0.changed, $0.unchanged] } ?? []
  }

  func square(_ west: Double, _ south: Double, _ side: Double) throws -> [Coordinate] {
    try [(0.0, 0.0), (side, 0), (side, side), (0, side)].map {
      try #require(Coordinate(latitudeDegrees: south + $0.1, longitudeDegrees: west + $0.0))
    }
  }

  func parcel(
    _ identifier: String, _ rings: [[Coordinate]], crop: String? = nil
  ) throws -> DeclaredParcel {
    DeclaredParcel(
      parcel: try #require(Parcel(identifier: identifier, rings: rings)), name: "Long acre",
      crop: crop, declaredAreaSquareMetres: 12_345.5)
  }

  func box(
    _ west: Double, _ south: Double, _ east: Double, _ north: Double
  ) throws -> CoordinateBox {
    try #require(
      CoordinateBox(
        westDegrees: west, southDegrees: south, eastDegrees: east, northDegrees: north))
  }
}

extension OfficeStore {
  /// Takes parcels as the office's database does: all of them or none.
  func takeParcels<Value>(
    in agency: String, at time: DeviceTime,
    staging: (_ stage: (DeclaredParcel) throws -> Void) throws -> Bool,
    moving: (AgencySession, ImportCount) throws -> Value
  ) throws -> Value? {
    let stage = try parcelStage(in: agency)
    defer { stage.remove() }
    guard try staging({ try stage.add($0) }) else { return nil }
    return try takeParcels(from: stage, at: time, moving)
  }
}
