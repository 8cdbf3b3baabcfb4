import Evidence
import Foundation
import Geodesy
import Inspection
import Judgement
import Store
import Sync
import TimeAndText

/// The officers' work on photos and tracks without a task. Sealed bytes are not touched: each of
/// these changes is a remark of the office's, with an entry in the log.
extension Review {
  /// Assigns a photo without a task to one of its inspector's tasks that is not decided yet.
  /// - Throws: `OfficeRefusal`, `StoreError.unknown`.
  public func assign(
    photo id: Identifier, toTask task: Identifier, in agency: String, by login: String
  ) async throws {
    try await database.write(in: agency) { session in
      let received = try session.photos.photo(id)
      let target = try session.tasks.task(task)
      guard received.photo.task == nil, received.deletedReason == nil else {
        throw OfficeRefusal(.ruleForbids, "the photo already belongs to a task, or was deleted")
      }
      guard received.hidden == nil else {
        throw OfficeRefusal(.ruleForbids, "the photo is hidden: show it again first")
      }
      // The record may name a task that is another inspector's, or unknown here, and a record never
      // changes. A photo that came too late for this very task may be assigned to it once the task
      // is reopened.
      guard
        try received.lateTask == task || session.seals.taskNamed(byRecordOf: id, .capture) == nil
      else {
        throw OfficeRefusal(
          .ruleForbids, "its record names another task: it is not evidence for this one")
      }
      guard target.inspector == received.photo.inspector else {
        throw OfficeRefusal(
          .ruleForbids,
          "\(received.photo.inspector) took the photo, but the task is \(target.inspector)'s: you"
            + " can only assign a photo to a task of the inspector who took it")
      }
      guard !target.state.isDecided else {
        throw OfficeRefusal(
          .ruleForbids,
          "the task is \(word: target.state.title): its evidence can no longer be changed")
      }
      try session.photos.assign(received.photo, to: task, at: clock.deviceTime)
      var placed = received.photo
      placed.task = task
      // The place is now checked against the task's parcel. A photo of another task was taken under
      // no order of this one.
      try session.checks.removeChecks([.parcel, .aim, .order], ofPhoto: id)
      try session.checks.keep(
        PlaceChecks(
          photo: placed, revision: received.lateTask == task ? received.revision : nil,
          task: target
        ).checks(), ofPhoto: id)
      try session.log.add(
        log(
          "photo-assigned", on: id.description, by: login, agency: agency, detail: "task \(task)"))
    }
  }

  /// The greatest number of tasks near a photo that are looked at for a suggestion.
  private static let tasksNearAtMost = 200

  /// Finds the task that each photo without a task was probably taken for. Photos without a place,
  /// hidden ones and those whose record names another task have no suggestion.
  public func suggestions(
    for photos: [ReceivedPhoto], in agency: String
  ) async throws -> [Identifier: TaskSuggestion] {
    try await database.read(in: agency) { session in
      try photos.reduce(into: [:]) { found, received in
        let photo = received.photo
        guard photo.task == nil, received.hidden == nil, received.deletedReason == nil,
          received.lateTask == nil, !photo.claimsNoPlace,
          try session.seals.taskNamed(byRecordOf: photo.id, .capture) == nil,
          let box = Self.surroundings(of: photo.position.coordinate)
        else { return }
        var undecided = TaskFilter(inspector: photo.inspector)
        undecided.isUndecided = true
        let near = try session.map.placedTasks(
          in: box, undecided, at: clock.deviceTime, limit: Self.tasksNearAtMost)
        found[photo.id] = TaskSuggestion(for: photo, among: near)
      }
    }
  }

  /// Returns a box around a place that holds the middles of all parcels that may be suggested: twice
  /// as far as a suggestion goes, since the middle of a large parcel lies behind its boundary.
  private static func surroundings(of place: Coordinate) -> CoordinateBox? {
    let metres = 2 * TaskSuggestion.distanceMetresAtMost
    func side(_ degrees: Double) -> Coordinate {
      Geodesic.direct(from: place, initialAzimuthDegrees: degrees, distanceMetres: metres)
    }
    return CoordinateBox(
      westDegrees: side(270).longitudeDegrees, southDegrees: side(180).latitudeDegrees,
      eastDegrees: side(90).longitudeDegrees, northDegrees: side(0).latitudeDegrees)
  }

  /// Takes a photo that an officer assigned to a task out of it again, as long as the task is not
  /// decided.
  /// - Returns: the task that the photo belonged to.
  @discardableResult
  public func unassign(photo id: Identifier, in agency: String, by login: String) async throws
    -> Identifier
  {
    try await database.write(in: agency) { session in
      let received = try session.photos.photo(id)
      guard let task = received.photo.task, received.assigned != nil else {
        throw OfficeRefusal(
          .ruleForbids, "its inspector took the photo for this task: it stays there")
      }
      let state = try session.tasks.task(task).state
      guard !state.isDecided else {
        throw OfficeRefusal(
          .ruleForbids, "the task is \(word: state.title): its evidence can no longer be changed")
      }
      try session.photos.assign(received.photo, to: nil, at: clock.deviceTime)
      var alone = received.photo
      alone.task = nil
      try session.checks.removeChecks([.parcel, .aim, .order], ofPhoto: id)
      try session.checks.keep(
        PlaceChecks(photo: alone, revision: nil, task: nil).checks(), ofPhoto: id)
      try session.log.add(
        log(
          "photo-unassigned", on: id.description, by: login, agency: agency,
          detail: "task \(task)"))
      return task
    }
  }

  /// Hides a photo without a task, or shows it again. The photo is kept.
  public func setHidden(
    _ isHidden: Bool, photo id: Identifier, in agency: String, by login: String
  ) async throws {
    try await database.write(in: agency) { session in
      let received = try session.photos.photo(id)
      guard received.photo.task == nil, received.deletedReason == nil else {
        throw OfficeRefusal(
          .ruleForbids, "you can only hide photos without a task; this one is evidence for a task")
      }
      guard (received.hidden != nil) != isHidden else { return }
      try session.photos.setHidden(isHidden ? clock.deviceTime : nil, received.photo)
      try session.log.add(
        log(
          isHidden ? "photo-hidden" : "photo-shown", on: id.description, by: login, agency: agency))
    }
  }

  /// Hides a track without a task, or shows it again. The track is kept.
  public func setHidden(
    _ isHidden: Bool, track id: Identifier, in agency: String, by login: String
  ) async throws {
    try await database.write(in: agency) { session in
      let row = try session.tracks.track(id)
      guard row.task == nil else {
        throw OfficeRefusal(
          .ruleForbids, "you can only hide tracks without a task; this one is evidence for a task")
      }
      guard (row.hidden != nil) != isHidden else { return }
      try session.tracks.setHidden(isHidden ? clock.deviceTime : nil, track: id)
      try session.log.add(
        log(
          isHidden ? "track-hidden" : "track-shown", on: id.description, by: login, agency: agency))
    }
  }

  /// Returns a track with its points; nil if its record or its file is not here.
  /// - Throws: `StoreError.unknown` if there is no such track, or it belongs to another inspector
  ///   than the given one.
  public func track(
    _ id: Identifier, in agency: String, ofInspector inspector: String? = nil
  ) async throws -> Track? {
    try await database.read(in: agency, ofInspector: inspector) { session in
      _ = try session.tracks.track(id)
      return try track(id, session)
    }
  }
}
