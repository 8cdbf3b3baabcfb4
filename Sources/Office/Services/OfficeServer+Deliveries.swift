import Evidence
import Foundation
import Geodesy
import Inspection
import Judgement
import Positioning
import Store
import Sync

// A delivery comes in three steps that may each be repeated: the batch says what it holds, the files
// come one by one, and the batch again. Only the last one changes anything: files get their names and
// are durable, then rows and receipt are one transaction. Before that commit nothing is answered;
// after it, each repetition is answered with the same receipt.

extension OfficeServer {
  /// Answers a batch: what is missing, or the receipt.
  /// - Throws: `OfficeRefusal` for what cannot be taken from this visitor at all. What merely fails a
  ///   check is taken, marked and shown to the officer.
  public func receive(
    batch bytes: [UInt8], id: Identifier, from visitor: Visitor
  ) async throws -> BatchAnswer {
    let person = try visitor.person()
    let batch: BatchMessage
    do {
      batch = try BatchMessage(bytes)
    } catch {
      throw OfficeRefusal(of: error) ?? OfficeRefusal(.batchMalformed, "\(error)")
    }
    // Whoever signs in anew may have another key than the one that sealed: files are the sender's.
    let sender = visitor.key ?? batch.key
    return try await commits.holding(batch.key) {
      let delivery = Delivery(
        batch: batch, messageDigest: Digest.hexadecimal(bytes), sender: sender, person: person,
        names: fileNames(of: batch))
      return try await receive(delivery, under: id)
    }
  }

  /// A batch on its way in.
  private struct Delivery {
    let batch: BatchMessage
    /// SHA-256 of the message, in hexadecimal.
    let messageDigest: String
    /// The key under which the files came.
    let sender: String
    let person: Person
    /// The names that the batch's files will have, by digest.
    let names: [String: [String]]

    var agency: String { person.agency }
  }

  private func receive(_ delivery: Delivery, under id: Identifier) async throws -> BatchAnswer {
    let batch = delivery.batch
    let facts = try await database.read(in: delivery.agency) { session in
      var facts = try self.facts(of: delivery, in: session)
      facts.isUnderOwnIdentifier = batch.id == id
      facts.missing = try missing(of: delivery, in: session)
      return facts
    }
    let decision =
      if let early = ReceiptDecision.beforeFiles(facts) {
        early
      } else {
        ReceiptDecision.of(facts, try await arrival(of: delivery))
      }
    let receipt: Receipt
    switch decision {
    case .refuses(let reason): throw try refusal(reason, delivery)
    case .lacks(let digests):
      return BatchAnswer(id: id.description, missing: digests, receipt: nil)
    case .repeats: receipt = try await repeated(delivery)
    case .receipts: receipt = try await commit(delivery)
    }
    return BatchAnswer(id: id.description, missing: [], receipt: receipt.jws)
  }

  // MARK: the facts of a decision

  /// What the database says of a batch and of whoever sends it; the files are left out.
  private func facts(
    of delivery: Delivery, in session: any AgencyTransaction
  ) throws -> DeliveryFacts {
    let (batch, person) = (delivery.batch, delivery.person)
    let device = try session.devices.device(withKey: batch.key)
    var facts = DeliveryFacts(
      key: device?.inspector != person.login
        ? .notEnrolled : device?.revokedReason.map { .revoked($0) } ?? .valid)
    for seal in batch.seals {
      let owner = try seal.person()
      guard owner.agency == person.agency, owner.login == person.login else {
        facts.recordOfAnother = DeliveryFacts.RecordOfAnother(
          record: seal.seal.link.id, login: owner.login, agency: owner.agency)
        break
      }
    }
    facts.earlier = try session.deliveries.receipt(ofBatch: batch.id).map { known in
      known.messageDigest == delivery.messageDigest && known.inspector == person.login
        ? .same : .another
    }
    return facts
  }

  /// The digests of files that are neither received nor stored.
  private func missing(
    of delivery: Delivery, in session: any AgencyTransaction
  ) throws -> [String] {
    try delivery.batch.files.map(\.digest).filter { digest in
      let places = delivery.names[digest] ?? []
      return try !photos.holdsReceived(ReceivedFile(key: delivery.sender, digest: digest))
        && (places.isEmpty || !places.allSatisfy { try holds($0, digest) })
        && storedName(of: digest, key: delivery.batch.key, session) == nil
    }
  }

  /// What is known of the files that a batch brings.
  private func arrival(of delivery: Delivery) async throws -> ArrivalFacts {
    let (storage, taken) = try await database.read(in: delivery.agency) { session in
      (try session.deliveries.storage(), try takenName(delivery, in: session))
    }
    return ArrivalFacts(
      damaged: try delivery.batch.files.map(\.digest).first {
        try isDamaged(ReceivedFile(key: delivery.sender, digest: $0))
      }, taken: taken, isDiskLow: disk.isLow(at: clock.elapsed),
      room: RoomFacts(
        storedBytes: storage.storedBytes, quotaBytes: storage.quotaBytes,
        arrivingBytes: try arrivingBytes(of: delivery.batch, from: delivery.sender, delivery.names))
    )
  }

  /// What was received is looked at once more before it counts, where a power cut may have come since.
  private func isDamaged(_ file: ReceivedFile) throws -> Bool {
    try photos.holdsReceived(file) && !photos.isWhole(file)
  }

  /// Says why a delivery is refused. A damaged file makes place, so that the device sends it again.
  private func refusal(
    _ reason: ReceiptDecision.Reason, _ delivery: Delivery
  ) throws -> OfficeRefusal {
    if case .fileDamaged(let digest) = reason {
      try discardReceived(ReceivedFile(key: delivery.sender, digest: digest))
    }
    return OfficeRefusal(reason, of: delivery.person)
  }

  /// A batch that was receipted before. A crash may have come between the commit and what follows it, or a
  /// disk have lost what was here.
  private func repeated(_ delivery: Delivery) async throws -> Receipt {
    let (batch, sender) = (delivery.batch, delivery.sender)
    guard
      let known = try await database.read(
        in: delivery.agency, { try $0.deliveries.receipt(ofBatch: batch.id) })
    else { throw OfficeRefusal(.storeUnavailable, "batch \(batch.id) has lost its receipt") }
    let receipt = try Receipt(jws: known.receipt)
    try await place(batch, from: sender, delivery.names, in: delivery.agency, replacing: true)
    try await finish(batch, receipt, from: sender, in: delivery.agency)
    try await lookAgain(at: batch, in: delivery.agency)
    return receipt
  }

  /// The names that a batch's files will have, by digest.
  private func fileNames(of batch: BatchMessage) -> [String: [String]] {
    var names: [String: [String]] = [:]
    // What was deleted before it was sent has no files here, even where another photo brings the same.
    let deleted = Set(batch.seals.compactMap { try? $0.deletion().record })
    for seal in batch.seals where !deleted.contains(seal.seal.link.record) {
      let link = seal.seal.link
      if let file = link.file {
        names[file, default: []].append(EvidenceName.file(link.kind, link.id))
      }
      if let raw = link.raw { names[raw, default: []].append(EvidenceName.raw(link.id)) }
    }
    return names
  }

  package func holds(_ name: String, _ digest: String) throws -> Bool {
    try photos.bytes(of: name).map { Digest.hexadecimal($0) } == digest
  }

  // MARK: commit

  private func commit(_ delivery: Delivery) async throws -> Receipt {
    let (batch, sender, names) = (delivery.batch, delivery.sender, delivery.names)
    let person = delivery.person
    // Counted before the files get their names.
    let bytes = try arrivingBytes(of: batch, from: sender, names)
    let placed = try newNames(of: batch, names)
    try await place(batch, from: sender, names, in: person.agency, replacing: false)
    let receipt: Receipt
    do {
      receipt = try await keep(delivery, bytes: bytes, at: clock.deviceTime)
    } catch {
      // What was refused leaves nothing behind; the bytes that came are still under their device's name.
      for name in placed { try photos.remove(name) }
      throw error
    }
    counters.noteDelivery()
    try await finish(batch, receipt, from: sender, in: person.agency)
    arrivals.announce()
    return receipt
  }

  /// The names that a batch's files and seals will have and that nobody has yet.
  private func newNames(of batch: BatchMessage, _ names: [String: [String]]) throws -> [String] {
    let seals = batch.seals.map { EvidenceName.seal($0.seal.link.kind, $0.seal.link.id) }
    return try (names.values.flatMap(\.self) + seals).filter { try !photos.holds($0) }
  }

  /// Rows, receipt and log of a batch: one transaction.
  private func keep(
    _ delivery: Delivery, bytes: Int, at now: DeviceTime
  ) async throws -> Receipt {
    let (batch, person) = (delivery.batch, delivery.person)
    // Read before the transaction: others may wait for that.
    let measures = try measures(of: batch)
    return try await database.write(in: person.agency) { session in
      // All of it once more: the key may have been revoked, the batch committed and the share used up since
      // the first look. No receipt is later than any of these.
      let storage = try session.deliveries.storage()
      let decision = ReceiptDecision.of(
        try facts(of: delivery, in: session),
        ArrivalFacts(
          isDiskLow: false,
          room: RoomFacts(
            storedBytes: storage.storedBytes, quotaBytes: storage.quotaBytes, arrivingBytes: bytes)
        ))
      switch decision {
      case .receipts: break
      case .refuses(let reason): throw OfficeRefusal(reason, of: person)
      case .repeats, .lacks:
        if let known = try session.deliveries.receipt(ofBatch: batch.id) {
          return try Receipt(jws: known.receipt)
        }
      }
      let intake = Intake(
        batch: batch, person: person, time: now, session: session, measures: measures,
        log: { self.log($0, on: $1, by: person.login, agency: person.agency, detail: $2) })
      try intake.run()
      try session.deliveries.addStored(bytes: bytes)
      // Where the chain forks, the receipt names the branch that it is for.
      let own = (batch.links + batch.seals.map(\.seal)).max {
        $0.link.sequence < $1.link.sequence
      }
      let highest = try session.chains.head(ofKey: batch.key)
      let head =
        (own?.link.sequence ?? 0) >= (highest?.link.sequence ?? 0) ? own ?? highest : highest
      let receipt = try Receipt(
        id: Identifier(at: now), batch: batch.id, agency: person.agency, inspector: person.login,
        key: batch.key,
        head: head.map { Receipt.Head(sequence: $0.link.sequence, link: $0.digest) },
        records: batch.recordDigests.sorted(), files: batch.fileDigests.sorted(), received: now,
        signedWith: receiptKey, certificate: receiptCertificate)
      try session.deliveries.insert(receipt, messageDigest: delivery.messageDigest)
      try session.log.add(
        log(
          "delivery-received", on: batch.id.description, by: person.login, agency: person.agency,
          detail: "\(batch.seals.count) records, \(batch.files.count) files, receipt \(receipt.id)"
        ))
      return receipt
    }
  }

  /// What the points of a batch's tracks measure. A file that is none is taken, and said to be none where it is looked at.
  private func measures(of batch: BatchMessage) throws -> [Identifier: TrackMeasures] {
    var measures: [Identifier: TrackMeasures] = [:]
    for seal in batch.seals where seal.seal.link.kind == .track {
      let id = seal.seal.link.id
      guard let file = try photos.bytes(of: EvidenceName.file(.track, id)) else { continue }
      measures[id] = (try? seal.trackPoints(file: file)).map { TrackMeasures($0) }
    }
    return measures
  }

  /// Gives a batch's files and seals their names, durably; it may be done twice.
  /// - Parameter replacing: whether what is damaged gives way. Only where the batch was committed before:
  ///   then its names are its own.
  private func place(
    _ batch: BatchMessage, from sender: String, _ names: [String: [String]], in agency: String,
    replacing: Bool
  ) async throws {
    let announced = batch.fileDigests
    var placements: [FilePlacement] = []
    for (digest, places) in names {
      let file = ReceivedFile(key: sender, digest: digest)
      let isReceived = try photos.holdsReceived(file)
      // Another delivery of the same bytes may have cleared them away since they were looked for:
      // nothing is signed for that is not here, and the repetition sends them again.
      let stored: String? =
        isReceived || !announced.contains(digest)
        ? nil
        : try await database.read(in: agency) { try storedName(of: digest, key: batch.key, $0) }
      for name in places {
        if isReceived {
          placements.append(FilePlacement(.received(file), digest: digest, as: name))
        } else if announced.contains(digest), try holds(name, digest) {
          // It is looked at again whether it is durable.
          placements.append(FilePlacement(.stored(name), digest: digest, as: name))
        } else if announced.contains(digest) {
          guard let stored else {
            throw OfficeRefusal(.storeUnavailable, "\(name) was cleared away while it was received")
          }
          placements.append(FilePlacement(.stored(stored), digest: digest, as: name))
        }
      }
    }
    var seals: [(bytes: [UInt8], name: String)] = []
    for seal in batch.seals {
      let (bytes, name) = (
        seal.bytes, EvidenceName.seal(seal.seal.link.kind, seal.seal.link.id)
      )
      // One that is here is not written again, which a crash could leave half done; it is synced.
      if try photos.bytes(of: name) == bytes {
        placements.append(
          FilePlacement(.stored(name), digest: Digest.hexadecimal(bytes), as: name))
      } else {
        seals.append((bytes, name))
      }
    }
    try photos.place(placements, replacing: replacing, writing: seals)
  }

  /// What follows a commit, and may be done twice.
  private func finish(
    _ batch: BatchMessage, _ receipt: Receipt, from sender: String, in agency: String
  ) async throws {
    let links = (batch.links + batch.seals.map(\.seal))
      .sorted { $0.link.sequence < $1.link.sequence }
    try photos.write(
      LinkList.bytes(links.map(\.jws)), as: EvidenceName.links(ofBatch: batch.id, key: batch.key))
    if try !photos.holds(EvidenceName.certificate(ofKey: batch.key)) {
      try await writeDerivedFiles(of: batch.key, in: agency)
    }
    // The receipt comes last: where it is missing after a crash, all of these are written again.
    try photos.write(Array(receipt.jws.utf8), as: EvidenceName.receipt(receipt.id))
    for file in batch.files {
      // Somebody who sends it once more just now is told that it is here when they are done.
      try? discardReceived(ReceivedFile(key: sender, digest: file.digest))
    }
  }

  /// The first name or identifier of a batch that another record has. Identifiers are random: one that is
  /// taken by something else was taken on purpose, and what is here is never written over.
  private func takenName(
    _ delivery: Delivery, in session: any AgencyTransaction
  ) throws -> String? {
    let batch = delivery.batch
    for seal in batch.seals {
      let name = EvidenceName.seal(seal.seal.link.kind, seal.seal.link.id)
      if let there = try photos.bytes(of: name), there != seal.bytes { return name }
    }
    // Names differ by kind, and a photo is no note.
    let other = try batch.seals.first {
      try session.deliveries.isTaken($0.seal.link.id, byOtherThan: $0.seal.link.record)
    }
    if let other { return "\(other.seal.link.id)" }
    var ids: Set<Identifier> = []
    for id in batch.seals.map(\.seal.link.id) where !ids.insert(id).inserted { return "\(id)" }
    for (digest, places) in delivery.names {
      for name in places where try photos.holds(name) && !holds(name, digest) { return name }
    }
    return nil
  }

  // MARK: what follows from the database

  /// Links, certificates and receipts as files, so that the folder can be checked without the
  /// database. They follow from it and can always be written again.
  func writeDerivedFiles(of key: String, in agency: String) async throws {
    let (links, device, receipts) = try await database.read(in: agency) { session in
      (
        try session.chains.linkTexts(ofKey: key), try session.devices.device(withKey: key),
        try session.deliveries.receipts(ofKey: key)
      )
    }
    try photos.write(LinkList.bytes(links), as: EvidenceName.links(ofKey: key))
    if let device {
      try photos.write(
        Array((device.certificate + authority.certificate.pem).utf8),
        as: EvidenceName.certificate(ofKey: key))
    }
    if let device, let revocation = try revocation(of: device, in: agency) {
      try photos.write(Array(revocation.jws.utf8), as: EvidenceName.revocation(ofKey: key))
    }
    for receipt in receipts where try !photos.holds(EvidenceName.receipt(receipt.id)) {
      try photos.write(Array(receipt.jws.utf8), as: EvidenceName.receipt(receipt.id))
    }
  }

  /// After a crash between a commit and its files.
  func restoreDerivedFiles() async throws {
    for agency in try await agencies() {
      let devices = try await database.read(in: agency.name) { try $0.devices.devices(of: nil) }
      for device in devices {
        // By their names alone: an office that starts does not read the receipts of years.
        var lacksReceipt = false
        try await database.read(in: agency.name) { session in
          try session.deliveries.forEachReceipt(ofKey: device.key) { batch, _ in
            if try !lacksReceipt && !photos.holds(EvidenceName.receipt(batch)) {
              lacksReceipt = true
            }
          }
        }
        let lacksRevocation =
          try device.revoked != nil && !photos.holds(EvidenceName.revocation(ofKey: device.key))
        guard lacksRevocation || lacksReceipt else { continue }
        try await writeDerivedFiles(of: device.key, in: agency.name)
      }
    }
  }
}

/// Files that are in hand.
struct GivenFiles: EvidenceFiles {
  let contents: [String: [UInt8]]

  init(_ contents: [String: [UInt8]]) { self.contents = contents }

  var paths: [String] { contents.keys.sorted() }

  func bytes(of path: String) throws -> [UInt8] {
    guard let bytes = contents[path] else {
      throw OfficeRefusal(.storeUnavailable, "\(path) is not there")
    }
    return bytes
  }
}

extension OfficeServer {
  /// What database and photo store say differently: files that are named and missing or altered,
  /// files that nobody names, and a log that does not hold together.
  public func differences() async throws -> [(subject: String, message: String)] {
    var differences: [(subject: String, message: String)] = []
    var known: Set<String> = []
    for agency in try await agencies() {
      let (devices, deleted) = try await database.read(in: agency.name) { session in
        (
          try session.devices.devices(of: nil),
          Set(try session.photos.list(.all).filter { $0.deletedReason != nil }.map(\.photo.id))
        )
      }
      for device in devices {
        let links = try await database.read(in: agency.name) {
          try $0.chains.links(ofKey: device.key)
        }
        for case (let link, let file?) in links.map({ ($0.seal.link, $0.file) }) {
          let seal = EvidenceName.seal(link.kind, link.id)
          known.insert(seal)
          if try photos.bytes(of: seal) != file.bytes {
            differences.append((seal, "it is not the seal that the database holds"))
          }
          guard !deleted.contains(link.id) else { continue }
          if link.kind == .track,
            try await database.read(in: agency.name, { try $0.tracks.isDeleted(track: link.id) })
          {
            continue
          }
          for (digest, name) in [
            (link.file, EvidenceName.file(link.kind, link.id)),
            (link.raw, EvidenceName.raw(link.id)),
          ] {
            guard let digest else { continue }
            known.insert(name)
            guard let bytes = try photos.bytes(of: name) else {
              differences.append((name, "it is missing"))
              continue
            }
            if Digest.hexadecimal(bytes) != digest {
              differences.append((name, "its bytes are not those that were sealed"))
            }
          }
        }
      }
    }
    for agency in try await agencies() {
      try await database.read(in: agency.name) { session in
        for service in services {
          try service.forEachFile(in: session) { name, digest in
            known.insert(name)
            guard let found = try photos.bytes(of: name).map({ Digest.hexadecimal($0) }) else {
              differences.append((name, "it is missing"))
              return
            }
            if found != digest { differences.append((name, "its bytes are not those that came")) }
          }
        }
      }
    }
    let kinds = ["photos/", "tracks/", "records/"]
    for name in try photos.names()
    where kinds.contains(where: name.hasPrefix) && !known.contains(name) {
      differences.append((name, "the database does not know it"))
    }
    if let place = try await database.readRegistry({ try $0.brokenLogPlace() }) {
      differences.append(("log", "it does not hold together from entry \(place) on"))
    }
    return differences
  }
}
