import Inspection
import Office
import Positioning
import Predecessor
import Store
import Sync
import Testing
import TimeAndText

@Suite("The contract of the predecessor's phones", .timeLimit(.minutes(2)))
struct PhoneContract {
  private let now = Samples.now

  private func sent(
    _ photo: ReceivedPhoto, created: String? = nil, digest: String? = nil
  ) -> PhonePhoto {
    PhonePhoto(
      photo: photo.photo.id, inspector: photo.photo.inspector, number: 0, userNumber: "17",
      created: created, digest: digest, digestHolds: digest.map { _ in true },
      fields: "{\"note\":\"wet\"}", received: now)
  }

  private func sent(_ track: ReceivedTrack, content: String) -> PhoneTrack {
    PhoneTrack(
      track: track.id, inspector: track.inspector, number: 0,
      contentDigest: Samples.digest(content), fields: "{}", points: "[]", received: now)
  }

  private func carried(
    _ kind: CarriedOver.Kind, _ number: Int64, _ subject: String, agency: String = "north",
    of inspector: String? = nil
  ) -> CarriedOver {
    CarriedOver(
      agency: agency, inspector: inspector, source: "old", kind: kind, number: number,
      subject: subject, marks: ["a", "b"], facts: "{\"x\":\"y\"}", time: now)
  }

  @Test(
    "a thing has one number, drawn once, which names it in its agency and kind alone",
    arguments: OfficeEngines.withPhones)
  func numbers(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      let things: [(PhoneNumberKind, String)] = [
        (.user, "ines"), (.task, "x"), (.photo, "x"), (.track, "x"),
      ]
      let none = try await database.read(in: "north") {
        try $0.phones.phoneNumber(.user, of: "ines")
      }
      #expect(none == nil)
      func draw(in agency: String) async throws -> [Int64] {
        try await database.write(in: agency) { session in
          try things.map { try session.phones.makePhoneNumber($0.0, of: $0.1) }
        }
      }
      let numbers = try await draw(in: "north")
      let southern = try await draw(in: "south")
      #expect(try await draw(in: "north") == numbers)
      #expect(Set(numbers + southern).count == 8, "a number names one thing in the whole office")
      #expect(numbers.allSatisfy { (1...9_007_199_254_740_991).contains($0) })
      try await database.read(in: "north") { session throws -> Void in
        for (number, (kind, subject)) in zip(numbers, things) {
          #expect(try session.phones.phoneNumber(kind, of: subject) == number)
          #expect(try session.phones.phoneSubject(kind, number: number) == subject)
        }
        #expect(try session.phones.phoneSubject(.task, number: numbers[2]) == nil)
        #expect(try session.phones.phoneSubject(.user, number: southern[0]) == nil)
      }
    }
  }

  @Test("concurrent draws for one thing give one number", arguments: OfficeEngines.withPhones)
  func concurrentDraws(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      let numbers = try await withThrowingTaskGroup(of: Int64.self) { group in
        for _ in 0..<12 {
          group.addTask {
            try await database.write(in: "north") {
              try $0.phones.makePhoneNumber(.task, of: "one")
            }
          }
        }
        return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
      }
      #expect(numbers.count == 1)
    }
  }

  @Test(
    "phones are told an inspector's tasks and photos with their numbers, the oldest first",
    arguments: OfficeEngines.withPhones)
  func lists(engine: OfficeEngine) async throws {
    var samples = Samples()
    let (task, other, empty) = (samples.task(), samples.task(of: "ivan"), samples.task())
    let ofTask = [
      try samples.photo(task: task.id, after: 9), try samples.photo(task: task.id, after: 1),
      try samples.photo(task: task.id, after: 5, deletedReason: "blurred"),
      try samples.photo(of: "ivan", task: other.id),
    ]
    var made: [ReceivedPhoto] = []
    for seconds in [30.0, 10, 40, 20] { made.append(try samples.photo(after: seconds)) }
    let alone = made
    let others = [
      try samples.photo(of: "ivan", after: 50),
      try samples.photo(after: 60, deletedReason: "blurred"),
    ]
    try await engine.withOffice { database in
      try await database.add(tasks: [task, other, empty], photos: ofTask + alone + others)
      let (number, first) = try await database.write(in: "north") { session in
        try session.photos.setHidden(now, alone[2].photo)
        _ = try session.phones.makePhoneNumber(.task, of: other.id.description)
        return (
          try session.phones.makePhoneNumber(.task, of: task.id.description),
          try session.phones.makePhoneNumber(.photo, of: ofTask[1].photo.id.description)
        )
      }
      try await database.read(in: "north") { session in
        #expect(try session.phones.phoneTaskNumbers(ofInspector: "ines") == [task.id: number])
        let photos = try session.phones.phonePhotos(ofTasksOf: "ines")
        #expect(
          photos == [
            task.id: [
              NumberedPhoto(id: ofTask[1].photo.id, number: first),
              NumberedPhoto(id: ofTask[0].photo.id, number: nil),
            ]
          ])
        func newest(_ limit: Int) throws -> [Identifier] {
          try session.phones.phonePhotosWithoutTask(ofInspector: "ines", limit: limit).map(\.id)
        }
        #expect(try newest(9) == [alone[1], alone[3], alone[0]].map(\.photo.id))
        #expect(try newest(2) == [alone[3], alone[0]].map(\.photo.id))
      }
      try await database.read(in: "south") { session throws -> Void in
        #expect(try session.phones.phoneTaskNumbers(ofInspector: "ines").isEmpty)
        #expect(try session.phones.phonePhotos(ofTasksOf: "ines").isEmpty)
        #expect(try session.phones.phonePhotosWithoutTask(ofInspector: "ines", limit: 9).isEmpty)
      }
    }
  }

  @Test(
    "logins hold for their network and time, for inspectors who may still work, and end together",
    arguments: OfficeEngines.withPhones)
  func logins(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      try await database.write(in: "north") { session in
        let logins: [(String, String, Double)] = [
          ("ivan", "n1", 10.0), ("ines", "n1", 10), ("ines", "n2", 20), ("ines", "n1", 5),
          ("otto", "n3", 30),
        ]
        for (login, network, seconds) in logins {
          try session.phones.notePhoneLogin(of: login, network: network, at: Samples.time(seconds))
        }
      }
      func listed(since seconds: Double, limit: Int = 9) async throws -> [String] {
        try await database.read(in: "north") {
          try $0.phones.phoneLogins(since: Samples.time(seconds), limit: limit)
            .map { "\($0.login) \($0.network) \($0.began == Samples.time(10))" }
        }
      }
      #expect(try await listed(since: 0) == ["ines n2 false", "ines n1 true", "ivan n1 true"])
      #expect(try await listed(since: 0, limit: 1) == ["ines n2 false"])
      #expect(try await listed(since: 15) == ["ines n2 false"])
      try await database.read(in: "north") { session in
        let phones = try session.phones
        #expect(try phones.hasPhoneLogin(of: "ines", network: "n1", since: Samples.time(9)))
        #expect(try !phones.hasPhoneLogin(of: "ines", network: "n1", since: Samples.time(11)))
        #expect(try !phones.hasPhoneLogin(of: "ivan", network: "n2", since: now))
        #expect(try phones.hasPhoneLogin(network: "n2", since: now))
        #expect(try !phones.hasPhoneLogin(of: "otto", network: "n3", since: now), "no inspector")
        #expect(try !phones.hasPhoneLogin(network: "n3", since: now))
      }
      let foreign = try await database.read(in: "south") { session in
        try session.phones.hasPhoneLogin(network: "n1", since: Samples.now)
          || session.phones.hasPhoneLogin(of: "ines", network: "n1", since: Samples.now)
      }
      #expect(!foreign)
      let ended = try await database.write(in: "north") {
        try $0.phones.endPhoneLogins(of: "ines")
      }
      #expect(ended == 2)
      #expect(try await listed(since: 0) == ["ivan n1 true"])
      try await database.writeRegistry { try $0.setDisabled(Samples.now, login: "ivan") }
      #expect(try await listed(since: 0).isEmpty)
      try await database.writeRegistry { try $0.setDisabled(nil, login: "ivan") }
      #expect(try await listed(since: 0).isEmpty, "his logins have ended with his sessions")
    }
  }

  @Test(
    "what a phone sent with a photo is read back with the photo's number, and kept once",
    arguments: OfficeEngines.withPhones)
  func photos(engine: OfficeEngine) async throws {
    var samples = Samples()
    let (first, second, plain) = (try samples.photo(), try samples.photo(), try samples.photo())
    let file = Samples.digest("bytes")
    let whole = sent(first, created: "2026-05-28 20:26:40", digest: "d1")
    let bare = sent(second)
    let again = sent(plain, created: whole.created)
    try await engine.withOffice { database in
      try await database.add(photos: [first, second, plain])
      let number = try await database.write(in: "north") { session in
        try session.phones.insert(whole, fileDigest: file)
        try session.phones.insert(bare, fileDigest: Samples.digest("other"))
        return try session.phones.makePhoneNumber(.photo, of: first.photo.id.description)
      }
      await #expect(throws: StoreError.self, "the same bytes of the same time") {
        try await database.write(in: "north") { try $0.phones.insert(again, fileDigest: file) }
      }
      var numbered = whole
      numbered.number = number
      let expected = numbered
      try await database.read(in: "north") { session in
        #expect(try session.phones.phonePhoto(first.photo.id) == expected)
        #expect(try session.phones.phonePhoto(second.photo.id) == bare)
        #expect(try session.phones.phonePhoto(plain.photo.id) == nil)
        var told: [Identifier: String] = [:]
        try session.phones.forEachPhonePhoto { told[$0] = $1 }
        #expect(told == [first.photo.id: file, second.photo.id: Samples.digest("other")])
      }
      try await database.read(in: "south") { session in
        #expect(try session.phones.phonePhoto(first.photo.id) == nil)
        try session.phones.forEachPhonePhoto { id, _ in Issue.record("\(id) is another agency's") }
      }
    }
  }

  @Test(
    "a photo that comes again is found by its bytes with its time or digest",
    arguments: OfficeEngines.withPhones)
  func sentAgain(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task()
    var worked = try samples.photo(task: task.id)
    worked.photo.fileDigest = Samples.digest("unit")
    let (known, moved, own) = (try samples.photo(), try samples.photo(), worked)
    let (file, old, unit) = (Samples.digest("bytes"), Samples.digest("old"), own.photo.fileDigest)
    let (phone, lost) = (sent(known, created: "t1", digest: "d1"), sent(moved))
    let entry = carried(.photo, 5, moved.photo.id.description, of: "ines")
    try await engine.withOffice { database in
      try await database.add(tasks: [task], photos: [known, moved, own])
      try await database.write(in: "north") { session in
        try session.phones.insert(phone, fileDigest: file)
        try session.phones.insert(lost, fileDigest: old)
        try session.phones.insert(entry)
      }
      try await database.read(in: "north") { session in
        let phones = try session.phones
        func found(
          _ file: String, _ created: String?, _ digest: String?, of login: String = "ines",
          task: Identifier? = nil
        ) throws -> Identifier? {
          try phones.phonePhoto(
            ofInspector: login, fileDigest: file, created: created, digest: digest, task: task)
        }
        #expect(try found(file, "t1", nil) == known.photo.id)
        #expect(try found(file, "t2", "d1") == known.photo.id)
        #expect(try found(file, "t2", "d2") == nil)
        #expect(try found(Samples.digest("others"), "t1", "d1") == nil)
        #expect(try found(file, "t1", "d1", of: "ivan") == nil)
        #expect(try found(old, "t9", "d9") == moved.photo.id, "carried over: the bytes decide")
        #expect(try found(unit, "t9", unit, task: task.id) == own.photo.id)
        #expect(try found(unit, "t9", unit) == nil)
        #expect(try found(unit, "t9", "d9", task: task.id) == nil)
        func either(_ file: String, or digest: String?, _ created: String?) throws -> Identifier? {
          try phones.phonePhoto(
            ofInspector: "ines", fileDigest: file, orDigest: digest, created: created)
        }
        #expect(try either(file, or: nil, "t9") == known.photo.id)
        #expect(try either(file, or: "d9", "t1") == known.photo.id)
        #expect(try either(file, or: "d9", "t9") == nil, "another photo of the same picture")
        #expect(try either(Samples.digest("others"), or: "d1", "t9") == known.photo.id)
        #expect(try either(old, or: "d9", "t9") == moved.photo.id)
        #expect(try either(Samples.digest("others"), or: nil, "t1") == nil)
      }
    }
  }

  @Test(
    "a path that comes again is found by its content; the newest are told as they came",
    arguments: OfficeEngines.withPhones)
  func tracks(engine: OfficeEngine) async throws {
    var samples = Samples()
    // The times are against the order of arrival.
    let tracks = (0..<5).map { samples.track(after: Double(-$0)) }
    let (plain, deleted) = (samples.track(), samples.track())
    let copy = sent(plain, content: "0")
    try await engine.withOffice { database in
      try await database.add(tracks: tracks + [plain])
      let number = try await database.write(in: "north") { session in
        try session.tracks.insert(deleted, deletedReason: "by mistake")
        for (place, track) in tracks.enumerated() {
          try session.phones.insert(sent(track, content: "\(place)"))
        }
        try session.phones.insert(sent(deleted, content: "deleted"))
        try session.tracks.setHidden(now, track: tracks[3].id)
        return try session.phones.makePhoneNumber(.track, of: tracks[0].id.description)
      }
      await #expect(throws: StoreError.self) {
        try await database.write(in: "north") { try $0.phones.insert(copy) }
      }
      var numbered = sent(tracks[0], content: "0")
      numbered.number = number
      let expected = numbered
      try await database.read(in: "north") { session in
        let phones = try session.phones
        #expect(try phones.phoneTrack(tracks[0].id) == expected)
        #expect(try phones.phoneTrack(plain.id) == nil)
        func known(_ content: String, of login: String = "ines") throws -> Identifier? {
          try phones.phoneTrack(ofInspector: login, contentDigest: Samples.digest(content))
        }
        #expect(try known("2") == tracks[2].id)
        #expect(try known("9") == nil && known("2", of: "ivan") == nil)
        let all = try phones.phoneTracks(ofInspector: "ines", limit: 9)
        #expect(all == [0, 1, 2, 4].map { tracks[$0].id })
        let newest = try phones.phoneTracks(ofInspector: "ines", limit: 2)
        #expect(newest == [tracks[2].id, tracks[4].id])
      }
      #expect(
        try await database.read(in: "south") { try $0.phones.phoneTrack(tracks[0].id) } == nil)
    }
  }

  @Test("arrivals since a time are counted, up to a limit", arguments: OfficeEngines.withPhones)
  func arrivals(engine: OfficeEngine) async throws {
    var samples = Samples()
    var made: [(photo: ReceivedPhoto, seconds: Double)] = []
    for seconds in [-100.0, 10, 20, 30] {
      var photo = try samples.photo()
      photo.photo.id = samples.id(after: seconds)
      made.append((photo, seconds))
    }
    let arrived = made
    let track = samples.track()
    try await engine.withOffice { database in
      try await database.add(photos: arrived.map(\.photo), tracks: [track])
      try await database.write(in: "north") { session in
        for (place, (photo, seconds)) in arrived.enumerated() {
          var phone = sent(photo)
          phone.received = Samples.time(seconds)
          try session.phones.insert(phone, fileDigest: Samples.digest("\(place)"))
        }
        try session.phones.insert(sent(track, content: "path"))
      }
      try await database.read(in: "north") { session throws -> Void in
        #expect(
          try session.phones.phoneArrivals(since: Samples.time(-1), limit: 9)
            == PhoneArrivals(photos: 3, tracks: 1))
        #expect(
          try session.phones.phoneArrivals(since: Samples.time(15), limit: 9)
            == PhoneArrivals(photos: 2, tracks: 0))
        #expect(
          try session.phones.phoneArrivals(since: Samples.time(-1), limit: 2)
            == PhoneArrivals(photos: 2, tracks: 1))
      }
      let southern = try await database.read(in: "south") {
        try $0.phones.phoneArrivals(since: Samples.time(-1), limit: 9)
      }
      #expect(southern == PhoneArrivals(photos: 0, tracks: 0))
    }
  }

  @Test(
    "what was carried over is found by its old number and by what it has become, once",
    arguments: OfficeEngines.withPhones)
  func carriedOver(engine: OfficeEngine) async throws {
    // The row is kept for the agency of the transaction, whatever agency it names.
    let task = carried(.task, 7, "x", agency: "south", of: "ines")
    var kept = task
    kept.agency = "north"
    let (expected, user) = (kept, carried(.user, 7, "ines"))
    try await engine.withOffice { database in
      try await database.write(in: "north") { try $0.phones.insert(task) }
      try await database.writeRegistry { try $0.phones.insert(user) }
      await #expect(throws: StoreError.self) {
        try await database.write(in: "north") { try $0.phones.insert(task) }
      }
      try await database.read(in: "north") { session in
        let phones = try session.phones
        #expect(try phones.carriedOver(.task, number: 7, source: "old") == expected)
        #expect(try phones.carriedOver(.task, subject: "x") == expected)
        #expect(try phones.carriedOver(.user, number: 7, source: "old") == user)
        #expect(try phones.carriedOver(.photo, number: 7, source: "old") == nil)
        #expect(try phones.carriedOver(.task, number: 7, source: "new") == nil)
        #expect(try phones.carriedOver(.task, subject: "y") == nil)
      }
      try await database.readRegistry { registry throws -> Void in
        #expect(try registry.phones.carriedOver(.task, number: 7, source: "old") == expected)
        #expect(try registry.phones.carriedOver(.task, number: 8, source: "old") == nil)
      }
      try await database.read(in: "south") { session throws -> Void in
        #expect(try session.phones.carriedOver(.task, number: 7, source: "old") == nil)
        #expect(try session.phones.carriedOver(.task, subject: "x") == nil)
      }
    }
  }

  @Test(
    "an inspector reads the phones' rows of their own things alone",
    arguments: OfficeEngines.withPhones)
  func wall(engine: OfficeEngine) async throws {
    var samples = Samples()
    let (photo, track) = (try samples.photo(), samples.track())
    let entry = carried(.photo, 7, photo.photo.id.description, of: "ines")
    let (phone, path) = (sent(photo), sent(track, content: "path"))
    try await engine.withOffice { database in
      try await database.add(photos: [photo], tracks: [track])
      try await database.write(in: "north") { session in
        try session.phones.insert(phone, fileDigest: Samples.digest("bytes"))
        try session.phones.insert(path)
        try session.phones.insert(entry)
      }
      for (login, isOwn) in [("ines", true), ("ivan", false)] {
        try await database.read(in: "north", ofInspector: login) { session in
          let phones = try session.phones
          #expect(try phones.phonePhoto(photo.photo.id) == (isOwn ? phone : nil))
          #expect(try phones.phoneTrack(track.id) == (isOwn ? path : nil))
          #expect(
            try phones.carriedOver(.photo, subject: photo.photo.id.description)
              == (isOwn ? entry : nil))
        }
      }
    }
  }

  @Test(
    "an agency's service is found by its secrets, replaced as a whole, and ends its logins when it goes",
    arguments: OfficeEngines.withPhones)
  func services(engine: OfficeEngine) async throws {
    var first = PhoneService(agency: "north", changed: now)
    (first.prefixDigest, first.networks, first.zone) = ("p1", ["10.0.0.0/8"], "Europe/Prague")
    var second = first
    (second.prefixDigest, second.basicLogin, second.basicPassword) = (nil, "phones", "stored")
    (second.networks, second.requestBurst, second.changed) = ([], 5.5, Samples.time(9))
    var other = PhoneService(agency: "south", changed: now)
    (other.prefixDigest, other.basicLogin, other.basicPassword) = ("p2", "phones", "x")
    let (north, later, clash) = (first, second, other)
    try await engine.withOffice { database in
      func service() async throws -> PhoneService? {
        try await database.readRegistry { try $0.phones.phoneService(ofAgency: "north") }
      }
      #expect(try await service() == nil)
      try await database.writeRegistry { try $0.phones.keep(north) }
      #expect(try await service() == north)
      try await database.readRegistry { registry throws -> Void in
        #expect(try registry.phones.phoneService(prefixDigest: "p1") == north)
        #expect(try registry.phones.phoneService(prefixDigest: "p2") == nil)
        #expect(try registry.phones.phoneService(ofAgency: "south") == nil)
      }
      try await database.writeRegistry { try $0.phones.keep(later) }
      try await database.readRegistry { registry throws -> Void in
        #expect(try registry.phones.phoneService(basicLogin: "phones") == later)
        #expect(try registry.phones.phoneService(prefixDigest: "p1") == nil)
      }
      await #expect(throws: StoreError.self, "a secret names one agency") {
        try await database.writeRegistry { try $0.phones.keep(clash) }
      }
      try await database.write(in: "north") {
        try $0.phones.notePhoneLogin(of: "ines", network: "n", at: Samples.time(1))
      }
      try await database.writeRegistry { try $0.phones.removePhoneService(ofAgency: "north") }
      #expect(try await service() == nil)
      let isIn = try await database.read(in: "north") {
        try $0.phones.hasPhoneLogin(network: "n", since: Samples.now)
      }
      #expect(!isIn)
    }
  }
}
