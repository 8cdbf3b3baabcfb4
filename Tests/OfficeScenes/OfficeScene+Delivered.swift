import FieldUnit
import Foundation
import Geodesy
import Inspection
import Office
import Positioning
import Receivers
import Store
import Sync
import Testing
import TimeAndText

// Offices to which somebody has delivered already.
extension OfficeScene {
  /// The things that one inspector has delivered.
  package struct Things {
    package var task: Identifier
    package var photo: Identifier
    package var alone: Identifier
    package var track: Identifier
  }

  /// Delivers a task with a photo, and a photo and a track without a task.
  package func delivered(
    _ login: String, on device: String, task name: String
  ) async throws -> Things {
    let order = try await order(name, for: login)
    try await office.orders.changeOrder(of: order.id, in: "north", by: "otto") {
      $0.type = "type-\(login)"
    }
    let seed = login == "ines" ? 10 : 20
    let unit = try await unit(login, on: device)
    _ = try await unit.delivery.fetchTasks(over: link)
    try unit.openTask(order.id)
    let photo = try await capture(unit, order.id, seed)
    try unit.provideTask(order.id)
    let alone = try await capture(unit, nil, seed + 1)
    try unit.sendPhotos([alone.id])
    let track = try record("way of \(login)", on: unit)
    _ = try await unit.delivery.deliver(over: link)
    return Things(task: order.id, photo: photo.id, alone: alone.id, track: track)
  }

  /// Records a short track that waits to be delivered.
  package func record(
    _ name: String, on unit: InspectorUnit
  ) throws -> Identifier {
    let track = try unit.beginTrack(name: name, task: nil, source: "", isSimulated: true)
    let place = try #require(Coordinate(latitudeDegrees: 49.08, longitudeDegrees: 16.63))
    for second in 0..<3 {
      let time = clock.deviceTime.advanced(bySeconds: Double(second)).gnssTime
      try unit.append(TrackPoint(kind: .recorded, time: time, coordinate: place), to: track.id)
    }
    _ = try unit.finishTrack(track.id, source: nil)
    try unit.sendTracks([track.id])
    return track.id
  }

  /// Delivers a task with its photos, and returns it as the office has it.
  package func provided(
    _ photos: Int = 1
  ) async throws -> InspectionTask {
    _ = try await order()
    let (unit, task) = try await working(photos: photos)
    try unit.noteTask(task.id, "wet at the edge")
    try unit.provideTask(task.id)
    _ = try await unit.delivery.deliver(over: link)
    return try await office.review.view(of: task.id, in: "north").task
  }
}
