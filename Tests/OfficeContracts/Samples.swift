import Evidence
import Geodesy
import Inspection
import Office
import Positioning
import Store
import Sync
import TestSupport
import Testing
import TimeAndText

/// The values that the contract suites put into a database, made from a seed.
struct Samples {
  /// The moment at which every test begins.
  static let now = DeviceTime(millisecondsSince1970: 1_780_000_000_000)

  /// The people of both agencies; a login is unique in the whole office.
  static let people = [
    Account(login: "ines", agency: "north", role: .inspector, name: "Ines North"),
    Account(login: "ivan", agency: "north", role: .inspector),
    Account(login: "otto", agency: "north", role: .officer),
    Account(login: "sara", agency: "south", role: .inspector),
  ]

  /// The ways to ask for pages of things without a task: hidden ones or not, of one inspector or of
  /// all.
  static let shelves: [(isHidden: Bool, inspector: String?)] = [
    (false, nil), (true, nil), (false, "ines"), (true, "ivan"), (true, "otto"),
  ]

  private var random: SeededGenerator

  init(seed: UInt64 = 1) { random = SeededGenerator(seed: seed) }

  /// Returns the moment some seconds after `now`.
  static func time(_ seconds: Double) -> DeviceTime { now.advanced(bySeconds: seconds) }

  /// Returns a SHA-256 that belongs to a word.
  static func digest(_ word: String) -> String { Digest.hexadecimal(Array(word.utf8)) }

  /// Makes an identifier. Identifiers of one moment have no order but that of their random part.
  mutating func id(after seconds: Double = 0) -> Identifier {
    Identifier(at: Self.time(seconds), using: &random)
  }

  mutating func task(
    _ name: String = "Field", of inspector: String = "ines", type: String? = nil,
    state: TaskState = .new, after seconds: Double = 0, due: DeviceTime? = nil,
    parcel: Parcel? = nil
  ) -> InspectionTask {
    InspectionTask(
      id: id(), agency: inspector == "sara" ? "south" : "north", inspector: inspector, name: name,
      type: type, state: state, created: Self.time(seconds), due: due, parcel: parcel)
  }

  mutating func photo(
    of inspector: String = "ines", task: Identifier? = nil, after seconds: Double = 0,
    verdict: EvidenceVerdict? = .intact, at place: (Double, Double) = (49.1, 16.6),
    image: String? = nil, deletedReason: String? = nil, isSimulated: Bool = false
  ) throws -> ReceivedPhoto {
    let time = Self.time(seconds)
    let position = PhotoPosition(
      kept: try Self.place(place.0, place.1), ellipsoidalHeightMetres: 280.5,
      meanSeaLevelHeightMetres: nil, uncertaintyMetres95: 2, method: .fix)
    return ReceivedPhoto(
      photo: Photo(
        id: id(), agency: inspector == "sara" ? "south" : "north", inspector: inspector,
        task: task, origin: .camera, gnssTime: time.gnssTime, deviceTime: time,
        position: position, standpoint: nil, orientation: nil,
        camera: .assumed(widthPixels: 4, heightPixels: 3), fileDigest: Self.digest("file"),
        bytes: 100, widthPixels: 4, heightPixels: 3, isSimulated: isSimulated,
        delivered: Self.now),
      verdict: verdict, findings: [], revision: 2, imageDigest: image,
      deletedReason: deletedReason, deleted: deletedReason.map { _ in Self.now })
  }

  mutating func track(
    of inspector: String = "ines", task: Identifier? = nil, after seconds: Double = 0,
    lateTask: Identifier? = nil
  ) -> ReceivedTrack {
    ReceivedTrack(
      id: id(), inspector: inspector, task: task, name: "Around", started: Self.time(seconds),
      delivered: Self.time(seconds + 60), lateTask: lateTask,
      measures: TrackMeasures(
        points: 3, lengthMetres: 12.5, durationSeconds: 2, areaSquareMetres: 40.25,
        areaUncertaintySquareMetres95: nil))
  }

  static func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
  }

  /// Returns a box from its west, south, east and north, in degrees.
  static func box(
    _ west: Double, _ south: Double, _ east: Double, _ north: Double
  ) throws -> CoordinateBox {
    try #require(
      CoordinateBox(
        westDegrees: west, southDegrees: south, eastDegrees: east, northDegrees: north))
  }

  static func world() throws -> CoordinateBox { try box(-180, -90, 180, 90) }

  /// Returns a square parcel with its middle at a place.
  static func parcel(
    _ identifier: String, at latitude: Double = 49.1, _ longitude: Double = 16.6,
    side: Double = 0.002
  ) throws -> Parcel {
    let half = side / 2
    let ring = try [(-half, -half), (-half, half), (half, half), (half, -half)].map {
      try place(latitude + $0.0, longitude + $0.1)
    }
    return try #require(Parcel(identifier: identifier, rings: [ring]))
  }
}

extension TrackRecords {
  /// Adds a delivered track.
  func insert(_ track: ReceivedTrack, deletedReason: String? = nil) throws {
    try insert(
      track: track.id, inspector: track.inspector, task: track.task, lateTask: track.lateTask,
      name: track.name, started: track.started, at: track.delivered,
      deletedReason: deletedReason, measures: track.measures)
  }
}
