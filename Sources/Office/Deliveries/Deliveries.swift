import Evidence
import Foundation
import Geodesy
import Inspection
import Judgement
import OfficeKeyring
import Positioning
import Store
import Sync
import TimeAndText

// A delivery comes in three steps, and each may be repeated: the batch says what it holds, the
// files arrive one by one, and the batch comes again. Only the last step changes anything: files
// get their names and are durable, and then rows and receipt are one transaction. Before that
// commit nothing is answered; after it, each repetition gets the same receipt.

/// Takes the batches of field units, and answers them.
package struct Deliveries: OfficeService {
  /// The core of the office.
  package let core: OfficeCore
  let room: Room
  let derived: DerivedFiles
  let examiner: Examiner
  /// The turns of a key's batches. A device may send a batch again while the first sending is being
  /// made durable: two at once would write the same files.
  package let commits = Turns()
  /// The turns of devices: one device's deliveries must not take all the threads of deliveries.
  package let turns = Turns()
}

extension Deliveries {
  /// Answers a batch: with the digests of missing files, or with the receipt.
  /// - Throws: `OfficeRefusal` if a delivery cannot be taken from this visitor at all. A delivery
  ///   that only fails a check is taken, marked and shown to the officer.
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
    // After signing in again, a device may have another key than the one that sealed the batch: the
    // files belong to the sender's key.
    let sender = visitor.key ?? batch.key
    return try await commits.holding(batch.key) {
      let delivery = Delivery(
        batch: batch, messageDigest: Digest.hexadecimal(bytes), sender: sender, person: person,
        names: fileNames(of: batch))
      return try await receive(delivery, under: id)
    }
  }

  /// A batch that is being received.
  private struct Delivery {
    let batch: BatchMessage
    /// The SHA-256 of the message, in hexadecimal.
    let messageDigest: String
    /// The key under which the files were sent.
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

  /// Returns the database's facts about a batch and its sender, without those about files.
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

  /// Returns the facts about the files that a batch brings.
  private func arrival(of delivery: Delivery) async throws -> ArrivalFacts {
    let (storage, taken) = try await database.read(in: delivery.agency) { session in
      (try session.deliveries.storage(), try takenName(delivery, in: session))
    }
    return ArrivalFacts(
      damaged: try delivery.batch.files.map(\.digest).first {
        try isDamaged(ReceivedFile(key: delivery.sender, digest: $0))
      }, taken: taken, isDiskLow: core.disk.isLow(at: clock.elapsed),
      room: RoomFacts(
        storedBytes: storage.storedBytes, quotaBytes: storage.quotaBytes,
        arrivingBytes: try room.arrivingBytes(
          of: delivery.batch, from: delivery.sender, delivery.names))
    )
  }

  /// Returns true if a received file's bytes are wrong. They are checked again before they count,
  /// because a power cut may have come since.
  private func isDamaged(_ file: ReceivedFile) throws -> Bool {
    try photos.holdsReceived(file) && !photos.isWhole(file)
  }

  /// Returns the refusal for a reason. A damaged file is removed, so that the device sends it
  /// again.
  private func refusal(
    _ reason: ReceiptDecision.Reason, _ delivery: Delivery
  ) throws -> OfficeRefusal {
    if case .fileDamaged(let digest) = reason {
      try room.discardReceived(ReceivedFile(key: delivery.sender, digest: digest))
    }
    return OfficeRefusal(reason, of: delivery.person)
  }

  /// Answers a batch that got its receipt before. The commit's later steps are done again: a crash
  /// may have come in between, or a disk may have lost files.
  private func repeated(_ delivery: Delivery) async throws -> Receipt {
    let (batch, sender) = (delivery.batch, delivery.sender)
    guard
      let known = try await database.read(
        in: delivery.agency, { try $0.deliveries.receipt(ofBatch: batch.id) })
    else { throw OfficeRefusal(.storeUnavailable, "batch \(batch.id) has lost its receipt") }
    let receipt = try Receipt(jws: known.receipt)
    try await place(batch, from: sender, delivery.names, in: delivery.agency, replacing: true)
    try await finish(batch, receipt, from: sender, in: delivery.agency)
    try await examiner.lookAgain(at: batch, in: delivery.agency)
    return receipt
  }

  /// The names that a batch's files will have, by digest.
  private func fileNames(of batch: BatchMessage) -> [String: [String]] {
    var names: [String: [String]] = [:]
    // A capture or track that was deleted before it was sent has no files here, even if another
    // photo brings the same bytes.
    let deleted = Set(batch.seals.compactMap { try? $0.deletion().record })
    for seal in batch.seals where !deleted.contains(seal.seal.link.record) {
      let link = seal.seal.link
      for named in seal.parts {
        names[named.digest, default: []].append(
          EvidenceName.part(named.part, link.kind, link.id))
      }
    }
    return names
  }

  /// Returns true if a file of this name is stored and has this digest.
  package func holds(_ name: String, _ digest: String) throws -> Bool {
    try photos.bytes(of: name).map { Digest.hexadecimal($0) } == digest
  }

  // MARK: commit

  private func commit(_ delivery: Delivery) async throws -> Receipt {
    let (batch, sender, names) = (delivery.batch, delivery.sender, delivery.names)
    let person = delivery.person
    // Counted before the files get their names.
    let bytes = try room.arrivingBytes(of: batch, from: sender, names)
    let placed = try newNames(of: batch, names)
    try await place(batch, from: sender, names, in: person.agency, replacing: false)
    let receipt: Receipt
    do {
      receipt = try await keep(delivery, bytes: bytes, at: clock.deviceTime)
    } catch {
      // A refused batch leaves nothing behind; the received bytes are still under their device's
      // name.
      for name in placed { try photos.remove(name) }
      throw error
    }
    counters.noteDelivery()
    try await finish(batch, receipt, from: sender, in: person.agency)
    arrivals.announce()
    return receipt
  }

  /// Returns the names that the batch's files and seals will have and that no file has yet.
  private func newNames(of batch: BatchMessage, _ names: [String: [String]]) throws -> [String] {
    let seals = batch.seals.map { EvidenceName.seal($0.seal.link.kind, $0.seal.link.id) }
    return try (names.values.flatMap(\.self) + seals).filter { try !photos.holds($0) }
  }

  /// Writes rows, receipt and log of a batch in one transaction.
  private func keep(
    _ delivery: Delivery, bytes: Int, at now: DeviceTime
  ) async throws -> Receipt {
    let (batch, person) = (delivery.batch, delivery.person)
    // Read before the transaction, which others may wait for.
    let measures = try measures(of: batch)
    return try await database.write(in: person.agency) { session in
      // All facts are read once more: the key may have been revoked, the batch committed and the
      // quota used up since the first look. No receipt is given after any of these.
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
      // If the chain forks, the receipt names the branch that the batch is on.
      let own = (batch.links + batch.seals.map(\.seal)).max {
        $0.link.sequence < $1.link.sequence
      }
      let highest = try session.chains.head(ofKey: batch.key)
      let head =
        (own?.link.sequence ?? 0) >= (highest?.link.sequence ?? 0) ? own ?? highest : highest
      let ring = core.keys.ring
      let receipt = try Receipt(
        id: Identifier(at: now), batch: batch.id, agency: person.agency, inspector: person.login,
        key: batch.key,
        head: head.map { Receipt.Head(sequence: $0.link.sequence, link: $0.digest) },
        records: batch.recordDigests.sorted(), files: batch.fileDigests.sorted(), received: now,
        signedWith: ring.receiptKey, certificate: ring.receiptCertificate)
      try session.deliveries.insert(receipt, messageDigest: delivery.messageDigest)
      try session.log.add(
        log(
          "delivery-received", on: batch.id.description, by: person.login, agency: person.agency,
          // With the digest the line covers what the receipt says, and not its name alone.
          detail: "\(batch.seals.count) records, \(batch.files.count) files, "
            + BundleList.receiptWords(receipt)))
      return receipt
    }
  }

  /// Returns the measures of a batch's tracks from their points. A file that holds no points is
  /// taken as well; reading it later shows that it holds none.
  private func measures(of batch: BatchMessage) throws -> [Identifier: TrackMeasures] {
    var measures: [Identifier: TrackMeasures] = [:]
    for seal in batch.seals where seal.seal.link.kind == .track {
      let id = seal.seal.link.id
      guard let file = try photos.bytes(of: EvidenceName.file(.track, id)) else { continue }
      measures[id] = (try? seal.trackPoints(file: file)).map { TrackMeasures($0) }
    }
    return measures
  }

  /// Gives a batch's files and seals their names, durably. Repeating it does no harm.
  /// - Parameter replacing: true if damaged files give way. Only for a batch that was committed
  ///   before: its names are then its own.
  private func place(
    _ batch: BatchMessage, from sender: String, _ names: [String: [String]], in agency: String,
    replacing: Bool
  ) async throws {
    let announced = batch.fileDigests
    var placements: [FilePlacement] = []
    for (digest, places) in names {
      let file = ReceivedFile(key: sender, digest: digest)
      let isReceived = try photos.holdsReceived(file)
      // Another delivery of the same bytes may have removed them since they were looked for. The
      // office signs only for bytes that are here, so the device sends them again.
      let stored: String? =
        isReceived || !announced.contains(digest)
        ? nil
        : try await database.read(in: agency) { try storedName(of: digest, key: batch.key, $0) }
      for name in places {
        if isReceived {
          placements.append(FilePlacement(.received(file), digest: digest, as: name))
        } else if announced.contains(digest), try holds(name, digest) {
          // The file is placed again to make sure that it is durable.
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
      // A seal that is here is only synced and not written again, since a crash could leave it half
      // written.
      if try photos.bytes(of: name) == bytes {
        placements.append(
          FilePlacement(.stored(name), digest: Digest.hexadecimal(bytes), as: name))
      } else {
        seals.append((bytes, name))
      }
    }
    try photos.place(placements, replacing: replacing, writing: seals)
  }

  /// Does the steps after a commit. Repeating them does no harm.
  private func finish(
    _ batch: BatchMessage, _ receipt: Receipt, from sender: String, in agency: String
  ) async throws {
    let links = (batch.links + batch.seals.map(\.seal))
      .sorted { $0.link.sequence < $1.link.sequence }
    try photos.write(
      LinkList.bytes(links.map(\.jws)), as: EvidenceName.links(ofBatch: batch.id, key: batch.key))
    if try !photos.holds(EvidenceName.certificate(ofKey: batch.key)) {
      try await derived.write(of: batch.key, in: agency)
    }
    let ring = core.keys.ring
    for challenge in batch.challenges(under: ring.valid) where ring.counts(challenge.certificate) {
      try photos.write(
        Array(challenge.jws.utf8), as: EvidenceName.challenge(challenge.digest, ofKey: batch.key))
    }
    // The receipt comes last: if it is missing after a crash, all of these are written again.
    try photos.write(Array(receipt.jws.utf8), as: EvidenceName.receipt(receipt.id))
    for file in batch.files {
      // If another request is receiving the file just now, the removal fails; that request learns
      // at its end that the file is here.
      try? room.discardReceived(ReceivedFile(key: sender, digest: file.digest))
    }
  }

  /// Returns the first name or identifier of a batch that belongs to another record; nil if there
  /// is none. Identifiers are random: a collision is deliberate, and stored files are never
  /// overwritten.
  private func takenName(
    _ delivery: Delivery, in session: any AgencyTransaction
  ) throws -> String? {
    let batch = delivery.batch
    for seal in batch.seals {
      let name = EvidenceName.seal(seal.seal.link.kind, seal.seal.link.id)
      if let there = try photos.bytes(of: name), there != seal.bytes { return name }
    }
    // Names differ by kind, but an identifier stands for one record only: a photo cannot also be a
    // note.
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
}
