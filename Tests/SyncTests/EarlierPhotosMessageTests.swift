import Geodesy
import Inspection
import TestSupport
import Testing
import TimeAndText

@testable import Sync

@Suite("The earlier photos around tasks, as they travel")
struct EarlierPhotosMessageTests {
  private static let id = "019f81d8-1e3b-7814-8996-eb3362c9895a"

  private func message() throws -> EarlierPhotosMessage {
    let place = try #require(Coordinate(latitudeDegrees: 49.08, longitudeDegrees: 16.63))
    let grid = MapGrid(level: EarlierPhotoRule.gridLevel)
    let box = try #require(grid.box(of: grid.cell(of: place)))
    let taken = try #require(DeviceTime(rfc3339: "2019-07-01T10:00:00.000Z"))
    let shown = EarlierPhotosMessage.Shown(
      id: try #require(Identifier(Self.id)), at: place, taken: taken)
    return EarlierPhotosMessage(
      clusters: [.init(at: place, count: 1, zoom: 17, box: box, photos: [shown])])
  }

  @Test("a message reads back as it was written, with the id of an only photo")
  func whole() throws {
    let message = try message()
    #expect(message.clusters[0].id == Self.id)
    #expect(try EarlierPhotosMessage.read(WireJSON.bytes(message)) == message)
  }

  @Test("one value that is not valid, and nothing of the message is used")
  func invalid() throws {
    let changes: [(inout EarlierPhotosMessage) -> Void] = [
      { $0.schema = "standpoint.earlier-photos/2" }, { $0.clusters[0].at = [16.6] },
      { $0.clusters[0].at = [16.6, 91] }, { $0.clusters[0].count = 0 },
      { $0.clusters[0].count = .max }, { $0.clusters[0].zoom = -1 },
      { $0.clusters[0].box = [1, 2, 3] }, { $0.clusters[0].box = [1, 2, 3, 1] },
      { $0.clusters[0].id = "019f81d8-1e3b-7814-8996-000000000000" },
      { $0.clusters[0].count = 2 }, { $0.clusters[0].photos[0].id = "../../etc/passwd" },
      { $0.clusters[0].photos[0].taken = "yesterday" },
      { $0.clusters[0].photos[0].at = [200, 0] },
      { $0.clusters.append($0.clusters[0]) },
      { $0.clusters[0].photos.append($0.clusters[0].photos[0]) },
      {
        $0.clusters = Array(
          repeating: $0.clusters[0], count: EarlierPhotoRule.clustersAtMost + 1)
      },
    ]
    for (number, change) in changes.enumerated() {
      var message = try message()
      change(&message)
      let bytes = try WireJSON.bytes(message)
      #expect(throws: SyncError.self, "change \(number)") {
        _ = try EarlierPhotosMessage.read(bytes)
      }
    }
    for text in ["", "{}", "[]", "{\"schema\":\"standpoint.earlier-photos/1\"}"] {
      #expect(throws: SyncError.self) { _ = try EarlierPhotosMessage.read(Array(text.utf8)) }
    }
  }

  @Test("hostile bytes end in a refusal and never in a trap")
  func hostile() throws {
    let whole = try WireJSON.bytes(try message())
    forEachSeed(0..<300) { _, random in
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      _ = try? EarlierPhotosMessage.read(bytes)
    }
  }

  @Test("every year is seen before a year is seen twice, and the newest comes first")
  func shown() throws {
    func taken(_ year: Int, _ day: Int) throws -> DeviceTime {
      try #require(DeviceTime(rfc3339: "\(year)-06-\(10 + day)T10:00:00.000Z"))
    }
    var photos: [DeviceTime] = []
    for day in 0..<20 { photos.append(try taken(2026, day)) }
    for year in 2015...2020 { photos.append(try taken(year, 1)) }
    let shown = EarlierPhotoRule.shown(of: photos, taken: \.self)
    #expect(shown.map(\.year) == [2026, 2026, 2020, 2019, 2018, 2017, 2016, 2015])
    #expect(try shown[0] == taken(2026, 19) && shown[1] == taken(2026, 18))
    #expect(EarlierPhotoRule.shown(of: [DeviceTime](), taken: \.self).isEmpty)
  }
}
