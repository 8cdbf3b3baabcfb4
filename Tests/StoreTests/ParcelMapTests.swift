import Evidence
import Foundation
import GRDB
import Geodesy
import Inspection
import Positioning
import Sync
import TestSupport
import Testing

@testable import Store

@Suite("The register's parcels on the map", .timeLimit(.minutes(5)))
struct ParcelMapTests {
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
      try #require(Coordinate(latitudeDegrees: south + $0.1, longitudeDegrees: west + $0.0))
    }
  }

  private func parcel(
    _ identifier: String, _ rings: [[Coordinate]], crop: String? = nil
  ) throws -> DeclaredParcel {
    DeclaredParcel(
      parcel: try #require(Parcel(identifier: identifier, rings: rings)), crop: crop)
  }

  private func box(
    _ west: Double, _ south: Double, _ east: Double, _ north: Double
  ) throws -> CoordinateBox {
    try #require(
      CoordinateBox(
        westDegrees: west, southDegrees: south, eastDegrees: east, northDegrees: north))
  }

  private func outlines(
    _ session: AgencySession, _ box: CoordinateBox, limit: Int = 100, points: Int = 10_000
  ) throws -> [String]? {
    try session.parcelOutlines(in: box, limit: limit, pointLimit: points)?.map(\.identifier)
      .sorted()
  }

  @Test("a view has its agency's parcels, all of them or none, by their number and by their points")
  func limits() throws {
    try withStore { store in
      try store.write(in: "south") { (session: AgencySession) throws -> Void in
        _ = try session.keep(try parcel("S", [try square(16, 49, 0.1)]), at: now)
      }
      try store.write(in: "north") { (session: AgencySession) throws -> Void in
        #expect(try session.parcelNeighbourhood() == nil, "the other agency's is not near")
        for number in 0..<9 {
          _ = try session.keep(
            try parcel("P-\(number)", [try square(16 + Double(number) * 0.01, 49, 0.005)]), at: now)
        }
        let all = (0..<9).map { "P-\($0)" }
        let view = try box(15, 48, 17, 50)
        #expect(try outlines(session, view) == all)
        #expect(try outlines(session, view, limit: 9) == all)
        #expect(try outlines(session, view, limit: 8) == nil)
        // Eight brackets each: four corners, the first once more, its ring, its part, all of it.
        #expect(try outlines(session, view, points: 72) == all)
        #expect(try outlines(session, view, points: 71) == nil)
        #expect(try outlines(session, try box(16.011, 49.001, 16.012, 49.002)) == ["P-1"])
        #expect(try outlines(session, try box(20, 49, 21, 50)) == [])
        let near = try #require(try session.parcelNeighbourhood())
        #expect(near.west > 15.99 && near.east < 16.1 && near.south > 48.99 && near.north < 49.01)
        #expect(try session.parcelOutline("S") == nil)
        #expect(try session.parcelOutline("P-3")?.identifier == "P-3")
      }
      try store.read(in: "south") { (session: AgencySession) throws -> Void in
        #expect(try outlines(session, try box(-180, -90, 180, 90), limit: 1) == ["S"])
      }
    }
  }

  @Test("an outline is what was imported, digit by digit; one of very many corners is a rectangle")
  func coordinates() throws {
    try withStore { store in
      let ring = try square(16.000_000_123_4, 49, 0.1)
      let many = (0..<6000).compactMap { corner in
        let angle = Double(corner) / 6000 * 2 * Double.pi
        return Coordinate(
          latitudeDegrees: 49 + 0.1 * sin(angle), longitudeDegrees: 17 + 0.1 * cos(angle))
      }
      try store.write(in: "north") { (session: AgencySession) throws -> Void in
        _ = try session.keep(try parcel("plain", [ring], crop: "rye"), at: now)
        _ = try session.keep(try parcel("coast", [many]), at: now)
        let plain = try #require(try session.parcelOutline("plain"))
        #expect(plain.crop == "rye")
        let text = try #require(plain.coordinates)
        let corners = try #require(
          try JSONValue(parsing: Array(text.utf8)).elements?.first?.elements?.first?.elements)
        let expected = (ring + [ring[0]]).map {
          "[\($0.longitudeDegrees),\($0.latitudeDegrees)]"
        }
        #expect(text == "[[[\(expected.joined(separator: ","))]]]" && corners.count == 5)
        let coast = try #require(try session.parcelOutline("coast"))
        #expect(coast.coordinates == nil)
        #expect(abs(coast.box.west - 16.9) < 1e-5 && abs(coast.box.north - 49.1) < 1e-5)
        // It costs a view as much as the rectangle that is drawn.
        #expect(try outlines(session, try box(15, 48, 18, 50), points: 20) == ["coast", "plain"])
      }
    }
  }

  @Test("what is imported again is found where it lies now; one on both sides of the globe once")
  func moves() throws {
    try withStore { store in
      try store.write(in: "north") { (session: AgencySession) throws -> Void in
        let sides = [try square(179.9, 10, 0.1), try square(-180, 10, 0.1)]
        _ = try session.keep(try parcel("both", sides), at: now)
        _ = try session.keep(try parcel("here", [try square(16, 49, 0.1)]), at: now)
        #expect(try outlines(session, try box(179.8, 9, -179.8, 11)) == ["both"])
        #expect(try outlines(session, try box(179.95, 9, 180, 11)) == ["both"])
        #expect(try outlines(session, try box(-180, 9, -179.95, 11)) == ["both"])
        // Its rectangles reach nowhere else: one all round would be read for every view.
        #expect(try outlines(session, try box(-170, 9, 170, 11)) == [])
        _ = try session.keep(try parcel("both", [try square(20, 49, 0.1)]), at: now)
        _ = try session.keep(try parcel("here", [try square(16, 49, 0.1)], crop: "oats"), at: now)
        #expect(try outlines(session, try box(179.8, 9, -179.8, 11)) == [])
        #expect(try outlines(session, try box(19, 48, 21, 50)) == ["both"])
        #expect(try outlines(session, try box(15, 48, 17, 50)) == ["here"])
        _ = try session.keep(try parcel("here", sides), at: now)
        #expect(try outlines(session, try box(15, 48, 17, 50)) == [])
        #expect(try outlines(session, try box(-180, -90, 180, 90)) == ["both", "here"])
      }
    }
  }

  @Test("everything in the trees has a width along the agencies, or the tree would be a list")
  func trees() throws {
    try withStore { store in
      try store.write(in: "north") { (session: AgencySession) throws -> Void in
        _ = try session.keep(try parcel("P", [try square(16, 49, 0.1)]), at: now)
        try session.keepPlace(
          of: "a photo", at: try #require(Coordinate(latitudeDegrees: 49, longitudeDegrees: 16)))
      }
      for tree in ["parcel_place", "photo_place"] {
        let widths = try store.readPages {
          try Double.fetchAll($0, sql: "SELECT most_agency - least_agency FROM \(tree)")
        }
        #expect(widths == [0.5], "\(tree)")
      }
    }
  }

  @Test("a database of the version before has its parcels and photos on the map")
  func migration() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("office.sqlite").path
      let queue = try DatabaseQueue(path: path)
      try OfficeMigrations.migrator.migrate(queue, upTo: "9 quotas")
      try queue.write { database in
        try database.execute(
          sql: """
            INSERT INTO agency (agency, title, created) VALUES ('north', 'N', 1), ('south', 'S', 1);
            INSERT INTO parcel (number, agency, identifier, revision, imported, outline) VALUES
              (4, 'north', 'here', 1, 1, '[[[[16.0,49.0],[16.1,49.0],[16.0,49.1],[16.0,49.0]]]]'),
              (5, 'south', 'there', 1, 1, '[[[[16.0,49.0],[16.1,49.0],[16.0,49.1],[16.0,49.0]]]]'),
              (6, 'north', 'both', 1, 1, '[[[[179.9,0.0],[180.0,0.0],[180.0,0.1],[179.9,0.0]]],'
                || '[[[-180.0,0.0],[-179.9,0.0],[-180.0,0.1],[-180.0,0.0]]]]');
            INSERT INTO parcel_place (number, min_lon, max_lon, min_lat, max_lat, agency) VALUES
              (4, 16, 16.1, 49, 49.1, 'north'), (5, 16, 16.1, 49, 49.1, 'south'),
              (6, -180, 180, 0, 0.1, 'north');
            INSERT INTO map_agency (agency) VALUES ('south');
            INSERT INTO photo_place (west, east, south, north, least_agency, most_agency, photo)
              SELECT 16, 16, 49, 49, number, number, 'p' FROM map_agency;
            """)
      }
      try queue.close()
      let store = try OfficeStore(path: path)
      defer { try? store.close() }
      try store.read(in: "north") { (session: AgencySession) throws -> Void in
        #expect(try outlines(session, try box(-180, -90, 180, 90)) == ["both", "here"])
        #expect(try outlines(session, try box(15, 48, 17, 50)) == ["here"])
        #expect(try outlines(session, try box(-170, -1, 170, 1)) == [])
        #expect(try session.parcels(in: try box(179.95, -1, 180, 1), limit: 9).count == 1)
      }
      try store.read(in: "south") { (session: AgencySession) throws -> Void in
        #expect(try outlines(session, try box(-180, -90, 180, 90)) == ["there"])
      }
      let photos = try store.readPages {
        try Row.fetchAll($0, sql: "SELECT least_agency, most_agency, photo FROM photo_place")
      }
      #expect(
        photos.map { "\($0["least_agency"] as Double) \($0["most_agency"] as Double)" } == [
          "1.0 1.5"
        ])
    }
  }
}
