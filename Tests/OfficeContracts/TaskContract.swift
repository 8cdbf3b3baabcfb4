import Inspection
import Office
import Positioning
import Store
import Sync
import Testing
import TimeAndText

@Suite("The contract of tasks: their records", .timeLimit(.minutes(2)))
struct TaskContract {
  private let now = Samples.now
  private let ines = Person(agency: "north", login: "ines", role: .inspector)

  @Test(
    "a task is read back as it was ordered, and one that is not there is unknown",
    arguments: OfficeEngines.all)
  func roundTrip(engine: OfficeEngine) async throws {
    var samples = Samples()
    var whole = samples.task(
      "Größe ' \" \\ 😀", type: "beet", due: Samples.time(5), parcel: try Samples.parcel("P-1"))
    whole.instructions = "two\nlines"
    whole.note = ""
    let (task, bare, stranger, never) = (
      whole, samples.task(), samples.task(of: "sara"), samples.id()
    )
    try await engine.withOffice { database in
      try await database.add(tasks: [task, bare])
      try await database.add(tasks: [stranger], in: "south")
      try await database.read(in: "north") { session throws -> Void in
        #expect(try session.tasks.task(task.id) == task)
        #expect(try session.tasks.task(bare.id) == bare)
        for id in [stranger.id, never] {
          let error = #expect(throws: StoreError.self) { try session.tasks.task(id) }
          #expect(error?.code == "unknown")
        }
      }
    }
  }

  @Test(
    "an identifier that is taken is refused, in any agency, and the first task stays as it is",
    arguments: OfficeEngines.all)
  func duplicates(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task("first", parcel: try Samples.parcel("P-1"))
    var copy = task
    copy.name = "second"
    let second = copy
    copy.inspector = "sara"
    let third = copy
    try await engine.withOffice { database in
      try await database.add(tasks: [task])
      await #expect(throws: StoreError.self) { try await database.add(tasks: [second]) }
      await #expect(throws: StoreError.self) { try await database.add(tasks: [third], in: "south") }
      try await database.read(in: "north") { session throws -> Void in
        #expect(try session.tasks.task(task.id) == task)
        #expect(try session.tasks.count(TaskFilter(), at: now) == 1)
        #expect(try session.map.things(in: try Samples.world(), level: 3) == 1)
      }
      let southern = try await database.read(in: "south") {
        try $0.tasks.count(TaskFilter(), at: now)
      }
      #expect(southern == 0)
    }
  }

  @Test(
    "an order that is replaced stays readable, the oldest first; state and note stay the task's",
    arguments: OfficeEngines.all)
  func replaced(engine: OfficeEngine) async throws {
    var samples = Samples()
    var first = samples.task("first", type: "beet", state: .open, parcel: try Samples.parcel("P-1"))
    (first.note, first.instructions) = ("wet", "look")
    first.sets = try OrderedSets(aroundSectors: 72, turnViews: nil)
    var second = first
    (second.name, second.revision, second.type, second.due) = ("second", 2, nil, Samples.time(9))
    second.parcel = try Samples.parcel("P-2", at: 50, 17)
    second.sets = try OrderedSets(aroundSectors: 4, turnViews: 12)
    var third = second
    (third.name, third.revision, third.parcel) = ("third", 3, nil)
    let orders = [first, second, third]
    try await engine.withOffice { database in
      try await database.add(tasks: [orders[0]])
      for number in 1...2 {
        try await database.write(in: "north") {
          try $0.tasks.replaceOrder(
            of: orders[number - 1], with: orders[number], at: Samples.time(Double(number)))
        }
      }
      try await database.read(in: "north") { session in
        #expect(try session.tasks.task(orders[0].id) == orders[2])
        let earlier = try session.tasks.earlierOrders(of: orders[0].id)
        #expect(earlier.map(\.name) == ["first", "second"])
        #expect(earlier.map(\.replaced) == [Samples.time(1), Samples.time(2)])
        #expect(earlier.map(\.parcel) == [orders[0].parcel, orders[1].parcel])
        #expect(earlier.map(\.sets) == [orders[0].sets, orders[1].sets])
        #expect(earlier.first?.instructions == "look" && earlier.last?.due == Samples.time(9))
        // The map has the task where its parcel lies now: nowhere.
        #expect(try session.map.things(in: try Samples.world(), level: 3) == 0)
      }
      let foreign = try await database.read(in: "south") {
        try $0.tasks.earlierOrders(of: orders[0].id)
      }
      #expect(foreign.isEmpty)
    }
  }

  @Test(
    "transitions make a task's history and state; those that could not be made stand apart",
    arguments: OfficeEngines.all)
  func transitions(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task()
    var opened = task
    let open = try opened.perform(
      .open, by: ines, id: samples.id(), at: Samples.time(9), contents: TaskContents(photos: 0))
    var provided = opened
    // The clock was behind: the history keeps the order in which the steps were saved.
    let provide = try provided.perform(
      .provide, by: ines, id: samples.id(), at: Samples.time(1), contents: TaskContents(photos: 1))
    let (afterOpen, afterProvide) = (opened, provided)
    let conflict = TransitionConflict(
      transition: TaskTransition(
        id: samples.id(), action: .takeBack, from: .dataProvided, to: .open, person: ines,
        time: Samples.time(2), reason: "too early"), reason: "the office has \("decided") already")
    try await engine.withOffice { database in
      try await database.add(tasks: [task])
      try await database.write(in: "north") { session in
        try session.tasks.save(open, of: afterOpen, revision: 1)
        try session.tasks.save(conflict, of: afterOpen, revision: nil)
        try session.tasks.save(provide, of: afterProvide, revision: 1)
      }
      try await database.read(in: "north") { session throws -> Void in
        #expect(try session.tasks.task(task.id) == afterProvide)
        #expect(try session.tasks.task(task.id).history == [open, provide])
        #expect(try session.tasks.conflicts(of: task.id) == [conflict])
        for known in [open.id, provide.id, conflict.transition.id] {
          #expect(try session.tasks.knowsTransition(known))
        }
        #expect(try !session.tasks.knowsTransition(task.id))
      }
      try await database.read(in: "south") { session throws -> Void in
        #expect(try !session.tasks.knowsTransition(open.id))
        #expect(try session.tasks.conflicts(of: task.id).isEmpty)
      }
      await #expect(throws: StoreError.self) {
        try await database.write(in: "north") {
          try $0.tasks.save(open, of: afterOpen, revision: 1)
        }
      }
      #expect(try await database.read(in: "north") { try $0.tasks.task(task.id) } == afterProvide)
    }
  }

  @Test("a task is found by the reference of its own agency", arguments: OfficeEngines.all)
  func references(engine: OfficeEngine) async throws {
    var samples = Samples()
    let (task, other, southern) = (samples.task(), samples.task(), samples.task(of: "sara"))
    try await engine.withOffice { database in
      try await database.add(tasks: [task, other])
      try await database.add(tasks: [southern], in: "south")
      try await database.write(in: "north") { session in
        try session.tasks.keep(reference: "A-1", ofTask: task.id)
        try session.tasks.keep(reference: "A-2", ofTask: other.id)
      }
      try await database.write(in: "south") {
        try $0.tasks.keep(reference: "A-1", ofTask: southern.id)
      }
      try await database.read(in: "north") { session throws -> Void in
        #expect(try session.tasks.task(withReference: "A-1") == task.id)
        #expect(try session.tasks.task(withReference: "A-2") == other.id)
        #expect(try session.tasks.task(withReference: "a-1") == nil)
        #expect(try session.tasks.task(withReference: "A") == nil)
      }
      try await database.read(in: "south") { session throws -> Void in
        #expect(try session.tasks.task(withReference: "A-1") == southern.id)
        #expect(try session.tasks.task(withReference: "A-2") == nil)
      }
    }
  }

  @Test(
    "late records stand beside their task: photos and tracks the oldest first, notes as they came",
    arguments: OfficeEngines.all)
  func late(engine: OfficeEngine) async throws {
    var samples = Samples()
    let (task, other) = (samples.task(state: .accepted), samples.task(state: .accepted))
    let photos = try [5.0, 1, 1].map { seconds in
      var photo = try samples.photo(after: seconds, deletedReason: seconds == 5 ? "blurred" : nil)
      photo.lateTask = task.id
      return photo
    }
    let tracks = [7.0, 3].map { samples.track(after: $0, lateTask: task.id) }
    let notes = [2.0, 4].map { seconds in
      LateNote(
        id: samples.id(), inspector: "ines", task: task.id,
        photo: seconds == 4 ? photos[0].photo.id : nil, text: "at \(seconds)",
        received: Samples.time(seconds))
    }
    var copy = notes[0]
    copy.text = "other words"
    let again = copy
    try await engine.withOffice { database in
      try await database.add(tasks: [task, other], photos: photos, tracks: tracks)
      try await database.write(in: "north") { session in
        for note in notes.reversed() { try session.tasks.insert(note) }
        try session.tasks.insert(again)
      }
      try await database.read(in: "north") { session in
        let late = try session.tasks.late(ofTask: task.id)
        let alike = photos[1...].sorted { $0.photo.id < $1.photo.id }
        #expect(late.photos == alike + [photos[0]])
        #expect(late.tracks == Array(tracks.reversed()))
        #expect(late.notes == notes, "a known note stays as it is")
        #expect(try session.tasks.late(ofTask: other.id).count == 0)
        #expect(try session.photos.list(.task(task.id)).isEmpty)
      }
      let foreign = try await database.read(in: "south") { try $0.tasks.late(ofTask: task.id) }
      #expect(foreign.count == 0)
    }
  }

  @Test("tallies count each inspector's own tasks, photos and tracks", arguments: OfficeEngines.all)
  func tallies(engine: OfficeEngine) async throws {
    var samples = Samples()
    let tasks = [
      samples.task(state: .open, due: Samples.time(-1)), samples.task(due: Samples.time(1)),
      samples.task(state: .dataProvided, due: Samples.time(-1)), samples.task(state: .withdrawn),
      samples.task(of: "ivan", state: .returned),
    ]
    let photos = [
      try samples.photo(), try samples.photo(), try samples.photo(task: tasks[0].id),
      try samples.photo(deletedReason: "blurred"), try samples.photo(of: "otto"),
    ]
    let tracks = [samples.track(), samples.track(task: tasks[0].id), samples.track()]
    let southern = samples.task(of: "sara")
    try await engine.withOffice { database in
      try await database.add(tasks: tasks, photos: photos, tracks: tracks)
      try await database.add(tasks: [southern], in: "south")
      try await database.write(in: "north") { session in
        try session.photos.setHidden(now, photos[1].photo)
        try session.tracks.setHidden(now, track: tracks[2].id)
      }
      let tallies = try await database.read(in: "north") {
        try $0.tasks.inspectorTallies(at: now)
      }
      var ines = InspectorTally()
      (ines.open, ines.waiting, ines.overdue, ines.photos, ines.tracks) = (2, 1, 1, 1, 2)
      var ivan = InspectorTally()
      ivan.open = 1
      var otto = InspectorTally()
      otto.photos = 1
      #expect(tallies == ["ines": ines, "ivan": ivan, "otto": otto])
    }
  }

  @Test("no function changes another agency's task", arguments: OfficeEngines.all)
  func foreign(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task("hers", of: "sara", parcel: try Samples.parcel("P-1"))
    var later = task
    (later.name, later.revision) = ("changed", 2)
    let order = later
    var opened = task
    let step = try opened.perform(
      .open, by: ines, id: samples.id(), at: now, contents: TaskContents(photos: 0))
    let open = opened
    try await engine.withOffice { database in
      try await database.add(tasks: [task], in: "south")
      let attempts: [(any AgencyTransaction) throws -> Void] = [
        { try $0.tasks.setNote("wet", of: task.id) },
        { try $0.tasks.replaceOrder(of: task, with: order, at: Samples.now) },
        { try $0.tasks.save(step, of: open, revision: 1) },
      ]
      for attempt in attempts {
        // The attempt may be refused or change nothing; it may not change the other agency's task.
        do { try await database.write(in: "north", attempt) } catch is StoreError {}
        try await database.read(in: "south") { session throws -> Void in
          #expect(try session.tasks.task(task.id) == task)
          #expect(try session.tasks.earlierOrders(of: task.id).isEmpty)
        }
      }
    }
  }
}
