import Inspection

/// The decision on a delivery, which no other code makes. A receipt is the office's signature that
/// it holds everything, so every fact is checked first. If a fact could not be read, the code that
/// gathers the facts throws, and no receipt is given.
package enum ReceiptDecision: Hashable, Sendable {
  /// The device must first send these files, named by their SHA-256. The office keeps nothing of
  /// the batch until then.
  case lacks([String])
  /// The batch has a receipt already, and gets that receipt again.
  case repeats
  /// Everything is here. Rows, receipt and log are written in one transaction.
  case receipts
  /// The office takes nothing, and everything stays queued on the device.
  case refuses(Reason)

  /// A reason against a delivery.
  package enum Reason: Hashable, Sendable {
    /// The address named another identifier than the batch's own.
    case otherIdentifier
    /// The office has not enrolled the batch's key for this person.
    case keyNotEnrolled
    /// The batch's key was revoked, for the given reason.
    case keyRevoked(String)
    /// Another person sealed one of the records.
    case recordOfAnother(Identifier, login: String, agency: String)
    /// Another delivery has a receipt under this identifier.
    case batchChanged
    /// A received file, named by its SHA-256, is damaged.
    case fileDamaged(String)
    /// Another record already has this name or identifier.
    case nameTaken(String)
    /// The office's disk is nearly full.
    case diskLow
    /// The agency's share of the disk is used up.
    case quotaFull(RoomFacts)
  }

  /// Decides without the files, because checking them takes long; nil if the files matter. The
  /// answer names the first reason against a delivery, in the order of this function.
  package static func beforeFiles(_ facts: DeliveryFacts) -> ReceiptDecision? {
    guard facts.isUnderOwnIdentifier else { return .refuses(.otherIdentifier) }
    switch facts.key {
    case .notEnrolled: return .refuses(.keyNotEnrolled)
    case .revoked(let reason): return .refuses(.keyRevoked(reason))
    case .valid: break
    }
    if let other = facts.recordOfAnother {
      return .refuses(
        .recordOfAnother(other.record, login: other.login, agency: other.agency))
    }
    if facts.earlier == .another { return .refuses(.batchChanged) }
    guard facts.missing.isEmpty else { return .lacks(facts.missing) }
    if facts.earlier == .same { return .repeats }
    return nil
  }

  /// Decides with all facts about a batch, its sender and its files.
  package static func of(_ facts: DeliveryFacts, _ arrival: ArrivalFacts) -> ReceiptDecision {
    if let decision = beforeFiles(facts) { return decision }
    if let digest = arrival.damaged { return .refuses(.fileDamaged(digest)) }
    if let name = arrival.taken { return .refuses(.nameTaken(name)) }
    if arrival.isDiskLow { return .refuses(.diskLow) }
    if arrival.room.isFull { return .refuses(.quotaFull(arrival.room)) }
    return .receipts
  }
}

/// The facts that the office knows about a batch and its sender.
package struct DeliveryFacts: Hashable, Sendable {
  /// The state of a key at the office.
  package enum KeyStanding: Hashable, Sendable {
    /// The person has no such key.
    case notEnrolled
    /// The key is this person's and may deliver.
    case valid
    /// The key may no longer deliver, for the given reason.
    case revoked(String)
  }

  /// The receipt that already exists under the batch's identifier.
  package enum Earlier: Hashable, Sendable {
    /// The receipt is for this message of this person.
    case same
    /// The receipt is for another message, or for another person's.
    case another
  }

  /// A record that another person sealed.
  package struct RecordOfAnother: Hashable, Sendable {
    package var record: Identifier
    package var login: String
    package var agency: String

    package init(record: Identifier, login: String, agency: String) {
      self.record = record
      self.login = login
      self.agency = agency
    }
  }

  /// True if the address names the batch's own identifier.
  package var isUnderOwnIdentifier = true
  /// The state of the batch's key.
  package var key: KeyStanding
  /// The first record that another person sealed; nil if all are the sender's.
  package var recordOfAnother: RecordOfAnother?
  /// The receipt that already exists under the batch's identifier; nil if there is none.
  package var earlier: Earlier?
  /// The SHA-256 of each file that the office does not hold, in the batch's order.
  package var missing: [String] = []

  /// Creates the facts of a batch with a key in this state.
  package init(key: KeyStanding) { self.key = key }
}

/// The facts that the office knows about the files of a batch.
package struct ArrivalFacts: Hashable, Sendable {
  /// The SHA-256 of the first received file that is damaged; nil if none is.
  package var damaged: String?
  /// The first name or identifier that another record already has; nil if all are free.
  package var taken: String?
  /// True if the office's disk is nearly full.
  package var isDiskLow: Bool
  /// The agency's share of the disk.
  package var room: RoomFacts

  package init(damaged: String? = nil, taken: String? = nil, isDiskLow: Bool, room: RoomFacts) {
    self.damaged = damaged
    self.taken = taken
    self.isDiskLow = isDiskLow
    self.room = room
  }
}

/// The agency's share of the disk, and the bytes that count against it.
package struct RoomFacts: Hashable, Sendable {
  /// The bytes of earlier deliveries.
  package var storedBytes: Int
  /// The most bytes that deliveries may bring; nil means no limit.
  package var quotaBytes: Int?
  /// The bytes that devices have sent and no batch has claimed yet.
  package var unclaimedBytes: Int
  /// The bytes of this delivery. A delivery of 0 bytes is never too much.
  package var arrivingBytes: Int

  package init(
    storedBytes: Int, quotaBytes: Int?, unclaimedBytes: Int = 0, arrivingBytes: Int
  ) {
    self.storedBytes = storedBytes
    self.quotaBytes = quotaBytes
    self.unclaimedBytes = unclaimedBytes
    self.arrivingBytes = arrivingBytes
  }

  /// True if this delivery would exceed the agency's share.
  package var isFull: Bool {
    guard arrivingBytes > 0, let quotaBytes else { return false }
    let (taken, isTooMany) = storedBytes.addingReportingOverflow(unclaimedBytes)
    let (sum, isOver) = taken.addingReportingOverflow(arrivingBytes)
    return isTooMany || isOver || sum > quotaBytes
  }
}
