import Foundation
import Geodesy
import Inspection
import ItemViewing
import Positioning
import Testing
import TimeAndText
import Web

@testable import FieldPages
@testable import FieldUnit

@Suite("Which tasks are listed, and in which order")
struct TaskOrderingTests {
  private static let day: Int64 = 86_400_000

  private static func row(
    _ name: String, _ state: TaskState = .open, due: Int64? = nil, created: Int64 = 0,
    parcel: Parcel? = nil, from here: Coordinate? = nil
  ) -> TaskOrdering.Row {
    let task = InspectionTask(
      id: Identifier(at: DeviceTime(millisecondsSince1970: created)), agency: "north",
      inspector: "ines", name: name, state: state,
      created: DeviceTime(millisecondsSince1970: created),
      due: due.map { DeviceTime(millisecondsSince1970: $0 * day) }, parcel: parcel)
    return TaskOrdering.Row(task: task, way: ParcelWay(to: parcel, from: here))
  }

  /// Returns a square of about 200 m, some kilometres north of 49° N.
  private static func parcel(_ kilometres: Double) throws -> Parcel {
    let south = 49 + kilometres / 111.2
    let corners = try [(0.0, 0.0), (0.003, 0), (0.003, 0.002), (0, 0.002)].map {
      try #require(
        Coordinate(latitudeDegrees: south + $0.1, longitudeDegrees: 16 + $0.0))
    }
    return try #require(Parcel(identifier: "P-\(Int(kilometres))", rings: [corners]))
  }

  private static func names(_ query: [String: String], _ rows: [TaskOrdering.Row]) -> [String] {
    TaskOrdering(query).rows(rows).map(\.task.name)
  }

  private static let rows = [
    row("Oats", .accepted, due: 1), row("élan", .new, due: 9, created: 1), row("Beet", .returned),
    row("Maize", .open, due: 3), row("zebra", .dataProvided, due: 2),
    row("Éclair", .new, created: 5),
  ]

  @Test("what is to be done comes first, the most urgent on top, what has no date last")
  func urgency() {
    #expect(
      Self.names([:], Self.rows) == ["Maize", "élan", "Éclair", "Beet", "Oats", "zebra"])
    #expect(
      Self.names(["reverse": "yes"], Self.rows) == [
        "zebra", "Oats", "Beet", "Éclair", "élan", "Maize",
      ])
  }

  @Test(
    "next come the nearest task, the most urgent, the second nearest; by urgency without places")
  func next() throws {
    let here = try #require(Coordinate(latitudeDegrees: 49, longitudeDegrees: 16))
    func rows(from here: Coordinate?) throws -> [TaskOrdering.Row] {
      [
        Self.row("far", due: 1, parcel: try Self.parcel(9), from: here),
        Self.row("near", due: 8, parcel: try Self.parcel(1), from: here),
        Self.row("done", .accepted, due: 0, parcel: try Self.parcel(0), from: here),
        Self.row("second", due: 9, parcel: try Self.parcel(2), from: here),
        Self.row("nowhere", due: 2),
      ]
    }
    #expect(NextTasks.choose(try rows(from: here)).map(\.task.name) == ["near", "far", "second"])
    #expect(NextTasks.choose(try rows(from: nil)).map(\.task.name) == ["far", "nowhere", "near"])
    #expect(NextTasks.choose([]).isEmpty)
    let one = Self.row("one", parcel: try Self.parcel(1), from: here)
    #expect(NextTasks.choose([one]) == [one], "it is not offered twice")
  }

  @Test("by date, name and state, either way round; what lacks a date comes last either way")
  func keys() {
    #expect(Self.names(["sort": "due"], Self.rows).prefix(4) == ["Oats", "zebra", "Maize", "élan"])
    #expect(
      Self.names(["sort": "due", "reverse": "yes"], Self.rows)
        == ["élan", "Maize", "zebra", "Oats", "Éclair", "Beet"])
    #expect(
      Self.names(["sort": "name"], Self.rows)
        == ["Beet", "Éclair", "élan", "Maize", "Oats", "zebra"])
    #expect(
      Self.names(["sort": "state"], Self.rows)
        == ["élan", "Éclair", "Maize", "Beet", "zebra", "Oats"])
  }

  @Test("by state, by all that is to be done, and by words of the name or the parcel")
  func filters() throws {
    #expect(Self.names(["state": "new"], Self.rows) == ["élan", "Éclair"])
    #expect(Self.names(["state": "todo"], Self.rows).count == 4)
    #expect(Self.names(["text": " AI "], Self.rows) == ["Maize", "Éclair"])
    #expect(Self.names(["text": "p-7"], [Self.row("x", parcel: try Self.parcel(7))]) == ["x"])
    // Unknown values count as not given.
    #expect(Self.names(["state": "<b>", "sort": "'", "reverse": "1"], Self.rows).count == 6)
    let asked = TaskOrdering(["text": "a", "state": "todo", "sort": "name", "reverse": "yes"])
    #expect(
      TaskOrdering(Dictionary(uniqueKeysWithValues: asked.fields.map { ($0.name, $0.value) }))
        == asked)
    #expect(TaskOrdering([:]).fields.isEmpty)
  }

  @Test("the nearest parcel comes first; inside it is 0 m; what has no way comes last")
  func distance() throws {
    let here = try #require(Coordinate(latitudeDegrees: 49.001, longitudeDegrees: 16.001))
    let rows = [
      Self.row("far", parcel: try Self.parcel(7), from: here), Self.row("none"),
      Self.row("inside", parcel: try Self.parcel(0), from: here),
      Self.row("near", parcel: try Self.parcel(1), from: here),
    ]
    #expect(Self.names(["sort": "distance"], rows) == ["inside", "near", "far", "none"])
    #expect(
      Self.names(["sort": "distance", "reverse": "yes"], rows) == ["far", "near", "inside", "none"])
    #expect(rows[2].way?.distanceMetres == 0 && rows[2].way?.text == nil)
    let near = try #require(rows[3].way)
    #expect(abs(near.distanceMetres - 889) < 5, "\(near.distanceMetres)")
    #expect(near.text?.hasSuffix(" m, 0°") == true, "\(near.text ?? "")")
    #expect(rows[0].way?.text?.hasPrefix("6.9 km, ") == true, "\(rows[0].way?.text ?? "")")
    #expect(ParcelWay(to: try Self.parcel(1), from: nil) == nil)
  }

  @Test("the sketch shows where one stands only while that is known and near")
  func sketch() throws {
    let parcel = try Self.parcel(0)
    let sketch = try #require(ParcelSketch(parcel, []))
    let here = try #require(Coordinate(latitudeDegrees: 49.001, longitudeDegrees: 16.001))
    let far = try #require(Coordinate(latitudeDegrees: -49, longitudeDegrees: -179))
    #expect(sketch.svg(here: here, .english).text.contains("class=\"own\""))
    #expect(!sketch.svg(here: nil, .english).text.contains("class=\"own\""))
    #expect(!sketch.svg(here: far, .english).text.contains("class=\"own\""))
    #expect(ParcelSketch(nil, []) == nil)
  }
}
