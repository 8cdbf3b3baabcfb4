import Evidence
import FieldUnit
import Foundation
import Geodesy
import Imagery
import Inspection
import Positioning
import Receivers
import SetCapture
import Store
import TestSupport
import Testing
import TimeAndText
import Verification

/// A real field unit in a folder of its own, a log of a simulated receiver, and a recorded walk.
struct SetScene {
  let folder: URL
  let unit: InspectorUnit
  private let clock: ReplayClock
  private let timeline: LogTimeline
  private let logPath: String

  static let person = Person(agency: "north", login: "ines", role: .inspector)
  /// The radius of the walk, metres.
  static let radiusMetres = 10.0
  static let pictures: [[UInt8]] = (0..<12).compactMap {
    try? DemonstrationPicture.jpeg(
      widthPixels: 160, heightPixels: 120, seed: UInt64($0), captionLines: ["\($0)"])
  }

  /// Legs that stand, walk round a thing over some degrees, and stand again.
  static func legs(degrees: Double, endSeconds: Int = 90) -> [WalkSimulator.Leg] {
    let steps = max(1, Int(abs(degrees) / 15))
    let around = (1...steps).map { step -> WalkSimulator.Leg in
      let angle = degrees * Double(step) / Double(steps) * .pi / 180
      // The walk begins at the origin, and the thing is north of it. Each leg takes two seconds.
      return .walk(
        to: PlanePoint(
          eastMetres: -sin(angle) * radiusMetres,
          northMetres: (1 - cos(angle)) * radiusMetres), metresPerSecond: 1.31)
    }
    return [.stand(seconds: 45)] + (degrees == 0 ? [] : around) + [.stand(seconds: endSeconds)]
  }

  init(_ folder: URL, legs: [WalkSimulator.Leg], seed: UInt64 = 1) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let origin = try #require(Coordinate(latitudeDegrees: 49.08, longitudeDegrees: 16.63))
    // Each seed is a later walk.
    let start = try #require(DeviceTime(rfc3339: "2026-06-01T09:30:00Z"))
      .advanced(bySeconds: Double(seed) * 600)
    let log = WalkSimulator(origin: origin, start: start, legs: legs, seed: seed).epochs()
      .flatMap(\.self)
    logPath = folder.appendingPathComponent("log-\(seed).nmea").path
    try Data(log).write(to: URL(fileURLWithPath: logPath))
    timeline = LogTimeline(log)
    clock = ReplayClock(start: start, rate: .infinity)
    unit = try Self.unit(folder, clock: clock)
    for (number, picture) in Self.pictures.enumerated() {
      try Data(picture).write(to: folder.appendingPathComponent("\(number).jpg"))
    }
  }

  static func unit(_ folder: URL, clock: any Timepiece) throws -> InspectorUnit {
    var configuration = FieldUnitConfiguration(
      dataDirectory: folder.appendingPathComponent("data"), person: person,
      software: "standpoint test")
    configuration.gate.allowsSimulated = true
    return try InspectorUnit.make(configuration: configuration, clock: clock)
  }

  var data: String { folder.appendingPathComponent("data").path }

  /// Writes a recorded walk: the device stands for some seconds and is turned over some degrees.
  func walk(
    degrees: Double, waitSeconds: Double = 18, seconds: Double = 54, seed: UInt64 = 5,
    losing lost: ClosedRange<Double>? = nil
  ) throws -> RecordedWalk {
    var random = SeededGenerator(seed: seed)
    var lines: [String] = []
    var frame = 0
    // Fifty samples and ten frames a second.
    for step in 0...Int((waitSeconds + seconds) * 50) {
      let time = Double(step) / 50
      let azimuth = 20 + degrees * min(1, max(0, (time - waitSeconds) / seconds))
      let orientation = Orientation(
        azimuthDegreesTrue: azimuth + Double.random(in: -0.3...0.3, using: &random),
        elevationDegrees: -8 + Double.random(in: -1...1, using: &random),
        rollDegrees: Double.random(in: -1...1, using: &random), source: .deviceSensors)
      if let q = orientation.quaternion, !(lost?.contains(time) ?? false) {
        let shake = Double.random(in: 0...0.4, using: &random)
        lines.append(
          "{\"milliseconds\":\(time * 1000),\"w\":\(q.w),\"x\":\(q.x),\"y\":\(q.y),\"z\":\(q.z),"
            + "\"acceleration\":\(shake)}")
      }
      guard step % 5 == 0 else { continue }
      let picture = frame % Self.pictures.count
      frame += 1
      lines.append("{\"milliseconds\":\(time * 1000 + 7),\"image\":\"\(picture).jpg\"}")
    }
    let path = folder.appendingPathComponent("walk-\(seed).jsonl").path
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    return try RecordedWalk(path: path)
  }

  /// Replays the log, and takes a set meanwhile.
  func take(
    _ terms: FrameSetTerms, _ walk: RecordedWalk, task: Identifier? = nil
  ) async throws -> FrameSetHead {
    let request = SetRequest(
      task: task, terms: terms, waitSeconds: 120, source: WalkPlayer(walk))
    return try await take(request)
  }

  /// Takes a set, and calls `body` when its frames are on the disk and it is not sealed yet.
  func take(
    _ terms: FrameSetTerms, _ walk: RecordedWalk,
    beforeSeal body: @escaping @Sendable () throws -> Void
  ) async throws -> FrameSetHead {
    try await take(
      SetRequest(
        task: nil, terms: terms, waitSeconds: 120,
        source: Watched(player: WalkPlayer(walk), body: body)))
  }

  /// A walk that says when its frames are over.
  private struct Watched: SetFrameSource {
    let player: WalkPlayer
    let body: @Sendable () throws -> Void

    func frames(at moment: ElapsedTime, for run: SetRun) async {
      await player.frames(at: moment, for: run)
      guard await run.news.phase == .closing else { return }
      do { try body() } catch { Issue.record(error) }
    }
  }

  func take(_ request: SetRequest) async throws -> FrameSetHead {
    let follower = try follower()
    let run = try SetRun(unit: unit, follower: follower, request: request)
    let taking = Task { try await run.take() }
    while await follower.listenerCount == 0 { await Task.yield() }
    try await follower.run()
    return try await taking.value
  }

  func follower() throws -> ReceiverFollower {
    ReceiverFollower(
      receiver: try ReceiverSource.file(path: logPath, rate: .infinity).receiver(
        clock: clock, timeline: timeline), clock: clock, gate: unit.configuration.gate,
      sampler: SamplerPolicy())
  }

  /// Replays the log, and goes on with a set meanwhile; without a walk the set only ends.
  func resume(_ open: OpenSet, _ walk: RecordedWalk?) async throws -> FrameSetHead {
    let follower = try follower()
    let run = try SetRun(
      resuming: open, unit: unit, follower: follower, waitSeconds: 120,
      source: walk.map { WalkPlayer($0) })
    let taking = Task { walk == nil ? try await run.finish() : try await run.take() }
    while await follower.listenerCount == 0 { await Task.yield() }
    try await follower.run()
    return try await taking.value
  }

  func verify() throws -> VerificationReport {
    Verifier.verify(try EvidenceFolder(folder: data), scope: .whole)
  }
}
