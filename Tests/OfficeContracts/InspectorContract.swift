import Evidence
import Inspection
import Office
import Positioning
import Store
import Sync
import Testing
import TimeAndText

/// The reads of one inspector: no function of tasks, photos, tracks and seals reaches a row of
/// another inspector.
@Suite("The contract of the wall around one inspector's rows", .timeLimit(.minutes(2)))
struct InspectorContract {
  private let now = Samples.now

  /// The rows of one inspector: a worked-on task, and things with it, without it and late.
  private struct Rows {
    let login: String
    let task: InspectionTask
    let earlier: InspectionTask
    let opened: TaskTransition
    let conflict: TransitionConflict
    let decided: InspectionTask
    let photo: ReceivedPhoto
    let alone: ReceivedPhoto
    let hidden: ReceivedPhoto
    let late: ReceivedPhoto
    let track: ReceivedTrack
    let hiddenTrack: ReceivedTrack
    let lateTrack: ReceivedTrack
    let note: LateNote
    let seal: SealFile
    let device: SealingDevice

    init(of login: String, _ samples: inout Samples) throws {
      self.login = login
      let person = Person(agency: "north", login: login, role: .inspector)
      earlier = samples.task("first of \(login)", of: login, type: "type of \(login)")
      var later = earlier
      (later.name, later.revision) = ("field of \(login)", 2)
      opened = try later.perform(
        .open, by: person, id: samples.id(), at: Samples.now, contents: TaskContents(photos: 0))
      task = later
      conflict = TransitionConflict(
        transition: TaskTransition(
          id: samples.id(), action: .takeBack, from: .dataProvided, to: .open, person: person,
          time: Samples.now, reason: nil), reason: "too late")
      decided = samples.task("decided of \(login)", of: login, state: .accepted)
      photo = try samples.photo(of: login, task: later.id)
      alone = try samples.photo(of: login)
      hidden = try samples.photo(of: login)
      var behind = try samples.photo(of: login)
      behind.lateTask = decided.id
      late = behind
      track = samples.track(of: login, task: later.id)
      hiddenTrack = samples.track(of: login)
      lateTrack = samples.track(of: login, lateTask: decided.id)
      note = LateNote(
        id: samples.id(), inspector: login, task: decided.id, photo: nil, text: "wet",
        received: Samples.now)
      var device = SealingDevice(of: login)
      seal = try device.seal(.capture, photo.photo.id, task: later.id)
      self.device = device
    }

    func add(to database: any OfficeDatabase) async throws {
      try await database.add(
        tasks: [earlier, decided], photos: [photo, alone, hidden, late],
        tracks: [track, hiddenTrack, lateTrack])
      try await database.write(in: "north") { session in
        try session.tasks.replaceOrder(of: earlier, with: task, at: Samples.now)
        try session.tasks.save(opened, of: task, revision: 2)
        try session.tasks.save(conflict, of: task, revision: 2)
        try session.tasks.insert(note)
        try session.photos.setHidden(Samples.now, hidden.photo)
        try session.tracks.setHidden(Samples.now, track: hiddenTrack.id)
        try session.devices.insert(device.enrolled())
        try session.chains.keep(ReceivedLink(seal), inspector: login, at: Samples.now)
      }
    }
  }

  /// Runs `body` on an office with the rows of two inspectors.
  private func withRows(
    _ engine: OfficeEngine,
    _ body: (_ database: any OfficeDatabase, _ mine: Rows, _ his: Rows) async throws -> Void
  ) async throws {
    var samples = Samples()
    let (mine, his) = (try Rows(of: "ines", &samples), try Rows(of: "ivan", &samples))
    try await engine.withOffice { database in
      try await mine.add(to: database)
      try await his.add(to: database)
      try await body(database, mine, his)
      // The wall stands from the other side, too.
      try await body(database, his, mine)
    }
  }

  private func expectUnknown<Value>(
    _ read: () throws -> Value, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
      _ = try read()
    }
    #expect(error?.code == "unknown", sourceLocation: sourceLocation)
  }

  @Test(
    "lists of tasks have the inspector's own alone, whatever a filter asks for",
    arguments: OfficeEngines.all)
  func taskLists(engine: OfficeEngine) async throws {
    try await withRows(engine) { database, mine, his in
      try await database.read(in: "north", ofInspector: mine.login) { session in
        let tasks = session.tasks
        let own: Set = [mine.task.id, mine.decided.id]
        for column in TaskSorting.Column.allCases {
          let order = TaskSorting(column)
          let all = try tasks.identifiers(TaskFilter(), order, at: now)
          #expect(all.count == 2 && Set(all) == own)
          let page = try tasks.page(TaskFilter(), order, at: now, limit: 9, offset: 0)
          #expect(page.map(\.id) == all)
          #expect(try tasks.page(TaskFilter(), order, at: now, limit: 9, offset: 2).isEmpty)
          let first = try tasks.neighbours(of: all[0], TaskFilter(), order, at: now)
          #expect(first.previous == nil && first.next == all[1])
          let last = try tasks.neighbours(of: all[1], TaskFilter(), order, at: now)
          #expect(last.previous == all[0] && last.next == nil)
          expectUnknown { try tasks.neighbours(of: his.task.id, TaskFilter(), order, at: now) }
        }
        for filter in [
          TaskFilter(text: "of \(his.login)"), TaskFilter(inspector: his.login),
          TaskFilter(type: "type of \(his.login)"),
        ] {
          #expect(try tasks.count(filter, at: now) == 0)
          #expect(try tasks.identifiers(filter, TaskSorting(), at: now).isEmpty)
          #expect(try tasks.page(filter, TaskSorting(), at: now, limit: 9, offset: 0).isEmpty)
        }
        #expect(try tasks.count(TaskFilter(), at: now) == 2)
        #expect(try tasks.count(TaskFilter(photos: .clean), at: now) == 1)
        #expect(try tasks.types() == ["type of \(mine.login)"])
      }
    }
  }

  @Test(
    "a task and all that belongs to it is read by its own inspector alone",
    arguments: OfficeEngines.all)
  func tasks(engine: OfficeEngine) async throws {
    try await withRows(engine) { database, mine, his in
      try await database.read(in: "north", ofInspector: mine.login) { session throws -> Void in
        #expect(try session.tasks.task(mine.task.id) == mine.task)
        #expect(
          try session.tasks.earlierOrders(of: mine.task.id).map(\.name) == [mine.earlier.name])
        #expect(try session.tasks.conflicts(of: mine.task.id) == [mine.conflict])
        #expect(
          try session.tasks.late(ofTask: mine.decided.id)
            == LateRecords(photos: [mine.late], tracks: [mine.lateTrack], notes: [mine.note]))
        expectUnknown { try session.tasks.task(his.task.id) }
        #expect(try session.tasks.earlierOrders(of: his.task.id).isEmpty)
        #expect(try session.tasks.conflicts(of: his.task.id).isEmpty)
        #expect(try session.tasks.late(ofTask: his.decided.id) == LateRecords())
      }
    }
  }

  @Test("photos are read by their own inspector alone", arguments: OfficeEngines.all)
  func photos(engine: OfficeEngine) async throws {
    try await withRows(engine) { database, mine, his in
      try await database.read(in: "north", ofInspector: mine.login) { session in
        let photos = session.photos
        let own = [mine.photo, mine.alone, mine.hidden, mine.late].map(\.photo.id)
        #expect(Set(try photos.list(.all).map(\.photo.id)) == Set(own))
        #expect(try photos.list(.task(mine.task.id)) == [mine.photo])
        #expect(try photos.list(.task(his.task.id)).isEmpty)
        let alone = Set([mine.alone, mine.late].map(\.photo.id))
        #expect(Set(try photos.list(.standalone).map(\.photo.id)) == alone)
        let parts: [(Selection, Int)] = [(.all, 4), (.standalone, 2), (.task(his.task.id), 0)]
        for (selection, count) in parts {
          var handed: [String] = []
          try photos.forEach(selection) { handed.append($0.photo.inspector) }
          #expect(handed == Array(repeating: mine.login, count: count))
        }
        #expect(
          try photos.counts(of: [mine.task.id, his.task.id]) == [
            mine.task.id: PhotoCount(photos: 1, first: mine.photo.photo.id),
            his.task.id: PhotoCount(),
          ])
        #expect(try photos.photo(mine.alone.photo.id) == mine.alone)
        for photo in [his.photo, his.alone, his.hidden, his.late] {
          expectUnknown { try photos.photo(photo.photo.id) }
        }
        for inspector in [nil, mine.login] {
          let shown = try photos.standalone(
            isHidden: false, inspector: inspector, limit: 9, offset: 0)
          #expect(Set(shown.map(\.photo.id)) == alone)
          let hidden = try photos.standalone(
            isHidden: true, inspector: inspector, limit: 9, offset: 0)
          #expect(hidden.map(\.photo.id) == [mine.hidden.photo.id])
          #expect(try photos.standaloneCount(isHidden: false, inspector: inspector) == 2)
          #expect(try photos.standaloneCount(isHidden: true, inspector: inspector) == 1)
        }
        let foreign = try photos.standalone(
          isHidden: false, inspector: his.login, limit: 9, offset: 0)
        #expect(foreign.isEmpty)
        #expect(try photos.standaloneCount(isHidden: true, inspector: his.login) == 0)
      }
    }
  }

  @Test("tracks are read by their own inspector alone", arguments: OfficeEngines.all)
  func tracks(engine: OfficeEngine) async throws {
    try await withRows(engine) { database, mine, his in
      try await database.read(in: "north", ofInspector: mine.login) { session in
        let tracks = session.tracks
        let own: Set = [mine.track.id, mine.hiddenTrack.id, mine.lateTrack.id]
        #expect(Set(try tracks.identifiers(.all)) == own)
        #expect(try tracks.identifiers(.standalone) == [mine.lateTrack.id])
        #expect(try tracks.identifiers(.task(mine.task.id)) == [mine.track.id])
        #expect(try tracks.identifiers(.task(his.task.id)).isEmpty)
        #expect(try tracks.track(mine.track.id) == mine.track)
        for track in [his.track, his.hiddenTrack, his.lateTrack] {
          expectUnknown { try tracks.track(track.id) }
        }
        let counts: [(String?, Int, Int)] = [(nil, 2, 1), (mine.login, 2, 1), (his.login, 0, 0)]
        for (inspector, shown, hidden) in counts {
          let page = try tracks.page(isHidden: false, inspector: inspector, limit: 9, offset: 0)
          #expect(page.count == shown && page.allSatisfy { own.contains($0.id) })
          #expect(try tracks.count(isHidden: false, inspector: inspector) == shown)
          let shelved = try tracks.page(isHidden: true, inspector: inspector, limit: 9, offset: 0)
          #expect(shelved.count == hidden && shelved.allSatisfy { own.contains($0.id) })
          #expect(try tracks.count(isHidden: true, inspector: inspector) == hidden)
        }
      }
    }
  }

  @Test("seals are read by their own inspector alone", arguments: OfficeEngines.all)
  func seals(engine: OfficeEngine) async throws {
    try await withRows(engine) { database, mine, his in
      try await database.read(in: "north", ofInspector: mine.login) { session throws -> Void in
        #expect(try session.seals.seal(of: mine.photo.photo.id, .capture) == mine.seal)
        #expect(try session.seals.seal(of: his.photo.photo.id, .capture) == nil)
        #expect(
          try session.seals.taskNamed(byRecordOf: his.photo.photo.id, .capture) == nil)
      }
    }
  }

  @Test(
    "a photo that another inspector took for a task is not shown with it",
    arguments: OfficeEngines.all)
  func helped(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task(state: .accepted)
    let (photo, track) = (
      try samples.photo(of: "ivan", task: task.id), samples.track(of: "ivan", task: task.id)
    )
    var behind = try samples.photo(of: "ivan")
    behind.lateTask = task.id
    let late = behind
    let lateTrack = samples.track(of: "ivan", lateTask: task.id)
    try await engine.withOffice { database in
      try await database.add(tasks: [task], photos: [photo, late], tracks: [track, lateTrack])
      try await database.read(in: "north", ofInspector: "ines") { session throws -> Void in
        #expect(try session.tasks.task(task.id) == task)
        #expect(try session.photos.list(.task(task.id)).isEmpty)
        #expect(try session.tracks.identifiers(.task(task.id)).isEmpty)
        #expect(try session.tasks.late(ofTask: task.id) == LateRecords())
      }
      try await database.read(in: "north", ofInspector: "ivan") { session throws -> Void in
        expectUnknown { try session.tasks.task(task.id) }
        #expect(try session.photos.list(.task(task.id)) == [photo])
      }
    }
  }

  @Test(
    "without an inspector all of the agency's rows are read, and no other agency's by any login",
    arguments: OfficeEngines.all)
  func everybody(engine: OfficeEngine) async throws {
    try await withRows(engine) { database, mine, his in
      try await database.read(in: "north", ofInspector: nil) { session throws -> Void in
        #expect(try session.tasks.count(TaskFilter(), at: now) == 4)
        #expect(try session.tasks.task(his.task.id) == his.task)
        #expect(try session.photos.list(.all).count == 8)
        #expect(try session.tracks.count(isHidden: false, inspector: nil) == 4)
        #expect(try session.seals.seal(of: his.photo.photo.id, .capture) == his.seal)
      }
      for login in ["", "nobody", "sara", "otto"] {
        try await database.read(in: "north", ofInspector: login) { session throws -> Void in
          #expect(try session.tasks.count(TaskFilter(), at: now) == 0)
          #expect(try session.tasks.types().isEmpty)
          #expect(try session.photos.list(.all).isEmpty)
          #expect(try session.tracks.identifiers(.all).isEmpty)
        }
      }
      for login in [nil, mine.login] {
        try await database.read(in: "south", ofInspector: login) { session throws -> Void in
          #expect(try session.tasks.count(TaskFilter(), at: now) == 0)
          #expect(try session.photos.standaloneCount(isHidden: false, inspector: nil) == 0)
          #expect(try session.tracks.count(isHidden: false, inspector: nil) == 0)
          #expect(try session.seals.seal(of: mine.photo.photo.id, .capture) == nil)
        }
      }
    }
  }
}
