import Evidence
import Foundation
import Geodesy
import Inspection
import Office
import Positioning
import Store
import Sync

/// A path as a phone sent it, read.
struct PhonePath {
  let phone: PhoneTrack
  private let fields: JSONValue

  init(_ phone: PhoneTrack) {
    self.phone = phone
    fields = (try? JSONValue(parsing: Array(phone.fields.utf8))) ?? .object([:])
  }

  /// Hands over the points one by one, in the order in which they came. A text that was none ends where it is none.
  func forEachPoint(_ body: (JSONValue) throws -> Void) throws {
    do {
      try PathPoints.forEach(in: phone.points, body)
    } catch is PathPoints.Unreadable {
    } catch is EvidenceError {}
  }

  /// A field of the form; nil where it was not sent, or is blank.
  func text(_ name: String) -> String? {
    fields[name]?.text.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Where a point is; nil for none on the Earth.
  static func coordinate(_ point: JSONValue) -> Coordinate? {
    guard let north = PhoneFields.number(point["lat"]), let east = PhoneFields.number(point["lng"])
    else { return nil }
    return Coordinate(latitudeDegrees: north, longitudeDegrees: east)
  }

  /// The track that it is, beside the office's own. Each point has the time that was read when it came.
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
