import Evidence
import Inspection
import Judgement
import Store

// What the checks need to know of an agency.
extension AgencyTransaction {
  /// Where each of these transmitters is by the agency's list, or was heard, by its name.
  package func places(of names: [String]?) throws -> [String: [TransmitterPlace]] {
    var known: [String: [TransmitterPlace]] = [:]
    for name in names ?? [] { known[name] = try places(ofTransmitter: name) }
    return known
  }

  /// What the agency demanded of a photo, against what its record says.
  func policyCheck(_ record: JSONValue, _ photo: Photo) throws -> PhotoCheck? {
    let check = PolicyCheck(record, photo)
    let task = try check.sealedTask.flatMap { id in
      try StoreError.found { try self.task(id) }
    }
    return check.check(
      against: try check.named.flatMap { try policy(revision: $0.revision) },
      hasPolicy: try policy() != nil, taskType: task?.type)
  }
}
