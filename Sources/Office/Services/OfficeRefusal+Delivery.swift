import Inspection
import Judgement
import Positioning

extension OfficeRefusal {
  /// What a device is told of a delivery that is refused.
  /// - Parameter person: whoever sends it.
  init(_ reason: ReceiptDecision.Reason, of person: Person) {
    switch reason {
    case .otherIdentifier:
      self.init(.batchMalformed, "it was sent under another identifier than its own")
    case .keyNotEnrolled:
      self.init(
        .keyNotEnrolled,
        "this office has not enrolled the key that sealed it for \(person.login):"
          + " sign out and sign in again on the field unit; everything stays queued")
    case .keyRevoked(let reason): self = OfficeServer.keyRevoked(reason)
    case .recordOfAnother(let record, let login, let agency):
      self.init(.recordsOfAnother, "record \(record) is \(login)'s of \(agency)")
    case .batchChanged:
      self.init(.batchChanged, "another delivery was received under this identifier already")
    case .fileDamaged(let digest):
      self.init(.storeUnavailable, "\(digest) was damaged here: it is to be sent again")
    case .nameTaken(let name):
      self.init(.recordsOfAnother, "\(name) is another record's already")
    case .diskLow: self = OfficeServer.diskIsLow
    case .quotaFull(let room): self = OfficeServer.quotaFull(room)
    }
  }
}
