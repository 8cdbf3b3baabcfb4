import Evidence
import Inspection
import Judgement
import Store

// Facts of an agency that checks need.
extension AgencyTransaction {
  /// Returns the known places of each of these transmitters, by name: from the agency's list, and
  /// from captures that heard it. A name without a place has an empty list.
  package func places(of names: [String]?) throws -> [String: [TransmitterPlace]] {
    var known: [String: [TransmitterPlace]] = [:]
    for name in names ?? [] { known[name] = try checks.places(ofTransmitter: name) }
    return known
  }

  /// Checks a photo's record against the agency's capture policy; nil if the agency has never had a
  /// policy and the record names none.
  /// - Parameter devices: the devices from which a gpsd says in the raw window that it read; nil if the window is not here.
  func policyCheck(
    _ record: JSONValue, _ photo: Photo, devices: Set<String>?
  ) throws -> PhotoCheck? {
    let check = PolicyCheck(record, photo)
    let task = try check.sealedTask.flatMap { id in
      try StoreError.found { try tasks.task(id) }
    }
    return check.check(
      against: try check.named.flatMap { try policies.revision($0.revision) },
      hasPolicy: try policies.current() != nil, taskType: task?.type, devices: devices)
  }
}
