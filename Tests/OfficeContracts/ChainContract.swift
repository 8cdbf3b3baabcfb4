import Evidence
import Inspection
import Office
import Positioning
import Store
import Sync
import Testing
import TimeAndText

@Suite("The contract of chains and their seals", .timeLimit(.minutes(2)))
struct ChainContract {
  private let now = Samples.now

  /// Adds a device and its links, in the order in which they are given.
  private func keep(
    _ links: [ReceivedLink], of device: SealingDevice, in agency: String = "north",
    _ database: any OfficeDatabase
  ) async throws {
    try await database.write(in: agency) { session in
      if try session.devices.device(withKey: device.thumbprint) == nil {
        try session.devices.insert(device.enrolled())
      }
      for link in links {
        try session.chains.keep(link, inspector: device.inspector, at: now)
      }
    }
  }

  @Test(
    "a record is new once; a known link stays, and a bare one gets its record",
    arguments: OfficeEngines.all)
  func newness(engine: OfficeEngine) async throws {
    var (samples, device) = (Samples(), SealingDevice())
    let first = try device.seal(.note, samples.id())
    let second = try device.seal(.note, samples.id())
    let sealed = device
    try await engine.withOffice { database in
      try await keep([], of: sealed, database)
      func keeps(_ link: ReceivedLink) async throws -> Bool {
        try await database.write(in: "north") {
          try $0.chains.keep(link, inspector: "ines", at: now)
        }
      }
      func whole() async throws -> [Bool] {
        try await database.read(in: "north") {
          try $0.chains.links(ofKey: sealed.thumbprint).map { $0.file != nil }
        }
      }
      #expect(try await keeps(ReceivedLink(bare: second.seal)) == false)
      #expect(try await keeps(ReceivedLink(first)))
      #expect(try await whole() == [true, false])
      #expect(try await keeps(ReceivedLink(bare: first.seal)) == false)
      #expect(try await keeps(ReceivedLink(first)) == false)
      #expect(try await whole() == [true, false], "a record is never taken away again")
      #expect(try await keeps(ReceivedLink(bare: second.seal)) == false)
      #expect(try await keeps(ReceivedLink(second)))
      #expect(try await keeps(ReceivedLink(second)) == false)
      let links = try await database.read(in: "north") {
        try $0.chains.links(ofKey: sealed.thumbprint)
      }
      #expect(links == [ReceivedLink(first), ReceivedLink(second)])
    }
  }

  @Test(
    "a chain is read in the order of its places, however its links came, with every fork",
    arguments: OfficeEngines.all)
  func order(engine: OfficeEngine) async throws {
    var (samples, device, other) = (Samples(), SealingDevice(), SealingDevice(of: "ivan"))
    let first = try device.seal(.capture, samples.id())
    let fork = try device.sealed(.note, samples.id())
    let second = try device.seal(.note, samples.id())
    let third = try device.seal(.note, samples.id())
    let foreign = try other.seal(.note, samples.id())
    let (mine, his) = (device, other)
    try await engine.withOffice { database in
      let key = mine.thumbprint
      try await database.read(in: "north") { session throws -> Void in
        #expect(try session.chains.head(ofKey: key) == nil)
        #expect(try session.chains.chainHead(ofKey: key) == nil)
        #expect(try session.chains.links(ofKey: key).isEmpty)
        #expect(try session.chains.linkTexts(ofKey: key).isEmpty)
        #expect(try session.chains.linkDigests(ofKey: key, at: 1...9).isEmpty)
      }
      try await keep([ReceivedLink(foreign)], of: his, database)
      try await keep(
        [
          ReceivedLink(bare: third.seal), ReceivedLink(first), ReceivedLink(second),
          ReceivedLink(fork),
        ], of: mine, database)
      try await database.read(in: "north") { session in
        let texts = try session.chains.linkTexts(ofKey: key)
        #expect(texts.first == first.seal.jws && texts.last == third.seal.jws)
        #expect(Set(texts[1...2]) == [second.seal.jws, fork.seal.jws])
        #expect(try session.chains.links(ofKey: key).map(\.seal.jws) == texts)
        #expect(try session.chains.head(ofKey: key) == third.seal)
        #expect(
          try session.chains.chainHead(ofKey: key)
            == ChainHead(sequence: 3, link: third.seal.digest, records: 3))
        #expect(
          try session.chains.linkDigests(ofKey: key, at: 0...2) == [
            1: [first.seal.digest], 2: [second.seal.digest, fork.seal.digest],
          ])
        #expect(
          try session.chains.linkDigests(ofKey: key, at: 3...3) == [3: [third.seal.digest]])
      }
      try await database.read(in: "south") { session throws -> Void in
        #expect(try session.chains.head(ofKey: key) == nil)
        #expect(try session.chains.chainHead(ofKey: key) == nil)
        #expect(try session.chains.links(ofKey: key).isEmpty)
        #expect(try session.chains.linkTexts(ofKey: key).isEmpty)
        #expect(try session.chains.linkDigests(ofKey: key, at: 1...9).isEmpty)
      }
    }
  }

  @Test(
    "the seal of a thing is found by identifier and kind, with its record",
    arguments: OfficeEngines.all)
  func seals(engine: OfficeEngine) async throws {
    var (samples, device) = (Samples(), SealingDevice())
    let (photo, bareOne, never) = (samples.id(), samples.id(), samples.id())
    let (other, task) = (samples.id(), samples.id())
    let capture = try device.seal(.capture, photo, file: Samples.digest("a"))
    let ofTask = try device.seal(.capture, other, task: task, file: Samples.digest("b"))
    let deletion = try device.seal(.deletion, samples.id(), deleted: photo)
    let bare = try device.seal(.note, bareOne)
    let sealed = device
    try await engine.withOffice { database in
      try await keep(
        [
          ReceivedLink(capture), ReceivedLink(ofTask), ReceivedLink(deletion),
          ReceivedLink(bare: bare.seal),
        ], of: sealed, database)
      try await database.read(in: "north") { session throws -> Void in
        #expect(try session.seals.seal(of: photo, .capture) == capture)
        #expect(try session.chains.seal(of: photo, .capture) == capture)
        #expect(try session.seals.seal(of: photo, .track) == nil)
        #expect(try session.seals.seal(of: bareOne, .note) == nil, "a bare link has no record")
        #expect(try session.seals.seal(of: never, .capture) == nil)
        #expect(try session.seals.taskNamed(byRecordOf: other, .capture) == task)
        #expect(try session.seals.taskNamed(byRecordOf: photo, .capture) == nil)
        #expect(try session.seals.taskNamed(byRecordOf: other, .track) == nil)
        #expect(try session.seals.taskNamed(byRecordOf: bareOne, .note) == nil)
        #expect(try session.seals.taskNamed(byRecordOf: never, .capture) == nil)
      }
      #expect(
        try await database.read(in: "south") { try $0.seals.seal(of: photo, .capture) } == nil)
    }
  }

  @Test(
    "the clock of a key is kept, each time in the place of the one before",
    arguments: OfficeEngines.all)
  func clocks(engine: OfficeEngine) async throws {
    let device = SealingDevice()
    let key = device.thumbprint
    try await engine.withOffice { database in
      try await keep([], of: device, database)
      #expect(try await database.read(in: "north") { try $0.chains.chainClock(ofKey: key) } == nil)
      for clock in [
        ChainClock(sequence: 4, order: ClockOrder()),
        ChainClock(sequence: 9, order: ClockOrder(latest: Samples.time(3))),
      ] {
        try await database.write(in: "north") { try $0.chains.keep(clock, ofKey: key) }
        let kept = try await database.read(in: "north") { try $0.chains.chainClock(ofKey: key) }
        #expect(kept == clock)
      }
      #expect(try await database.read(in: "south") { try $0.chains.chainClock(ofKey: key) } == nil)
    }
  }

  @Test(
    "times are handed over in the order of places, of whole records that were not simulated",
    arguments: OfficeEngines.all)
  func deviceTimes(engine: OfficeEngine) async throws {
    struct Stopped: Error {}
    var (samples, device) = (Samples(), SealingDevice())
    let ids = (0..<5).map { _ in samples.id() }
    // The clock goes back: the order is that of the places.
    let files = try ids.enumerated().map { place, id in
      try device.seal(.note, id, at: Samples.time(Double(-place)), isSimulated: place == 1)
    }
    let sealed = device
    let expected = [0, 2, 4].map { place in
      "\(ids[place]) \(place + 1) \(Samples.time(Double(-place)).rfc3339)"
    }
    try await engine.withOffice { database in
      let links = files.map { file in
        file == files[3] ? ReceivedLink(bare: file.seal) : ReceivedLink(file)
      }
      try await keep(links.reversed(), of: sealed, database)
      try await database.read(in: "north") { session in
        var told: [String] = []
        try session.chains.forEachDeviceTime(ofKey: sealed.thumbprint) { id, sequence, time in
          told.append("\(id) \(sequence) \(time.rfc3339)")
        }
        #expect(told == expected)
        var calls = 0
        #expect(throws: Stopped.self) {
          try session.chains.forEachDeviceTime(ofKey: sealed.thumbprint) { _, _, _ in
            calls += 1
            throw Stopped()
          }
        }
        #expect(calls == 1)
      }
      try await database.read(in: "south") { session in
        try session.chains.forEachDeviceTime(ofKey: sealed.thumbprint) { id, _, _ in
          Issue.record("\(id) is another agency's")
        }
      }
    }
  }

  @Test(
    "a task's seals are its own, those of photos given to it, and the deletions of its things",
    arguments: OfficeEngines.all)
  func sealsOfTask(engine: OfficeEngine) async throws {
    var (samples, device) = (Samples(), SealingDevice())
    let (task, other) = (samples.task(), samples.task())
    let (own, alone) = (try samples.photo(task: task.id), try samples.photo())
    let mine = try device.seal(.capture, own.photo.id, task: task.id)
    _ = try device.seal(.capture, samples.id(), task: other.id)
    let given = try device.seal(.capture, alone.photo.id)
    let note = try device.seal(.note, samples.id(), task: task.id)
    let deletion = try device.seal(.deletion, samples.id(), deleted: own.photo.id)
    let unrelated = try device.seal(.deletion, samples.id(), deleted: samples.id())
    let bare = try device.seal(.note, samples.id(), task: task.id)
    let sealed = device
    try await engine.withOffice { database in
      try await database.add(tasks: [task, other], photos: [own, alone])
      try await keep(
        [deletion, unrelated, note, given, mine].map { ReceivedLink($0) }
          + [ReceivedLink(bare: bare.seal)], of: sealed, database)
      let before = try await database.read(in: "north") { try $0.chains.seals(ofTask: task.id) }
      #expect(before == [mine, note, deletion])
      try await database.write(in: "north") {
        try $0.photos.assign(alone.photo, to: task.id, at: now)
      }
      let after = try await database.read(in: "north") { try $0.chains.seals(ofTask: task.id) }
      #expect(after == [mine, given, note, deletion])
      #expect(try await database.read(in: "south") { try $0.chains.seals(ofTask: task.id) }.isEmpty)
    }
  }
}
