import Geodesy
import Inspection
import Positioning
import Sync
import TestSupport
import Testing
import TimeAndText

@Suite("Messages of photo points")
struct PhotoPointMessageTests {
  private let now = DeviceTime(millisecondsSince1970: 1_780_000_000_000)

  private func point() throws -> PhotoPoint {
    var random = SeededGenerator(seed: 6)
    var attitude = Orientation(
      azimuthDegreesTrue: 12.5, elevationDegrees: 3, rollDegrees: -1, source: .deviceSensors,
      screenDegrees: 270)
    attitude.quaternion = Quaternion(w: 0.5, x: 0.5, y: -0.5, z: 0.5)
    attitude.azimuthAccuracyDegrees = 5
    func picture() -> PhotoPoint.Picture {
      PhotoPoint.Picture(
        photo: Identifier(at: now, using: &random), digest: String(repeating: "0a", count: 32))
    }
    var point = PhotoPoint(
      id: Identifier(at: now, using: &random), agency: "north", reference: picture(), taken: now,
      widthPixels: 4000, heightPixels: 3000,
      stand: RepeatMeasure.Stand(
        coordinate: try #require(Coordinate(latitudeDegrees: -17, longitudeDegrees: 180)),
        uncertaintyMetres95: 1.5, orientation: attitude), pose: .estimated,
      camera: .assumed(widthPixels: 4000, heightPixels: 3000), maker: "otto", made: now)
    point.code = PhotoPointCode(using: &random)
    point.name = "Živý plot"
    point.parcel = "P-1"
    point.footing = picture()
    point.subject = Coordinate(latitudeDegrees: 90, longitudeDegrees: 0)
    return point
  }

  @Test("a list is read back as it was written")
  func roundTrip() throws {
    let point = try point()
    let bytes = try WireJSON.bytes(PhotoPointListMessage(points: [point]))
    #expect(try PhotoPointListMessage.contents(bytes, in: "north").points == [point])
    var bare = point
    (bare.code, bare.name, bare.parcel, bare.footing, bare.subject) = (nil, nil, nil, nil, nil)
    bare.stand.orientation = nil
    bare.stand.uncertaintyMetres95 = nil
    let short = try WireJSON.bytes(PhotoPointListMessage(points: [bare]))
    #expect(try PhotoPointListMessage.contents(short, in: "north").points == [bare])
  }

  @Test("one value that is not valid refuses the whole list")
  func hostile() throws {
    let good = PhotoPointMessage(try point())
    let changes: [(inout PhotoPointMessage) -> Void] = [
      { $0.id = "../../etc" }, { $0.code = "00000000" },
      { $0.name = String(repeating: "a", count: 101) }, { $0.reference.photo = "x" },
      { $0.reference.digest = "0A" }, { $0.reference.digest = String(repeating: "g", count: 64) },
      { $0.taken = "yesterday" }, { $0.widthPixels = 0 }, { $0.heightPixels = 1 << 20 },
      { $0.place.latitudeDegrees = 91 }, { $0.uncertaintyMetres95 = -1 },
      { $0.attitude?.quaternion = [0, 0, 0, 0] }, { $0.attitude?.quaternion = [1, 0, 0] },
      { $0.attitude?.quaternion = [1, 1, 1, 1] }, { $0.attitude?.screenDegrees = 45 },
      { $0.attitude?.azimuthDegreesTrue = 1e9 }, { $0.attitude?.source = "guessed" },
      { $0.horizontalDegrees = 0 }, { $0.verticalDegrees = 180 }, { $0.viewSource = "none" },
      { $0.pose = "none" }, { $0.footing?.digest = "" }, { $0.subject?.longitudeDegrees = 181 },
      { $0.made = "" },
    ]
    for (number, change) in changes.enumerated() {
      var message = good
      change(&message)
      #expect(message != good, "\(number)")
      var list = PhotoPointListMessage()
      list.points = [message]
      let bytes = try WireJSON.bytes(list)
      #expect(throws: SyncError.self, "\(number)") {
        _ = try PhotoPointListMessage.contents(bytes, in: "north")
      }
    }
    var twice = PhotoPointListMessage()
    twice.points = [good, good]
    let bytes = try WireJSON.bytes(twice)
    #expect(throws: SyncError.self) { _ = try PhotoPointListMessage.contents(bytes, in: "north") }
    var other = PhotoPointListMessage()
    other.schema = "standpoint.photo-points/2"
    let newer = try WireJSON.bytes(other)
    #expect(throws: SyncError.self) { _ = try PhotoPointListMessage.contents(newer, in: "north") }
    for text in [
      "", "{}", "[]", "null",
      "{\"points\":[{}],\"isCut\":false,\"schema\":\"standpoint.photo-points/1\"}",
    ] {
      #expect(throws: SyncError.self) {
        _ = try PhotoPointListMessage.contents(Array(text.utf8), in: "north")
      }
    }
  }
}
