import Evidence
import Exports
import Foundation
import Inspection
import Positioning
import Store

/// What a person's field unit exports: read one by one in one transaction, so that nothing changes under it.
struct FieldExportSource: ExportSource {
  let title: String
  let choice: ExportChoice
  let session: FieldSession
  let folder: DataFolder
  /// Called for each thing, and for each few thousand points; what it throws ends the export.
  let tick: () throws -> Void

  /// Whether there is anything at all.
  func isEmpty() throws -> Bool {
    switch choice {
    case .all:
      return try session.taskListings().isEmpty && session.photoCount(.standalone).all == 0
        && session.trackHeads(.standalone).isEmpty
    case .tasks(let ids), .photos(let ids), .tracks(let ids): return ids.isEmpty
    }
  }

  /// Looks for what is named before a file is begun.
  func requireAll() throws {
    switch choice {
    case .all: return
    case .tasks(let ids): for id in ids { _ = try session.task(id) }
    case .photos(let ids): for id in ids { _ = try session.photo(id) }
    case .tracks(let ids): for id in ids { _ = try session.trackHead(id) }
    }
  }

  func forEachTask(_ body: (InspectionTask) throws -> Void) throws {
    for id in try choice.tasks(all: { try session.taskListings().map(\.id) }) {
      try tick()
      try body(session.task(id))
    }
  }

  func forEachPhoto(
    of task: InspectionTask?, _ body: (ExportedPhoto) throws -> Void
  ) throws {
    func hand(_ photo: Photo) throws {
      try tick()
      let path = folder.file(.photos, photo.id)
      // A record that cannot be read says nothing; the photo's own row does.
      let seal = try? SealFile(try DurableFile.read(path + ".seal"))
      try body(
        ExportedPhoto(
          photo: photo, task: task, claims: seal.map { PhotoClaims(record: $0.record) },
          hasFile: access(path, R_OK) == 0))
    }
    if let task { return try session.forEachPhoto(.task(task.id)) { try hand($0) } }
    switch choice {
    case .all: try session.forEachPhoto(.standalone) { try hand($0) }
    case .photos(let ids): for id in ids { try hand(session.photo(id)) }
    case .tasks, .tracks: return
    }
  }

  func forEachTrack(
    of task: InspectionTask?, _ body: (ExportedTrack) throws -> Void
  ) throws {
    let heads: [Track]
    switch (task, choice) {
    case (let task?, _): heads = try session.trackHeads(.task(task.id))
    case (nil, .all): heads = try session.trackHeads(.standalone)
    case (nil, .tracks(let ids)): heads = try ids.map { try session.trackHead($0) }
    case (nil, _): return
    }
    for head in heads {
      try tick()
      try body(
        ExportedTrack(head: head, task: task) { body in
          var count = 0
          try session.forEachPoint(ofTrack: head.id) { point in
            count += 1
            if count & 0xFFF == 0 { try tick() }
            try body(point)
          }
        })
    }
  }
}
