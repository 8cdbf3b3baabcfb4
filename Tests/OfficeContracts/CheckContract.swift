import Evidence
import Geodesy
import Inspection
import Office
import Positioning
import Store
import Sync
import Testing
import TimeAndText

@Suite("The contract of checks, and of what they compare across photos", .timeLimit(.minutes(2)))
struct CheckContract {
  private let now = Samples.now

  @Test(
    "a check is kept in the place of the earlier one of its name, and forgotten by name",
    arguments: OfficeEngines.all)
  func checks(engine: OfficeEngine) async throws {
    var samples = Samples()
    let task = samples.task()
    let photo = try samples.photo(task: task.id)
    let other = try samples.photo(task: task.id)
    try await engine.withOffice { database in
      try await database.add(tasks: [task], photos: [photo, other])
      func state() async throws -> (checks: [PhotoCheck], contradicted: Int?) {
        try await database.read(in: "north") { session in
          (
            try session.photos.photo(photo.photo.id).checks,
            try session.photos.counts(of: [task.id])[task.id]?.contradicted
          )
        }
      }
      let aim = PhotoCheck(.aim, .contradicts, [.missDegrees: 30])
      let seal = PhotoCheck(.seal, .agrees)
      try await database.write(in: "north") { session in
        try session.checks.keep([aim], ofPhoto: photo.photo.id)
        try session.checks.keep([seal], ofPhoto: photo.photo.id)
      }
      let first = try await state()
      #expect(first.checks == [seal, aim], "in the order in which officers read them")
      #expect(first.contradicted == 1)
      let better = PhotoCheck(.aim, .agrees, [.missDegrees: 3], reason: .finding("moved"))
      try await database.write(in: "north") {
        try $0.checks.keep([better], ofPhoto: photo.photo.id)
      }
      let second = try await state()
      #expect(second.checks == [seal, better] && second.contradicted == 0)
      try await database.write(in: "north") {
        try $0.checks.removeChecks([.aim, .order], ofPhoto: photo.photo.id)
      }
      #expect(try await state().checks == [seal])
      // Only the photo's own agency may remove its checks.
      do {
        try await database.write(in: "south") {
          try $0.checks.removeChecks([.seal], ofPhoto: photo.photo.id)
        }
      } catch is StoreError {}
      #expect(try await state().checks == [seal])
      let untouched = try await database.read(in: "north") {
        try $0.photos.photo(other.photo.id).checks
      }
      #expect(untouched.isEmpty)
    }
  }

  @Test(
    "likenesses come back each with its photo, whatever blocks they are kept in",
    arguments: OfficeEngines.all)
  func likenesses(engine: OfficeEngine) async throws {
    var samples = Samples()
    let made: [(photo: Identifier, bytes: [UInt8])] = (0..<2500).map { number in
      let mark = (0..<24).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0 &* 7 &+ number >> 8) }
      return (samples.id(), mark)
    }
    let foreign: [(photo: Identifier, bytes: [UInt8])] = [
      (samples.id(), Array(repeating: 9, count: 24))
    ]
    let likenesses = made
    func read(
      _ database: any OfficeDatabase, in agency: String = "north"
    ) async throws -> [Identifier: [UInt8]] {
      try await database.read(in: agency) { session in
        var found: [Identifier: [UInt8]] = [:]
        try session.checks.forEachLikenessBlock { photos, bytes in
          try #require(photos.count % 36 == 0 && bytes.count == photos.count / 36 * 24)
          for place in 0..<(photos.count / 36) {
            let text = String(decoding: photos[(place * 36)..<(place * 36 + 36)], as: UTF8.self)
            let id = try #require(Identifier(text))
            #expect(found[id] == nil, "told twice")
            found[id] = Array(bytes[(place * 24)..<(place * 24 + 24)])
          }
        }
        return found
      }
    }
    try await engine.withOffice { database in
      #expect(try await read(database).isEmpty)
      try await database.write(in: "south") { try $0.checks.keep(likenesses: foreign) }
      // Some likenesses come alone and many at once: an engine may write a long list in parts.
      for part in [0..<1, 1..<2, 2..<1023, 1023..<1026, 1026..<2500] {
        try await database.write(in: "north") {
          try $0.checks.keep(likenesses: Array(likenesses[part]))
        }
      }
      try await database.write(in: "north") { try $0.checks.keep(likenesses: []) }
      let found = try await read(database)
      #expect(found == Dictionary(uniqueKeysWithValues: likenesses.map { ($0.photo, $0.bytes) }))
      #expect(try await read(database, in: "south") == [foreign[0].photo: foreign[0].bytes])
    }
  }

  @Test(
    "a transmitter is where captures heard it, and where the agency's own list has it",
    arguments: OfficeEngines.all)
  func transmitters(engine: OfficeEngine) async throws {
    var samples = Samples()
    let photos = [try samples.photo(), try samples.photo()]
    let places = [
      try Samples.place(49, 16), try Samples.place(49.5, 16.5), try Samples.place(50, 17),
    ]
    let site = CellSite(transmitter: "LTE-1", coordinate: places[2], rangeMetres: 1200)
    try await engine.withOffice { database in
      try await database.add(photos: photos)
      try await database.write(in: "north") { session in
        try session.checks.keep(
          transmitters: ["LTE-1", "WIFI-2"], ofPhoto: photos[0].photo.id, key: "k1", at: places[0])
        try session.checks.keep(
          transmitters: ["LTE-1"], ofPhoto: photos[1].photo.id, key: "k2", at: places[1])
        // The same transmitters of the same photo again add nothing.
        try session.checks.keep(
          transmitters: ["LTE-1"], ofPhoto: photos[1].photo.id, key: "k2", at: places[1])
        try session.checks.replaceCellSites(with: [site])
      }
      let heard = TransmitterPlace(coordinate: places[0], rangeMetres: nil, key: "k1")
      let again = TransmitterPlace(coordinate: places[1], rangeMetres: nil, key: "k2")
      let listed = TransmitterPlace(coordinate: places[2], rangeMetres: 1200, key: nil)
      try await database.read(in: "north") { session in
        let all = try session.checks.places(ofTransmitter: "LTE-1")
        #expect(all.count == 3 && Set(all) == [heard, again, listed])
        #expect(try session.checks.places(ofTransmitter: "WIFI-2") == [heard])
        #expect(try session.checks.places(ofTransmitter: "lte-1").isEmpty)
      }
      #expect(
        try await database.read(in: "south") { try $0.checks.places(ofTransmitter: "LTE-1") }
          .isEmpty)
    }
  }

  @Test(
    "an agency's list of cells is replaced as a whole, and no other agency's",
    arguments: OfficeEngines.all)
  func cells(engine: OfficeEngine) async throws {
    let place = try Samples.place(49, 16)
    func sites(_ names: [String]) -> [CellSite] {
      names.map { CellSite(transmitter: $0, coordinate: place, rangeMetres: 500) }
    }
    try await engine.withOffice { database in
      func counts() async throws -> [Int] {
        [
          try await database.read(in: "north") { try $0.checks.cellSiteCount() },
          try await database.read(in: "south") { try $0.checks.cellSiteCount() },
        ]
      }
      #expect(try await counts() == [0, 0])
      try await database.write(in: "north") {
        try $0.checks.replaceCellSites(with: sites(["a", "b", "c"]))
      }
      try await database.write(in: "south") { try $0.checks.replaceCellSites(with: sites(["a"])) }
      #expect(try await counts() == [3, 1])
      try await database.write(in: "north") { try $0.checks.replaceCellSites(with: sites(["c"])) }
      #expect(try await counts() == [1, 1])
      let gone = try await database.read(in: "north") { try $0.checks.places(ofTransmitter: "a") }
      #expect(gone.isEmpty)
      try await database.write(in: "north") { try $0.checks.replaceCellSites(with: []) }
      #expect(try await counts() == [0, 1])
    }
  }

  @Test(
    "raw windows that overlap in time are found by their photos, in the order of identifiers",
    arguments: OfficeEngines.all)
  func windows(engine: OfficeEngine) async throws {
    var samples = Samples()
    let spans: [ClosedRange<Int64>] = [
      100...200, 150...250, 200...300, 301...400, 0...1000, 50...99,
    ]
    var made: [(photo: ReceivedPhoto, use: WindowUse)] = []
    for (number, span) in spans.enumerated() {
      let use = try #require(
        WindowUse(
          key: "k\(number % 2)", first: span.lowerBound, last: span.upperBound,
          epochs: [UInt64.max, 0, UInt64(number)]))
      made.append((try samples.photo(), use))
    }
    let captures = made
    let foreign = try samples.photo(of: "sara")
    try await engine.withOffice { database in
      try await database.add(photos: captures.map(\.photo))
      try await database.add(photos: [foreign], in: "south")
      try await database.write(in: "north") { session in
        for capture in captures {
          try session.checks.keep(capture.use, ofPhoto: capture.photo.photo.id)
        }
      }
      try await database.write(in: "south") {
        try $0.checks.keep(captures[0].use, ofPhoto: foreign.photo.id)
      }
      try await database.read(in: "north") { session in
        for (place, capture) in captures.enumerated() {
          let found = try session.checks.windows(
            overlapping: capture.use, except: capture.photo.photo.id)
          let expected = captures.indices.filter {
            $0 != place && spans[$0].overlaps(spans[place])
          }.sorted { captures[$0].photo.photo.id < captures[$1].photo.photo.id }
          #expect(found.map(\.photo) == expected.map { captures[$0].photo.photo.id })
          #expect(found.map(\.use) == expected.map { captures[$0].use })
        }
      }
      let southern = try await database.read(in: "south") {
        try $0.checks.windows(overlapping: captures[0].use, except: captures[0].photo.photo.id)
      }
      #expect(southern.map(\.photo) == [foreign.photo.id])
    }
  }

  @Test(
    "captures with the same raw window are found, without simulated ones and bare links",
    arguments: OfficeEngines.all)
  func sameWindow(engine: OfficeEngine) async throws {
    var (samples, device) = (Samples(), SealingDevice())
    let photos = [
      try samples.photo(), try samples.photo(), try samples.photo(isSimulated: true),
      try samples.photo(), try samples.photo(),
    ]
    let raw = Samples.digest("raw")
    let files = try photos.enumerated().map { place, photo in
      try device.seal(
        .capture, photo.photo.id, isSimulated: place == 2,
        raw: place == 3 ? Samples.digest("other") : raw)
    }
    let sealed = device
    try await engine.withOffice { database in
      try await database.add(photos: photos)
      try await database.write(in: "north") { session in
        try session.devices.insert(sealed.enrolled())
        for (place, file) in files.enumerated() {
          let link = place == 4 ? ReceivedLink(bare: file.seal) : ReceivedLink(file)
          try session.chains.keep(link, inspector: "ines", at: now)
        }
      }
      try await database.read(in: "north") { session throws -> Void in
        let ids = photos.map(\.photo.id)
        #expect(try session.checks.photos(withRawWindow: raw, except: ids[0]) == [ids[1]])
        #expect(
          try session.checks.photos(withRawWindow: raw, except: ids[2])
            == [ids[0], ids[1]].sorted())
        #expect(
          try session.checks.photos(withRawWindow: Samples.digest("never"), except: ids[0]).isEmpty)
      }
      let southern = try await database.read(in: "south") {
        try $0.checks.photos(withRawWindow: raw, except: photos[0].photo.id)
      }
      #expect(southern.isEmpty)
    }
  }
}
