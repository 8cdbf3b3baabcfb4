import Foundation
import Geodesy
import Positioning
import TimeAndText

/// The scene of a demonstration: a log, and two parcels at the place where it was recorded.
package struct DemoScene: Sendable {
  /// The log's bytes.
  var log: [UInt8]
  /// The log cut into epochs.
  package var timeline: LogTimeline
  /// The first parcel's outline; the perimeter is walked round it.
  var firstParcel: [Coordinate]
  /// The second parcel's outline, next to the first.
  var secondParcel: [Coordinate]

  /// Returns the project's own walk, which depends on the seed alone: from the lane to the field's
  /// middle, a stand there, on to the corner, another stand, once round, and a last stand where the
  /// round ends.
  package static func walk(seed: UInt64) -> DemoScene? {
    guard let origin = Coordinate(latitudeDegrees: 49.0836, longitudeDegrees: 16.6382),
      let start = DeviceTime(rfc3339: "2026-06-01T09:30:00Z")
    else { return nil }
    func place(_ east: Double, _ north: Double) -> PlanePoint {
      PlanePoint(eastMetres: east, northMetres: north)
    }
    let corners = [place(30, 10), place(95, 18), place(90, 68), place(26, 60)]
    let walker = WalkSimulator(
      origin: origin, start: start,
      legs: [
        .stand(seconds: 12), .walk(to: place(58, 38), metresPerSecond: 1.3), .stand(seconds: 60),
        .walk(to: corners[0], metresPerSecond: 1.3), .stand(seconds: 60),
        .walk(to: corners[1], metresPerSecond: 1.35),
        .walk(to: corners[2], metresPerSecond: 1.35),
        .walk(to: corners[3], metresPerSecond: 1.35),
        .walk(to: corners[0], metresPerSecond: 1.35), .stand(seconds: 60),
      ], seed: seed)
    let plane = LocalPlane(origin: origin)
    let log = walker.epochs().flatMap(\.self)
    return DemoScene(
      log: log, timeline: LogTimeline(log), firstParcel: corners.map(plane.coordinate(of:)),
      secondParcel: [place(98, 18), place(150, 24), place(146, 74), place(93, 68)]
        .map(plane.coordinate(of:)))
  }

  /// Returns a recorded log, with parcels placed round its first fix.
  /// - Throws: `DemoError.logWithoutFix`.
  package static func recorded(_ log: [UInt8], path: String) throws -> DemoScene {
    var decoder = FixDecoder()
    var first: Coordinate?
    func take(_ event: DecodedEvent) {
      if first == nil, case .fix(let fix) = event { first = fix.coordinate }
    }
    decoder.accept(log, take)
    decoder.finish(take)
    guard let first else { throw DemoError.logWithoutFix(path: path) }
    let plane = LocalPlane(origin: first)
    func rectangle(_ west: Double, _ east: Double) -> [Coordinate] {
      [(west, -25.0), (east, -25.0), (east, 25.0), (west, 25.0)].map {
        plane.coordinate(of: PlanePoint(eastMetres: $0.0, northMetres: $0.1))
      }
    }
    return DemoScene(
      log: log, timeline: LogTimeline(log), firstParcel: rectangle(-30, 30),
      secondParcel: rectangle(33, 90))
  }

  /// The GeoJSON of two tasks with these parcels, as an office would order them.
  var tasksGeoJSON: String {
    func feature(
      _ identifier: String, _ name: String, _ type: String, _ words: String, _ ring: [Coordinate]
    ) -> String {
      let positions = (ring + ring.prefix(1)).map {
        "[\(DecimalText.fixed($0.longitudeDegrees, places: 7)),"
          + " \(DecimalText.fixed($0.latitudeDegrees, places: 7))]"
      }.joined(separator: ", ")
      return """
            {
              "type": "Feature",
              "properties": {
                "identifier": "\(identifier)",
                "name": "\(name)",
                "type": "\(type)",
                "instructions": "\(words)"
              },
              "geometry": { "type": "Polygon", "coordinates": [[\(positions)]] }
            }
        """
    }
    return """
      {
        "type": "FeatureCollection",
        "features": [
      \(feature("DEMO-1", "Sugar beet at the lane", DemoItems.type, "One photo from the middle of the field.", firstParcel)),
      \(feature("DEMO-2", "Catch crop beside it", "crop", "One photo from the edge.", secondParcel))
        ]
      }

      """
  }
}

/// The stretches of a log in which each step can be shown, found by the gate's own verdicts on the log.
package struct DemoPlan: Sendable {
  /// A stretch of a log, in seconds from its beginning.
  typealias Stretch = ClosedRange<Double>

  /// The stretch of moving in which a capture is tried; nil if there is none.
  var refusal: Stretch?
  /// The stand for the task's photo; nil if there is none.
  var taskPhoto: Stretch?
  /// The stand for the standalone photo; nil if there is none.
  var standalonePhoto: Stretch?
  /// The walk for the track; nil if there is none.
  var track: Stretch?
  /// The stand for one more photo when the officer has returned the task, after all the rest; nil if
  /// there is none.
  var anotherPhoto: Stretch?

  /// The seconds for which the gate must stay open for samples and countdown.
  static let stillSeconds = 27.0

  /// Creates the plan for a log.
  package init(_ timeline: LogTimeline, gate: GatePolicy) {
    let runs = Self.runs(of: timeline, gate: gate)
    func stretches(_ state: GateVerdict.State) -> [Stretch] {
      runs.filter { $0.state == state }.map { $0.start...$0.end }
    }
    let moving = stretches(.moving)
    let stands = stretches(.still).filter { Self.lasts($0) >= Self.stillSeconds }
    refusal = moving.first { Self.lasts($0) >= 10 }
    takePhotos(at: stands)
    takeTrack(along: moving, between: stands)
  }

  /// Returns the stretches for which the gate's verdict stays the same, in their order.
  private static func runs(
    of timeline: LogTimeline, gate: GatePolicy
  ) -> [(state: GateVerdict.State, start: Double, end: Double)] {
    guard let first = timeline.firstTime else { return [] }
    var pipeline = PositioningPipeline(gate: gate)
    var runs: [(state: GateVerdict.State, start: Double, end: Double)] = []
    var days = 0.0
    var last = 0.0
    for piece in timeline.pieces {
      let arrival = ElapsedTime(milliseconds: Int64(piece.seconds * 1000))
      pipeline.accept(piece.bytes, at: arrival) { event in
        guard case .fix(let judged) = event else { return }
        var seconds = judged.fix.time.on(nil).seconds(since: first.on(nil)) + days
        if seconds < last - 43_200 {
          days += 86_400
          seconds += 86_400
        }
        last = seconds
        let state = judged.verdict.state
        if runs.last?.state == state {
          runs[runs.count - 1].end = seconds
        } else {
          runs.append((state, seconds, seconds))
        }
      }
    }
    return runs
  }

  private static func lasts(_ stretch: Stretch) -> Double {
    stretch.upperBound - stretch.lowerBound
  }

  private mutating func takePhotos(at stands: [Stretch]) {
    taskPhoto = stands.first
    if stands.count > 1 {
      standalonePhoto = stands[1]
    } else if let only = stands.first, Self.lasts(only) >= 3 * Self.stillSeconds {
      // One long stand is enough for three photos.
      let cuts = [0, 1, 2].map { only.lowerBound + Double($0) * Self.stillSeconds }
      taskPhoto = cuts[0]...cuts[1]
      standalonePhoto = cuts[1]...cuts[2]
      anotherPhoto = cuts[2]...only.upperBound
    } else if let only = stands.first, Self.lasts(only) >= 2 * Self.stillSeconds {
      // One long stand is enough for two photos.
      taskPhoto = only.lowerBound...(only.lowerBound + Self.stillSeconds)
      standalonePhoto = (only.lowerBound + Self.stillSeconds)...only.upperBound
    }
  }

  private mutating func takeTrack(along moving: [Stretch], between stands: [Stretch]) {
    let after = max(standalonePhoto?.upperBound ?? 0, taskPhoto?.upperBound ?? 0)
    let walks = moving.filter { $0.lowerBound >= after && Self.lasts($0) >= 10 }
    // The track goes to the next stand, if there is one; that is the place for one more photo.
    let next = stands.first { $0.lowerBound > (walks.first?.upperBound ?? .infinity) }
    if anotherPhoto == nil { anotherPhoto = next }
    let round = walks.filter { $0.upperBound <= next?.lowerBound ?? .infinity }
    if let begin = round.first?.lowerBound, let end = round.last?.upperBound {
      track = begin...end
    } else if let walk = moving.first(where: {
      Self.lasts($0) >= 20 && $0.lowerBound != refusal?.lowerBound
    }) {
      track = walk
    } else if let walk = refusal, Self.lasts(walk) >= 40 {
      // One long walk is enough for the refusal and a track.
      refusal = walk.lowerBound...(walk.lowerBound + 15)
      track = (walk.lowerBound + 20)...walk.upperBound
    }
  }
}
