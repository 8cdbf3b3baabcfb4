import Evidence
import Inspection
import Positioning

/// The check of a photo's gate and samples, as its record states them, against the agency's policy.
/// The check finds a field unit that was changed to be laxer than its agency allows.
package struct PolicyCheck {
  /// The policy that a record names, by revision and digest; nil if the record names none.
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
  /// The task for which the photo was sealed, even if officers have moved the photo to another task
  /// since.
  package var sealedTask: Identifier? {
    record["task"]?["id"]?.text.flatMap(Identifier.init(_:))
  }

  /// Compares the record with the policy.
  /// - Parameters:
  ///   - signed: The agency's policy of the revision that the record names; nil if there is none.
  ///   - hasPolicy: True if the agency has a policy at all.
  ///   - type: The type of the task for which the photo was sealed.
  ///   - devices: The devices from which a gpsd says in the raw window that it read; nil if the window is not here.
  /// - Returns: The check; nil if the agency has never had a policy and the record names none.
  package func check(
    against signed: SignedPolicy?, hasPolicy: Bool, taskType type: String?, devices: Set<String>?
  ) -> PhotoCheck? {
    guard let named else {
      // The device had not fetched the policy yet, or there was none then, so the inspector broke
      // no rule.
      return hasPolicy ? PhotoCheck(.policy, .unclear) : nil
    }
    let numbers: [PhotoCheck.Quantity: Double?] = [.revision: Double(named.revision)]
    guard let signed, signed.digest == named.digest else {
      return PhotoCheck(.policy, .contradicts, numbers, reason: .unknownPolicy)
    }
    guard let gate = record["gate"]?["limits"].flatMap(GatePolicy.init(json:)) else {
      return PhotoCheck(.policy, .notCheckable, numbers)
    }
    let rules = signed.policy.rules(forType: type)
    // A field unit of an earlier version does not know how late its page's picture came.
    if rules[.frameDelaySeconds] != nil, record["photo"]?["taken"] != nil, record["shutter"] == nil
    {
      return PhotoCheck(.policy, .unclear, numbers)
    }
    let broken =
      rules.broken(
        by: gate, record["gate"]?["sampler"].flatMap(SamplerPolicy.init(json:)),
        frameDelaySeconds: record["shutter"]?["delaySeconds"]?.measured)
      + rules.forbidding(
        withoutTask: sealedTask == nil,
        way: photo.origin == .imported ? .imported : CameraWay(ofRecord: record))
      + [
        record["device"]?["receiver"]?["source"]?.text.flatMap {
          rules.forbidding(source: $0, devices: devices)
        }
      ].compactMap(\.self)
    return PhotoCheck(
      .policy, broken.isEmpty ? .agrees : .contradicts, numbers,
      reason: broken.isEmpty ? nil : .brokenRules(broken))
  }
}
