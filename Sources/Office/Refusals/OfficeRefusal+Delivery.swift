import Inspection
import Judgement
import TimeAndText

extension OfficeRefusal {
  /// Creates the answer to a device whose delivery is refused.
  /// - Parameter person: the sender.
  init(_ reason: ReceiptDecision.Reason, of person: Person) {
    switch reason {
    case .otherIdentifier:
      self.init(.batchMalformed, "it was sent under another identifier than its own")
    case .keyNotEnrolled:
      self.init(
        .keyNotEnrolled,
        "this office has not enrolled the key that sealed it for \(person.login):"
          + " sign out and sign in again on the field unit; everything stays queued")
    case .keyRevoked(let reason): self = .keyRevoked(reason)
    case .recordOfAnother(let record, let login, let agency):
      self.init(.recordsOfAnother, "record \(record) is \(login)'s of \(agency)")
    case .batchChanged:
      self.init(.batchChanged, "another delivery was received under this identifier already")
    case .fileDamaged(let digest):
      self.init(.storeUnavailable, "\(digest) was damaged here: it is to be sent again")
    case .nameTaken(let name):
      self.init(.recordsOfAnother, "\(name) is another record's already")
    case .diskLow: self = .diskIsLow
    case .quotaFull(let room): self = .quotaFull(room)
    }
  }
}
