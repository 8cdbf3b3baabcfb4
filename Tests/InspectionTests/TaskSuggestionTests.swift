import Geodesy
import Positioning
import Testing
import TimeAndText

@testable import Inspection

@Suite("The task that a photo was probably taken for")
struct TaskSuggestionTests {
  private static let now = DeviceTime(millisecondsSince1970: 1_790_000_000_000)

  private func task(
    _ name: String, west: Double, of inspector: String = "ines", _ seed: Int64 = 0
  ) throws -> InspectionTask {
    let ring = try [(0.0, 0.0), (0.002, 0.0), (0.002, 0.001), (0.0, 0.001)].map {
      try #require(Coordinate(latitudeDegrees: 49 + $0.1, longitudeDegrees: west + $0.0))
    }
    return InspectionTask(
      id: Identifier(at: Self.now.advanced(bySeconds: Double(seed))), agency: "north",
      inspector: inspector, name: name, created: Self.now,
      parcel: Parcel(identifier: name, rings: [ring]))
  }

  private func photo(_ longitude: Double, of inspector: String = "ines") throws -> Photo {
    Photo(
      id: Identifier(at: Self.now), agency: "north", inspector: inspector, task: nil,
      origin: .camera, gnssTime: Self.now.gnssTime, deviceTime: Self.now,
      position: PhotoPosition(
        kept: try #require(Coordinate(latitudeDegrees: 49.0005, longitudeDegrees: longitude)),
        ellipsoidalHeightMetres: nil, meanSeaLevelHeightMetres: nil, uncertaintyMetres95: 2,
        method: .fix), standpoint: nil, orientation: nil,
      camera: .assumed(widthPixels: 4, heightPixels: 3),
      fileDigest: String(repeating: "0", count: 64), bytes: 1, widthPixels: 4, heightPixels: 3,
      isSimulated: false)
  }

  @Test("the parcel around the photo comes first, then the nearest, and none beyond a kilometre")
  func nearest() throws {
    let tasks = [try task("near", west: 16.003), try task("around", west: 16)]
    let inside = try #require(TaskSuggestion(for: try photo(16.001), among: tasks))
    #expect(inside.task.name == "around" && inside.distanceMetres == 0)
    let between = try #require(TaskSuggestion(for: try photo(16.0029), among: tasks))
    #expect(between.task.name == "near" && between.distanceMetres < 10)
    // 0.02 degrees of longitude are 1.46 km here.
    #expect(TaskSuggestion(for: try photo(16.025), among: tasks) == nil)
    #expect(TaskSuggestion(for: try photo(16.001), among: []) == nil)
  }

  @Test("another inspector's task and a decided one are not suggested")
  func others() throws {
    var decided = try task("decided", west: 16)
    decided.state = .accepted
    let foreign = try task("foreign", west: 16, of: "igor")
    #expect(TaskSuggestion(for: try photo(16.001), among: [decided, foreign]) == nil)
    #expect(TaskSuggestion(for: try photo(16.001, of: "igor"), among: [decided, foreign]) != nil)
  }

  @Test("of two parcels over each other the older task is suggested, in any order")
  func ties() throws {
    let (older, younger) = (try task("older", west: 16, 0), try task("younger", west: 16, 60))
    for tasks in [[older, younger], [younger, older]] {
      #expect(TaskSuggestion(for: try photo(16.001), among: tasks)?.task.name == "older")
    }
  }
}
