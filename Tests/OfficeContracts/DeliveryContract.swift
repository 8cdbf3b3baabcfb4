import Evidence
import Inspection
import Office
import Positioning
import Store
import Sync
import Testing
import TimeAndText

@Suite("The contract of deliveries: receipts, records and room", .timeLimit(.minutes(2)))
struct DeliveryContract {
  private let now = Samples.now

  @Test(
    "a batch has its receipt once, and a key's receipts are the oldest first",
    arguments: OfficeEngines.all)
  func receipts(engine: OfficeEngine) async throws {
    var samples = Samples()
    let (device, other, signer) = (SealingDevice(), SealingDevice(of: "ivan"), try OfficeSigner())
    var made: [Receipt] = []
    for seconds in [20.0, 10, 10, 30] {
      made.append(
        try signer.receipt(samples.id(), of: samples.id(), for: device, after: seconds))
    }
    let (receipts, never) = (made, samples.id())
    let his = try signer.receipt(samples.id(), of: samples.id(), for: other)
    let copy = try signer.receipt(samples.id(), of: receipts[0].batch, for: other)
    try await engine.withOffice { database in
      try await database.write(in: "north") { session in
        for one in [device, other] { try session.devices.insert(one.enrolled()) }
        for receipt in receipts + [his] {
          try session.deliveries.insert(receipt, messageDigest: Samples.digest("\(receipt.batch)"))
        }
      }
      await #expect(throws: StoreError.self) {
        try await database.write(in: "north") {
          try $0.deliveries.insert(copy, messageDigest: Samples.digest("copy"))
        }
      }
      let expected = receipts.sorted { ($0.received, $0.batch) < ($1.received, $1.batch) }
      try await database.read(in: "north") { session in
        let kept = try #require(try session.deliveries.receipt(ofBatch: receipts[0].batch))
        #expect(kept.receipt == receipts[0].jws && kept.inspector == "ines")
        #expect(kept.messageDigest == Samples.digest("\(receipts[0].batch)"))
        #expect(try session.deliveries.receipt(ofBatch: never)?.receipt == nil)
        #expect(try session.deliveries.receipts(ofKey: device.thumbprint) == expected)
        #expect(try session.deliveries.receipts(ofKey: other.thumbprint) == [his])
        var told: [String] = []
        try session.deliveries.forEachReceipt(ofKey: device.thumbprint) { batch, receipt in
          told.append("\(batch) \(receipt)")
        }
        #expect(told == expected.map { "\($0.batch) \($0.jws)" })
      }
      try await database.read(in: "south") { session in
        #expect(try session.deliveries.receipt(ofBatch: receipts[0].batch)?.receipt == nil)
        #expect(try session.deliveries.receipts(ofKey: device.thumbprint).isEmpty)
        try session.deliveries.forEachReceipt(ofKey: device.thumbprint) { batch, _ in
          Issue.record("\(batch) is another agency's")
        }
      }
    }
  }

  /// A chain of a photo, a deleted photo, a track, a note and a bare link, each with its files.
  private struct Delivered {
    var device = SealingDevice()
    let photos: [ReceivedPhoto]
    let track: ReceivedTrack
    let files: [SealFile]

    init() throws {
      var samples = Samples()
      photos = [try samples.photo(), try samples.photo(deletedReason: "blurred")]
      track = samples.track()
      files = [
        try device.seal(
          .capture, photos[0].photo.id, file: Samples.digest("file"), raw: Samples.digest("raw")),
        try device.seal(.capture, photos[1].photo.id, file: Samples.digest("file")),
        try device.seal(.track, track.id, file: Samples.digest("points")),
        try device.seal(.note, samples.id()),
        try device.seal(.capture, samples.id(), file: Samples.digest("file")),
      ]
    }

    /// Keeps everything; the links come in the wrong order, and the last one is bare.
    func keep(in database: any OfficeDatabase) async throws {
      try await database.add(photos: photos, tracks: [track])
      try await database.write(in: "north") { session in
        try session.devices.insert(device.enrolled())
        for (place, file) in files.enumerated().reversed() {
          let link = place == 4 ? ReceivedLink(bare: file.seal) : ReceivedLink(file)
          try session.chains.keep(link, inspector: "ines", at: Samples.time(Double(place)))
        }
      }
    }
  }

  @Test(
    "a record is held under its identifier, by its inspector, with the digests of its files",
    arguments: OfficeEngines.all)
  func holding(engine: OfficeEngine) async throws {
    let delivered = try Delivered()
    try await engine.withOffice { database in
      try await delivered.keep(in: database)
      let ids = delivered.files.map(\.seal.link.id)
      try await database.read(in: "north") { session in
        let photo = try #require(try session.deliveries.holding(of: ids[0], inspector: "ines"))
        #expect(photo.kind == .capture && photo.record == delivered.files[0].seal.link.record)
        #expect(
          photo.parts == [
            PartDigest(part: .file, digest: Samples.digest("file")),
            PartDigest(part: .raw, digest: Samples.digest("raw")),
          ])
        let note = try #require(try session.deliveries.holding(of: ids[3], inspector: "ines"))
        #expect(note.kind == .note && note.parts.isEmpty)
        #expect(try session.deliveries.holding(of: ids[0], inspector: "ivan")?.record == nil)
        #expect(
          try session.deliveries.holding(of: ids[4], inspector: "ines")?.record == nil, "it is bare"
        )
      }
      let foreign = try await database.read(in: "south") {
        try $0.deliveries.holding(of: ids[0], inspector: "ines")?.record == nil
      }
      #expect(foreign)
    }
  }

  @Test(
    "all of a key's records are handed over in the order of their places, deleted ones marked",
    arguments: OfficeEngines.all)
  func holdings(engine: OfficeEngine) async throws {
    let delivered = try Delivered()
    let key = delivered.device.thumbprint
    try await engine.withOffice { database in
      try await delivered.keep(in: database)
      try await database.read(in: "north") { session in
        var told: [String] = []
        try session.deliveries.forEachHolding(ofKey: key) { kind, id, parts, isDeleted in
          told.append("\(kind) \(id) \(parts.map(\.digest)) \(isDeleted)")
        }
        let expected = delivered.files[..<4].enumerated().map { place, file in
          let link = file.seal.link
          let digests = [link.file, link.raw].compactMap(\.self)
          return "\(link.kind) \(link.id) \(digests) \(place == 1)"
        }
        #expect(told == expected)
      }
      try await database.read(in: "south") { session in
        try session.deliveries.forEachHolding(ofKey: key) { _, id, _, _ in
          Issue.record("\(id) is another agency's")
        }
      }
    }
  }

  @Test(
    "the records of a key that name a file are found, as their file or as their raw window",
    arguments: OfficeEngines.all)
  func naming(engine: OfficeEngine) async throws {
    let delivered = try Delivered()
    let key = delivered.device.thumbprint
    try await engine.withOffice { database in
      try await delivered.keep(in: database)
      try await database.read(in: "north") { session in
        let photos = try session.deliveries.records(ofKey: key, naming: Samples.digest("file"))
        #expect(Set(photos.map(\.id)) == Set(delivered.photos.map(\.photo.id)))
        #expect(photos.count == 2 && photos.allSatisfy { $0.kind == .capture && !$0.isRaw })
        let windows = try session.deliveries.records(ofKey: key, naming: Samples.digest("raw"))
        #expect(windows.map(\.id) == [delivered.photos[0].photo.id])
        #expect(windows.allSatisfy { $0.isRaw })
        #expect(
          try session.deliveries.records(ofKey: "other", naming: Samples.digest("file")).isEmpty)
        #expect(
          try session.deliveries.records(ofKey: key, naming: Samples.digest("never")).isEmpty)
      }
      let foreign = try await database.read(in: "south") {
        try $0.deliveries.records(ofKey: key, naming: Samples.digest("file"))
      }
      #expect(foreign.isEmpty)
    }
  }

  @Test(
    "an identifier is taken by another record of the agency, not by the same and not elsewhere",
    arguments: OfficeEngines.all)
  func taken(engine: OfficeEngine) async throws {
    let delivered = try Delivered()
    let link = delivered.files[0].seal.link
    var samples = Samples(seed: 99)
    let never = samples.id()
    try await engine.withOffice { database in
      try await delivered.keep(in: database)
      try await database.read(in: "north") { session throws -> Void in
        #expect(try session.deliveries.isTaken(link.id, byOtherThan: Samples.digest("other")))
        #expect(try !session.deliveries.isTaken(link.id, byOtherThan: link.record))
        #expect(try !session.deliveries.isTaken(never, byOtherThan: link.record))
      }
      try await database.read(in: "south") { session throws -> Void in
        #expect(try !session.deliveries.isTaken(link.id, byOtherThan: Samples.digest("other")))
      }
    }
  }

  @Test(
    "a key's last delivery is that of its chain's last link; silent keys are left out",
    arguments: OfficeEngines.all)
  func lastDeliveries(engine: OfficeEngine) async throws {
    let delivered = try Delivered()
    let key = delivered.device.thumbprint
    let silent = SealingDevice()
    try await engine.withOffice { database in
      try await delivered.keep(in: database)
      try await database.write(in: "north") { try $0.devices.insert(silent.enrolled()) }
      let keys = [silent.thumbprint, key, "never"]
      let times = try await database.read(in: "north") {
        try $0.deliveries.lastDeliveries(ofKeys: keys)
      }
      #expect(times == [key: Samples.time(4)])
      let foreign = try await database.read(in: "south") {
        try $0.deliveries.lastDeliveries(ofKeys: keys)
      }
      #expect(foreign.isEmpty)
    }
  }

  @Test(
    "an agency's bytes only grow, stop at the largest number, and have a quota or none",
    arguments: OfficeEngines.all)
  func storage(engine: OfficeEngine) async throws {
    try await engine.withOffice { database in
      func storage(_ agency: String = "north") async throws -> [Int?] {
        let storage = try await database.read(in: agency) { try $0.deliveries.storage() }
        return [storage.storedBytes, storage.quotaBytes]
      }
      #expect(try await storage() == [0, nil])
      try await database.write(in: "north") { session in
        try session.deliveries.addStored(bytes: 700)
        try session.deliveries.setQuota(bytes: 1000)
        try session.deliveries.addStored(bytes: 44)
        try session.deliveries.addStored(bytes: -100)
      }
      #expect(try await storage() == [744, 1000])
      #expect(try await storage("south") == [0, nil])
      try await database.write(in: "north") { session in
        try session.deliveries.addStored(bytes: .max)
        try session.deliveries.addStored(bytes: .max)
        try session.deliveries.setQuota(bytes: 0)
      }
      #expect(try await storage() == [Int.max, 0])
      try await database.write(in: "north") { try $0.deliveries.setQuota(bytes: nil) }
      #expect(try await storage() == [Int.max, nil])
    }
  }
}
