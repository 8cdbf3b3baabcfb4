import Foundation
import Geodesy
import Inspection
import Positioning
import Sync
import TestSupport
import Testing
import TimeAndText

@testable import Imports

@Suite("Files of tasks and parcels, in pieces")
struct ImportReaderTests {
  static let ring = "[[11.0,48.0],[11.001,48.0],[11.001,48.001],[11.0,48.0]]"

  /// Returns all rows of a file that is fed in pieces of these sizes, repeated.
  static func rows(
    _ bytes: [UInt8], as format: ImportFormat? = nil, pieces: [Int] = [.max],
    limits: ImportLimits = ImportLimits()
  ) throws -> [ImportReader.Outcome] {
    var reader = ImportReader(format: format, limits: limits)
    var rows: [ImportReader.Outcome] = []
    var rest = bytes[...]
    var turn = 0
    while !rest.isEmpty {
      let piece = Array(rest.prefix(max(1, pieces[turn % pieces.count])))
      rest = rest.dropFirst(piece.count)
      turn += 1
      try piece.withUnsafeBytes { try reader.feed($0) { rows.append($0) } }
    }
    try reader.finish { rows.append($0) }
    return rows
  }

  static func parcels(_ text: String) throws -> [DeclaredParcel] {
    try rows(Array(text.utf8)).map { try $0.get().declaredParcel() }
  }

  /// Returns the faults of a file as a whole, or of its rows.
  static func faults(_ bytes: [UInt8], limits: ImportLimits = ImportLimits()) -> [String] {
    do {
      return try rows(bytes, limits: limits).compactMap { outcome in
        do {
          _ = try outcome.get().declaredParcel()
          return nil
        } catch {
          return "\(error)"
        }
      }
    } catch {
      return ["\(error)"]
    }
  }

  static func collection(_ features: String...) -> String {
    "{\"type\":\"FeatureCollection\",\"features\":[\n" + features.joined(separator: ",\n") + "\n]}"
  }

  static func feature(_ coordinates: String, type: String = "Polygon") -> String {
    #"{"type":"Feature","properties":{"identifier":"P"},"geometry":{"type":"\#(type)","coordinates":\#(coordinates)}}"#
  }

  @Test("wherever a file is cut into pieces, its rows are the same")
  func pieces() throws {
    let json = Self.collection(
      #"{"type":"Feature","id":7,"properties":{"name":"a \"quoted\" ]}, name","x":[{}]},"geometry":{"type":"Polygon","coordinates":[\#(Self.ring)]}}"#,
      #"{"type":"Feature","properties":{"identifier":"P-2"},"geometry":null}"#)
    let csv =
      "\u{FEFF}identifier;instructions;wkt\r\nP-1;\"a; \"\"b\"\"\r\nc\";\"POLYGON((11 48,11.1 48,11 48.1,11 48))\"\r\n\r\nP-2;x;"
    try forEachSeed(0..<40) { seed, generator in
      let sizes = (0..<5).map { _ in Int.random(in: 1...40, using: &generator) }
      for text in [json, csv] {
        let whole = try Self.rows(Array(text.utf8))
        let cut = try Self.rows(Array(text.utf8), pieces: sizes)
        #expect(whole.count == 2)
        for (one, other) in zip(whole, cut) {
          let (one, other) = (try one.get(), try other.get())
          #expect(one.values == other.values, "seed \(seed)")
          #expect(one.rings == other.rings, "seed \(seed)")
          #expect(one.line == other.line, "seed \(seed)")
        }
        #expect(whole.count == cut.count, "seed \(seed)")
      }
    }
  }

  @Test("rows know the line that they begin in, also behind texts of several lines")
  func lines() throws {
    let csv = "identifier,instructions\na,\"one\ntwo\r\nthree\"\nb,x\n\nc,y\n"
    let rows = try Self.rows(Array(csv.utf8)).map { try $0.get() }
    #expect(rows.map(\.line) == [2, 5, 7])
    #expect(rows.map(\.number) == [1, 2, 3])
    let json = Self.collection(Self.feature("[\n\(Self.ring)\n]"), Self.feature("[\(Self.ring)]"))
    #expect(try Self.rows(Array(json.utf8)).map { try $0.get().line } == [2, 5])
  }

  @Test("a feature on each line, and a text sequence, are read like a collection")
  func sequences() throws {
    let feature = Self.feature("[\(Self.ring)]")
    for text in [
      "\(feature)\n\(feature)\n", "\u{1E}\(feature)\n\u{1E}\(feature)\n",
      Self.collection(feature, feature),
      #"{"features":[\#(feature),\#(feature)],"type":"FeatureCollection"}"#,
    ] {
      #expect(try Self.parcels(text).count == 2)
    }
  }

  @Test("fiboa's properties are understood")
  func fiboa() throws {
    let parcel = try #require(
      try Self.parcels(
        Self.collection(
          #"{"type":"Feature","id":"f-1","properties":{"fiboa_version":"0.2.0","area":2.5,"perimeter":640.1,"category":["conventional","arable"],"determination_datetime":"2024-05-01T00:00:00Z","crop:code":110,"crop:name":"winter wheat"},"geometry":{"type":"MultiPolygon","coordinates":[[\#(Self.ring)],[[[11.01,48],[11.02,48],[11.02,48.01],[11.01,48]]]]}}"#
        )
      ).first)
    #expect(parcel.parcel.identifier == "f-1")
    #expect(parcel.crop == "winter wheat")
    #expect(parcel.type == "conventional, arable")
    #expect(parcel.declaredAreaSquareMetres == 25_000)
    #expect(parcel.determined?.rfc3339 == "2024-05-01T00:00:00.000Z")
    #expect(parcel.parcel.parts.count == 2)
  }

  @Test("WKT and GeoJSON give the same land, holes and parts with it")
  func formats() throws {
    let json = Self.collection(
      Self.feature(
        "[[[[11,48],[11.1,48],[11.1,48.1],[11,48.1],[11,48]],[[11.04,48.04],[11.06,48.04],[11.06,48.06],[11.04,48.04]]],[[[12,48],[12.1,48],[12.1,48.1],[12,48]]]]",
        type: "MultiPolygon"))
    let csv =
      "identifier\twkt\nP\tSRID=4326;MultiPolygon Z (((11 48 5,11.1 48 5,11.1 48.1 5,11 48.1 5,11 48 5),(11.04 48.04 5,11.06 48.04 5,11.06 48.06 5,11.04 48.04 5)),((12 48 5,12.1 48 5,12.1 48.1 5,12 48 5)))\n"
    #expect(try Self.parcels(json) == Self.parcels(csv))
    #expect(try Self.parcels(csv)[0].parcel.rings.map(\.count) == [4, 3, 3])
  }

  @Test("a parcel on both sides of the antimeridian is taken in two parts")
  func antimeridian() throws {
    let parcels = try Self.parcels(
      Self.collection(
        Self.feature(
          "[[[[179.9,-17],[180,-17],[180,-16.9],[179.9,-17]]],[[[-180,-17],[-179.9,-17],[-180,-16.9],[-180,-17]]]]",
          type: "MultiPolygon")))
    let area = try #require(parcels.first?.parcel.areaSquareMetres)
    #expect((1e8...1.3e8).contains(area))
  }

  @Test(
    "an outline that is none is refused in words that say what to do",
    arguments: [
      ("[[[0,0],[2,2],[2,0],[0,2],[0,0]]]", "Polygon", "crosses itself near [1.000000, 1.000000]"),
      ("[[[0,0],[1,1],[2,0],[2,2],[1,1],[0,2]]]", "Polygon", "touches or crosses itself"),
      ("[[[0,0],[2,0],[2,3],[2,1],[0,1]]]", "Polygon", "goes back on itself"),
      ("[[[179,0],[-179,0],[-179,1],[179,1]]]", "Polygon", "-wrapdateline"),
      ("[[[0,0],[1,0],[1,1]],[[5,5],[6,5],[6,6]]]", "Polygon", "is not inside its outline"),
      (
        "[[[[0,0],[9,0],[9,9],[0,9]]],[[[1,1],[2,1],[2,2]]]]", "MultiPolygon",
        "is inside another part"
      ),
      (
        "[[[[0,0],[9,0],[9,9],[0,9]]],[[[0,0],[9,0],[9,9],[0,9]]]]", "MultiPolygon",
        "is inside another part"
      ),
      (
        "[[[[0,0],[2,0],[2,2],[0,2]]],[[[1,0],[3,0],[3,2],[1,2]]]]", "MultiPolygon",
        "share an edge"
      ),
      (
        "[[[[0,0],[2,0],[2,2],[0,2]]],[[[2,0],[3,0],[3,2],[2,2]]]]", "MultiPolygon",
        "share an edge"
      ),
      (
        "[[[[0,0],[1,0],[2,0],[2,1],[2,2],[0,2]]],[[[0,-1],[3,2],[3,-1]]]]", "MultiPolygon",
        "crosses itself"
      ),
      (
        "[[[[0,0],[9,0],[9,9],[0,9]]],[[[0,0],[4,1],[1,4]]]]", "MultiPolygon",
        "is inside another part"
      ),
      ("[[[0,0],[9,0],[9,9],[0,9]],[[8,8],[10,8],[10,10],[8,10]]]", "Polygon", "crosses itself"),
      ("[[[0,0],[9,0],[9,9],[0,9]],[[0,3],[2,3],[2,5],[0,5]]]", "Polygon", "share an edge"),
      ("[[[0,0],[9,0],[9,9],[0,9]],[[9,4],[11,3],[11,5]]]", "Polygon", "is not inside"),
      (
        "[[[0,0],[9,0],[9,9],[0,9]],[[1,1],[4,1],[4,4],[1,4]],[[3,3],[6,3],[6,6],[3,6]]]",
        "Polygon",
        "crosses itself"
      ),
      (
        "[[[0,0],[9,0],[9,9],[0,9]],[[1,1],[4,1],[4,4],[1,4]],[[2,2],[3,2],[3,3],[2,3]]]",
        "Polygon",
        "is inside another hole"
      ),
      ("[[[3468000,5540000],[3468100,5540000],[3468000,5540100]]]", "Polygon", "EPSG:4326"),
      ("[]", "MultiPolygon", "its geometry is empty"),
      ("[[]]", "MultiPolygon", "fewer than three points"),
      ("[[[0,0],[1,0],[1,0],[0,0]]]", "Polygon", "fewer than three points"),
      ("{}", "Polygon", "has the wrong type"),
    ])
  func outlines(coordinates: String, type: String, words: String) {
    let faults = Self.faults(Array(Self.collection(Self.feature(coordinates, type: type)).utf8))
    #expect(faults.count == 1)
    #expect(faults.first?.contains(words) == true, "\(faults)")
    #expect(faults.first?.hasPrefix("line 2, feature 1: ") == true, "\(faults)")
  }

  @Test("parts and holes that meet in single points are taken, and no land is counted twice")
  func touchingParts() throws {
    for (coordinates, squares) in [
      ("[[[[0,0],[1,0],[1,1],[0,1]]],[[[1,1],[2,1],[2,2],[1,2]]]]", [(0.0, 1.0), (1, 1)]),
      ("[[[[0,0],[3,0],[3,3],[0,3]],[[1,1],[2,1],[2,2],[1,2]]]]", [(0, 3), (1, -1)]),
      // An island in the lake of a part, which touches the lake's shore.
      (
        "[[[[0,0],[6,0],[6,6],[0,6]],[[1,1],[5,1],[5,5],[1,5]]],[[[1,1],[2,1],[2,2],[1,2]]]]", []
      ),
    ] as [(String, [(Double, Double)])] {
      let faults = Self.faults(
        Array(Self.collection(Self.feature(coordinates, type: "MultiPolygon")).utf8))
      // A corner and two edges of the island lie on the lake's outline: they run along each other.
      if squares.isEmpty {
        #expect(faults.first?.contains("share an edge") == true, "\(faults)")
        continue
      }
      #expect(faults == [], "\(coordinates)")
      let parcel = try #require(
        try Self.parcels(Self.collection(Self.feature(coordinates, type: "MultiPolygon"))).first)
      let expected = try squares.reduce(0.0) { sum, square in
        let (from, side) = square
        let size = abs(side)
        let corners = [
          (from, from), (from + size, from), (from + size, from + size), (from, from + size),
        ]
        let ring = try corners.map {
          try #require(Coordinate(latitudeDegrees: $0.1, longitudeDegrees: $0.0))
        }
        return sum + (side < 0 ? -1 : 1) * Geodesic.polygon(ring).areaSquareMetres
      }
      #expect(abs(parcel.parcel.areaSquareMetres - expected) < 1)
    }
  }

  @Test(
    "large outlines whose parts lie side by side are checked in the time that it takes to read them"
  )
  func largeParts() throws {
    // Two combs of 10,000 corners reach into each other without contact; then the teeth of one cut
    // through the other.
    func comb(_ shift: Double, _ from: Double, _ to: Double) -> String {
      var corners: [String] = []
      for tooth in 0..<2_500 {
        let west = Double(tooth) * 4 + shift
        corners += [
          "[\((west) / 1000),\(from)]", "[\((west) / 1000),\(to)]",
          "[\((west + 1) / 1000),\(to)]", "[\((west + 1) / 1000),\(from)]",
        ]
      }
      let back = from < to ? from - 0.1 : from + 0.1
      return "[[" + corners.joined(separator: ",") + ",[10,\(back)],[-0.01,\(back)]]]"
    }
    let began = ContinuousClock.now
    let apart = "[\(comb(0, 0, 1)),\(comb(2, 1.1, 0.1))]"
    #expect(
      Self.faults(Array(Self.collection(Self.feature(apart, type: "MultiPolygon")).utf8)) == [])
    let crossed = "[\(comb(0, 0, 1)),\(comb(2, 1.1, -0.05))]"
    let faults = Self.faults(
      Array(Self.collection(Self.feature(crossed, type: "MultiPolygon")).utf8))
    #expect(faults.first?.contains("crosses itself") == true, "\(faults)")
    // A check of every pair of edges would take a hundred million turns.
    #expect(ContinuousClock.now - began < .seconds(30))
  }

  @Test(
    "hostile and foreign files are refused with what to do, and nothing is unpacked",
    arguments: [
      (Array("PK\u{3}\u{4}\u{14}".utf8), "unpack it"), ([0x1F, 0x8B, 8, 0], "gunzip"),
      (Array("SQLite format 3\0".utf8), "ogr2ogr"), ([0xFF, 0xFE, 0x69, 0], "UTF-16"),
      ([0, 0, 0x27, 0x0A], "shapefile"), (Array("<kml>".utf8), "ogr2ogr"),
      ([], "the file is empty"), (Array("identifier,wkt\n".utf8), "no rows"),
      (Array("one,two\n1,2\n".utf8), "no column identifier"),
      (Array("name,name\n1,2\n".utf8), "appears 2 times"),
      (Array("identifier\n\"never closed\n".utf8), "never closed"),
      (Array("identifier,name\na,b,c\n".utf8), "3 fields"),
      (Array("identifier,name\n\"a\"b,c\n".utf8), "write a quote in a text twice"),
      (Array("identifier,name\na\0,b\n".utf8), "a byte 0"),
      (Array("identifier,name\nP,M".utf8) + [0xFC] + Array("ller\n".utf8), "byte 2 of it is 0xFC"),
      (Array(#"{"type":"FeatureCollection","features":[{}"#.utf8), "incomplete"),
      (
        Array(#"{"type":"FeatureCollection","features":[{},,{}]}"#.utf8),
        "is not allowed here in JSON"
      ),
      (Array(#"{"type":"FeatureCollection","features":[{}]} x"#.utf8), "something follows"),
      (Array(#"{"type":"FeatureCollection","features":[}]}"#.utf8), "is not allowed here in JSON"),
      (
        Array(
          #"{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::5514"}},"features":[5]}"#
            .utf8), "EPSG::5514"
      ),
      (Array(String(repeating: "[", count: 100_000).utf8), "nested"),
    ] as [([UInt8], String)])
  func foreign(bytes: [UInt8], words: String) {
    let faults = Self.faults(bytes)
    #expect(faults.contains { $0.contains(words) }, "\(faults)")
  }

  @Test("hostile texts are taken as they are, or refused with words")
  func texts() throws {
    func parcels(name: String) throws -> [DeclaredParcel] {
      let quoted = name.replacing("\"", with: "\"\"")
      return try Self.parcels("identifier,name,wkt\nP,\"\(quoted)\",\"POLYGON((0 0,1 0,0 1))\"\n")
    }
    for name in ["<script>alert(1)</script>\"'&", "'; DROP TABLE parcel; --", "../../etc", "=1+1"] {
      #expect(try parcels(name: name).first?.name == name)
    }
    for (name, words) in [
      ("a\u{202E}b", "U+202E"), ("a\u{7}b", "U+0007"), ("a\nb", "U+000A"),
      (String(repeating: "x", count: 10 << 20), "10485760 bytes"),
    ] {
      #expect {
        try parcels(name: name)
      } throws: { error in
        "\(error)".contains(words) && "\(error)".utf8.count < 300
      }
    }
  }

  @Test("a row that is too large is refused, and those behind it are read")
  func tooLarge() throws {
    var limits = ImportLimits()
    limits.rowBytes = 1000
    let long = String(repeating: "x", count: 2000)
    let json = Self.collection(
      #"{"type":"Feature","properties":{"name":"\#(long)"}}"#, Self.feature("[\(Self.ring)]"))
    let csv = "identifier,wkt\n\(long),x\nP,\"POLYGON((0 0,1 0,0 1))\"\n"
    for text in [json, csv] {
      let rows = try Self.rows(Array(text.utf8), limits: limits)
      #expect(rows.count == 2)
      #expect((try? rows[0].get()) == nil)
      #expect((try? rows[1].get().declaredParcel()) != nil)
    }
  }

  @Test("mutated files and random bytes never trap")
  func fuzz() {
    let seeds = [
      Self.collection(
        Self.feature("[\(Self.ring)]"), Self.feature("[[\(Self.ring)]]", type: "MultiPolygon")),
      "identifier,name,due,area,wkt\nP,\"a \"\"b\"\"\",2026-01-01,2.5,\"POLYGON((0 0,1 0,0 1))\"\nQ,,,,\n",
      "\(Self.feature("[\(Self.ring)]"))\n\(Self.feature("[\(Self.ring)]"))",
    ].map { Array($0.utf8) }
    forEachSeed(0..<1500) { seed, generator in
      var bytes = seeds[Int(seed) % seeds.count]
      if seed % 10 == 0 {
        bytes = (0..<300).map { _ in .random(in: 0...255, using: &generator) }
      }
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = .random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        case 2:
          bytes.insert(
            Array("[]{},\"\\(;\n-e9".utf8).randomElement(using: &generator) ?? 0, at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + 9))
        }
        if bytes.isEmpty { bytes = [0x7B] }
      }
      let faults = Self.faults(bytes)
      #expect(faults.allSatisfy { !$0.isEmpty && $0.utf8.count < 1500 }, "seed \(seed)")
      if let rows = try? Self.rows(bytes) {
        for row in rows { _ = try? row.get().order() }
      }
    }
  }

  @Test("20,000 parcels pass through, one at a time")
  func many() throws {
    var reader = ImportReader()
    var count = 0
    func feed(_ text: String) throws {
      try Array(text.utf8).withUnsafeBytes { bytes in
        try reader.feed(bytes) { outcome in
          _ = try outcome.get().declaredParcel()
          count += 1
        }
      }
    }
    try feed("{\"type\":\"FeatureCollection\",\"features\":[\n")
    for number in 0..<20_000 {
      let west = 10 + Double(number % 200) / 100
      let south = 48 + Double(number / 200) / 100
      try feed(
        (number == 0 ? "" : ",\n")
          + #"{"type":"Feature","id":"P-\#(number)","properties":{},"geometry":{"type":"Polygon","coordinates":[[[\#(west),\#(south)],[\#(west + 0.005),\#(south)],[\#(west),\#(south + 0.005)],[\#(west),\#(south)]]]}}"#
      )
    }
    try feed("\n]}")
    try reader.finish { _ in count += 1 }
    #expect(count == 20_000)
  }
}
