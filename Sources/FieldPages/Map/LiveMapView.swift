import FieldUnit
import Foundation
import Geodesy
import Inspection
import Positioning
import Receivers
import Store
import Sync
import TimeAndText
import Web

/// An event of the map's stream: the values that change while the inspector walks. Unknown values
/// are left out, and old ones are marked.
struct LiveMapView: Encodable, Sendable {
  /// The inspector's position.
  struct Position: Encodable, Sendable {
    var at: [Double]
    var uncertaintyMetres95: Double?
    /// Course in degrees from true north; nil at rest, when a course says nothing.
    var courseDegreesTrue: Double?
    /// Where the receiver points, in degrees from true north; nil if it does not measure that.
    var headingDegreesTrue: Double?
    /// Magnetic declination in degrees, positive eastwards, for the device's compass; nil if the
    /// model has none here.
    var declinationDegrees: Double?
    var ageSeconds: Double
    /// True if this is only the last known position, and not a present one.
    var isOld: Bool
  }

  /// A line of text with its light: `good`, `warn` or `bad`.
  struct Line: Encodable, Sendable {
    var text: String
    var light: String
  }

  /// The track that is being recorded, and the words about it.
  struct Recording: Encodable, Sendable {
    var track: String
    var points: Int
    var deletions: Int
    var isPaused: Bool
    var last: TrackPointsView.Mark?
    var words: [String: String]
  }

  /// The way to the task's parcel.
  struct Guidance: Encodable, Sendable {
    var words: String
    /// The distance in words; absent inside the parcel.
    var distance: String?
    /// The direction in words, such as "45° NE"; absent inside the parcel.
    var direction: String?
    /// The bearing in degrees from true north, 0 ..< 360; absent inside the parcel.
    var bearingDegreesTrue: Double?
    /// The nearest point of the parcel, as longitude and latitude in degrees; absent inside the
    /// parcel.
    var to: [Double]?
  }

  var position: Position?
  var here: Line
  var recording: Recording?
  /// The words about the end of the last recording, if the inspector has to know; otherwise nil.
  var ended: String?
  var guidance: Guidance?
}

extension MapPages {
  /// Returns the stream of the map: an event with each fix, with each change of a recording, and
  /// once a second, so that the silence of a receiver shows.
  func mapEvents(_ unit: InspectorUnit, task: InspectionTask?) -> AsyncStream<HTML> {
    let texts = Texts.current
    let (wakes, wake) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { events in
      let work = Task {
        let fixes = await server.follower?.listen { _ in wake.yield() }
        let changes = server.trackDesk.listen { wake.yield() }
        let beat = Task {
          while !Task.isCancelled {
            // The beat comes from the page's clock, not from the receiver. After sign-out the
            // stream ends, so that an open page shows nothing more.
            let owner = Self.owner(of: unit, server)
            guard owner != .gone else { break }
            if owner == .here { wake.yield() }
            try? await Task.sleep(for: .seconds(1))
          }
          wake.finish()
        }
        for await _ in wakes {
          let view = await Texts.$current.withValue(texts) { await liveMap(unit, task: task) }
          if let bytes = try? WireJSON.bytes(view) {
            // The event is JSON and no markup: only the map's script reads it, and shows it as
            // text.
            events.yield(HTML(raw: String(decoding: bytes, as: UTF8.self)))
          }
        }
        beat.cancel()
        server.trackDesk.stopListening(changes)
        if let fixes { await server.follower?.stopListening(fixes) }
        events.finish()
      }
      events.onTermination = { _ in
        wake.finish()
        work.cancel()
      }
    }
  }

  /// Returns the present state of the map.
  func liveMap(_ unit: InspectorUnit, task: InspectionTask?) async -> LiveMapView {
    let position = await position()
    var view = LiveMapView(position: position, here: await here())
    if let recording = server.trackDesk.recording(of: unit.person) {
      view.recording = LiveMapView.Recording(
        track: recording.track.id.description, points: recording.points.count,
        deletions: recording.deletions, isPaused: recording.isPaused,
        last: recording.points.last.map(TrackPointsView.mark),
        words: await words(of: recording))
    } else {
      view.ended = server.trackDesk.ending(of: unit.person)?.words.map { t($0) }
    }
    if let position, !position.isOld, let task,
      let coordinate = await server.follower?.lastFix?.fix.coordinate,
      let parcel = task.parcel(nearestTo: coordinate)
    {
      view.guidance = guidance(to: parcel, of: task, from: coordinate)
    }
    return view
  }

  private func position() async -> LiveMapView.Position? {
    guard let judged = await server.follower?.lastFix, let coordinate = judged.fix.coordinate
    else { return nil }
    let age = server.clock.elapsed.seconds(since: judged.arrival)
    let fix = judged.fix
    let declination = InspectorUnit.declinationDegrees(
      at: coordinate, ellipsoidalHeightMetres: fix.ellipsoidalHeightMetres,
      on: server.clock.deviceTime)
    return LiveMapView.Position(
      at: FieldMapView.pair(coordinate), uncertaintyMetres95: fix.horizontalUncertaintyMetres95,
      courseDegreesTrue: fix.courseWhileMovingDegreesTrue,
      headingDegreesTrue: fix.headingFromTrueNorth(declinationDegrees: declination),
      declinationDegrees: declination, ageSeconds: age,
      isOld: age > server.configuration.gate.maximumAgeSeconds)
  }

  /// Returns the receiver's state in one line.
  func here() async -> LiveMapView.Line {
    guard let follower = server.follower else {
      return LiveMapView.Line(text: t("No receiver"), light: "bad")
    }
    let state = await follower.state
    guard let judged = await follower.lastFix else {
      return LiveMapView.Line(text: t(state.wording), light: "warn")
    }
    let age = server.clock.elapsed.seconds(since: judged.arrival)
    let isOld = age > server.configuration.gate.maximumAgeSeconds
    guard isOld || judged.fix.coordinate != nil else {
      return LiveMapView.Line(text: t("The receiver has no position"), light: "bad")
    }
    guard !isOld else {
      return LiveMapView.Line(
        text: t("No position for {1} s", t.decimal(age, places: 0)), light: "bad")
    }
    let accuracy = judged.fix.horizontalUncertaintyMetres95.map {
      "± \(t.decimal($0, places: 1)) m"
    }
    return LiveMapView.Line(
      text: [t("Position"), accuracy].compactMap(\.self).joined(separator: " "), light: "good")
  }

  /// Returns the distance and bearing to a parcel, or the words that the inspector is inside it;
  /// nil if the distance cannot be computed.
  private func guidance(
    to parcel: Parcel, of task: InspectionTask, from here: Coordinate
  ) -> LiveMapView.Guidance? {
    guard let way = ParcelWay(to: parcel, from: here) else { return nil }
    guard let distance = way.distanceText, let bearing = way.bearingDegrees,
      let degrees = way.degreesText, let wind = way.wind
    else {
      return LiveMapView.Guidance(words: t("{1}: you are inside its parcel", task.name))
    }
    return LiveMapView.Guidance(
      words: t("{1}: {2}, {3}°", task.name, distance, degrees), distance: distance,
      direction: "\(degrees)° \(winds[wind])", bearingDegreesTrue: bearing,
      to: FieldMapView.pair(
        Geodesic.direct(
          from: here, initialAzimuthDegrees: bearing, distanceMetres: way.distanceMetres)))
  }

  /// The names of the eight winds, clockwise from north.
  private var winds: [String] {
    [t("N"), t("NE"), t("E"), t("SE"), t("S"), t("SW"), t("W"), t("NW")]
  }

  /// Returns a recording in words: its state, its measures so far, and why the last request was
  /// refused.
  func words(of recording: TrackDesk.Recording) async -> [String: String] {
    let measures = server.trackDesk.measures(of: recording)
    var words = [
      "name": recording.track.name,
      "state": recording.isPaused ? "‖ " + t("paused") : "● " + t("recording"),
      "points": count(points: measures.points), "length": length(measures),
      "area": area(measures) ?? "",
    ]
    if let refusal = recording.refusal { words["refusal"] = t(refusal) }
    if let follower = server.follower, let judged = await follower.lastFix {
      let wanted = await follower.samplerPolicy.samples
      words["samples"] = t("Samples {1} of {2}", min(judged.samples, wanted), wanted)
    }
    return words
  }
}
