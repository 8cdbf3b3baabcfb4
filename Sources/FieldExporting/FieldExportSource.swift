import Evidence
import Exports
import FieldUnit
import Foundation
import Inspection
import SetCapture
import Store
import Sync
import TimeAndText

/// The data of a person's field unit for an export, read one by one in one transaction, so that
/// nothing changes meanwhile.
struct FieldExportSource: ExportSource {
  let title: String
  let choice: ExportChoice
  let session: FieldSession
  let folder: DataFolder
  let unit: InspectorUnit
  /// The identifiers of the composites in which photos are, by the photos' identifiers.
  let composites: [String: [String]]
  /// Called for each thing and for each few thousand points; if it throws, the export ends.
  let tick: () throws -> Void

  /// Returns true if there is nothing to export.
  func isEmpty() throws -> Bool {
    switch choice {
    case .all:
      return try session.tasks.listings().isEmpty && session.photos.count(.standalone).all == 0
        && session.tracks.heads(.standalone).isEmpty
        && session.sets.list(.standalone).isEmpty
    case .tasks(let ids), .photos(let ids), .tracks(let ids): return ids.isEmpty
    }
  }

  /// Requires that all chosen things exist, before a file is begun.
  /// - Throws: `StoreError.unknown`.
  func requireAll() throws {
    switch choice {
    case .all: return
    case .tasks(let ids): for id in ids { _ = try session.tasks.task(id) }
    case .photos(let ids): for id in ids { _ = try session.photos.photo(id) }
    case .tracks(let ids): for id in ids { _ = try session.tracks.head(id) }
    }
  }

  func forEachTask(_ body: (InspectionTask) throws -> Void) throws {
    for id in try choice.tasks(all: { try session.tasks.listings().map(\.id) }) {
      try tick()
      try body(session.tasks.task(id))
    }
  }

  func orders() throws -> [OrderedItems] {
    let ids = try choice.tasks(all: { try session.tasks.listings().map(\.id) })
    return try OrderedItems.distinct(ids.compactMap { try session.tasks.items(ofTask: $0) })
  }

  func items(of task: InspectionTask) throws -> ExportedItems? {
    guard let items = try TaskItems(ofTask: task.id, session) else { return nil }
    let counting = items.counting
    // The device keeps the last word on each item; the office has them all.
    return ExportedItems(
      order: items.order, standing: items.standing, given: items.given, verdicts: items.verdicts,
      answers: items.answers.values.sorted { $0.id < $1.id }.map {
        ExportedAnswer($0, inspector: task.inspector, counts: counting.contains($0.id))
      })
  }

  func forEachPhoto(
    of task: InspectionTask?, _ body: (ExportedPhoto) throws -> Void
  ) throws {
    func hand(_ photo: Photo) throws {
      try tick()
      let path = folder.file(.photos, photo.id)
      // If the record cannot be read, only the photo's row speaks for it.
      let seal = try? SealFile(try DurableFile.read(path + ".seal"))
      var exported = ExportedPhoto(
        photo: photo, task: task, claims: seal.map { PhotoClaims(record: $0.record) },
        hasFile: access(path, R_OK) == 0)
      exported.composites = composites[photo.id.description] ?? []
      try body(exported)
    }
    if let task { return try session.photos.forEach(.task(task.id)) { try hand($0) } }
    switch choice {
    case .all: try session.photos.forEach(.standalone) { try hand($0) }
    case .photos(let ids): for id in ids { try hand(session.photos.photo(id)) }
    case .tasks, .tracks: return
    }
  }

  func forEachSet(of task: InspectionTask?, _ body: (ExportedSet) throws -> Void) throws {
    let selection: Selection
    switch (task, choice) {
    case (let task?, _): selection = .task(task.id)
    case (nil, .all): selection = .standalone
    case (nil, _): return
    }
    // A set whose bytes have left this device is in the office's exports.
    for head in try session.sets.list(selection) where head.removed == nil {
      try tick()
      try body(
        ExportedSet(
          set: unit.frameSet(head), task: task, record: session.recordDigest(ofSet: head.id)))
    }
  }

  func forEachTrack(
    of task: InspectionTask?, _ body: (ExportedTrack) throws -> Void
  ) throws {
    let heads: [Track]
    switch (task, choice) {
    case (let task?, _): heads = try session.tracks.heads(.task(task.id))
    case (nil, .all): heads = try session.tracks.heads(.standalone)
    case (nil, .tracks(let ids)): heads = try ids.map { try session.tracks.head($0) }
    case (nil, _): return
    }
    for head in heads {
      try tick()
      try body(
        ExportedTrack(head: head, task: task) { body in
          var count = 0
          try session.tracks.forEachPoint(ofTrack: head.id) { point in
            count += 1
            if count & 0xFFF == 0 { try tick() }
            try body(point)
          }
        })
    }
  }
}
