import Evidence
import Inspection
import Office
import Positioning
import Store
import Sync
import Testing
import TimeAndText

@Suite("The contract of writes: none reaches a row of another agency", .timeLimit(.minutes(2)))
struct WallContract {
  @Test(
    "results of checks and raw windows of another agency's photo are refused, and it stays as it was",
    arguments: OfficeEngines.all)
  func checks(engine: OfficeEngine) async throws {
    var samples = Samples()
    let photo = try samples.photo()
    let id = photo.photo.id
    let own = PhotoCheck(.aim, .contradicts, [.missDegrees: 30])
    let foreign = PhotoCheck(.aim, .agrees, [.missDegrees: 1])
    let first = try #require(WindowUse(key: "north", first: 1, last: 9, epochs: [1, 2]))
    let second = try #require(WindowUse(key: "south", first: 1, last: 9, epochs: [1, 2]))
    try await engine.withOffice { database in
      try await database.add(photos: [photo])
      for isKnown in [false, true] {
        await #expect(throws: StoreError.self) {
          try await database.write(in: "south") { try $0.checks.keep([foreign], ofPhoto: id) }
        }
        await #expect(throws: StoreError.self) {
          try await database.write(in: "south") { try $0.checks.keep(second, ofPhoto: id) }
        }
        let seen = try await database.read(in: "north") { try $0.photos.photo(id).checks }
        #expect(seen == (isKnown ? [own] : []))
        try await database.write(in: "north") { session in
          try session.checks.keep([own], ofPhoto: id)
          try session.checks.keep(first, ofPhoto: id)
        }
      }
      let other = samples.id()
      let found = try await database.read(in: "north") {
        try $0.checks.windows(overlapping: second, except: other)
      }
      #expect(found.map(\.photo) == [id] && found.map(\.use.key) == ["north"])
    }
  }

  @Test(
    "a link and the clock of a key that another agency has are refused, and stay as they were",
    arguments: OfficeEngines.all)
  func chains(engine: OfficeEngine) async throws {
    var (samples, device) = (Samples(), SealingDevice())
    let link = ReceivedLink(try device.seal(.note, samples.id()))
    let (key, enrolled) = (device.thumbprint, device.enrolled())
    let clock = ChainClock(sequence: 4, order: ClockOrder())
    try await engine.withOffice { database in
      try await database.write(in: "north") { session in
        try session.devices.insert(enrolled)
        try session.chains.keep(link, inspector: "ines", at: Samples.now)
        try session.chains.keep(clock, ofKey: key)
      }
      await #expect(throws: StoreError.self) {
        try await database.write(in: "south") {
          try $0.chains.keep(link, inspector: "sara", at: Samples.now)
        }
      }
      await #expect(throws: StoreError.self) {
        try await database.write(in: "south") {
          try $0.chains.keep(ChainClock(sequence: 9, order: ClockOrder()), ofKey: key)
        }
      }
      let (links, kept) = try await database.read(in: "north") { session in
        (try session.chains.links(ofKey: key), try session.chains.chainClock(ofKey: key))
      }
      #expect(links == [link] && kept == clock)
      #expect(try await database.read(in: "south") { try $0.chains.links(ofKey: key) }.isEmpty)
    }
  }

  @Test(
    "no write reaches a task, a photo or a track of another agency, or leaves a row beside it",
    arguments: OfficeEngines.all)
  func rows(engine: OfficeEngine) async throws {
    var samples = Samples()
    let inspector = Person(agency: "north", login: "ines", role: .inspector)
    let (task, track) = (samples.task(), samples.track())
    let photo = try samples.photo()
    var (opened, ordered) = (task, task)
    let open = try opened.perform(
      .open, by: inspector, id: samples.id(), at: Samples.time(9), contents: TaskContents(photos: 0)
    )
    (ordered.name, ordered.revision) = ("Another", task.revision + 1)
    let conflict = TransitionConflict(
      transition: TaskTransition(
        id: samples.id(), action: .takeBack, from: .dataProvided, to: .open, person: inspector,
        time: Samples.time(2), reason: "too early"), reason: "the office has \("decided") already")
    let note = LateNote(
      id: samples.id(), inspector: "ines", task: task.id, photo: nil, text: "late",
      received: Samples.now)
    let writes: [@Sendable (any AgencyTransaction) throws -> Void] = [
      { [opened] in try $0.tasks.save(open, of: opened, revision: 1) },
      { [opened] in try $0.tasks.save(conflict, of: opened, revision: nil) },
      { [ordered] in try $0.tasks.replaceOrder(of: task, with: ordered, at: Samples.now) },
      { try $0.tasks.setNote("theirs", of: task.id) }, { try $0.tasks.insert(note) },
      { try $0.tasks.keep(reference: "R-1", ofTask: task.id) },
      { try $0.photos.assign(photo.photo, to: nil, at: Samples.now) },
      { try $0.photos.setHidden(Samples.now, photo.photo) },
      { try $0.photos.setNote("theirs", ofPhoto: photo.photo.id) },
      { try $0.photos.keepChecks(of: photo) },
      { try $0.tracks.setHidden(Samples.now, track: track.id) },
    ]
    try await engine.withOffice { database in
      try await database.add(tasks: [task], photos: [photo], tracks: [track])
      for (index, write) in writes.enumerated() {
        await #expect(throws: StoreError.self, "write \(index)") {
          try await database.write(in: "south", write)
        }
      }
      try await database.read(in: "north") { session throws -> Void in
        #expect(try session.tasks.task(task.id) == task)
        #expect(try session.photos.photo(photo.photo.id) == photo)
        #expect(try session.tracks.track(track.id) == track)
      }
      try await database.read(in: "south") { session throws -> Void in
        #expect(try !session.tasks.knowsTransition(open.id))
        #expect(try session.tasks.earlierOrders(of: task.id).isEmpty)
        #expect(try session.tasks.conflicts(of: task.id).isEmpty)
        #expect(try session.tasks.late(ofTask: task.id).notes.isEmpty)
        #expect(try session.tasks.task(withReference: "R-1") == nil)
        #expect(try session.map.things(in: try Samples.world(), level: 1) == 0)
      }
    }
  }

  @Test("an entry of the log is its transaction's agency's", arguments: OfficeEngines.all)
  func log(engine: OfficeEngine) async throws {
    let entry = LogEntry(
      agency: "south", time: Samples.now, person: "otto", action: "tried", subject: "a wall",
      detail: nil)
    try await engine.withOffice { database in
      try await database.write(in: "north") { try $0.log.add(entry) }
      let (north, south) = (
        try await database.read(in: "north") { try $0.log.newest(limit: 5) },
        try await database.read(in: "south") { try $0.log.newest(limit: 5) }
      )
      #expect(north.first?.action == "tried" && north.first?.agency == "north")
      #expect(!south.contains { $0.action == "tried" })
    }
  }
}
