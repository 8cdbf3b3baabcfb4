import Foundation
import Geodesy
import Inspection
import Positioning
import Sync
import Testing
import TimeAndText

@testable import Imports

@Suite("Files of tasks")
struct TaskFileTests {
  private static let ring = "[[11.0,48.0],[11.001,48.0],[11.001,48.001],[11.0,48.0]]"

  private static func feature(
    geometry: String? = #"{"type":"Polygon","coordinates":[\#(ring)]}"#,
    properties: String? = #"{"name":"North"}"#, type: String = #""Feature""#
  ) -> String {
    let members = [
      "\"type\":\(type)", geometry.map { "\"geometry\":\($0)" },
      properties.map { "\"properties\":\($0)" },
    ]
    return "{" + members.compactMap(\.self).joined(separator: ",") + "}"
  }

  private static func orders(_ features: String...) throws(TaskFileError) -> [TaskOrder] {
    try orders(
      text: #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#)
  }

  private static func orders(text: String) throws(TaskFileError) -> [TaskOrder] {
    try TaskFile.orders(fromGeoJSON: Data(text.utf8))
  }

  @Test("a file with every member is read as it stands, in its order")
  func good() throws {
    let orders = try Self.orders(
      Self.feature(
        properties: #"""
          {"identifier":"DE-1","name":"Nördlich","type":"catch-crop","instructions":"Look.\nTwice.",
           "due":"2026-06-30T12:00:00+02:00","inspector":"ada","later":{"x":1}}
          """#),
      Self.feature(geometry: "null", properties: #"{"identifier":"DE-2"}"#),
      Self.feature(geometry: nil, properties: #"{"name":"Third","due":null,"inspector":null}"#))
    #expect(orders.count == 3)
    #expect(orders[0].name == "Nördlich")
    #expect(orders[0].type == "catch-crop")
    #expect(orders[0].instructions == "Look.\nTwice.")
    #expect(orders[0].due?.rfc3339 == "2026-06-30T10:00:00.000Z")
    #expect(orders[0].inspector == "ada")
    #expect(orders[0].parcel?.identifier == "DE-1")
    #expect(orders[1].name == "DE-2")
    #expect(orders[1].parcel == nil)
    #expect(orders[2].due == nil && orders[2].inspector == nil && orders[2].parcel == nil)
  }

  @Test("longitude comes before latitude, and a third number is a height that nobody needs")
  func order() throws {
    let orders = try Self.orders(
      Self.feature(
        geometry: #"{"type":"Polygon","coordinates":[[[11,48,500],[12,48,1],[12,49,0]]]}"#))
    let first = try #require(orders[0].parcel?.rings[0][0])
    #expect(first.latitudeDegrees == 48)
    #expect(first.longitudeDegrees == 11)
  }

  @Test("the closing point is taken away where there is one")
  func closingPoint() throws {
    for ring in ["[[11,48],[12,48],[12,49],[11,48]]", "[[11,48],[12,48],[12,49]]"] {
      let orders = try Self.orders(
        Self.feature(geometry: #"{"type":"Polygon","coordinates":[\#(ring)]}"#))
      #expect(orders[0].parcel?.rings.map(\.count) == [3])
    }
  }

  @Test("holes are kept after the outline")
  func holes() throws {
    let outline = "[[11,48],[11.1,48],[11.1,48.1],[11,48.1],[11,48]]"
    let hole = "[[11.04,48.04],[11.06,48.04],[11.06,48.06],[11.04,48.04]]"
    let orders = try Self.orders(
      Self.feature(geometry: #"{"type":"Polygon","coordinates":[\#(outline),\#(hole)]}"#))
    let parcel = try #require(orders[0].parcel)
    #expect(parcel.rings.map(\.count) == [4, 3])
    let middle = try #require(Coordinate(latitudeDegrees: 48.05, longitudeDegrees: 11.055))
    #expect(try #require(parcel.distanceMetres(to: middle)) > 100)
  }

  @Test("a date alone means its last second, and a time needs its offset")
  func due() throws {
    func due(_ text: String) throws -> String? {
      try Self.orders(Self.feature(properties: #"{"name":"x","due":"\#(text)"}"#))[0].due?.rfc3339
    }
    #expect(try due("2026-06-30") == "2026-06-30T23:59:59.000Z")
    #expect(try due("2024-02-29") == "2024-02-29T23:59:59.000Z")
    #expect(try due("2026-06-30T10:00:00Z") == "2026-06-30T10:00:00.000Z")
    #expect(try due("") == nil)
    for text in [
      "2026-06-31", "2026-02-29", "30.06.2026", "2026-6-3", "tomorrow", "2026-06-30T10:00:00",
      "2026-06-30 10:00", "2026-06-30T25:00:00Z",
    ] {
      #expect(
        throws: TaskFileError(
          feature: 1,
          reason:
            "due \"\(text)\" is neither a date (2026-06-30) nor a time with its offset")
      ) { try due(text) }
    }
  }

  @Test("an empty text is no text: the identifier then names the task")
  func emptyTexts() throws {
    let orders = try Self.orders(
      Self.feature(
        properties:
          #"{"identifier":"DE-1","name":"","type":" ","instructions":"","inspector":""}"#))
    #expect(orders[0].name == "DE-1")
    #expect(orders[0].type == nil)
    #expect(orders[0].instructions == nil)
    #expect(orders[0].inspector == nil)
  }

  @Test("an order names the sets that it asks for, says that it asks for none, or says nothing")
  func sets() throws {
    let orders = try Self.orders(
      Self.feature(properties: #"{"name":"Heap","around":72,"turn":"8"}"#),
      Self.feature(properties: #"{"name":"Heap","around":0}"#),
      Self.feature(properties: #"{"name":"Heap","around":null,"turn":""}"#))
    #expect(try orders[0].sets() == OrderedSets(aroundSectors: 72, turnViews: 8))
    let before = try OrderedSets(aroundSectors: 24, turnViews: 4)
    #expect(try orders[1].sets(inPlaceOf: before) == before.with(.around, nil))
    #expect(try orders[2].sets(inPlaceOf: before) == before)
    let line = "name,around,turn\nHeap,36,\nTree,,12\n"
    let lines = try TaskFile.orders(from: Data(line.utf8), as: .csv)
    #expect(try lines.map { try $0.sets().list.map(\.sectors) } == [[36], [12]])
  }

  @Test(
    "a wrong feature is named by its number, and none of the file is taken",
    arguments: [
      (
        #"{"type":"Polygon","coordinates":[]}"#, #"{"name":"x"}"#,
        "its outline has fewer than three points"
      ),
      (
        #"{"type":"Polygon","coordinates":[[[11,48],[12,48],[11,48]]]}"#, #"{"name":"x"}"#,
        "its outline has fewer than three points"
      ),
      (
        #"{"type":"Polygon","coordinates":[[[11,48],[12,48],[12,49]],[[11,48]]]}"#,
        #"{"name":"x"}"#,
        "a hole of its outline has fewer than three points"
      ),
      (
        #"{"type":"Polygon","coordinates":[[[11,48],[12,91],[12,49]]]}"#, #"{"name":"x"}"#,
        "[12.0, 91.0] is not a longitude and latitude in degrees"
      ),
      (
        #"{"type":"Polygon","coordinates":[[[11,48],[181,48],[12,49]]]}"#, #"{"name":"x"}"#,
        "[181.0, 48.0] is not a longitude and latitude in degrees"
      ),
      (
        #"{"type":"Polygon","coordinates":[[[11],[12,48],[12,49]]]}"#, #"{"name":"x"}"#,
        "[11.0] is not a longitude and latitude in degrees"
      ),
      (
        #"{"type":"MultiPolygon","coordinates":[]}"#, #"{"name":"x"}"#,
        "its geometry is empty"
      ),
      (
        #"{"type":"Point","coordinates":[11,48]}"#, #"{"name":"x"}"#,
        "its geometry is a Point; parcels are Polygons or MultiPolygons"
      ),
      (#"{"type":"Polygon"}"#, #"{"name":"x"}"#, #""geometry.coordinates" is missing"#),
      (#"{}"#, #"{"name":"x"}"#, #""geometry.type" is missing"#),
      (
        #"{"type":"Polygon","coordinates":[[["11",48]]]}"#, #"{"name":"x"}"#,
        #""geometry.coordinates" has the wrong type"#
      ),
      ("[]", #"{"name":"x"}"#, #""geometry" has the wrong type"#),
      ("null", "{}", "it has neither a name nor an identifier"),
      ("null", "null", "it has neither a name nor an identifier"),
      ("null", #"{"name":""}"#, "it has neither a name nor an identifier"),
      ("null", #"{"name":" ","identifier":""}"#, "it has neither a name nor an identifier"),
      ("null", #"{"name":7}"#, #""properties.name" has the wrong type"#),
      ("null", #"{"name":"x","due":20260630}"#, #""properties.due" has the wrong type"#),
      (
        "null", #"{"name":"x","around":3}"#,
        "a walk round a thing has 4 to 120 sectors, not 3"
      ),
      ("null", #"{"name":"x","turn":6}"#, "a turn on the spot has 4, 8 or 12 views, not 6"),
      (
        "null", #"{"name":"x","turn":4.5}"#,
        #""properties.turn" is neither a whole number nor text"#
      ),
      (
        "null", #"{"name":"x","around":"all"}"#,
        #"around "all" is not a whole number: give the number of pictures, or 0 for none"#
      ),
    ] as [(String, String, String)])
  func wrongFeature(geometry: String, properties: String, words: String) {
    let error = TaskFileError(feature: 3, reason: Wording(verbatim: words))
    #expect(throws: error) {
      try Self.orders(
        Self.feature(), Self.feature(),
        Self.feature(geometry: geometry, properties: properties), Self.feature())
    }
    #expect(error.description == "feature 3: \(words)")
  }

  @Test("something else than a feature in the list is named by its number")
  func noFeature() {
    #expect(throws: TaskFileError(feature: 2, reason: "its type is Point, not Feature")) {
      try Self.orders(Self.feature(), Self.feature(type: #""Point""#))
    }
    #expect(throws: TaskFileError(feature: 2, reason: #""type" is missing"#)) {
      try Self.orders(Self.feature(), #"{"properties":{"name":"x"}}"#)
    }
    #expect(throws: TaskFileError(feature: 2, reason: "it is not an object")) {
      try Self.orders(Self.feature(), "5")
    }
  }

  @Test(
    "a file that is no feature collection is refused as a whole",
    arguments: [
      ("", "it is not JSON"), ("{", "the file ends too early"),
      ("kml", "it is not JSON"), ("[]", "it is not an object"), ("{}", #""type" is missing"#),
      (#"{"type":"FeatureCollection"}"#, "without an array \"features\""),
      (#"{"type":"FeatureCollection","features":{}}"#, "without an array \"features\""),
      (#"{"features":[]}"#, #""type" is missing"#),
    ])
  func wrongFile(text: String, words: String) {
    #expect {
      try Self.orders(text: text)
    } throws: { error in
      (error as? TaskFileError)?.words.contains(words) == true
    }
  }

  @Test("another GeoJSON object, and an empty collection, are named")
  func otherObjects() {
    #expect(
      throws: TaskFileError(feature: nil, reason: "its type is Topology, not FeatureCollection")
    ) {
      try Self.orders(text: #"{"type":"Topology","features":[]}"#)
    }
    #expect(throws: TaskFileError(feature: nil, reason: "the feature collection is empty")) {
      try Self.orders()
    }
  }

  @Test("hostile bytes are refused and never trap")
  func hostile() {
    let deep = String(repeating: "[", count: 200_000)
    for text in [
      deep, #"{"type":"FeatureCollection","features":\#(deep)"#, "\u{0}", "\u{feff}",
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"\ud800"}}]}"#,
      #"{"type":"FeatureCollection","features":[1e999]}"#,
    ] {
      #expect(throws: TaskFileError.self) { try Self.orders(text: text) }
    }
    #expect(throws: TaskFileError.self) {
      try TaskFile.orders(fromGeoJSON: Data([0xFF, 0xFE, 0x00, 0x7B]))
    }
  }
}
