import Inspection

/// Whether a delivery may be receipted: the one place that says so. A receipt is the office's signature that
/// it holds everything, so each fact is asked before it, and a fact that could not be read is no fact: whoever
/// gathers them throws, and nothing is receipted.
package enum ReceiptDecision: Hashable, Sendable {
  /// The device sends these files first, by their SHA-256; nothing is kept of the batch meanwhile.
  case lacks([String])
  /// The batch was receipted before: it gets the same receipt.
  case repeats
  /// Everything is here: rows, receipt and log become one transaction.
  case receipts
  /// Nothing is taken, and everything stays queued on the device.
  case refuses(Reason)

  /// What speaks against a delivery.
  package enum Reason: Hashable, Sendable {
    /// The batch came under another identifier than its own.
    case otherIdentifier
    /// The office has not enrolled the batch's key for this person.
    case keyNotEnrolled
    /// The batch's key was revoked, for this reason.
    case keyRevoked(String)
    /// One of the records is somebody else's.
    case recordOfAnother(Identifier, login: String, agency: String)
    /// Another delivery was receipted under this identifier.
    case batchChanged
    /// A file that was received is not whole any more, by its SHA-256.
    case fileDamaged(String)
    /// Another record has this name or this identifier already.
    case nameTaken(String)
    /// The office's disk is nearly full.
    case diskLow
    /// The agency's share of the disk is used up.
    case quotaFull(RoomFacts)
  }

  /// Decides without a look at the files, which takes long; nil if the files matter. The first reason
  /// against a delivery, in this order, is the one that the answer names.
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

  /// Decides with all that the office knows of a batch, its sender and its files.
  package static func of(_ facts: DeliveryFacts, _ arrival: ArrivalFacts) -> ReceiptDecision {
    if let decision = beforeFiles(facts) { return decision }
    if let digest = arrival.damaged { return .refuses(.fileDamaged(digest)) }
    if let name = arrival.taken { return .refuses(.nameTaken(name)) }
    if arrival.isDiskLow { return .refuses(.diskLow) }
    if arrival.room.isFull { return .refuses(.quotaFull(arrival.room)) }
    return .receipts
  }
}

/// What the office knows of a batch and of whoever sends it.
package struct DeliveryFacts: Hashable, Sendable {
  /// How a key stands with the office.
  package enum KeyStanding: Hashable, Sendable {
    /// No key of this person's.
    case notEnrolled
    /// A key of this person's that may deliver.
    case valid
    /// A key that may deliver no more, and why.
    case revoked(String)
  }

  /// A receipt under the batch's identifier.
  package enum Earlier: Hashable, Sendable {
    /// For the same message of the same person.
    case same
    /// For another message, or another person's.
    case another
  }

  /// A record that somebody else has sealed.
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

  /// Whether the address names the batch's own identifier.
  package var isUnderOwnIdentifier = true
  /// How the batch's key stands.
  package var key: KeyStanding
  /// The first record that is not the sender's; nil where all are.
  package var recordOfAnother: RecordOfAnother?
  /// The receipt that there is under the batch's identifier; nil where there is none.
  package var earlier: Earlier?
  /// The SHA-256 of each file that the office does not hold, in the batch's order.
  package var missing: [String] = []

  /// The facts of a batch whose key stands so.
  package init(key: KeyStanding) { self.key = key }
}

/// What the office knows of the files that a batch brings.
package struct ArrivalFacts: Hashable, Sendable {
  /// The SHA-256 of the first file that was received and is not whole any more; nil where all are.
  package var damaged: String?
  /// The first name or identifier that another record has already; nil where all are free.
  package var taken: String?
  /// Whether the office's disk is nearly full.
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

/// An agency's share of the disk, and what comes on top. Bytes.
package struct RoomFacts: Hashable, Sendable {
  /// What deliveries have brought.
  package var storedBytes: Int
  /// What they may bring; nil is any number.
  package var quotaBytes: Int?
  /// What devices have sent and no batch has claimed yet.
  package var unclaimedBytes: Int
  /// What comes now. Nothing is never too much.
  package var arrivingBytes: Int

  package init(
    storedBytes: Int, quotaBytes: Int?, unclaimedBytes: Int = 0, arrivingBytes: Int
  ) {
    self.storedBytes = storedBytes
    self.quotaBytes = quotaBytes
    self.unclaimedBytes = unclaimedBytes
    self.arrivingBytes = arrivingBytes
  }

  /// Whether what comes now is more than the share.
  package var isFull: Bool {
    guard arrivingBytes > 0, let quotaBytes else { return false }
    let (taken, isTooMany) = storedBytes.addingReportingOverflow(unclaimedBytes)
    let (sum, isOver) = taken.addingReportingOverflow(arrivingBytes)
    return isTooMany || isOver || sum > quotaBytes
  }
}
