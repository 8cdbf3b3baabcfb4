import Evidence
import Inspection
import Positioning

/// What the agency demanded of a photo, against what its record says of gate and samples. A field
/// unit that was changed to be laxer than its agency is found here.
package struct PolicyCheck {
  /// The policy that a record names: its revision and digest; nil where the record names none.
  package struct Named {
    package let revision: Int
    let digest: String?

    package init?(_ record: JSONValue) {
      guard let named = record["policy"], let revision = named["revision"]?.wholeNumber else {
        return nil
      }
      self.revision = revision
      digest = named["digest"]?.text
    }
  }

  let record: JSONValue
  let photo: Photo

  package init(_ record: JSONValue, _ photo: Photo) {
    self.record = record
    self.photo = photo
  }

  /// The policy that the record names.
  package var named: Named? { Named(record) }
  /// The task that the photo was sealed for, whatever officers have given it to since.
  package var sealedTask: Identifier? {
    record["task"]?["id"]?.text.flatMap(Identifier.init(_:))
  }

  /// Compares.
  /// - Parameters:
  ///   - signed: the agency's policy of the revision that the record names; nil where there is none.
  ///   - hasPolicy: whether the agency has a policy at all.
  ///   - type: of the task that the photo was sealed for.
  /// - Returns: nil where the agency has never demanded anything.
  package func check(
    against signed: SignedPolicy?, hasPolicy: Bool, taskType type: String?
  ) -> PhotoCheck? {
    guard let named else {
      // The device had not fetched the policy yet, or there was none then: nobody was laxer than asked.
      return hasPolicy ? PhotoCheck(.policy, .unclear) : nil
    }
    let numbers: [PhotoCheck.Quantity: Double?] = [.revision: Double(named.revision)]
    guard let signed, signed.digest == named.digest else {
      return PhotoCheck(.policy, .contradicts, numbers, words: "unknown")
    }
    guard let gate = record["gate"]?["limits"].flatMap(GatePolicy.init(json:)) else {
      return PhotoCheck(.policy, .notCheckable, numbers)
    }
    let rules = signed.policy.rules(forType: type)
    let broken =
      rules.broken(by: gate, record["gate"]?["sampler"].flatMap(SamplerPolicy.init(json:)))
      + rules.forbidding(withoutTask: sealedTask == nil, imported: photo.origin == .imported)
    return PhotoCheck(
      .policy, broken.isEmpty ? .agrees : .contradicts, numbers,
      words: broken.isEmpty ? nil : broken.map(\.rawValue).joined(separator: ","))
  }
}
