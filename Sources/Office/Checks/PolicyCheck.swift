import Evidence
import Inspection
import Positioning
import Store

/// What the agency demanded of a photo, against what its record says of gate and samples. A field
/// unit that was changed to be laxer than its agency is found here.
enum PolicyCheck {
  /// - Returns: nil where the agency has never demanded anything.
  static func check(
    _ record: JSONValue, _ photo: Photo, _ session: any AgencyTransaction
  ) throws -> PhotoCheck? {
    guard let named = record["policy"], let revision = named["revision"]?.wholeNumber else {
      // The device had not fetched the policy yet, or there was none then: nobody was laxer than asked.
      return try session.policy() == nil ? nil : PhotoCheck(.policy, .unclear)
    }
    let numbers: [PhotoCheck.Quantity: Double?] = [.revision: Double(revision)]
    guard let signed = try session.policy(revision: revision),
      signed.digest == named["digest"]?.text
    else { return PhotoCheck(.policy, .contradicts, numbers, words: "unknown") }
    guard let gate = record["gate"]?["limits"].flatMap(GatePolicy.init(json:)) else {
      return PhotoCheck(.policy, .notCheckable, numbers)
    }
    // The task that it was sealed for, whatever officers have given it to since.
    let task = record["task"]?["id"]?.text.flatMap(Identifier.init(_:))
    let type = try task.flatMap { id in try StoreError.found { try session.task(id) } }?.type
    let rules = signed.policy.rules(forType: type)
    let broken =
      rules.broken(by: gate, record["gate"]?["sampler"].flatMap(SamplerPolicy.init(json:)))
      + rules.forbidding(withoutTask: task == nil, imported: photo.origin == .imported)
    return PhotoCheck(
      .policy, broken.isEmpty ? .agrees : .contradicts, numbers,
      words: broken.isEmpty ? nil : broken.map(\.rawValue).joined(separator: ","))
  }
}
