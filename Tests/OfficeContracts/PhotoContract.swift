import Evidence
import Inspection
import Office
import Positioning
import Store
import Sync
import Testing
import TimeAndText

@Suite("The contract of photos", .timeLimit(.minutes(2)))
struct PhotoContract {
  private struct Stopped: Error {}

  private let now = Samples.now

  /// Returns the identifiers of photos, the oldest first; of the same moment, by identifier.
  private func oldestFirst(_ photos: [ReceivedPhoto]) -> [Identifier] {
    photos.sorted {
      ($0.photo.deviceTime, $0.photo.id) < ($1.photo.deviceTime, $1.photo.id)
    }.map(\.photo.id)
  }

  @Test(
    "a photo is read back as it was added, with its findings and checks in their order",
    arguments: OfficeEngines.all)
  func roundTrip(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task()
    var photo = try samples.photo(task: task.id, verdict: .doubtful, image: Samples.digest("image"))
    photo.photo.note = "wet"
    photo.photo.sent = Samples.time(3)
    photo.findings = [
      Finding(subject: "a", check: .chain, severity: .note, wording: "nothing of note"),
      Finding(
        subject: "b", check: .times, severity: .doubtful, wording: "late by \("7") seconds"),
    ]
    photo.checks = [
      PhotoCheck(.seal, .agrees, [.sequence: 4]),
      PhotoCheck(.times, .contradicts, [.fixAgeSeconds: 0.1, .distanceMetres: -1.5e-7]),
      PhotoCheck(
        .similar, .unclear, photos: [samples.id(), samples.id()], reason: .finding("alike")),
    ]
    let (whole, stranger, never) = (photo, try samples.photo(of: "sara"), samples.id())
    try await engine.withOffice { database in
      try await database.add(tasks: [task], photos: [whole])
      try await database.add(photos: [stranger], in: "south")
      try await database.read(in: "north") { session throws -> Void in
        #expect(try session.photos.photo(whole.photo.id) == whole)
        for id in [stranger.photo.id, never] {
          let error = #expect(throws: StoreError.self) { try session.photos.photo(id) }
          #expect(error?.code == "unknown")
        }
      }
    }
  }

  @Test(
    "an identifier that is taken is refused, in any agency, and counts nothing twice",
    arguments: OfficeEngines.all)
  func duplicates(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task()
    let photo = try samples.photo(task: task.id)
    var copy = photo
    copy.photo.note = "another"
    let second = copy
    copy.photo.task = nil
    let third = copy
    try await engine.withOffice { database in
      try await database.add(tasks: [task], photos: [photo])
      await #expect(throws: StoreError.self) { try await database.add(photos: [second]) }
      await #expect(throws: StoreError.self) {
        try await database.add(photos: [third], in: "south")
      }
      try await database.read(in: "north") { session throws -> Void in
        #expect(try session.photos.list(.all) == [photo])
        #expect(
          try session.photos.counts(of: [task.id]) == [
            task.id: PhotoCount(photos: 1, first: photo.photo.id)
          ])
        #expect(try session.map.things(in: try Samples.world(), level: 3) == 1)
      }
      #expect(try await database.read(in: "south") { try $0.photos.list(.all) }.isEmpty)
    }
  }

  @Test(
    "lists are the oldest first, of a task, of no task and not hidden, or all",
    arguments: OfficeEngines.all)
  func lists(engine: OfficeEngine) async throws {
    var samples = Samples()
    let (task, other) = (samples.task(), samples.task())
    var photos: [ReceivedPhoto] = []
    for number in 0..<15 {
      let owner = [nil, task.id, other.id][number % 3]
      photos.append(
        try samples.photo(
          of: number % 2 == 0 ? "ines" : "ivan", task: owner, after: Double(number % 4),
          deletedReason: number % 7 == 6 ? "blurred" : nil))
    }
    let (all, alone) = (photos, photos.filter { $0.photo.task == nil })
    try await engine.withOffice { database in
      try await database.add(tasks: [task, other], photos: all)
      try await database.write(in: "north") { try $0.photos.setHidden(now, alone[1].photo) }
      let shown = alone.filter { $0.photo.id != alone[1].photo.id }
      let ofTask = all.filter { $0.photo.task == task.id }
      try await database.read(in: "north") { session in
        let parts: [(Selection, [ReceivedPhoto])] = [
          (.all, all), (.standalone, shown), (.task(task.id), ofTask),
          (.task(alone[0].photo.id), []),
        ]
        for (selection, expected) in parts {
          let listed = try session.photos.list(selection)
          #expect(listed.map(\.photo.id) == oldestFirst(expected), "\(selection)")
          var handed: [ReceivedPhoto] = []
          try session.photos.forEach(selection) { handed.append($0) }
          #expect(handed == listed, "\(selection)")
        }
        let deleted = try session.photos.list(.all).filter { $0.deletedReason != nil }
        #expect(deleted.count == 2 && deleted.allSatisfy { $0.deleted != nil })
        var handed = 0
        #expect(throws: Stopped.self) {
          try session.photos.forEach(.all) { _ in
            handed += 1
            if handed == 3 { throw Stopped() }
          }
        }
        #expect(handed == 3)
      }
      #expect(try await database.read(in: "south") { try $0.photos.list(.task(task.id)) }.isEmpty)
    }
  }

  @Test(
    "a task's photos are counted by what their checks found, without the deleted ones",
    arguments: OfficeEngines.all)
  func counts(engine: OfficeEngine) async throws {
    var samples = Samples()
    let (task, empty, foreign) = (samples.task(), samples.task(), samples.task(of: "sara"))
    var against = try samples.photo(task: task.id)
    against.checks = [PhotoCheck(.aim, .contradicts)]
    let photos = [
      try samples.photo(task: task.id), against,
      try samples.photo(task: task.id, verdict: .altered),
      try samples.photo(task: task.id, verdict: nil),
      try samples.photo(task: task.id, verdict: nil, deletedReason: "blurred"),
    ]
    let hers = try samples.photo(of: "sara", task: foreign.id)
    try await engine.withOffice { database in
      try await database.add(tasks: [task, empty], photos: photos)
      try await database.add(tasks: [foreign], photos: [hers], in: "south")
      let before = try await database.read(in: "north") {
        try $0.photos.counts(of: [task.id, empty.id, foreign.id])
      }
      let some = PhotoCount(
        photos: 4, unchecked: 1, contradicted: 2, first: photos.prefix(4).map(\.photo.id).min())
      #expect(before == [task.id: some, empty.id: PhotoCount(), foreign.id: PhotoCount()])
      // The photo that waited for its checks is examined, and contradicts.
      var examined = photos[3]
      (examined.verdict, examined.checks) = (.intact, [PhotoCheck(.parcel, .contradicts)])
      examined.imageDigest = Samples.digest("image")
      examined.photo.bytes = 7
      let concluded = examined
      try await database.write(in: "north") { try $0.photos.keepChecks(of: concluded) }
      try await database.read(in: "north") { session in
        let after = try session.photos.counts(of: [task.id])
        #expect(
          after == [
            task.id: PhotoCount(photos: 4, unchecked: 0, contradicted: 3, first: some.first)
          ])
        #expect(try session.photos.photo(concluded.photo.id) == concluded)
        #expect(try session.photos.counts(of: []).isEmpty)
      }
    }
  }

  @Test(
    "pages of photos without a task are the newest first: shown or hidden, of one inspector or all",
    arguments: OfficeEngines.all)
  func standalonePages(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task()
    var made: [ReceivedPhoto] = []
    for number in 0..<12 {
      made.append(
        try samples.photo(of: number % 3 == 0 ? "ivan" : "ines", after: Double(number % 4)))
    }
    let photos = made
    let others = [try samples.photo(task: task.id), try samples.photo(deletedReason: "blurred")]
    let southern = try samples.photo(of: "sara")
    try await engine.withOffice { database in
      try await database.add(tasks: [task], photos: photos + others)
      try await database.add(photos: [southern], in: "south")
      try await database.write(in: "north") { session in
        for photo in photos[..<4] { try session.photos.setHidden(now, photo.photo) }
      }
      try await database.read(in: "north") { session in
        for (isHidden, inspector) in Samples.shelves {
          let part = Array(photos[(isHidden ? 0 : 4)..<(isHidden ? 4 : 12)])
          let expected = Array(
            oldestFirst(part.filter { inspector == nil || $0.photo.inspector == inspector })
              .reversed())
          let paged = try stride(from: 0, through: 12, by: 5).flatMap {
            try session.photos.standalone(
              isHidden: isHidden, inspector: inspector, limit: 5, offset: $0)
          }
          #expect(paged.map(\.photo.id) == expected, "\(isHidden) \(inspector ?? "all")")
          #expect(paged.allSatisfy { ($0.hidden != nil) == isHidden })
          let count = try session.photos.standaloneCount(isHidden: isHidden, inspector: inspector)
          #expect(count == expected.count)
          let first = try session.photos.standalone(
            isHidden: isHidden, inspector: inspector, after: nil, limit: 12)
          #expect(first.photos.map(\.photo.id) == expected && first.next == nil)
        }
      }
    }
  }

  @Test(
    "pages behind a place neither skip nor repeat a photo while others arrive",
    arguments: OfficeEngines.all)
  func standaloneArrivals(engine: OfficeEngine) async throws {
    var samples = Samples()
    let twins = [
      try samples.photo(after: 30), try samples.photo(after: 30), try samples.photo(after: 30),
    ]
    let rest = [try samples.photo(after: 20), try samples.photo(after: 10)]
    let late = [try samples.photo(after: 40), try samples.photo(after: 15)]
    try await engine.withOffice { database in
      try await database.add(photos: twins + rest)
      let expected = Array(oldestFirst(twins + rest).reversed())
      func page(_ place: ListPlace?, limit: Int) async throws -> ([Identifier], ListPlace?) {
        let page = try await database.read(in: "north") {
          try $0.photos.standalone(isHidden: false, inspector: nil, after: place, limit: limit)
        }
        return (page.photos.map(\.photo.id), page.next)
      }
      // The first page ends between photos of the same moment.
      let (first, next) = try await page(nil, limit: 2)
      #expect(first == Array(expected[..<2]))
      try await database.add(photos: late)
      try await database.write(in: "north") { session in
        let told = try session.photos.photo(first[0])
        try session.photos.setHidden(now, told.photo)
      }
      let (second, later) = try await page(next, limit: 2)
      #expect(second == Array(expected[2..<4]))
      let (third, end) = try await page(later, limit: 2)
      #expect(third == [late[1].photo.id, expected[4]])
      #expect(end == nil)
    }
  }

  @Test(
    "other photos with the same picture are found, all or those that arrived earlier",
    arguments: OfficeEngines.all)
  func samePicture(engine: OfficeEngine) async throws {
    var samples = Samples()
    let image = Samples.digest("image")
    // The times are against the order of arrival.
    let photos = [
      try samples.photo(after: 30, image: image), try samples.photo(after: 20, image: image),
      try samples.photo(after: 10, image: image), try samples.photo(image: Samples.digest("other")),
      try samples.photo(),
    ]
    let foreign = try samples.photo(of: "sara", image: image)
    try await engine.withOffice { database in
      try await database.add(photos: [foreign], in: "south")
      try await database.add(photos: photos)
      let ids = photos.map(\.photo.id)
      try await database.read(in: "north") { session in
        func found(_ place: Int, onlyEarlier: Bool) throws -> Set<Identifier> {
          Set(
            try session.photos.photos(
              withImage: image, except: ids[place], onlyEarlier: onlyEarlier))
        }
        #expect(try found(1, onlyEarlier: false) == [ids[0], ids[2]])
        #expect(try found(0, onlyEarlier: true) == [])
        #expect(try found(1, onlyEarlier: true) == [ids[0]])
        #expect(try found(2, onlyEarlier: true) == [ids[0], ids[1]])
        let none = try session.photos.photos(
          withImage: Samples.digest("never"), except: ids[0], onlyEarlier: false)
        #expect(none.isEmpty)
      }
    }
  }

  @Test(
    "photos that nobody has examined come in the order of their arrival, while others arrive",
    arguments: OfficeEngines.all)
  func unexamined(engine: OfficeEngine) async throws {
    var samples = Samples()
    var made: [ReceivedPhoto] = []
    for number in 0..<6 {
      made.append(
        try samples.photo(after: Double(-number), verdict: number == 2 ? .intact : nil))
    }
    let photos = made
    let (more, foreign) = (
      try samples.photo(after: -99, verdict: nil), try samples.photo(of: "sara", verdict: nil)
    )
    try await engine.withOffice { database in
      // The photos arrive one by one, with another agency's in between.
      for photo in photos[..<3] { try await database.add(photos: [photo]) }
      try await database.add(photos: [foreign], in: "south")
      for photo in photos[3...] { try await database.add(photos: [photo]) }
      func page(
        _ place: ListPlace, _ limit: Int, in agency: String = "north"
      ) async throws -> (ids: [Identifier], last: ListPlace) {
        let found = try await database.read(in: agency) {
          try $0.photos.unexaminedPhotos(after: place, limit: limit)
        }
        return (found.map(\.id), found.last?.place ?? place)
      }
      let first = try await page(.beginning, 2)
      #expect(first.ids == [photos[0].photo.id, photos[1].photo.id])
      // A photo that was told already gets its verdict, one that was not told gets one, too, and
      // another photo arrives.
      try await database.write(in: "north") { session in
        for place in [1, 3] {
          var examined = photos[place]
          examined.verdict = .intact
          try session.photos.keepChecks(of: examined)
        }
        try session.photos.insert(more)
      }
      let second = try await page(first.last, 2)
      #expect(second.ids == [photos[4].photo.id, photos[5].photo.id])
      let third = try await page(second.last, 2)
      #expect(third.ids == [more.photo.id])
      #expect(try await page(third.last, 2).ids.isEmpty)
      let again = try await page(.beginning, 9)
      #expect(again.ids == [0, 4, 5].map { photos[$0].photo.id } + [more.photo.id])
      #expect(try await page(.beginning, 9, in: "south").ids == [foreign.photo.id])
    }
  }

  @Test(
    "a photo without a task is given to one and taken back, and hidden and shown again",
    arguments: OfficeEngines.all)
  func handled(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task()
    let photo = try samples.photo()
    try await engine.withOffice { database in
      try await database.add(tasks: [task], photos: [photo])
      func state() async throws -> (photo: ReceivedPhoto, ofTask: Int, alone: Int, hidden: Int) {
        try await database.read(in: "north") { session in
          (
            try session.photos.photo(photo.photo.id),
            try session.photos.counts(of: [task.id])[task.id]?.photos ?? -1,
            try session.photos.standaloneCount(isHidden: false, inspector: nil),
            try session.photos.standaloneCount(isHidden: true, inspector: nil)
          )
        }
      }
      try await database.write(in: "north") {
        try $0.photos.assign(photo.photo, to: task.id, at: Samples.time(5))
      }
      let given = try await state()
      #expect(given.photo.photo.task == task.id && given.photo.assigned == Samples.time(5))
      #expect(given.ofTask == 1 && given.alone == 0 && given.hidden == 0)
      try await database.write(in: "north") {
        try $0.photos.assign(given.photo.photo, to: nil, at: Samples.time(6))
      }
      let back = try await state()
      #expect(back.photo == photo)
      #expect(back.ofTask == 0 && back.alone == 1)
      try await database.write(in: "north") {
        try $0.photos.setHidden(Samples.time(7), photo.photo)
      }
      let hidden = try await state()
      #expect(hidden.photo.hidden == Samples.time(7) && hidden.alone == 0 && hidden.hidden == 1)
      try await database.write(in: "north") { session in
        try session.photos.setHidden(nil, photo.photo)
        try session.photos.setNote("seen", ofPhoto: photo.photo.id)
      }
      let shown = try await state()
      #expect(shown.photo.photo.note == "seen" && shown.photo.hidden == nil && shown.alone == 1)
    }
  }

  @Test(
    "a photo is moved to an item of its task, unless its record names one, and leaves the task without",
    arguments: OfficeEngines.all)
  func moved(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task()
    let alone = try samples.photo()
    var sealed = try samples.photo(task: task.id)
    let (roof, door) = (try #require(ItemName("roof")), try #require(ItemName("door")))
    sealed.photo.item = door
    let named = sealed
    try await engine.withOffice { database in
      try await database.add(tasks: [task], photos: [alone, named])
      func photo(_ id: Identifier) async throws -> ReceivedPhoto {
        try await database.read(in: "north") { try $0.photos.photo(id) }
      }
      try await database.write(in: "north") { session in
        try session.photos.assign(alone.photo, to: task.id, at: Samples.now)
        try session.photos.move(alone.photo.id, toItem: roof)
      }
      let moved = try await photo(alone.photo.id)
      #expect(moved.officeItem == roof && moved.item == roof && moved.photo.item == nil)
      #expect(
        try await database.read(in: "north") { try $0.photos.list(.task(task.id)) }
          .contains(moved))
      await #expect(throws: StoreError.self) {
        try await database.write(in: "north") {
          try $0.photos.move(named.photo.id, toItem: roof)
        }
      }
      #expect(try await photo(named.photo.id) == named && named.item == door)
      let placed = moved.photo
      try await database.write(in: "north") { session in
        try session.photos.assign(placed, to: nil, at: Samples.now)
      }
      #expect(try await photo(alone.photo.id) == alone)
    }
  }

  @Test("no function changes another agency's photo", arguments: OfficeEngines.all)
  func foreign(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task()
    let photo = try samples.photo(of: "sara", verdict: nil, image: Samples.digest("image"))
    var other = photo
    (other.verdict, other.imageDigest, other.photo.bytes) = (.altered, nil, 1)
    let examined = other
    try await engine.withOffice { database in
      try await database.add(tasks: [task])
      try await database.add(photos: [photo], in: "south")
      let attempts: [(any AgencyTransaction) throws -> Void] = [
        { try $0.photos.setNote("wet", ofPhoto: photo.photo.id) },
        { try $0.photos.keepChecks(of: examined) },
        { try $0.photos.setHidden(Samples.now, photo.photo) },
        { try $0.photos.assign(photo.photo, to: task.id, at: Samples.now) },
        { try $0.photos.move(photo.photo.id, toItem: ItemName("roof")) },
      ]
      for attempt in attempts {
        // The attempt may be refused or change nothing; it may not change the other agency's photo.
        do { try await database.write(in: "north", attempt) } catch is StoreError {}
        let kept = try await database.read(in: "south") { try $0.photos.photo(photo.photo.id) }
        #expect(kept == photo)
        #expect(try await database.read(in: "north") { try $0.photos.list(.all) }.isEmpty)
      }
    }
  }
}
