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

@Suite("The register's parcels on the map", .timeLimit(.minutes(5)))
struct ParcelMapTests {
  private let fixture = ParcelFixture()

  private func outlines(
    _ session: AgencySession, _ box: CoordinateBox, limit: Int = 100, points: Int = 10_000
  ) throws -> [String]? {
    try session.parcels.outlines(in: box, limit: limit, pointLimit: points)?.map(\.identifier)
      .sorted()
  }

  @Test("a view has its agency's parcels, all of them or none, by their number and by their points")
  func limits() throws {
    try fixture.withStore { store in
      try fixture.take(
        [try fixture.parcel("S", [try fixture.square(16, 49, 0.1)])], in: "south", store)
      let none = try store.read(in: "north") { try $0.parcels.neighbourhood() }
      #expect(none == nil, "the other agency's is not near")
      try fixture.take(
        (0..<9).map {
          try fixture.parcel("P-\($0)", [try fixture.square(16 + Double($0) * 0.01, 49, 0.005)])
        }, store)
      try store.read(in: "north") { (session: AgencySession) throws -> Void in
        let all = (0..<9).map { "P-\($0)" }
        let view = try fixture.box(15, 48, 17, 50)
        #expect(try outlines(session, view) == all)
        #expect(try outlines(session, view, limit: 9) == all)
        #expect(try outlines(session, view, limit: 8) == nil)
        // Each outline has eight brackets: of four corners, the first one again, its ring, its
        // part, and all of it.
        #expect(try outlines(session, view, points: 72) == all)
        #expect(try outlines(session, view, points: 71) == nil)
        #expect(try outlines(session, try fixture.box(16.011, 49.001, 16.012, 49.002)) == ["P-1"])
        #expect(try outlines(session, try fixture.box(20, 49, 21, 50)) == [])
        let near = try #require(try session.parcels.neighbourhood())
        #expect(near.west > 15.99 && near.east < 16.1 && near.south > 48.99 && near.north < 49.01)
        #expect(try session.parcels.outline("S") == nil)
        #expect(try session.parcels.outline("P-3")?.identifier == "P-3")
      }
      try store.read(in: "south") { (session: AgencySession) throws -> Void in
        #expect(try outlines(session, try fixture.box(-180, -90, 180, 90), limit: 1) == ["S"])
      }
    }
  }

  @Test("an outline is what was imported, digit by digit; one of very many corners is a rectangle")
  func coordinates() throws {
    try fixture.withStore { store in
      let ring = try fixture.square(16.000_000_123_4, 49, 0.1)
      let many = (0..<6000).compactMap { corner in
        let angle = Double(corner) / 6000 * 2 * Double.pi
        return Coordinate(
          latitudeDegrees: 49 + 0.1 * sin(angle), longitudeDegrees: 17 + 0.1 * cos(angle))
      }
      try fixture.take(
        [try fixture.parcel("plain", [ring], crop: "rye"), try fixture.parcel("coast", [many])],
        store)
      try store.read(in: "north") { (session: AgencySession) throws -> Void in
        let plain = try #require(try session.parcels.outline("plain"))
        #expect(plain.crop == "rye")
        let text = try #require(plain.coordinates)
        let corners = try #require(
          try JSONValue(parsing: Array(text.utf8)).elements?.first?.elements?.first?.elements)
        let expected = (ring + [ring[0]]).map {
          "[\($0.longitudeDegrees),\($0.latitudeDegrees)]"
        }
        #expect(text == "[[[\(expected.joined(separator: ","))]]]" && corners.count == 5)
        let coast = try #require(try session.parcels.outline("coast"))
        #expect(coast.coordinates == nil)
        #expect(abs(coast.box.west - 16.9) < 1e-5 && abs(coast.box.north - 49.1) < 1e-5)
        // The parcel costs a view as much as the rectangle that is drawn instead.
        #expect(
          try outlines(session, try fixture.box(15, 48, 18, 50), points: 20) == ["coast", "plain"])
      }
    }
  }

  @Test("what is imported again is found where it lies now; one on both sides of the globe once")
  func moves() throws {
    try fixture.withStore { store in
      func found(
        _ west: Double, _ south: Double, _ east: Double, _ north: Double
      ) throws -> [String]? {
        try store.read(in: "north") { try outlines($0, try fixture.box(west, south, east, north)) }
      }
      let sides = [try fixture.square(179.9, 10, 0.1), try fixture.square(-180, 10, 0.1)]
      let here = [try fixture.square(16, 49, 0.1)]
      try fixture.take(
        [try fixture.parcel("both", sides), try fixture.parcel("here", here)], store)
      #expect(try found(179.8, 9, -179.8, 11) == ["both"])
      #expect(try found(179.95, 9, 180, 11) == ["both"])
      #expect(try found(-180, 9, -179.95, 11) == ["both"])
      // The parcel's rectangles reach nowhere else: one around the globe would be read for every
      // view.
      #expect(try found(-170, 9, 170, 11) == [])
      try fixture.take(
        [
          try fixture.parcel("both", [try fixture.square(20, 49, 0.1)]),
          try fixture.parcel("here", here, crop: "oats"),
        ],
        store)
      #expect(try found(179.8, 9, -179.8, 11) == [])
      #expect(try found(19, 48, 21, 50) == ["both"])
      #expect(try found(15, 48, 17, 50) == ["here"])
      try fixture.take([try fixture.parcel("here", sides)], store)
      #expect(try found(15, 48, 17, 50) == [])
      #expect(try found(-180, -90, 180, 90) == ["both", "here"])
    }
  }

  @Test("everything in the trees has a width along the agencies, or the tree would be a list")
  func trees() throws {
    try fixture.withStore { store in
      try fixture.take([try fixture.parcel("P", [try fixture.square(16, 49, 0.1)])], store)
      try store.write(in: "north") { (session: AgencySession) throws -> Void in
        let now = DeviceTime(millisecondsSince1970: 1_780_000_000_000)
        let place = try #require(Coordinate(latitudeDegrees: 49, longitudeDegrees: 16))
        try session.map.keepPlace(
          of: Photo(
            id: Identifier(at: now), agency: "north", inspector: "ines", task: nil, origin: .camera,
            gnssTime: now.gnssTime, deviceTime: now,
            position: PhotoPosition(
              kept: place, ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil,
              uncertaintyMetres95: 2, method: .fix), standpoint: nil, orientation: nil,
            camera: .assumed(widthPixels: 4, heightPixels: 3), fileDigest: "", bytes: 1,
            widthPixels: 4, heightPixels: 3, isSimulated: true))
      }
      for (tree, width) in [
        ("parcel_place", "most_agency - least_agency"), ("photo_place", "most_year - least_year"),
      ] {
        let widths = try store.readPages {
          try Double.fetchAll($0, sql: "SELECT \(width) FROM \(tree)")
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
      try OfficeSchema.migrator.migrate(queue, upTo: "9 quotas")
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
        #expect(try outlines(session, try fixture.box(-180, -90, 180, 90)) == ["both", "here"])
        #expect(try outlines(session, try fixture.box(15, 48, 17, 50)) == ["here"])
        #expect(try outlines(session, try fixture.box(-170, -1, 170, 1)) == [])
        #expect(
          try session.parcels.list(in: try fixture.box(179.95, -1, 180, 1), limit: 9).count == 1)
      }
      try store.read(in: "south") { (session: AgencySession) throws -> Void in
        #expect(try outlines(session, try fixture.box(-180, -90, 180, 90)) == ["there"])
      }
      let photos = try store.readPages {
        try Row.fetchAll($0, sql: "SELECT least_year, most_year, photo FROM photo_place")
      }
      #expect(
        photos.map { "\($0["least_year"] as Double) \($0["most_year"] as Double)" } == [
          "256.0 256.5"
        ])
    }
  }
}
