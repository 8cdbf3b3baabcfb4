import Evidence
import Foundation
import Geodesy
import Inspection
import Office
import Positioning
import Store
import Sync
import TimeAndText

/// A path as a phone sent it, with its fields read.
struct PhonePath {
  let phone: PhoneTrack
  private let fields: JSONValue

  init(_ phone: PhoneTrack) {
    self.phone = phone
    fields = (try? JSONValue(parsing: Array(phone.fields.utf8))) ?? .object([:])
  }

  /// Calls `body` with the points one by one, in the order in which they came. If the text cannot
  /// be read from some place on, the points end there.
  func forEachPoint(_ body: (JSONValue) throws -> Void) throws {
    do {
      try PathPoints.forEach(in: phone.points, body)
    } catch is PathPoints.Unreadable {
    } catch is EvidenceError {}
  }

  /// Returns a field of the form; nil if it was not sent, or is empty.
  func text(_ name: String) -> String? {
    fields[name]?.text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the place of a point; nil if it is none on the Earth.
  static func coordinate(_ point: JSONValue) -> Coordinate? {
    guard let north = PhoneFields.number(point["lat"]), let east = PhoneFields.number(point["lng"])
    else { return nil }
    return Coordinate(latitudeDegrees: north, longitudeDegrees: east)
  }

  /// Returns the path as a track. Each point's time is read in the zone that held when the path
  /// came; a point without a time gets the one at which the path began.
  /// - Parameter received: the office's own row of the track.
  func track(_ received: ReceivedTrack, agency: String) throws -> Track {
    let times = PHPTime(zone: text("_zone") ?? "UTC")
    let isAndroid = text("devicePlatform")?.lowercased() == "android"
    var points: [TrackPoint] = []
    try forEachPoint { point in
      guard let coordinate = Self.coordinate(point) else { return }
      let height = PhoneFields.number(point["altitude"]).flatMap { abs($0) < 1e6 ? $0 : nil }
      let accuracy = PhoneFields.number(point["accuracy"])
      points.append(
        TrackPoint(
          kind: .recorded,
          time: (point["created"]?.text.flatMap(times.instant) ?? received.started).gnssTime,
          coordinate: coordinate, ellipsoidalHeightMetres: isAndroid ? height : nil,
          meanSeaLevelHeightMetres: isAndroid ? nil : height,
          horizontalUncertaintyMetres95: accuracy.flatMap {
            $0 > 0 && $0 < 1e7 ? $0 * PhoneFields.radiusTo95 : nil
          }))
    }
    return Track(
      id: received.id, agency: agency, inspector: received.inspector, task: received.task,
      origin: .egnss4cap, name: received.name, started: received.started,
      ended: text("end").flatMap(times.instant), isSimulated: false, sent: received.delivered,
      delivered: received.delivered, points: points)
  }
}
