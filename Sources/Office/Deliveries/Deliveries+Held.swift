import Evidence
import Foundation
import Inspection
import Positioning
import Store
import Sync
import TimeAndText

extension Deliveries {
  /// Answers the question "Did you get it?": the state of an inspector's things, and of a device's
  /// files. Another inspector's things are unknown.
  /// - Throws: `OfficeRefusal` (input-invalid) if too much is asked at once.
  public func held(_ question: HeldQuestion, from visitor: Visitor) async throws -> HeldAnswer {
    let person = try visitor.person()
    let limit = question.isDeep ? HeldQuestion.maximumDeepThings : HeldQuestion.maximumThings
    guard question.schema == HeldQuestion.schema else {
      throw SyncError.unknownSchema(found: question.schema, expected: HeldQuestion.schema)
    }
    guard question.things.count <= limit, question.digests.count <= HeldQuestion.maximumThings
    else {
      throw OfficeRefusal(
        .inputInvalid, "at most \(limit) things are asked for at once: ask in pieces")
    }
    return try await database.read(in: person.agency) { session in
      let things = try question.things.map { thing in
        let (state, receipt) = try holding(thing, question.isDeep, person, session)
        return HeldAnswer.Thing(id: thing.id, state: state, receipt: receipt)
      }
      let missing = try Set(question.digests).sorted().filter { digest in
        try !Digest.isDigest(digest) || !holdsFile(digest, of: visitor.key, session)
      }
      var offsets: [String: Int] = [:]
      for digest in missing where Digest.isDigest(digest) {
        let part = try visitor.key.flatMap {
          try photos.received(upTo: ReceivedFile(key: $0, digest: digest))
        }
        // A file that another request has just ended has no place to go on from.
        if let part, part.offset > 0, part.offset < part.length { offsets[digest] = part.offset }
      }
      return HeldAnswer(
        things: things, missing: missing, offsets: offsets.isEmpty ? nil : offsets,
        head: try visitor.key.flatMap { try session.chains.chainHead(ofKey: $0) })
    }
  }

  private func holding(
    _ thing: HeldQuestion.Thing, _ isDeep: Bool, _ person: Person,
    _ session: any AgencyTransaction
  ) throws -> (HeldAnswer.State, receipt: String?) {
    guard let id = Identifier(thing.id) else { return (.unknown, nil) }
    if let batch = try session.deliveries.receipt(ofBatch: id), batch.inspector == person.login {
      return (.held, batch.receipt)
    }
    guard let known = try session.deliveries.holding(of: id, inspector: person.login) else {
      return (.unknown, nil)
    }
    if let record = thing.record, record != known.record { return (.different, nil) }
    let isDeleted =
      try known.kind == .capture
      && StoreError.found { try session.photos.photo(id) }?.deletedReason != nil
      || known.kind == .track && session.tracks.isDeleted(track: id)
      || known.kind.frameSet != nil && session.sets.isDeleted(set: id)
    guard !isDeleted else { return (.held, nil) }
    for named in known.parts {
      let name = EvidenceName.part(named.part, known.kind, id)
      let isHere = try isDeep ? holds(name, named.digest) : photos.holds(name)
      if !isHere { return (.incomplete, nil) }
    }
    return (.held, nil)
  }

  /// Returns true if a device's file is here: received and waiting for its batch, or stored under a
  /// name.
  private func holdsFile(
    _ digest: String, of key: String?, _ session: any AgencyTransaction
  ) throws -> Bool {
    guard let key else { return false }
    return try photos.holdsReceived(ReceivedFile(key: key, digest: digest))
      || storedName(of: digest, key: key, session) != nil
  }

  /// Returns the name of a device's stored file with these bytes; nil if there is none. Two records
  /// may name one file, such as two photos from one raw window: the file is sent once.
  func storedName(
    of digest: String, key: String, _ session: any AgencyTransaction
  ) throws -> String? {
    try session.deliveries.records(ofKey: key, naming: digest).lazy
      .map { $0.isRaw ? EvidenceName.raw($0.id) : EvidenceName.file($0.kind, $0.id) }
      .first { try holds($0, digest) }
  }
}
