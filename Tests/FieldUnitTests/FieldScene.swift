import Evidence
import FieldUnit
import Foundation
import Geodesy
import Imagery
import Imports
import Inspection
import Positioning
import Receivers
import Store
import Sync
import TestSupport
import Testing
import TimeAndText
import Verification

/// A real field unit in a folder of its own, with a log of a simulated walk to replay.
struct FieldScene {
  let folder: URL
  let unit: InspectorUnit
  let clock: ReplayClock
  private let timeline: LogTimeline
  private let path: String

  static let person = Person(agency: "north", login: "ines", role: .inspector)
  static let picture: [UInt8] = {
    (try? DemonstrationPicture.jpeg(
      widthPixels: 320, heightPixels: 240, seed: 1, captionLines: ["test"])) ?? []
  }()

  init(
    _ folder: URL, seed: UInt64 = 1,
    legs: [WalkSimulator.Leg] = [
      .walk(to: PlanePoint(eastMetres: 30, northMetres: 0), metresPerSecond: 1.3),
      .stand(seconds: 60),
    ],
    person: Person = FieldScene.person
  ) throws {
    self.folder = folder
    let origin = try #require(Coordinate(latitudeDegrees: 49.08, longitudeDegrees: 16.63))
    let start = try #require(DeviceTime(rfc3339: "2026-06-01T09:30:00Z"))
    let walk = WalkSimulator(origin: origin, start: start, legs: legs, seed: seed)
    let log = walk.epochs().flatMap(\.self)
    path = folder.appendingPathComponent("walk-\(seed).nmea").path
    try Data(log).write(to: URL(fileURLWithPath: path))
    timeline = LogTimeline(log)
    clock = ReplayClock(start: start, rate: .infinity)
    unit = try Self.unit(folder, clock: clock, person: person)
  }

  static func unit(
    _ folder: URL, clock: any Timepiece, person: Person = FieldScene.person
  ) throws -> InspectorUnit {
    var configuration = FieldUnitConfiguration(
      dataDirectory: folder.appendingPathComponent("data"), person: person,
      software: "standpoint test")
    configuration.gate.allowsSimulated = true
    return try InspectorUnit.make(configuration: configuration, clock: clock)
  }

  /// The path of the data directory.
  var data: String { folder.appendingPathComponent("data").path }

  /// Returns a receiver that plays the log once.
  func receiver() throws -> any Receiver {
    try ReceiverSource.file(path: path, rate: .infinity).receiver(clock: clock, timeline: timeline)
  }

  func follower() throws -> ReceiverFollower {
    ReceiverFollower(
      receiver: try receiver(), clock: clock,
      gate: unit.configuration.gate, sampler: SamplerPolicy())
  }

  /// Imports two tasks from GeoJSON and returns them.
  func tasks() throws -> [InspectionTask] {
    let ring = "[[16.62,49.07],[16.64,49.07],[16.64,49.09],[16.62,49.07]]"
    let json = """
      {"type":"FeatureCollection","features":[
       {"type":"Feature","properties":{"identifier":"A","name":"First"},
        "geometry":{"type":"Polygon","coordinates":[\(ring)]}},
       {"type":"Feature","properties":{"name":"Second"},"geometry":null}]}
      """
    return try unit.importTasks(try TaskFile.orders(fromGeoJSON: Data(json.utf8)))
  }

  func request(
    task: Identifier? = nil, samples: Int? = 20, wait: Double = 120,
    camera: Camera = .drawn { FieldScene.picture }
  ) -> CaptureRequest {
    CaptureRequest(
      task: task, camera: camera, sampling: .chosen(samples.flatMap { SamplerPolicy(samples: $0) }),
      countdownSeconds: 5, waitSeconds: wait,
      aim: CaptureRequest.Aim(headingDegreesMagnetic: 100, pitchDegrees: -3))
  }

  /// Replays the log, and takes a photo meanwhile.
  func capture(_ request: CaptureRequest) async throws -> Photo {
    let follower = try follower()
    let unit = unit
    let done = Flag()
    let capturing = Task {
      defer { done.set() }
      return try await unit.capture(request, with: follower)
    }
    // A capture that is refused at once never listens.
    while await follower.listenerCount == 0, !done.isSet { await Task.yield() }
    if !done.isSet { try await follower.run() }
    return try await capturing.value
  }

  /// Returns the verifier's report on the data directory.
  func verify() throws -> VerificationReport {
    Verifier.verify(try EvidenceFolder(folder: data), scope: .whole)
  }
}

/// A flag that another task sets.
final class Flag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false
  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
