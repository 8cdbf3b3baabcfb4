import Evidence
import Inspection
import Judgement
import Store

// Facts of an agency that checks need.
extension AgencyTransaction {
  /// Finds where each of these transmitters is by the agency's list, or was heard, by its name.
  package func places(of names: [String]?) throws -> [String: [TransmitterPlace]] {
    var known: [String: [TransmitterPlace]] = [:]
    for name in names ?? [] { known[name] = try checks.places(ofTransmitter: name) }
    return known
  }

  /// Compares the capture policy that was in force with the record of a photo.
  func policyCheck(_ record: JSONValue, _ photo: Photo) throws -> PhotoCheck? {
    let check = PolicyCheck(record, photo)
    let task = try check.sealedTask.flatMap { id in
      try StoreError.found { try tasks.task(id) }
    }
    return check.check(
      against: try check.named.flatMap { try policies.revision($0.revision) },
      hasPolicy: try policies.current() != nil, taskType: task?.type)
  }
}
