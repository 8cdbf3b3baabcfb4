import Evidence
import Exports
import Foundation
import Inspection
import Office
import Positioning
import Store
import Sync
import TimeAndText

/// The things that an agency exports, read one by one in one transaction, so that nothing changes
/// meanwhile. An export of everything leaves out hidden things.
struct OfficeExportSource: ExportSource {
  let title: String
  let choice: ExportChoice
  let session: any ReadingTransaction
  /// The same transaction for an officer, which reads photo points, too; nil for an inspector,
  /// whose own exports have none.
  let officer: (any AgencyTransaction)?
  let office: OfficeExports
  /// The identifiers of the composites in which photos are, by the photos' identifiers.
  let composites: [String: [String]]
  /// Called for each thing that is read; an error that it throws ends the export.
  let tick: () throws -> Void

  private static let pointsOnPage = 500

  /// Returns true if there is nothing to export.
  func isEmpty() throws -> Bool {
    switch choice {
    case .all:
      return try session.tasks.count(TaskFilter(), at: office.clock.deviceTime) == 0
        && session.photos.standaloneCount(isHidden: false, inspector: nil) == 0
        && session.tracks.identifiers(.standalone).isEmpty
        && session.sets.list(.standalone).isEmpty
    case .tasks(let ids), .photos(let ids), .tracks(let ids): return ids.isEmpty
    }
  }

  /// Checks that the named things exist, before a file is begun, and counts those of them that an
  /// officer has hidden.
  func hiddenCount() throws -> (hidden: Int, all: Int) {
    switch choice {
    case .all: return (0, 0)
    case .tasks(let ids):
      for id in ids { _ = try session.tasks.task(id) }
      return (0, ids.count)
    case .photos(let ids):
      return (try ids.count { try session.photos.photo($0).hidden != nil }, ids.count)
    case .tracks(let ids):
      for id in ids where try office.review.track(id, session) == nil {
        _ = try session.tracks.track(id)
        throw OfficeRefusal(.unknown, "the track's file is missing: run standpoint office check")
      }
      return (try ids.count { try session.tracks.track($0).hidden != nil }, ids.count)
    }
  }

  func forEachTask(_ body: (InspectionTask) throws -> Void) throws {
    let ids = try choice.tasks {
      try session.tasks.identifiers(TaskFilter(), TaskSorting(), at: office.clock.deviceTime)
    }
    for id in ids {
      try tick()
      try body(session.tasks.task(id))
    }
  }

  func orders() throws -> [OrderedItems] {
    let ids = try choice.tasks {
      try session.tasks.identifiers(TaskFilter(), TaskSorting(), at: office.clock.deviceTime)
    }
    return try session.tasks.templates(ofTasks: ids)
  }

  func items(of task: InspectionTask) throws -> ExportedItems? {
    // Most tasks of an agency may ask for none: their photos are not read twice.
    guard try session.tasks.items(ofTasks: [task.id])[task.id] != nil else { return nil }
    let photos = try session.photos.list(.task(task.id))
    return try TaskItemsRead(of: task, photos: photos, session)?.exported
  }

  func forEachPhoto(
    of task: InspectionTask?, _ body: (ExportedPhoto) throws -> Void
  ) throws {
    func hand(_ received: ReceivedPhoto) throws {
      try tick()
      let photo = received.photo
      let seal = try session.seals.seal(of: photo.id, .capture)
      var exported = ExportedPhoto(
        photo: photo, task: task, claims: seal.map { PhotoClaims(record: $0.record) },
        verdict: received.verdict,
        hasFile: try office.photos.holds(EvidenceName.file(.capture, photo.id)))
      exported.composites = composites[photo.id.description] ?? []
      try body(exported)
    }
    func handWhole(_ selection: Selection) throws {
      try session.photos.forEach(selection) { received in
        if received.deletedReason == nil { try hand(received) }
      }
    }
    if let task { return try handWhole(.task(task.id)) }
    switch choice {
    case .all: try handWhole(.standalone)
    case .photos(let ids): for id in ids { try hand(session.photos.photo(id)) }
    case .tasks, .tracks: return
    }
  }

  func forEachTrack(
    of task: InspectionTask?, _ body: (ExportedTrack) throws -> Void
  ) throws {
    let ids: [Identifier]
    switch (task, choice) {
    case (let task?, _): ids = try session.tracks.identifiers(.task(task.id))
    case (nil, .all): ids = try session.tracks.identifiers(.standalone)
    case (nil, .tracks(let chosen)): ids = chosen
    case (nil, _): return
    }
    for id in ids {
      try tick()
      if let track = try exported(id, task) { try body(track) }
    }
  }

  func forEachSet(of task: InspectionTask?, _ body: (ExportedSet) throws -> Void) throws {
    let selection: Selection
    switch (task, choice) {
    case (let task?, _): selection = .task(task.id)
    case (nil, .all): selection = .standalone
    case (nil, _): return
    }
    for received in try session.sets.list(selection) {
      try tick()
      let (set, record) = try office.frameSet(received, session)
      try body(ExportedSet(set: set, task: task, record: record))
    }
  }

  /// Calls `body` with all of the agency's photo points, or with those whose reference photo is
  /// exported, or a photo that repeats them.
  func forEachPhotoPoint(_ body: (ExportedPhotoPoint) throws -> Void) throws {
    guard let officer else { return }
    var handed: Set<Identifier> = []
    func hand(_ point: PhotoPoint?) throws {
      guard let point, handed.insert(point.id).inserted else { return }
      try tick()
      try body(exported(point, officer))
    }
    func handPoints(of photo: Identifier) throws {
      for point in try officer.points.points(ofPhoto: photo) { try hand(point) }
      if let repetition = try officer.points.repetition(ofPhoto: photo) {
        try hand(officer.points.point(repetition.claims.point))
      }
    }
    switch choice {
    case .all:
      var place: ListPlace?
      repeat {
        let page = try officer.points.page(
          named: nil, isWithdrawn: nil, after: place, limit: Self.pointsOnPage)
        for point in page.points { try hand(point) }
        place = page.next
      } while place != nil
    case .tasks(let ids):
      for id in ids {
        try officer.photos.forEach(.task(id)) { received in
          if received.deletedReason == nil { try handPoints(of: received.photo.id) }
        }
      }
    case .photos(let ids): for id in ids { try handPoints(of: id) }
    case .tracks: return
    }
  }

  /// Returns a photo point with its repeats, except those that were deleted before they were sent,
  /// and, in an export of everything, those that an officer has hidden.
  private func exported(
    _ point: PhotoPoint, _ officer: any AgencyTransaction
  ) throws -> ExportedPhotoPoint {
    let shown: [ExportedPhotoPoint.Repetition] =
      try officer.points.repeats(ofPoint: point.id).compactMap { repetition in
        let photo = try officer.photos.photo(repetition.photo)
        guard photo.deletedReason == nil, choice != .all || photo.hidden == nil else { return nil }
        return ExportedPhotoPoint.Repetition(
          photo: repetition.photo, taken: repetition.taken,
          claims: point.measured(repetition.claims, of: photo.photo),
          displacementPercent: repetition.displacementPercent)
      }
    return ExportedPhotoPoint(point: point, repeats: shown)
  }

  /// Returns a track whose points are read when they are needed, and only once: a table of tracks
  /// needs none. Nil if the track's record or file is not here.
  private func exported(_ id: Identifier, _ task: InspectionTask?) throws -> ExportedTrack? {
    let name = EvidenceName.file(.track, id)
    if let track = try office.services.track(id, session) {
      return ExportedTrack(track, task: task)
    }
    guard let seal = try session.seals.seal(of: id, .track),
      let measures = try session.tracks.track(id).measures, try office.photos.holds(name)
    else { return try office.review.track(id, session).map { ExportedTrack($0, task: task) } }
    var read: [TrackPoint]?
    return ExportedTrack(head: try seal.trackHead(), task: task, measures: measures) { body in
      let points: [TrackPoint]
      if let read {
        points = read
      } else {
        guard let file = try office.photos.bytes(of: name) else {
          throw OfficeRefusal(
            .unknown, "the track's file is missing: run standpoint office check")
        }
        points = try seal.trackPoints(file: file)
        read = points
      }
      for point in points { try body(point) }
    }
  }
}

extension TaskItemsRead {
  /// The items as exports have them.
  var exported: ExportedItems {
    let counting = counting
    return ExportedItems(
      order: order, standing: standing, given: given, verdicts: verdicts,
      answers: answers.map { received in
        ExportedAnswer(
          received.answer, inspector: received.inspector, received: received.received,
          counts: counting.contains(received.answer.id), isLate: received.isLate)
      })
  }
}
