import Inspection
import Office
import Positioning
import Store
import Sync
import Testing
import TimeAndText

@Suite("The contract of tracks", .timeLimit(.minutes(2)))
struct TrackContract {
  private let now = Samples.now

  /// Returns the identifiers of tracks, the oldest first; of the same moment, by identifier.
  private func oldestFirst(_ tracks: [ReceivedTrack]) -> [Identifier] {
    tracks.sorted { ($0.started, $0.id) < ($1.started, $1.id) }.map(\.id)
  }

  @Test(
    "a track is read back as it was added, with and without measures; others are unknown",
    arguments: OfficeEngines.all)
  func roundTrip(engine: OfficeEngine) async throws {
    var samples = Samples()
    let (task, late) = (samples.task(), samples.task(state: .accepted))
    var bare = samples.track(lateTask: late.id)
    bare.measures = nil
    let (track, unreadable, deleted) = (samples.track(task: task.id), bare, samples.track())
    let (stranger, never) = (samples.track(of: "sara"), samples.id())
    try await engine.withOffice { database in
      try await database.add(tasks: [task, late], tracks: [track, unreadable])
      try await database.write(in: "north") {
        try $0.tracks.insert(deleted, deletedReason: "by mistake")
      }
      try await database.add(tracks: [stranger], in: "south")
      try await database.read(in: "north") { session throws -> Void in
        #expect(try session.tracks.track(track.id) == track)
        #expect(try session.tracks.track(unreadable.id) == unreadable)
        for id in [deleted.id, stranger.id, never] {
          let error = #expect(throws: StoreError.self) { try session.tracks.track(id) }
          #expect(error?.code == "unknown")
        }
        #expect(try session.tracks.isDeleted(track: deleted.id))
        #expect(try !session.tracks.isDeleted(track: track.id))
        #expect(try !session.tracks.isDeleted(track: never))
        #expect(try session.tracks.identifiers(.all).count == 2)
        #expect(try session.tracks.count(isHidden: false, inspector: nil) == 2)
      }
      #expect(try await database.read(in: "south") { try !$0.tracks.isDeleted(track: deleted.id) })
    }
  }

  @Test(
    "an identifier that is taken is refused, in any agency, and the first track stays",
    arguments: OfficeEngines.all)
  func duplicates(engine: OfficeEngine) async throws {
    var samples = Samples()
    let track = samples.track()
    var copy = track
    copy.name = "another"
    let second = copy
    try await engine.withOffice { database in
      try await database.add(tracks: [track])
      for agency in ["north", "south"] {
        await #expect(throws: StoreError.self) {
          try await database.add(tracks: [second], in: agency)
        }
      }
      #expect(try await database.read(in: "north") { try $0.tracks.track(track.id) } == track)
      #expect(try await database.read(in: "south") { try $0.tracks.identifiers(.all) }.isEmpty)
    }
  }

  @Test(
    "lists are the oldest first and pages the newest first, shown or hidden, of one or all",
    arguments: OfficeEngines.all)
  func lists(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task()
    var tracks: [ReceivedTrack] = []
    for number in 0..<12 {
      let inspector = number.isMultiple(of: 3) ? "ivan" : "ines"
      tracks.append(
        samples.track(
          of: inspector, task: number % 4 == 1 ? task.id : nil, after: Double(number % 5)))
    }
    let southern = samples.track(of: "sara")
    try await engine.withOffice { database in
      try await database.add(tasks: [task], tracks: tracks)
      try await database.add(tracks: [southern], in: "south")
      try await database.write(in: "north") { session in
        for track in tracks[..<4] { try session.tracks.setHidden(now, track: track.id) }
      }
      try await database.read(in: "north") { session in
        #expect(try session.tracks.identifiers(.all) == oldestFirst(tracks))
        let ofTask = tracks.filter { $0.task == task.id }
        #expect(try session.tracks.identifiers(.task(task.id)) == oldestFirst(ofTask))
        let alone = Array(tracks[4...]).filter { $0.task == nil }
        #expect(try session.tracks.identifiers(.standalone) == oldestFirst(alone))
        for (isHidden, inspector) in Samples.shelves {
          let part = Array(tracks[(isHidden ? 0 : 4)..<(isHidden ? 4 : 12)])
          let expected = Array(
            oldestFirst(part.filter { inspector == nil || $0.inspector == inspector }).reversed())
          var paged: [ReceivedTrack] = []
          for offset in [0, 5, 10] {
            paged += try session.tracks.page(
              isHidden: isHidden, inspector: inspector, limit: 5, offset: offset)
          }
          #expect(paged.map(\.id) == expected, "\(isHidden) \(inspector ?? "all")")
          #expect(paged.allSatisfy { $0.hidden == (isHidden ? now : nil) })
          #expect(
            try session.tracks.count(isHidden: isHidden, inspector: inspector) == expected.count)
          let whole = try session.tracks.page(
            isHidden: isHidden, inspector: inspector, after: nil, limit: 12)
          #expect(whole.tracks.map(\.id) == expected && whole.next == nil)
        }
      }
    }
  }

  @Test(
    "pages behind a place neither skip nor repeat a track while others arrive",
    arguments: OfficeEngines.all)
  func arrivals(engine: OfficeEngine) async throws {
    var samples = Samples()
    let twins = (0..<3).map { _ in samples.track(after: 30) }
    let rest = [samples.track(after: 20), samples.track(after: 10)]
    let late = [samples.track(after: 40), samples.track(after: 15)]
    try await engine.withOffice { database in
      try await database.add(tracks: twins + rest)
      let expected = Array(oldestFirst(twins + rest).reversed())
      func page(_ place: ListPlace?) async throws -> (ids: [Identifier], next: ListPlace?) {
        let page = try await database.read(in: "north") {
          try $0.tracks.page(isHidden: false, inspector: nil, after: place, limit: 2)
        }
        return (page.tracks.map(\.id), page.next)
      }
      let first = try await page(nil)
      #expect(first.ids == Array(expected[..<2]))
      try await database.add(tracks: late)
      try await database.write(in: "north") {
        try $0.tracks.setHidden(now, track: first.ids[1])
      }
      let second = try await page(first.next)
      #expect(second.ids == Array(expected[2..<4]))
      let third = try await page(second.next)
      #expect(third.ids == [late[1].id, expected[4]])
      #expect(third.next == nil)
    }
  }

  @Test("a track is hidden and shown again, by its own agency alone", arguments: OfficeEngines.all)
  func hidden(engine: OfficeEngine) async throws {
    var samples = Samples()
    let track = samples.track()
    try await engine.withOffice { database in
      try await database.add(tracks: [track])
      do {
        try await database.write(in: "south") { try $0.tracks.setHidden(now, track: track.id) }
      } catch is StoreError {}
      #expect(try await database.read(in: "north") { try $0.tracks.track(track.id) } == track)
      try await database.write(in: "north") { try $0.tracks.setHidden(now, track: track.id) }
      #expect(try await database.read(in: "north") { try $0.tracks.track(track.id).hidden } == now)
      try await database.write(in: "north") { try $0.tracks.setHidden(nil, track: track.id) }
      #expect(try await database.read(in: "north") { try $0.tracks.track(track.id) } == track)
    }
  }
}
